//! Eight games and their misère forms, and two games with hidden stones: Phantom Go
//! and Dark Hex.
//!
//! Each game has one folder: rules, fast playout, text form, and, for tests only, the
//! same rules written slowly and obviously. [`Breakthrough`] and [`Knightthrough`]
//! share [`Race`]; [`Atarigo`] and [`NoGo`] share [`CaptureGame`]. This crate knows
//! no search.

mod atarigo;
mod ataxx;
mod bits;
mod breakthrough;
mod capture;
mod codes;
mod domineering;
mod go;
pub mod goban;
mod grid;
mod hex;
mod knightthrough;
mod misere;
mod nogo;
pub mod perft_files;
mod phantom_go;
mod planes;
mod race;
mod size;

pub use atarigo::{Atarigo, FirstCaptureWins};
pub use ataxx::{Ataxx, AtaxxMove, AtaxxRules};
pub use breakthrough::{Breakthrough, Pawn};
pub use capture::{CaptureGame, CaptureRule};
pub use codes::Codes;
pub use domineering::{Domineering, Domino};
pub use go::{Go, GoMove, GoRules, Superko};
pub use hex::{Hex, HexGuess, HexMove, HexRules, HexView, LargeHex, SmallHex, Swap};
pub use knightthrough::{Knight, Knightthrough};
pub use misere::{MaybeMisere, Wins, misere, without_wins};
pub use nogo::{CapturesAreIllegal, NoGo};
pub use phantom_go::{GoGuess, GoNews, GoView};
pub use race::{Piece, Race, RaceMove};
pub use size::SizeError;
