//! Upper bounds on the value of information (Tolpin, Shimony 2011), as pure
//! functions and in logarithms.
//!
//! Every bound has the form `h · Pr`, with `h` the most that a better choice
//! can gain and `Pr` a bound on the probability that the choice changes, which
//! falls exponentially with the samples. After a few thousand samples the
//! bounds themselves are too small for a double, while their logarithms are
//! not, and need no exponential: so all functions here accept and return
//! logarithms instead of the paper's numbers.
//!
//! With `rate` = 2n Hoeffding's bound on the probability that the mean of an
//! arm is off by `u` is `exp(−rate · u²)`. The blinkered form of eq. 8 has the
//! same shape with another rate.

use std::f64::consts::LN_2;

/// The gap between an arm and its rivals: what the bounds need to know of the arm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gap {
    /// `h`: the most reward that a change of the choice can gain.
    pub gain: f64,
    /// `ln h`; −∞ if nothing can be gained.
    pub ln_gain: f64,
    /// `u`, at least 0: the error of the mean that changes the choice.
    pub gap: f64,
    /// The rate of Hoeffding's bound: 2n, or `2 φ² n` in the blinkered form (eq. 8).
    pub rate: f64,
}

/// VCT: `ln(h · exp(−rate · u²))`, the logarithm of eq. 9.
#[inline]
pub fn hoeffding(arm: &Gap) -> f64 {
    arm.ln_gain - arm.rate * (arm.gap * arm.gap)
}

/// ECT: the logarithm of Appendix 10's bound with the best midpoint,
/// `min over b in [u, u + h] of (b − u) · exp(−rate · u²) + h · exp(−rate · b²)`.
/// Never above [`hoeffding`], which is its value at b = u.
///
/// Without the common factor `exp(−rate · u²)` the function to be minimised is
/// `m(b) = b − u + h · exp(−rate (b² − u²))`. With `x = rate · b²` its slope is
/// zero where `x − ½ ln x = C`, `C = rate · u² + ln(2h √rate)`. The left side is
/// convex with its minimum at x = ½, so there are two solutions; the smaller is
/// a maximum of m, the larger a minimum. Newton's method finds the larger from
/// any start above ½: its first step lands at or above the solution, and from
/// there it comes down steadily. At the solution the exponential is known, which
/// leaves `m = b − u + 1 / (2 rate b)`.
///
/// `ln_rate` is the logarithm of the rate, which callers have at hand.
pub fn midpoint(arm: &Gap, ln_rate: f64) -> f64 {
    let plain = hoeffding(arm);
    if arm.gain <= 0.0 {
        return plain;
    }
    let exponent = arm.rate * (arm.gap * arm.gap);
    let constant = exponent + (arm.ln_gain + (LN_2 + 0.5 * ln_rate));
    // Where m's slope is not negative at b0 = max(u, 1/√(2 rate)), m rises from u on.
    let rises = if exponent < 0.5 {
        constant <= 0.5 * (1.0 + LN_2)
    } else {
        2.0 * arm.rate * arm.gain * arm.gap <= 1.0
    };
    if rises {
        return plain;
    }
    let b = (larger_solution(constant) / arm.rate).sqrt();
    let minimum = b - arm.gap + 1.0 / (2.0 * arm.rate * b);
    // A solution beyond u + h has a minimum above h and is refused here too.
    if minimum < arm.gain { (libm::log(minimum) - exponent).min(plain) } else { plain }
}

/// The larger solution of `x − ½ ln x = constant`, to about twelve digits.
/// `constant` is above the left side's minimum, `½ (1 + ln 2)` at x = ½.
fn larger_solution(constant: f64) -> f64 {
    let mut x = constant.max(1.0);
    // A step squares the error and divides it by about 4x², so a small step leaves
    // next to none. Three do; the limit is for solutions next to ½, where steps are
    // small too, but m hardly depends on x.
    for _ in 0..60 {
        let step = (x - 0.5 * libm::log(x) - constant) / (1.0 - 0.5 / x);
        x -= step;
        if step.abs() <= 1e-6 * x {
            break;
        }
    }
    x
}

/// The logarithm of the empirical Bernstein inequality (eq. 3) for the mean of
/// `count` samples with this variance being off by `gap`:
/// `ln 2 − u²n / ((14/3) · n/(n−1) · u + 2v)`. `None` if there is no bound: with
/// fewer than two samples, or without a gap.
#[inline]
pub(crate) fn bernstein_probability(gap: f64, count: f64, variance: f64) -> Option<f64> {
    if count < 2.0 || gap <= 0.0 {
        return None;
    }
    let width = 14.0 / 3.0 * (count / (count - 1.0)) * gap + 2.0 * variance;
    Some(LN_2 - gap * gap * count / width)
}

/// BCT: the logarithm of `h` times the smaller of Hoeffding's and Bernstein's
/// probability.
#[inline]
pub fn bernstein(arm: &Gap, count: f64, variance: f64) -> f64 {
    let plain = hoeffding(arm);
    match bernstein_probability(arm.gap, count, variance) {
        Some(probability) => plain.min(arm.ln_gain + probability),
        None => plain,
    }
}

/// The factor φ of eq. 8: `(1 + n/N) / (1 + √(n/N))`, for an arm with `count`
/// samples that gets all `left` samples of the budget. What φ times the gap is
/// for the samples already seen, the rest of it is for those to come.
#[inline]
pub(crate) fn blinkered_factor(count: f64, left: f64) -> f64 {
    let ratio = count / left;
    (1.0 + ratio) / (1.0 + ratio.sqrt())
}

/// The rate of eq. 8: `2 φ² n`.
#[inline]
pub(crate) fn blinkered_rate(count: f64, left: f64) -> f64 {
    let factor = blinkered_factor(count, left);
    2.0 * (factor * factor) * count
}

/// BCT blinkered, where `arm` has the rate of eq. 8: the logarithm of `h · P`,
/// `P = p + min(p, Bernstein)`, `p = exp(−rate · u²)`. The first term is
/// Hoeffding's for the samples to come, the second for those already seen, whose
/// variance is known: the union bound of Appendix 8.
pub(crate) fn blinkered_bernstein(arm: &Gap, count: f64, variance: f64, left: f64) -> f64 {
    let plain = hoeffding(arm);
    let exponent = -arm.rate * (arm.gap * arm.gap);
    let deviation = blinkered_factor(count, left) * arm.gap;
    match bernstein_probability(deviation, count, variance) {
        Some(seen) if seen < exponent => plain + libm::log1p(libm::exp(seen - exponent)).min(LN_2),
        _ => plain + LN_2,
    }
}
