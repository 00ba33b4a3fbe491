//! Atarigo playouts: they end with the first capture, so nothing ever leaves
//! the board and suicide is all that has to be refused.

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Outcome, Playout, Pool, Record, Rng, Side};

use crate::goban::PointSet;
use crate::goban::board::Board;
use crate::goban::stones::{all_alive, any_alive};

/// A playout from a board on which nothing is captured yet.
pub(super) struct AtarigoPlayout<'a, S, R> {
    pub(super) board: Board<S>,
    pub(super) rng: &'a mut Rng,
    pub(super) record: &'a mut R,
}

/// What a turn came to.
enum Turn {
    Stone(usize),
    Capture(usize),
    Stuck,
}

impl<S: PointSet, R: Record> Kernel for AtarigoPlayout<'_, S, R> {
    type Output = Playout;

    #[inline(always)]
    fn run<I: Isa>(self) -> Playout {
        let AtarigoPlayout { board, rng, record } = self;
        let mut empty = board.empty();
        let mut pool = Pool::default();
        let (first, second) = (board.to_move, !board.to_move);
        let (mut mine, mut theirs) = (board.stones(first), board.stones(second));
        let mut plies = 0;
        loop {
            let turn = play::<S, I>(&mut mine, theirs, &mut empty, &mut pool, rng);
            if let Some(outcome) = finish(&board, turn, first, &mut plies, record) {
                return Playout { outcome, plies };
            }
            let turn = play::<S, I>(&mut theirs, mine, &mut empty, &mut pool, rng);
            if let Some(outcome) = finish(&board, turn, second, &mut plies, record) {
                return Playout { outcome, plies };
            }
        }
    }
}

/// Records a turn of `side`; gives the outcome if it ended the game.
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

#[inline(always)]
fn play<S: PointSet, I: Isa>(mine: &mut S, theirs: S, empty: &mut S, pool: &mut Pool, rng: &mut Rng) -> Turn {
    let mut candidates = *empty;
    loop {
        let drawn = pool.below(rng, candidates.count());
        let Some(rank) = drawn else {
            return Turn::Stuck;
        };
        let index = candidates.select::<I>(rank);
        let point = S::single(index);
        let neighbours = S::neighbours(index);
        let rest = empty.without(point);
        if !all_alive(neighbours.and(theirs), theirs, rest) {
            return Turn::Capture(index);
        }
        if !neighbours.is_disjoint(rest) || any_alive(neighbours.and(*mine), *mine, rest) {
            *mine = mine.or(point);
            *empty = rest;
            return Turn::Stone(index);
        }
        candidates = candidates.without(point);
    }
}
