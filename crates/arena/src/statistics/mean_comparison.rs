//! A measured mean compared with a published one: simple regrets, and win rates of portfolios.

use serde::Serialize;
use tesuji_bandit::testbed::Row;

use super::distribution::{Z_95, Z_999};
use super::verdict::smallest_that_decides;
use super::{Interval, Verdict};
use crate::Published;

/// A measured mean minus a published one.
///
/// ```
/// use tesuji_arena::statistics::{MeanComparison, Verdict};
/// let comparison = MeanComparison::of_rate(0.58, 0.56, 0.01);
/// assert_eq!(comparison.verdict, Verdict::Agrees);
/// assert_eq!(format!("{:.3}", comparison.interval.high), "0.040");
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MeanComparison {
    /// The measured mean minus the published one.
    pub difference: f64,
    /// The 95 % interval of the difference.
    pub interval: Interval,
    /// The verdict on the published mean.
    pub verdict: Verdict,
    /// The number of runs that would decide an open verdict if the mean stays as it is. `None`
    /// if the verdict is not open, if no number of runs decides, or if none is known because no run
    /// was wrong.
    pub to_decide: Option<u64>,
}

impl MeanComparison {
    /// Compares win rates, given the standard error of their difference. All are shares of games.
    pub fn of_rate(measured: f64, published: f64, standard_error: f64) -> MeanComparison {
        MeanComparison::new(measured - published, standard_error, Verdict::RATE_MARGIN)
    }

    /// Compares simple regrets.
    ///
    /// The papers print no error. The published regret is assumed to have the standard deviation
    /// measured here and the paper's number of runs. The verdict is open while fewer than five
    /// runs went wrong, because the standard error is then a guess.
    pub fn of_regret(row: &Row, published: Published) -> MeanComparison {
        let runs = row.runs as f64;
        let deviation = row.se * runs.sqrt();
        let at = |runs: f64| {
            let error = deviation * (1.0 / runs + 1.0 / published.runs as f64).sqrt();
            let margin = Verdict::REGRET_MARGIN * published.value;
            let comparison = MeanComparison::new(row.regret - published.value, error, margin);
            // No regret is below 0.
            let low = comparison.interval.low.max(-published.value);
            MeanComparison { interval: Interval { low, ..comparison.interval }, ..comparison }
        };
        let now = at(runs);
        // The number of wrong runs is a whole number, up to rounding.
        let wrong = (row.p_wrong * runs).round();
        let is_rare = wrong < Verdict::FEWEST_WRONG_RUNS;
        if !is_rare && now.verdict != Verdict::Open {
            return now;
        }
        // Without any wrong run nobody knows how many it takes to see some.
        if wrong == 0.0 {
            return MeanComparison { verdict: Verdict::Open, ..now };
        }
        let for_errors = if is_rare { (Verdict::FEWEST_WRONG_RUNS / wrong * runs).ceil() as u64 } else { 0 };
        let for_verdict = smallest_that_decides(row.runs, |runs| at(runs as f64).verdict);
        let to_decide = for_verdict.map(|runs| runs.max(for_errors));
        MeanComparison { verdict: Verdict::Open, to_decide, ..now }
    }

    fn new(difference: f64, error: f64, margin: f64) -> MeanComparison {
        let [interval, outer] = [Z_95, Z_999]
            .map(|z| z * error)
            .map(|half| Interval { low: difference - half, high: difference + half });
        MeanComparison {
            difference,
            interval,
            verdict: Verdict::of(interval, outer, margin),
            to_decide: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 20,000 runs measured, of which half went wrong.
    fn row(regret: f64, se: f64) -> Row {
        Row {
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
            stopped: None,
            right: None,
        }
    }

    fn of(row: &Row, value: f64) -> MeanComparison {
        MeanComparison::of_regret(row, Published { value, runs: 20_000 })
    }

    #[test]
    fn regrets_agree_within_a_tenth() {
        // The error of the difference is √2 · 0.001, and the margin 0.01.
        assert_eq!(of(&row(0.103, 0.001), 0.1).verdict, Verdict::Agrees);
        assert_eq!(of(&row(0.108, 0.001), 0.1).verdict, Verdict::Differs);
        assert_eq!(of(&row(0.096, 0.0025), 0.1).verdict, Verdict::Open);
        assert_eq!(of(&row(0.092, 0.0025), 0.1).verdict, Verdict::Off);
        assert_eq!(of(&row(0.104, 0.0), 0.1).verdict, Verdict::Agrees);
        assert_eq!(of(&row(0.111, 0.0), 0.1).verdict, Verdict::Differs);
    }

    #[test]
    fn rare_mistakes_leave_a_verdict_open() {
        let rare = Row { p_wrong: 4.0 / 20_000.0, ..row(0.01, 0.0001) };
        let comparison = of(&rare, 0.1);
        assert_eq!((comparison.verdict, comparison.to_decide), (Verdict::Open, Some(25_000)));
        let never = Row { p_wrong: 0.0, ..row(0.0, 0.0) };
        assert_eq!((of(&never, 0.1).verdict, of(&never, 0.1).to_decide), (Verdict::Open, None));
    }

    #[test]
    fn the_runs_that_decide_are_enough() {
        let open = row(0.1, 0.0052);
        let needed = of(&open, 0.1).to_decide;
        // The published error alone is as wide as the margin.
        assert_eq!(needed, None);
        let open = row(0.1, 0.0045);
        let needed = of(&open, 0.1).to_decide.unwrap();
        let with = |runs: u64| {
            let se = 0.0045 * (20_000.0 / runs as f64).sqrt();
            of(&Row { runs, se, ..open.clone() }, 0.1).verdict
        };
        assert_eq!((with(needed - 1), with(needed)), (Verdict::Open, Verdict::Agrees));
    }

    #[test]
    fn rates_of_portfolios_have_the_margin_of_rates() {
        assert_eq!(MeanComparison::of_rate(0.55, 0.50, 0.0).verdict, Verdict::Agrees);
        assert_eq!(MeanComparison::of_rate(0.551, 0.50, 0.0).verdict, Verdict::Differs);
        assert_eq!(MeanComparison::of_rate(0.55, 0.50, 0.02).verdict, Verdict::Off);
        assert_eq!(MeanComparison::of_rate(0.53, 0.50, 0.02).verdict, Verdict::Open);
    }
}
