//! Portfolios of seeds: how they fare, how few games they can be learnt from, and what
//! they play (Cazenave, Liu, Teytaud, Teytaud, "Learning opening books in partially
//! observable games: using random seeds in Phantom Go", 2016).
//!
//! Everything here is plain data that someone else measured, and ways to show it. What
//! was published stands in a file of its own, [`PublishedSeeds`], and is asked for when
//! a table is written: data that are kept do not change when a comparison does.
//!
//! | module | what |
//! |---|---|
//! | `published` | Table I of the paper |
//! | `verdict` | when a measured rate agrees with a published one: the one place for that rule |
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
mod verdict;

pub use book::{BookLine, BookTable};
pub use lazy::{LazyLine, LazyPoint, LazyTable};
pub use page::explanation;
pub use published::{ParsePublishedSeedsError, PublishedSeedRate, PublishedSeeds};
pub use seeds::SeedTable;
pub use verdict::SeedVerdict;
