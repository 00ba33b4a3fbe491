//! Best arms first.

use std::cmp::Ordering;

/// What an arm is ranked by: first `first`, then `second`, then its place
/// before. The places are random at the beginning, and so are the last ties.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Key {
    pub(super) first: f64,
    pub(super) second: f64,
    pub(super) arm: usize,
    pub(super) place: usize,
}

/// Up to so many arms are ranked by one word each.
const FEW: usize = 64;

/// Sorts arms; keeps the memory it needs for that.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranking {
    words: Vec<u64>,
    before: Vec<usize>,
}

impl Ranking {
    /// Takes the memory that ranking so many arms may need.
    pub(super) fn reserve(&mut self, n_arms: usize) {
        let n = n_arms.min(FEW);
        self.words.clear();
        self.words.reserve(n);
        self.before.clear();
        self.before.reserve(n);
    }

    /// Whether [`by_value`](Ranking::by_value) can rank so many arms.
    pub(super) fn is_few(n_arms: usize) -> bool {
        n_arms <= FEW
    }

    /// Keeps the best `kept` of a few arms by one value each, best first, equals
    /// in the order they have.
    ///
    /// A value and its place are packed into one word whose order is theirs, and
    /// words are sorted without a branch to mispredict. The place takes the last 6 bits
    /// of the value, so values that differ by less than 10⁻¹³ of themselves count as
    /// equal: that is rounding, not knowledge.
    #[inline]
    pub(super) fn by_value(&mut self, arms: &mut Vec<usize>, kept: usize, value: impl Fn(usize) -> f64) {
        debug_assert!(Ranking::is_few(arms.len()));
        self.words.clear();
        self.words.extend(arms.iter().enumerate().map(|(place, &arm)| {
            let bits = value(arm).to_bits();
            // As whole numbers, doubles are in order once negative ones are turned round.
            let ascending = bits ^ (((bits as i64 >> 63) as u64) | 1 << 63);
            !ascending & !(FEW as u64 - 1) | place as u64
        }));
        self.words.sort_unstable();
        self.before.clear();
        self.before.extend_from_slice(arms);
        arms.clear();
        arms.extend(self.words[..kept].iter().map(|word| self.before[*word as usize % FEW]));
    }
}

/// Puts the best keys first. Their places are their indices.
pub(super) fn sort(keys: &mut [Key]) {
    keys.sort_unstable_by(compare);
}

/// The order of keys, best first. Values are never NaN.
pub(super) fn compare(a: &Key, b: &Key) -> Ordering {
    let descending = |a: f64, b: f64| b.partial_cmp(&a).unwrap_or(Ordering::Equal);
    descending(a.first, b.first).then(descending(a.second, b.second)).then(a.place.cmp(&b.place))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_and_keys_agree(values in prop::collection::vec(-3_i8..6, 1..=FEW), kept in 1_usize..=FEW) {
            let value = |place: usize| match values[place] {
                -3 => f64::NEG_INFINITY,
                other => f64::from(other) / 7.0,
            };
            let key = |place: usize| Key { first: value(place), second: 0.0, arm: place + 7, place };
            let mut keys: Vec<Key> = (0..values.len()).map(key).collect();
            sort(&mut keys);
            let kept = kept.min(values.len());
            let expected: Vec<usize> = keys[..kept].iter().map(|key| key.arm).collect();
            let mut arms: Vec<usize> = (7..values.len() + 7).collect();
            Ranking::default().by_value(&mut arms, kept, |arm| value(arm - 7));
            prop_assert_eq!(arms, expected);
        }
    }
}
