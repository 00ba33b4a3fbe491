//! Best arms first.

use std::cmp::Ordering;

use tesuji_core::Ranked;
use tesuji_core::isa::{Isa, Kernel, dispatch};

/// What an arm is ranked by: its q, then `second`, then its place before. The
/// places are random at the beginning, and so are the last ties.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Key {
    pub(super) ranked: Ranked,
    pub(super) second: f64,
    pub(super) place: usize,
}

/// The greatest number of arms that are ranked by counting.
const FEW: usize = 64;
/// Keys that are compared together.
const LANES: usize = 4;

/// Ranks a few arms by their means; keeps the memory it needs for that.
#[derive(Clone, Debug)]
pub(super) struct Ranking {
    keys: [[f64; LANES]; FEW / LANES],
    ranked: [usize; FEW],
}

impl Default for Ranking {
    fn default() -> Ranking {
        Ranking { keys: [[0.0; LANES]; FEW / LANES], ranked: [0; FEW] }
    }
}

impl Ranking {
    /// Whether [`by_mean`](Ranking::by_mean) can rank `n_arms` arms.
    pub(super) fn is_few(n_arms: usize) -> bool {
        n_arms <= FEW
    }

    /// Keeps the best `kept` of a few arms by their means, which are in [0, 1]; best first,
    /// equals in the order they have.
    ///
    /// The place of an arm takes the last 6 bits of its key, so that no two keys are
    /// equal; means that differ by less than 10⁻¹³ count as equal for that: it is rounding,
    /// not knowledge.
    #[inline]
    pub(super) fn by_mean(&mut self, arms: &mut Vec<usize>, kept: usize, mean: impl Fn(usize) -> f64) {
        debug_assert!(Ranking::is_few(arms.len()));
        // What fills the last group up is never ahead of an arm.
        self.keys[(arms.len() - 1) / LANES] = [-1.0; LANES];
        for (place, &arm) in arms.iter().enumerate() {
            // From 1 to 2 all doubles have their last bit in the same place.
            let bits = (1.0 + mean(arm)).to_bits();
            let last_bits = FEW as u64 - 1;
            self.keys[place / LANES][place % LANES] =
                f64::from_bits(bits & !last_bits | (last_bits - place as u64));
        }
        dispatch(KeepBest { ranking: self, arms, kept });
    }
}

/// For each arm those ahead of it are counted: a square number of comparisons, but
/// several at once and none of them a branch to mispredict. Counts are doubles like
/// the keys, so that the compiler keeps the lanes together.
struct KeepBest<'a> {
    ranking: &'a mut Ranking,
    arms: &'a mut Vec<usize>,
    kept: usize,
}

impl Kernel for KeepBest<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let KeepBest { ranking, arms, kept } = self;
        let groups = &ranking.keys[..arms.len().div_ceil(LANES)];
        for (&own, &arm) in groups.as_flattened().iter().zip(arms.iter()) {
            let mut ahead = [0.0; LANES];
            for group in groups {
                for lane in 0..LANES {
                    ahead[lane] += if group[lane] > own { 1.0 } else { 0.0 };
                }
            }
            let ahead = (ahead[0] + ahead[2]) + (ahead[1] + ahead[3]);
            ranking.ranked[ahead as u32 as usize % FEW] = arm;
        }
        arms.truncate(kept);
        arms.copy_from_slice(&ranking.ranked[..kept]);
    }
}

/// Puts the best keys first. Their places are their indices.
pub(super) fn sort(keys: &mut [Key]) {
    keys.sort_unstable_by(compare);
}

/// The order of keys, best first. Values are never NaN.
pub(super) fn compare(a: &Key, b: &Key) -> Ordering {
    let descending = |a: f64, b: f64| b.partial_cmp(&a).unwrap_or(Ordering::Equal);
    descending(a.ranked.q, b.ranked.q).then(descending(a.second, b.second)).then(a.place.cmp(&b.place))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn counting_and_sorting_agree(values in prop::collection::vec(0_u8..9, 1..=FEW), kept in 1_usize..=FEW) {
            let mean = |place: usize| f64::from(values[place]) / 8.0;
            let key = |place: usize| {
                let (q, mean) = (mean(place), mean(place));
                Key { ranked: Ranked { arm: place + 7, q, mean, bonus: 0.0 }, second: 0.0, place }
            };
            let mut keys: Vec<Key> = (0..values.len()).map(key).collect();
            sort(&mut keys);
            let kept = kept.min(values.len());
            let expected: Vec<usize> = keys[..kept].iter().map(|key| key.ranked.arm).collect();
            let mut arms: Vec<usize> = (7..values.len() + 7).collect();
            Ranking::default().by_mean(&mut arms, kept, |arm| mean(arm - 7));
            prop_assert_eq!(arms, expected);
        }
    }
}
