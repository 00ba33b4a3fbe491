//! Stones, chains and pseudo-liberties, kept up to date stone by stone.
//!
//! The bit-parallel board of [`stones`](super::stones) asks every question
//! anew by floods, which is best while a board fits one or two words. On larger
//! boards a stone touches too little of a set for that, and what is kept here
//! costs the same a stone on every board.
//!
//! A chain is known by its *label*, which every stone of it bears; a ring of
//! links runs through its stones; and its *vitals*, by label, hold its number of
//! stones and of *pseudo-liberties*: pairs of one of its stones and an empty point
//! beside it. A liberty shared by two stones counts twice, so the number is kept
//! by adding and subtracting alone, and a chain is captured exactly when it is
//! zero.
//!
//! Some of a chain's pseudo-liberties can be *reserved*: as many as the most that
//! any one point of several has with the chain. While it has free ones besides,
//! it has a liberty other than each of those points. What is reserved does not
//! count as free, so that nothing has to be looked at until the free ones run out.
//!
//! The layout makes the questions of a playout cheap:
//!
//! - Points lie in rows of `STRIDE`, of which at least one is off the board and
//!   serves as the border of its own row and of the next, with border rows below
//!   and above: every neighbour is at a constant distance.
//! - Labels of the two sides lie below and above [`Chains::NOBODY`], the label of
//!   points without a stone, so that one comparison tells friends from the others.
//! - [`Around`] sums up a point's neighbours in one number, of which every stone
//!   put or taken off changes four; a point can be *marked*, and a change beside
//!   it then shows in the sign of the sum.
//! - A chain's vitals are negative exactly when it has no free pseudo-liberty left,
//!   so that taking one and asking are one instruction and a jump.
//!
//! Sides are numbers here: 0 and 1, whichever is which.
//!
//! # Safety
//!
//! Array accesses are unchecked, so every function that accepts an [`Index`] or a label is
//! `unsafe`, all with one contract:
//!
//! - the board is [set up](Chains::set_up);
//! - an `Index` is that of a point of the board, which [`Chains::index`] returns for a column and a
//!   row below the size. [`Chains::around`] and [`Chains::has_stone`] also accept the neighbours of
//!   such a point, the diagonal ones included;
//! - what the name or the comment requires holds: a stone where it says stone or chain, an empty
//!   point where a stone is put.
//!
//! Then every access is in bounds. Neighbours of a point of the board are within the arrays because
//! of the borders, as [`Chains::new`] asserts for the type. Links are only ever set to points of the
//! board. Labels are only ever set to an index, to an index plus `ENTRIES`, or to `NOBODY`, which is
//! `ENTRIES`: all below `2 * ENTRIES`, the length of the vitals. And nothing is read that is not
//! set, although links and vitals are unset at first, to save time: a link is read of stones only,
//! and set when a stone is put; vitals are read by labels that points have: that of nobody, whose
//! vitals `set_up` sets first, and those of stones, set with the first stone of a chain.

// An unsafe function here is a step of the kernel: a block around all of it would say nothing more.
#![allow(unsafe_code, unsafe_op_in_unsafe_fn)]

use std::mem::MaybeUninit;

use super::PointSet;
use super::around::Around;

/// An index of a point within the arrays of [`Chains`].
pub(crate) type Index = usize;

/// A board with stones on it. `ENTRIES` is at least `STRIDE * (STRIDE + 1) + 1`,
/// which the language cannot compute yet.
#[derive(Clone, Debug)]
pub(crate) struct Chains<const STRIDE: usize, const ENTRIES: usize> {
    around: [u32; ENTRIES],
    labels: [u16; ENTRIES],
    links: [MaybeUninit<u16>; ENTRIES],
    /// By label: the free pseudo-liberties less one, in units of `LIBERTY`; those
    /// reserved, in units of `RESERVED`; and the stones.
    vitals: [[MaybeUninit<i64>; ENTRIES]; 2],
}

/// What happens when chains are captured.
pub(crate) enum Event {
    /// This stone is taken off.
    Removed(Index),
    /// A stone is taken off beside this point, which is marked.
    Changed(Index),
}

/// One free pseudo-liberty in a chain's vitals.
pub(super) const LIBERTY: i64 = 1 << 27;
/// One reserved pseudo-liberty. There are never 2048 of them, for a board has at
/// most 361 points, each up to four pseudo-liberties.
const RESERVED: i64 = 1 << 16;

/// The reserved pseudo-liberties of a chain with these vitals.
#[inline(always)]
fn reserved(vitals: i64) -> i64 {
    (vitals & (LIBERTY - 1)) / RESERVED
}

/// Reads an array without a check.
///
/// # Safety
/// `index` is below the length of the array.
#[inline(always)]
unsafe fn at<T: Copy>(array: &[T], index: usize) -> T {
    debug_assert!(index < array.len());
    *array.get_unchecked(index)
}

/// An array's entry for writing, without a check.
///
/// # Safety
/// `index` is below the length of the array.
#[inline(always)]
unsafe fn at_mut<T>(array: &mut [T], index: usize) -> &mut T {
    debug_assert!(index < array.len());
    array.get_unchecked_mut(index)
}

impl<const STRIDE: usize, const ENTRIES: usize> Chains<STRIDE, ENTRIES> {
    /// The label of what is no stone: that of side 1 for index 0, which is no
    /// point of the board.
    const NOBODY: u16 = ENTRIES as u16;

    /// No board yet: see [`set_up`](Self::set_up). In two steps, so that the arrays
    /// are made where they stay.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        const { assert!(ENTRIES > STRIDE * (STRIDE + 1) && ENTRIES < 1 << 14) };
        Chains {
            around: [Around::BORDER; ENTRIES],
            labels: [Self::NOBODY; ENTRIES],
            links: [const { MaybeUninit::uninit() }; ENTRIES],
            vitals: [const { [const { MaybeUninit::uninit() }; ENTRIES] }; 2],
        }
    }

    /// Makes it a board of this size with these stones, every chain of which has a
    /// liberty. The two sets have no point in common.
    #[inline(always)]
    pub(crate) fn set_up<S: PointSet>(&mut self, size: usize, stones: [S; 2]) {
        assert!(size < STRIDE);
        // Points without a stone are a chain that never dies and needs no reserve.
        self.vitals[1][0].write(i64::MAX / 2);
        for y in 0..size {
            // All of the widest row at once, which is faster than the row itself.
            let start = Self::index(0, y);
            self.around[start..start + STRIDE - 1].fill(0);
            self.around[start + size..start + STRIDE - 1].fill(Around::BORDER);
            for x in [0, size - 1] {
                self.around[start + x] |= Around::EDGE;
                self.around[start + x] += Around::FILLED;
            }
        }
        for y in [0, size - 1] {
            for x in 0..size {
                self.around[Self::index(x, y)] |= Around::EDGE;
                self.around[Self::index(x, y)] += Around::FILLED;
            }
        }
        // SAFETY: `for_each` visits points in columns and rows below the size, which is below
        // `STRIDE`. The neighbours that a stone is joined to come before it in order, so their
        // labels, links and vitals are set.
        unsafe {
            self.put_all::<S, 0>(size, stones[0]);
            self.put_all::<S, 1>(size, stones[1]);
            self.join_all::<S, 0>(size, stones[0]);
            self.join_all::<S, 1>(size, stones[1]);
        }
    }

    /// Adds a stone to what is around its neighbours.
    #[inline(always)]
    unsafe fn tell_neighbours<const SIDE: usize>(&mut self, point: Index) {
        Self::beside_with_bit(point, |beside, bit| {
            *at_mut(&mut self.around, beside) += (bit << (4 * SIDE)) + Around::STONE[SIDE] + Around::FILLED;
        });
    }

    /// Tells the neighbours of these stones.
    #[inline(always)]
    unsafe fn put_all<S: PointSet, const SIDE: usize>(&mut self, size: usize, stones: S) {
        Self::for_each(size, stones, |point| self.tell_neighbours::<SIDE>(point));
    }

    /// Makes chains of these stones, once all neighbours are told. Each stone is
    /// joined to those before it in order: the one to its left and the one below.
    #[inline(always)]
    unsafe fn join_all<S: PointSet, const SIDE: usize>(&mut self, size: usize, stones: S) {
        Self::for_each(size, stones, |point| {
            let around = self.around(point);
            self.join::<SIDE>(point, around, around.stones::<SIDE>() & Around::EARLIER);
        });
    }

    /// Calls `visit` with the index of the first point of every row, and the row's
    /// points of a set as bits.
    #[inline(always)]
    pub(crate) fn for_each_row<S: PointSet>(size: usize, set: S, mut visit: impl FnMut(Index, u64)) {
        for y in 0..size {
            let start = S::index(0, y);
            visit(Self::index(0, y), set.word(start / 64) >> (start % 64) & ((1 << size) - 1));
        }
    }

    /// Calls `visit` with the index of every point of a set, in order.
    #[inline(always)]
    fn for_each<S: PointSet>(size: usize, set: S, mut visit: impl FnMut(Index)) {
        if set.is_none() {
            return;
        }
        Self::for_each_row(size, set, |start, mut row| {
            while row != 0 {
                visit(start + row.trailing_zeros() as usize);
                row &= row - 1;
            }
        });
    }

    /// The index of the point in column `x` of row `y`.
    #[inline(always)]
    pub(crate) const fn index(x: usize, y: usize) -> Index {
        (y + 1) * STRIDE + x + 1
    }

    /// The column and row of the point with this index.
    #[inline(always)]
    pub(crate) const fn column_and_row(point: Index) -> (usize, usize) {
        ((point - 1) % STRIDE, (point - 1) / STRIDE - 1)
    }

    /// Calls `visit` with each of the four points beside this one: a loop that is
    /// sure to be unrolled.
    #[inline(always)]
    fn beside(point: Index, mut visit: impl FnMut(Index)) {
        visit(point - STRIDE);
        visit(point - 1);
        visit(point + 1);
        visit(point + STRIDE);
    }

    /// Like [`beside`](Self::beside), with the bit that stands for this point in what
    /// is [`Around`] the other.
    #[inline(always)]
    fn beside_with_bit(point: Index, mut visit: impl FnMut(Index, u32)) {
        visit(point - STRIDE, 1);
        visit(point - 1, 2);
        visit(point + 1, 4);
        visit(point + STRIDE, 8);
    }

    /// The neighbour that the lowest of these bits stands for in what is [`Around`]
    /// this point.
    #[inline(always)]
    fn neighbour(point: Index, bits: u32) -> Index {
        const { assert!(STRIDE < 128) };
        let steps = const { u32::from_le_bytes([STRIDE as u8, 1, -1_i8 as u8, -(STRIDE as i8) as u8]) };
        point.wrapping_add_signed(isize::from((steps >> (8 * bits.trailing_zeros() % 32)) as i8))
    }

    /// Calls `visit` with each of the four points diagonally beside this one.
    #[inline(always)]
    pub(crate) fn diagonal(point: Index, mut visit: impl FnMut(Index)) {
        visit(point - STRIDE - 1);
        visit(point - STRIDE + 1);
        visit(point + STRIDE - 1);
        visit(point + STRIDE + 1);
    }

    /// What is beside a point.
    #[inline(always)]
    pub(crate) unsafe fn around(&self, point: Index) -> Around {
        Around(at(&self.around, point))
    }

    /// Marks a point: see [`Around::is_marked`].
    #[inline(always)]
    pub(crate) unsafe fn mark(&mut self, point: Index) {
        *at_mut(&mut self.around, point) |= Around::MARK;
    }

    /// Takes the mark off.
    #[inline(always)]
    pub(crate) unsafe fn unmark(&mut self, point: Index) {
        *at_mut(&mut self.around, point) &= !Around::MARK;
    }

    /// Whether one of the diagonal neighbours is marked.
    #[inline(always)]
    pub(crate) unsafe fn has_marked_diagonal(&self, point: Index) -> bool {
        let mut all = 0;
        Self::diagonal(point, |diagonal| all |= self.around(diagonal).0);
        Around(all).is_marked()
    }

    #[inline(always)]
    unsafe fn label(&self, point: Index) -> usize {
        at(&self.labels, point) as usize
    }

    /// Whether this is the label of a side's stone.
    #[inline(always)]
    const fn is_of<const SIDE: usize>(label: usize) -> bool {
        if SIDE == 0 { label < ENTRIES } else { label > ENTRIES }
    }

    /// Whether there is a stone of this side on a point.
    #[inline(always)]
    pub(crate) unsafe fn has_stone<const SIDE: usize>(&self, point: Index) -> bool {
        Self::is_of::<SIDE>(self.label(point))
    }

    #[inline(always)]
    unsafe fn vitals(&self, label: usize) -> i64 {
        at(self.vitals.as_flattened(), label).assume_init()
    }

    #[inline(always)]
    unsafe fn vitals_mut(&mut self, label: usize) -> &mut i64 {
        at_mut(self.vitals.as_flattened_mut(), label).assume_init_mut()
    }

    #[inline(always)]
    unsafe fn link(&self, stone: Index) -> Index {
        at(&self.links, stone).assume_init() as Index
    }

    #[inline(always)]
    unsafe fn set_link(&mut self, stone: Index, to: Index) {
        at_mut(&mut self.links, stone).write(to as u16);
    }

    /// Takes the pseudo-liberties that a stone here takes from its neighbours'
    /// chains; calls `exhausted` with the point of each that has none free now.
    #[inline(always)]
    pub(crate) unsafe fn take(&mut self, point: Index, mut exhausted: impl FnMut(&mut Self, Index)) {
        Self::beside(point, |beside| {
            let vitals = self.vitals_mut(self.label(beside));
            *vitals -= LIBERTY;
            if *vitals < 0 {
                exhausted(self, beside);
            }
        });
    }

    /// Undoes [`take`](Self::take).
    #[inline(always)]
    pub(crate) unsafe fn give_back(&mut self, point: Index) {
        Self::beside(point, |beside| *self.vitals_mut(self.label(beside)) += LIBERTY);
    }

    /// Whether a stone of `SIDE` beside this point has liberties.
    #[inline(always)]
    pub(crate) unsafe fn joins_living<const SIDE: usize>(&self, point: Index) -> bool {
        let mut found = false;
        Self::beside(point, |beside| {
            let label = self.label(beside);
            found |= Self::is_of::<SIDE>(label) && self.vitals(label) >= 0;
        });
        found
    }

    /// Whether all chains beside this point have more free pseudo-liberties than a
    /// point can be.
    #[inline(always)]
    pub(crate) unsafe fn all_are_safe(&self, point: Index) -> bool {
        let mut least = i64::MAX;
        Self::beside(point, |beside| least = least.min(self.vitals(self.label(beside))));
        least >= 4 * LIBERTY
    }

    /// Reserves a point's pseudo-liberties with each chain beside it. All of them
    /// have other liberties.
    #[inline(always)]
    pub(crate) unsafe fn reserve(&mut self, point: Index) {
        Self::beside(point, |beside| {
            let label = self.label(beside);
            let vitals = self.vitals(label);
            if reserved(vitals) < 4 {
                let mut needed = 0;
                Self::beside(point, |other| needed += i64::from(self.label(other) == label));
                let more = (needed - reserved(vitals)).max(0);
                *self.vitals_mut(label) += more * (RESERVED - LIBERTY);
                debug_assert!(self.vitals(label) >= 0);
            }
        });
    }

    /// Whether the chain here has reserved liberties.
    #[inline(always)]
    pub(crate) unsafe fn has_reserve(&self, point: Index) -> bool {
        reserved(self.vitals(self.label(point))) != 0
    }

    /// Makes the reserved liberties of the chain here free. Calls `tell` with each
    /// marked point beside it.
    #[inline(always)]
    pub(crate) unsafe fn release(&mut self, point: Index, mut tell: impl FnMut(&mut Self, Index)) {
        let vitals = self.vitals_mut(self.label(point));
        *vitals += reserved(*vitals) * (LIBERTY - RESERVED);
        let mut stone = point;
        loop {
            Self::beside(stone, |beside| {
                if self.around(beside).is_marked() {
                    tell(self, beside);
                }
            });
            stone = self.link(stone);
            if stone == point {
                break;
            }
        }
    }

    /// Puts a stone on an empty point whose liberties are [taken](Self::take), and
    /// joins it to its friends.
    #[inline(always)]
    pub(crate) unsafe fn put<const SIDE: usize>(&mut self, point: Index, around: Around) {
        self.tell_neighbours::<SIDE>(point);
        self.join::<SIDE>(point, around, around.stones::<SIDE>());
    }

    /// Makes one chain of a stone that is in none yet and of its friends, the
    /// neighbours that these bits stand for.
    #[inline(always)]
    unsafe fn join<const SIDE: usize>(&mut self, point: Index, around: Around, mut friends: u32) {
        if friends == 0 {
            let label = SIDE * ENTRIES + point;
            *at_mut(&mut self.labels, point) = label as u16;
            self.set_link(point, point);
            at_mut(self.vitals.as_flattened_mut(), label).write(around.liberties() - LIBERTY + 1);
            return;
        }
        // Which of the four are friends is random: four jumps that depend on it would
        // often be mispredicted.
        let beside = Self::neighbour(point, friends);
        let mut label = self.label(beside);
        *at_mut(&mut self.labels, point) = label as u16;
        self.set_link(point, self.link(beside));
        self.set_link(beside, point);
        *self.vitals_mut(label) += around.liberties() + 1;
        loop {
            friends &= friends - 1;
            if friends == 0 {
                break;
            }
            let beside = Self::neighbour(point, friends);
            let friend = self.label(beside);
            if friend != label {
                label = self.merge(point, label, beside, friend);
            }
        }
    }

    /// Makes one chain of two, given by a stone and the label of each; gives the
    /// label of the whole.
    #[inline(always)]
    unsafe fn merge(&mut self, one: Index, label: usize, other: Index, other_label: usize) -> usize {
        let (vitals, other_vitals) = (self.vitals(label), self.vitals(other_label));
        let both = vitals + other_vitals + LIBERTY;
        // The smaller chain takes the other's label.
        let (start, label) =
            if vitals as u16 >= other_vitals as u16 { (other, label) } else { (one, other_label) };
        let mut stone = start;
        loop {
            *at_mut(&mut self.labels, stone) = label as u16;
            stone = self.link(stone);
            if stone == start {
                break;
            }
        }
        *self.vitals_mut(label) = both;
        // Exchanging two links makes one ring of two.
        let link = self.link(one);
        self.set_link(one, self.link(other));
        self.set_link(other, link);
        label
    }

    /// Takes the chains of `SIDE` without liberties beside a point off the board,
    /// and tells of it.
    #[inline(always)]
    pub(crate) unsafe fn capture<const SIDE: usize>(
        &mut self,
        point: Index,
        around: Around,
        mut tell: impl FnMut(&mut Self, Event),
    ) {
        let mut enemies = around.stones::<SIDE>();
        while enemies != 0 {
            let start = Self::neighbour(point, enemies);
            enemies &= enemies - 1;
            let label = self.label(start);
            if label == Self::NOBODY as usize || self.vitals(label) >= 0 {
                continue;
            }
            let mut stone = start;
            loop {
                *at_mut(&mut self.labels, stone) = Self::NOBODY;
                self.give_back(stone);
                tell(self, Event::Removed(stone));
                Self::beside_with_bit(stone, |beside, bit| {
                    let around = at_mut(&mut self.around, beside);
                    *around -= (bit << (4 * SIDE)) + Around::STONE[SIDE] + Around::FILLED;
                    if Around(*around).is_marked() {
                        tell(self, Event::Changed(beside));
                    }
                });
                stone = self.link(stone);
                if stone == start {
                    break;
                }
            }
        }
    }

    /// The area of side 0 less that of side 1, on a board where no two empty
    /// points are neighbours.
    #[inline(always)]
    pub(crate) fn area_of_full_board(&self) -> i32 {
        let mut difference = 0;
        for point in 0..ENTRIES {
            let (label, around) = (self.labels[point], self.around[point]);
            // An empty point is a side's where it has only that side's stones beside it.
            let sides = [0, 4].map(|shift| i32::from(around & (Around::BORDER | 15 << shift) != 0));
            let stone = i32::from(label < Self::NOBODY) - i32::from(label > Self::NOBODY);
            let eye = sides[0] - sides[1];
            difference += if label == Self::NOBODY { eye } else { stone };
        }
        difference
    }

    /// The stones of each side as sets.
    pub(crate) fn stones<S: PointSet>(&self, size: usize) -> [S; 2] {
        let mut stones = [S::none(); 2];
        for y in 0..size {
            for x in 0..size {
                let (label, single) = (self.labels[Self::index(x, y)], S::single(S::index(x, y)));
                if Self::is_of::<0>(label as usize) {
                    stones[0] = stones[0].or(single);
                } else if Self::is_of::<1>(label as usize) {
                    stones[1] = stones[1].or(single);
                }
            }
        }
        stones
    }
}
