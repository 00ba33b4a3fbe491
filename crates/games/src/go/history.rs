//! The boards a game of Go has seen, for superko.

use std::sync::Arc;

use tesuji_core::Side;

use crate::goban::PointSet;
use crate::goban::board::Board;

/// Boards in order, compared exactly; hashes and numbers only say where to look.
///
/// A search copies its root for every simulation, and a game may be hundreds of
/// boards long. So the boards up to the point where copies part are kept once, in
/// a *past* that they share, and each has only those since then to itself. While
/// nobody shares its past, a game adds to that; a copy made by `clone` has all
/// boards in its past, and shares them with its own copies. Copying by
/// `clone_from` allocates nothing once it has been done from the same game before,
/// and touches no counter that other threads touch too.
#[derive(Debug)]
pub(super) struct History<S> {
    past: Arc<Vec<Seen<S>>>,
    /// The boards since.
    own: Vec<Seen<S>>,
    /// A bit for every number of empty points that a board had: a board with
    /// another number was never seen, which settles most questions.
    numbers: [u64; 6],
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Seen<S> {
    hash: u64,
    stones: [S; 2],
    n_stones: [u16; 2],
    to_move: Side,
}

impl<S> History<S> {
    /// All boards, the first one first.
    fn boards(&self) -> impl Iterator<Item = &Seen<S>> {
        self.past.iter().chain(&self.own)
    }
}

/// How the boards are divided is nobody's business.
impl<S: PartialEq> PartialEq for History<S> {
    fn eq(&self, other: &Self) -> bool {
        self.boards().eq(other.boards())
    }
}

impl<S: PointSet> Clone for History<S> {
    fn clone(&self) -> Self {
        let past = match self.own.is_empty() {
            true => Arc::clone(&self.past),
            false => Arc::new(self.boards().copied().collect()),
        };
        History { past, own: Vec::new(), numbers: self.numbers }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.past, &source.past) {
            self.past = Arc::clone(&source.past);
        }
        self.own.clear();
        if !source.own.is_empty() {
            self.own.extend_from_slice(&source.own);
        }
        self.numbers = source.numbers;
    }
}

impl<S: PointSet> History<S> {
    /// A history of one board.
    pub(super) fn new(board: &Board<S>) -> Self {
        let mut history = History { past: Arc::default(), own: Vec::new(), numbers: [0; 6] };
        history.push(board);
        history
    }

    /// Adds a board.
    #[inline]
    pub(super) fn push(&mut self, board: &Board<S>) {
        let n_empty = board.empty().count() as usize;
        self.numbers[n_empty / 64] |= 1 << (n_empty % 64);
        let stones = Side::BOTH.map(|side| board.stones(side));
        let n_stones = stones.map(|set| set.count() as u16);
        let seen = Seen { hash: board.stones_hash(), stones, n_stones, to_move: board.to_move };
        // Asking for the count first spares copies the locked instruction of `get_mut`.
        let may_be_alone = self.own.is_empty() && Arc::strong_count(&self.past) == 1;
        match may_be_alone.then(|| Arc::get_mut(&mut self.past)).flatten() {
            Some(past) => past.push(seen),
            None => self.own.push(seen),
        }
    }

    /// Whether an earlier board had this number of empty points.
    #[inline]
    pub(super) fn has_number(&self, n_empty: u32) -> bool {
        let n_empty = n_empty as usize;
        self.numbers[n_empty / 64] >> (n_empty % 64) & 1 == 1
    }

    /// Whether this board was seen, with this side to move or, if none is given,
    /// with either.
    pub(super) fn contains(&self, board: &Board<S>, to_move: Option<Side>) -> bool {
        let hash = board.stones_hash();
        self.boards().any(|seen| {
            seen.hash == hash
                && seen.stones == Side::BOTH.map(|side| board.stones(side))
                && to_move.is_none_or(|side| side == seen.to_move)
        })
    }

    /// The only points where a stone of the side to move can make a board that was
    /// seen: those where a seen board has one more such stone, and of the other
    /// side's none that are not there now.
    #[inline]
    pub(super) fn suspects(&self, board: &Board<S>) -> S {
        let (me, them) = (board.to_move, !board.to_move);
        let (mine, theirs) = (board.stones(me), board.stones(them));
        let wanted = mine.count() as u16 + 1;
        let mut points = S::none();
        let mut look = |boards: &[Seen<S>]| {
            // The number rules most boards out, and sets decide on the rest.
            for seen in boards.iter().filter(|seen| seen.n_stones[me.index()] == wanted) {
                if mine.is_subset(seen.stones[me.index()]) && seen.stones[them.index()].is_subset(theirs) {
                    points = points.or(seen.stones[me.index()].without(mine));
                }
            }
        };
        look(&self.past);
        look(&self.own);
        points
    }

    /// All boards with the side to move, the first one first.
    pub(super) fn stones(&self) -> impl Iterator<Item = ([S; 2], Side)> {
        self.boards().map(|seen| (seen.stones, seen.to_move))
    }

    /// The history with every board changed, such as by a symmetry.
    pub(super) fn map(&self, mut change: impl FnMut([S; 2], Side) -> Board<S>) -> Self {
        let past = Arc::new(Vec::with_capacity(self.past.len() + self.own.len()));
        let mut history = History { past, own: Vec::new(), numbers: [0; 6] };
        for seen in self.boards() {
            history.push(&change(seen.stones, seen.to_move));
        }
        history
    }
}
