//! When EB-TCε may stop: the threshold of its generalised likelihood ratio test.
//!
//! The run stops when `(mean_B − mean_i + ε) / sqrt(1/n_B + 1/n_i) ≥ sqrt(2 c(N, δ))` for every
//! rival i, for rewards of standard deviation 1:
//!
//! ```text
//! c(N, δ) = 2 C(ln((n − 1)/δ) / 2) + 4 ln(4 + ln(N/2))
//! C(x)    = min over 1/2 < λ ≤ 1 of (g(λ) + x) / λ
//! g(λ)    = 2λ − 2λ ln(4λ) + ln ζ(2λ) − ln(1 − λ) / 2
//! ```
//!
//! (Kaufmann, Koolen, "Mixture martingales revisited", 2021.) Rewards in [0, 1] are sub-Gaussian
//! with a deviation of at most 1/2, so the squared cost is compared with c/2.

/// Riemann's ζ at `s` > 1: a sum of ten terms, and the Euler–Maclaurin formula for the rest.
fn zeta(s: f64) -> f64 {
    const TERMS: f64 = 10.0;
    let sum: f64 = (1..10).map(|k| libm::pow(f64::from(k), -s)).sum();
    let last = libm::pow(TERMS, -s);
    sum + last * TERMS / (s - 1.0) + last / 2.0 + s * last / (12.0 * TERMS)
        - s * (s + 1.0) * (s + 2.0) * last / (720.0 * TERMS * TERMS * TERMS)
}

fn g(lambda: f64) -> f64 {
    2.0 * lambda - 2.0 * lambda * libm::log(4.0 * lambda) + libm::log(zeta(2.0 * lambda))
        - libm::log(1.0 - lambda) / 2.0
}

/// C(x), by ternary search: `(g(λ) + x)/λ` goes to infinity at both ends and has one least value
/// between them.
fn calibration(x: f64) -> f64 {
    let value = |lambda: f64| (g(lambda) + x) / lambda;
    let (mut low, mut high) = (0.5 + 1e-9, 1.0 - 1e-12);
    for _ in 0..100 {
        let third = (high - low) / 3.0;
        if value(low + third) < value(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    value((low + high) / 2.0)
}

/// The threshold for the squared cost of the challenger.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Threshold {
    /// The number of arms and δ that the constant belongs to.
    belongs_to: (usize, f64),
    /// `2 C(…)`.
    constant: f64,
}

impl Threshold {
    /// Prepares the threshold for this many arms and this probability of error, above 0.
    pub(super) fn begin(&mut self, n_arms: usize, delta: f64) {
        if self.belongs_to != (n_arms, delta) {
            let rivals = n_arms.max(2) as f64 - 1.0;
            self.constant = 2.0 * calibration(libm::log(rivals / delta) / 2.0);
            self.belongs_to = (n_arms, delta);
        }
    }

    /// c(N, δ)/2 after N samples, at least 2.
    pub(super) fn at(&self, total: u64) -> f64 {
        let inner = libm::log(total.max(2) as f64 / 2.0);
        (self.constant + 4.0 * libm::log(4.0 + inner)) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeta_at_known_places() {
        let pi = std::f64::consts::PI;
        assert!((zeta(2.0) - pi * pi / 6.0).abs() < 1e-8);
        assert!((zeta(1.5) - 2.612_375_348_685_488).abs() < 1e-8);
        // ζ(1 + x) = 1/x + 0.5772… near 1.
        assert!((zeta(1.001) - 1_000.577_288).abs() < 1e-4);
    }

    #[test]
    fn the_calibration_is_near_x_plus_its_logarithm() {
        // The paper says C(x) ≈ x + ln x. By a fine grid of λ:
        for x in [0.5, 1.5, 3.0, 10.0] {
            let on_grid = (1..4999)
                .map(|step| 0.5 + f64::from(step) / 10_000.0)
                .map(|lambda| (g(lambda) + x) / lambda)
                .fold(f64::INFINITY, f64::min);
            assert!((calibration(x) - on_grid).abs() < 1e-4, "{x}: {} {on_grid}", calibration(x));
            assert!(calibration(x) > x && calibration(x) < x + libm::log(x).max(0.0) + 3.0);
        }
    }

    #[test]
    fn smaller_errors_need_more() {
        let at = |n_arms, delta, total| {
            let mut threshold = Threshold::default();
            threshold.begin(n_arms, delta);
            threshold.at(total)
        };
        assert!(at(10, 0.01, 100) > at(10, 0.1, 100));
        assert!(at(20, 0.1, 100) > at(10, 0.1, 100));
        assert!(at(10, 0.1, 1000) > at(10, 0.1, 100));
        // Never more than ln(1/δ) and what grows like logarithms of logarithms.
        assert!(at(2, 1e-10, 100) < 23.1 + 12.0);
    }
}
