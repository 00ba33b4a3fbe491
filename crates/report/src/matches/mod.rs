//! Matches: who won how many, with intervals, beside what was published.

mod results;
mod tables;

pub use results::{CellResults, GridResults, MatchResults, results};
pub use tables::tables;
