//! Breakthrough: pawns race to the far row.

#[cfg(test)]
mod tests;

use tesuji_core::{Side, drawing};

use crate::race::{Piece, Race, Step};

/// Breakthrough (Dan Troyka, 2000). Each side has two rows of pawns. A pawn
/// moves one row forward: straight onto an empty square only, diagonally onto
/// an empty square or an enemy, which it captures. The first on the far row
/// wins; a side with no move to play, because it has no pawn, loses.
///
/// White moves first, up the board. Boards are 2 to 8 wide and 4 to 8 high, the
/// least height that has room for both sides. A pawn that has not arrived
/// always has a neighbouring column, so only a side without pawns is ever stuck.
///
/// ```
/// use tesuji_core::Game;
/// use tesuji_games::Breakthrough;
/// let mut game = Breakthrough::default();
/// for text in ["b2-b3", "d7-c6", "b3-b4", "c6-c5", "b4xc5"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// assert_eq!("\n".to_owned() + &game.drawing(), "
///    a b c d e f g h
///  8 ▼ ▼ ▼ ▼ ▼ ▼ ▼ ▼ 8
///  7 ▼ ▼ ▼ · ▼ ▼ ▼ ▼ 7
///  6 · · · · · · · · 6
///  5 · · △ · · · · · 5
///  4 · · · · · · · · 4
///  3 · · · · · · · · 3
///  2 △ · △ △ △ △ △ △ 2
///  1 △ △ △ △ △ △ △ △ 1
///    a b c d e f g h
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Breakthrough = Race<Pawn>;

/// The piece of [`Breakthrough`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pawn;

impl Piece for Pawn {
    const GAME: &'static str = "Breakthrough";

    const STEPS: &'static [Step] = &[
        Step { right: -1, up: 1, captures: true },
        Step { right: 0, up: 1, captures: false },
        Step { right: 1, up: 1, captures: true },
    ];

    const LEAST_HEIGHT: usize = 4;

    fn symbol(side: Side) -> char {
        drawing::pawn(side)
    }
}
