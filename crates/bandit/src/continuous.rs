//! Continuous Rejects (Wang, Tzeng, Proutiere, "Best arm identification with fixed budget: a
//! large deviation perspective", 2023).
//!
//! Successive rejects decides at the ends of phases that are fixed in advance. Continuous
//! Rejects may dismiss the worst arm after any sample, the earlier the further it is behind.
//! With the set C of the j arms that are left, it samples an arm of C with the fewest samples.
//! The worst arm ℓ of C is dismissed as soon as it has more samples than every dismissed arm
//! and
//!
//! ```text
//! gap ≥ G(β),  G(β) = 1/√β − 1,  β = logbar(j) · Σ_{i∈C} n_i / (T − Σ_{i∉C} n_i)
//! gap = min_{i∈C, i≠ℓ} mean_i − mean_ℓ         CR-C, the conservative one
//! gap = the mean of mean_i over i∈C, i≠ℓ, − mean_ℓ      CR-A, the aggressive one
//! ```
//!
//! By the paper's rule each dismissed arm has more samples than the one before it. With few
//! samples an arm, this forbids nearly all dismissals: 400 arms would be sampled equally. So
//! here an arm may also have as many samples as the one before it, as in successive rejects,
//! unless `equal=off`.
//!
//! At β = 1, where successive rejects ends its phase, G is 0, and the worst arm goes whatever
//! its gap. Below β = 1/4, G is above 1, and no gap of rewards in [0, 1] suffices.

use tesuji_core::spec::{Parameter, Values};
use tesuji_core::{Allocator, Arms, Batch, Pull, Rng};

use crate::policy::{FinalChoice, Pace, PolicyInfo};
use crate::rejects::logbar;

const EQUAL: Parameter = Parameter {
    name: "equal",
    meaning: "whether an arm may be dismissed with as many samples as the one before; off: as in the paper",
    default: Some("on"),
    values: Values::words(&["off", "on"]),
};

pub(crate) const CR_C: PolicyInfo = PolicyInfo {
    name: "cr-c",
    meaning: "Continuous Rejects, conservative: dismisses the worst arm after any sample if it is far enough \
              behind the second worst; recommends the better of the last two",
    source: "Wang, Tzeng, Proutiere 2023",
    parameters: &[EQUAL],
    anytime: |_| false,
    final_choice: FinalChoice::Own,
    pace: Pace::Steps,
    build: |arguments| {
        Ok(Box::new(ContinuousRejects::new(Gap::Conservative, arguments.word("equal") == Some("on"))))
    },
};

pub(crate) const CR_A: PolicyInfo = PolicyInfo {
    name: "cr-a",
    meaning: "Continuous Rejects, aggressive: dismisses the worst arm after any sample if it is far enough behind \
              the mean of the others; recommends the better of the last two",
    build: |arguments| {
        Ok(Box::new(ContinuousRejects::new(Gap::Aggressive, arguments.word("equal") == Some("on"))))
    },
    ..CR_C
};

/// The gap of the worst arm that decides whether it is dismissed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gap {
    /// To the second worst mean.
    Conservative,
    /// To the mean of all other means.
    Aggressive,
}

/// Continuous Rejects, one sample at a time. Of two arms none is dismissed: both are sampled
/// until the budget is spent. Recommends the best mean of the remaining arms.
#[derive(Clone, Debug)]
pub(crate) struct ContinuousRejects {
    gap: Gap,
    /// Whether an arm may be dismissed with as many samples as the one before it.
    equal: bool,
    n_arms: usize,
    left: u64,
    /// T and the samples from before the run; `None` before the first batch.
    horizon: Option<u64>,
    /// logbar(j) of the arms that are left.
    logarithm: f64,
    /// Σ_{i∉C} n_i, and the most samples of an arm that was dismissed.
    dismissed: u64,
    most_dismissed: u64,
    /// The arms that are left, and their means after the last batch but one.
    alive: Vec<usize>,
    means: Vec<f64>,
    /// The place of the arm that was sampled last, if it was only one.
    last: Option<usize>,
    is_alive: Vec<bool>,
    pulls: Vec<Pull>,
}

/// What one look at the remaining arms finds. Places are those in the list of them.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Standing {
    /// The place of the worst mean: of equals the one with the most samples, then the first.
    worst: usize,
    /// The second worst mean.
    second: f64,
    /// The sum of all means.
    sum: f64,
    /// The place of the first arm with the fewest samples.
    fewest: usize,
}

/// The gap from which on the worst arm is dismissed.
fn threshold(beta: f64) -> f64 {
    1.0 / beta.sqrt() - 1.0
}

fn standing(arms: &Arms, alive: &[usize], means: &[f64]) -> Standing {
    let (mut worst, mut worst_mean, mut second) = (0, f64::INFINITY, f64::INFINITY);
    let (mut sum, mut fewest) = (0.0, 0);
    for (place, (&arm, &mean)) in alive.iter().zip(means).enumerate() {
        sum += mean;
        let is_worse =
            mean < worst_mean || (mean == worst_mean && arms.count(arm) > arms.count(alive[worst]));
        if is_worse {
            second = worst_mean;
            (worst, worst_mean) = (place, mean);
        } else if mean < second {
            second = mean;
        }
        if arms.count(arm) < arms.count(alive[fewest]) {
            fewest = place;
        }
    }
    Standing { worst, second, sum, fewest }
}

impl ContinuousRejects {
    /// The policy with this gap.
    pub(crate) fn new(gap: Gap, equal: bool) -> ContinuousRejects {
        ContinuousRejects {
            gap,
            equal,
            n_arms: 0,
            left: 0,
            horizon: None,
            logarithm: 0.0,
            dismissed: 0,
            most_dismissed: 0,
            alive: Vec::new(),
            means: Vec::new(),
            last: None,
            is_alive: Vec::new(),
            pulls: Vec::new(),
        }
    }

    /// Brings the means up to date.
    fn refresh(&mut self, arms: &Arms) {
        match self.last {
            Some(place) => self.means[place] = arms.mean(self.alive[place]),
            None => {
                self.means.clear();
                self.means.extend(self.alive.iter().map(|&arm| arms.mean(arm)));
            }
        }
    }

    /// Whether the worst arm goes.
    fn rejects(&self, arms: &Arms, standing: &Standing, horizon: u64) -> bool {
        let worst = self.alive[standing.worst];
        let count = arms.count(worst);
        let has_enough =
            count > self.most_dismissed || (self.equal && count > 0 && count == self.most_dismissed);
        if !has_enough {
            return false;
        }
        let here = arms.total() - self.dismissed;
        let beta = self.logarithm * here as f64 / (horizon - self.dismissed) as f64;
        // No gap of rewards in [0, 1] is above 1, which is G(1/4).
        if beta < 0.25 {
            return false;
        }
        let mean = arms.mean(worst);
        let gap = match self.gap {
            Gap::Conservative => standing.second - mean,
            Gap::Aggressive => (standing.sum - mean) / (self.alive.len() - 1) as f64 - mean,
        };
        // Equal means must not differ for an error in the last digit of their sum.
        gap >= threshold(beta) - 1e-12
    }

    fn reject(&mut self, arms: &Arms, place: usize) {
        let arm = self.alive.remove(place);
        self.means.remove(place);
        self.is_alive[arm] = false;
        self.dismissed += arms.count(arm);
        self.most_dismissed = self.most_dismissed.max(arms.count(arm));
        self.logarithm = logbar(self.alive.len());
    }

    /// One sample for each arm that has none, in random order and while the budget lasts;
    /// `false` if all have some.
    fn open(&mut self, arms: &Arms, rng: &mut Rng) -> bool {
        if self.alive.iter().all(|&arm| arms.count(arm) > 0) {
            return false;
        }
        rng.shuffle(&mut self.alive);
        let unseen = self.alive.iter().filter(|&&arm| arms.count(arm) == 0);
        let affordable = usize::try_from(self.left).unwrap_or(usize::MAX);
        self.pulls.extend(unseen.take(affordable).map(|&arm| Pull { arm, samples: 1 }));
        true
    }
}

impl Allocator for ContinuousRejects {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        (self.n_arms, self.left, self.horizon) = (n_arms, budget, None);
        (self.dismissed, self.most_dismissed) = (0, 0);
        self.logarithm = logbar(n_arms);
        self.alive.clear();
        self.alive.extend(0..n_arms);
        self.means.clear();
        self.means.reserve(n_arms);
        self.last = None;
        self.is_alive.clear();
        self.is_alive.resize(n_arms, true);
        self.pulls.clear();
        self.pulls.reserve(n_arms);
    }

    fn next_batch(&mut self, arms: &Arms, rng: &mut Rng) -> Option<Batch<'_>> {
        if self.left == 0 {
            return None;
        }
        self.pulls.clear();
        let is_first = self.horizon.is_none();
        let horizon = *self.horizon.get_or_insert(arms.total() + self.left);
        if self.n_arms == 1 {
            self.pulls.push(Pull { arm: 0, samples: self.left });
        } else if !(is_first && self.open(arms, rng)) {
            self.refresh(arms);
            let mut now = standing(arms, &self.alive, &self.means);
            while self.alive.len() > 2 && self.rejects(arms, &now, horizon) {
                self.reject(arms, now.worst);
                now = standing(arms, &self.alive, &self.means);
            }
            self.last = Some(now.fewest);
            self.pulls.push(Pull { arm: self.alive[now.fewest], samples: 1 });
        }
        self.left -= self.pulls.iter().map(|pull| pull.samples).sum::<u64>();
        Some(Batch { round: 0, pulls: &self.pulls })
    }

    fn recommend(&self, arms: &Arms) -> usize {
        let value = |arm: usize| match (self.is_alive[arm], arms.count(arm)) {
            (false, _) => f64::NEG_INFINITY,
            (true, 0) => -1.0,
            (true, _) => arms.mean(arm),
        };
        arms.best_by(value)
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::{Rewards, Seed};

    use super::*;
    use crate::test_arms::arms;

    /// A policy with these arms, all of them left, before its first decision.
    fn begun(gap: Gap, n_arms: usize, budget: u64) -> ContinuousRejects {
        let mut policy = ContinuousRejects::new(gap, false);
        policy.begin(n_arms, budget);
        policy
    }

    fn means(arms: &Arms) -> Vec<f64> {
        (0..arms.len()).map(|arm| arms.mean(arm)).collect()
    }

    #[test]
    fn thresholds_by_hand() {
        assert_eq!(threshold(0.25), 1.0);
        assert_eq!(threshold(1.0), 0.0);
        assert!((threshold(4.0 / 9.0) - 0.5).abs() < 1e-15);
    }

    #[test]
    fn the_conservative_gap_is_to_the_second_worst_and_the_aggressive_to_the_mean() {
        // logbar(3) = 1/2 + 1/2 + 1/3 = 4/3, and 12 samples of 36: β = 4/9, G(β) = 1/2.
        // Means 1/4, 1/2 and 1: the gap is 1/4 to the second worst, and 3/4 − 1/4 = 1/2 to
        // the mean of the others, just enough.
        let state = arms(&[(4, 1), (4, 4), (4, 2)]);
        let now = standing(&state, &[0, 1, 2], &means(&state));
        assert_eq!(now, Standing { worst: 0, second: 0.5, sum: 1.75, fewest: 0 });
        assert!(!begun(Gap::Conservative, 3, 24).rejects(&state, &now, 36));
        assert!(begun(Gap::Aggressive, 3, 24).rejects(&state, &now, 36));
        assert!(!begun(Gap::Aggressive, 3, 25).rejects(&state, &now, 37));
        // Means 0, 1/2 and 1 are as far apart as both ask for.
        let state = arms(&[(4, 0), (4, 4), (4, 2)]);
        let now = standing(&state, &[0, 1, 2], &means(&state));
        assert!(begun(Gap::Conservative, 3, 24).rejects(&state, &now, 36));
        assert!(!begun(Gap::Conservative, 3, 25).rejects(&state, &now, 37));
    }

    #[test]
    fn a_dismissed_arm_has_more_samples_than_those_before_it() {
        let state = arms(&[(4, 0), (4, 0), (4, 4), (4, 4)]);
        let mut policy = ContinuousRejects::new(Gap::Aggressive, false);
        policy.begin(4, 4);
        policy.refresh(&state);
        let now = standing(&state, &policy.alive, &policy.means);
        assert!(policy.rejects(&state, &now, 20));
        policy.reject(&state, now.worst);
        assert_eq!((policy.dismissed, policy.most_dismissed, &policy.alive[..]), (4, 4, &[1, 2, 3][..]));
        policy.refresh(&state);
        let now = standing(&state, &policy.alive, &policy.means);
        assert!(!policy.rejects(&state, &now, 20));
        policy.equal = true;
        assert!(policy.rejects(&state, &now, 20));
    }

    /// The samples of each arm, and how many arms are left, with arms that always give their
    /// index over their number.
    fn samples(gap: Gap, n_arms: usize, budget: u64) -> (Vec<u64>, usize) {
        let mut policy = begun(gap, n_arms, budget);
        let (mut state, mut rng) = (Arms::new(n_arms), Seed::new(1).rng());
        while let Some(batch) = policy.next_batch(&state, &mut rng) {
            for pull in batch.pulls {
                let (count, mean) = (pull.samples, pull.arm as f64 / n_arms as f64);
                let sum = count as f64 * mean;
                state.record(pull.arm, Rewards { count, sum, squares: sum * mean });
            }
        }
        ((0..n_arms).map(|arm| state.count(arm)).collect(), policy.alive.len())
    }

    #[test]
    fn equal_arms_are_dismissed_when_successive_rejects_would() {
        // Three arms that always lose, T = 30: β = 1 at 30/(4/3) = 22.5 samples, so the
        // first dismissal comes after 23. Both arms with eight samples could go, the first
        // does. The other two have 22 to share, T − 8.
        let mut policy = begun(Gap::Conservative, 3, 30);
        let (mut state, mut rng) = (Arms::new(3), Seed::new(1).rng());
        let mut when = None;
        while let Some(batch) = policy.next_batch(&state, &mut rng) {
            for pull in batch.pulls {
                state.record(pull.arm, Rewards::wins(pull.samples, 0));
            }
            if policy.alive.len() == 2 && when.is_none() {
                when = Some(state.total());
            }
        }
        // It was dismissed before the 24th sample was asked for.
        assert_eq!(when, Some(24));
        let mut counts: Vec<u64> = (0..3).map(|arm| state.count(arm)).collect();
        counts.sort_unstable();
        assert_eq!(counts, [8, 11, 11]);
    }

    #[test]
    fn far_arms_go_early_and_the_aggressive_rule_is_earlier() {
        let (conservative, left) = samples(Gap::Conservative, 4, 200);
        assert_eq!(left, 2);
        let (aggressive, left) = samples(Gap::Aggressive, 4, 200);
        assert_eq!(left, 2);
        assert!(aggressive[0] < conservative[0], "{aggressive:?} {conservative:?}");
        // Successive rejects would sample the worst of four (200 − 4)/(19/12)/4 = 31 times.
        assert!(conservative[0] < 31, "{conservative:?}");
        // The last two get as many, up to the odd one.
        for counts in [conservative, aggressive] {
            assert!(counts[0] < counts[1] && counts[1] < counts[2] && counts[2].abs_diff(counts[3]) <= 1);
        }
    }

    #[test]
    fn small_budgets_give_one_sample_to_some() {
        for budget in 0..=5 {
            let (counts, left) = samples(Gap::Aggressive, 5, budget);
            assert_eq!((counts.iter().sum::<u64>(), left), (budget, 5));
            assert!(counts.iter().all(|&count| count <= 1));
        }
        assert_eq!(samples(Gap::Conservative, 1, 9), (vec![9], 1));
        assert_eq!(samples(Gap::Conservative, 2, 9).0.iter().sum::<u64>(), 9);
        assert_eq!(samples(Gap::Conservative, 2, 0), (vec![0, 0], 2));
    }
}
