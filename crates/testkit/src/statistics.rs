//! Chi-square tests.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The probability that uniform draws are at least as uneven as these counts: the
/// upper tail of χ² with one degree of freedom less than counts.
pub fn uniformity_p_value(counts: &[u64]) -> f64 {
    let total: u64 = counts.iter().sum();
    let expected = total as f64 / counts.len() as f64;
    goodness_p_value(&counts.iter().map(|&count| (count, expected)).collect::<Vec<_>>())
}

/// The probability that draws of the expected distribution differ from it at least as
/// much as these (observed, expected) pairs. Both totals must agree, and each expected
/// count should be at least 5.
pub fn goodness_p_value(cells: &[(u64, f64)]) -> f64 {
    assert!(cells.len() > 1, "one cell is always as expected");
    let statistic: f64 =
        cells.iter().map(|&(observed, expected)| (observed as f64 - expected).powi(2) / expected).sum();
    let freedom = (cells.len() - 1) as f64;
    ChiSquared::new(freedom).expect("freedom is positive").sf(statistic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_of_known_tables() {
        assert!((uniformity_p_value(&[50, 50]) - 1.0).abs() < 1e-12);
        // χ² = 4 with one degree of freedom: two standard deviations.
        assert!((uniformity_p_value(&[60, 40]) - 0.0455).abs() < 1e-4);
        assert!(uniformity_p_value(&[1000, 1300, 1000]) < 1e-9);
    }
}
