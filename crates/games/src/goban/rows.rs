//! Sets of several words, for the larger boards.

use tesuji_core::isa::Isa;

use super::points::{DIAGONAL, Layout, ORTHOGONAL, PointSet};

/// Sets of several words. `ENTRIES` is `64 * WORDS`, which the language cannot
/// compute yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rows<const WORDS: usize, const STRIDE: usize, const ROWS: usize, const ENTRIES: usize>(
    [u64; WORDS],
);

/// Point sets for boards from 11 to 13.
pub type UpTo13 = Rows<4, 14, 4, 256>;
/// Point sets for boards from 14 to 19.
pub type UpTo19 = Rows<7, 20, 3, 448>;

impl<const WORDS: usize, const STRIDE: usize, const ROWS: usize, const ENTRIES: usize>
    Rows<WORDS, STRIDE, ROWS, ENTRIES>
{
    const LAYOUT: Layout = Layout { stride: STRIDE, rows_per_word: ROWS, folded: false };
    const NEIGHBOURS: &'static [[u64; WORDS]; ENTRIES] = &Self::LAYOUT.table(ORTHOGONAL);
    const DIAGONALS: &'static [[u64; WORDS]; ENTRIES] = &Self::LAYOUT.table(DIAGONAL);

    #[inline(always)]
    fn by_words(mut word: impl FnMut(usize) -> u64) -> Self {
        let mut words = [0; WORDS];
        let mut number = 0;
        while number < WORDS {
            words[number] = word(number);
            number += 1;
        }
        Rows(words)
    }
}

impl<const WORDS: usize, const STRIDE: usize, const ROWS: usize, const ENTRIES: usize> PointSet
    for Rows<WORDS, STRIDE, ROWS, ENTRIES>
{
    const LARGEST: usize = if STRIDE - 1 < WORDS * ROWS { STRIDE - 1 } else { WORDS * ROWS };
    const WORDS: usize = WORDS;
    const ROWS: usize = ROWS;
    const STRIDE: usize = STRIDE;

    #[inline(always)]
    fn index(x: usize, y: usize) -> usize {
        Self::LAYOUT.index(x, y)
    }

    #[inline(always)]
    fn column_and_row(index: usize) -> (usize, usize) {
        Self::LAYOUT.column_and_row(index)
    }

    #[inline(always)]
    fn none() -> Self {
        Rows([0; WORDS])
    }

    #[inline(always)]
    fn single(index: usize) -> Self {
        let mut words = [0; WORDS];
        words[index / 64] = 1 << (index % 64);
        Rows(words)
    }

    #[inline(always)]
    fn word(self, number: usize) -> u64 {
        self.0[number]
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self::by_words(|number| self.0[number] & other.0[number])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self::by_words(|number| self.0[number] | other.0[number])
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self::by_words(|number| self.0[number] & !other.0[number])
    }

    #[inline(always)]
    fn is_disjoint(self, other: Self) -> bool {
        self.and(other).0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    fn is_subset(self, other: Self) -> bool {
        self.without(other).0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    fn spread(self) -> Self {
        // From the last row of a word to the first of the next.
        let across = STRIDE * (ROWS - 1);
        Self::by_words(|number| {
            let word = self.0[number];
            let mut spread = word << 1 | word >> 1 | word << STRIDE | word >> STRIDE;
            if number > 0 {
                spread |= self.0[number - 1] >> across;
            }
            if number + 1 < WORDS {
                spread |= self.0[number + 1] << across;
            }
            spread
        })
    }

    #[inline(always)]
    fn spread_twice(self) -> Self {
        let across = STRIDE * (ROWS - 1);
        Self::by_words(|number| {
            let word = self.0[number];
            let [a, b] = [word << 1, word >> 1];
            let [mut c, mut d] = [word << STRIDE, word >> STRIDE];
            if number > 0 {
                c |= self.0[number - 1] >> across;
            }
            if number + 1 < WORDS {
                d |= self.0[number + 1] << across;
            }
            a & b | c & d | (a | b) & (c | d)
        })
    }

    #[inline(always)]
    fn spoilt_eyes(self, edge: Self) -> Self {
        let across = STRIDE * (ROWS - 1);
        let up = |word: usize, shift: fn(u64) -> u64| {
            let below = if word > 0 { shift(self.0[word - 1]) >> across } else { 0 };
            shift(self.0[word]) << STRIDE | below
        };
        let down = |word: usize, shift: fn(u64) -> u64| {
            let above = if word + 1 < WORDS { shift(self.0[word + 1]) << across } else { 0 };
            shift(self.0[word]) >> STRIDE | above
        };
        Self::by_words(|word| {
            let [a, b] = [up(word, |w| w << 1), up(word, |w| w >> 1)];
            let [c, d] = [down(word, |w| w << 1), down(word, |w| w >> 1)];
            a & b | c & d | (a | b) & (c | d) | (a | b | c | d) & edge.0[word]
        })
    }

    #[inline(always)]
    fn neighbours(index: usize) -> Self {
        Rows(Self::NEIGHBOURS[index])
    }

    #[inline(always)]
    fn diagonals(index: usize) -> Self {
        Rows(Self::DIAGONALS[index])
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    fn select<I: Isa>(self, mut rank: u32) -> usize {
        let mut number = 0;
        while number + 1 < WORDS {
            let count = self.0[number].count_ones();
            if rank < count {
                break;
            }
            rank -= count;
            number += 1;
        }
        64 * number + I::select(self.0[number], rank) as usize
    }
}
