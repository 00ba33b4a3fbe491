//! The lazy algorithms by their names, with the settings that they are used with.

use std::fmt;
use std::str::FromStr;

use tesuji_core::{Seed, shortened};
use thiserror::Error;

use super::{
    DoubleOracle, DoubleOracleConfig, Entries, Exp3, Exp3Config, GrigoriadisKhachiyan,
    GrigoriadisKhachiyanConfig, PlayError, Played, learn,
};
use crate::Portfolio;

/// Games that Exp3 draws at a time: enough for many cores, and the same on any number.
const EXP3_BATCH: usize = 64;

/// The smallest precision for which Grigoriadis and Khachiyan's number of steps is affordable.
const LEAST_PRECISION: f64 = 1e-3;

/// A lazy algorithm. As text: `double-oracle`, `grigoriadis`, `exp3`.
///
/// ```
/// use tesuji_portfolio::lazy::LazyAlgorithm;
/// assert_eq!("exp3".parse(), Ok(LazyAlgorithm::Exp3));
/// assert_eq!(LazyAlgorithm::DoubleOracle.to_string(), "double-oracle");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LazyAlgorithm {
    /// Restricted games, and best answers to them: [`DoubleOracle`].
    DoubleOracle,
    /// A row and a column at a time: [`GrigoriadisKhachiyan`].
    Grigoriadis,
    /// Both sides are bandits: [`Exp3`].
    Exp3,
}

/// The text is no lazy algorithm.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a lazy algorithm: there are double-oracle, grigoriadis and exp3")]
pub struct ParseLazyError(String);

/// When a lazy algorithm has done enough, and what it draws.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LazyGoal {
    /// Stop once neither side is known to gain more than this on average.
    pub exploitability: f64,
    /// Stop after this number of games. `None`: any number.
    pub games: Option<u64>,
    /// The address of all draws.
    pub seed: Seed,
}

impl LazyAlgorithm {
    /// Plays until the goal is reached, the algorithm has done what it can, or `is_over` says
    /// that it must end: see [`learn`].
    pub fn learn<S: Entries>(
        self,
        played: &mut Played<S>,
        goal: &LazyGoal,
        mut is_over: impl FnMut(&Played<S>) -> bool,
    ) -> Result<Portfolio, PlayError<S::Error>> {
        let (rows, columns, seed) = (played.rows(), played.columns(), goal.seed);
        let is_enough = |played: &Played<S>, portfolio: &Portfolio| {
            is_over(played)
                || goal.games.is_some_and(|games| played.games() >= games)
                || played.gap_bound(portfolio) / 2.0 <= goal.exploitability
        };
        match self {
            LazyAlgorithm::DoubleOracle => {
                let usual = DoubleOracleConfig::default();
                // With many seeds a few games a step would keep nobody busy.
                let batch = usual.batch.max(rows.max(columns) / 50);
                let config = DoubleOracleConfig { batch, seed, ..usual };
                learn(DoubleOracle::new(rows, columns, config), played, is_enough)
            }
            LazyAlgorithm::Grigoriadis => {
                let precision = goal.exploitability.max(LEAST_PRECISION);
                let config = GrigoriadisKhachiyanConfig { precision, seed };
                learn(GrigoriadisKhachiyan::new(rows, columns, config), played, is_enough)
            }
            LazyAlgorithm::Exp3 => {
                let config = Exp3Config { batch: EXP3_BATCH, seed };
                learn(Exp3::new(rows, columns, config), played, is_enough)
            }
        }
    }
}

impl fmt::Display for LazyAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            LazyAlgorithm::DoubleOracle => "double-oracle",
            LazyAlgorithm::Grigoriadis => "grigoriadis",
            LazyAlgorithm::Exp3 => "exp3",
        })
    }
}

impl FromStr for LazyAlgorithm {
    type Err = ParseLazyError;

    fn from_str(text: &str) -> Result<LazyAlgorithm, ParseLazyError> {
        let word = text.trim().to_ascii_lowercase();
        let all = [LazyAlgorithm::DoubleOracle, LazyAlgorithm::Grigoriadis, LazyAlgorithm::Exp3];
        let found = all.into_iter().find(|algorithm| algorithm.to_string() == word);
        found.ok_or_else(|| ParseLazyError(shortened(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    #[test]
    fn every_algorithm_reaches_its_goal_or_its_end() {
        let matrix =
            Matrix::from_function(30, 30, |i, j| if i == 3 { 0.9 } else { 0.1 + 0.01 * (j % 7) as f64 })
                .unwrap();
        for name in ["double-oracle", "grigoriadis", "exp3"] {
            let algorithm: LazyAlgorithm = name.parse().unwrap();
            let goal = LazyGoal { exploitability: 0.3, games: Some(400), seed: Seed::new(1) };
            let mut played = Played::new(&matrix);
            let portfolio = algorithm.learn(&mut played, &goal, |_| false).unwrap();
            assert_eq!(portfolio.black.len(), 30);
            assert!(played.games() <= 900, "{name}");
            let mut played = Played::new(&matrix);
            algorithm.learn(&mut played, &goal, |_| true).unwrap();
            assert!(played.games() < 900, "{name} was told to end");
        }
        let error = "exp4".parse::<LazyAlgorithm>().unwrap_err().to_string();
        assert_eq!(error, "'exp4' is not a lazy algorithm: there are double-oracle, grigoriadis and exp3");
    }
}
