//! Results of matches: win rates with intervals, next to what was published.
//!
//! | module | what |
//! |---|---|
//! | `results` | the results of an experiment, read from a store |
//! | `pivot` | a table as papers print it, rows against columns |
//! | `tables` | a table with one row for each cell |
//! | `verdicts` | how a whole table and its rows agree with the published one |
//! | `figure` | rates with their intervals over the columns |
//! | `overview` | a whole table in one picture: a small panel for each row |
//! | `block` | one match in the form of match programs |

mod block;
mod figure;
mod overview;
mod pivot;
mod results;
mod tables;
#[cfg(test)]
mod tests;
mod verdicts;

pub use block::block;
pub(crate) use figure::figure;
pub(crate) use pivot::Pivot;
pub use results::{CellResults, GridResults, MatchResults, RowVerdicts, results, results_of_first};
pub(crate) use results::{
    cell_of_no_file, is_external, known, percent, percent_range, percent_with_interval,
};
pub use tables::text;
pub(crate) use tables::{brief, full, open_words, scores};
pub use verdicts::in_flight;
pub(crate) use verdicts::{by_row, chi_square_note, chi_square_words, disagreements, verdicts};
