//! Sets of points of a Go board, as bits.
//!
//! A board is cut into words of 64 bits at row ends, and every row has at least
//! one bit more than points, so that a step to the left or right cannot leave
//! its row and no row straddles two words. A point's *index* is 64 times its
//! word plus its bit.
//!
//! The shape is fixed by type, not by size, so that every shift is a constant
//! while four types serve all sizes from 2 to 19: later layers are compiled once
//! a type.

use std::fmt;
use std::ops::ControlFlow;

use tesuji_core::isa::Isa;

/// A set of points. Operations that could name points off the board (there are
/// unused bits) leave it to the caller to intersect with the board.
pub trait PointSet: Copy + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The largest board that fits.
    const LARGEST: usize;
    /// Words in a set.
    const WORDS: usize;
    /// Rows in a word.
    const ROWS: usize;
    /// Bits from one row to the next.
    const STRIDE: usize;

    /// The index of the point in column `x` of row `y`.
    fn index(x: usize, y: usize) -> usize;

    /// The column and row of the point with this index.
    fn column_and_row(index: usize) -> (usize, usize);

    /// The number of the point with this index on a board of this size, row by row
    /// from the bottom left.
    #[inline(always)]
    fn dense(index: usize, size: usize) -> usize {
        let (x, y) = Self::column_and_row(index);
        y * size + x
    }

    /// The set without points.
    fn none() -> Self;

    /// The set of the point with this index.
    fn single(index: usize) -> Self;

    /// One word of the set.
    fn word(self, number: usize) -> u64;

    /// One word of the set with its rows from the bottom up, as all layouts but a
    /// folded one have them.
    #[inline(always)]
    fn word_in_order(self, number: usize) -> u64 {
        self.word(number)
    }

    /// The points of both sets.
    #[must_use]
    fn and(self, other: Self) -> Self;

    /// The points of either set.
    #[must_use]
    fn or(self, other: Self) -> Self;

    /// The points of this set that are not in the other.
    #[must_use]
    fn without(self, other: Self) -> Self;

    /// Whether the sets have no point in common.
    fn is_disjoint(self, other: Self) -> bool;

    /// Whether all points of this set are in the other.
    fn is_subset(self, other: Self) -> bool;

    /// The orthogonal neighbours of the set's points. Points of the set itself
    /// are in it only if they are neighbours of other points of the set.
    #[must_use]
    fn spread(self) -> Self;

    /// The points that have two or more points of the set next to them.
    #[must_use]
    fn spread_twice(self) -> Self;

    /// The points that cannot be eyes of the opponent because stones of this set are
    /// on their diagonals: one stone if the point is on the `edge`, two otherwise.
    #[must_use]
    fn spoilt_eyes(self, edge: Self) -> Self;

    /// The orthogonal neighbours of the point with this index.
    fn neighbours(index: usize) -> Self;

    /// The diagonal neighbours of the point with this index.
    fn diagonals(index: usize) -> Self;

    /// The number of points.
    fn count(self) -> u32;

    /// The index of the point with `rank` points before it.
    fn select<I: Isa>(self, rank: u32) -> usize;

    /// The point with `rank` points before it, and its index.
    #[inline(always)]
    fn select_point<I: Isa>(self, rank: u32) -> (Self, usize) {
        let index = self.select::<I>(rank);
        (Self::single(index), index)
    }

    /// Whether the set is empty.
    #[inline(always)]
    fn is_none(self) -> bool {
        self.is_disjoint(self)
    }

    /// Whether the point with this index is in the set.
    #[inline(always)]
    fn contains(self, index: usize) -> bool {
        self.word(index / 64) >> (index % 64) & 1 == 1
    }

    /// The index of the first point. The set must not be empty.
    #[inline(always)]
    fn first(self) -> usize {
        let number = (0..Self::WORDS).find(|&number| self.word(number) != 0).unwrap_or(0);
        64 * number + self.word(number).trailing_zeros() as usize
    }

    /// Calls `visit` with the index of every point, in order.
    #[inline]
    fn for_each(self, mut visit: impl FnMut(usize)) {
        for number in 0..Self::WORDS {
            let mut word = self.word(number);
            while word != 0 {
                visit(64 * number + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
    }

    /// Calls `visit` with the column and row of every point, row by row from the
    /// bottom left, until it breaks.
    #[inline(always)]
    fn try_for_each_in_rows<B>(
        self,
        mut visit: impl FnMut(usize, usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for number in 0..Self::WORDS {
            let mut word = self.word_in_order(number);
            let mut y = number * Self::ROWS;
            // Row by row, so that what a visitor makes of y is computed once a row.
            while word != 0 {
                let mut row = word & ((1 << Self::STRIDE) - 1);
                while row != 0 {
                    visit(row.trailing_zeros() as usize, y)?;
                    row &= row - 1;
                }
                word >>= Self::STRIDE;
                y += 1;
            }
        }
        ControlFlow::Continue(())
    }
}

/// How rows are laid out in words: in order, a number of them in each word, or
/// *folded*: the second word's rows downwards from the board's far end, so that
/// the rows that meet at the fold have the same place in both words.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) stride: usize,
    pub(super) rows_per_word: usize,
    pub(super) folded: bool,
}

impl Layout {
    pub(super) const fn index(self, x: usize, y: usize) -> usize {
        let word = y / self.rows_per_word;
        let row = y % self.rows_per_word;
        let row = if self.folded && word == 1 { self.rows_per_word - 1 - row } else { row };
        64 * word + row * self.stride + x
    }

    pub(super) const fn column_and_row(self, index: usize) -> (usize, usize) {
        let (word, bit) = (index / 64, index % 64);
        let row = bit / self.stride;
        let row = if self.folded && word == 1 { self.rows_per_word - 1 - row } else { row };
        (bit % self.stride, word * self.rows_per_word + row)
    }

    /// For every index, the set of the points at these steps from it.
    pub(super) const fn table<const WORDS: usize, const ENTRIES: usize>(
        self,
        steps: [(isize, isize); 4],
    ) -> [[u64; WORDS]; ENTRIES] {
        let mut table = [[0; WORDS]; ENTRIES];
        let (width, height) = (self.stride as isize, (WORDS * self.rows_per_word) as isize);
        let mut y = 0;
        while y < height {
            let mut x = 0;
            while x < width {
                let mut step = 0;
                while step < 4 {
                    let (to_x, to_y) = (x + steps[step].0, y + steps[step].1);
                    if to_x >= 0 && to_x < width && to_y >= 0 && to_y < height {
                        let to = self.index(to_x as usize, to_y as usize);
                        table[self.index(x as usize, y as usize)][to / 64] |= 1 << (to % 64);
                    }
                    step += 1;
                }
                x += 1;
            }
            y += 1;
        }
        table
    }
}

pub(super) const ORTHOGONAL: [(isize, isize); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
pub(super) const DIAGONAL: [(isize, isize); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// Point sets for boards from 2 to 7: one word with rows of 8 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UpTo7(u64);

const LAYOUT_7: Layout = Layout { stride: 8, rows_per_word: 8, folded: false };

/// The neighbours of a point, side by side and diagonal, for every index. It is
/// twice as long as need be so that the number of a word's zeros is an index.
static AROUND_7: [[u64; 2]; 128] = {
    let neighbours: [[u64; 1]; 64] = LAYOUT_7.table(ORTHOGONAL);
    let diagonals: [[u64; 1]; 64] = LAYOUT_7.table(DIAGONAL);
    let mut around = [[0; 2]; 128];
    let mut index = 0;
    while index < 64 {
        around[index] = [neighbours[index][0], diagonals[index][0]];
        index += 1;
    }
    around
};

impl PointSet for UpTo7 {
    const LARGEST: usize = 7;
    const WORDS: usize = 1;
    const ROWS: usize = 8;
    const STRIDE: usize = 8;

    #[inline(always)]
    fn index(x: usize, y: usize) -> usize {
        LAYOUT_7.index(x, y)
    }

    #[inline(always)]
    fn column_and_row(index: usize) -> (usize, usize) {
        LAYOUT_7.column_and_row(index)
    }

    #[inline(always)]
    fn dense(index: usize, size: usize) -> usize {
        index - (index / 8) * (8 - size)
    }

    #[inline(always)]
    fn none() -> Self {
        UpTo7(0)
    }

    #[inline(always)]
    fn single(index: usize) -> Self {
        UpTo7(1 << (index % 64))
    }

    #[inline(always)]
    fn word(self, _: usize) -> u64 {
        self.0
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        UpTo7(self.0 & other.0)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        UpTo7(self.0 | other.0)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        UpTo7(self.0 & !other.0)
    }

    #[inline(always)]
    fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    #[inline(always)]
    fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    #[inline(always)]
    fn spread(self) -> Self {
        // Rotations leave the operand in place, where shifts need a copy of it. What
        // they carry round ends in the last row, which no board has.
        UpTo7(self.0 << 1 | self.0.rotate_right(1) | self.0.rotate_left(8) | self.0.rotate_right(8))
    }

    #[inline(always)]
    fn spread_twice(self) -> Self {
        let [a, b, c, d] = [self.0 << 1, self.0 >> 1, self.0 << 8, self.0 >> 8];
        UpTo7(a & b | c & d | (a | b) & (c | d))
    }

    #[inline(always)]
    fn spoilt_eyes(self, edge: Self) -> Self {
        let [a, b, c, d] = [self.0 << 9, self.0 << 7, self.0 >> 7, self.0 >> 9];
        UpTo7(a & b | c & d | (a | b) & (c | d) | (a | b | c | d) & edge.0)
    }

    #[inline(always)]
    fn neighbours(index: usize) -> Self {
        UpTo7(AROUND_7[index % 128][0])
    }

    #[inline(always)]
    fn diagonals(index: usize) -> Self {
        UpTo7(AROUND_7[index % 128][1])
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.count_ones()
    }

    #[inline(always)]
    fn select<I: Isa>(self, rank: u32) -> usize {
        I::select(self.0, rank) as usize
    }

    #[inline(always)]
    fn select_point<I: Isa>(self, rank: u32) -> (Self, usize) {
        let point = I::pick(self.0, 1 << rank);
        (UpTo7(point), point.trailing_zeros() as usize)
    }
}
