//! Positions for the kernel `capture.cuh`, which has its own layouts of points.

use tesuji_core::{Encoded, Game};

use super::{CaptureGame, CaptureRule};
use crate::goban::PointSet;

/// The number of words of 32 bits in a set of the kernel's points.
fn n_words(size: usize) -> usize {
    match size {
        ..=7 => 2,
        8 | 9 => 3,
        _ => 4,
    }
}

/// The bit of a point in the kernel's set, counted through all words.
fn place(size: usize, x: usize, y: usize) -> usize {
    match size {
        ..=7 => 8 * y + x,
        8 | 9 if y < 6 => 10 * y + x + 2,
        8 | 9 => 64 + 10 * (8 - y) + x,
        _ if y < 5 => 11 * y + x,
        _ => 64 + 11 * (9 - y) + x,
    }
}

/// The position for the kernel: the stones of the side to move and of the other, the side,
/// whether the game ended by a capture, and the hash of the stones. `None` if the board is
/// larger than 10, or its sets are larger than its size needs: the kernel draws points in the
/// order of the smallest kind.
pub(super) fn encoded<S: PointSet, C: CaptureRule>(game: &CaptureGame<S, C>) -> Option<Encoded> {
    let size = usize::from(game.board.size);
    if S::LARGEST != if size <= 7 { 7 } else { 10 } {
        return None;
    }
    let mut words = Vec::with_capacity(2 * n_words(size) + 4);
    for side in [game.to_move(), !game.to_move()] {
        let mut set = vec![0_u32; n_words(size)];
        for (x, y) in (0..size).flat_map(|y| (0..size).map(move |x| (x, y))) {
            let place = place(size, x, y);
            set[place / 32] |= u32::from(game.board.at(x, y) == Some(side)) << (place % 32);
        }
        words.extend(set);
    }
    let hash = game.board.stones_hash();
    words.extend([game.to_move() as u32, u32::from(game.is_captured), hash as u32, (hash >> 32) as u32]);
    let constants = vec![("SIZE", size as i64), ("CAPTURE_WINS", i64::from(C::CAPTURE_WINS))];
    Some(Encoded { kernel: "capture", constants, words })
}

#[cfg(test)]
mod tests {
    use tesuji_core::Game;

    use crate::goban::{UpTo7, UpTo10, UpTo13};
    use crate::{Atarigo, NoGo};

    #[test]
    fn boards_without_a_kernel_have_no_words() {
        assert!(Atarigo::<UpTo7>::new(7).unwrap().encoded().is_some());
        assert!(NoGo::<UpTo10>::new(10).unwrap().encoded().is_some());
        assert_eq!(NoGo::<UpTo13>::new(11).unwrap().encoded(), None);
        // The order of points in a playout is that of the larger sets.
        assert_eq!(Atarigo::<UpTo10>::new(7).unwrap().encoded(), None);
    }

    #[test]
    fn stones_are_where_the_kernel_looks_for_them() {
        let game = NoGo::<UpTo10>::new(9).unwrap().parse_position("8b/9/9/9/9/9/9/9/w8 w").unwrap();
        let words = game.encoded().unwrap().words;
        // White, to move, on the first point; Black at the end of row 9, the first of the last word.
        assert_eq!(words[..8], [1 << 2, 0, 0, 0, 0, 1 << 8, 1, 0]);
    }
}
