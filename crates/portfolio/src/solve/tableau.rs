//! The dense simplex tableau of a matrix game.
//!
//! With payoffs A = M + 1, all of them positive, White's linear program is
//!
//! ```text
//! maximise Σ u_j   so that   A·u ≤ 1,  u ≥ 0
//! ```
//!
//! and the value of A is 1 / Σ u at its optimum (Dantzig 1951). No first phase is
//! needed: u = 0 is feasible. Black's program is its dual, and its solution stands in
//! the reduced profits of the slacks.
//!
//! The tableau is *condensed*: slack columns that are basic are unit vectors and are
//! not stored, and a pivot exchanges a row's label for a column's. A pivot is then one
//! pass over rows × columns numbers, which is the whole cost; entering columns are
//! chosen by Devex (Harris 1973), which approximates steepest edge at the cost of the
//! pivot row and needs fewer pivots than the greatest profit.
//!
//! A 0/1 matrix is degenerate throughout: many rows tie in every ratio test. So the
//! right-hand side is raised a little, by a different amount in each row, and the true
//! one is carried beside it. At the optimum of the raised problem profits do not
//! depend on the right-hand side, and what the true one lacks is put right by a few
//! steps of the dual simplex. Where steps of length zero are taken all the same, for
//! longer than there are rows and columns, Bland's rule takes over until one is not.

use std::ops::ControlFlow;

use tesuji_core::isa::{Isa, Kernel, dispatch};

use crate::Matrix;

/// A profit, or a lack of feasibility, below this is taken for 0.
const TOLERANCE: f64 = 1e-10;
/// A pivot below this is none.
const LEAST_PIVOT: f64 = 1e-8;
/// By how much at most a right-hand side is raised.
const MOST_RAISED: f64 = 1e-5;

/// A variable of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Label {
    /// u_j, a multiple of White's probability of column j.
    Column(usize),
    /// What row i of A·u lacks of 1.
    Slack(usize),
}

/// Why a run of pivots ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// Nothing is left to gain.
    Optimal,
    /// No pivot was good enough, or there were too many.
    Stuck,
    /// Whoever watches has broken it off.
    Stopped,
}

/// Whoever watches the pivots: called before each, and may break off.
pub(super) type Watch<'a> = &'a mut dyn FnMut() -> ControlFlow<()>;

/// Numbers of the tableau: a row for each basic variable, in it a number for each
/// that is not basic.
pub(super) struct Tableau {
    rows: usize,
    columns: usize,
    numbers: Vec<f64>,
    /// The basic variables' values, and with the raised right-hand side.
    values: Vec<f64>,
    raised: Vec<f64>,
    /// What one unit of each variable that is not basic would add.
    profits: Vec<f64>,
    /// Devex reference weights.
    weights: Vec<f64>,
    basic: Vec<Label>,
    outside: Vec<Label>,
    /// The pivot column and the pivot row of the step.
    column: Vec<f64>,
    row: Vec<f64>,
}

impl Tableau {
    /// The tableau at u = 0, with payoffs one above the matrix's.
    pub(super) fn new(matrix: &Matrix) -> Tableau {
        let (rows, columns) = (matrix.rows(), matrix.columns());
        Tableau {
            rows,
            columns,
            numbers: matrix.entries().iter().map(|entry| entry + 1.0).collect(),
            values: vec![1.0; rows],
            raised: (0..rows).map(|row| 1.0 + MOST_RAISED * scattered(row)).collect(),
            profits: vec![1.0; columns],
            weights: vec![1.0; columns],
            basic: (0..rows).map(Label::Slack).collect(),
            outside: (0..columns).map(Label::Column).collect(),
            column: vec![0.0; rows],
            row: vec![0.0; columns],
        }
    }

    /// The tableau afresh from the matrix, at the basis of this one: the roundoff of
    /// earlier pivots is gone. Pivots that would be too small are left out, so that
    /// the basis may become another.
    pub(super) fn rebuilt(&self, matrix: &Matrix) -> Tableau {
        let mut fresh = Tableau::new(matrix);
        let (mut rows, mut columns) = self.core();
        while let Some((row, column)) = fresh.largest(&rows, &columns) {
            fresh.pivot(row, column);
            rows.retain(|&other| other != row);
            columns.retain(|&other| other != column);
        }
        fresh.weights.fill(1.0);
        fresh
    }

    /// The largest number of these rows and columns, where it can be a pivot.
    fn largest(&self, rows: &[usize], columns: &[usize]) -> Option<(usize, usize)> {
        let mut best = (LEAST_PIVOT, None);
        for &row in rows {
            for &column in columns {
                let size = self.numbers[row * self.columns + column].abs();
                if size > best.0 {
                    best = (size, Some((row, column)));
                }
            }
        }
        best.1
    }

    /// The rows that White's mixture makes equal, and the columns it is made of: as
    /// many of the one as of the other.
    pub(super) fn core(&self) -> (Vec<usize>, Vec<usize>) {
        let slack = |label: &Label| match *label {
            Label::Slack(row) => Some(row),
            Label::Column(_) => None,
        };
        let column = |label: &Label| match *label {
            Label::Column(column) => Some(column),
            Label::Slack(_) => None,
        };
        (self.outside.iter().filter_map(slack).collect(), self.basic.iter().filter_map(column).collect())
    }

    /// Both sides' solutions as they stand, not normalised: a number for each row of
    /// the matrix, and one for each column.
    pub(super) fn solution(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut black, mut white) = (vec![0.0; self.rows], vec![0.0; self.columns]);
        for (label, profit) in self.outside.iter().zip(&self.profits) {
            if let Label::Slack(row) = *label {
                black[row] = -profit;
            }
        }
        for (label, value) in self.basic.iter().zip(&self.values) {
            if let Label::Column(column) = *label {
                white[column] = *value;
            }
        }
        (black, white)
    }

    /// Pivots until nothing is left to gain, for the raised right-hand side. After
    /// `patience` steps without any gain Bland's rule takes over.
    pub(super) fn maximise(&mut self, most_pivots: u64, patience: usize, watch: Watch<'_>) -> End {
        let mut idle = 0;
        for _ in 0..most_pivots {
            if watch().is_break() {
                return End::Stopped;
            }
            let careful = idle >= patience;
            let Some(entering) = (if careful { self.first_profit() } else { self.best_profit() }) else {
                return End::Optimal;
            };
            self.read_column(entering);
            let Some(leaving) = self.tightest(careful) else { return End::Stuck };
            let step = self.raised[leaving] / self.column[leaving];
            idle = if step * self.profits[entering] > 1e-14 { 0 } else { idle + 1 };
            self.pivot_read(leaving, entering);
        }
        End::Stuck
    }

    /// Pivots until the true right-hand side is feasible, keeping all profits as they
    /// are: not above 0.
    pub(super) fn repair(&mut self, most_pivots: u64, watch: Watch<'_>) -> End {
        for _ in 0..most_pivots {
            if watch().is_break() {
                return End::Stopped;
            }
            let least = (0..self.rows).fold((-TOLERANCE, None), |least, row| {
                if self.values[row] < least.0 { (self.values[row], Some(row)) } else { least }
            });
            let Some(leaving) = least.1 else { return End::Optimal };
            let numbers = &self.numbers[leaving * self.columns..][..self.columns];
            let mut best = (f64::INFINITY, 0.0, None);
            for (column, (&number, &profit)) in numbers.iter().zip(&self.profits).enumerate() {
                if number < -LEAST_PIVOT {
                    let ratio = profit.min(0.0) / number;
                    let tie = (ratio - best.0).abs() <= 1e-13;
                    if (tie && -number > best.1) || (!tie && ratio < best.0) {
                        best = (ratio, -number, Some(column));
                    }
                }
            }
            let Some(entering) = best.2 else { return End::Stuck };
            self.pivot(leaving, entering);
        }
        End::Stuck
    }

    /// The entering column by Devex.
    fn best_profit(&self) -> Option<usize> {
        let mut best = (0.0, None);
        for (column, (&profit, &weight)) in self.profits.iter().zip(&self.weights).enumerate() {
            if profit > TOLERANCE {
                let score = profit * profit / weight;
                if score > best.0 {
                    best = (score, Some(column));
                }
            }
        }
        best.1
    }

    /// The entering column by Bland's rule.
    fn first_profit(&self) -> Option<usize> {
        let gains = (0..self.columns).filter(|&column| self.profits[column] > TOLERANCE);
        gains.min_by_key(|&column| self.outside[column])
    }

    /// The row that first reaches its limit as the column read grows. Of equals it is
    /// the one with the largest pivot, or by Bland's rule the one with the first label.
    fn tightest(&self, careful: bool) -> Option<usize> {
        let mut best: (f64, Option<usize>) = (f64::INFINITY, None);
        for row in 0..self.rows {
            let number = self.column[row];
            if number <= LEAST_PIVOT {
                continue;
            }
            let ratio = self.raised[row].max(0.0) / number;
            let is_better = match best.1 {
                None => true,
                Some(other) if (ratio - best.0).abs() <= 1e-13 * best.0 => {
                    if careful {
                        self.basic[row] < self.basic[other]
                    } else {
                        number > self.column[other]
                    }
                }
                Some(_) => ratio < best.0,
            };
            if is_better {
                best = (ratio, Some(row));
            }
        }
        best.1
    }

    fn read_column(&mut self, column: usize) {
        let strided = self.numbers[column..].iter().step_by(self.columns);
        self.column.iter_mut().zip(strided).for_each(|(into, number)| *into = *number);
    }

    fn pivot(&mut self, row: usize, column: usize) {
        self.read_column(column);
        self.pivot_read(row, column);
    }

    /// Exchanges the row's variable for the column's; the column has been read.
    fn pivot_read(&mut self, row: usize, column: usize) {
        let pivot = self.column[row];
        let inverse = 1.0 / pivot;
        let numbers = &self.numbers[row * self.columns..][..self.columns];
        self.row.iter_mut().zip(numbers).for_each(|(into, number)| *into = number * inverse);
        // The leaving variable's column is that of the pivot row's slack.
        self.row[column] = inverse;
        let reference = self.weights[column];
        for (weight, ratio) in self.weights.iter_mut().zip(&self.row) {
            *weight = weight.max(ratio * ratio * reference);
        }
        self.weights[column] = (reference * inverse * inverse).max(1.0);

        let (value, raised) = (self.values[row] * inverse, self.raised[row] * inverse);
        for (i, &factor) in self.column.iter().enumerate() {
            self.values[i] -= factor * value;
            self.raised[i] -= factor * raised;
        }
        (self.values[row], self.raised[row]) = (value, raised);
        let profit = self.profits[column];
        self.profits[column] = 0.0;
        self.profits.iter_mut().zip(&self.row).for_each(|(into, number)| *into -= profit * number);

        dispatch(Sweep { tableau: self, row, column });
        std::mem::swap(&mut self.basic[row], &mut self.outside[column]);
    }
}

/// The pass of a pivot over all numbers.
struct Sweep<'a> {
    tableau: &'a mut Tableau,
    row: usize,
    column: usize,
}

impl Kernel for Sweep<'_> {
    type Output = ();

    /// Each number is changed by one product, rounded, and one difference: every
    /// instruction set gives the same bits.
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Sweep { tableau, row, column } = self;
        let pivot_row = &tableau.row[..];
        let rows = tableau.numbers.chunks_exact_mut(tableau.columns);
        for (i, (numbers, &factor)) in rows.zip(&tableau.column).enumerate() {
            if i == row {
                numbers.copy_from_slice(pivot_row);
            } else if factor != 0.0 {
                numbers[column] = 0.0;
                numbers.iter_mut().zip(pivot_row).for_each(|(number, other)| *number -= factor * other);
            }
        }
    }
}

/// Numbers in [½, 1), as different from each other as can be: the multiples of the
/// golden ratio, without their whole part, in half the interval.
fn scattered(index: usize) -> f64 {
    let golden = 0.618_033_988_749_894_9;
    0.5 + 0.5 * ((index + 1) as f64 * golden).fract()
}
