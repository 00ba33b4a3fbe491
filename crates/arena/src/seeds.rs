//! Games in which every seed of a player as Black meets every seed as White
//! (Cazenave, Liu, Teytaud, Teytaud 2016): the numbering of such games, and the
//! seeds themselves.
//!
//! A player whose seed is fixed is a deterministic player; its numbers are from
//! (seed, colour, ply). The game of Black's seed i against White's seed j has an
//! index such that the games of the first K seeds are the first K² games: a larger
//! K goes on where a smaller one stopped.

use tesuji_core::{Seed, Side};

use crate::matches::{Cell, MatchExperiment};
use crate::store::{Store, StoreError};

/// Which seeds meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SeedPair {
    /// Black's.
    pub black: u64,
    /// White's.
    pub white: u64,
}

impl SeedPair {
    /// The pair of the game with this index.
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

    /// The index of its game.
    pub const fn index(self) -> u64 {
        let SeedPair { black, white } = self;
        if black < white { white * white + black } else { black * black + black + white }
    }

    /// The seed of one of the sides.
    pub const fn of_side(self, side: Side) -> u64 {
        match side {
            Side::Black => self.black,
            Side::White => self.white,
        }
    }
}

/// Where the random numbers of a seed are that plays this side at this ply.
pub fn stream(seed: Seed, side: Side, ply: u64) -> Seed {
    let colour = if side == Side::Black { "black" } else { "white" };
    seed.child(colour).child(ply)
}

impl MatchExperiment {
    /// The seed with this number of the contestants of a cell. Cells that differ only in
    /// how a player is turned have the same seeds.
    pub fn seed(&self, cell: &Cell, number: u64) -> Seed {
        let player = cell.opponent.unturned().to_string();
        self.address.child("seeds").child(cell.game.to_string().as_str()).child(player.as_str()).child(number)
    }

    /// Black's points in each game of a cell that is stored.
    pub fn seed_games(&self, cell: &Cell, store: &Store) -> Result<Vec<(SeedPair, f64)>, StoreError> {
        let games = store.points(self.address, &cell.key)?;
        Ok(games.into_iter().map(|(index, _, points)| (SeedPair::of(index), points)).collect())
    }
}
