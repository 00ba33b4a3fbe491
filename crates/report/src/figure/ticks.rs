//! At which numbers an axis has a tick, and how it is labelled.
//!
//! Linear axes count in steps of 1, 2 or 5 times a power of ten. Log axes mark
//! the powers of ten and, where few of those are in sight, 2 and 5 times them;
//! if all the data lie at powers of two, as budgets often do, those instead.

use super::Scale;
use super::range::Range;
use crate::numbers;

/// About as many steps as an axis has.
const STEPS: f64 = 6.0;
/// Log axes of fewer decades have labels between the powers of ten.
const FEW_DECADES: f64 = 2.5;
/// Log axes of more decades have no small ticks.
const MANY_DECADES: f64 = 5.0;

/// A mark on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) number: f64,
    /// What is written there.
    pub(super) label: String,
    pub(super) rank: Rank,
}

impl Tick {
    /// One place of an axis whose labels are written elsewhere.
    pub(super) fn place(number: usize) -> Tick {
        Tick { number: number as f64, label: String::new(), rank: Rank::First }
    }
}

/// Which ticks have a label first when there is not room for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// Labelled, evenly thinned out if they are too many.
    First,
    /// Labelled where there is room.
    Second,
    /// Never labelled.
    Small,
}

/// The smallest of 1, 2 or 5 times a power of ten that divides the span into
/// few enough steps.
pub(super) fn step(span: f64) -> f64 {
    let least = span / STEPS;
    let power = 10_f64.powi(least.log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0].map(|factor| factor * power);
    steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// The ticks of an axis, in order within each rank. The data decide whether a
/// log axis counts in twos.
pub(super) fn ticks(range: &Range, data: &[f64]) -> Vec<Tick> {
    let decades = (range.to() / range.from()).log10();
    match range.scale() {
        Scale::Linear => linear(range),
        Scale::Log if are_powers_of_two(data) => powers_of_two(range),
        Scale::Log if decades < FEW_DECADES => few_decades(range),
        Scale::Log => many_decades(range, decades),
    }
}

fn linear(range: &Range) -> Vec<Tick> {
    let step = step(range.to() - range.from());
    let first = (range.from() / step - 1e-9).ceil();
    let numbers = (0..=STEPS as u32 + 1).map(|i| (first + f64::from(i)) * step);
    let decimals = (-(step.log10() + 1e-9).floor()).max(0.0);
    let largest = range.from().abs().max(range.to().abs());
    let label = |number: f64| {
        // Where a number would be a row of zeros, its power of ten says more.
        let is_extreme = decimals > 4.0 || largest >= 1e7;
        if is_extreme { numbers::readable(number) } else { numbers::decimal(number, decimals as usize) }
    };
    numbers
        .filter(|number| range.share(*number).is_some())
        .map(|number| Tick { number, label: label(number), rank: Rank::First })
        .collect()
}

fn are_powers_of_two(data: &[f64]) -> bool {
    let is_power = |number: &f64| *number > 0.0 && (number.log2() - number.log2().round()).abs() < 1e-9;
    data.len() >= 3 && data.iter().all(is_power)
}

fn powers_of_two(range: &Range) -> Vec<Tick> {
    let exponents = range.from().log2().floor() as i32..=range.to().log2().ceil() as i32;
    exponents.filter_map(|exponent| tick(range, 2_f64.powi(exponent), Rank::First)).collect()
}

fn few_decades(range: &Range) -> Vec<Tick> {
    let rank = |factor| match factor {
        1 => Rank::First,
        2 | 5 => Rank::Second,
        _ => Rank::Small,
    };
    let ticks = decimal_multiples(range, rank);
    if ticks.iter().filter(|tick| tick.rank < Rank::Small).count() >= 3 { ticks } else { linear(range) }
}

fn many_decades(range: &Range, decades: f64) -> Vec<Tick> {
    let mut ticks = decimal_multiples(range, |factor| if factor == 1 { Rank::First } else { Rank::Small });
    if decades > MANY_DECADES {
        ticks.retain(|tick| tick.rank == Rank::First);
    }
    ticks
}

/// 1 to 9 times each power of ten in the range.
fn decimal_multiples(range: &Range, rank: impl Fn(i32) -> Rank) -> Vec<Tick> {
    let exponents = range.from().log10().floor() as i32..=range.to().log10().ceil() as i32;
    exponents
        .flat_map(|exponent| (1..=9).map(move |factor| (factor, exponent)))
        .filter_map(|(factor, exponent)| tick(range, multiple(factor, exponent), rank(factor)))
        .collect()
}

/// Exactly the number that print would give, which `powi` is not for all.
fn multiple(factor: i32, exponent: i32) -> f64 {
    format!("{factor}e{exponent}").parse().unwrap_or(f64::NAN)
}

fn tick(range: &Range, number: f64, rank: Rank) -> Option<Tick> {
    range.share(number)?;
    Some(Tick { number, label: numbers::readable(number), rank })
}

/// Which ticks are labelled so that no two labels come nearer than they may.
/// `place` says where a tick is, and how much room its label takes there.
pub(super) fn labelled(ticks: &[Tick], place: impl Fn(&Tick) -> (f64, f64)) -> Vec<&Tick> {
    let collide = |a: &Tick, b: &Tick| {
        let ((at_a, room_a), (at_b, room_b)) = (place(a), place(b));
        (at_a - at_b).abs() < (room_a + room_b) / 2.0
    };
    let first: Vec<&Tick> = ticks.iter().filter(|tick| tick.rank == Rank::First).collect();
    let thinned = |every: usize| first.iter().copied().step_by(every).collect::<Vec<_>>();
    let fits = |some: &[&Tick]| some.windows(2).all(|pair| !collide(pair[0], pair[1]));
    let mut chosen = (1..=first.len()).map(thinned).find(|some| fits(some)).unwrap_or_default();
    for tick in ticks.iter().filter(|tick| tick.rank == Rank::Second) {
        if !chosen.iter().any(|other| collide(tick, other)) {
            chosen.push(tick);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Axis;
    use super::*;

    fn labels(scale: Scale, ends: (f64, f64), data: &[f64]) -> String {
        let axis = Axis { scale, range: Some(ends), ..Axis::default() };
        let ticks = ticks(&Range::new(&axis, []).unwrap(), data);
        let shown = ticks.iter().filter(|tick| tick.rank < Rank::Small);
        shown.map(|tick| tick.label.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn linear_steps_are_one_two_or_five() {
        let linear = |from, to| labels(Scale::Linear, (from, to), &[]);
        assert_eq!(linear(0.0, 100.0), "0 20 40 60 80 100");
        assert_eq!(linear(0.0, 2500.0), "0 500 1,000 1,500 2,000 2,500");
        assert_eq!(linear(-0.1, 0.2), "−0.10 −0.05 0.00 0.05 0.10 0.15 0.20");
        assert_eq!(linear(0.3, 0.9), "0.3 0.4 0.5 0.6 0.7 0.8 0.9");
        assert_eq!(linear(0.0, 5e-5), "0 10⁻⁵ 2×10⁻⁵ 3×10⁻⁵ 4×10⁻⁵ 5×10⁻⁵");
        assert_eq!(linear(0.0, 3e9), "0 5×10⁸ 10⁹ 1.5×10⁹ 2×10⁹ 2.5×10⁹ 3×10⁹");
    }

    #[test]
    fn log_axes_count_in_decades() {
        let log = |from, to| labels(Scale::Log, (from, to), &[]);
        assert_eq!(log(5e-7, 0.2), "10⁻⁶ 10⁻⁵ 10⁻⁴ 0.001 0.01 0.1");
        assert_eq!(log(30.0, 2500.0), "50 100 200 500 1,000 2,000");
        assert_eq!(log(1.0, 1000.0), "1 10 100 1,000");
        // Too narrow for that.
        assert_eq!(log(30.0, 36.0), "30 31 32 33 34 35 36");
    }

    #[test]
    fn powers_of_two_are_marked_as_such() {
        let data = [1.0, 2.0, 16.0];
        assert_eq!(labels(Scale::Log, (0.9, 17.0), &data), "1 2 4 8 16");
        assert_eq!(labels(Scale::Log, (0.9, 17.0), &[1.0, 3.0, 16.0]), "1 2 5 10");
    }

    #[test]
    fn labels_are_thinned_evenly_and_the_lesser_ones_yield() {
        let tick = |number, rank| Tick { number, label: String::new(), rank };
        let ticks: Vec<Tick> = (0..9)
            .map(|i| tick(f64::from(i), Rank::First))
            .chain([tick(0.5, Rank::Second), tick(10.0, Rank::Second), tick(20.0, Rank::Small)])
            .collect();
        let shown: Vec<f64> = labelled(&ticks, |t| (t.number, 1.5)).iter().map(|t| t.number).collect();
        assert_eq!(shown, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert!(labelled(&[], |t| (t.number, 1.0)).is_empty());
    }

    proptest! {
        #[test]
        fn every_range_has_a_few_ticks_inside(
            log in any::<bool>(),
            from in prop_oneof![1e-9..1.0_f64, 1.0..1e9_f64],
            span in prop_oneof![1e-6..1.0_f64, 1.0..1e12_f64],
        ) {
            let scale = if log { Scale::Log } else { Scale::Linear };
            let axis = Axis { scale, range: Some((from, from * (1.01 + span))), ..Axis::default() };
            let range = Range::new(&axis, []).unwrap();
            let ticks = ticks(&range, &[]);
            let n_shown = ticks.iter().filter(|tick| tick.rank < Rank::Small).count();
            prop_assert!((2..=25).contains(&n_shown), "{n_shown} ticks");
            prop_assert!(ticks.iter().all(|tick| range.share(tick.number).is_some()));
        }
    }
}
