//! What a game that has not been played will probably give.
//!
//! Some seeds are better than others whoever the opponent is: the reward of row i
//! against column j is expected to be μ + a_i + b_j. Effects are means of what the
//! other effects leave, drawn towards 0 as if each row and column had had
//! [`PRIOR_GAMES`] more games without any effect (the posterior mean with a normal
//! prior). One pass over what is known brings the effects up to date; a few passes
//! while little is known make them consistent.

use tesuji_core::Side;

use super::Played;

/// The variance of one game, about ¼, over that of the effects, about 0.13².
const PRIOR_GAMES: f64 = 14.0;

/// The effects, as far as they are known.
#[derive(Clone, Debug)]
pub(super) struct Prediction {
    mean: f64,
    rows: Vec<Effect>,
    columns: Vec<Effect>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Effect {
    games: f64,
    size: f64,
}

impl Prediction {
    pub(super) fn new(rows: usize, columns: usize) -> Prediction {
        Prediction {
            mean: 0.5,
            rows: vec![Effect::default(); rows],
            columns: vec![Effect::default(); columns],
        }
    }

    /// Brings the effects up to date.
    pub(super) fn refit<S>(&mut self, played: &Played<S>) {
        let mut columns = vec![(0.0, 0.0); self.columns.len()];
        let (mut games, mut sum) = (0.0, 0.0);
        for (row, effect) in self.rows.iter_mut().enumerate() {
            let (mut own_games, mut own_sum) = (0.0, 0.0);
            for ((reward, column), others) in played.row(row).iter().zip(&self.columns).zip(&mut columns) {
                if !reward.is_nan() {
                    own_games += 1.0;
                    own_sum += reward - self.mean - column.size;
                    others.0 += 1.0;
                    others.1 += reward - self.mean - effect.size;
                    sum += reward - column.size - effect.size;
                }
            }
            *effect = Effect { games: own_games, size: own_sum / (own_games + PRIOR_GAMES) };
            games += own_games;
        }
        for (effect, (games, sum)) in self.columns.iter_mut().zip(columns) {
            *effect = Effect { games, size: sum / (games + PRIOR_GAMES) };
        }
        if games > 0.0 {
            self.mean = sum / games;
        }
    }

    /// Black's expected reward.
    pub(super) fn reward(&self, row: usize, column: usize) -> f64 {
        (self.mean + self.rows[row].size + self.columns[column].size).clamp(0.02, 0.98)
    }

    /// By how much a choice is better for its side than the mean of all.
    pub(super) fn strength(&self, side: Side, choice: usize) -> f64 {
        match side {
            Side::Black => self.rows[choice].size,
            Side::White => -self.columns[choice].size,
        }
    }

    /// The variance of that.
    pub(super) fn variance(&self, side: Side, choice: usize) -> f64 {
        let effect = match side {
            Side::Black => self.rows[choice],
            Side::White => self.columns[choice],
        };
        0.25 / (effect.games + PRIOR_GAMES)
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::Seed;

    use super::*;
    use crate::Matrix;

    #[test]
    fn effects_are_found() {
        // Black's chance is 0.3 or 0.5 by its row, and 0.2 more against odd columns.
        let chance = |i: usize, j: usize| 0.3 + 0.2 * (i % 2) as f64 + 0.2 * (j % 2) as f64;
        let mut rng = Seed::new(1).rng();
        let matrix =
            Matrix::from_function(200, 200, |i, j| f64::from(u8::from(rng.chance(chance(i, j))))).unwrap();
        let mut played = Played::new(&matrix);
        played.ask((0..200).flat_map(|i| (0..100).map(move |k| (i, (i + k) % 200)))).unwrap();
        let mut prediction = Prediction::new(200, 200);
        (0..6).for_each(|_| prediction.refit(&played));
        let errors = (0..200).flat_map(|i| (0..200).map(move |j| (i, j)));
        let squares: f64 = errors.map(|(i, j)| (prediction.reward(i, j) - chance(i, j)).powi(2)).sum();
        // Two effects from a hundred games each: the mean square is about 2 · ¼ / 114.
        assert!(squares / 40_000.0 < 0.006, "{}", squares / 40_000.0);
        assert!(prediction.strength(Side::Black, 1) > prediction.strength(Side::Black, 0));
        assert!(prediction.strength(Side::White, 1) < prediction.strength(Side::White, 0));
        assert_eq!(prediction.variance(Side::Black, 0), 0.25 / 114.0);
    }
}
