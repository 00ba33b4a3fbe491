//! Go playouts: uniform over the legal points that are not own eyes, simple ko.
//!
//! A turn draws from the empty points until one will do; what will not do is
//! left out and another drawn, which is exactly uniform over those that will.
//! Most of the work would be looking at the same hopeless points again and
//! again, so each side remembers two kinds of them:
//!
//! - its own *eyes*, until an enemy stone on a diagonal or a capture beside one
//!   may have spoilt it;
//! - points *barred* to it: surrounded by enemy chains that are *immune*, each
//!   having two of its side's remembered eyes for liberties. Their owner fills no
//!   eye and the enemy may not play in either while the other is there, so such
//!   a chain lives, and stays immune until one of the eyes is spoilt.
//!
//! All of it is remembered within a playout only, and none of it changes which
//! moves are legal: only how fast that is found.

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Pool, Record, Rng, Side};

use crate::goban::PointSet;
use crate::goban::board::Board;
use crate::goban::stones::{any_alive, area_difference, flood};

/// A playout from a board. Gives Black's area less White's, and the plies.
pub(super) struct GoPlayout<'a, S, R> {
    pub(super) board: Board<S>,
    pub(super) ko: S,
    pub(super) passes: u8,
    pub(super) rng: &'a mut Rng,
    pub(super) record: &'a mut R,
}

/// A side's stones and what it remembers.
struct Camp<S> {
    stones: S,
    /// Own eyes found so far.
    eyes: S,
    /// Stones of own chains that have two of the eyes for liberties.
    immune: S,
    /// Points not to try: the eyes, and those barred.
    excluded: S,
}

/// What both sides share.
struct Shared<'a, S> {
    empty: S,
    edge: S,
    ko: S,
    pool: Pool,
    rng: &'a mut Rng,
}

impl<S: PointSet, R: Record> Kernel for GoPlayout<'_, S, R> {
    type Output = (i32, u32);

    #[inline(always)]
    fn run<I: Isa>(self) -> (i32, u32) {
        let GoPlayout { board, ko, passes, rng, record } = self;
        let (first, second) = (board.to_move, !board.to_move);
        let camp = |stones| Camp { stones, eyes: S::none(), immune: S::none(), excluded: S::none() };
        let (mut mine, mut theirs) = (camp(board.stones(first)), camp(board.stones(second)));
        let mut shared = Shared { empty: board.empty(), edge: board.edge, ko, pool: Pool::default(), rng };
        // Simple ko alone lets a playout go round for ever.
        let cap = 3 * u32::from(board.size) * u32::from(board.size);
        let mut plies = 0;
        let mut passed = passes > 0;
        if passes < 2 {
            loop {
                let stone = turn::<S, I>(&mut mine, &mut theirs, &mut shared);
                record.push(stone.map_or(board.pass_code(first), |index| board.stone_code(first, index)));
                plies += 1;
                if (stone.is_none() && passed) || plies == cap {
                    break;
                }
                let reply = turn::<S, I>(&mut theirs, &mut mine, &mut shared);
                record.push(reply.map_or(board.pass_code(second), |index| board.stone_code(second, index)));
                plies += 1;
                if (reply.is_none() && stone.is_none()) || plies == cap {
                    break;
                }
                passed = reply.is_none();
            }
        }
        let difference = area_difference(mine.stones, theirs.stones, shared.empty);
        (if first == Side::Black { difference } else { -difference }, plies)
    }
}

/// One turn of `mine`: the index of the stone played, or none for a pass.
#[inline(always)]
fn turn<S: PointSet, I: Isa>(
    mine: &mut Camp<S>,
    theirs: &mut Camp<S>,
    shared: &mut Shared<'_, S>,
) -> Option<usize> {
    let mut candidates = shared.empty.without(mine.excluded).without(shared.ko);
    loop {
        let drawn = shared.pool.below(shared.rng, candidates.count());
        let Some(rank) = drawn else {
            shared.ko = S::none();
            return None;
        };
        let index = candidates.select::<I>(rank);
        let point = S::single(index);
        let neighbours = S::neighbours(index);
        let rest = shared.empty.without(point);
        if !neighbours.is_disjoint(shared.empty) {
            shared.ko = S::none();
            shared.empty = rest;
            let in_danger = neighbours.and(theirs.stones).without(theirs.immune);
            let reached = rest.spread().and(theirs.stones);
            if !in_danger.is_subset(reached) {
                shared.empty = rest.or(captured(in_danger, reached, theirs, mine));
            }
        } else {
            let enemies = neighbours.and(theirs.stones);
            if enemies.is_none() {
                let bad = S::diagonals(index).and(theirs.stones);
                if bad.is_none() || (bad.count() == 1 && point.is_disjoint(shared.edge)) {
                    mine.eyes = mine.eyes.or(point);
                    mine.excluded = mine.excluded.or(point);
                    candidates = candidates.without(point);
                    continue;
                }
            }
            let in_danger = enemies.without(theirs.immune);
            let reached = rest.spread().and(theirs.stones);
            let dead = if !in_danger.is_subset(reached) {
                captured(in_danger, reached, theirs, mine)
            } else {
                S::none()
            };
            let friends = neighbours.and(mine.stones);
            if dead.is_none() {
                if friends.is_none() {
                    if !in_danger.is_none() {
                        learn(in_danger, theirs);
                    }
                    if enemies.is_subset(theirs.immune) {
                        mine.excluded = mine.excluded.or(point);
                    }
                    candidates = candidates.without(point);
                    continue;
                }
                if friends.is_disjoint(mine.immune) && !any_alive(friends, mine.stones, rest) {
                    candidates = candidates.without(point);
                    continue;
                }
                shared.ko = S::none();
                shared.empty = rest;
            } else {
                shared.empty = rest.or(dead);
                shared.ko = if friends.is_none() && dead.count() == 1 { dead } else { S::none() };
            }
        }
        mine.stones = mine.stones.or(point);
        let diagonals = S::diagonals(index);
        if !diagonals.is_disjoint(theirs.eyes) {
            forget(diagonals, theirs, mine);
        }
        return Some(index);
    }
}

#[inline(always)]
fn forget<S: PointSet>(points: S, theirs: &mut Camp<S>, mine: &mut Camp<S>) {
    theirs.eyes = theirs.eyes.without(points);
    theirs.excluded = theirs.excluded.without(points);
    theirs.immune = S::none();
    mine.excluded = mine.eyes;
}

#[inline(always)]
fn captured<S: PointSet>(in_danger: S, reached: S, theirs: &mut Camp<S>, mine: &mut Camp<S>) -> S {
    let mut reached = reached;
    loop {
        let more = reached.spread().and(theirs.stones);
        if more.is_subset(reached) {
            break;
        }
        reached = reached.or(more);
        if in_danger.is_subset(reached) {
            return S::none();
        }
    }
    let dead = theirs.stones.without(reached);
    theirs.stones = reached;
    let around = dead.spread();
    if !around.is_disjoint(theirs.eyes) {
        forget(around, theirs, mine);
    }
    dead
}

#[inline(always)]
fn learn<S: PointSet>(asked: S, camp: &mut Camp<S>) {
    if camp.eyes.count() < 2 {
        return;
    }
    let mut asked = asked;
    while !asked.is_none() {
        let index = asked.first();
        let chain = flood(S::single(index), camp.stones);
        if chain.spread().and(camp.eyes).count() >= 2 {
            camp.immune = camp.immune.or(chain);
        }
        asked = asked.without(chain);
    }
}
