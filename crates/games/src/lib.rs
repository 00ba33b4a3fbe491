//! Eight games and their misère twins.
//!
//! One folder a game: rules, fast playout, text form, and, for tests only, the
//! same rules written slowly and obviously. This crate knows no search.

mod grid;
mod hex;
mod misere;
mod size;

pub use hex::{Hex, HexMove, HexRules, LargeHex, SmallHex, Swap};
pub use misere::Misere;
pub use size::SizeError;
