//! The first of the greatest.

use tesuji_core::isa::{Isa, Kernel, dispatch};

/// Values that are looked at together.
pub(super) const LANES: usize = 8;

/// The first of the greatest values, while they are computed eight at a time:
/// they need not be written down.
pub(super) struct Best {
    values: [f32; LANES],
    /// The group each is from: a number like the values, so that the compiler
    /// keeps the lanes together.
    groups: [f32; LANES],
}

impl Best {
    #[inline(always)]
    pub(super) fn new() -> Best {
        Best { values: [f32::NEG_INFINITY; LANES], groups: [0.0; LANES] }
    }

    /// Looks at the next eight values.
    #[inline(always)]
    pub(super) fn see(&mut self, group: usize, values: [f32; LANES]) {
        let group = [group as i32 as f32; LANES];
        for lane in 0..LANES {
            let better = values[lane] > self.values[lane];
            self.groups[lane] = if better { group[lane] } else { self.groups[lane] };
            self.values[lane] = if better { values[lane] } else { self.values[lane] };
        }
    }

    /// The place of the greatest, the first of equals; `rest` are the values
    /// after so many groups.
    #[inline(always)]
    pub(super) fn place(self, groups: usize, rest: impl Iterator<Item = f32>) -> usize {
        let mut top = (f32::NEG_INFINITY, usize::MAX);
        for lane in 0..LANES {
            let at = self.groups[lane] as usize * LANES + lane;
            if self.values[lane] > top.0 || (self.values[lane] == top.0 && at < top.1) {
                top = (self.values[lane], at);
            }
        }
        for (at, value) in (groups * LANES..).zip(rest) {
            if value > top.0 {
                top = (value, at);
            }
        }
        // Everything was minus infinity: the first.
        if top.1 == usize::MAX { 0 } else { top.1 }
    }
}

/// The index of the greatest value, the first of equals. Values are not NaN; there is at least one.
#[inline]
pub(crate) fn first_greatest(values: &[f32]) -> usize {
    dispatch(FirstGreatest { values })
}

struct FirstGreatest<'a> {
    values: &'a [f32],
}

impl Kernel for FirstGreatest<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self) -> usize {
        best_of(self.values)
    }
}

/// [`first_greatest`], to be inlined into a kernel: the greatest value first,
/// eight at a time, then its place.
#[inline(always)]
fn best_of(values: &[f32]) -> usize {
    let (groups, rest) = values.as_chunks::<LANES>();
    let mut greatest = [f32::NEG_INFINITY; LANES];
    for group in groups {
        for lane in 0..LANES {
            greatest[lane] = if group[lane] > greatest[lane] { group[lane] } else { greatest[lane] };
        }
    }
    let mut top = f32::NEG_INFINITY;
    for value in greatest.into_iter().chain(rest.iter().copied()) {
        top = if value > top { value } else { top };
    }
    for (place, group) in groups.iter().enumerate() {
        let hits = (0..LANES).fold(0_u32, |hits, lane| hits | u32::from(group[lane] == top) << lane);
        if hits != 0 {
            return place * LANES + hits.trailing_zeros() as usize;
        }
    }
    groups.len() * LANES + rest.iter().position(|&value| value == top).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_the_first_of_the_greatest(values in prop::collection::vec(0_u8..20, 1..100)) {
            let values: Vec<f32> = values.into_iter().map(|value| if value == 19 { f32::INFINITY } else { f32::from(value) }).collect();
            let top = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let first = values.iter().position(|&value| value == top);
            prop_assert_eq!(Some(first_greatest(&values)), first);
            let (groups, rest) = values.as_chunks::<LANES>();
            let mut best = Best::new();
            groups.iter().enumerate().for_each(|(group, values)| best.see(group, *values));
            prop_assert_eq!(Some(best.place(groups.len(), rest.iter().copied())), first);
        }
    }
}
