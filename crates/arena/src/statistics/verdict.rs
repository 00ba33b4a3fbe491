//! The verdict on a measured number next to a published one: its words, and the rule.
//! This is the only file in which the rule is written.
//!
//! The rule is about the difference, measured minus published, and its intervals:
//!
//! | verdict | rule |
//! |---|---|
//! | agrees | the whole 95 % interval lies within the margin around 0 |
//! | differs | else, the 99.9 % interval excludes 0 |
//! | off | else, the 95 % interval excludes 0 |
//! | open | else |
//!
//! The margin is 5 points (per cent of games) for win rates and 10 % of the published number
//! for regrets. A regret is open while fewer than five runs were wrong, because its standard error
//! is then a guess. Agreement needs power: a few games have wide intervals and decide nothing. A
//! difference that is certain but smaller than the margin agrees.

use std::fmt;

use serde::Serialize;

use super::Interval;

/// Whether a measured number confirms a published one.
///
/// It is displayed as a word and serialized in lower case with hyphens (`"other-budget"`).
///
/// ```
/// use tesuji_arena::statistics::Verdict;
/// assert_eq!(format!("{} {}", Verdict::Open.sign(), Verdict::Open), "? open");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The difference is certainly smaller than the margin.
    Agrees,
    /// A difference this large is improbable, but one in twenty equal numbers shows it by chance.
    Off,
    /// Chance does not explain the difference.
    Differs,
    /// What was measured and published does not decide.
    Open,
    /// The published rate was measured with another number of samples and is not judged.
    OtherBudget,
    /// The published rate is of portfolios learnt from another number of seeds, K, and is
    /// not judged.
    OtherK,
}

impl Verdict {
    /// All verdicts, the most favourable first.
    pub const ALL: [Verdict; 6] = [
        Verdict::Agrees,
        Verdict::Off,
        Verdict::Differs,
        Verdict::Open,
        Verdict::OtherBudget,
        Verdict::OtherK,
    ];

    /// The rule in sentences for readers.
    pub const RULE: &str = "A published number agrees if the whole 95 % interval of the difference lies within \
        5 points (win rates) or 10 % (regrets). Else it differs if the 99.9 % interval excludes zero, is off if the \
        95 % interval does, and is open otherwise. \
        Regrets with fewer than five wrong runs are open.";

    /// The margin of win rates, as a share of games.
    pub const RATE_MARGIN: f64 = 0.05;

    /// The margin of simple regrets, as a share of the published number.
    pub const REGRET_MARGIN: f64 = 0.10;

    /// The fewest wrong runs with which a simple regret is judged.
    pub const FEWEST_WRONG_RUNS: f64 = 5.0;

    /// Judges a difference by its intervals. The margin is in the unit of the difference.
    pub fn of(interval_95: Interval, interval_999: Interval, margin: f64) -> Verdict {
        // Differences of rounded numbers have more digits: 5.0 points are 5 points.
        const ROUNDING: f64 = 1e-9;
        let margin = margin + ROUNDING;
        if -margin <= interval_95.low && interval_95.high <= margin {
            Verdict::Agrees
        } else if !interval_999.contains(0.0) {
            Verdict::Differs
        } else if !interval_95.contains(0.0) {
            Verdict::Off
        } else {
            Verdict::Open
        }
    }

    /// Returns whether the numbers were judged, and not only shown.
    pub fn is_judged(self) -> bool {
        !matches!(self, Verdict::OtherBudget | Verdict::OtherK)
    }

    /// Returns the sign of the verdict, for tables without room for the word and for readers
    /// who do not see colours.
    pub fn sign(self) -> &'static str {
        match self {
            Verdict::Agrees => "✓",
            Verdict::Off => "≈",
            Verdict::Differs => "✗",
            Verdict::Open => "?",
            Verdict::OtherBudget | Verdict::OtherK => "○",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Agrees => "agrees",
            Verdict::Off => "off",
            Verdict::Differs => "differs",
            Verdict::Open => "open",
            Verdict::OtherBudget => "other budget",
            Verdict::OtherK => "other K",
        })
    }
}

/// Returns the smallest number of games or runs, above `have`, at which a verdict would not be
/// open, if everything else stays as measured. `None` if no number decides, because what was
/// published is too uncertain.
pub(super) fn smallest_that_decides(have: u64, verdict_at: impl Fn(u64) -> Verdict) -> Option<u64> {
    const MOST: u64 = 1 << 40;
    let decides = |number: u64| verdict_at(number) != Verdict::Open;
    let (mut low, mut high) = (have, have.max(1));
    while !decides(high) {
        low = high;
        high = high.checked_mul(2).filter(|high| *high <= MOST)?;
    }
    // Intervals narrow with the number, so every number above the answer decides too.
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if decides(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(difference: f64, half_95: f64, half_999: f64) -> [Interval; 2] {
        [half_95, half_999].map(|half| Interval { low: difference - half, high: difference + half })
    }

    fn verdict(difference: f64, half_95: f64) -> Verdict {
        let [inner, outer] = around(difference, half_95, 1.68 * half_95);
        Verdict::of(inner, outer, 0.05)
    }

    #[test]
    fn agreement_needs_the_whole_interval_within_the_margin() {
        assert_eq!(verdict(0.0, 0.05), Verdict::Agrees);
        assert_eq!(verdict(0.0, 0.051), Verdict::Open);
        assert_eq!(verdict(0.0, 0.26), Verdict::Open);
        assert_eq!(verdict(0.04, 0.009), Verdict::Agrees);
        assert_eq!(verdict(-0.04, 0.02), Verdict::Differs);
        assert_eq!(verdict(-0.06, 0.04), Verdict::Off);
        assert_eq!(verdict(0.06, 0.061), Verdict::Open);
        assert_eq!(verdict(0.0511, 0.0), Verdict::Differs);
        assert_eq!(verdict(0.1 + 0.2 - 0.25, 0.0), Verdict::Agrees);
    }

    #[test]
    fn the_number_that_decides_is_the_smallest() {
        let at = |n: u64| if n >= 1_234 { Verdict::Agrees } else { Verdict::Open };
        assert_eq!(smallest_that_decides(10, at), Some(1_234));
        assert_eq!(smallest_that_decides(0, at), Some(1_234));
        assert_eq!(smallest_that_decides(1_233, at), Some(1_234));
        assert_eq!(smallest_that_decides(10, |_| Verdict::Open), None);
    }

    #[test]
    fn words_and_signs_differ_and_programs_read_words_in_lower_case() {
        let json = |verdict: &Verdict| serde_json::to_string(verdict).unwrap();
        assert_eq!(json(&Verdict::OtherBudget), r#""other-budget""#);
        for verdict in &Verdict::ALL {
            assert_eq!(json(verdict), format!("{:?}", verdict.to_string().to_lowercase().replace(' ', "-")));
        }
    }
}
