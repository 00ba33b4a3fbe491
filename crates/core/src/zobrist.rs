//! Zobrist keys without tables.
//!
//! A key is the SplitMix64 mix of its index, a handful of instructions: as fast
//! as a load that may miss, the same on every machine, and one set of keys for
//! all games and sizes.

use crate::Side;
use crate::seed::mix;

/// The key of the fact with this number. Each game numbers its facts itself.
#[inline]
pub const fn key(fact: u32) -> u64 {
    // An odd multiplier keeps facts apart; the offset keeps fact 0 off the fixed
    // point mix(0) = 0.
    mix((fact as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The key of "a stone of this side stands on this point".
#[inline]
pub const fn stone(side: Side, point: usize) -> u64 {
    key(point as u32 * 2 + side as u32)
}

/// The key of the side to move: 0 for Black.
#[inline]
pub const fn turn(side: Side) -> u64 {
    match side {
        Side::Black => 0,
        Side::White => key(1 << 20),
    }
}

/// The key of any other fact of a game, such as a ko point or a count of passes.
/// Never equal to a key of [`stone`] or [`turn`] for fewer than 2¹⁹ points.
#[inline]
pub const fn extra(fact: u32) -> u64 {
    key((1 << 21) + fact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn keys_are_stable_and_distinct() {
        // The first output of SplitMix64 from seed 0.
        assert_eq!(key(0), 0xe220_a839_7b1d_cdaf);
        let mut seen = BTreeSet::from([0]);
        for point in 0..400 {
            for side in Side::BOTH {
                assert!(seen.insert(stone(side, point)));
            }
            assert!(seen.insert(extra(point as u32)));
        }
        assert!(seen.insert(turn(Side::White)));
    }
}
