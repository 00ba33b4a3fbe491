//! The first of the greatest.

use tesuji_core::isa::{Isa, Kernel, dispatch};

/// Values that are looked at together.
pub(super) const LANES: usize = 8;

/// Computes values eight at a time, writes them down and finds the first of
/// the greatest: to be inlined into a kernel. `group` gives eight at once, `rest`
/// one of those after the last group, by its place there.
#[inline(always)]
pub(super) fn first_best(
    values: &mut [f32],
    group: impl Fn(usize) -> [f32; LANES],
    rest: impl Fn(usize) -> f32,
) -> usize {
    let (groups, last) = values.as_chunks_mut::<LANES>();
    let mut greatest = [f32::NEG_INFINITY; LANES];
    for (at, values) in groups.iter_mut().enumerate() {
        *values = group(at);
        for lane in 0..LANES {
            greatest[lane] = if values[lane] > greatest[lane] { values[lane] } else { greatest[lane] };
        }
    }
    for (at, value) in last.iter_mut().enumerate() {
        *value = rest(at);
    }
    place_of(greatest, values)
}

/// The first place of the greatest value, given the greatest of each lane.
#[inline(always)]
fn place_of(greatest: [f32; LANES], values: &[f32]) -> usize {
    let (groups, rest) = values.as_chunks::<LANES>();
    let mut top = f32::NEG_INFINITY;
    for value in greatest {
        top = if value > top { value } else { top };
    }
    for &value in rest {
        top = if value > top { value } else { top };
    }
    for (place, group) in groups.iter().enumerate() {
        let is_here = group.iter().fold(false, |is_here, &value| is_here | (value == top));
        if is_here {
            return place * LANES + group.iter().position(|&value| value == top).unwrap_or(0);
        }
    }
    let in_rest = rest.iter().position(|&value| value == top);
    in_rest.map_or(0, |at| groups.len() * LANES + at)
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
        let (groups, _) = self.values.as_chunks::<LANES>();
        let mut greatest = [f32::NEG_INFINITY; LANES];
        for group in groups {
            for lane in 0..LANES {
                greatest[lane] = if group[lane] > greatest[lane] { group[lane] } else { greatest[lane] };
            }
        }
        place_of(greatest, self.values)
    }
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
            let mut written = vec![0.0; values.len()];
            let found = first_best(&mut written, |at| groups[at], |at| rest[at]);
            prop_assert_eq!(Some(found), first);
            prop_assert_eq!(&written, &values);
        }
    }
}
