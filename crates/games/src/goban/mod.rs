//! What Go, Atarigo and NoGo share: the board, its chains and liberties.
//!
//! The games are generic over the kind of point sets that their size needs:
//! [`UpTo7`], [`UpTo10`], [`UpTo13`] or [`UpTo19`]. The smallest kind that fits is
//! the fastest.

pub(crate) mod around;
pub(crate) mod board;
pub(crate) mod chains;
mod folded;
pub(crate) mod network;
mod pair;
mod points;
#[cfg(test)]
pub(crate) mod reference;
mod rows;
#[cfg(test)]
pub(crate) mod shared_tests;
pub(crate) mod stones;
#[cfg(test)]
mod tests;

use tesuji_core::{Game, ParseMoveError, parse_legal_move};

pub use board::Vertex;
pub use folded::{Folded, UpTo10};
pub use pair::{Pair, Plain};
pub use points::{PointSet, UpTo7};
pub use rows::{UpTo13, UpTo19};

use board::Board;

/// Reads the name of a point where a stone may be played. `forbidden` says why
/// an empty point is not legal while the game goes on.
pub(crate) fn parse_stone<G: Game<Move = Vertex>, S: PointSet>(
    game: &G,
    board: &Board<S>,
    text: &str,
    forbidden: impl Fn(usize) -> &'static str,
) -> Result<Vertex, ParseMoveError> {
    let vertex = board.named(text.trim());
    match vertex {
        Some(vertex) if game.is_legal(vertex) => Ok(vertex),
        Some(vertex) if game.outcome().is_none() => {
            let index = S::index(vertex.x as usize, vertex.y as usize);
            let reason = if board.empty().contains(index) { forbidden(index) } else { "there is a stone" };
            Err(ParseMoveError::new(text, reason))
        }
        _ => parse_legal_move(game, text),
    }
}

/// A set of points as the kernels of devices have them (`crates/gpu/kernels/goban.cuh`): row by
/// row from the bottom, with a bit between rows; `None` on boards larger than 10x10.
pub(crate) fn set_as_words<S: PointSet>(set: S, size: usize) -> Option<Vec<u32>> {
    let (stride, n_words) = match size {
        ..=7 => (8, 2),
        8..=9 => (10, 3),
        10 => (11, 4),
        _ => return None,
    };
    let mut words = vec![0; n_words];
    set.for_each(|index| {
        let (x, y) = S::column_and_row(index);
        let bit = y * stride + x;
        words[bit / 32] |= 1 << (bit % 32);
    });
    Some(words)
}
