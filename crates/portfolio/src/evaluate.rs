//! How a portfolio fares against seeds that it was not made from: Table I and Figures
//! 1 and 2 of Cazenave, Liu, Teytaud, Teytaud 2016.
//!
//! One large matrix is played once. A repetition draws K of its rows and K of its
//! columns without replacement, the training matrix, and learns mixtures (x, y) from
//! it. Then an opponent comes who may choose the best of K' seeds that are none of
//! these: J for White against Black's mixture, I for Black against White's, and
//!
//! ```text
//! rate = ½ · [ min_{j ∈ J} Σ_i x_i·M_ij  +  min_{i ∈ I} Σ_j y_j·(1 − M_ij) ].
//! ```
//!
//! Mixtures are scored in expectation. Beside this held-out rate stands the *training*
//! rate, of the same mixtures against the uniform mixture of the seeds they were made
//! from: what exceeds the rate at K' = 1 is overfitting.
//!
//! Repetitions share their randomness wherever they can. All methods learn from the
//! same training matrix, and the seeds of a small K' are the first of those of a
//! greater one, so that a rate never rises with K' within a repetition and differences
//! between the numbers of a row are surer than their errors say. In a curve over K,
//! held-out seeds are the same for every K, and a small training matrix is a corner of
//! a greater one. Repetition r lives at the address `seed / r`, and no result depends
//! on the number of threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use serde::Serialize;
use tesuji_core::Seed;
use thiserror::Error;

use crate::{Matrix, Method};

/// What is measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The methods, in the order of the result.
    pub methods: Vec<Method>,
    /// K: how many rows and columns a portfolio is learnt from.
    pub training: usize,
    /// Every K': how many seeds the opponent chooses from.
    pub opponent_seeds: Vec<usize>,
    /// How often it is repeated.
    pub repetitions: u64,
    /// The root of all randomness.
    pub seed: Seed,
    /// How many threads work: no part of the result.
    pub threads: usize,
}

/// A number with its error.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The mean of the repetitions.
    pub mean: f64,
    /// The standard deviation of the repetitions over the square root of their number;
    /// 0 where there is but one. Repetitions draw from one matrix, so it does not
    /// include the error of having played this matrix and no other.
    pub standard_error: f64,
}

/// The rates of one method.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rates {
    /// The method.
    pub method: Method,
    /// K.
    pub training: usize,
    /// Against the uniform mixture of the training seeds, mean of both colours.
    pub training_rate: Estimate,
    /// For every K', in the order asked for: K', and the rate against the best of K'
    /// seeds that were held out, mean of both colours.
    pub held_out: Vec<(usize, Estimate)>,
}

/// The most repetitions.
const MOST_REPETITIONS: u64 = 10_000_000;

/// The matrix is too small, or there is nothing to do.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EvaluationError {
    /// Training and held-out seeds do not fit into the matrix.
    #[error(
        "{training} seeds for training and {opponent_seeds} held out need a matrix of at least {} x {0}, not {rows} x {columns}",
        training.saturating_add(*opponent_seeds)
    )]
    TooSmall {
        /// K.
        training: usize,
        /// The greatest K'.
        opponent_seeds: usize,
        /// The rows there are.
        rows: usize,
        /// The columns there are.
        columns: usize,
    },
    /// Every repetition is kept until all are done.
    #[error("there are at most {most} repetitions, not {0}", most = MOST_REPETITIONS)]
    TooMany(u64),
    /// A number that must not be 0 is.
    #[error("the number of {what} must be at least 1")]
    Nothing {
        /// What there is none of.
        what: &'static str,
    },
}

impl Evaluation {
    /// The table: a line for each method. `progress` is called with the number of
    /// repetitions that are done, from the calling thread.
    pub fn run(&self, matrix: &Matrix, progress: &dyn Fn(u64)) -> Result<Vec<Rates>, EvaluationError> {
        self.curve(matrix, &[self.training], progress)
    }

    /// The table for several K, which stand in for [`training`](Evaluation::training):
    /// all lines of the first, then those of the second.
    pub fn curve(
        &self,
        matrix: &Matrix,
        trainings: &[usize],
        progress: &dyn Fn(u64),
    ) -> Result<Vec<Rates>, EvaluationError> {
        self.check(matrix, trainings)?;
        Ok(self.lines(&self.samples(matrix, trainings, progress, &AtomicBool::new(false)), trainings))
    }

    fn lines(&self, samples: &[Vec<f64>], trainings: &[usize]) -> Vec<Rates> {
        let width = 1 + self.opponent_seeds.len();
        let estimate = |place: usize| estimate(samples.iter().map(|numbers| numbers[place]));
        let mut lines = Vec::new();
        for &training in trainings {
            for &method in &self.methods {
                let first = lines.len() * width;
                let held_out = self.opponent_seeds.iter().enumerate();
                let held_out = held_out.map(|(k, &seeds)| (seeds, estimate(first + 1 + k))).collect();
                lines.push(Rates { method, training, training_rate: estimate(first), held_out });
            }
        }
        lines
    }

    /// The usual number of a matrix's seeds to learn from if the opponent chooses among up to
    /// `opponent_seeds`: 19 of 20, or fewer if the opponent's seeds do not fit otherwise.
    pub fn usual_training(seeds: usize, opponent_seeds: usize) -> usize {
        (seeds * 19 / 20).min(seeds.saturating_sub(opponent_seeds)).max(1)
    }

    /// Like [`run`](Evaluation::run), but stops and returns `None` if the flag is set before the end.
    pub fn run_unless(
        &self,
        matrix: &Matrix,
        progress: &dyn Fn(u64),
        cancel: &AtomicBool,
    ) -> Result<Option<Vec<Rates>>, EvaluationError> {
        self.check(matrix, &[self.training])?;
        let samples = self.samples(matrix, &[self.training], progress, cancel);
        Ok((!cancel.load(Ordering::Relaxed)).then(|| self.lines(&samples, &[self.training])))
    }

    fn check(&self, matrix: &Matrix, trainings: &[usize]) -> Result<(), EvaluationError> {
        let opponent_seeds = self.opponent_seeds.iter().copied().max().unwrap_or(0);
        let training = trainings.iter().copied().max().unwrap_or(0);
        let least = |numbers: &[usize]| numbers.iter().copied().min().unwrap_or(0);
        for (what, number) in [
            ("methods", self.methods.len()),
            ("training seeds", least(trainings)),
            ("opponent's seeds", least(&self.opponent_seeds)),
            ("repetitions", usize::from(self.repetitions > 0)),
            ("threads", self.threads),
        ] {
            if number == 0 {
                return Err(EvaluationError::Nothing { what });
            }
        }
        if self.repetitions > MOST_REPETITIONS {
            return Err(EvaluationError::TooMany(self.repetitions));
        }
        let (rows, columns) = (matrix.rows(), matrix.columns());
        if training.saturating_add(opponent_seeds) > rows.min(columns) {
            return Err(EvaluationError::TooSmall { training, opponent_seeds, rows, columns });
        }
        Ok(())
    }

    /// The numbers of every repetition, in the order of repetitions.
    fn samples(
        &self,
        matrix: &Matrix,
        trainings: &[usize],
        progress: &dyn Fn(u64),
        cancel: &AtomicBool,
    ) -> Vec<Vec<f64>> {
        let repetitions = self.repetitions as usize;
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        let mut samples = vec![Vec::new(); repetitions];
        std::thread::scope(|scope| {
            for _ in 0..self.threads.min(repetitions) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let repetition = next.fetch_add(1, Ordering::Relaxed);
                        if repetition >= repetitions || cancel.load(Ordering::Relaxed) {
                            break;
                        }
                        let numbers = self.repetition(matrix, trainings, repetition as u64);
                        if sender.send((repetition, numbers)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for (done, (repetition, numbers)) in receiver.iter().enumerate() {
                samples[repetition] = numbers;
                progress(done as u64 + 1);
            }
        });
        samples
    }

    /// For every K and method: the training rate, then the rate for every K'.
    fn repetition(&self, matrix: &Matrix, trainings: &[usize], repetition: u64) -> Vec<f64> {
        let address = self.seed.child(repetition);
        let mut rng = address.child("draw").rng();
        let (mut rows, mut columns): (Vec<usize>, Vec<usize>) =
            ((0..matrix.rows()).collect(), (0..matrix.columns()).collect());
        rng.shuffle(&mut rows);
        rng.shuffle(&mut columns);
        let most = self.opponent_seeds.iter().copied().max().unwrap_or(0);
        // The first are held out, so that they do not depend on K.
        let ((answers_as_black, rows), (answers_as_white, columns)) =
            (rows.split_at(most), columns.split_at(most));
        let mut numbers = Vec::new();
        for &training in trainings {
            let (rows, columns) = (&rows[..training], &columns[..training]);
            let known = matrix.select(rows, columns).expect("the indices are the matrix's own");
            let mut rng = address.child("learn").rng();
            for portfolio in Method::learn_all(&self.methods, &known, &mut rng) {
                numbers.push(portfolio.rate(&known));
                let reward_as_black = |column: usize| -> f64 {
                    rows.iter()
                        .zip(&portfolio.black)
                        .map(|(&row, weight)| weight * matrix.at(row, column))
                        .sum()
                };
                let reward_as_white = |row: usize| -> f64 {
                    let loss = |&column: &usize| 1.0 - matrix.at(row, column);
                    columns.iter().zip(&portfolio.white).map(|(column, weight)| weight * loss(column)).sum()
                };
                let as_black: Vec<f64> =
                    answers_as_white.iter().map(|&column| reward_as_black(column)).collect();
                let as_white: Vec<f64> = answers_as_black.iter().map(|&row| reward_as_white(row)).collect();
                let least = |rewards: &[f64]| rewards.iter().copied().fold(f64::INFINITY, f64::min);
                let rate = |&seeds: &usize| 0.5 * (least(&as_black[..seeds]) + least(&as_white[..seeds]));
                numbers.extend(self.opponent_seeds.iter().map(rate));
            }
        }
        numbers
    }
}

/// The mean and its standard error, in two passes and in order: equal numbers give
/// equal bits.
fn estimate(numbers: impl Iterator<Item = f64> + Clone) -> Estimate {
    let n = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / n;
    let squares: f64 = numbers.map(|number| (number - mean) * (number - mean)).sum();
    let standard_error = if n > 1.0 { (squares / (n - 1.0) / n).sqrt() } else { 0.0 };
    Estimate { mean, standard_error }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn coins(size: usize) -> Matrix {
        let mut rng = Seed::new(1).rng();
        Matrix::from_function(size, size, |_, _| f64::from(rng.below(2))).unwrap()
    }

    fn evaluation() -> Evaluation {
        Evaluation {
            methods: vec![Method::Baseline, Method::BestSeed, Method::Nash, Method::SparseNash(0.75)],
            training: 20,
            opponent_seeds: vec![1, 2, 4, 8],
            repetitions: 60,
            seed: Seed::new(5),
            threads: 1,
        }
    }

    #[test]
    fn threads_change_nothing() {
        let matrix = coins(30);
        let calls = Cell::new(0);
        let one = evaluation().run(&matrix, &|done| calls.set(done)).unwrap();
        assert_eq!(calls.get(), 60);
        for threads in [2, 5, 100] {
            let many = Evaluation { threads, ..evaluation() }.run(&matrix, &|_| {}).unwrap();
            assert_eq!(one, many);
        }
    }

    #[test]
    fn rates_fall_as_the_opponent_chooses_from_more() {
        let lines = evaluation().run(&coins(40), &|_| {}).unwrap();
        for line in &lines {
            assert_eq!(line.held_out.iter().map(|(seeds, _)| *seeds).collect::<Vec<_>>(), [1, 2, 4, 8]);
            let falls = line.held_out.windows(2).all(|pair| pair[1].1.mean <= pair[0].1.mean);
            assert!(falls, "{line:?}");
        }
        // One coin against the best of eight loses nearly always; a mixture does not.
        assert!(lines[0].held_out[3].1.mean < 0.1, "{lines:?}");
        let mixture = lines[2].held_out[3].1;
        assert!(mixture.mean - 0.1 > 5.0 * mixture.standard_error, "{lines:?}");
        // The best seed of coins is the best by chance: all of its advantage is overfitting.
        assert!(lines[1].training_rate.mean > 0.6, "{lines:?}");
        let rate = lines[1].held_out[0].1;
        assert!((rate.mean - 0.5).abs() < 5.0 * rate.standard_error + 0.05, "{lines:?}");
    }

    #[test]
    fn a_curve_shares_its_randomness_with_the_table() {
        let matrix = coins(40);
        let curve = evaluation().curve(&matrix, &[5, 20], &|_| {}).unwrap();
        assert_eq!(curve.len(), 8);
        assert_eq!(curve[4..], evaluation().run(&matrix, &|_| {}).unwrap());
    }

    #[test]
    fn rates_by_hand() {
        // Black's row i wins against every White seed, or against none: 3 good rows of
        // 6. The best seed wins always as Black. As White all columns are alike, and a
        // single Black seed that is held out wins with probability ½ and more.
        let matrix = Matrix::from_function(6, 6, |i, _| f64::from(u8::from(i < 3))).unwrap();
        let evaluation = Evaluation {
            methods: vec![Method::BestSeed],
            training: 4,
            opponent_seeds: vec![1, 2],
            repetitions: 500,
            ..evaluation()
        };
        let lines = evaluation.run(&matrix, &|_| {}).unwrap();
        let [(1, one), (2, two)] = lines[0].held_out[..] else { panic!("{lines:?}") };
        // ½·1 + ½·½, and ½·1 + ½·(both of two are bad: 3/6 · 2/5 = 1/5).
        assert!((one.mean - 0.75).abs() < 5.0 * one.standard_error, "{one:?}");
        assert!((two.mean - 0.6).abs() < 5.0 * two.standard_error, "{two:?}");
        // The standard deviation of one is ¼.
        assert!((one.standard_error - 0.25 / 500_f64.sqrt()).abs() < 1e-3);
    }

    #[test]
    fn impossible_evaluations_are_refused() {
        let error = evaluation().run(&coins(27), &|_| {}).unwrap_err();
        assert_eq!(
            error.to_string(),
            "20 seeds for training and 8 held out need a matrix of at least 28 x 28, not 27 x 27"
        );
        let idle = Evaluation { repetitions: 0, ..evaluation() };
        assert_eq!(idle.run(&coins(40), &|_| {}), Err(EvaluationError::Nothing { what: "repetitions" }));
    }
}
