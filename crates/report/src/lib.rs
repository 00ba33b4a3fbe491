//! Statistics as tables, plots and pages. Nothing here plays or measures.
//!
//! - [`Table`]: rows for a terminal and for a page;
//! - [`Screen`]: how wide a terminal is, and whether it has colours;
//! - [`figure`]: plots as SVG, drawn without a library: a [`figure::Figure`] is data and becomes
//!   one file that needs no other;
//! - [`bandit`]: regrets of policies, as a figure and tables;
//! - [`experiment`]: the results of an experiment on bandits;
//! - [`mod@matches`]: the results of an experiment by matches;
//! - [`portfolio`]: how portfolios of seeds fare, how many games they cost, and what they play;
//! - [`mod@tuning`]: the results of a tuning of parameters;
//! - [`search`]: the statistics of one search;
//! - [`BoardPicture`]: one position, drawn;
//! - [`tournament`]: rating lists, crosstables and rating plots;
//! - [`store`]: everything in a store, as text, page, Markdown, CSV and JSON;
//! - [`Reproduction`]: the page that compares all measured numbers with the papers;
//! - [`VerdictCount`]: how many published numbers were confirmed;
//! - [`sgf`]: one game as a file that other programs read;
//! - [`numbers`]: numbers as people read them.
//!
//! Equal input gives equal output, to the byte: pages and plots can be kept
//! next to the code and compared.

pub mod bandit;
mod board;
pub mod experiment;
pub mod figure;
mod html;
pub mod matches;
pub mod numbers;
mod policy_map;
pub mod portfolio;
mod reproduction;
mod screen;
pub mod search;
pub mod sgf;
pub mod store;
mod table;
pub mod tournament;
pub mod training;
pub mod tuning;
mod verdicts;

pub use board::{BoardPicture, Viewer};
pub use reproduction::Reproduction;
pub use screen::{Ink, Screen};
pub use table::Table;
use table::TableCell;
pub use verdicts::VerdictCount;

/// Returns each item once, in the order in which the items first occur.
fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    for item in items {
        if !all.contains(&item) {
            all.push(item);
        }
    }
    all
}
