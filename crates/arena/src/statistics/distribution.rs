//! Tails of the normal and the χ² distribution.
//!
//! The functions are those of `libm`, in Rust and so the same on every machine.

/// The normal quantile of a two-sided 95 %.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;
/// The normal quantile of a two-sided 99.9 %.
pub(crate) const Z_999: f64 = 3.290_526_731_491_894;

/// The probability that a standard normal number is at most `z`.
pub(crate) fn normal_below(z: f64) -> f64 {
    libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2) / 2.0
}

/// The probability that χ² with so many degrees of freedom is at least `statistic`.
///
/// With whole degrees the incomplete gamma function is a finite sum (Abramowitz and
/// Stegun, 26.4.4 and 26.4.5): with h half the statistic, the sum of e⁻ʰ hᵃ / Γ(a + 1)
/// over a = 0, 1, … below half the degrees; for odd degrees over a = ½, 1½, …, and
/// erfc(√h) on top. No term is negative, so nothing cancels; they are taken through
/// logarithms since e⁻ʰ alone may be too small for a number.
pub(crate) fn chi_square_above(statistic: f64, degrees: u64) -> f64 {
    debug_assert!(degrees > 0 && statistic >= 0.0, "χ² of {statistic} with {degrees} degrees of freedom");
    if statistic <= 0.0 {
        return 1.0;
    }
    let half = statistic / 2.0;
    let ln_half = libm::log(half);
    let is_odd = degrees % 2 == 1;
    // Γ(3/2) is √π / 2.
    let (mut power, mut ln_term, mut sum) = if is_odd {
        let ln_gamma = libm::log(std::f64::consts::PI.sqrt() / 2.0);
        (0.5, 0.5 * ln_half - half - ln_gamma, libm::erfc(half.sqrt()))
    } else {
        (0.0, -half, 0.0)
    };
    for _ in 0..degrees / 2 {
        sum += libm::exp(ln_term);
        power += 1.0;
        ln_term += ln_half - libm::log(power);
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_the_normal_distribution() {
        assert_eq!(normal_below(0.0), 0.5);
        assert!((normal_below(1.0) - 0.841_344_746).abs() < 1e-9);
        assert!((normal_below(-2.0) - 0.022_750_132).abs() < 1e-9);
        assert!((normal_below(Z_95) - 0.975).abs() < 1e-14);
        assert!((normal_below(Z_999) - 0.9995).abs() < 1e-14);
        assert_eq!((normal_below(f64::NEG_INFINITY), normal_below(f64::INFINITY)), (0.0, 1.0));
    }

    /// Percentage points to three decimals, as printed in any table.
    #[test]
    fn tables_of_chi_square() {
        for (statistic, degrees, p) in [
            (3.841, 1, 0.05),
            (10.828, 1, 0.001),
            (5.991, 2, 0.05),
            (16.266, 3, 0.001),
            (18.307, 10, 0.05),
            (3.940, 10, 0.95),
            (43.773, 30, 0.05),
            (124.342, 100, 0.05),
            (17.708, 29, 0.95),
            (1074.679, 1000, 0.05),
        ] {
            let found = chi_square_above(statistic, degrees);
            assert!((found - p).abs() < 2e-4 * p.max(0.1), "{statistic} with {degrees}: {found}");
        }
    }

    #[test]
    fn chi_square_at_its_ends() {
        assert_eq!(chi_square_above(0.0, 1), 1.0);
        assert_eq!(chi_square_above(1e6, 3), 0.0);
        // The mean of 20,000 degrees, where e⁻ʰ is no number any more: a little below a half.
        let middle = chi_square_above(20_000.0, 20_000);
        assert!((middle - 0.5).abs() < 0.003, "{middle}");
    }
}
