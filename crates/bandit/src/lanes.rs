//! The greatest of many values. Asked for after every single sample, so it is
//! looked for in lanes: comparisons that need not wait for one another.

/// How many values are looked at together.
const LANES: usize = 4;

/// The greatest of the values as `seen`; −∞ of none. No value is NaN.
#[inline]
pub(crate) fn maximum(values: &[f64], seen: impl Fn(f64) -> f64) -> f64 {
    // `f64::max` would look for NaN too.
    let greater = |a: f64, b: f64| if b > a { b } else { a };
    let mut best = [f64::NEG_INFINITY; LANES];
    let groups = values.chunks_exact(LANES);
    let rest = groups.remainder();
    for group in groups {
        for lane in 0..LANES {
            best[lane] = greater(best[lane], seen(group[lane]));
        }
    }
    let best = best.into_iter().fold(f64::NEG_INFINITY, greater);
    rest.iter().fold(best, |best, &value| greater(best, seen(value)))
}

/// Writes the arms with the greatest value into `chosen`, in index order, and returns
/// the value. All arms are chosen if all values are −∞.
pub(crate) fn greatest(values: &[f64], chosen: &mut Vec<usize>) -> f64 {
    let greatest = maximum(values, |value| value);
    chosen.clear();
    for (arm, &value) in values.iter().enumerate() {
        if value == greatest {
            chosen.push(arm);
        }
    }
    greatest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_is_found_wherever_it_is() {
        for length in 1..12 {
            for place in 0..length {
                let mut values = vec![0.25; length];
                values[place] = 0.5;
                assert_eq!(maximum(&values, |value| value), 0.5);
                assert_eq!(maximum(&values, |value| -value), if length == 1 { -0.5 } else { -0.25 });
            }
        }
        assert_eq!(maximum(&[], |value| value), f64::NEG_INFINITY);
    }

    #[test]
    fn equal_values_are_all_chosen() {
        let mut chosen = Vec::new();
        assert_eq!(greatest(&[0.5, 2.0, 1.0, 2.0, 2.0], &mut chosen), 2.0);
        assert_eq!(chosen, [1, 3, 4]);
        assert_eq!(greatest(&[f64::NEG_INFINITY; 2], &mut chosen), f64::NEG_INFINITY);
        assert_eq!(chosen, [0, 1]);
    }
}
