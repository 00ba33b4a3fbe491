//! Eight games and their misère twins.
//!
//! One folder a game: rules, fast playout, text form, and, for tests only, the
//! same rules written slowly and obviously. This crate knows no search.

mod ataxx;
mod bits;
mod domineering;
mod grid;
mod misere;
mod size;

pub use ataxx::{Ataxx, AtaxxMove, AtaxxRules};
pub use domineering::{Domineering, Domino};
pub use misere::Misere;
pub use size::SizeError;
