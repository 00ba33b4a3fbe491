//! Go playouts on the larger boards: the same rules and the same distribution
//! as in [`playout`](super::playout), with chains kept up to date stone by stone.
//!
//! Each side has a list of its *candidates*, the empty points it may still want to
//! play on. A turn draws from the list until a point will do; what will not do now
//! is set aside for the rest of the turn and another drawn, which is exactly
//! uniform over those that will. Two kinds of points leave the list for longer,
//! and are marked meanwhile:
//!
//! - own *eyes*, until an enemy stone on a diagonal or a capture next to one may have
//!   spoilt it;
//! - points *barred*: a stone there would have enemies on all sides, each with a
//!   liberty elsewhere. The chains around reserve the point, so that it is heard
//!   of when one of them runs out of other liberties, and a capture next to it is
//!   heard of as with eyes.
//!
//! Most points that are one side's eye are barred to the other, so both are found
//! at once. None of it changes which moves are legal: only how fast that is found.
//!
//! # Safety
//!
//! Array accesses are unchecked here too, so the steps of a playout and of its lists are `unsafe`,
//! with the contract of [`Chains`] and this one: the state is [set up](State::set_up), a point is an
//! empty one of the board or the stone that the function is named for, and a rank is below the length
//! of its list. The proof that a playout keeps to it: the lists hold points of the board only, each at
//! most once, so that a list is never longer than the board has points; ranks come from draws below
//! the length, or from the list itself; and a point's rank is asked for only while it is empty, when
//! it has been set: by `push`, which every empty point has gone through, or since. Points that are
//! marked are points of the board, for only candidates are ever marked.

// As in `chains`: an unsafe function is a step of the kernel.
#![allow(unsafe_code, unsafe_op_in_unsafe_fn)]

use std::mem::MaybeUninit;

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Pool, Record, Rng, Side};

use crate::goban::around::Around;
use crate::goban::board::Board;
use crate::goban::chains::{Chains, Event, Index};
use crate::goban::stones::area_difference;
use crate::goban::{PointSet, Vertex};

/// A playout from a board. Gives Black's area less White's, and the plies.
/// `STRIDE` and `ENTRIES` are those of [`Chains`].
pub(super) struct LargePlayout<'a, S, R, const STRIDE: usize, const ENTRIES: usize> {
    pub(super) board: &'a Board<S>,
    pub(super) ko: S,
    pub(super) passes: u8,
    pub(super) rng: &'a mut Rng,
    pub(super) record: &'a mut R,
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
        let code = |side, point| {
            let (x, y) = Chains::<STRIDE, ENTRIES>::column_and_row(point);
            board.vertex_code(side, Vertex { x: x as u8, y: y as u8 })
        };
        let mut state = State::<STRIDE, ENTRIES>::new();
        state.set_up(board, ko);
        let mut generator = rng.clone();
        let mut pool = Pool::default();
        // Simple ko alone lets a playout go round for ever.
        let cap = 3 * u32::from(board.size) * u32::from(board.size);
        let mut plies = 0;
        let mut passed = passes > 0;
        let is_full = loop {
            let bits = generator.bits();
            // SAFETY: the state is set up, and turns are all that changes it.
            let stone = unsafe { state.turn::<0, 1>(&mut generator, &mut pool, bits as u16) };
            record.push(stone.map_or(board.pass_code(first), |point| code(first, point)));
            plies += 1;
            if stone.is_none() && passed {
                break true;
            }
            if plies == cap {
                break false;
            }
            // SAFETY: as above.
            let reply = unsafe { state.turn::<1, 0>(&mut generator, &mut pool, (bits >> 16) as u16) };
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
        // Nobody passes while an empty point has an empty point next to it.
        let difference = if is_full { state.chains.area_of_full_board() } else { state.area::<S>(board) };
        (sign * difference, plies)
    }
}

/// The state of a playout. Side 0 is the one that moves first.
struct State<const STRIDE: usize, const ENTRIES: usize> {
    chains: Chains<STRIDE, ENTRIES>,
    candidates: [Candidates<ENTRIES>; 2],
    /// The point that simple ko forbids, or 0.
    ko: Index,
}

/// What becomes of a candidate drawn.
enum Verdict {
    /// It is played. The liberties of its neighbours are taken.
    Plays { captures: bool },
    /// It is illegal now.
    SetAside,
    /// It is an eye or barred.
    Excluded,
}

impl<const STRIDE: usize, const ENTRIES: usize> State<STRIDE, ENTRIES> {
    #[inline(always)]
    fn new() -> Self {
        State { chains: Chains::new(), candidates: [Candidates::new(), Candidates::new()], ko: 0 }
    }

    #[inline(always)]
    fn set_up<S: PointSet>(&mut self, board: &Board<S>, ko: S) {
        let size = board.size as usize;
        self.chains.set_up(size, [board.stones(board.to_move), board.stones(!board.to_move)]);
        let [mine, theirs] = &mut self.candidates;
        Chains::<STRIDE, ENTRIES>::for_each_row(size, board.empty(), |start, row| {
            // SAFETY: the points of a row of the board, each once.
            unsafe { mine.push_row::<STRIDE>(start, row) };
        });
        *theirs = mine.clone();
        if !ko.is_none() {
            let (x, y) = S::column_and_row(ko.first());
            self.ko = Chains::<STRIDE, ENTRIES>::index(x, y);
        }
    }

    /// The area of side 0 less that of side 1.
    #[cold]
    fn area<S: PointSet>(&self, board: &Board<S>) -> i32 {
        let [mine, theirs] = self.chains.stones::<S>(board.size as usize);
        area_difference(mine, theirs, board.points.without(mine).without(theirs))
    }

    /// One turn of `ME`: the stone played, or none for a pass. The first draw is from
    /// these bits; most turns need no other.
    #[inline(always)]
    unsafe fn turn<const ME: usize, const THEM: usize>(
        &mut self,
        rng: &mut Rng,
        pool: &mut Pool,
        bits: u16,
    ) -> Option<Index> {
        let mut left = self.candidates[ME].len;
        let mut drawn = rng.below_from_short(bits, left as u32);
        loop {
            let Some(rank) = drawn else {
                self.ko = 0;
                return None;
            };
            let rank = rank as usize;
            let point = self.candidates[ME].point(rank);
            let around = self.chains.around(point);
            let verdict = match around.is_full() {
                true => self.judge::<ME, THEM>(point, around),
                false => Verdict::Plays { captures: self.take::<THEM>(point).0 },
            };
            match verdict {
                Verdict::Plays { captures } => {
                    self.play::<ME, THEM>(point, rank, around, captures);
                    return Some(point);
                }
                Verdict::SetAside => {
                    left -= 1;
                    self.candidates[ME].swap(point, rank, left);
                }
                Verdict::Excluded => {
                    left -= 1;
                    self.exclude::<ME>(point, rank, left);
                }
            }
            drawn = pool.below(rng, left as u32);
        }
    }

    /// Marks a point and takes it off the list. Not inlined, because what it shares with
    /// the usual path would be computed there every time.
    #[inline(never)]
    unsafe fn exclude<const ME: usize>(&mut self, point: Index, rank: usize, end: usize) {
        self.chains.mark(point);
        self.candidates[ME].exclude(point, rank, end);
    }

    /// Whether `ME` will play on a point without empty neighbours.
    #[inline(always)]
    unsafe fn judge<const ME: usize, const THEM: usize>(&mut self, point: Index, around: Around) -> Verdict {
        if !around.has_stones::<THEM>() && self.is_eye::<THEM>(point, around) {
            // They will find it barred sooner or later.
            if self.candidates[THEM].has(point) && self.chains.all_are_safe(point) {
                self.chains.reserve(point);
                self.candidates[THEM].drop(point);
            }
            return Verdict::Excluded;
        }
        if point == self.ko {
            return Verdict::SetAside;
        }
        let has_friends = around.has_stones::<ME>();
        if has_friends || !self.chains.all_are_safe(point) {
            let (captures, starves) = self.take::<THEM>(point);
            let joins = has_friends && (!starves || self.chains.joins_living::<ME>(point));
            if captures || joins {
                return Verdict::Plays { captures };
            }
            self.chains.give_back(point);
            if has_friends {
                return Verdict::SetAside;
            }
        }
        self.chains.reserve(point);
        // They will find it an eye sooner or later.
        if self.candidates[THEM].has(point) && self.is_eye::<ME>(point, around) {
            self.candidates[THEM].drop(point);
        }
        Verdict::Excluded
    }

    /// Whether a point with only own stones next to it is an eye: of its diagonal
    /// neighbours at most one is an enemy's, none if it is on the edge.
    #[inline(always)]
    unsafe fn is_eye<const THEM: usize>(&self, point: Index, around: Around) -> bool {
        let mut enemies = 0;
        Chains::<STRIDE, ENTRIES>::diagonal(point, |diagonal| {
            enemies += u32::from(self.chains.has_stone::<THEM>(diagonal));
        });
        enemies + u32::from(around.is_edge()) < 2
    }

    /// Takes a point's liberties from the chains next to it; says whether a chain of
    /// `THEM`, and whether one of the other side, has none left.
    #[inline(always)]
    unsafe fn take<const THEM: usize>(&mut self, point: Index) -> (bool, bool) {
        let (mut captures, mut starves) = (false, false);
        self.chains.take(point, |chains, beside| {
            if chains.has_reserve(beside) {
                Self::release(chains, &mut self.candidates, beside);
            } else if chains.has_stone::<THEM>(beside) {
                captures = true;
            } else {
                starves = true;
            }
        });
        (captures, starves)
    }

    /// Lets a chain without free liberties have those reserved. The points that were
    /// reserved may be worth a try again.
    #[inline(never)]
    unsafe fn release(
        chains: &mut Chains<STRIDE, ENTRIES>,
        candidates: &mut [Candidates<ENTRIES>; 2],
        stone: Index,
    ) {
        chains.release(stone, |chains, point| Self::reconsider(chains, candidates, point));
    }

    /// Makes a marked point a candidate of both sides.
    #[inline(never)]
    unsafe fn reconsider(
        chains: &mut Chains<STRIDE, ENTRIES>,
        candidates: &mut [Candidates<ENTRIES>; 2],
        point: Index,
    ) {
        chains.unmark(point);
        candidates[0].push_if_absent(point);
        candidates[1].push_if_absent(point);
    }

    /// Puts a stone of `ME`, drawn with this rank, on a point whose liberties are
    /// taken.
    #[inline(always)]
    unsafe fn play<const ME: usize, const THEM: usize>(
        &mut self,
        point: Index,
        rank: usize,
        around: Around,
        captures: bool,
    ) {
        self.ko = 0;
        self.candidates[ME].remove(rank);
        let theirs = &mut self.candidates[THEM];
        if !around.is_marked() {
            theirs.remove(theirs.rank(point) as usize);
        } else {
            self.chains.unmark(point);
            if theirs.has(point) {
                theirs.remove(theirs.rank(point) as usize);
            }
        }
        self.chains.put::<ME>(point, around);
        if captures {
            self.capture::<ME, THEM>(point, around);
        }
        // An eye of theirs on a diagonal shares two of their stones as neighbours.
        if around.has_two_stones::<THEM>() && self.chains.has_marked_diagonal(point) {
            self.spoil::<ME, THEM>(point);
        }
    }

    /// Takes the chains of `THEM` off that a stone just put has left without
    /// liberties.
    #[inline(always)]
    unsafe fn capture<const ME: usize, const THEM: usize>(&mut self, point: Index, around: Around) {
        let (mut n_removed, mut last) = (0, 0);
        let candidates = &mut self.candidates;
        self.chains.capture::<THEM>(point, around, |chains, event| match event {
            Event::Removed(stone) => {
                (n_removed, last) = (n_removed + 1, stone);
                candidates[0].push(stone);
                candidates[1].push(stone);
            }
            Event::Changed(point) => Self::reconsider(chains, candidates, point),
        });
        // A ko arises where one stone is taken by one that has no other liberty and
        // no friend: taking back would bring the board back.
        if n_removed == 1 && around.is_full() && !around.has_stones::<ME>() {
            self.ko = last;
        }
    }

    /// Has `THEM` look again at their eyes diagonally next to a stone of `ME`.
    #[inline(always)]
    unsafe fn spoil<const ME: usize, const THEM: usize>(&mut self, point: Index) {
        Chains::<STRIDE, ENTRIES>::diagonal(point, |diagonal| {
            let around = self.chains.around(diagonal);
            if around.is_marked() && !around.has_stones::<ME>() {
                self.candidates[THEM].push_if_absent(diagonal);
                // It may still be barred to `ME`.
                if self.candidates[ME].has(diagonal) {
                    self.chains.unmark(diagonal);
                }
            }
        });
    }
}

/// A side's candidates, in no order.
#[derive(Clone)]
struct Candidates<const ENTRIES: usize> {
    points: [MaybeUninit<u16>; ENTRIES],
    /// By point: its rank in the list, or `ABSENT`.
    ranks: [MaybeUninit<u16>; ENTRIES],
    len: usize,
}

/// The rank of an empty point that is no candidate.
const ABSENT: u16 = u16::MAX;

impl<const ENTRIES: usize> Candidates<ENTRIES> {
    #[inline(always)]
    fn new() -> Self {
        let unset = [const { MaybeUninit::uninit() }; ENTRIES];
        Candidates { points: unset, ranks: unset, len: 0 }
    }

    #[inline(always)]
    unsafe fn point(&self, rank: usize) -> Index {
        debug_assert!(rank < ENTRIES);
        self.points.get_unchecked(rank).assume_init() as Index
    }

    #[inline(always)]
    unsafe fn rank(&self, point: Index) -> u16 {
        debug_assert!(point < ENTRIES);
        self.ranks.get_unchecked(point).assume_init()
    }

    #[inline(always)]
    unsafe fn set_rank(&mut self, point: Index, rank: u16) {
        debug_assert!(point < ENTRIES);
        self.ranks.get_unchecked_mut(point).write(rank);
    }

    #[inline(always)]
    unsafe fn set(&mut self, rank: usize, point: Index) {
        debug_assert!(rank < ENTRIES);
        self.points.get_unchecked_mut(rank).write(point as u16);
        self.set_rank(point, rank as u16);
    }

    #[inline(always)]
    unsafe fn push(&mut self, point: Index) {
        self.set(self.len, point);
        self.len += 1;
    }

    /// Pushes the points that fewer than `STRIDE` bits stand for, from `start` on.
    #[inline(always)]
    unsafe fn push_row<const STRIDE: usize>(&mut self, start: Index, mut row: u64) {
        if row & (row + 1) == 0 {
            // No gaps, as in an empty row. A loop of constant length is done in large
            // steps; what it writes beyond the row is off the list and off the board.
            let points = &mut self.points[self.len..][..STRIDE - 1];
            let ranks = &mut self.ranks[start..][..STRIDE - 1];
            for x in 0..STRIDE - 1 {
                points[x].write((start + x) as u16);
                ranks[x].write((self.len + x) as u16);
            }
            self.len += row.count_ones() as usize;
            return;
        }
        while row != 0 {
            self.push(start + row.trailing_zeros() as usize);
            row &= row - 1;
        }
    }

    #[inline(always)]
    unsafe fn push_if_absent(&mut self, point: Index) {
        if !self.has(point) {
            self.push(point);
        }
    }

    /// Takes the point with this rank, which is no longer empty, off the list.
    #[inline(always)]
    unsafe fn remove(&mut self, rank: usize) {
        self.len -= 1;
        self.set(rank, self.point(self.len));
    }

    /// Whether an empty point is on the list.
    #[inline(always)]
    unsafe fn has(&self, point: Index) -> bool {
        self.rank(point) != ABSENT
    }

    /// Takes this point off the list while it stays empty.
    #[inline(always)]
    unsafe fn drop(&mut self, point: Index) {
        self.remove(self.rank(point) as usize);
        self.set_rank(point, ABSENT);
    }

    /// Takes this point off the list while it stays empty. The point with rank `end`,
    /// which is at least its own, gets its rank, and the last one that rank.
    #[inline(always)]
    unsafe fn exclude(&mut self, point: Index, rank: usize, end: usize) {
        self.len -= 1;
        let last = self.point(self.len);
        let moved = if rank == end { last } else { self.point(end) };
        self.set(end, last);
        self.set(rank, moved);
        self.set_rank(point, ABSENT);
    }

    /// Exchanges the ranks of this point and of the one with rank `other`.
    #[inline(never)]
    unsafe fn swap(&mut self, point: Index, rank: usize, other: usize) {
        self.set(rank, self.point(other));
        self.set(other, point);
    }
}
