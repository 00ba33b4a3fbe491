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
//! The layout makes the questions of a playout cheap:
//!
//! - Points lie in rows of `STRIDE`, of which at least one is off the board and
//!   serves as the border of its own row and of the next, with border rows below
//!   and above: every neighbour is at a constant distance.
//! - Labels of the two sides lie below and above [`NOBODY`], the label of points
//!   without a stone, so that one comparison tells friends from the others.
//! - [`Around`] sums up a point's neighbours in one number, of which every stone
//!   put or taken off changes four; a point can be *marked*, and a change beside
//!   it then shows in the sign of the sum.
//! - A chain's vitals are negative exactly when it has no pseudo-liberty left, so
//!   that taking one and asking are one instruction and a jump.
//!
//! Sides are numbers here: 0 and 1, whichever is which.
//!
//! Array accesses are unchecked, and this is why that is sound. An [`Index`] is
//! of a point of the board (asserted in debug builds): those that
//! [`Chains::index`] gives for columns and rows below the size, and links,
//! which are only ever set to such. The point's neighbours, also the diagonal
//! ones, are then within the arrays because of the borders, as
//! [`Chains::new`] asserts for the type. Labels are only ever set to an index, to
//! an index plus `ENTRIES`, or to `NOBODY`, which is `ENTRIES`: all below
//! `2 * ENTRIES`, the length of the vitals.

#![allow(unsafe_code)]

use std::mem::MaybeUninit;

use super::PointSet;

/// An index of a point within the arrays of [`Chains`].
pub(crate) type Index = usize;

/// What is on the four points beside a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Around(u16);

impl Around {
    /// Three bits for the number of neighbours that are not empty, those off the
    /// board included, then three for the stones of each side.
    const ONE: u16 = 1;
    const STONES: [u16; 2] = [1 << 3, 1 << 6];
    /// Set on edges and in corners.
    const EDGE: u16 = 1 << 9;
    /// Set by [`Chains::mark`].
    const MARK: u16 = 1 << 15;
    /// A point off the board looks as if it had neighbours of both sides, which
    /// makes it nobody's area.
    const BORDER: u16 = Self::STONES[0] | Self::STONES[1];

    /// What a stone of a side adds to its neighbours. Below 128, which makes the
    /// addition to memory a short instruction.
    const fn step(side: usize) -> u16 {
        Self::ONE | Self::STONES[side]
    }

    /// Whether none of the neighbours is empty.
    #[inline(always)]
    pub(crate) fn is_full(self) -> bool {
        self.0 & 4 != 0
    }

    /// The number of empty neighbours.
    #[inline(always)]
    fn n_empty(self) -> i64 {
        4 - i64::from(self.0 & 7)
    }

    /// Whether there is a stone of this side.
    #[inline(always)]
    pub(crate) fn has_stones<const SIDE: usize>(self) -> bool {
        self.0 & (7 * Self::STONES[SIDE]) != 0
    }

    /// Whether there are two stones of this side or more.
    #[inline(always)]
    pub(crate) fn has_two_stones<const SIDE: usize>(self) -> bool {
        self.0 & (6 * Self::STONES[SIDE]) != 0
    }

    /// Whether the point is on the board's edge.
    #[inline(always)]
    pub(crate) fn is_edge(self) -> bool {
        self.0 & Self::EDGE != 0
    }

    /// Whether the point is marked.
    #[inline(always)]
    pub(crate) fn is_marked(self) -> bool {
        (self.0 as i16) < 0
    }
}

/// A board with stones on it. `ENTRIES` is at least `STRIDE * (STRIDE + 1) + 1`,
/// which the language cannot compute yet.
#[derive(Clone, Debug)]
pub(crate) struct Chains<const STRIDE: usize, const ENTRIES: usize> {
    around: [u16; ENTRIES],
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
    /// A stone is taken off beside this point, which was marked.
    Unmarked(Index),
}

/// One free pseudo-liberty in a chain's vitals.
const LIBERTY: i64 = 1 << 30;
/// One reserved pseudo-liberty.
const RESERVED: i64 = 1 << 16;

/// The reserved pseudo-liberties of a chain with these vitals.
#[inline(always)]
fn reserved(vitals: i64) -> i64 {
    (vitals & (LIBERTY - 1)) / RESERVED
}

/// Reads an array without a check.
#[inline(always)]
fn at<T: Copy>(array: &[T], index: usize) -> T {
    debug_assert!(index < array.len());
    // SAFETY: see the module's head.
    unsafe { *array.get_unchecked(index) }
}

/// An array's entry for writing, without a check.
#[inline(always)]
fn at_mut<T>(array: &mut [T], index: usize) -> &mut T {
    debug_assert!(index < array.len());
    // SAFETY: see the module's head.
    unsafe { array.get_unchecked_mut(index) }
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
    /// liberty.
    #[inline(always)]
    pub(crate) fn set_up<S: PointSet>(&mut self, size: usize, stones: [S; 2]) {
        assert!(size < STRIDE);
        // Points without a stone are a chain that never dies and needs no reserve.
        self.vitals[1][0].write(i64::MAX / 2);
        for y in 0..size {
            let row = &mut self.around[Self::index(0, y)..][..size];
            let outside = u16::from(y == 0) + u16::from(y + 1 == size);
            row.fill(outside * Around::ONE | if outside > 0 { Around::EDGE } else { 0 });
            for x in [0, size - 1] {
                row[x] = (row[x] + Around::ONE) | Around::EDGE;
            }
        }
        self.put_all::<S, 0>(size, stones[0]);
        self.put_all::<S, 1>(size, stones[1]);
        self.join_all::<S, 0>(size, stones[0]);
        self.join_all::<S, 1>(size, stones[1]);
    }

    /// Tells the neighbours of these stones.
    #[inline(always)]
    fn put_all<S: PointSet, const SIDE: usize>(&mut self, size: usize, stones: S) {
        Self::for_each(size, stones, |point| {
            Self::beside(point, |beside| *at_mut(&mut self.around, beside) += Around::step(SIDE));
        });
    }

    /// Makes chains of these stones, once all neighbours are told. Each stone is
    /// joined to those before it in order: the one to its left and the one below.
    #[inline(always)]
    fn join_all<S: PointSet, const SIDE: usize>(&mut self, size: usize, stones: S) {
        Self::for_each(size, stones, |point| {
            let around = self.around(point);
            self.put_alone::<SIDE>(point, around);
            self.join::<SIDE>(point, point - 1);
            self.join::<SIDE>(point, point - STRIDE);
        });
    }

    /// Calls `visit` with the indices of a set's points, in order.
    #[inline(always)]
    pub(crate) fn for_each<S: PointSet>(size: usize, set: S, mut visit: impl FnMut(Index)) {
        for y in 0..size {
            let start = S::index(0, y);
            let mut row = set.word(start / 64) >> (start % 64) & ((1 << size) - 1);
            while row != 0 {
                visit(Self::index(row.trailing_zeros() as usize, y));
                row &= row - 1;
            }
        }
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
    pub(crate) fn around(&self, point: Index) -> Around {
        Around(at(&self.around, point))
    }

    /// Marks a point: see [`Around::is_marked`].
    #[inline(always)]
    pub(crate) fn mark(&mut self, point: Index) {
        *at_mut(&mut self.around, point) |= Around::MARK;
    }

    /// Takes the mark off.
    #[inline(always)]
    pub(crate) fn unmark(&mut self, point: Index) {
        *at_mut(&mut self.around, point) &= !Around::MARK;
    }

    /// Whether one of the diagonal neighbours is marked.
    #[inline(always)]
    pub(crate) fn has_marked_diagonal(&self, point: Index) -> bool {
        let mut all = 0;
        Self::diagonal(point, |diagonal| all |= self.around(diagonal).0);
        Around(all).is_marked()
    }

    #[inline(always)]
    fn label(&self, point: Index) -> usize {
        at(&self.labels, point) as usize
    }

    /// Whether this is the label of a side's stone.
    #[inline(always)]
    const fn is_of<const SIDE: usize>(label: usize) -> bool {
        if SIDE == 0 { label < ENTRIES } else { label > ENTRIES }
    }

    /// Whether there is a stone of this side on a point.
    #[inline(always)]
    pub(crate) fn has_stone<const SIDE: usize>(&self, point: Index) -> bool {
        Self::is_of::<SIDE>(self.label(point))
    }

    #[inline(always)]
    fn vitals(&self, label: usize) -> i64 {
        // SAFETY: see the module's head.
        unsafe { at(self.vitals.as_flattened(), label).assume_init() }
    }

    #[inline(always)]
    fn vitals_mut(&mut self, label: usize) -> &mut i64 {
        // SAFETY: see the module's head.
        unsafe { at_mut(self.vitals.as_flattened_mut(), label).assume_init_mut() }
    }

    #[inline(always)]
    fn link(&self, stone: Index) -> Index {
        // SAFETY: see the module's head.
        unsafe { at(&self.links, stone).assume_init() as Index }
    }

    #[inline(always)]
    fn set_link(&mut self, stone: Index, to: Index) {
        at_mut(&mut self.links, stone).write(to as u16);
    }

    /// Takes the pseudo-liberties that a stone here takes from its neighbours'
    /// chains; calls `exhausted` with the point of each that has none free now.
    #[inline(always)]
    pub(crate) fn take(&mut self, point: Index, mut exhausted: impl FnMut(&mut Self, Index)) {
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
    pub(crate) fn give_back(&mut self, point: Index) {
        Self::beside(point, |beside| *self.vitals_mut(self.label(beside)) += LIBERTY);
    }

    /// Whether a stone of `SIDE` beside this point has liberties.
    #[inline(always)]
    pub(crate) fn joins_living<const SIDE: usize>(&self, point: Index) -> bool {
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
    pub(crate) fn all_are_safe(&self, point: Index) -> bool {
        let mut least = i64::MAX;
        Self::beside(point, |beside| least = least.min(self.vitals(self.label(beside))));
        least >= 4 * LIBERTY
    }

    /// Reserves a point's pseudo-liberties with each chain beside it. All of them
    /// have other liberties.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, point: Index) {
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

    /// Makes the reserved liberties of the chain here free; it has no other left.
    /// Calls `tell` with each marked point beside it. Gives whether it had any.
    #[inline(always)]
    pub(crate) fn release(&mut self, point: Index, mut tell: impl FnMut(&mut Self, Index)) -> bool {
        let vitals = self.vitals_mut(self.label(point));
        let reserved = reserved(*vitals);
        if reserved == 0 {
            return false;
        }
        *vitals += reserved * (LIBERTY - RESERVED);
        let mut stone = point;
        loop {
            Self::beside(stone, |beside| {
                if self.around(beside).is_marked() {
                    tell(self, beside);
                }
            });
            stone = self.link(stone);
            if stone == point {
                return true;
            }
        }
    }

    #[inline(always)]
    fn put_alone<const SIDE: usize>(&mut self, point: Index, around: Around) {
        let label = SIDE * ENTRIES + point;
        *at_mut(&mut self.labels, point) = label as u16;
        self.set_link(point, point);
        at_mut(self.vitals.as_flattened_mut(), label).write((around.n_empty() - 1) * LIBERTY + 1);
    }

    /// Puts a stone on an empty point whose liberties are [taken](Self::take), and
    /// joins it to its friends.
    #[inline(always)]
    pub(crate) fn put<const SIDE: usize>(&mut self, point: Index, around: Around) {
        Self::beside(point, |beside| *at_mut(&mut self.around, beside) += Around::step(SIDE));
        if !around.has_stones::<SIDE>() {
            self.put_alone::<SIDE>(point, around);
            return;
        }
        let mut label = Self::NOBODY as usize;
        Self::beside(point, |beside| {
            let friend = self.label(beside);
            if !Self::is_of::<SIDE>(friend) {
                return;
            }
            if label == Self::NOBODY as usize {
                label = friend;
                *at_mut(&mut self.labels, point) = label as u16;
                self.set_link(point, self.link(beside));
                self.set_link(beside, point);
                *self.vitals_mut(label) += around.n_empty() * LIBERTY + 1;
            } else if friend != label {
                label = self.merge(point, label, beside, friend);
            }
        });
    }

    /// Joins the stone here to the one on a point beside it if that is a friend.
    #[inline(always)]
    fn join<const SIDE: usize>(&mut self, point: Index, beside: Index) {
        let (label, friend) = (self.label(point), self.label(beside));
        if Self::is_of::<SIDE>(friend) && friend != label {
            self.merge(point, label, beside, friend);
        }
    }

    /// Makes one chain of two, given by a stone and the label of each; gives the
    /// label of the whole.
    #[inline(always)]
    fn merge(&mut self, one: Index, label: usize, other: Index, other_label: usize) -> usize {
        let (vitals, other_vitals) = (self.vitals(label), self.vitals(other_label));
        let both = vitals + other_vitals + LIBERTY;
        // The smaller chain takes the other's label.
        let label = if vitals as u16 >= other_vitals as u16 {
            self.relabel(other, label);
            label
        } else {
            self.relabel(one, other_label);
            other_label
        };
        *self.vitals_mut(label) = both;
        // Exchanging two links makes one ring of two.
        let link = self.link(one);
        self.set_link(one, self.link(other));
        self.set_link(other, link);
        label
    }

    #[inline(always)]
    fn relabel(&mut self, start: Index, label: usize) {
        let mut stone = start;
        loop {
            *at_mut(&mut self.labels, stone) = label as u16;
            stone = self.link(stone);
            if stone == start {
                break;
            }
        }
    }

    /// Takes the chains of `SIDE` without liberties beside a point off the board.
    /// Marked points beside one of their stones lose the mark.
    #[inline(always)]
    pub(crate) fn capture<const SIDE: usize>(&mut self, point: Index, mut tell: impl FnMut(Event)) {
        Self::beside(point, |beside| {
            let label = self.label(beside);
            if Self::is_of::<SIDE>(label) && self.vitals(label) < 0 {
                self.remove::<SIDE>(beside, &mut tell);
            }
        });
    }

    #[inline(always)]
    fn remove<const SIDE: usize>(&mut self, start: Index, mut tell: impl FnMut(Event)) {
        let mut stone = start;
        loop {
            *at_mut(&mut self.labels, stone) = Self::NOBODY;
            self.give_back(stone);
            tell(Event::Removed(stone));
            Self::beside(stone, |beside| {
                let around = at_mut(&mut self.around, beside);
                *around -= Around::step(SIDE);
                if Around(*around).is_marked() {
                    *around &= !Around::MARK;
                    tell(Event::Unmarked(beside));
                }
            });
            stone = self.link(stone);
            if stone == start {
                break;
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
            // An empty point is a side's where it has no enemy beside it.
            let enemies = Around::STONES.map(|stone| around & (7 * stone));
            let stone = i16::from(label < Self::NOBODY) - i16::from(label > Self::NOBODY);
            let eye = i16::from(enemies[1] == 0) - i16::from(enemies[0] == 0);
            difference += if label == Self::NOBODY { eye } else { stone };
        }
        i32::from(difference)
    }

    /// The stones of each side as sets.
    pub(crate) fn stones<S: PointSet>(&self, size: usize) -> [S; 2] {
        let mut stones = [S::none(); 2];
        for y in 0..size {
            for x in 0..size {
                let (point, single) = (Self::index(x, y), S::single(S::index(x, y)));
                if self.has_stone::<0>(point) {
                    stones[0] = stones[0].or(single);
                } else if self.has_stone::<1>(point) {
                    stones[1] = stones[1].or(single);
                }
            }
        }
        stones
    }
}
