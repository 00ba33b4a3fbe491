//! What a game that has not been played will probably give.
//!
//! Some seeds are better than others whoever the opponent is: the reward of row i
//! against column j is expected to be μ + a_i + b_j. Effects are means of what the
//! other effects leave, drawn towards 0 as if each row and column had had
//! [`PRIOR_GAMES`] more games without any effect (the posterior mean with a normal
//! prior). One pass over what is known brings the effects up to date; a few passes
//! while little is known make them consistent.

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
        Prediction { mean: 0.5, rows: vec![Effect::default(); rows], columns: vec![Effect::default(); columns] }
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

    /// The variance of a row's effect.
    pub(super) fn row_variance(&self, row: usize) -> f64 {
        0.25 / (self.rows[row].games + PRIOR_GAMES)
    }

    /// The variance of a column's effect.
    pub(super) fn column_variance(&self, column: usize) -> f64 {
        0.25 / (self.columns[column].games + PRIOR_GAMES)
    }
}
