//! Choosing machine instructions at run time.
//!
//! Playouts select the n-th set bit of a word all the time. If the processor has
//! BMI2, that is two instructions (`pdep`, `tzcnt`), otherwise about twenty.
//! A default build runs on every processor of its architecture, so a kernel is
//! compiled twice and [`dispatch`] picks the version once a call. Every bit of
//! the result is the same on both.
//!
//! This is the only module of the crate with `unsafe` code. The proof that it
//! is sound: the type `X86V3` cannot be named outside this file, and this file
//! names it only in `run_v3`, which `dispatch` calls only after the processor
//! was asked.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use std::sync::atomic::{AtomicU8, Ordering};

/// The operations that depend on the instruction set.
pub trait Isa: Copy {
    /// The index of the set bit of `word` that has `rank` set bits below it.
    /// `rank` is below the number of set bits.
    fn select(word: u64, rank: u32) -> u32;

    /// The set bit of `word` that has as many set bits below it as the single
    /// bit `bit` has places below it, or 0 if there is none or if `bit` is 0.
    ///
    /// This draws from several sets at once without a branch: with `n` the
    /// number of set bits of `a` and `rank` a number below the sum of both,
    /// exactly one of `pick(a, 1 << rank)` and `pick(b, (1 << rank) >> n)` is
    /// not 0.
    fn pick(word: u64, bit: u64) -> u64;
}

/// A computation written once for all instruction sets.
///
/// Implementations of `run` must be `#[inline(always)]`, and so must all that
/// they call and that should profit: only what is inlined is compiled for the
/// better processor.
pub trait Kernel {
    /// The result of the computation.
    type Output;

    /// Computes the result with the operations of `I`.
    fn run<I: Isa>(self) -> Self::Output;
}

/// Runs a kernel with the best instructions that this processor has.
#[inline(always)]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if has_v3() {
        // SAFETY: `has_v3` has found every feature that `run_v3` is compiled for.
        return unsafe { run_v3(kernel) };
    }
    kernel.run::<Portable>()
}

/// Runs a kernel with portable instructions only. Tests compare it with [`dispatch`].
pub fn dispatch_portable<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Portable>()
}

/// The name of the instruction set that [`dispatch`] uses on this machine.
pub fn chosen() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if has_v3() {
        return "x86-64-v3 (AVX2, BMI2)";
    }
    "portable"
}

/// Instructions of every processor.
#[derive(Clone, Copy)]
struct Portable;

impl Isa for Portable {
    #[inline(always)]
    fn select(word: u64, rank: u32) -> u32 {
        select_portable(word, rank)
    }

    #[inline(always)]
    fn pick(word: u64, bit: u64) -> u64 {
        debug_assert!(bit & bit.wrapping_sub(1) == 0);
        let rank = bit.trailing_zeros(); // 64, and so never below, where there is none
        if rank < word.count_ones() { 1 << select_portable(word, rank) } else { 0 }
    }
}

/// Selection by sums of bytes (Vigna, "Broadword implementation of rank/select
/// queries", 2008): prefix sums of the bytes' populations find the byte, and
/// clearing low bits finds the bit in it.
#[inline(always)]
fn select_portable(word: u64, rank: u32) -> u32 {
    debug_assert!(rank < word.count_ones());
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let pairs = word - ((word >> 1) & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sums = bytes.wrapping_mul(ONES); // byte i: set bits in bytes 0..=i
    // High bit of byte i set where sums[i] <= rank (both are below 128).
    let at_most = ((u64::from(rank) * ONES) | HIGH) - sums;
    let byte = ((at_most & HIGH) >> 7).wrapping_mul(ONES) >> 56; // how many such bytes
    let shift = byte as u32 * 8;
    let below = ((sums << 8) >> shift) as u32 & 0xff;
    let mut rest = (word >> shift) & 0xff;
    for _ in below..rank {
        rest &= rest - 1;
    }
    shift + rest.trailing_zeros()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    /// Instructions of the x86-64-v3 level. Only `run_v3` may name it.
    #[derive(Clone, Copy)]
    pub(super) struct X86V3;

    impl super::Isa for X86V3 {
        #[inline(always)]
        fn select(word: u64, rank: u32) -> u32 {
            debug_assert!(rank < word.count_ones());
            Self::pick(word, 1 << rank).trailing_zeros()
        }

        #[inline(always)]
        fn pick(word: u64, bit: u64) -> u64 {
            debug_assert!(bit & bit.wrapping_sub(1) == 0);
            // SAFETY: this code is reached from `run_v3` only, which runs only
            // where BMI2 was found.
            unsafe { std::arch::x86_64::_pdep_u64(bit, word) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
fn run_v3<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<x86::X86V3>()
}

/// Whether the processor has what `run_v3` is compiled for: one load and one
/// test after the first time, since some kernels are short.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_v3() -> bool {
    match FOUND.load(Ordering::Relaxed) {
        UNKNOWN => find_v3(),
        found => found == YES,
    }
}

#[cfg(target_arch = "x86_64")]
static FOUND: AtomicU8 = AtomicU8::new(UNKNOWN);
#[cfg(target_arch = "x86_64")]
const UNKNOWN: u8 = 0;
#[cfg(target_arch = "x86_64")]
const NO: u8 = 1;
#[cfg(target_arch = "x86_64")]
const YES: u8 = 2;

#[cfg(target_arch = "x86_64")]
#[cold]
fn find_v3() -> bool {
    let found = is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe")
        && is_x86_feature_detected!("popcnt");
    FOUND.store(if found { YES } else { NO }, Ordering::Relaxed);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    struct Select(u64, u32);

    impl Kernel for Select {
        type Output = u32;

        #[inline(always)]
        fn run<I: Isa>(self) -> u32 {
            I::select(self.0, self.1)
        }
    }

    struct Pick(u64, u64);

    impl Kernel for Pick {
        type Output = u64;

        #[inline(always)]
        fn run<I: Isa>(self) -> u64 {
            I::pick(self.0, self.1)
        }
    }

    fn select_slowly(word: u64, rank: u32) -> u32 {
        (0..64).filter(|bit| word >> bit & 1 == 1).nth(rank as usize).unwrap()
    }

    #[test]
    fn all_instruction_sets_select_the_same_bit() {
        let mut rng = Seed::new(1).rng();
        let mut words = vec![1, 1 << 63, u64::MAX, 0xff, 0xff << 56, 0x8000_0000_0000_0001];
        for _ in 0..300 {
            let (a, b, c) = (rng.bits(), rng.bits(), rng.bits());
            words.extend([a, a & b, a | b, a & b & c, a | b | c]);
        }
        for word in words {
            for rank in 0..word.count_ones() {
                let expected = select_slowly(word, rank);
                assert_eq!(dispatch(Select(word, rank)), expected);
                assert_eq!(dispatch_portable(Select(word, rank)), expected);
                assert_eq!(dispatch(Pick(word, 1 << rank)), 1 << expected);
                assert_eq!(dispatch_portable(Pick(word, 1 << rank)), 1 << expected);
            }
            for bit in (word.count_ones()..64).map(|rank| 1 << rank).chain([0]) {
                assert_eq!(dispatch(Pick(word, bit)), 0);
                assert_eq!(dispatch_portable(Pick(word, bit)), 0);
            }
        }
    }
}
