//! Exact equilibria of matrix games, each with its certificate.
//!
//! | module | question |
//! |---|---|
//! | `tableau` | which rows and columns does an equilibrium mix? |
//! | `core_system` | with which probabilities, to the last digits? |
//!
//! [`solve`] trusts neither: from the mixtures that it returns it computes afresh what
//! either side could gain by a best answer. This [`gap`](Equilibrium::gap) bounds the
//! error whatever the simplex did, and where it is not below 10⁻¹⁰, the tableau
//! is rebuilt from the matrix and the work goes on.

mod core_system;
mod tableau;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use serde::Serialize;

use crate::Matrix;
use tableau::{End, Tableau};

/// The gap that is good enough.
const GOOD_GAP: f64 = 1e-10;
/// How often the tableau is rebuilt at most.
const MOST_REBUILT: usize = 8;

/// Mixtures of both sides from which neither has a reason to turn.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Equilibrium {
    /// Black's reward, within half the gap of the true value of the game.
    pub value: f64,
    /// Black's probability of each row: not negative, and their sum is 1.
    pub black: Vec<f64>,
    /// White's probability of each column: not negative, and their sum is 1.
    pub white: Vec<f64>,
    /// max (M·y) − min (xᵀ·M), computed from these mixtures and the matrix: what both
    /// sides together could gain by best answers. Not negative, and at most 10⁻⁹.
    pub gap: f64,
}

impl Equilibrium {
    /// From weights that are nearly a solution.
    fn certified(matrix: &Matrix, mut black: Vec<f64>, mut white: Vec<f64>) -> Option<Equilibrium> {
        for weights in [&mut black, &mut white] {
            weights.iter_mut().for_each(|weight| *weight = weight.max(0.0));
            let sum: f64 = weights.iter().sum();
            if !(sum > 0.0 && sum.is_finite()) {
                return None;
            }
            weights.iter_mut().for_each(|weight| *weight /= sum);
        }
        let most = matrix.against_rows(&white).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let least = matrix.against_columns(&black).into_iter().fold(f64::INFINITY, f64::min);
        // In exact numbers it cannot be negative.
        Some(Equilibrium { value: 0.5 * (most + least), black, white, gap: (most - least).max(0.0) })
    }
}

/// An equilibrium of the game: the same one, bit by bit, for the same matrix. There may
/// be others; all have this value.
///
/// The time is that of a few times (rows + columns) pivots of rows × columns
/// operations each.
///
/// ```
/// use tesuji_portfolio::{Matrix, solve};
/// // Matching pennies, where one of the ways to match is worth half as much.
/// let matrix = Matrix::from_rows(&[[1.0, 0.0], [0.0, 0.5]])?;
/// let equilibrium = solve(&matrix);
/// assert!((equilibrium.value - 1.0 / 3.0).abs() < 1e-12);
/// assert!((equilibrium.black[0] - 1.0 / 3.0).abs() < 1e-12);
/// assert!(equilibrium.gap < 1e-12);
/// # Ok::<(), tesuji_portfolio::MatrixError>(())
/// ```
pub fn solve(matrix: &Matrix) -> Equilibrium {
    solve_watched(matrix, &mut |_| ControlFlow::Continue(())).expect("nobody breaks it off")
}

/// Solves the game as [`solve`] does, and calls `watch` before each pivot with the number of
/// pivots so far; how many there will be is not known. Returns `None` if `watch` breaks off.
pub fn solve_watched(matrix: &Matrix, watch: &mut dyn FnMut(u64) -> ControlFlow<()>) -> Option<Equilibrium> {
    let mut pivots = 0;
    let mut watch = || {
        pivots += 1;
        watch(pivots - 1)
    };
    let size = matrix.rows() + matrix.columns();
    let most_pivots = 50 * size as u64;
    let mut tableau = Tableau::new(matrix);
    let mut best: Option<Equilibrium> = None;
    for _ in 0..MOST_REBUILT {
        if tableau.maximise(most_pivots, size, &mut watch) == End::Stopped
            || tableau.repair(most_pivots, &mut watch) == End::Stopped
        {
            return None;
        }
        let (rows, columns) = tableau.core();
        let exact = core_system::solve(matrix, &rows, &columns);
        for (black, white) in exact.into_iter().chain([tableau.solution()]) {
            let found = Equilibrium::certified(matrix, black, white);
            let least = best.as_ref().map_or(f64::INFINITY, |best| best.gap);
            if let Some(found) = found.filter(|found| found.gap < least) {
                best = Some(found);
            }
            if best.as_ref().is_some_and(|best| best.gap <= GOOD_GAP) {
                break;
            }
        }
        if best.as_ref().is_some_and(|best| best.gap <= GOOD_GAP) {
            break;
        }
        tableau = tableau.rebuilt(matrix);
    }
    let best = best.or_else(|| {
        // Never seen: the first pivot alone gives weights to normalise.
        let (black, white) = (vec![1.0; matrix.rows()], vec![1.0; matrix.columns()]);
        Equilibrium::certified(matrix, black, white)
    });
    Some(best.expect("uniform mixtures can be normalised"))
}
