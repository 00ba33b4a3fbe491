//! Near-equilibria of a matrix of which only some games are played.
//!
//! A game of a portfolio takes seconds, and K seeds a side make K² of them. The
//! algorithms here ask for games as they need them, in batches that can be played in
//! parallel, and can be stopped after any step:
//!
//! | algorithm | a step | ends |
//! |---|---|---|
//! | [`DoubleOracle`] | solves a restricted game, looks for answers, mixes | with a certified equilibrium |
//! | [`GrigoriadisKhachiyan`] | reads a row and a column | after 4·ln(m + n)/ε² steps |
//! | [`Exp3`] | a batch of games, each side a bandit | never |
//!
//! [`Entries`] is where games come from, and [`Played`] remembers them: no game is
//! played twice, and [`Played::games`] counts those that were. How good mixtures are is
//! their *exploitability*, half the gap, as in OpenSpiel (NashConv over the two
//! players). It is [`Matrix::exploitability`](crate::Matrix::exploitability) where the
//! whole matrix is known, and at most half of [`Played::gap_bound`] where it is not.
//!
//! What is saved depends on how much seeds differ. Where some are clearly better than
//! others, few matter, and the double oracle finds them; where every game is a coin,
//! an equilibrium mixes half of all seeds, and most games must be played to know it.
//! The example `lazy` prints how many, for four kinds of matrices.
//!
//! ```
//! use tesuji_portfolio::Matrix;
//! use tesuji_portfolio::lazy::{Anytime, DoubleOracle, DoubleOracleConfig, Played, Progress};
//!
//! // Fifty ways to play; the first beats all others.
//! let matrix = Matrix::from_function(50, 50, |i, j| if i == 0 { 0.9 } else { 0.1 + 0.01 * (j % 7) as f64 })?;
//! let mut played = Played::new(&matrix);
//! let config = DoubleOracleConfig { screening: 2, first: 2, ..DoubleOracleConfig::default() };
//! let mut oracle = DoubleOracle::new(50, 50, config);
//! while oracle.step(&mut played)? == Progress::Going {}
//! assert!(oracle.portfolio().black[0] > 0.999);
//! assert!(played.gap_bound(&oracle.portfolio()) < 1e-5);
//! assert!(played.games() < 300);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algorithm;
mod double_oracle;
mod exp3;
mod grigoriadis;
mod played;
mod prediction;
mod sampling;
#[cfg(test)]
mod tests;

pub use algorithm::{LazyAlgorithm, LazyGoal, ParseLazyError};
pub use double_oracle::{DoubleOracle, DoubleOracleConfig, MOST_CONFIDENCE};
pub use exp3::{Exp3, Exp3Config};
pub use grigoriadis::{GrigoriadisKhachiyan, GrigoriadisKhachiyanConfig};
pub use played::{Entries, PlayError, Played};

use crate::{Equilibrium, Matrix, Portfolio, solve};

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
    /// Plays some games and learns from them. The matrix has the size that the
    /// algorithm was made for. Where games cannot be played the mixtures stay, and the
    /// step may be tried again.
    fn step<S: Entries>(&mut self, played: &mut Played<S>) -> Result<Progress, PlayError<S::Error>>;

    /// The mixtures as they are now; uniform before the first step.
    fn portfolio(&self) -> Portfolio;
}

/// Steps without a new game after which an algorithm is taken to have settled: one that never
/// ends plays ever fewer.
const MOST_IDLE: u32 = 1000;

/// Lets an algorithm play until its mixtures are good enough, it has done what it can, or
/// fewer games are played than it asks for (which is how a source says that its time is
/// up). Where all games are played there is nothing left to guess, and the mixtures are an
/// equilibrium.
pub fn learn<S: Entries>(
    mut algorithm: impl Anytime,
    played: &mut Played<S>,
    mut is_enough: impl FnMut(&Played<S>, &Portfolio) -> bool,
) -> Result<Portfolio, PlayError<S::Error>> {
    let all = (played.rows() * played.columns()) as u64;
    let (mut games, mut idle) = (played.games(), 0);
    loop {
        let is_over = match algorithm.step(played) {
            Ok(progress) => progress == Progress::Finished,
            Err(PlayError::Count { .. }) => true,
            Err(error) => return Err(error),
        };
        if played.games() == all {
            let known = |row, column| played.at(row, column).unwrap_or(0.0);
            let matrix = Matrix::from_function(played.rows(), played.columns(), known);
            let Equilibrium { black, white, .. } =
                solve(&matrix.expect("rewards that were played were checked"));
            return Ok(Portfolio { black, white });
        }
        idle = if played.games() > games { 0 } else { idle + 1 };
        games = played.games();
        let portfolio = algorithm.portfolio();
        if is_over || idle > MOST_IDLE || is_enough(played, &portfolio) {
            return Ok(portfolio);
        }
    }
}

/// Steps after which an algorithm that never ends is stopped.
const MOST_STEPS: usize = 200_000;

/// What an algorithm would have made of ever more games of a matrix that is known: the
/// number of games, and the exploitability of its mixtures in the whole matrix. It goes on
/// until the exploitability is below `until`, or nothing more is to be had; there is a point
/// for each thousandth of the games.
pub fn trace(matrix: &Matrix, mut algorithm: impl Anytime, until: f64) -> Vec<(u64, f64)> {
    let all = (matrix.rows() * matrix.columns()) as u64;
    let mut played = Played::new(matrix);
    let mut points: Vec<(u64, f64)> = Vec::new();
    for _ in 0..MOST_STEPS {
        let step = algorithm.step(&mut played);
        let is_last = step != Ok(Progress::Going) || played.games() >= all;
        let is_due = points.last().is_none_or(|(games, _)| played.games() >= games + all.div_ceil(1000));
        if is_last || is_due {
            let Portfolio { black, white } = algorithm.portfolio();
            points.push((played.games(), matrix.exploitability(&black, &white)));
        }
        if is_last || points.last().is_some_and(|(_, exploitability)| *exploitability < until) {
            break;
        }
    }
    points
}
