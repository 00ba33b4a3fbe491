//! Results of matches: win rates with intervals, next to what was published.
//!
//! | module | what |
//! |---|---|
//! | `results` | the results of an experiment, read from a store |
//! | `pivot` | a table as papers print it, rows against columns |
//! | `tables` | a table with one row for each cell |
//! | `verdicts` | how a whole table agrees with the published one, in sentences |
//! | `figure` | rates with their intervals over the columns |
//! | `block` | one match in the form of match programs |

mod block;
mod figure;
mod pivot;
mod results;
mod tables;
#[cfg(test)]
mod tests;
mod verdicts;

pub use block::block;
pub(crate) use figure::figure;
pub(crate) use pivot::Pivot;
pub use results::{CellResults, GridResults, MatchResults, results, results_of_first};
pub(crate) use results::{
    cell_of_no_file, is_external, known, percent, percent_range, percent_with_interval,
};
pub use tables::text;
pub(crate) use tables::{brief, full, open_words, scores};
pub use verdicts::in_flight;
pub(crate) use verdicts::{disagreements, verdicts};
