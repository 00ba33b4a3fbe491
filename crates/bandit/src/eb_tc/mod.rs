//! EB-TCε (Jourdan, Degenne, Kaufmann, "An ε-best-arm identification algorithm for
//! fixed-confidence and beyond", 2023): a top-two policy without random draws.
//!
//! The leader B is the arm with the best mean. Its challenger is the arm that could most
//! easily be better by more than ε:
//!
//! ```text
//! C = argmin_{i≠B} (mean_B − mean_i + ε) / sqrt(1/n_B + 1/n_i)
//! ```
//!
//! One of the two is sampled, the leader with the share β: 1/2, or by IDS,
//! information-directed selection, `n_C / (n_B + n_C)`, which is what the optimal proportions
//! of Gaussian arms satisfy. Shares are tracked, not drawn: each arm remembers how often it
//! should have been sampled while it led, and how often it was. The policy does not know
//! its budget, so the same code runs with a budget and with a wanted confidence.

mod confidence;

use tesuji_core::spec::{Interval, Parameter, Values};
use tesuji_core::{Allocator, Arms, Batch, Rng, Stop};

use crate::lanes::maximum;
use crate::policy::{FinalChoice, Pace, PolicyInfo};
use crate::steps::{RunState, Steps};
use confidence::Threshold;

pub(crate) const INFO: PolicyInfo = PolicyInfo {
    name: "eb-tc",
    meaning: "samples the best mean or the challenger that could most easily beat it by more than eps; recommends \
              the best mean",
    source: "Jourdan, Degenne, Kaufmann 2023",
    parameters: &[
        Parameter {
            name: "eps",
            meaning: "slack: arms this close to the best are good enough",
            default: Some("0.1"),
            values: Values::number(Interval::NOT_NEGATIVE),
        },
        Parameter {
            name: "beta",
            meaning: "share of the samples that the leader gets; ids: by the samples of the two arms",
            default: Some("ids"),
            values: Values { words: &["ids"], number: Some(Interval::FRACTION), list: None },
        },
        Parameter {
            name: "stop",
            meaning: "stop when the leader is within eps of the best except with this probability; 0: never",
            default: Some("0"),
            values: Values::number(Interval { most: 1.0, ..Interval::NOT_NEGATIVE }),
        },
    ],
    anytime: |_| true,
    final_choice: FinalChoice::Own,
    pace: Pace::Steps,
    build: |arguments| {
        let slack = arguments.number("eps").expect("the table allows numbers only");
        let delta = arguments.number("stop").expect("the table allows numbers only");
        let share = arguments.number("beta").map_or(LeaderShare::Directed, LeaderShare::Fixed);
        Ok(Box::new(EbTc::new(EbTcConfig { slack, share, delta })))
    },
};

/// The settings of EB-TCε.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct EbTcConfig {
    /// ε, in rewards, from 0.
    pub(crate) slack: f64,
    /// How much of the samples the leader gets.
    pub(crate) share: LeaderShare,
    /// The allowed probability of error at which the run stops; 0: it never stops.
    pub(crate) delta: f64,
}

/// The leader's share of the samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum LeaderShare {
    /// This share, between 0 and 1.
    Fixed(f64),
    /// `n_C / (n_B + n_C)`: information-directed selection.
    Directed,
}

/// EB-TCε after one sample of every arm. The first of equals is the challenger. Recommends the
/// best mean.
#[derive(Clone, Debug)]
pub(crate) struct EbTc {
    config: EbTcConfig,
    steps: Steps,
    stop: Option<Stop>,
    threshold: Threshold,
    /// By arm: the sum of the leader's shares while it led, less its samples in that time.
    owed: Vec<f64>,
    /// Whether the columns hold what the arms hold, except for the last batch.
    filled: bool,
    columns: Columns,
}

/// Means, counts and the costs of challengers in columns: they are looked at after every sample.
#[derive(Clone, Debug, Default)]
struct Columns {
    means: Vec<f64>,
    counts: Vec<f64>,
    costs: Vec<f64>,
}

impl Columns {
    fn fill(&mut self, arms: &Arms) {
        let n_arms = arms.len();
        self.means.clear();
        self.means.extend((0..n_arms).map(|arm| arms.mean(arm)));
        self.counts.clear();
        self.counts.extend((0..n_arms).map(|arm| arms.count(arm) as f64));
        self.costs.clear();
        self.costs.resize(n_arms, 0.0);
    }

    /// The arm with the best mean: of equals the best score, then the first.
    fn leader(&self, arms: &Arms) -> usize {
        if arms.is_scored() {
            return arms.best_mean();
        }
        let best = maximum(&self.means, |mean| mean);
        self.means.iter().position(|&mean| mean == best).expect("one of them is the best")
    }

    /// The challenger of the leader, and the square of its cost `(gap + ε) / sqrt(1/n_B + 1/n_i)`.
    fn challenger(&mut self, leader: usize, slack: f64) -> (usize, f64) {
        let (mean, own) = (self.means[leader] + slack, self.counts[leader]);
        let columns = self.means.iter().zip(&self.counts).zip(&mut self.costs);
        for ((its_mean, count), cost) in columns {
            let gap = mean - its_mean;
            *cost = gap * gap * own * count / (own + count);
        }
        self.costs[leader] = f64::INFINITY;
        let least = -maximum(&self.costs, |cost| -cost);
        (self.costs.iter().position(|&cost| cost == least).expect("one of them is the least"), least)
    }
}

impl EbTc {
    /// A policy with these settings.
    pub(crate) fn new(config: EbTcConfig) -> EbTc {
        EbTc {
            config,
            steps: Steps::default(),
            stop: None,
            threshold: Threshold::default(),
            owed: Vec::new(),
            filled: false,
            columns: Columns::default(),
        }
    }
}

impl Allocator for EbTc {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        self.steps.begin(n_arms, budget);
        self.stop = None;
        self.filled = false;
        self.owed.clear();
        self.owed.resize(n_arms, 0.0);
        if self.config.delta > 0.0 {
            self.threshold.begin(n_arms, self.config.delta);
        }
    }

    fn next_batch(&mut self, arms: &Arms, _: &mut Rng) -> Option<Batch<'_>> {
        if self.config.delta > 0.0 && self.steps.n_arms() == 1 && self.steps.left() > 0 {
            self.stop = Some(Stop::OneArm);
        }
        if self.stop.is_some() {
            return None;
        }
        match self.steps.open(arms, 1) {
            RunState::Spent => return None,
            RunState::BatchReady => return Some(self.steps.batch()),
            RunState::ToChoose => {}
        }
        if self.filled {
            for pull in self.steps.last() {
                self.columns.means[pull.arm] = arms.mean(pull.arm);
                self.columns.counts[pull.arm] = arms.count(pull.arm) as f64;
            }
        } else {
            self.columns.fill(arms);
            self.filled = true;
        }
        let leader = self.columns.leader(arms);
        let (challenger, squared_cost) = self.columns.challenger(leader, self.config.slack);
        if self.config.delta > 0.0 && squared_cost >= self.threshold.at(arms.total()) {
            self.stop = Some(Stop::Certain);
            return None;
        }
        self.owed[leader] += match self.config.share {
            LeaderShare::Fixed(share) => share,
            LeaderShare::Directed => {
                let (own, its) = (arms.count(leader) as f64, arms.count(challenger) as f64);
                its / (own + its)
            }
        };
        // Sampled when its tracked number is at least half a sample behind.
        let arm = if self.owed[leader] >= 0.5 { leader } else { challenger };
        if arm == leader {
            self.owed[leader] -= 1.0;
        }
        self.steps.pull(arm, 1);
        Some(self.steps.batch())
    }

    fn recommend(&self, arms: &Arms) -> usize {
        arms.best_mean()
    }

    fn stop(&self) -> Option<Stop> {
        self.stop
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::{Rewards, Seed};

    use super::*;
    use crate::test_arms::arms;

    fn policy(slack: f64, share: LeaderShare, delta: f64) -> EbTc {
        EbTc::new(EbTcConfig { slack, share, delta })
    }

    fn challenger(arms: &Arms, leader: usize, slack: f64) -> (usize, f64) {
        let mut columns = Columns::default();
        columns.fill(arms);
        columns.challenger(leader, slack)
    }

    #[test]
    fn the_challenger_by_hand() {
        // The leader has 3/4 of 8 samples. Arm 1: gap 1/4, 8·8/16 = 4, so 4/16 = 1/4.
        // Arm 2: gap 3/4 with one sample, 8/9, so 9/16 · 8/9 = 1/2.
        let state = arms(&[(8, 6), (8, 4), (1, 0)]);
        assert_eq!(challenger(&state, 0, 0.0), (1, 0.25));
        // With ε = 1/4 the costs are 1/4 · 4 = 1 and 1 · 8/9.
        assert_eq!(challenger(&state, 0, 0.25), (2, 8.0 / 9.0));
        // All equal: the first that is not the leader.
        assert_eq!(challenger(&arms(&[(1, 1), (1, 1)]), 0, 0.0), (1, 0.0));
        assert_eq!(challenger(&arms(&[(1, 1), (1, 1)]), 1, 0.0), (0, 0.0));
    }

    /// The samples of arms that always give these rewards.
    fn counts(policy: &mut EbTc, rewards: &[f64], budget: u64) -> (Vec<u64>, Option<Stop>) {
        let (mut state, mut rng) = (Arms::new(rewards.len()), Seed::new(1).rng());
        policy.begin(rewards.len(), budget);
        while let Some(batch) = policy.next_batch(&state, &mut rng) {
            for pull in batch.pulls {
                let (count, mean) = (pull.samples, rewards[pull.arm]);
                let sum = count as f64 * mean;
                state.record(pull.arm, Rewards { count, sum, squares: sum * mean });
            }
        }
        ((0..rewards.len()).map(|arm| state.count(arm)).collect(), policy.stop())
    }

    #[test]
    fn the_leader_gets_its_share() {
        let (half, _) = counts(&mut policy(0.1, LeaderShare::Fixed(0.5), 0.0), &[0.2, 0.8, 0.2, 0.2], 1004);
        // One each, then every second of 1000.
        assert_eq!(half[1], 501);
        let (most, _) = counts(&mut policy(0.1, LeaderShare::Fixed(0.9), 0.0), &[0.2, 0.8, 0.2, 0.2], 1004);
        assert_eq!(most[1], 901);
        // The shares of equal rivals with n_B = √(Σ n_i²), as the optimum has them: with three
        // of them n_B/n_i = √3, so 1004·√3/(3 + √3) = 367.5 for the leader.
        let (directed, _) = counts(&mut policy(0.1, LeaderShare::Directed, 0.0), &[0.2, 0.8, 0.2, 0.2], 1004);
        assert!(directed[1].abs_diff(367) < 8, "{directed:?}");
    }

    #[test]
    fn the_closest_rival_gets_the_most() {
        let (counts, stop) = counts(&mut policy(0.0, LeaderShare::Fixed(0.5), 0.0), &[0.9, 0.7, 0.5], 900);
        // Costs are level: 0.2²·n_B n_1/(n_B + n_1) = 0.4²·n_B n_2/(n_B + n_2) with n_B = 450 and
        // n_1 + n_2 = 450 has n_1 = 391.
        assert!(counts[1].abs_diff(391) < 8, "{counts:?}");
        assert_eq!(stop, None);
    }

    #[test]
    fn it_stops_when_the_leader_is_certain() {
        let (counts, stop) = counts(&mut policy(0.1, LeaderShare::Fixed(0.5), 0.05), &[0.9, 0.1], 10_000);
        assert_eq!(stop, Some(Stop::Certain));
        let total = counts[0] + counts[1];
        // The cost is 0.9²·N/4 with N samples in all, against c(N)/2: see `confidence`.
        let mut threshold = Threshold::default();
        threshold.begin(2, 0.05);
        let cost = |total: u64| 0.81 * (total / 2) as f64 * total.div_ceil(2) as f64 / total as f64;
        assert!(cost(total) >= threshold.at(total), "{total}");
        assert!(cost(total - 1) < threshold.at(total - 1), "{total}");
    }

    #[test]
    fn a_single_arm_and_small_budgets() {
        let fixed = LeaderShare::Fixed(0.5);
        assert_eq!(counts(&mut policy(0.1, fixed, 0.0), &[0.5], 7), (vec![7], None));
        assert_eq!(counts(&mut policy(0.1, fixed, 0.1), &[0.5], 7), (vec![0], Some(Stop::OneArm)));
        assert_eq!(counts(&mut policy(0.1, fixed, 0.0), &[0.5; 4], 3), (vec![1, 1, 1, 0], None));
        assert_eq!(counts(&mut policy(0.1, fixed, 0.1), &[0.5; 2], 0), (vec![0, 0], None));
    }
}
