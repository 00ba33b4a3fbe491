//! Grigoriadis and Khachiyan, "A sublinear-time randomized approximation algorithm for
//! matrix games", 1995.
//!
//! With rewards in [−1, 1], U the sum of the columns read so far and V that of the
//! rows, a step draws
//!
//! ```text
//! i ~ softmax(ε/2 · U),   j ~ softmax(−ε/2 · V),
//! ```
//!
//! reads row i and column j, and counts both. After 4·ln(m + n)/ε² steps the
//! frequencies are, with probability at least ½, mixtures within ε of the value.
//!
//! A step reads m + n entries, so that the number of *steps* is what it saves: with
//! K = 400 every row has been drawn long before the bound is reached. It pays where K
//! is in the thousands.

use tesuji_core::{Rng, Seed};

use super::sampling::{draw, frequencies, softmax};
use super::{Anytime, Entries, PlayError, Played, Progress};
use crate::Portfolio;

/// How a run is made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GrigoriadisKhachiyanConfig {
    /// By how much either mixture may miss the value, in rewards of [0, 1]: half the
    /// paper's ε.
    pub precision: f64,
    /// The address of its draws.
    pub seed: Seed,
}

/// A run of the algorithm. It ends after the paper's number of steps.
#[derive(Clone, Debug)]
pub struct GrigoriadisKhachiyan {
    epsilon: f64,
    steps_left: u64,
    rng: Rng,
    /// Sums of rewards in [−1, 1]: U and V.
    row_sums: Vec<f64>,
    column_sums: Vec<f64>,
    row_counts: Vec<u64>,
    column_counts: Vec<u64>,
    weights: Vec<f64>,
}

impl GrigoriadisKhachiyan {
    /// A run for a matrix of this size. The precision is in (0, 1].
    pub fn new(rows: usize, columns: usize, config: GrigoriadisKhachiyanConfig) -> GrigoriadisKhachiyan {
        debug_assert!(config.precision > 0.0 && config.precision <= 1.0);
        let epsilon = 2.0 * config.precision;
        let steps = 4.0 * libm::log((rows + columns) as f64) / (epsilon * epsilon);
        GrigoriadisKhachiyan {
            epsilon,
            steps_left: steps.ceil() as u64,
            rng: config.seed.rng(),
            row_sums: vec![0.0; rows],
            column_sums: vec![0.0; columns],
            row_counts: vec![0; rows],
            column_counts: vec![0; columns],
            weights: Vec::new(),
        }
    }

    /// How many steps are left.
    pub fn steps_left(&self) -> u64 {
        self.steps_left
    }
}

impl Anytime for GrigoriadisKhachiyan {
    fn step<S: Entries>(&mut self, played: &mut Played<S>) -> Result<Progress, PlayError<S::Error>> {
        if self.steps_left == 0 {
            return Ok(Progress::Finished);
        }
        let half = 0.5 * self.epsilon;
        softmax(self.row_sums.iter().map(|sum| half * sum), &mut self.weights);
        let row = draw(&self.weights, &mut self.rng);
        softmax(self.column_sums.iter().map(|sum| -half * sum), &mut self.weights);
        let column = draw(&self.weights, &mut self.rng);

        let (rows, columns) = (played.rows(), played.columns());
        played.ask((0..columns).map(|j| (row, j)).chain((0..rows).map(|i| (i, column))))?;
        for (sum, reward) in self.column_sums.iter_mut().zip(played.row(row)) {
            *sum += 2.0 * reward - 1.0;
        }
        for (i, sum) in self.row_sums.iter_mut().enumerate() {
            *sum += 2.0 * played.row(i)[column] - 1.0;
        }
        self.row_counts[row] += 1;
        self.column_counts[column] += 1;
        self.steps_left -= 1;
        Ok(if self.steps_left == 0 { Progress::Finished } else { Progress::Going })
    }

    fn portfolio(&self) -> Portfolio {
        Portfolio { black: frequencies(&self.row_counts), white: frequencies(&self.column_counts) }
    }
}
