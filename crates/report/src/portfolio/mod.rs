//! Portfolios of seeds: how they fare, how few games they can be learnt from, and what
//! they play (Cazenave, Liu, Teytaud, Teytaud, "Learning opening books in partially
//! observable games: using random seeds in Phantom Go", 2016).
//!
//! Everything here is plain data that was measured elsewhere, and ways to show it. The published
//! rates are in a file of their own, [`PublishedSeeds`], which is needed only when a table is
//! written: stored data do not change if a comparison does.
//!
//! | module | what |
//! |---|---|
//! | `published` | Table I of the paper |
//! | `seeds` | [`SeedTable`]: our Table I, as text |
//! | `curves` | its Figures 1 and 2 |
//! | `page` | all of it for a page, with an explanation |
//! | `lazy` | [`LazyTable`]: how many games an equilibrium takes |
//! | `book` | [`BookTable`]: what a portfolio plays |

mod book;
mod curves;
mod lazy;
mod page;
mod published;
mod seeds;
#[cfg(test)]
mod tests;

pub use book::{BookLine, BookTable};
pub use lazy::{LazyLine, LazyPoint, LazyTable};
pub(crate) use page::explanation;
pub use page::{MatrixResults, html_page};
pub use published::{ParsePublishedSeedsError, PublishedSeedRate, PublishedSeeds};
pub use seeds::{SeedTable, gap_words};
