//! Random games of stones without passing.
//!
//! Nothing ever leaves the board: a capture ends the game or is illegal. A turn
//! draws empty points until one is legal, which is exactly uniform over the
//! legal points.
//!
//! If captures are illegal, a point once forbidden to a side stays forbidden:
//! the chain that makes it so (one that it would capture, or one that it would
//! leave without liberties) has this point for its only liberty, and can
//! therefore only grow by it. So each side keeps the set of points not yet found
//! forbidden, and a forbidden point is looked at once a playout. If captures
//! win, a point that was suicide may become a capture, and every turn begins
//! with all empty points.

use std::marker::PhantomData;

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Outcome, Playout, Pool, Record, Rng};

use super::CaptureRule;
use crate::goban::PointSet;
use crate::goban::board::Board;
use crate::goban::stones::{all_alive, any_alive};

/// A playout from a board on which nothing is captured yet.
pub(crate) struct RandomStones<'a, S, C, R> {
    pub(super) board: Board<S>,
    pub(super) rng: &'a mut Rng,
    pub(super) record: &'a mut R,
    pub(super) rule: PhantomData<C>,
}

/// One side's stones, and the empty points that may still be legal for it.
struct Camp<S> {
    stones: S,
    candidates: S,
}

/// A stone that a side has played.
struct Stone {
    index: usize,
    /// Whether it captures something, which ends the game.
    captures: bool,
}

impl<S: PointSet, C: CaptureRule, R: Record> Kernel for RandomStones<'_, S, C, R> {
    type Output = Playout;

    #[inline(always)]
    fn run<I: Isa>(self) -> Playout {
        let RandomStones { board, rng, record, .. } = self;
        let mut empty = board.empty();
        let mut pool = Pool::default();
        let camp = |side| Camp { stones: board.stones(side), candidates: empty };
        let (first, second) = (board.to_move, !board.to_move);
        let (mut mine, mut theirs) = (camp(first), camp(second));
        let mut plies = 0;
        let winner = loop {
            let played = play::<S, C, I>(&mut mine, &mut theirs, &mut empty, &mut pool, rng);
            let Some(Stone { index, captures }) = played else { break second };
            record.push(board.stone_code(first, index));
            plies += 1;
            if captures {
                break first;
            }
            let played = play::<S, C, I>(&mut theirs, &mut mine, &mut empty, &mut pool, rng);
            let Some(Stone { index, captures }) = played else { break first };
            record.push(board.stone_code(second, index));
            plies += 1;
            if captures {
                break second;
            }
        };
        Playout { outcome: Outcome::Win(winner), plies }
    }
}

/// Plays one stone of `mine`; `None` if no point is legal.
#[inline(always)]
fn play<S: PointSet, C: CaptureRule, I: Isa>(
    mine: &mut Camp<S>,
    theirs: &mut Camp<S>,
    empty: &mut S,
    pool: &mut Pool,
    rng: &mut Rng,
) -> Option<Stone> {
    if C::CAPTURE_WINS {
        mine.candidates = *empty;
    }
    loop {
        let drawn = pool.below(rng, mine.candidates.count());
        let rank = drawn?;
        let index = mine.candidates.select::<I>(rank);
        let point = S::single(index);
        let neighbours = S::neighbours(index);
        let rest = empty.without(point);
        mine.candidates = mine.candidates.without(point);
        if C::CAPTURE_WINS && !all_alive(neighbours.and(theirs.stones), theirs.stones, rest) {
            return Some(Stone { index, captures: true });
        }
        let lives =
            !neighbours.is_disjoint(rest) || any_alive(neighbours.and(mine.stones), mine.stones, rest);
        if lives && (C::CAPTURE_WINS || all_alive(neighbours.and(theirs.stones), theirs.stones, rest)) {
            mine.stones = mine.stones.or(point);
            theirs.candidates = theirs.candidates.without(point);
            *empty = rest;
            return Some(Stone { index, captures: false });
        }
    }
}
