//! Eight games and their misère twins.
//!
//! One folder a game: rules, fast playout, text form, and, for tests only, the
//! same rules written slowly and obviously. This crate knows no search.

mod atarigo;
mod ataxx;
mod bits;
mod domineering;
mod go;
pub mod goban;
mod grid;
mod misere;
mod nogo;
mod size;

pub use atarigo::Atarigo;
pub use ataxx::{Ataxx, AtaxxMove, AtaxxRules};
pub use domineering::{Domineering, Domino};
pub use go::{Go, GoMove, GoRules, Superko};
pub use misere::Misere;
pub use nogo::NoGo;
pub use size::SizeError;
