//! Matches: who won how many, with intervals, beside what was published.

mod block;
mod results;
mod tables;

pub use block::block;
pub use results::{CellResults, GridResults, MatchResults, results};
pub use tables::tables;
