//! Budgets as text: `10000` samples, `500ms`, `1.5s`, `2m`.

use std::fmt;
use std::str::FromStr;

use tesuji_core::{parse_time, shortened, time_text};
use tesuji_search::{Budget, MOST_SAMPLES};

use super::error::PlayerError;

/// How much a player may think. Made from text, and good: from one sample or
/// nanosecond to [`MOST_SAMPLES`] or a day.
///
/// ```
/// use tesuji_catalog::BudgetSpec;
/// let budget: BudgetSpec = "0.5 s".parse().unwrap();
/// assert_eq!(budget.to_string(), "500ms");
/// assert_eq!(budget.to_string().parse(), Ok(budget));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BudgetSpec(Budget);

impl BudgetSpec {
    /// The budget of a player that has none of its own, if nobody gives another: 10,000 samples.
    pub const DEFAULT: BudgetSpec = BudgetSpec(Budget::Samples(10_000));

    /// The budget.
    pub fn budget(self) -> Budget {
        self.0
    }
}

impl FromStr for BudgetSpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<BudgetSpec, PlayerError> {
        let word = text.trim().to_lowercase();
        let budget = samples(&word).or_else(|| time(&word));
        budget.map(BudgetSpec).ok_or_else(|| PlayerError::Budget { word: shortened(text.trim()) })
    }
}

fn samples(word: &str) -> Option<Budget> {
    let plain = word.bytes().all(|byte| byte.is_ascii_digit());
    let samples = word.parse().ok().filter(|samples| plain && (1..=MOST_SAMPLES).contains(samples))?;
    Some(Budget::Samples(samples))
}

fn time(word: &str) -> Option<Budget> {
    parse_time(word).filter(|time| !time.is_zero()).map(Budget::Time)
}

/// Samples as digits; whole minutes in minutes, else seconds where there is one,
/// else milliseconds.
impl fmt::Display for BudgetSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Budget::Samples(samples) => f.pad(&samples.to_string()),
            Budget::Time(time) => f.pad(&time_text(time)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    #[test]
    fn canonical_texts_are_read_as_printed() {
        for (text, canonical) in [
            ("1", "1"),
            (" 0010000 ", "10000"),
            ("16777216", "16777216"),
            ("500ms", "500ms"),
            ("0.5s", "500ms"),
            ("1500 MS", "1.5s"),
            (".25s", "250ms"),
            ("0.1ms", "0.1ms"),
            ("0.000000001s", "0.000001ms"),
            ("60s", "1m"),
            ("90s", "90s"),
            ("1.5m", "90s"),
            ("2M", "2m"),
            ("1440m", "1440m"),
        ] {
            let budget: BudgetSpec = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(budget.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(budget));
        }
    }

    #[test]
    fn what_is_no_budget_is_refused() {
        for bad in
            ["", "0", "-1", "+1", "16777217", "1e4", "10k", "1.5", "s", ".s", "0s", "1441m", "1 2s", "infs"]
        {
            let error = bad.parse::<BudgetSpec>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{bad}' is not a budget: ")), "{error}");
        }
    }

    proptest! {
        #[test]
        fn every_time_is_read_back(nanoseconds in 1..=DAY.as_nanos() as u64, zeros in 0..14_u32) {
            let nanoseconds = (nanoseconds / 10_u64.pow(zeros) * 10_u64.pow(zeros)).max(1);
            let budget = BudgetSpec(Budget::Time(Duration::from_nanos(nanoseconds)));
            prop_assert_eq!(budget.to_string().parse(), Ok(budget));
        }
    }
}
