//! Results of tournaments: one rating list, the results behind it, and the rating list of each game.
//!
//! | module | what |
//! |---|---|
//! | `results` | the results of a tournament, read from a store |
//! | `words` | the schedule, the answer and notes, in sentences |
//! | `tables` | the rating list, the crosstable, the advantages of moving first |
//! | `text` | a tournament on a terminal |
//! | `markup` | a tournament on a page and as Markdown |
//! | `figure` | ratings with their intervals |

mod figure;
mod markup;
mod results;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod words;

pub use figure::figure;
pub(crate) use markup::{html, markdown};
pub use results::planned;
pub(crate) use results::results;
pub use results::{
    AnchorResults, GameAdvantage, QuestionResults, RatedPlayer, RatingList, Score, TournamentResults,
};
pub(crate) use text::{counted, text};
