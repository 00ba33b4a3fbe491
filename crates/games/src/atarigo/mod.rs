//! Atarigo, also called the capture game: Go's board, and the first to capture
//! anything wins. Suicide and passing are illegal; a side without a legal move
//! loses.
//!
//! Black moves first. The stones that the last move captures stay on the board,
//! without liberties, so that a finished position shows how it ended.

#[cfg(test)]
mod tests;

use crate::capture::{CaptureGame, CaptureRule};

/// A position of Atarigo. `S` is the kind of point sets that its size needs.
///
/// ```
/// use tesuji_core::{Game, Outcome, Side};
/// use tesuji_games::{Atarigo, goban::UpTo7};
/// let mut game = Atarigo::<UpTo7>::new(7)?;
/// for name in ["b1", "a1", "a2"] {
///     game.play(game.parse_move(name)?)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::Black)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Atarigo<S> = CaptureGame<S, FirstCaptureWins>;

/// The rule of [`Atarigo`] for captures: the first one wins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FirstCaptureWins;

impl CaptureRule for FirstCaptureWins {
    const GAME: &'static str = "Atarigo";
    const CAPTURE_WINS: bool = true;
    const SUICIDE: &'static str = "it is suicide, which is illegal";
}
