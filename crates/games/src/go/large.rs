//! Go playouts on the larger boards: the same rules and the same distribution
//! as in [`playout`](super::playout), with chains kept up to date stone by stone.
//!
//! Each side has a list of its *candidates*: the empty points it may still want to
//! play on. A turn draws from the list until a point will do; what will not do now
//! is set aside for the rest of the turn and another drawn, which is exactly
//! uniform over those that will. Own eyes leave the list until an enemy stone
//! on a diagonal or a capture beside one may have spoilt it: meanwhile their
//! points are marked.
//!
//! Array accesses are unchecked here too. They are sound because the lists hold
//! points of the board only, each at most once, so that a list is never longer
//! than the board has points; ranks are below the length of their list.

#![allow(unsafe_code)]

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Pool, Record, Rng, Side};

use crate::goban::PointSet;
use crate::goban::board::Board;
use crate::goban::chains::{Chains, Event, Index};
use crate::goban::stones::area_difference;

/// A playout from a board. Gives Black's area less White's, and the plies.
pub(super) struct LargePlayout<'a, S, R, const STRIDE: usize, const ENTRIES: usize> {
    pub(super) board: &'a Board<S>,
    pub(super) ko: S,
    pub(super) passes: u8,
    pub(super) rng: &'a mut Rng,
    pub(super) record: &'a mut R,
}

/// A side's candidates, in no order.
#[derive(Clone)]
struct Candidates<const ENTRIES: usize> {
    points: [u16; ENTRIES],
    /// By point: its rank in the list, or `ABSENT`.
    ranks: [u16; ENTRIES],
    len: usize,
}

const ABSENT: u16 = u16::MAX;

impl<const ENTRIES: usize> Candidates<ENTRIES> {
    const NONE: Self = Candidates { points: [0; ENTRIES], ranks: [ABSENT; ENTRIES], len: 0 };

    #[inline(always)]
    fn point(&self, rank: usize) -> Index {
        debug_assert!(rank < self.len);
        // SAFETY: see the module's head.
        unsafe { *self.points.get_unchecked(rank) as Index }
    }

    #[inline(always)]
    fn rank(&self, point: Index) -> u16 {
        debug_assert!(point < ENTRIES);
        // SAFETY: see the module's head.
        unsafe { *self.ranks.get_unchecked(point) }
    }

    #[inline(always)]
    fn set_rank(&mut self, point: Index, rank: u16) {
        debug_assert!(point < ENTRIES);
        // SAFETY: see the module's head.
        unsafe { *self.ranks.get_unchecked_mut(point) = rank };
    }

    #[inline(always)]
    fn set(&mut self, rank: usize, point: Index) {
        debug_assert!(rank < ENTRIES);
        // SAFETY: see the module's head.
        unsafe { *self.points.get_unchecked_mut(rank) = point as u16 };
        self.set_rank(point, rank as u16);
    }

    #[inline(always)]
    fn push(&mut self, point: Index) {
        self.set(self.len, point);
        self.len += 1;
    }

    #[inline(always)]
    fn push_if_absent(&mut self, point: Index) {
        if self.rank(point) == ABSENT {
            self.push(point);
        }
    }

    /// Takes the point with this rank off the list; its own rank is left to the caller.
    #[inline(always)]
    fn remove(&mut self, rank: usize) {
        self.len -= 1;
        // SAFETY: see the module's head. The last point may be the one removed.
        let last = unsafe { *self.points.get_unchecked(self.len) as Index };
        self.set(rank, last);
    }

    /// Takes the point with this rank, one of the first `left`, off the list, so that
    /// the others of these are now the first.
    #[inline(always)]
    fn exclude(&mut self, rank: usize, left: usize) {
        self.swap(rank, left - 1);
        let point = self.point(left - 1);
        self.remove(left - 1);
        self.set_rank(point, ABSENT);
    }

    #[inline(always)]
    fn swap(&mut self, one: usize, other: usize) {
        let (point, other_point) = (self.point(one), self.point(other));
        self.set(one, other_point);
        self.set(other, point);
    }
}

/// The state of a playout. Side 0 is the one that moves first.
struct State<const STRIDE: usize, const ENTRIES: usize> {
    chains: Chains<STRIDE, ENTRIES>,
    candidates: [Candidates<ENTRIES>; 2],
    /// The point that simple ko forbids, or 0.
    ko: Index,
}

impl<S: PointSet, R: Record, const STRIDE: usize, const ENTRIES: usize> Kernel
    for LargePlayout<'_, S, R, STRIDE, ENTRIES>
{
    type Output = (i32, u32);

    #[inline(always)]
    fn run<I: Isa>(self) -> (i32, u32) {
        let LargePlayout { board, ko, passes, rng, record } = self;
        let (first, second) = (board.to_move, !board.to_move);
        let sign = if first == Side::Black { 1 } else { -1 };
        if passes == 2 {
            let difference = area_difference(board.stones(first), board.stones(second), board.empty());
            return (sign * difference, 0);
        }
        let size = board.size as usize;
        let code = |side, point| {
            let (x, y) = Chains::<STRIDE, ENTRIES>::column_and_row(point);
            board.stone_code(side, S::index(x, y))
        };
        let mut state = State::<STRIDE, ENTRIES>::NEW;
        state.set_up(board, ko);
        let mut generator = rng.clone();
        let mut pool = Pool::default();
        // Simple ko alone lets a playout go round for ever.
        let cap = 3 * (size * size) as u32;
        let mut plies = 0;
        let mut passed = passes > 0;
        let ended = loop {
            let stone = state.turn::<0, 1>(&mut generator, &mut pool);
            record.push(stone.map_or(board.pass_code(first), |point| code(first, point)));
            plies += 1;
            if stone.is_none() && passed {
                break true;
            }
            if plies == cap {
                break false;
            }
            let reply = state.turn::<1, 0>(&mut generator, &mut pool);
            record.push(reply.map_or(board.pass_code(second), |point| code(second, point)));
            plies += 1;
            if reply.is_none() && stone.is_none() {
                break true;
            }
            if plies == cap {
                break false;
            }
            passed = reply.is_none();
        };
        *rng = generator;
        let difference = if ended {
            // Nobody passes while an empty point has an empty point beside it.
            state.chains.area_of_full_board()
        } else {
            state.area::<S>(board)
        };
        (sign * difference, plies)
    }
}

impl<const STRIDE: usize, const ENTRIES: usize> State<STRIDE, ENTRIES> {
    const NEW: Self = State { chains: Chains::NEW, candidates: [const { Candidates::NONE }; 2], ko: 0 };

    #[inline(always)]
    fn set_up<S: PointSet>(&mut self, board: &Board<S>, ko: S) {
        let size = board.size as usize;
        self.chains.set_up(size, [board.stones(board.to_move), board.stones(!board.to_move)]);
        let [mine, theirs] = &mut self.candidates;
        Chains::<STRIDE, ENTRIES>::for_each(size, board.empty(), |point| mine.push(point));
        theirs.clone_from(mine);
        Chains::<STRIDE, ENTRIES>::for_each(size, ko, |point| self.ko = point);
    }

    /// The area of side 0 less that of side 1.
    #[cold]
    fn area<S: PointSet>(&self, board: &Board<S>) -> i32 {
        let [mine, theirs] = self.chains.stones::<S>(board.size as usize);
        area_difference(mine, theirs, board.points.without(mine).without(theirs))
    }

    /// One turn of `ME`: the stone played, or none for a pass.
    #[inline(always)]
    fn turn<const ME: usize, const THEM: usize>(&mut self, rng: &mut Rng, pool: &mut Pool) -> Option<Index> {
        let State { chains, candidates, ko } = self;
        let mut left = candidates[ME].len;
        loop {
            let Some(rank) = pool.below(rng, left as u32) else {
                *ko = 0;
                return None;
            };
            let rank = rank as usize;
            let point = candidates[ME].point(rank);
            let around = chains.around(point);
            let last_taken;
            if around.is_full() {
                if !around.has_stones::<THEM>() && Self::is_eye::<THEM>(chains, point) {
                    candidates[ME].exclude(rank, left);
                    chains.mark(point);
                    left -= 1;
                    continue;
                }
                last_taken = point != *ko && chains.take(point);
                if last_taken {
                    Self::release(chains, candidates, point);
                }
                let legal = match last_taken {
                    true => chains.captures_or_joins::<ME>(point),
                    false => point != *ko && around.has_stones::<ME>(),
                };
                if !legal {
                    if point != *ko {
                        chains.give_back(point);
                    }
                    if point != *ko && !around.has_stones::<ME>() {
                        chains.reserve(point);
                        chains.mark(point);
                        candidates[ME].exclude(rank, left);
                    } else {
                        candidates[ME].swap(rank, left - 1);
                    }
                    left -= 1;
                    continue;
                }
            } else {
                last_taken = chains.take(point);
                if last_taken {
                    Self::release(chains, candidates, point);
                }
            }
            *ko = 0;
            candidates[ME].remove(rank);
            if around.is_marked() {
                // An eye of theirs, whose stones this one takes.
                chains.unmark(point);
                let rank = candidates[THEM].rank(point);
                if rank != ABSENT {
                    candidates[THEM].remove(rank as usize);
                }
            } else {
                candidates[THEM].remove(candidates[THEM].rank(point) as usize);
            }
            chains.put::<ME>(point, around);
            if last_taken {
                self.capture::<ME, THEM>(point, around.is_full() && !around.has_stones::<ME>());
            }
            if around.has_two_stones::<THEM>() && self.chains.has_marked_diagonal(point) {
                for diagonal in Chains::<STRIDE, ENTRIES>::diagonals(point) {
                    let around = self.chains.around(diagonal);
                    if around.is_marked() && !around.has_stones::<ME>() {
                        self.candidates[THEM].push_if_absent(diagonal);
                        if self.candidates[ME].rank(diagonal) != ABSENT {
                            self.chains.unmark(diagonal);
                        }
                    }
                }
            }
            return Some(point);
        }
    }

    #[inline(always)]
    fn release(
        chains: &mut Chains<STRIDE, ENTRIES>,
        candidates: &mut [Candidates<ENTRIES>; 2],
        point: Index,
    ) {
        chains.release(point, |chains, barred| {
            chains.unmark(barred);
            candidates[0].push_if_absent(barred);
            candidates[1].push_if_absent(barred);
        });
    }

    /// Whether a point with only own stones beside it is an eye: of its diagonal
    /// neighbours at most one is an enemy's, none if it is on the edge.
    #[inline(always)]
    fn is_eye<const THEM: usize>(chains: &Chains<STRIDE, ENTRIES>, point: Index) -> bool {
        let diagonals = Chains::<STRIDE, ENTRIES>::diagonals(point);
        let enemies: u32 =
            diagonals.iter().map(|&diagonal| u32::from(chains.has_stone::<THEM>(diagonal))).sum();
        enemies + u32::from(chains.around(point).is_edge()) < 2
    }

    /// Takes the chains of `THEM` off that a stone just put has left without
    /// liberties. It is `alone` if it had neither a friend nor an empty point beside it.
    #[inline(always)]
    fn capture<const ME: usize, const THEM: usize>(&mut self, point: Index, alone: bool) {
        let State { chains, candidates, ko } = self;
        let (mut n_removed, mut last) = (0, 0);
        let [mine, theirs] = candidates;
        chains.capture::<THEM>(point, |event| match event {
            Event::Removed(stone) => {
                (n_removed, last) = (n_removed + 1, stone);
                mine.push(stone);
                theirs.push(stone);
            }
            Event::Unmarked(changed) => {
                mine.push_if_absent(changed);
                theirs.push_if_absent(changed);
            }
        });
        // A ko arises where one stone is taken by one that has no other liberty and
        // no friend: taking back would bring the board back.
        if alone && n_removed == 1 {
            *ko = last;
        }
    }
}
