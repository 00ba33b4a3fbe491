//! Which stretch of numbers an axis shows, and where a number lies on it.

use super::ticks::step;
use super::{Axis, Scale};

/// Larger numbers are no data: differences between them overflow.
const LARGEST: f64 = 1e200;

/// From what to what an axis goes: finite, `from < to`, positive on a log axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    scale: Scale,
    from: f64,
    to: f64,
}

impl Range {
    /// The range that the axis asks for, or else one that holds the numbers;
    /// nothing where there are neither.
    pub(super) fn new(axis: &Axis, numbers: impl IntoIterator<Item = f64>) -> Option<Range> {
        let scale = axis.scale;
        if let Some((from, to)) = axis.range
            && is_shown(scale, from)
            && is_shown(scale, to)
            && is_wide(scale, from, to)
        {
            return Some(Range { scale, from, to });
        }
        let numbers = numbers.into_iter().filter(|number| is_shown(scale, *number));
        let (from, to) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), number| {
            (from.min(number), to.max(number))
        });
        if from > to {
            return None;
        }
        Some(match scale {
            Scale::Linear => Range::whole_steps(from, to),
            Scale::Log => Range::with_room(from, to),
        })
    }

    /// Room for so many places, each as wide as the others, the first in the middle of its own.
    pub(super) fn places(n_places: usize) -> Option<Range> {
        (n_places > 0).then(|| Range { scale: Scale::Linear, from: -0.5, to: n_places as f64 - 0.5 })
    }

    /// A linear axis ends at ticks, which looks tidy and costs little.
    fn whole_steps(from: f64, to: f64) -> Range {
        let (from, to) = if is_wide(Scale::Linear, from, to) {
            (from, to)
        } else {
            // One number alone is put in the middle.
            let largest = from.abs().max(to.abs());
            let half = if largest < 1.0 / LARGEST { 1.0 } else { largest / 2.0 };
            (from - half, to + half)
        };
        let step = step(to - from);
        // A number that is a tick but for rounding is one.
        let from_step = (from / step + 1e-9).floor();
        let to_step = (to / step - 1e-9).ceil();
        Range { scale: Scale::Linear, from: from_step * step, to: to_step * step }
    }

    /// On a log axis the next decade may be far: it gets a little room instead.
    fn with_room(from: f64, to: f64) -> Range {
        let (from, to) = if is_wide(Scale::Log, from, to) { (from, to) } else { (from / 3.0, to * 3.0) };
        let room = ((to.ln() - from.ln()) * 0.04).exp();
        Range { scale: Scale::Log, from: from / room, to: to * room }
    }

    pub(super) fn scale(&self) -> Scale {
        self.scale
    }

    pub(super) fn from(&self) -> f64 {
        self.from
    }

    pub(super) fn to(&self) -> f64 {
        self.to
    }

    /// Where the number lies, from 0 at the beginning to 1 at the end; nothing
    /// if it is not on the axis.
    pub(super) fn share(&self, number: f64) -> Option<f64> {
        if !is_shown(self.scale, number) {
            return None;
        }
        let share = match self.scale {
            Scale::Linear => (number - self.from) / (self.to - self.from),
            Scale::Log => (number.ln() - self.from.ln()) / (self.to.ln() - self.from.ln()),
        };
        // The ends themselves belong to the axis, whatever rounding says.
        (-1e-9..=1.0 + 1e-9).contains(&share).then(|| share.clamp(0.0, 1.0))
    }

    /// As [`Range::share`], with numbers beyond an end put at that end.
    pub(super) fn share_or_end(&self, number: f64) -> f64 {
        let beyond = if number > self.from { 1.0 } else { 0.0 };
        self.share(number).unwrap_or(beyond)
    }
}

/// Whether some axis of that scale could show the number.
pub(super) fn is_shown(scale: Scale, number: f64) -> bool {
    match scale {
        Scale::Linear => number.abs() <= LARGEST,
        Scale::Log => (1.0 / LARGEST..=LARGEST).contains(&number),
    }
}

/// Whether there is enough between two numbers for ticks that differ in print.
fn is_wide(scale: Scale, from: f64, to: f64) -> bool {
    match scale {
        Scale::Linear => to - from > (1e-9 * from.abs().max(to.abs())).max(1.0 / LARGEST),
        Scale::Log => to > from * 1.001,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn axis(scale: Scale) -> Axis {
        Axis { scale, ..Axis::default() }
    }

    fn ends(axis: &Axis, numbers: &[f64]) -> Option<(f64, f64)> {
        Range::new(axis, numbers.iter().copied()).map(|range| (range.from(), range.to()))
    }

    #[test]
    fn linear_ranges_end_at_ticks() {
        let linear = axis(Scale::Linear);
        assert_eq!(ends(&linear, &[0.0, 71.8]), Some((0.0, 80.0)));
        assert_eq!(ends(&linear, &[32.0, 2336.0]), Some((0.0, 2500.0)));
        assert_eq!(ends(&linear, &[0.0, 0.5, 1.0]), Some((0.0, 1.0)));
        assert_eq!(ends(&linear, &[4.0]), Some((2.0, 6.0)));
        assert_eq!(ends(&linear, &[0.0]), Some((-1.0, 1.0)));
    }

    #[test]
    fn what_cannot_be_shown_decides_nothing() {
        let numbers = [f64::NAN, f64::INFINITY, f64::MAX, -1.0, 0.0, 1.0, 10.0];
        assert_eq!(ends(&axis(Scale::Linear), &numbers), Some((-2.0, 10.0)));
        let (from, to) = ends(&axis(Scale::Log), &numbers).unwrap();
        assert!(0.9 < from && from < 1.0 && 10.0 < to && to < 11.0, "{from} {to}");
        assert_eq!(ends(&axis(Scale::Log), &[-1.0, 0.0]), None);
        assert_eq!(ends(&axis(Scale::Linear), &[]), None);
    }

    #[test]
    fn the_axis_may_choose_its_ends() {
        let mut axis = axis(Scale::Log);
        axis.range = Some((1.0, 100.0));
        assert_eq!(ends(&axis, &[5.0]), Some((1.0, 100.0)));
        for senseless in [(0.0, 1.0), (2.0, 1.0), (1.0, f64::NAN), (1.0, 1.0)] {
            axis.range = Some(senseless);
            assert_ne!(ends(&axis, &[5.0]), Some(senseless));
        }
    }

    #[test]
    fn shares_run_from_end_to_end() {
        let axis = Axis { scale: Scale::Log, range: Some((1.0, 100.0)), ..Axis::default() };
        let range = Range::new(&axis, []).unwrap();
        assert_eq!([1.0, 10.0, 100.0].map(|number| range.share(number)), [Some(0.0), Some(0.5), Some(1.0)]);
        assert_eq!([0.0, -1.0, 0.5, 101.0, f64::NAN].map(|number| range.share(number)), [None; 5]);
        assert_eq!([0.0, -1.0, 0.5, 101.0].map(|number| range.share_or_end(number)), [0.0, 0.0, 0.0, 1.0]);
    }

    fn any_scale() -> impl Strategy<Value = Scale> {
        prop_oneof![Just(Scale::Linear), Just(Scale::Log)]
    }

    proptest! {
        #[test]
        fn data_lie_within_the_frame_and_in_order(
            scale in any_scale(),
            mut numbers in prop::collection::vec(
                prop_oneof![-1e3..1e3_f64, 1e-9..1e-3_f64, 1e3..1e12_f64, any::<f64>()], 1..20),
        ) {
            let Some(range) = Range::new(&axis(scale), numbers.iter().copied()) else {
                prop_assert!(!numbers.iter().any(|number| is_shown(scale, *number)));
                return Ok(());
            };
            prop_assert!(range.from() < range.to());
            numbers.retain(|number| is_shown(scale, *number));
            numbers.sort_by(f64::total_cmp);
            let shares: Vec<f64> = numbers.iter().filter_map(|number| range.share(*number)).collect();
            prop_assert_eq!(shares.len(), numbers.len());
            prop_assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
            prop_assert!(shares.is_sorted());
        }
    }
}
