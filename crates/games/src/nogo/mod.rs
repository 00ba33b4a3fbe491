//! NoGo: Go's board, but capture and suicide are both illegal, and so is
//! passing. A side without a legal move loses. It is a game of its own, not the
//! misère form of Go.
//!
//! Black moves first.

#[cfg(test)]
mod tests;

use crate::capture::{CaptureGame, CaptureRule};

/// A position of NoGo. `S` is the kind of point sets that its size needs.
///
/// ```
/// use tesuji_core::Game;
/// use tesuji_games::{NoGo, goban::UpTo7};
/// let game = NoGo::<UpTo7>::new(5)?.parse_position("5/5/5/1w3/b4 b")?;
/// assert_eq!(game.drawing(), "   \
///    a b c d e
///  5 · · · · · 5
///  4 · · · · · 4
///  3 · · · · · 3
///  2 · ○ · · · 2
///  1 ● · · · · 1
///    a b c d e
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type NoGo<S> = CaptureGame<S, CapturesAreIllegal>;

/// The rule of [`NoGo`] for captures: they are illegal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CapturesAreIllegal;

impl CaptureRule for CapturesAreIllegal {
    const GAME: &'static str = "NoGo";
    const CAPTURE_WINS: bool = false;
    const SUICIDE: &'static str = "it is suicide, which NoGo forbids";
}
