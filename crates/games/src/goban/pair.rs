//! Two words at once: as one SSE2 vector on every x86-64, and as two words on other
//! machines.

#![allow(unsafe_code)]

use std::fmt;

/// Two words of 64 bits. Every operation applies to both.
pub trait Pair: Copy + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The pair of these words.
    fn new(words: [u64; 2]) -> Self;

    /// The two words.
    fn words(self) -> [u64; 2];

    /// The bits of both pairs.
    #[must_use]
    fn and(self, other: Self) -> Self;

    /// The bits of either pair.
    #[must_use]
    fn or(self, other: Self) -> Self;

    /// The bits of this pair that are not in the other.
    #[must_use]
    fn without(self, other: Self) -> Self;

    /// Whether no bit is set.
    fn is_zero(self) -> bool;

    /// Each word shifted towards its high end.
    #[must_use]
    fn up<const BITS: i32>(self) -> Self;

    /// Each word shifted towards its low end.
    #[must_use]
    fn down<const BITS: i32>(self) -> Self;

    /// The words exchanged.
    #[must_use]
    fn exchanged(self) -> Self;
}

/// Two words, on any machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plain([u64; 2]);

impl Pair for Plain {
    #[inline(always)]
    fn new(words: [u64; 2]) -> Self {
        Plain(words)
    }

    #[inline(always)]
    fn words(self) -> [u64; 2] {
        self.0
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Plain([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Plain([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Plain([self.0[0] & !other.0[0], self.0[1] & !other.0[1]])
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    #[inline(always)]
    fn up<const BITS: i32>(self) -> Self {
        Plain(self.0.map(|word| word << BITS))
    }

    #[inline(always)]
    fn down<const BITS: i32>(self) -> Self {
        Plain(self.0.map(|word| word >> BITS))
    }

    #[inline(always)]
    fn exchanged(self) -> Self {
        Plain([self.0[1], self.0[0]])
    }
}

/// The fastest pair of this machine.
#[cfg(not(target_arch = "x86_64"))]
pub(super) type Best = Plain;

#[cfg(target_arch = "x86_64")]
pub(super) use sse::Sse as Best;

#[cfg(target_arch = "x86_64")]
mod sse {
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi8, _mm_cvtsi128_si64, _mm_movemask_epi8,
        _mm_or_si128, _mm_set_epi64x, _mm_setzero_si128, _mm_shuffle_epi32, _mm_slli_epi64, _mm_srli_epi64,
        _mm_unpackhi_epi64,
    };
    use std::fmt;

    use super::Pair;

    /// Calls intrinsics that need SSE2 and nothing else.
    macro_rules! sse2 {
        ($call:expr) => {
            // SAFETY: SSE2 is part of x86-64, for which alone this is compiled, and
            // the calls are of arithmetic on values, without pointers.
            unsafe { $call }
        };
    }

    /// Two words as one vector.
    #[derive(Clone, Copy)]
    pub struct Sse(__m128i);

    impl PartialEq for Sse {
        fn eq(&self, other: &Self) -> bool {
            self.words() == other.words()
        }
    }

    impl fmt::Debug for Sse {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_tuple("Sse").field(&self.words()).finish()
        }
    }

    impl Pair for Sse {
        #[inline(always)]
        fn new([low, high]: [u64; 2]) -> Self {
            Sse(sse2!(_mm_set_epi64x(high as i64, low as i64)))
        }

        #[inline(always)]
        fn words(self) -> [u64; 2] {
            let low = sse2!(_mm_cvtsi128_si64(self.0));
            let high = sse2!(_mm_cvtsi128_si64(_mm_unpackhi_epi64(self.0, self.0)));
            [low as u64, high as u64]
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            Sse(sse2!(_mm_and_si128(self.0, other.0)))
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Sse(sse2!(_mm_or_si128(self.0, other.0)))
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            Sse(sse2!(_mm_andnot_si128(other.0, self.0)))
        }

        #[inline(always)]
        fn is_zero(self) -> bool {
            sse2!(_mm_movemask_epi8(_mm_cmpeq_epi8(self.0, _mm_setzero_si128()))) == 0xffff
        }

        #[inline(always)]
        fn up<const BITS: i32>(self) -> Self {
            Sse(sse2!(_mm_slli_epi64::<BITS>(self.0)))
        }

        #[inline(always)]
        fn down<const BITS: i32>(self) -> Self {
            Sse(sse2!(_mm_srli_epi64::<BITS>(self.0)))
        }

        #[inline(always)]
        fn exchanged(self) -> Self {
            Sse(sse2!(_mm_shuffle_epi32::<0x4e>(self.0)))
        }
    }
}
