//! Table I of the paper, as the file `experiments/published/phantom_table1.csv` has it.
//!
//! The file has per cent, as printed. Here every rate is a share, from 0 to 1.

use tesuji_core::shortened;
use tesuji_portfolio::Method;
use thiserror::Error;

/// The columns of the file, in their order.
const COLUMNS: [&str; 6] = ["board", "method", "alpha", "opponent_seeds", "win_rate", "standard_error"];

/// Published rates of portfolios, by board, method and K'.
///
/// ```
/// use tesuji_portfolio::Method;
/// use tesuji_report::portfolio::PublishedSeeds;
///
/// let text = "board,method,alpha,opponent_seeds,win_rate,standard_error\n5x5,nash,,2,56.1,0.2\n";
/// let published = PublishedSeeds::parse(text)?;
/// let rate = published.rate("5x5", Method::Nash, 2).expect("it is in the table");
/// assert!((rate.mean - 0.561).abs() < 1e-12);
/// assert_eq!(published.rate("9x9", Method::Nash, 2), None);
/// # Ok::<(), tesuji_report::portfolio::ParsePublishedSeedsError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PublishedSeeds {
    lines: Vec<Line>,
}

#[derive(Clone, PartialEq, Debug)]
struct Line {
    board: String,
    method: Method,
    opponent_seeds: usize,
    rate: PublishedSeedRate,
}

/// A published rate, as a share.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PublishedSeedRate {
    /// The mean win rate, from 0 to 1.
    pub mean: f64,
    /// The standard error of the mean. `None` if none was printed, as for the baseline against
    /// itself, which is ½ by definition.
    pub standard_error: Option<f64>,
}

/// The error that a text is not a table of published rates.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParsePublishedSeedsError {
    /// The first line names other columns.
    #[error("the columns must be {}, not '{found}'", COLUMNS.join(","))]
    Columns {
        /// The first line.
        found: String,
    },
    /// A line has more or fewer cells than there are columns.
    #[error("line {line} has {cells} cells, and there are {} columns", COLUMNS.len())]
    Cells {
        /// The line, counted from 1.
        line: usize,
        /// The number of cells in the line.
        cells: usize,
    },
    /// A cell does not have the form of its column.
    #[error("line {line}: '{found}' is not {expected}")]
    Cell {
        /// The line, counted from 1.
        line: usize,
        /// The cell.
        found: String,
        /// The form of the column, in words.
        expected: &'static str,
    },
    /// The file has two rates for the same board, method and K'.
    #[error("line {line} has a rate for the second time")]
    Twice {
        /// The line, counted from 1.
        line: usize,
    },
}

impl PublishedSeeds {
    /// K, the size of the matrices that the published portfolios were learnt from.
    pub(crate) const TRAINING: usize = 380;

    /// Reads the table. Empty lines and lines that begin with `#` are skipped.
    pub fn parse(text: &str) -> Result<PublishedSeeds, ParsePublishedSeedsError> {
        let mut lines = (1..)
            .zip(text.lines().map(str::trim))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let head = lines.next().map_or("", |(_, line)| line);
        if !head.split(',').map(str::trim).eq(COLUMNS) {
            return Err(ParsePublishedSeedsError::Columns { found: shortened(head) });
        }
        let mut published = PublishedSeeds::default();
        for (number, line) in lines {
            let line = Line::parse(number, line)?;
            if published.rate(&line.board, line.method, line.opponent_seeds).is_some() {
                return Err(ParsePublishedSeedsError::Twice { line: number });
            }
            published.lines.push(line);
        }
        Ok(published)
    }

    /// Returns the rate against the best of `opponent_seeds` seeds. `board` has the form `5x5`.
    pub fn rate(&self, board: &str, method: Method, opponent_seeds: usize) -> Option<PublishedSeedRate> {
        let is_it = |line: &&Line| {
            line.board == board && line.method == method && line.opponent_seeds == opponent_seeds
        };
        self.lines.iter().find(is_it).map(|line| line.rate)
    }
}

impl Line {
    fn parse(line: usize, text: &str) -> Result<Line, ParsePublishedSeedsError> {
        let cells: Vec<&str> = text.split(',').map(str::trim).collect();
        let [board, method, alpha, opponent_seeds, mean, standard_error] = cells[..] else {
            return Err(ParsePublishedSeedsError::Cells { line, cells: cells.len() });
        };
        let wrong = |found: &str, expected| ParsePublishedSeedsError::Cell {
            line,
            found: shortened(found),
            expected,
        };
        let share = |cell: &str, greatest: f64| {
            let number = cell.parse::<f64>().ok().filter(|number| (0.0..=greatest).contains(number));
            number.map(|number| number / greatest)
        };
        let per_cent = |cell| share(cell, 100.0).ok_or_else(|| wrong(cell, "per cent, from 0 to 100"));
        let method = match (method, alpha) {
            ("baseline", "") => Method::Baseline,
            ("bestseed", "") => Method::BestSeed,
            ("nash", "") => Method::Nash,
            ("sparse", alpha) => {
                let parsed = share(alpha, 1.0).ok_or_else(|| wrong(alpha, "a sparsity, from 0 to 1"))?;
                Method::SparseNash(parsed)
            }
            ("baseline" | "bestseed" | "nash", alpha) => {
                return Err(wrong(alpha, "empty, as the sparsity of this method is"));
            }
            (other, _) => return Err(wrong(other, "one of baseline, bestseed, nash and sparse")),
        };
        let opponent_seeds = opponent_seeds
            .parse()
            .ok()
            .filter(|seeds| *seeds > 0)
            .ok_or_else(|| wrong(opponent_seeds, "a number of seeds"))?;
        let standard_error = match standard_error {
            "" => None,
            cell => Some(per_cent(cell)?),
        };
        let rate = PublishedSeedRate { mean: per_cent(mean)?, standard_error };
        Ok(Line { board: board.to_owned(), method, opponent_seeds, rate })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = include_str!("../../../../experiments/published/phantom_table1.csv");

    fn error_of(lines: &str) -> String {
        let text = format!("{}\n{lines}\n", COLUMNS.join(","));
        PublishedSeeds::parse(&text).unwrap_err().to_string()
    }

    #[test]
    fn the_papers_table_is_whole() {
        let published = PublishedSeeds::parse(TABLE).unwrap();
        assert_eq!(published.lines.len(), 90);
        let methods = [
            Method::Baseline,
            Method::BestSeed,
            Method::Nash,
            Method::SparseNash(0.5),
            Method::SparseNash(0.75),
            Method::SparseNash(1.0),
        ];
        for board in ["5x5", "7x7", "9x9"] {
            for method in methods {
                // A stronger opponent never leaves more.
                let rates = [1, 2, 4, 8, 16].map(|seeds| published.rate(board, method, seeds).unwrap().mean);
                assert!(rates.is_sorted_by(|a, b| a >= b), "{board} {method}: {rates:?}");
            }
        }
        let half = published.rate("9x9", Method::Baseline, 1).unwrap();
        assert_eq!((half.mean, half.standard_error), (0.5, None));
        let sparse = published.rate("5x5", Method::SparseNash(0.75), 8).unwrap();
        assert_eq!(sparse.mean, 20.2 / 100.0);
        assert_eq!(sparse.standard_error, Some(0.6 / 100.0));
        assert_eq!(published.rate("5x5", Method::Uniform, 1), None);
        assert_eq!(published.rate("5x5", Method::Nash, 3), None);
    }

    #[test]
    fn errors_name_the_line() {
        let error = PublishedSeeds::parse("").unwrap_err();
        assert_eq!(error, ParsePublishedSeedsError::Columns { found: String::new() });
        assert_eq!(error_of("5x5,nash,,1,2"), "line 2 has 5 cells, and there are 6 columns");
        assert_eq!(error_of("# so\n5x5,nash,,0,2,"), "line 3: '0' is not a number of seeds");
        assert_eq!(error_of("5x5,nash,,1,101,"), "line 2: '101' is not per cent, from 0 to 100");
        assert_eq!(error_of("5x5,nash,,1,50,NaN"), "line 2: 'NaN' is not per cent, from 0 to 100");
        assert_eq!(error_of("5x5,sparse,,1,50,"), "line 2: '' is not a sparsity, from 0 to 1");
        assert_eq!(
            error_of("5x5,nash,0.5,1,50,"),
            "line 2: '0.5' is not empty, as the sparsity of this method is"
        );
        assert_eq!(
            error_of("5x5,best,,1,50,"),
            "line 2: 'best' is not one of baseline, bestseed, nash and sparse"
        );
        assert_eq!(error_of("5x5,nash,,1,50,\n5x5,nash,,1,51,"), "line 3 has a rate for the second time");
    }
}
