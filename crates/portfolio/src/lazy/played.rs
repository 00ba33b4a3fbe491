//! Games that are played when they are asked for, and once only.

use std::convert::Infallible;
use std::fmt;

use thiserror::Error;

use crate::{Matrix, Portfolio};

/// Where the entries of a matrix come from: a game each, dear and worth avoiding.
pub trait Entries {
    /// Why a game could not be played.
    type Error;

    /// The number of rows, Black's choices, and of columns, White's.
    fn size(&self) -> (usize, usize);

    /// Plays the games of these rows and columns and appends Black's rewards, in
    /// their order and each in [0, 1]. No pair is there twice, and none comes in a
    /// later call again. The games of a call may be played in parallel.
    fn play(&mut self, wanted: &[(usize, usize)], rewards: &mut Vec<f64>) -> Result<(), Self::Error>;
}

/// A matrix that is known already: for tests, and to measure what a few of its entries
/// would have given.
impl Entries for &Matrix {
    type Error = Infallible;

    fn size(&self) -> (usize, usize) {
        (self.rows(), self.columns())
    }

    fn play(&mut self, wanted: &[(usize, usize)], rewards: &mut Vec<f64>) -> Result<(), Infallible> {
        rewards.extend(wanted.iter().map(|&(row, column)| self.at(row, column)));
        Ok(())
    }
}

/// Games were asked for, and no rewards came.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum PlayError<E> {
    /// The games could not be played.
    #[error(transparent)]
    Source(E),
    /// There are not as many rewards as games.
    #[error("{games} games were asked for, and {rewards} rewards came back")]
    Count {
        /// How many games were asked for.
        games: usize,
        /// How many rewards came.
        rewards: usize,
    },
    /// A reward is none.
    #[error("the game of row {row} and column {column} gave {reward}, and a reward is from 0 to 1")]
    Reward {
        /// The row, counted from 0.
        row: usize,
        /// The column, counted from 0.
        column: usize,
        /// What came.
        reward: f64,
    },
}

/// The entries that have been played, over their source. Takes eight bytes for each
/// entry there is, played or not.
pub struct Played<S> {
    source: S,
    rows: usize,
    columns: usize,
    /// Row by row, and no number where the game has not been played.
    known: Vec<f64>,
    games: u64,
    wanted: Vec<(usize, usize)>,
    rewards: Vec<f64>,
}

impl<S: Entries> Played<S> {
    /// Nothing is played yet.
    pub fn new(source: S) -> Played<S> {
        let (rows, columns) = source.size();
        let known = vec![f64::NAN; rows * columns];
        Played { source, rows, columns, known, games: 0, wanted: Vec::new(), rewards: Vec::new() }
    }

    /// Plays those of these games that have not been played: one call of the source.
    pub fn ask(
        &mut self,
        games: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<(), PlayError<S::Error>> {
        self.wanted.clear();
        for (row, column) in games {
            let known = &mut self.known[row * self.columns + column];
            if known.is_nan() {
                // A mark, so that a pair that comes twice is played once.
                *known = 0.0;
                self.wanted.push((row, column));
            }
        }
        let answer = self.answer();
        if answer.is_err() {
            for &(row, column) in &self.wanted {
                self.known[row * self.columns + column] = f64::NAN;
            }
        }
        answer
    }

    fn answer(&mut self) -> Result<(), PlayError<S::Error>> {
        if self.wanted.is_empty() {
            return Ok(());
        }
        self.rewards.clear();
        self.source.play(&self.wanted, &mut self.rewards).map_err(PlayError::Source)?;
        let (games, rewards) = (self.wanted.len(), self.rewards.len());
        if games != rewards {
            return Err(PlayError::Count { games, rewards });
        }
        for (&(row, column), &reward) in self.wanted.iter().zip(&self.rewards) {
            if !(0.0..=1.0).contains(&reward) {
                return Err(PlayError::Reward { row, column, reward });
            }
            self.known[row * self.columns + column] = reward;
        }
        self.games += games as u64;
        Ok(())
    }
}

impl<S> Played<S> {
    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many games have been played, all of them different.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Black's reward, where the game has been played.
    pub fn at(&self, row: usize, column: usize) -> Option<f64> {
        let reward = self.known[row * self.columns + column];
        (!reward.is_nan()).then_some(reward)
    }

    /// The rewards of a row, NaN where the game has not been played.
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.known[row * self.columns..][..self.columns]
    }

    /// What both sides together could gain by best answers to these mixtures, at most:
    /// a game that is not played is counted as won by whoever answers. This bounds the
    /// [`gap`](Matrix::gap) in the whole matrix without knowing it, and is equal to it
    /// once every choice has played against all that have a probability.
    pub fn gap_bound(&self, portfolio: &Portfolio) -> f64 {
        let mut least = vec![0.0; self.columns];
        let mut most = f64::NEG_INFINITY;
        for (row, &weight) in portfolio.black.iter().enumerate() {
            let rewards = self.row(row);
            let answers = rewards.iter().zip(&portfolio.white);
            most = most.max(answers.map(|(r, weight)| weight * if r.is_nan() { 1.0 } else { *r }).sum());
            for (sum, reward) in least.iter_mut().zip(rewards) {
                *sum += weight * if reward.is_nan() { 0.0 } else { *reward };
            }
        }
        most - least.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// The source.
    pub fn source(&self) -> &S {
        &self.source
    }
}

impl<S> fmt::Debug for Played<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Played({} of {} x {} games)", self.games, self.rows, self.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers with whatever it was given.
    struct Script(Vec<f64>, usize);

    impl Entries for Script {
        type Error = &'static str;

        fn size(&self) -> (usize, usize) {
            (2, 2)
        }

        fn play(&mut self, _: &[(usize, usize)], rewards: &mut Vec<f64>) -> Result<(), &'static str> {
            self.1 += 1;
            if self.0.is_empty() {
                return Err("the board is gone");
            }
            rewards.append(&mut self.0);
            Ok(())
        }
    }

    #[test]
    fn no_game_is_played_twice() {
        let mut played = Played::new(Script(vec![1.0, 0.5], 0));
        played.ask([(0, 0), (1, 1), (0, 0)]).unwrap();
        played.ask([(1, 1)]).unwrap();
        assert_eq!((played.games(), played.source().1), (2, 1));
        assert_eq!((played.at(0, 0), played.at(1, 1), played.at(0, 1)), (Some(1.0), Some(0.5), None));
    }

    #[test]
    fn what_went_wrong_is_not_known() {
        let mut played = Played::new(Script(vec![], 0));
        assert_eq!(played.ask([(0, 0)]), Err(PlayError::Source("the board is gone")));
        assert_eq!((played.games(), played.at(0, 0)), (0, None));
        let mut played = Played::new(Script(vec![0.0, 1.0], 0));
        assert_eq!(played.ask([(0, 0)]), Err(PlayError::Count { games: 1, rewards: 2 }));
        let mut played = Played::new(Script(vec![2.0], 0));
        assert_eq!(played.ask([(0, 1)]), Err(PlayError::Reward { row: 0, column: 1, reward: 2.0 }));
        assert_eq!(played.at(0, 1), None);
    }
}
