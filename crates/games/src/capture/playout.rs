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
use tesuji_core::{Outcome, Playout, Pool, Record, Rng, Side};

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

/// What a side did in its turn.
enum Turn {
    Stone(usize),
    Capture(usize),
    Stuck,
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
        loop {
            let turn = play::<S, C, I>(&mut mine, &mut theirs, &mut empty, &mut pool, rng);
            if let Some(outcome) = finish(&board, turn, first, &mut plies, record) {
                return Playout { outcome, plies };
            }
            let turn = play::<S, C, I>(&mut theirs, &mut mine, &mut empty, &mut pool, rng);
            if let Some(outcome) = finish(&board, turn, second, &mut plies, record) {
                return Playout { outcome, plies };
            }
        }
    }
}

/// Records a turn of `side`; returns the outcome if it ended the game.
#[inline(always)]
fn finish<S: PointSet, R: Record>(
    board: &Board<S>,
    turn: Turn,
    side: Side,
    plies: &mut u32,
    record: &mut R,
) -> Option<Outcome> {
    let (index, outcome) = match turn {
        Turn::Stone(index) => (index, None),
        Turn::Capture(index) => (index, Some(Outcome::Win(side))),
        Turn::Stuck => return Some(Outcome::Win(!side)),
    };
    record.push(board.stone_code(side, index));
    *plies += 1;
    outcome
}

/// Plays one stone of `mine` if any point is legal.
#[inline(always)]
fn play<S: PointSet, C: CaptureRule, I: Isa>(
    mine: &mut Camp<S>,
    theirs: &mut Camp<S>,
    empty: &mut S,
    pool: &mut Pool,
    rng: &mut Rng,
) -> Turn {
    if C::CAPTURE_WINS {
        mine.candidates = *empty;
    }
    loop {
        let drawn = pool.below(rng, mine.candidates.count());
        let Some(rank) = drawn else {
            return Turn::Stuck;
        };
        let index = mine.candidates.select::<I>(rank);
        let point = S::single(index);
        let neighbours = S::neighbours(index);
        let rest = empty.without(point);
        mine.candidates = mine.candidates.without(point);
        let spares_all = || all_alive(neighbours.and(theirs.stones), theirs.stones, rest);
        let lives =
            || !neighbours.is_disjoint(rest) || any_alive(neighbours.and(mine.stones), mine.stones, rest);
        let is_legal = if C::CAPTURE_WINS {
            if !spares_all() {
                return Turn::Capture(index);
            }
            lives()
        } else {
            lives() && spares_all()
        };
        if is_legal {
            mine.stones = mine.stones.or(point);
            theirs.candidates = theirs.candidates.without(point);
            *empty = rest;
            return Turn::Stone(index);
        }
    }
}
