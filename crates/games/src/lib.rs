//! Eight games and their misère twins.
//!
//! One folder a game: rules, fast playout, text form, and, for tests only, the
//! same rules written slowly and obviously. This crate knows no search.

mod breakthrough;
mod domineering;
mod grid;
mod hex;
mod knightthrough;
mod misere;
pub mod perft_files;
mod race;
mod size;

pub use breakthrough::{Breakthrough, Pawn};
pub use domineering::{Domineering, Domino};
pub use hex::{Hex, HexMove, HexRules, LargeHex, SmallHex, Swap};
pub use knightthrough::{Knight, Knightthrough};
pub use misere::Misere;
pub use race::{Piece, Race, RaceMove};
pub use size::SizeError;
