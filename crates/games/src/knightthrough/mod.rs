//! Knightthrough: knights race to the far row.

#[cfg(test)]
mod tests;

use tesuji_core::{Side, drawing};

use crate::race::{Piece, Race, Step};

/// Knightthrough: [`Breakthrough`](crate::Breakthrough) with knights, which
/// have the four forward moves of a chess knight, each onto an empty square or
/// an enemy. The first on the far row wins; a side with no move to play loses.
///
/// White moves first, up the board. Boards are 2 to 8 wide and 5 to 8 high: on
/// four rows White would arrive with its first move. On boards narrower than
/// four, a knight one row short of its goal can be stuck.
///
/// ```
/// use tesuji_core::Game;
/// use tesuji_games::Knightthrough;
/// let mut game = Knightthrough::default();
/// for text in ["b2-c4", "d7-b6", "c4xb6"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// assert_eq!("\n".to_owned() + &game.drawing(), "
///    a b c d e f g h
///  8 ♞ ♞ ♞ ♞ ♞ ♞ ♞ ♞ 8
///  7 ♞ ♞ ♞ · ♞ ♞ ♞ ♞ 7
///  6 · ♘ · · · · · · 6
///  5 · · · · · · · · 5
///  4 · · · · · · · · 4
///  3 · · · · · · · · 3
///  2 ♘ · ♘ ♘ ♘ ♘ ♘ ♘ 2
///  1 ♘ ♘ ♘ ♘ ♘ ♘ ♘ ♘ 1
///    a b c d e f g h
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Knightthrough = Race<Knight>;

/// What races in [`Knightthrough`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Knight;

impl Piece for Knight {
    const GAME: &'static str = "Knightthrough";

    const STEPS: &'static [Step] = &[
        Step { right: -2, up: 1, captures: true },
        Step { right: 2, up: 1, captures: true },
        Step { right: -1, up: 2, captures: true },
        Step { right: 1, up: 2, captures: true },
    ];

    const LEAST_HEIGHT: usize = 5;

    fn symbol(side: Side) -> char {
        drawing::knight(side)
    }
}
