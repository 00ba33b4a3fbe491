//! Boards from 8 to 10: two words as one SSE2 vector, the second folded.
//!
//! With the board folded, the rows on both sides of the fold have the same place
//! in their words, and a step across it is an exchange of the words: a spread is
//! ten instructions. Where a playout is compiled for a later processor, the
//! compiler takes its better instructions (`ptest`, three operands) for the same
//! code.

#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi8, _mm_cvtsi128_si64, _mm_movemask_epi8,
    _mm_or_si128, _mm_set_epi64x, _mm_setzero_si128, _mm_shuffle_epi32, _mm_slli_epi64, _mm_srli_epi64,
    _mm_unpackhi_epi64,
};
use std::fmt;
use std::mem::transmute;

use tesuji_core::isa::Isa;

use super::points::{DIAGONAL, Layout, ORTHOGONAL, PointSet};

/// Calls intrinsics that need SSE2 and nothing else.
macro_rules! sse2 {
    ($call:expr) => {
        // SAFETY: SSE2 is part of x86-64, for which alone this file is compiled,
        // and the calls are of arithmetic on values, without pointers.
        unsafe { $call }
    };
}

/// Boards from 8 to 10: two words of five rows of 11 bits.
#[derive(Clone, Copy)]
pub struct UpTo10(__m128i);

const LAYOUT: Layout = Layout { stride: 11, rows_per_word: 5, folded: true };

/// What is asked of a point, in one line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Place {
    single: __m128i,
    neighbours: __m128i,
    diagonals: __m128i,
}

static PLACES: [Place; 128] = {
    let singles: [[u64; 2]; 128] = LAYOUT.table([(0, 0); 4]);
    let neighbours: [[u64; 2]; 128] = LAYOUT.table(ORTHOGONAL);
    let diagonals: [[u64; 2]; 128] = LAYOUT.table(DIAGONAL);
    let none = set([0, 0]);
    let mut places = [Place { single: none, neighbours: none, diagonals: none }; 128];
    let mut index = 0;
    while index < 128 {
        places[index].single = set(singles[index]);
        places[index].neighbours = set(neighbours[index]);
        places[index].diagonals = set(diagonals[index]);
        index += 1;
    }
    places
};

/// The set with these words, for constants.
const fn set(words: [u64; 2]) -> __m128i {
    // SAFETY: both types are 16 bytes of which every value is valid, and on
    // x86-64 the first word is the low half.
    unsafe { transmute(words) }
}

/// The row at the fold: the last of both words.
const FOLD: i64 = 0x7ff << 44;

impl UpTo10 {
    #[inline(always)]
    fn words(self) -> [u64; 2] {
        let low = sse2!(_mm_cvtsi128_si64(self.0));
        let high = sse2!(_mm_cvtsi128_si64(_mm_unpackhi_epi64(self.0, self.0)));
        [low as u64, high as u64]
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        sse2!(_mm_movemask_epi8(_mm_cmpeq_epi8(self.0, _mm_setzero_si128()))) == 0xffff
    }
}

impl PartialEq for UpTo10 {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl Eq for UpTo10 {}

impl fmt::Debug for UpTo10 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UpTo10").field(&self.words()).finish()
    }
}

impl PointSet for UpTo10 {
    const LARGEST: usize = 10;
    const WORDS: usize = 2;

    #[inline(always)]
    fn index(x: usize, y: usize) -> usize {
        LAYOUT.index(x, y)
    }

    #[inline(always)]
    fn column_and_row(index: usize) -> (usize, usize) {
        LAYOUT.column_and_row(index)
    }

    #[inline(always)]
    fn none() -> Self {
        UpTo10(sse2!(_mm_setzero_si128()))
    }

    #[inline(always)]
    fn single(index: usize) -> Self {
        UpTo10(PLACES[index % 128].single)
    }

    #[inline(always)]
    fn word(self, number: usize) -> u64 {
        self.words()[number]
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        UpTo10(sse2!(_mm_and_si128(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        UpTo10(sse2!(_mm_or_si128(self.0, other.0)))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        UpTo10(sse2!(_mm_andnot_si128(other.0, self.0)))
    }

    #[inline(always)]
    fn is_disjoint(self, other: Self) -> bool {
        self.and(other).is_zero()
    }

    #[inline(always)]
    fn is_subset(self, other: Self) -> bool {
        self.without(other).is_zero()
    }

    #[inline(always)]
    fn spread(self) -> Self {
        let sideways = sse2!(_mm_or_si128(_mm_slli_epi64::<1>(self.0), _mm_srli_epi64::<1>(self.0)));
        let vertical = sse2!(_mm_or_si128(_mm_slli_epi64::<11>(self.0), _mm_srli_epi64::<11>(self.0)));
        let across = sse2!(_mm_and_si128(_mm_shuffle_epi32::<0x4e>(self.0), _mm_set_epi64x(FOLD, FOLD)));
        UpTo10(sse2!(_mm_or_si128(_mm_or_si128(sideways, vertical), across)))
    }

    #[inline(always)]
    fn spoilt_eyes(self, edge: Self) -> Self {
        let left = sse2!(_mm_slli_epi64::<1>(self.0));
        let right = sse2!(_mm_srli_epi64::<1>(self.0));
        let [a, b] = [left, right].map(|side| UpTo10(sse2!(_mm_slli_epi64::<11>(side))));
        let [c, d] = [left, right].map(|side| {
            let across = sse2!(_mm_and_si128(_mm_shuffle_epi32::<0x4e>(side), _mm_set_epi64x(FOLD, FOLD)));
            UpTo10(sse2!(_mm_or_si128(_mm_srli_epi64::<11>(side), across)))
        });
        let (ab, cd) = (a.or(b), c.or(d));
        a.and(b).or(c.and(d)).or(ab.and(cd)).or(ab.or(cd).and(edge))
    }

    #[inline(always)]
    fn neighbours(index: usize) -> Self {
        UpTo10(PLACES[index % 128].neighbours)
    }

    #[inline(always)]
    fn diagonals(index: usize) -> Self {
        UpTo10(PLACES[index % 128].diagonals)
    }

    #[inline(always)]
    fn count(self) -> u32 {
        let [low, high] = self.words();
        low.count_ones() + high.count_ones()
    }

    #[inline(always)]
    fn select<I: Isa>(self, rank: u32) -> usize {
        let [low, high] = self.words();
        let in_low = low.count_ones();
        let is_high = rank >= in_low;
        let (word, rank) = if is_high { (high, rank - in_low) } else { (low, rank) };
        I::select(word, rank) as usize | usize::from(is_high) << 6
    }
}
