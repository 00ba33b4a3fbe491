//! The bounds against slow ones that are written as the paper prints them, and
//! values by hand.

use proptest::prelude::*;
use tesuji_core::{Rewards, Seed};

use super::*;

/// `h`, the gap and what else the paper's formulas need of an arm.
struct Slow {
    h: f64,
    u: f64,
    n: f64,
    variance: f64,
}

impl Slow {
    fn of(arms: &Arms, arm: usize) -> Slow {
        let means: Vec<f64> = (0..arms.len()).map(|arm| arms.mean(arm)).collect();
        let best = means.iter().copied().fold(0.0, f64::max);
        let below = means.iter().copied().filter(|&mean| mean < best).reduce(f64::max);
        let (h, u) = match below {
            None => (best.max(1.0 - best), 0.0),
            Some(second) if means[arm] == best => (second, best - second),
            Some(_) => (1.0 - best, best - means[arm]),
        };
        Slow { h, u, n: arms.count(arm) as f64, variance: arms.variance(arm).unwrap_or(0.0) }
    }

    /// A bound on the probability that a mean is off by `u`.
    fn probability(&self, bound: Bound, u: f64) -> f64 {
        let hoeffding = (-2.0 * u * u * self.n).exp();
        if bound != Bound::Bernstein || self.n < 2.0 || u == 0.0 {
            return hoeffding;
        }
        let width = 14.0 / 3.0 * self.n / (self.n - 1.0) * u + 2.0 * self.variance;
        hoeffding.min(2.0 * (-u * u * self.n / width).exp())
    }

    /// The value of information in this form, with `left` samples left.
    fn value(&self, bound: Bound, form: Form, left: f64) -> f64 {
        let (h, u, n) = (self.h, self.u, self.n);
        match form {
            Form::Blinkered => {
                let h = h * left / (left + n);
                let factor = (1.0 + n / left) / (1.0 + (n / left).sqrt());
                let to_come = |u: f64| self.probability(Bound::Hoeffding, factor * u);
                let seen = |u: f64| self.probability(bound, factor * u);
                let of = |b: f64| (b - u) * (to_come(u) + seen(u)) + h * (to_come(b) + seen(b));
                if bound == Bound::Midpoint { least(of, u, u + h) } else { of(u) }
            }
            _ => {
                let divisor = match form {
                    Form::Limit => n,
                    Form::LimitOfNext => n + 1.0,
                    _ => 1.0,
                };
                let of = |b: f64| (b - u) * self.probability(bound, u) + h * self.probability(bound, b);
                (if bound == Bound::Midpoint { least(of, u, u + h) } else { of(u) }) / divisor
            }
        }
    }
}

/// The least value of a function in an interval: on a grid, and then on finer
/// ones around its best point.
fn least(function: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    let (mut from, mut to) = (from, to);
    let mut least = f64::INFINITY;
    for _ in 0..4 {
        let step = (to - from) / 200.0;
        let grid = (0..=200).map(|i| from + f64::from(i) * step);
        let best = grid.min_by(|&a, &b| function(a).total_cmp(&function(b))).expect("the grid has points");
        least = least.min(function(best));
        (from, to) = ((best - step).max(from), (best + step).min(to));
    }
    least
}

/// Arms with such counts and such sums: a few values of each, so that ties are
/// common.
fn some_arms() -> impl Strategy<Value = Arms> {
    let arm = (prop_oneof![1..4_u64, 1..60_u64, Just(200_u64)], 0.0..=1.0_f64, any::<bool>());
    proptest::collection::vec(arm, 2..12).prop_map(|list| {
        let mut arms = Arms::new(list.len());
        for (arm, (count, share, whole)) in list.into_iter().enumerate() {
            let sum = if whole { (share * count as f64).round() } else { share * count as f64 };
            // Any spread that rewards in [0, 1] with this sum can have.
            let squares = if whole { sum } else { sum * (0.3 + 0.7 * share) };
            arms.record(arm, Rewards { count, sum, squares });
        }
        arms
    })
}

fn policy(bound: Bound, form: Form, arms: &Arms, left: u64) -> Voi {
    let mut policy = Voi::new(VoiConfig { bound, form, stop: 0.0 }).unwrap();
    policy.begin(arms.len(), left);
    policy.fill(arms);
    policy
}

const BOUNDS: [Bound; 3] = [Bound::Hoeffding, Bound::Midpoint, Bound::Bernstein];
const FORMS: [Form; 4] = [Form::Limit, Form::LimitOfNext, Form::Perfect, Form::Blinkered];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// The arms chosen are those with the greatest value of the slow formulas, up to
    /// rounding; and arms with equal statistics are chosen together.
    #[test]
    fn the_chosen_are_those_of_the_slow_formulas(arms in some_arms(), left in 1..500_u64) {
        for bound in BOUNDS {
            for form in FORMS {
                let mut policy = policy(bound, form, &arms, left);
                let ln_value = policy.choose();
                let slow: Vec<f64> = (0..arms.len())
                    .map(|arm| Slow::of(&arms, arm).value(bound, form, left as f64))
                    .collect();
                let greatest = slow.iter().copied().fold(0.0, f64::max);
                // The grid of the midpoint is fine to 1e-6 or better, all else exact.
                let close = if bound == Bound::Midpoint { 1e-6 } else { 1e-11 };
                prop_assert!(
                    (libm::exp(ln_value) - greatest).abs() <= close * greatest,
                    "{bound:?} {form:?}: {} and {greatest}", libm::exp(ln_value)
                );
                for (arm, &value) in slow.iter().enumerate() {
                    let chosen = policy.chosen.contains(&arm);
                    if chosen {
                        prop_assert!(value >= greatest * (1.0 - 2.0 * close), "{bound:?} {form:?} {arm}");
                    } else {
                        prop_assert!(value <= greatest * (1.0 + 2.0 * close), "{bound:?} {form:?} {arm}");
                    }
                    for other in 0..arm {
                        let same = |a: usize| (arms.count(a), arms.sum(a), arms.variance(a));
                        prop_assert!(
                            same(arm) != same(other) || chosen == policy.chosen.contains(&other),
                            "{bound:?} {form:?}: {arm} and {other} are alike"
                        );
                    }
                }
            }
        }
    }

    /// Skipping arms and remembering values changes nothing: the chosen are exactly
    /// those with the greatest bound when every bound is computed.
    #[test]
    fn nothing_is_skipped_that_counts(arms in some_arms(), left in 1..500_u64) {
        for form in FORMS {
            let mut policy = policy(Bound::Midpoint, form, &arms, left);
            policy.choose();
            let mut leaders = Leaders::new();
            leaders.update(&policy.columns.means);
            let all: Vec<f64> = (0..arms.len()).map(|arm| {
                let count = arms.count(arm) as f64;
                if form != Form::Blinkered {
                    let gap = leaders.gap(arms.mean(arm), 2.0 * count);
                    return bounds::midpoint(&gap, LN_2 + libm::log(count)) - policy.columns.ln_divisors[arm];
                }
                let rate = bounds::blinkered_rate(count, left as f64);
                let mut gap = leaders.gap(arms.mean(arm), rate);
                gap.gain *= left as f64 / (left as f64 + count);
                gap.ln_gain += libm::log(left as f64) - libm::log(left as f64 + count);
                bounds::midpoint(&gap, libm::log(rate)) + LN_2
            }).collect();
            let mut chosen = Vec::new();
            greatest(&all, &mut chosen);
            prop_assert_eq!(&policy.chosen, &chosen, "{:?}", form);
        }
    }

    /// The midpoint's closed minimum is that of a fine grid, and never above the
    /// bound without it.
    #[test]
    fn the_midpoint_is_the_minimum(h in 1e-6..=1.0_f64, u in 0.0..=1.0_f64, n in 1..2000_u64) {
        let rate = 2.0 * n as f64;
        let arm = Gap { gain: h, ln_gain: libm::log(h), gap: u, rate };
        let value = bounds::midpoint(&arm, libm::log(rate));
        prop_assert!(value <= bounds::hoeffding(&arm));
        // Both without the factor exp(-rate u²), which may be too small for a double.
        let of = |b: f64| (b - u) + h * (-rate * (b * b - u * u)).exp();
        let expected = least(of, u, u + h);
        let found = libm::exp(value + rate * u * u);
        prop_assert!((found - expected).abs() <= 1e-6 * expected, "{found} and {expected}");
    }
}

/// Three arms with n = 4 each: α at 3/4, β at 1/2, and one at 1/4.
fn three_arms() -> Arms {
    let mut arms = Arms::new(3);
    for (arm, wins) in [(0, 2), (1, 3), (2, 1)] {
        arms.record(arm, Rewards::wins(4, wins));
    }
    arms
}

fn values(bound: Bound, form: Form, left: u64) -> Vec<f64> {
    let arms = three_arms();
    let mut policy = policy(bound, form, &arms, left);
    policy.choose();
    policy.values.iter().map(|&value| libm::exp(value)).collect()
}

fn assert_close(values: &[f64], expected: &[f64]) {
    for (value, expected) in values.iter().zip(expected) {
        assert!((value - expected).abs() < 1e-12, "{values:?}, not {expected:?}");
    }
}

#[test]
fn values_by_hand() {
    // 2u²n is 8/16 = 1/2 for α and β, 2 for the last; h is 1/2 for α, 1/4 for others.
    let (near, far) = ((-0.5_f64).exp(), (-2.0_f64).exp());
    let perfect = [near / 4.0, near / 2.0, far / 4.0];
    assert_close(&values(Bound::Hoeffding, Form::Perfect, 9), &perfect);
    assert_close(&values(Bound::Hoeffding, Form::Limit, 9), &perfect.map(|value| value / 4.0));
    assert_close(&values(Bound::Hoeffding, Form::LimitOfNext, 9), &perfect.map(|value| value / 5.0));
    // As many samples left as the arms have: n/N = 1, so φ = 1 and h is halved, and
    // the probability has the factor 2. The last is not asked for: it is smaller.
    assert_close(&values(Bound::Hoeffding, Form::Blinkered, 4)[..2], &perfect[..2]);
}

#[test]
fn bernstein_by_hand() {
    // 100 samples with mean 1/100 and variance 1/100, 1/2 below the best: the exponent
    // of Hoeffding is 50, that of Bernstein 25 / (14/3 · 100/99 · 1/2 + 2/100) = 10.5.
    let far = bounds::bernstein_probability(0.5, 100.0, 0.01).unwrap();
    assert!((far - (LN_2 - 25.0 / (7.0 / 3.0 * 100.0 / 99.0 + 0.02))).abs() < 1e-12);
    // It is the better one where gap and variance are small: with 0.02, 0.001 and
    // 10,000 samples the exponents are 8 and 4 / (14/3 · 0.02 + 0.002) = 42.
    let arm = Gap { gain: 1.0, ln_gain: 0.0, gap: 0.02, rate: 20_000.0 };
    assert!((bounds::hoeffding(&arm) + 8.0).abs() < 1e-12);
    let expected = LN_2 - 4.0 / (14.0 / 3.0 * (10_000.0 / 9_999.0) * 0.02 + 0.002);
    assert!((bounds::bernstein(&arm, 10_000.0, 0.001) - expected).abs() < 1e-12);
    assert_eq!(bounds::bernstein_probability(0.5, 1.0, 0.0), None);
    assert_eq!(bounds::bernstein_probability(0.0, 9.0, 0.0), None);
}

#[test]
fn values_too_small_for_a_double_are_still_compared() {
    // Gap 1/2 and 10,000 samples: exp(-5000). The arm with fewer samples is worth more.
    let mut arms = Arms::new(3);
    arms.record(0, Rewards::wins(10_000, 7500));
    arms.record(1, Rewards::wins(10_000, 2500));
    arms.record(2, Rewards::wins(9_996, 2499));
    for bound in BOUNDS {
        for form in FORMS {
            let mut policy = policy(bound, form, &arms, 100);
            assert!(policy.choose() < -1000.0, "{bound:?} {form:?}");
            assert_eq!(policy.chosen, [2], "{bound:?} {form:?}");
        }
    }
}

#[test]
fn tied_arms_are_chosen_alike() {
    let mut arms = Arms::new(4);
    for arm in 0..4 {
        arms.record(arm, Rewards::wins(1, 0));
    }
    for bound in BOUNDS {
        let mut policy = Voi::new(VoiConfig { bound, form: Form::Limit, stop: 0.0 }).unwrap();
        let mut rng = Seed::new(3).rng();
        let mut counts = [0_i32; 4];
        for _ in 0..4000 {
            policy.begin(4, 1);
            counts[policy.next_batch(&arms, &mut rng).unwrap().pulls[0].arm] += 1;
        }
        // Binomial(4000, 1/4): standard deviation 27.4; five of them.
        assert!(counts.iter().all(|count| (count - 1000).abs() < 137), "{bound:?}: {counts:?}");
    }
}

#[test]
fn sampling_stops_when_no_sample_is_worth_its_cost() {
    let run = |form, stop, budget| {
        let mut policy = Voi::new(VoiConfig { bound: Bound::Hoeffding, form, stop }).unwrap();
        let (mut arms, mut rng) = (three_arms(), Seed::new(1).rng());
        policy.begin(3, budget);
        let mut spent = 0;
        while let Some(batch) = policy.next_batch(&arms, &mut rng) {
            let arm = batch.pulls[0].arm;
            // Each arm's mean stays as it is.
            let mean = arms.mean(arm);
            arms.record(arm, Rewards { count: 1, sum: mean, squares: mean * mean });
            spent += 1;
        }
        (spent, policy.stop())
    };
    for form in FORMS {
        assert_eq!(run(form, 0.0, 200), (200, None));
        let (spent, stop) = run(form, 1e-4, 10_000);
        let Some(Stop::NotWorthIt { value, cost }) = stop else { panic!("{form:?}: {stop:?}") };
        assert!(spent < 10_000 && value <= 1e-4 && cost == 1e-4, "{form:?}: {value} after {spent}");
    }
    // The whole budget spent is no stop, even if the next sample would be one.
    let (spent, _) = run(Form::Limit, 1e-4, 10_000);
    assert_eq!(run(Form::Limit, 1e-4, spent), (spent, None));
    assert_eq!(run(Form::Limit, 0.5, 7).0, 0);
}

#[test]
fn one_arm_is_no_choice() {
    let mut rng = Seed::new(1).rng();
    for (stop, expected) in [(0.0, None), (1e-9, Some(Stop::OneArm))] {
        let mut policy = Voi::new(VoiConfig { bound: Bound::Midpoint, form: Form::Limit, stop }).unwrap();
        policy.begin(1, 5);
        let samples = policy.next_batch(&Arms::new(1), &mut rng).map(|batch| batch.pulls[0].samples);
        assert_eq!(samples, expected.is_none().then_some(5));
        assert_eq!(policy.stop(), expected);
    }
    assert!(Voi::new(VoiConfig { bound: Bound::Midpoint, form: Form::Limit, stop: -1.0 }).is_err());
}
