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

/// Up to so many arms are ranked by counting, for each, those ahead of it: a
/// square number of comparisons, but none of them a branch to mispredict.
const FEW: usize = 40;

/// Sorts keys; keeps the memory it needs for that.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranking {
    firsts: Vec<f64>,
    before: Vec<Key>,
}

impl Ranking {
    /// Takes the memory that ranking so many arms may need, whatever their keys.
    pub(super) fn reserve(&mut self, n_arms: usize) {
        let n = n_arms.min(FEW);
        self.firsts.clear();
        self.firsts.reserve(n);
        self.before.clear();
        self.before.reserve(n);
    }

    /// Puts the best keys first. Their places are their indices.
    pub(super) fn sort(&mut self, keys: &mut [Key]) {
        debug_assert!(keys.iter().enumerate().all(|(place, key)| key.place == place));
        let one_value = keys.windows(2).all(|pair| pair[0].second == pair[1].second);
        if keys.len() > FEW || !one_value {
            return keys.sort_unstable_by(compare);
        }
        self.firsts.clear();
        self.firsts.extend(keys.iter().map(|key| key.first));
        self.before.clear();
        self.before.extend_from_slice(keys);
        for key in &self.before {
            let (earlier, later) = self.firsts.split_at(key.place);
            let ahead = earlier.iter().map(|first| usize::from(*first >= key.first)).sum::<usize>()
                + later.iter().map(|first| usize::from(*first > key.first)).sum::<usize>();
            keys[ahead] = *key;
        }
    }
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
        fn counting_and_sorting_agree(values in prop::collection::vec((0_u8..6, 0_u8..3), 0..80), scored: bool) {
            let mut keys: Vec<Key> = values.iter().enumerate().map(|(place, &(first, second))| {
                let first = if first == 0 { f64::NEG_INFINITY } else { f64::from(first) };
                Key { first, second: if scored { f64::from(second) } else { 0.0 }, arm: place + 7, place }
            }).collect();
            let mut expected = keys.clone();
            expected.sort_by(compare);
            Ranking::default().sort(&mut keys);
            prop_assert_eq!(keys, expected);
        }
    }
}
