//! What came of the games of every Black seed against every White seed.
//!
//! Rows are Black's choices, columns White's, and an entry is *Black's* reward in
//! [0, 1]: 1 where Black won. The game has a constant sum of one, so that White's
//! reward is one less the entry, and nothing else need be stored.

use thiserror::Error;

/// The rewards of Black, one row for each of Black's choices and one column for
/// each of White's. Never empty, and every entry is in [0, 1].
///
/// ```
/// use tesuji_portfolio::Matrix;
/// let matrix = Matrix::from_rows(&[[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])?;
/// assert_eq!((matrix.rows(), matrix.columns()), (2, 3));
/// assert_eq!(matrix.at(1, 2), 0.5);
/// assert_eq!(matrix.column_means(), [0.5, 0.5, 0.5]);
/// # Ok::<(), tesuji_portfolio::MatrixError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Matrix {
    columns: usize,
    /// Row by row.
    entries: Vec<f64>,
}

/// These entries are no matrix game.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum MatrixError {
    /// There is nothing to choose.
    #[error("a matrix game needs at least one row and one column, not {rows} x {columns}")]
    Empty {
        /// The rows asked for.
        rows: usize,
        /// The columns asked for.
        columns: usize,
    },
    /// The entries do not fill the shape.
    #[error("a matrix of {rows} x {columns} has {} entries, not {entries}", rows * columns)]
    Shape {
        /// The rows asked for.
        rows: usize,
        /// The columns asked for.
        columns: usize,
        /// The entries given.
        entries: usize,
    },
    /// One row is not as long as the first.
    #[error("row {row} has {length} entries, and the first row has {expected}")]
    Ragged {
        /// The row, counted from 0.
        row: usize,
        /// Its length.
        length: usize,
        /// The length of the first row.
        expected: usize,
    },
    /// An entry is no reward.
    #[error("the entry in row {row} and column {column} is {value}, and a reward is from 0 to 1")]
    Reward {
        /// The row, counted from 0.
        row: usize,
        /// The column, counted from 0.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// An index list names a row or column that is not there.
    #[error("there is no {what} {index}: they are numbered from 0 to {last}")]
    Index {
        /// "row" or "column".
        what: &'static str,
        /// The index as given.
        index: usize,
        /// The greatest index there is.
        last: usize,
    },
}

impl Matrix {
    /// A matrix from its entries, row by row.
    pub fn new(rows: usize, columns: usize, entries: Vec<f64>) -> Result<Matrix, MatrixError> {
        if rows == 0 || columns == 0 {
            return Err(MatrixError::Empty { rows, columns });
        }
        if rows.checked_mul(columns) != Some(entries.len()) {
            return Err(MatrixError::Shape { rows, columns, entries: entries.len() });
        }
        match entries.iter().position(|entry| !(0.0..=1.0).contains(entry)) {
            None => Ok(Matrix { columns, entries }),
            Some(at) => {
                Err(MatrixError::Reward { row: at / columns, column: at % columns, value: entries[at] })
            }
        }
    }

    /// A matrix from its rows, all of the same length.
    pub fn from_rows<R: AsRef<[f64]>>(rows: &[R]) -> Result<Matrix, MatrixError> {
        let expected = rows.first().map_or(0, |row| row.as_ref().len());
        for (row, entries) in rows.iter().enumerate() {
            let length = entries.as_ref().len();
            if length != expected {
                return Err(MatrixError::Ragged { row, length, expected });
            }
        }
        let entries = rows.iter().flat_map(|row| row.as_ref().iter().copied()).collect();
        Matrix::new(rows.len(), expected, entries)
    }

    /// A matrix whose entry in row i and column j is what the function says of (i, j).
    /// It is asked row by row.
    pub fn from_function(
        rows: usize,
        columns: usize,
        mut entry: impl FnMut(usize, usize) -> f64,
    ) -> Result<Matrix, MatrixError> {
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Matrix::new(rows, columns, places.map(|(row, column)| entry(row, column)).collect())
    }

    /// The entries as text: a line for each row, numbers with blanks between them.
    ///
    /// ```
    /// use tesuji_portfolio::Matrix;
    /// let matrix = Matrix::from_rows(&[[1.0, 0.0], [0.5, 1.0]])?;
    /// assert_eq!(matrix.text(), "1 0\n0.5 1\n");
    /// # Ok::<(), tesuji_portfolio::MatrixError>(())
    /// ```
    pub fn text(&self) -> String {
        let line = |row: usize| {
            let numbers: Vec<String> = self.row(row).iter().map(f64::to_string).collect();
            numbers.join(" ") + "\n"
        };
        (0..self.rows()).map(line).collect()
    }

    /// How many choices Black has.
    pub fn rows(&self) -> usize {
        self.entries.len() / self.columns
    }

    /// How many choices White has.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Black's rewards with choice `row`, against each of White's.
    ///
    /// # Panics
    ///
    /// Where there is no such row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.columns..][..self.columns]
    }

    /// Black's reward with choice `row` against White's choice `column`.
    ///
    /// # Panics
    ///
    /// Where there is no such entry.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.row(row)[column]
    }

    /// All entries, row by row.
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// The game in which only these rows and columns may be chosen, in this order;
    /// one that is named twice is there twice.
    pub fn select(&self, rows: &[usize], columns: &[usize]) -> Result<Matrix, MatrixError> {
        let missing = |what, indices: &[usize], size: usize| {
            let index = indices.iter().copied().find(|&index| index >= size);
            index.map_or(Ok(()), |index| Err(MatrixError::Index { what, index, last: size - 1 }))
        };
        missing("row", rows, self.rows())?;
        missing("column", columns, self.columns)?;
        Matrix::from_function(rows.len(), columns.len(), |i, j| self.at(rows[i], columns[j]))
    }

    /// The same game with the colours exchanged: rows are White's choices, and an
    /// entry is White's reward.
    #[must_use]
    pub fn seen_from_white(&self) -> Matrix {
        let places = (0..self.columns).flat_map(|column| (0..self.rows()).map(move |row| (row, column)));
        let entries = places.map(|(row, column)| 1.0 - self.at(row, column)).collect();
        Matrix { columns: self.rows(), entries }
    }

    /// Black's mean reward with each choice, against White choosing uniformly.
    pub fn row_means(&self) -> Vec<f64> {
        let n = self.columns as f64;
        self.entries.chunks_exact(self.columns).map(|row| row.iter().sum::<f64>() / n).collect()
    }

    /// Black's mean reward against each of White's choices, Black choosing uniformly.
    pub fn column_means(&self) -> Vec<f64> {
        let n = self.rows() as f64;
        let mut sums = self.against_columns(&vec![1.0; self.rows()]);
        sums.iter_mut().for_each(|sum| *sum /= n);
        sums
    }

    /// Black's expected reward with each choice, against White's mixture: M·y.
    pub fn against_rows(&self, white: &[f64]) -> Vec<f64> {
        debug_assert_eq!(white.len(), self.columns);
        let dot = |row: &[f64]| row.iter().zip(white).map(|(entry, weight)| entry * weight).sum();
        self.entries.chunks_exact(self.columns).map(dot).collect()
    }

    /// Black's expected reward with a mixture, against each of White's choices: xᵀ·M.
    pub fn against_columns(&self, black: &[f64]) -> Vec<f64> {
        debug_assert_eq!(black.len(), self.rows());
        let mut sums = vec![0.0; self.columns];
        for (row, &weight) in self.entries.chunks_exact(self.columns).zip(black) {
            if weight != 0.0 {
                sums.iter_mut().zip(row).for_each(|(sum, entry)| *sum += weight * entry);
            }
        }
        sums
    }

    /// By how much both sides together could gain if each answered the other's
    /// mixture as well as can be: max (M·y) − min (xᵀ·M), 0 at an equilibrium.
    ///
    /// Half of it is the *exploitability* in the convention of OpenSpiel, which
    /// divides NashConv by the number of players: see
    /// [`exploitability`](Matrix::exploitability).
    pub fn gap(&self, black: &[f64], white: &[f64]) -> f64 {
        let most = self.against_rows(white).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let least = self.against_columns(black).into_iter().fold(f64::INFINITY, f64::min);
        most - least
    }

    /// Half the [`gap`](Matrix::gap): what a best answer gains over the mixtures, in
    /// the mean of the two colours.
    pub fn exploitability(&self, black: &[f64], white: &[f64]) -> f64 {
        0.5 * self.gap(black, white)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_is_checked() {
        assert_eq!(Matrix::new(0, 2, vec![]), Err(MatrixError::Empty { rows: 0, columns: 2 }));
        assert!(matches!(Matrix::new(2, 2, vec![0.0; 3]), Err(MatrixError::Shape { .. })));
        assert!(matches!(Matrix::new(usize::MAX, 2, vec![0.0; 3]), Err(MatrixError::Shape { .. })));
        let ragged = Matrix::from_rows(&[vec![0.0, 1.0], vec![0.0]]);
        assert_eq!(ragged, Err(MatrixError::Ragged { row: 1, length: 1, expected: 2 }));
        for value in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            let wrong = Matrix::new(1, 2, vec![0.0, value]);
            assert!(matches!(wrong, Err(MatrixError::Reward { row: 0, column: 1, .. })), "{value}");
        }
    }

    #[test]
    fn errors_are_sentences() {
        let error = Matrix::new(2, 2, vec![0.0; 3]).unwrap_err();
        assert_eq!(error.to_string(), "a matrix of 2 x 2 has 4 entries, not 3");
    }

    #[test]
    fn parts_are_selected_in_order() {
        let matrix = Matrix::from_function(3, 3, |i, j| (3 * i + j) as f64 / 8.0).unwrap();
        let part = matrix.select(&[2, 0], &[1]).unwrap();
        assert_eq!(part.entries(), [7.0 / 8.0, 1.0 / 8.0]);
        assert!(matches!(matrix.select(&[3], &[0]), Err(MatrixError::Index { what: "row", .. })));
        assert!(matches!(matrix.select(&[0], &[5]), Err(MatrixError::Index { what: "column", .. })));
        assert!(matches!(matrix.select(&[], &[0]), Err(MatrixError::Empty { .. })));
    }

    #[test]
    fn white_sees_the_rest() {
        let matrix = Matrix::from_rows(&[[1.0, 0.25, 0.0]]).unwrap();
        let white = matrix.seen_from_white();
        assert_eq!((white.rows(), white.columns()), (3, 1));
        assert_eq!(white.entries(), [0.0, 0.75, 1.0]);
        assert_eq!(white.seen_from_white(), matrix);
    }

    #[test]
    fn means_and_mixtures_by_hand() {
        let matrix = Matrix::from_rows(&[[1.0, 0.0], [0.5, 0.5]]).unwrap();
        assert_eq!(matrix.row_means(), [0.5, 0.5]);
        assert_eq!(matrix.column_means(), [0.75, 0.25]);
        assert_eq!(matrix.against_rows(&[1.0, 0.0]), [1.0, 0.5]);
        assert_eq!(matrix.against_columns(&[0.0, 1.0]), [0.5, 0.5]);
        // Black could have 1 instead of 1/2; White holds Black to what it has.
        assert_eq!(matrix.gap(&[0.0, 1.0], &[1.0, 0.0]), 0.5);
        assert_eq!(matrix.exploitability(&[0.0, 1.0], &[1.0, 0.0]), 0.25);
    }
}
