//! The boards a game of Go has seen, for superko.

use tesuji_core::Side;

use crate::goban::PointSet;
use crate::goban::board::Board;

/// Boards in order, compared exactly; hashes only say where to look.
///
/// Cloning into an existing history reuses its memory, so that a search that
/// starts each simulation from a copy of the root allocates nothing.
#[derive(Debug, PartialEq)]
pub(super) struct History<S> {
    boards: Vec<Seen<S>>,
    /// A bit for every number of empty points that a board had: a board with
    /// another number was never seen, which settles most questions.
    numbers: [u64; 6],
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Seen<S> {
    hash: u64,
    stones: [S; 2],
    to_move: Side,
}

impl<S: PointSet> Clone for History<S> {
    fn clone(&self) -> Self {
        History { boards: self.boards.clone(), numbers: self.numbers }
    }

    fn clone_from(&mut self, source: &Self) {
        self.boards.clone_from(&source.boards);
        self.numbers = source.numbers;
    }
}

impl<S: PointSet> History<S> {
    /// A history of one board.
    pub(super) fn new(board: &Board<S>) -> Self {
        let mut history = History { boards: Vec::new(), numbers: [0; 6] };
        history.push(board);
        history
    }

    /// Adds a board.
    pub(super) fn push(&mut self, board: &Board<S>) {
        let n_empty = board.empty().count() as usize;
        self.numbers[n_empty / 64] |= 1 << (n_empty % 64);
        let stones = Side::BOTH.map(|side| board.stones(side));
        self.boards.push(Seen { hash: board.stones_hash(), stones, to_move: board.to_move });
    }

    /// Whether a board with so many empty points was seen.
    #[inline]
    pub(super) fn has_number(&self, n_empty: u32) -> bool {
        let n_empty = n_empty as usize;
        self.numbers[n_empty / 64] >> (n_empty % 64) & 1 == 1
    }

    /// Whether this board was seen, with this side to move or, if none is given,
    /// with either.
    pub(super) fn contains(&self, board: &Board<S>, to_move: Option<Side>) -> bool {
        let hash = board.stones_hash();
        self.boards.iter().any(|seen| {
            seen.hash == hash
                && seen.stones == Side::BOTH.map(|side| board.stones(side))
                && to_move.is_none_or(|side| side == seen.to_move)
        })
    }

    /// The history with every board changed, such as by a symmetry.
    pub(super) fn map(&self, mut change: impl FnMut([S; 2], Side) -> Board<S>) -> Self {
        let mut history = History { boards: Vec::with_capacity(self.boards.len()), numbers: [0; 6] };
        for seen in &self.boards {
            history.push(&change(seen.stones, seen.to_move));
        }
        history
    }
}
