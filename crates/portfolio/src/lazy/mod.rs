//! Near-equilibria of a matrix of which only some entries are played.

mod double_oracle;
mod exp3;
mod grigoriadis;
mod played;
mod prediction;
mod sampling;
#[cfg(test)]
mod tests;

pub use double_oracle::{DoubleOracle, DoubleOracleConfig};
pub use exp3::{Exp3, Exp3Config};
pub use grigoriadis::{GrigoriadisKhachiyan, GrigoriadisKhachiyanConfig};
pub use played::{Entries, PlayError, Played};

use crate::Portfolio;

/// Whether more steps would change anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// There is more to do.
    Going,
    /// The algorithm has done what it can.
    Finished,
}

/// An algorithm that can be stopped after any step.
pub trait Anytime {
    /// Plays some games and learns from them. Where they cannot be played, nothing is
    /// learnt, and the step may be tried again.
    fn step<S: Entries>(&mut self, played: &mut Played<S>) -> Result<Progress, PlayError<S::Error>>;

    /// The mixtures as they are now.
    fn portfolio(&self) -> Portfolio;
}
