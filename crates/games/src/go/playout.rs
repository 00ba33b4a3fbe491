//! Go playouts: uniform over the legal points that are not own eyes, simple ko.
//!
//! A turn draws from the empty points until one will do; what will not do is
//! left out and another drawn, which is exactly uniform over those that will.
//! Most of the work would be looking at the same hopeless points again and
//! again, so each side remembers two kinds of them:
//!
//! - its own *eyes*, until an enemy stone on a diagonal or a capture next to one
//!   may have spoilt it;
//! - points *barred* to it: surrounded by enemy chains that are *immune*, each
//!   having two of its side's remembered eyes for liberties. Their owner fills no
//!   eye and the enemy may not play in either while the other is there, so such
//!   a chain lives, and stays immune until one of the eyes is spoilt.
//!
//! Both are looked for only when a point was drawn that is surrounded by the
//! enemy and takes nothing, but then for the whole board at once ([`survey`]):
//! where there is one such point there are mostly more.
//!
//! All of it is remembered within a playout only, and none of it changes which
//! moves are legal: only how fast that is found.
//!
//! The sides take turns by exchanging two references, so one compiled turn serves
//! both. What they remember then lives in memory, where most instructions can
//! use it as it is, and the registers are left to the floods.

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
struct Shared<S> {
    /// The points of the board.
    points: S,
    /// Those on its edge.
    edge: S,
    empty: S,
    /// Where simple ko forbids the side to move to play.
    ko: S,
    pool: Pool,
    /// A copy, which can live in registers.
    rng: Rng,
}

impl<S: PointSet> Camp<S> {
    #[inline(always)]
    fn new(stones: S) -> Self {
        Camp { stones, eyes: S::none(), immune: S::none(), excluded: S::none() }
    }
}

impl<S: PointSet> Shared<S> {
    #[inline(always)]
    fn new(board: &Board<S>, ko: S, rng: Rng) -> Self {
        Shared {
            points: board.points,
            edge: board.edge,
            empty: board.empty(),
            ko,
            pool: Pool::default(),
            rng,
        }
    }
}

impl<S: PointSet, R: Record> Kernel for GoPlayout<'_, S, R> {
    type Output = (i32, u32);

    #[inline(always)]
    fn run<I: Isa>(self) -> (i32, u32) {
        let GoPlayout { board, ko, passes, rng, record } = self;
        let first = board.to_move;
        let (mut one, mut other) = (Camp::new(board.stones(first)), Camp::new(board.stones(!first)));
        let mut shared = Shared::new(&board, ko, rng.clone());
        // Simple ko alone lets a playout go round for ever.
        let cap = 3 * u32::from(board.size) * u32::from(board.size);
        let mut left = cap;
        // The plies that were left before the last pass: so a stone need not be
        // written down as no pass.
        let mut left_at_pass = if passes > 0 { cap + 1 } else { 0 };
        if passes < 2 {
            let (mut mine, mut theirs, mut side) = (&mut one, &mut other, first);
            while left > 0 {
                match turn::<S, I>(mine, theirs, &mut shared) {
                    Some(index) => record.push(board.stone_code(side, index)),
                    None => {
                        record.push(board.pass_code(side));
                        if left_at_pass == left + 1 {
                            left -= 1;
                            break;
                        }
                        left_at_pass = left;
                    }
                }
                left -= 1;
                (mine, theirs, side) = (theirs, mine, !side);
            }
        }
        *rng = shared.rng;
        let difference = area_difference(one.stones, other.stones, shared.empty);
        (if first == Side::Black { difference } else { -difference }, cap - left)
    }
}

/// One turn of `mine`: the index of the stone played, or none for a pass.
#[inline(always)]
fn turn<S: PointSet, I: Isa>(
    mine: &mut Camp<S>,
    theirs: &mut Camp<S>,
    shared: &mut Shared<S>,
) -> Option<usize> {
    let mut tried = shared.ko;
    loop {
        let candidates = shared.empty.without(mine.excluded.or(tried));
        let Some(rank) = shared.pool.below(&mut shared.rng, candidates.count()) else {
            shared.ko = S::none();
            return None;
        };
        let (point, index) = candidates.select_point::<I>(rank);
        let neighbours = S::neighbours(index);
        let rest = shared.empty.without(point);
        let enemies = neighbours.and(theirs.stones);
        let in_danger = enemies.without(theirs.immune);
        let mut after = rest;
        let mut ko = S::none();
        if !neighbours.is_disjoint(shared.empty) {
            let reached = rest.spread().and(theirs.stones);
            if !in_danger.is_subset(reached) {
                let dead = take(in_danger, reached, theirs);
                if !dead.is_none() {
                    after = rest.or(dead);
                    forget(dead.spread(), theirs, mine);
                }
            }
        } else {
            tried = tried.or(point);
            let friends = neighbours.and(mine.stones);
            if enemies.is_none() && is_eye(S::diagonals(index), point, theirs.stones, shared.edge) {
                mine.eyes = mine.eyes.or(point);
                mine.excluded = mine.excluded.or(point);
                continue;
            }
            let reached = rest.spread().and(theirs.stones);
            let dead =
                if !in_danger.is_subset(reached) { take(in_danger, reached, theirs) } else { S::none() };
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

/// Takes the chains without liberties, if there are any among those `in_danger`,
/// and returns their stones. `reached` are the stones next to a liberty.
#[inline(always)]
fn take<S: PointSet>(in_danger: S, reached: S, theirs: &mut Camp<S>) -> S {
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

/// Whether a point surrounded by friends is an eye.
#[inline(always)]
fn is_eye<S: PointSet>(diagonals: S, point: S, theirs: S, edge: S) -> bool {
    let bad = diagonals.and(theirs);
    bad.is_none() || (bad.count() == 1 && point.is_disjoint(edge))
}

/// Forgets the eyes among these points, and all that was based on eyes.
#[inline(always)]
fn forget<S: PointSet>(points: S, theirs: &mut Camp<S>, mine: &mut Camp<S>) {
    if !points.is_disjoint(theirs.eyes) {
        theirs.eyes = theirs.eyes.without(points);
        theirs.excluded = theirs.excluded.without(points);
        theirs.immune = S::none();
        mine.excluded = mine.eyes;
    }
}

/// Finds all eyes of `camp`, which of its chains `asked` for are immune, and all
/// points that are barred to the `other` side.
///
/// `point` is empty, and `rest` the other empty points. They are passed because the
/// compiler would do most of this before the first draw of every turn if it could.
#[inline(always)]
fn survey<S: PointSet>(
    asked: S,
    point: S,
    rest: S,
    camp: &mut Camp<S>,
    other: &mut Camp<S>,
    shared: &Shared<S>,
) {
    let empty = rest.or(point);
    let enemies = other.stones.without(point);
    let surrounded = empty.without(empty.or(enemies).spread());
    let eyes = surrounded.without(enemies.spoilt_eyes(shared.edge));
    camp.eyes = camp.eyes.or(eyes);
    camp.excluded = camp.excluded.or(eyes);
    if camp.eyes.count() < 2 {
        return;
    }
    // Stones have been added to the immune chains since.
    camp.immune = flood(camp.immune, camp.stones);
    let mut asked = asked.without(camp.immune);
    while !asked.is_none() {
        let chain = flood(S::single(asked.first()), camp.stones);
        if chain.spread().and(camp.eyes).count() >= 2 {
            camp.immune = camp.immune.or(chain);
        }
        asked = asked.without(chain);
    }
    let barred = empty.without(shared.points.without(camp.immune).spread());
    other.excluded = other.excluded.or(barred);
}

#[cfg(test)]
mod tests {
    use tesuji_core::isa::{Isa, Kernel, dispatch};
    use tesuji_core::{Rng, Seed, Side};

    use super::{Camp, Shared, turn};
    use crate::goban::board::{Board, Effect};
    use crate::goban::stones::flood;
    use crate::goban::{PointSet, UpTo7, UpTo10, UpTo13};

    /// What was remembered in playouts: eyes, barred points, immune stones.
    #[derive(Default)]
    struct Remembered {
        eyes: u32,
        barred: u32,
        immune: u32,
    }

    /// A playout that compares, after every turn, what is remembered with the board.
    struct Watched<'a, S> {
        board: Board<S>,
        rng: Rng,
        remembered: &'a mut Remembered,
    }

    impl<S: PointSet> Kernel for Watched<'_, S> {
        type Output = ();

        fn run<I: Isa>(self) {
            let Watched { board, rng, remembered } = self;
            let (mut black, mut white) = (Camp::new(S::none()), Camp::new(S::none()));
            let mut shared = Shared::new(&board, S::none(), rng);
            let mut passes = 0;
            for _ in 0..100 {
                for side in Side::BOTH {
                    let (mine, theirs) = match side {
                        Side::Black => (&mut black, &mut white),
                        Side::White => (&mut white, &mut black),
                    };
                    passes = if turn::<S, I>(mine, theirs, &mut shared).is_some() { 0 } else { passes + 1 };
                    let stones = [black.stones, white.stones];
                    for (camp, side) in [(&black, Side::Black), (&white, Side::White)] {
                        let board = board.with_stones(stones, side);
                        assert!(shared.empty == board.empty());
                        remembered.check(camp, &board);
                    }
                }
                if passes >= 2 {
                    break;
                }
            }
        }
    }

    impl Remembered {
        fn check<S: PointSet>(&mut self, camp: &Camp<S>, board: &Board<S>) {
            assert!(camp.eyes.is_subset(board.empty()) && camp.eyes.is_subset(camp.excluded));
            camp.eyes.for_each(|index| assert!(board.is_own_eye(index)));
            let barred = camp.excluded.without(camp.eyes).and(board.empty());
            barred.for_each(|index| assert!(board.effect(index) == Effect::Suicide));
            assert!(camp.immune.is_subset(camp.stones));
            camp.immune.for_each(|index| {
                let chain = flood(S::single(index), camp.stones);
                assert!(chain.spread().and(camp.eyes).count() >= 2);
            });
            self.eyes += camp.eyes.count();
            self.barred += barred.count();
            self.immune += camp.immune.count();
        }
    }

    #[test]
    fn what_is_remembered_is_so() {
        fn check<S: PointSet>(size: usize, playouts: u64) {
            let mut remembered = Remembered::default();
            for index in 0..playouts {
                let rng = Seed::new(7).child(index).rng();
                dispatch(Watched { board: Board::<S>::new(size), rng, remembered: &mut remembered });
            }
            let Remembered { eyes, barred, immune } = remembered;
            assert!(eyes > 0 && barred > 0 && immune > 0, "{size}: {eyes} {barred} {immune}");
        }
        check::<UpTo7>(4, 100);
        check::<UpTo7>(5, 100);
        check::<UpTo7>(7, 100);
        check::<UpTo10>(9, 60);
        check::<UpTo10>(10, 20);
        check::<UpTo13>(11, 10);
    }
}
