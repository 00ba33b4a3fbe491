//! Factors of symmetric matrices, which are stored row by row.

/// The factor L of a matrix A = L·Lᵀ.
#[derive(Clone, Debug)]
pub(super) struct Cholesky {
    n: usize,
    /// The lower triangle, in the rows of a square.
    rows: Vec<f64>,
}

impl Cholesky {
    /// Factors a matrix of `n` rows, of which only the lower triangle is read. What rounding makes
    /// negative on the diagonal becomes `floor`, which is above 0.
    pub(super) fn of(mut rows: Vec<f64>, n: usize, floor: f64) -> Cholesky {
        for i in 0..n {
            let (above, current) = rows.split_at_mut(i * n);
            let row = &mut current[..n];
            for j in 0..i {
                let other = &above[j * n..j * n + n];
                row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
            }
            row[i] = (row[i] - dot(&row[..i], &row[..i])).max(floor).sqrt();
        }
        Cholesky { n, rows }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.n..i * self.n + i + 1]
    }

    /// Solves L·x = b in place.
    pub(super) fn solve_lower(&self, b: &mut [f64]) {
        for i in 0..self.n {
            let row = self.row(i);
            b[i] = (b[i] - dot(&row[..i], &b[..i])) / row[i];
        }
    }

    /// Solves Lᵀ·x = b in place.
    pub(super) fn solve_upper(&self, b: &mut [f64]) {
        for i in (0..self.n).rev() {
            let row = self.row(i);
            let value = b[i] / row[i];
            b[i] = value;
            for (earlier, factor) in b[..i].iter_mut().zip(row) {
                *earlier -= factor * value;
            }
        }
    }

    /// L·x.
    pub(super) fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.n).map(|i| dot(self.row(i), &x[..=i])).collect()
    }

    /// The logarithm of the determinant of A.
    pub(super) fn log_determinant(&self) -> f64 {
        2.0 * (0..self.n).map(|i| libm::log(self.row(i)[i])).sum::<f64>()
    }

    /// The diagonal of the inverse of A.
    pub(super) fn inverse_diagonal(&self) -> Vec<f64> {
        let n = self.n;
        let mut diagonal = vec![0.0; n];
        let mut column = vec![0.0; n];
        // Column k of the inverse of L begins at row k. The squares of row i sum up over the columns.
        for (k, entry) in diagonal.iter_mut().enumerate() {
            column[k..].fill(0.0);
            column[k] = 1.0 / self.row(k)[k];
            for i in k + 1..n {
                let row = self.row(i);
                column[i] = -dot(&row[k..i], &column[k..i]) / row[i];
            }
            *entry = dot(&column[k..], &column[k..]);
        }
        diagonal
    }
}

/// The scalar product, in four sums, which a processor adds up at the same time.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a_fours, b_fours) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a_fours.remainder().iter().zip(b_fours.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_fours.zip(b_fours) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_matrix() {
        // A = [[4, 2, 0], [2, 5, 2], [0, 2, 5]] = L·Lᵀ with L = [[2], [1, 2], [0, 1, 2]].
        let a = vec![4.0, 9.0, 9.0, 2.0, 5.0, 9.0, 0.0, 2.0, 5.0];
        let factor = Cholesky::of(a, 3, 1e-9);
        assert_eq!([factor.row(0), factor.row(1), factor.row(2)].concat(), [2.0, 1.0, 2.0, 0.0, 1.0, 2.0]);
        // The determinant is (2·2·2)² = 64.
        assert!((factor.log_determinant() - 64_f64.ln()).abs() < 1e-12);
        let mut x = vec![8.0, 18.0, 19.0];
        factor.solve_lower(&mut x);
        factor.solve_upper(&mut x);
        // 4·1 + 2·2 = 8, 2·1 + 5·2 + 2·3 = 18, 2·2 + 5·3 = 19.
        for (x, expected) in x.iter().zip([1.0, 2.0, 3.0]) {
            assert!((x - expected).abs() < 1e-12);
        }
        assert_eq!(factor.times(&[1.0, 1.0, 1.0]), [2.0, 3.0, 3.0]);
        // The inverse is the adjugate, with diagonal 21, 20, 16, over 64.
        for (entry, expected) in factor.inverse_diagonal().iter().zip([21.0, 20.0, 16.0]) {
            assert!((entry - expected / 64.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_matrix_of_rank_one_has_a_factor_too() {
        let factor = Cholesky::of(vec![1.0; 9], 3, 1e-9);
        assert!(factor.inverse_diagonal().iter().all(|entry| entry.is_finite()));
    }
}
