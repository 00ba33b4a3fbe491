//! NoGo playouts.
//!
//! In NoGo nothing ever leaves the board, so a point once forbidden to a side
//! stays forbidden: the chain that makes it so (one that it would capture, or
//! one that it would leave without liberties) has this point for its only
//! liberty, and can therefore not grow but by it. Each side keeps the set of
//! points not yet found forbidden and draws from it until one is legal: exactly
//! uniform over the legal points, and a forbidden point is looked at once a
//! playout.

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Outcome, Playout, Pool, Record, Rng, Side};

use crate::goban::PointSet;
use crate::goban::board::Board;
use crate::goban::stones::{all_alive, any_alive};

/// A playout from a board.
pub(super) struct NoGoPlayout<'a, S, R> {
    pub(super) board: Board<S>,
    pub(super) rng: &'a mut Rng,
    pub(super) record: &'a mut R,
}

/// One side's stones, and the empty points that may still be legal for it.
struct Camp<S> {
    stones: S,
    candidates: S,
}

impl<S: PointSet, R: Record> Kernel for NoGoPlayout<'_, S, R> {
    type Output = Playout;

    #[inline(always)]
    fn run<I: Isa>(self) -> Playout {
        let NoGoPlayout { board, rng, record } = self;
        let mut empty = board.empty();
        let mut pool = Pool::default();
        let camp = |side| Camp { stones: board.stones(side), candidates: empty };
        let (mut mine, mut theirs) = (camp(board.to_move), camp(!board.to_move));
        let mut plies = 0;
        let loser = loop {
            match turn::<S, I>(&mut mine, &mut theirs, &mut empty, &mut pool, rng) {
                Some(index) => record.push(board.stone_code(board.to_move, index)),
                None => break board.to_move,
            }
            plies += 1;
            match turn::<S, I>(&mut theirs, &mut mine, &mut empty, &mut pool, rng) {
                Some(index) => record.push(board.stone_code(!board.to_move, index)),
                None => break !board.to_move,
            }
            plies += 1;
        };
        Playout { outcome: Outcome::Win(Side::other(loser)), plies }
    }
}

/// Plays one stone of `mine` and gives its index; none if no point is legal.
#[inline(always)]
fn turn<S: PointSet, I: Isa>(
    mine: &mut Camp<S>,
    theirs: &mut Camp<S>,
    empty: &mut S,
    pool: &mut Pool,
    rng: &mut Rng,
) -> Option<usize> {
    loop {
        let drawn = pool.below(rng, mine.candidates.count());
        let rank = drawn?;
        let index = mine.candidates.select::<I>(rank);
        let point = S::single(index);
        let neighbours = S::neighbours(index);
        let rest = empty.without(point);
        mine.candidates = mine.candidates.without(point);
        let lives =
            !neighbours.is_disjoint(rest) || any_alive(neighbours.and(mine.stones), mine.stones, rest);
        if lives && all_alive(neighbours.and(theirs.stones), theirs.stones, rest) {
            mine.stones = mine.stones.or(point);
            theirs.candidates = theirs.candidates.without(point);
            *empty = rest;
            return Some(index);
        }
    }
}
