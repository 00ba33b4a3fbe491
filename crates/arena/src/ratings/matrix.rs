//! Small symmetric matrices: a list of players has some tens of rows.

use std::ops::{Index, IndexMut};

/// A square matrix, all of whose entries are stored.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// A matrix of zeros.
    pub(super) fn zeros(size: usize) -> Matrix {
        Matrix { size, entries: vec![0.0; size * size] }
    }

    /// The number of rows.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The size of chunks that are rows, which must not be 0.
    fn width(&self) -> usize {
        self.size.max(1)
    }

    /// One row, which is also a column.
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.size..(row + 1) * self.size]
    }

    /// Adds `weight · x yᵀ`, with both vectors given by their entries that are not zero.
    pub(super) fn add_product(&mut self, weight: f64, x: &[(usize, f64)], y: &[(usize, f64)]) {
        for &(row, left) in x {
            for &(column, right) in y {
                self[(row, column)] += weight * left * right;
            }
        }
    }

    /// The variance of the difference of two entries, if this is a matrix of covariances.
    pub(super) fn variance_of_difference(&self, a: usize, b: usize) -> f64 {
        (self[(a, a)] + self[(b, b)] - 2.0 * self[(a, b)]).max(0.0)
    }

    /// The product with another matrix.
    pub(super) fn times(&self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zeros(self.size);
        for (target, row) in
            product.entries.chunks_exact_mut(self.width()).zip(self.entries.chunks_exact(self.width()))
        {
            for (&factor, source) in row.iter().zip(other.entries.chunks_exact(self.width())) {
                target.iter_mut().zip(source).for_each(|(sum, entry)| *sum += factor * entry);
            }
        }
        product
    }

    /// Replaces the lower triangle by the factor L with L Lᵀ = this matrix (Cholesky). The matrix
    /// must be positive definite.
    pub(super) fn into_factor(mut self) -> Factor {
        for row in 0..self.size {
            for column in 0..=row {
                let dot = self.row(row)[..column].iter().zip(&self.row(column)[..column]);
                let rest = self[(row, column)] - dot.map(|(a, b)| a * b).sum::<f64>();
                self[(row, column)] = if row == column {
                    debug_assert!(rest > 0.0, "row {row} of the information has a pivot of {rest}");
                    // Rounding alone could make a pivot zero.
                    rest.max(f64::MIN_POSITIVE).sqrt()
                } else {
                    rest / self[(column, column)]
                };
            }
        }
        Factor(self)
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.entries[row * self.size + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.entries[row * self.size + column]
    }
}

/// A Cholesky factor, which solves equations.
pub(super) struct Factor(Matrix);

impl Factor {
    /// Replaces the right side of the equations by their solution.
    pub(super) fn solve(&self, right: &mut [f64]) {
        let size = self.0.size;
        for row in 0..size {
            let (done, rest) = right.split_at_mut(row);
            let known: f64 = self.0.row(row).iter().zip(done.iter()).map(|(a, b)| a * b).sum();
            rest[0] = (rest[0] - known) / self.0[(row, row)];
        }
        for row in (0..size).rev() {
            let value = right[row] / self.0[(row, row)];
            right[row] = value;
            let above = self.0.row(row).iter().zip(right.iter_mut()).take(row);
            above.for_each(|(entry, other)| *other -= entry * value);
        }
    }

    /// The inverse of the matrix.
    pub(super) fn inverse(&self) -> Matrix {
        let mut inverse = Matrix::zeros(self.0.size);
        for (row, entries) in inverse.entries.chunks_exact_mut(self.0.width()).enumerate() {
            entries[row] = 1.0;
            self.solve(entries);
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_times_its_matrix_is_one() {
        let mut matrix = Matrix::zeros(3);
        for (row, column, value) in [(0, 0, 4.0), (1, 1, 5.0), (2, 2, 6.0), (0, 1, 2.0), (1, 2, -1.0)] {
            matrix[(row, column)] = value;
            matrix[(column, row)] = value;
        }
        let product = matrix.clone().into_factor().inverse().times(&matrix);
        for row in 0..3 {
            for column in 0..3 {
                let expected = f64::from(u8::from(row == column));
                assert!((product[(row, column)] - expected).abs() < 1e-14, "{product:?}");
            }
        }
    }

    #[test]
    fn variances_of_differences() {
        let mut matrix = Matrix::zeros(2);
        matrix.add_product(3.0, &[(0, 1.0), (1, -1.0)], &[(0, 1.0), (1, -1.0)]);
        assert_eq!(matrix.row(0), [3.0, -3.0]);
        assert_eq!(matrix.variance_of_difference(0, 1), 12.0);
    }
}
