//! Matches: who won how many, with intervals, beside what was published.
//!
//! | module | what |
//! |---|---|
//! | `results` | what a store has of an experiment, as data |
//! | `pivot` | a table as papers print it, rows against columns |
//! | `tables` | the same with a row a cell, and everything that is known of it |
//! | `verdicts` | how a whole table agrees with the published one, in a sentence |
//! | `figure` | rates with their intervals over the columns |
//! | `block` | one match as match programs print it |

mod block;
mod figure;
mod pivot;
mod results;
mod tables;
#[cfg(test)]
mod tests;
mod verdicts;

pub use block::block;
pub use figure::figure;
pub use pivot::Pivot;
pub use results::{CellResults, GridResults, MatchResults, results, results_of_first};
pub(crate) use results::{other_cell, percent};
pub(crate) use tables::scores;
pub use tables::{brief, full, tables, text};
pub use verdicts::{cell_verdict, disagreements, verdicts};
