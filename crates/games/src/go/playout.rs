//! Go playouts.

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Record, Rng, Side};

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
struct Shared<S> {
    points: S,
    edge: S,
    empty: S,
    ko: S,
    rng: Rng,
}

impl<S: PointSet, R: Record> Kernel for GoPlayout<'_, S, R> {
    type Output = (i32, u32);

    #[inline(always)]
    fn run<I: Isa>(self) -> (i32, u32) {
        let GoPlayout { board, ko, passes, rng, record } = self;
        let (first, second) = (board.to_move, !board.to_move);
        let camp = |stones| Camp { stones, eyes: S::none(), immune: S::none(), excluded: S::none() };
        let (mut mine, mut theirs) = (camp(board.stones(first)), camp(board.stones(second)));
        let mut shared =
            Shared { points: board.points, edge: board.edge, empty: board.empty(), ko, rng: rng.clone() };
        // Simple ko alone lets a playout go round for ever.
        let cap = 3 * u32::from(board.size) * u32::from(board.size);
        let mut left = cap;
        let mut passed = passes > 0;
        if passes < 2 {
            let (mut mine, mut theirs) = (&mut mine, &mut theirs);
            let mut side = first;
            let mut bits = 1;
            loop {
                let played = turn::<S, I>(mine, theirs, &mut shared, &mut bits);
                left -= 1;
                if let Some(index) = played {
                    record.push(board.stone_code(side, index));
                    passed = false;
                } else {
                    record.push(board.pass_code(side));
                    if passed {
                        break;
                    }
                    passed = true;
                }
                if left == 0 {
                    break;
                }
                std::mem::swap(&mut mine, &mut theirs);
                side = !side;
            }
        }
        let plies = cap - left;
        *rng = shared.rng;
        let difference = area_difference(mine.stones, theirs.stones, shared.empty);
        (if first == Side::Black { difference } else { -difference }, plies)
    }
}

/// One turn of `mine`: the index of the stone played, or none for a pass.
#[inline(always)]
fn turn<S: PointSet, I: Isa>(
    mine: &mut Camp<S>,
    theirs: &mut Camp<S>,
    shared: &mut Shared<S>,
    bits: &mut u64,
) -> Option<usize> {
    let mut tried = shared.ko;
    loop {
        if *bits == 1 {
            *bits = shared.rng.bits() >> 16 | 1 << 48;
        }
        let short = *bits as u16;
        *bits >>= 16;
        let candidates = shared.empty.without(mine.excluded.or(tried));
        let Some(rank) = shared.rng.below_from_short(short, candidates.count()) else {
            shared.ko = S::none();
            return None;
        };
        let (point, index) = candidates.select_point::<I>(rank);
        let neighbours = S::neighbours(index);
        let rest = shared.empty.without(point);
        let in_danger = neighbours.and(theirs.stones).without(theirs.immune);
        let mut ko = S::none();
        let mut after = rest;
        if !neighbours.is_disjoint(shared.empty) {
            let reached = rest.spread().and(theirs.stones);
            if !in_danger.is_subset(reached) {
                let dead = captured(in_danger, reached, theirs);
                if !dead.is_none() {
                    after = rest.or(dead);
                    forget(dead.spread(), theirs, mine);
                }
            }
        } else {
            tried = tried.or(point);
            let enemies = neighbours.and(theirs.stones);
            let friends = neighbours.and(mine.stones);
            if enemies.is_none() && is_eye(S::diagonals(index), point, theirs.stones, shared.edge) {
                mine.eyes = mine.eyes.or(point);
                mine.excluded = mine.excluded.or(point);
                continue;
            }
            let reached = rest.spread().and(theirs.stones);
            let dead = if !in_danger.is_subset(reached) {
                captured(in_danger, reached, theirs)
            } else {
                S::none()
            };
            if dead.is_none() {
                if friends.is_none() {
                    survey(in_danger, point, rest, theirs, mine, shared);
                    continue;
                }
                if friends.is_disjoint(mine.immune) && !any_alive(friends, mine.stones, rest) {
                    continue;
                }
            } else {
                after = rest.or(dead);
                forget(dead.spread(), theirs, mine);
                if friends.is_none() && dead.count() == 1 {
                    ko = dead;
                }
            }
        }
        shared.ko = ko;
        shared.empty = after;
        mine.stones = mine.stones.or(point);
        forget(S::diagonals(index), theirs, mine);
        return Some(index);
    }
}

#[inline(always)]
fn forget<S: PointSet>(points: S, theirs: &mut Camp<S>, mine: &mut Camp<S>) {
    if !points.is_disjoint(theirs.eyes) {
        theirs.eyes = theirs.eyes.without(points);
        theirs.excluded = theirs.excluded.without(points);
        theirs.immune = S::none();
        mine.excluded = mine.eyes;
    }
}

#[inline(always)]
fn survey<S: PointSet>(asked: S, point: S, rest: S, camp: &mut Camp<S>, other: &mut Camp<S>, shared: &Shared<S>) {
    let empty = rest.or(point);
    let others = other.stones.without(point);
    let hollow = empty.without(empty.or(others).spread());
    let eyes = hollow.without(others.bad_corners(shared.edge));
    camp.eyes = camp.eyes.or(eyes);
    camp.excluded = camp.excluded.or(eyes);
    if camp.eyes.count() >= 2 {
        camp.immune = flood(camp.immune, camp.stones);
        let mut asked = asked.without(camp.immune);
        while !asked.is_none() {
            let chain = flood(S::single(asked.first()), camp.stones);
            if chain.spread().and(camp.eyes).count() >= 2 {
                camp.immune = camp.immune.or(chain);
            }
            asked = asked.without(chain);
        }
        other.excluded = other.excluded.or(empty.without(shared.points.without(camp.immune).spread()));
    }
}

#[inline(always)]
fn is_eye<S: PointSet>(diagonals: S, point: S, theirs: S, edge: S) -> bool {
    let bad = diagonals.and(theirs);
    bad.is_none() || (bad.count() == 1 && point.is_disjoint(edge))
}

#[inline(always)]
fn captured<S: PointSet>(in_danger: S, reached: S, theirs: &mut Camp<S>) -> S {
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
    dead
}
