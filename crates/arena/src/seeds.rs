//! Games in which every seed of a player as Black meets every seed as White
//! (Cazenave, Liu, Teytaud, Teytaud 2016): the numbering of such games, and the
//! seeds themselves.
//!
//! A player whose seed is fixed is a deterministic player; its numbers are from
//! (seed, colour, ply). The game of Black's seed i against White's seed j has an
//! index such that the games of the first K seeds are the first K² games: a larger
//! K goes on where a smaller one stopped.

use std::collections::BTreeMap;

use tesuji_core::{Seed, Side};

use crate::matches::{Cell, MatchExperiment};
use crate::store::{GamePoints, Store, StoreError};

/// The seeds of the two sides in a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SeedPair {
    /// The number of Black's seed.
    pub black: u64,
    /// The number of White's seed.
    pub white: u64,
}

/// The result of a game of seeds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SeedGame {
    /// The seeds.
    pub pair: SeedPair,
    /// Black's points: 0, ½ or 1.
    pub points: f64,
}

impl SeedPair {
    /// The seeds of the game with this index.
    ///
    /// ```
    /// use tesuji_arena::SeedPair;
    /// let pairs: Vec<(u64, u64)> =
    ///     (0..9).map(SeedPair::of).map(|pair| (pair.black, pair.white)).collect();
    /// assert_eq!(pairs, [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (1, 2), (2, 0), (2, 1), (2, 2)]);
    /// assert!((0..10_000).all(|index| SeedPair::of(index).index() == index));
    /// ```
    pub const fn of(index: u64) -> SeedPair {
        // The shell of the larger seed m has the games from m² on: first m of column m.
        let larger = index.isqrt();
        let rest = index - larger * larger;
        if rest < larger {
            SeedPair { black: rest, white: larger }
        } else {
            SeedPair { black: larger, white: rest - larger }
        }
    }

    /// The index of the game of these seeds.
    pub const fn index(self) -> u64 {
        let SeedPair { black, white } = self;
        if black < white { white * white + black } else { black * black + black + white }
    }

    /// The number of the seed of one side.
    pub const fn of_side(self, side: Side) -> u64 {
        match side {
            Side::Black => self.black,
            Side::White => self.white,
        }
    }
}

/// The standard error of the mean of games that share seeds: K² games are not K² independent
/// games. It is the variance of the means of Black's seeds over their number, plus that of
/// White's. `None` if a side has only one seed.
pub(crate) fn standard_error(games: impl Iterator<Item = SeedGame>) -> Option<f64> {
    let mut sides: [BTreeMap<u64, (f64, u64)>; 2] = Default::default();
    for SeedGame { pair, points } in games {
        for side in Side::BOTH {
            let (sum, count) = sides[side.index()].entry(pair.of_side(side)).or_default();
            (*sum, *count) = (*sum + points, *count + 1);
        }
    }
    let variance_of_mean = |seeds: &BTreeMap<u64, (f64, u64)>| {
        let n = seeds.len() as f64;
        let means: Vec<f64> = seeds.values().map(|(sum, count)| sum / *count as f64).collect();
        let mean = means.iter().sum::<f64>() / n;
        let squares: f64 = means.iter().map(|value| (value - mean) * (value - mean)).sum();
        (n > 1.0).then(|| squares / (n - 1.0) / n)
    };
    Some((variance_of_mean(&sides[0])? + variance_of_mean(&sides[1])?).sqrt())
}

impl MatchExperiment {
    /// The seed of a cell with this number. Cells that differ only in how a player is turned have
    /// the same seeds.
    pub fn seed(&self, cell: &Cell, number: u64) -> Seed {
        let player = cell.opponent.unturned().to_string();
        self.address.child("seeds").child(cell.game.to_string().as_str()).child(player.as_str()).child(number)
    }

    /// All stored games of a cell.
    pub fn seed_games(&self, cell: &Cell, store: &Store) -> Result<Vec<SeedGame>, StoreError> {
        let games = store.points(self.address, &cell.key)?;
        let seed_game = |game: GamePoints| SeedGame { pair: SeedPair::of(game.index), points: game.points };
        Ok(games.into_iter().map(seed_game).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_share_seeds_say_less() {
        // Black's seed 0 wins all, seed 1 nothing: two seeds, whatever the number of games.
        let games = |n: u64| {
            (0..n).map(SeedPair::of).map(|pair| SeedGame { pair, points: 1.0 - pair.black as f64 % 2.0 })
        };
        // Means 1 and 0: variance ½, over two seeds ¼; White's means are equal.
        assert_eq!(standard_error(games(4)), Some(0.5));
        assert_eq!(standard_error(games(1)), None);
        let many = standard_error(games(10_000)).unwrap();
        // A hundred seeds, half of them 1: √(0.25 · 100 / 99 / 100).
        assert!((many - (0.25_f64 / 99.0).sqrt()).abs() < 1e-12, "{many}");
    }
}
