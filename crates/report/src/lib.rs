//! Statistics as tables, plots and pages. Nothing here plays or measures.
//!
//! - [`Table`]: rows for a terminal and for a page;
//! - [`figure`]: plots as SVG, without any library for them: a [`figure::Figure`]
//!   is data, and says how it looks in one file that needs no other;
//! - [`bandit`]: regrets of policies, as a figure and a table;
//! - [`experiment`]: what an experiment on bandits found, as a figure and a table;
//! - [`mod@matches`]: what an experiment by matches found;
//! - [`portfolio`]: how portfolios of seeds fare, what they cost, and what they play;
//! - [`store`]: everything that a store has, as text, page, Markdown, CSV and JSON;
//! - [`html`]: the page around all that;
//! - [`sgf`]: one game as a file that other programs read;
//! - [`numbers`]: numbers as people read them.
//!
//! Equal input gives equal output, to the byte: pages and plots can be kept
//! beside the code and compared.

pub mod bandit;
pub mod experiment;
pub mod figure;
pub mod html;
pub mod matches;
pub mod numbers;
pub mod portfolio;
pub mod search;
pub mod sgf;
pub mod store;
mod table;

pub use table::Table;
