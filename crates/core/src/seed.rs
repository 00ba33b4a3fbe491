//! Addresses for randomness.
//!
//! Every random number has an address, a path of names and numbers from a root:
//! experiment, cell, game, ply, arm. A [`Seed`] is the hash of such a path, and
//! [`Seed::child`] takes one step down. Nothing random ever depends on a thread,
//! a clock or the order in which work was done.
//!
//! A seed has 128 bits: among 10⁹ addresses the chance that any two share a
//! seed is about 10⁻²¹. With 64 bits it would be 3%.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::Rng;

/// Finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection of `u64`
/// whose output bits each depend on every input bit.
#[inline]
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The increment of SplitMix64: 2⁶⁴ divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// A second odd constant (2⁶⁴ times the fractional part of √2), so that the two
/// halves of a seed are mixed differently.
const SQUARE_ROOT: u64 = 0x6a09_e667_f3bc_c909;

/// The address of a stream of random numbers.
///
/// ```
/// use tesuji_core::Seed;
/// let game = Seed::new(1).child("go:9").child(17_u64);
/// assert_eq!(game, Seed::new(1).child("go:9").child(17_u64));
/// assert_ne!(game, Seed::new(1).child("go:9").child(18_u64));
/// let mut rng = game.rng();
/// assert!(rng.below(6) < 6);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seed([u64; 2]);

impl Seed {
    /// The root of a tree of addresses, by its number.
    pub const fn new(root: u64) -> Seed {
        Seed([mix(root.wrapping_add(GOLDEN)), mix(root ^ SQUARE_ROOT)])
    }

    /// The address one step below this one, named by a number or a word.
    #[must_use]
    pub fn child(self, step: impl Step) -> Seed {
        step.below(self)
    }

    /// A generator at the start of the stream with this address.
    pub fn rng(self) -> Rng {
        Rng::from_state(self.rng_state())
    }

    /// The seed as two words, so that a device can take its children.
    pub fn words(self) -> [u64; 2] {
        self.0
    }

    /// The state of xoshiro256++ at the start of the stream, for generators elsewhere that
    /// make the same numbers.
    pub fn rng_state(self) -> [u64; 4] {
        let Seed([a, b]) = self;
        [
            mix(a.wrapping_add(GOLDEN)),
            mix(b.wrapping_add(GOLDEN)),
            mix(a.wrapping_add(GOLDEN.wrapping_mul(2))),
            mix(b.wrapping_add(GOLDEN.wrapping_mul(2))),
        ]
    }

    const fn step(self, word: u64) -> Seed {
        let Seed([a, b]) = self;
        let low = mix(a ^ mix(word.wrapping_add(GOLDEN)));
        // The halves meet here, so that each child's half depends on both of
        // its parent's.
        let high = mix(b.wrapping_add(mix(word ^ SQUARE_ROOT)) ^ low.rotate_left(32));
        Seed([low, high])
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seed({self})")
    }
}

/// Prints 32 hexadecimal digits.
impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.0[0], self.0[1])
    }
}

/// The text is not a seed: neither a whole number nor 32 hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "'{0}' is not a seed: give a whole number from 0 to 18446744073709551615, or the 32 hexadecimal digits of a seed"
)]
pub struct ParseSeedError(String);

/// Reads a whole number as [`Seed::new`] does, and 32 hexadecimal digits as a
/// printed seed.
impl FromStr for Seed {
    type Err = ParseSeedError;

    fn from_str(text: &str) -> Result<Seed, ParseSeedError> {
        if text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let half = |digits| u64::from_str_radix(digits, 16);
            if let (Ok(a), Ok(b)) = (half(&text[..16]), half(&text[16..])) {
                return Ok(Seed([a, b]));
            }
        }
        match text.parse() {
            Ok(root) => Ok(Seed::new(root)),
            Err(_) => Err(ParseSeedError(text.to_owned())),
        }
    }
}

/// The name of one step of an address: a number or a word.
pub trait Step {
    /// The address that this step leads to from `parent`.
    fn below(self, parent: Seed) -> Seed;
}

impl Step for u64 {
    #[inline]
    fn below(self, parent: Seed) -> Seed {
        parent.step(self)
    }
}

impl Step for &str {
    /// A word is a step for its length (marked, so that no number equals it),
    /// then one for each eight bytes.
    fn below(self, parent: Seed) -> Seed {
        let bytes = self.as_bytes();
        let marked = (bytes.len() as u64) | 1 << 63;
        bytes.chunks(8).fold(parent.step(marked), |seed, chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            seed.step(u64::from_le_bytes(word))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Published results depend on these bits: they never change.
    #[test]
    fn addresses_are_stable() {
        let seed = Seed::new(1);
        assert_eq!(seed.to_string(), "910a2dec89025cc1492b8d6066c09227");
        assert_eq!(seed.child(7_u64).to_string(), "062180e58fc8f67ed261871428647bda");
        assert_eq!(seed.child("go:9").to_string(), "1eeb1f401e2b2870a9c69381c8fa7d5c");
        assert_eq!(seed.child("a longer name than a word").to_string(), "79c3264bd7baf7ddfdfd930b0be1c6f9");
    }

    #[test]
    fn a_seed_is_read_back_from_its_text() {
        let seed = Seed::new(3).child("x");
        assert_eq!(seed.to_string().parse(), Ok(seed));
        assert_eq!("3".parse(), Ok(Seed::new(3)));
        assert!("three".parse::<Seed>().is_err());
        assert!("".parse::<Seed>().is_err());
    }

    #[test]
    fn near_addresses_differ_in_half_of_their_bits() {
        let mut seen = BTreeSet::new();
        let mut differing = 0;
        for i in 0..1000_u64 {
            let a = Seed::new(0).child(i);
            let b = Seed::new(0).child(i + 1);
            assert!(seen.insert(a));
            differing += (a.0[0] ^ b.0[0]).count_ones() + (a.0[1] ^ b.0[1]).count_ones();
        }
        // 128,000 fair coins: mean 64,000, standard deviation 179; five of them.
        assert!((differing as f64 - 64_000.0).abs() < 5.0 * 179.0, "{differing}");
    }

    #[test]
    fn order_and_grouping_matter() {
        let root = Seed::new(0);
        assert_ne!(root.child(1_u64).child(2_u64), root.child(2_u64).child(1_u64));
        assert_ne!(root.child("ab").child("c"), root.child("a").child("bc"));
        assert_ne!(root.child("").child(5_u64), root.child(5_u64));
    }
}
