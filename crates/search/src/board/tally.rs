//! How playouts ended.

use tesuji_core::{Outcome, Playout, Side};

/// Whether playouts note the codes of their moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Recording {
    /// They do not.
    #[default]
    Off,
    /// They do, as a search with AMAF statistics asks.
    On,
}

/// How playouts ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Wins of Black and of White, by [`Side::index`].
    pub wins: [u64; 2],
    /// Games that nobody won.
    pub draws: u64,
    /// Moves played, all together.
    pub plies: u64,
}

impl Tally {
    /// Counts one more playout.
    pub(crate) fn add(&mut self, playout: Playout) {
        match playout.outcome {
            Outcome::Win(side) => self.wins[side.index()] += 1,
            Outcome::Draw => self.draws += 1,
        }
        self.plies += u64::from(playout.plies);
    }

    /// The number of playouts.
    pub fn playouts(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.draws
    }

    /// The mean number of moves.
    pub fn mean_length(&self) -> f64 {
        self.plies as f64 / self.playouts() as f64
    }

    /// The mean reward of a side, a draw being half a win, and its standard error.
    pub fn win_rate(&self, side: Side) -> (f64, f64) {
        let n = self.playouts() as f64;
        let (wins, draws) = (self.wins[side.index()] as f64, self.draws as f64);
        let mean = (wins + 0.5 * draws) / n;
        let mean_of_squares = (wins + 0.25 * draws) / n;
        (mean, ((mean_of_squares - mean * mean).max(0.0) / n).sqrt())
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins[0] += other.wins[0];
        self.wins[1] += other.wins[1];
        self.draws += other.draws;
        self.plies += other.plies;
    }
}
