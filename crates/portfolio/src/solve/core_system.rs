//! The equations of an equilibrium's core.
//!
//! A basis of the simplex names as many rows as columns. On these the mixtures make
//! the other side indifferent, so that they solve
//!
//! ```text
//! B·u = 1,  wᵀ·B = 1ᵀ
//! ```
//!
//! with B the payoffs, one above the matrix's, of those rows and columns. Solving this
//! from the matrix itself frees the result of the roundoff that the pivots have piled
//! up.

use crate::Matrix;

/// Triangular factors of a square matrix, its rows exchanged for the largest pivots.
struct Factors {
    size: usize,
    numbers: Vec<f64>,
    /// Which row of the matrix is at which place.
    order: Vec<usize>,
}

impl Factors {
    /// Nothing where the matrix is singular as far as can be told.
    fn new(size: usize, mut numbers: Vec<f64>) -> Option<Factors> {
        let mut order: Vec<usize> = (0..size).collect();
        for step in 0..size {
            let sizes = (step..size).map(|row| (row, numbers[row * size + step].abs()));
            let (best, largest) =
                sizes.fold((step, 0.0), |best, other| if other.1 > best.1 { other } else { best });
            if largest < 1e-12 {
                return None;
            }
            if best != step {
                order.swap(best, step);
                let (upper, lower) = numbers.split_at_mut(best * size);
                upper[step * size..][..size].swap_with_slice(&mut lower[..size]);
            }
            let (done, below) = numbers.split_at_mut((step + 1) * size);
            let pivot_row = &done[step * size..];
            for row in below.chunks_exact_mut(size) {
                let factor = row[step] / pivot_row[step];
                row[step] = factor;
                if factor != 0.0 {
                    let rest = row[step + 1..].iter_mut().zip(&pivot_row[step + 1..]);
                    rest.for_each(|(number, other)| *number -= factor * other);
                }
            }
        }
        Some(Factors { size, numbers, order })
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.numbers[row * self.size..][..self.size]
    }

    /// Solves B·u = right.
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut u: Vec<f64> = self.order.iter().map(|&row| right[row]).collect();
        for i in 0..self.size {
            let known: f64 = self.row(i)[..i].iter().zip(&u).map(|(a, b)| a * b).sum();
            u[i] -= known;
        }
        for i in (0..self.size).rev() {
            let known: f64 = self.row(i)[i + 1..].iter().zip(&u[i + 1..]).map(|(a, b)| a * b).sum();
            u[i] = (u[i] - known) / self.row(i)[i];
        }
        u
    }

    /// Solves wᵀ·B = rightᵀ.
    fn solve_transposed(&self, right: &[f64]) -> Vec<f64> {
        let mut w = right.to_vec();
        for i in 0..self.size {
            w[i] /= self.row(i)[i];
            let value = w[i];
            w[i + 1..].iter_mut().zip(&self.row(i)[i + 1..]).for_each(|(w, a)| *w -= a * value);
        }
        for i in (0..self.size).rev() {
            let value = w[i];
            w[..i].iter_mut().zip(self.row(i)).for_each(|(w, a)| *w -= a * value);
        }
        let mut placed = vec![0.0; self.size];
        self.order.iter().zip(w).for_each(|(&row, w)| placed[row] = w);
        placed
    }
}

/// Both mixtures of a core, not normalised, a number for each row of the matrix and one
/// for each column; nothing where the core is singular. Each has one step of iterative
/// refinement.
pub(super) fn solve(matrix: &Matrix, rows: &[usize], columns: &[usize]) -> Option<(Vec<f64>, Vec<f64>)> {
    let size = rows.len();
    debug_assert_eq!(size, columns.len());
    let entry = |i: usize, j: usize| matrix.at(rows[i], columns[j]) + 1.0;
    let numbers = (0..size * size).map(|at| entry(at / size, at % size)).collect();
    let factors = Factors::new(size, numbers)?;
    let ones = vec![1.0; size];
    let mut u = factors.solve(&ones);
    let mut w = factors.solve_transposed(&ones);
    let lacking: Vec<f64> =
        (0..size).map(|i| 1.0 - (0..size).map(|j| entry(i, j) * u[j]).sum::<f64>()).collect();
    u.iter_mut().zip(factors.solve(&lacking)).for_each(|(u, more)| *u += more);
    let lacking: Vec<f64> =
        (0..size).map(|j| 1.0 - (0..size).map(|i| entry(i, j) * w[i]).sum::<f64>()).collect();
    w.iter_mut().zip(factors.solve_transposed(&lacking)).for_each(|(w, more)| *w += more);

    let (mut black, mut white) = (vec![0.0; matrix.rows()], vec![0.0; matrix.columns()]);
    rows.iter().zip(w).for_each(|(&row, w)| black[row] = w);
    columns.iter().zip(u).for_each(|(&column, u)| white[column] = u);
    Some((black, white))
}
