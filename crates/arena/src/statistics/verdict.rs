//! The verdict on a measured number next to a published one: its words, and the rules.
//! This is the only file in which such a rule is written.
//!
//! | measured | verdict | rule |
//! |---|---|---|
//! | win rate of a match | agrees | 0 lies in the 95 % interval of the difference |
//! | | off | 0 lies in the 99.9 % interval only |
//! | | differs | 0 lies in neither |
//! | | too few | fewer than 10 games |
//! | simple regret | agrees | within 4 standard errors of the difference, or within 5 % of the published value |
//! | | differs | neither |
//! | | too few runs | fewer than 5 runs recommended a wrong arm |
//! | win rate of a portfolio | agrees | within 4 standard errors of the difference, or within 5 points |
//! | | near | within 10 points |
//! | | differs | neither |
//!
//! Points are per cent of games. Portfolios are compared by points because the errors that
//! the paper prints are those of drawing seeds from one matrix of games. They leave out that
//! another matrix would have other games, and that another program played the published one.
//! With errors of 0.2 points alone, any two programs would differ. The number of points is a
//! choice and not a result of statistics.

use std::fmt;

use serde::Serialize;

use super::Interval;
use crate::MeasuredCell;

/// Whether a measured number confirms a published one.
///
/// It is displayed as tables print it (`DIFFERS` stands out) and serialized in lower case
/// with hyphens (`"too-few"`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The difference can be chance.
    Agrees,
    /// A portfolio's rate is close to the published one, but not close enough to agree.
    Near,
    /// A difference this large is improbable, but one in twenty equal rates shows it by chance.
    Off,
    /// Chance does not explain the difference.
    Differs,
    /// Too few games were measured to judge.
    TooFew,
    /// Too few runs went wrong to judge a simple regret.
    TooFewRuns,
    /// The published rate was measured with another number of samples and is not judged.
    OtherBudget,
    /// The published rate is of portfolios learnt from another number of seeds, K, and is
    /// not judged.
    OtherK,
}

impl Verdict {
    /// All verdicts, the most favourable first.
    pub const ALL: [Verdict; 8] = [
        Verdict::Agrees,
        Verdict::Near,
        Verdict::Off,
        Verdict::Differs,
        Verdict::TooFew,
        Verdict::TooFewRuns,
        Verdict::OtherBudget,
        Verdict::OtherK,
    ];

    /// The rule of [`Verdict::of_portfolio_rate`] in a sentence for readers.
    pub const PORTFOLIO_RULE: &str = "Within 4 standard errors of the difference, or 5 points, rates agree; within 10 points they are near.";

    /// Returns whether the numbers were judged, and not only shown.
    pub fn is_judged(self) -> bool {
        matches!(self, Verdict::Agrees | Verdict::Near | Verdict::Off | Verdict::Differs)
    }

    /// Judges the win rate of a match by the 95 % and the 99.9 % interval of the measured rate
    /// minus the published one.
    pub(super) fn of_win_rate(games: u64, interval_95: Interval, interval_999: Interval) -> Verdict {
        const FEWEST_GAMES: u64 = 10;
        if games < FEWEST_GAMES {
            Verdict::TooFew
        } else if interval_95.contains(0.0) {
            Verdict::Agrees
        } else if interval_999.contains(0.0) {
            Verdict::Off
        } else {
            Verdict::Differs
        }
    }

    /// Judges a simple regret. Returns `None` if nothing was published.
    ///
    /// The papers print no error. The published number is assumed to have the standard
    /// deviation measured here and the paper's number of runs.
    pub fn of_regret(cell: &MeasuredCell) -> Option<Verdict> {
        const FEWEST_WRONG_RUNS: f64 = 5.0;
        const CLOSE: f64 = 0.05;
        let (row, published) = (&cell.row, cell.published?);
        // The number of wrong runs is a whole number, up to rounding.
        if row.p_wrong * (row.runs as f64) < FEWEST_WRONG_RUNS - 0.5 {
            return Some(Verdict::TooFewRuns);
        }
        let published_error = row.se * (row.runs as f64 / published.runs as f64).sqrt();
        let error = row.se.hypot(published_error);
        let difference = (row.regret - published.value).abs();
        let is_close = difference <= (ERRORS * error).max(CLOSE * published.value);
        Some(if is_close { Verdict::Agrees } else { Verdict::Differs })
    }

    /// Judges the win rate of a portfolio by the difference from the published one and the
    /// standard error of that difference, both as shares of games.
    pub fn of_portfolio_rate(difference: f64, standard_error: f64) -> Verdict {
        const CLOSE: f64 = 0.05;
        const NEAR: f64 = 0.10;
        // Shares in per cent have few digits, and their differences more: 5.0 points are 5 points.
        const ROUNDING: f64 = 1e-9;
        let difference = difference.abs() - ROUNDING;
        if difference <= CLOSE.max(ERRORS * standard_error) {
            Verdict::Agrees
        } else if difference <= NEAR {
            Verdict::Near
        } else {
            Verdict::Differs
        }
    }
}

/// Regrets and rates of portfolios agree within this many standard errors of the difference.
const ERRORS: f64 = 4.0;

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Agrees => "agrees",
            Verdict::Near => "near",
            Verdict::Off => "off",
            Verdict::Differs => "DIFFERS",
            Verdict::TooFew => "too few",
            Verdict::TooFewRuns => "too few runs",
            Verdict::OtherBudget => "other budget",
            Verdict::OtherK => "other K",
        })
    }
}

#[cfg(test)]
mod tests {
    use tesuji_bandit::testbed::Row;

    use super::*;
    use crate::Published;

    fn cell(regret: f64, se: f64, published: f64) -> MeasuredCell {
        let row = Row {
            arms: "1:20".parse().unwrap(),
            policy: "ucb1".parse().unwrap(),
            budget: 64,
            runs: 20_000,
            regret,
            se,
            p_wrong: 0.5,
            p_wrong_se: 0.1,
            cumulative: 1.0,
            cumulative_se: 0.1,
            spent: 64.0,
            regret_most_pulled: None,
            regret_most_pulled_se: None,
            regret_best_mean: None,
            regret_best_mean_se: None,
            difference: None,
            difference_se: None,
        };
        MeasuredCell {
            series: "UCT".to_owned(),
            group: "32".to_owned(),
            x: 32.0,
            row,
            published: Some(Published { value: published, runs: 20_000 }),
        }
    }

    #[test]
    fn regrets_agree_within_four_errors_or_five_per_cent() {
        // The error of the difference is √2 · 0.01.
        assert_eq!(Verdict::of_regret(&cell(0.10, 0.01, 0.155)), Some(Verdict::Agrees));
        assert_eq!(Verdict::of_regret(&cell(0.10, 0.01, 0.158)), Some(Verdict::Differs));
        assert_eq!(Verdict::of_regret(&cell(0.104, 0.0, 0.1)), Some(Verdict::Agrees));
        assert_eq!(Verdict::of_regret(&cell(0.106, 0.0, 0.1)), Some(Verdict::Differs));
        let mut rare = cell(0.0, 0.0, 0.1);
        rare.row.p_wrong = 4.0 / 20_000.0;
        assert_eq!(Verdict::of_regret(&rare), Some(Verdict::TooFewRuns));
        rare.published = None;
        assert_eq!(Verdict::of_regret(&rare), None);
    }

    #[test]
    fn points_and_errors_decide_about_portfolios() {
        let verdict = |measured: f64, published: f64, error: f64| {
            Verdict::of_portfolio_rate(measured - published, error)
        };
        assert_eq!(verdict(0.55, 0.50, 0.0), Verdict::Agrees);
        assert_eq!(verdict(0.551, 0.50, 0.0), Verdict::Near);
        assert_eq!(verdict(0.40, 0.50, 0.0), Verdict::Near);
        assert_eq!(verdict(0.399, 0.50, 0.0), Verdict::Differs);
        assert_eq!(verdict(0.30, 0.50, 0.05), Verdict::Agrees);
        assert_eq!(verdict(0.29, 0.50, 0.05), Verdict::Differs);
    }

    #[test]
    fn words_differ_and_programs_read_them_in_lower_case() {
        let json = |verdict: &Verdict| serde_json::to_string(verdict).unwrap();
        assert_eq!(json(&Verdict::TooFew), r#""too-few""#);
        for verdict in &Verdict::ALL {
            assert_eq!(
                json(verdict),
                format!("{verdict:?}", verdict = verdict.to_string().to_lowercase().replace(' ', "-"))
            );
        }
    }
}
