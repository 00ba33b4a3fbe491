//! Optimal computing budget allocation (Chen, Lin, Yücesan, Chick, "Simulation
//! budget allocation for further enhancing the efficiency of ordinal
//! optimization", 2000).
//!
//! For normal rewards with known means and variances the probability of choosing
//! the best arm `b` is, asymptotically, greatest with the shares of Theorem 1:
//! `N_i / N_j = ((σ_i/δ_i) / (σ_j/δ_j))²` for `i, j ≠ b`, with `δ_i` the gap to
//! the best, and `N_b = σ_b · sqrt(Σ_{i≠b} N_i²/σ_i²)`. The policy estimates both
//! from the samples so far, and samples the arm that is the furthest below its
//! share.

use tesuji_core::spec::{Interval, Parameter, Values};
use tesuji_core::{Allocator, Arms, Batch, Rng};

use crate::policy::{FinalChoice, Pace, PolicyInfo};
use crate::steps::{RunState, Steps};

pub(crate) const INFO: PolicyInfo = PolicyInfo {
    name: "ocba",
    meaning: "samples the arm furthest below its optimal share by the means and variances so far; recommends \
              the best mean",
    source: "Chen, Lin, Yücesan, Chick 2000",
    parameters: &[
        Parameter {
            name: "first",
            meaning: "samples for every arm before the shares are estimated",
            default: Some("5"),
            values: Values::number(Interval::COUNT),
        },
        Parameter {
            name: "step",
            meaning: "samples between two estimates",
            default: Some("1"),
            values: Values::number(Interval::COUNT),
        },
    ],
    anytime: |_| true,
    final_choice: FinalChoice::Own,
    pace: Pace::Steps,
    build: |arguments| {
        let count = |name| arguments.number(name).expect("the table allows numbers only") as u64;
        Ok(Box::new(Ocba::new(OcbaConfig { first: count("first"), step: count("step") })?))
    },
};

/// The settings of OCBA.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OcbaConfig {
    /// Samples for every arm in the beginning, at least 1.
    pub(crate) first: u64,
    /// Samples that one arm then gets at a time, at least 1.
    pub(crate) step: u64,
}

impl Default for OcbaConfig {
    fn default() -> OcbaConfig {
        OcbaConfig { first: 5, step: 1 }
    }
}

/// OCBA, one arm a step. Recommends the best mean.
#[derive(Clone, Debug)]
pub(crate) struct Ocba {
    config: OcbaConfig,
    steps: Steps,
    shares: Vec<f64>,
}

impl Ocba {
    /// A policy, or a sentence that says which number is wrong.
    pub(crate) fn new(config: OcbaConfig) -> Result<Ocba, String> {
        match config {
            OcbaConfig { first: 0, .. } => Err("first is 0, and has to be at least 1".to_owned()),
            OcbaConfig { step: 0, .. } => Err("step is 0, and has to be at least 1".to_owned()),
            _ => Ok(Ocba { config, steps: Steps::default(), shares: Vec::new() }),
        }
    }
}

/// The variance of an arm's rewards. If no two of its rewards differ, the estimate
/// of zero would starve the arm for ever: then it counts as an arm of rewards 0 and 1 that by the rule of succession shows the other one next with
/// probability p = 1/(n + 2), and has the variance p(1 − p).
fn variance(arms: &Arms, arm: usize) -> f64 {
    match arms.variance(arm) {
        Some(variance) if variance > 0.0 => variance,
        _ => {
            let surprise = 1.0 / (arms.count(arm) as f64 + 2.0);
            surprise * (1.0 - surprise)
        }
    }
}

/// Writes the optimal shares by what is known, up to a common factor. A gap of less
/// than one reward in all samples counts as that much: tied arms share most of the
/// samples, but not all.
fn fill_shares(arms: &Arms, shares: &mut Vec<f64>) {
    let best = arms.best_mean();
    let least_gap = 1.0 / arms.total() as f64;
    shares.clear();
    shares.resize(arms.len(), 0.0);
    let mut sum = 0.0;
    for (arm, share) in shares.iter_mut().enumerate().filter(|&(arm, _)| arm != best) {
        let gap = (arms.mean(best) - arms.mean(arm)).max(least_gap);
        let variance = variance(arms, arm);
        *share = variance / (gap * gap);
        sum += *share * *share / variance;
    }
    shares[best] = (variance(arms, best) * sum).sqrt();
}

impl Allocator for Ocba {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        self.steps.begin(n_arms, budget);
    }

    fn next_batch(&mut self, arms: &Arms, _: &mut Rng) -> Option<Batch<'_>> {
        match self.steps.open(arms, self.config.first) {
            RunState::Spent => return None,
            RunState::BatchReady => return Some(self.steps.batch()),
            RunState::ToChoose => {}
        }
        fill_shares(arms, &mut self.shares);
        // The shares of what there will be after the step; a last step that is cut
        // short chooses as a whole one would.
        let total = arms.total() as f64 + self.config.step as f64;
        let scale = total / self.shares.iter().sum::<f64>();
        let mut furthest = (f64::NEG_INFINITY, 0);
        for (arm, share) in self.shares.iter().enumerate() {
            let lacking = share * scale - arms.count(arm) as f64;
            if lacking > furthest.0 {
                furthest = (lacking, arm);
            }
        }
        self.steps.pull(furthest.1, self.config.step);
        Some(self.steps.batch())
    }

    fn recommend(&self, arms: &Arms) -> usize {
        arms.best_mean()
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::{Rewards, Seed};

    use super::*;
    use crate::test_arms::arms;

    #[test]
    fn shares_by_hand() {
        let mut shares = Vec::new();
        // Five rewards of 0 and 1 with mean m have the variance (5/4) m(1 − m): here
        // 1/5, 3/10 and 1/5. Gaps 2/5 and 3/5 to the best, arm 0.
        fill_shares(&arms(&[(5, 4), (5, 2), (5, 1)]), &mut shares);
        let (second, third): (f64, f64) = (0.3 / 0.16, 0.2 / 0.36);
        let best = (0.2 * (second * second / 0.3 + third * third / 0.2)).sqrt();
        for (share, expected) in shares.iter().zip([best, second, third]) {
            assert!((share - expected).abs() < 1e-12, "{shares:?}");
        }
    }

    #[test]
    fn equal_rewards_and_equal_means_have_finite_shares() {
        let mut shares = Vec::new();
        fill_shares(&arms(&[(2, 2), (2, 2), (2, 0)]), &mut shares);
        // Variance (1/4)(3/4); gaps 1/6, the least, and 1.
        assert!((shares[1] - 3.0 / 16.0 * 36.0).abs() < 1e-12, "{shares:?}");
        assert!((shares[2] - 3.0 / 16.0).abs() < 1e-12, "{shares:?}");
        assert!(shares[0] > shares[1]);
    }

    #[test]
    fn the_first_samples_and_the_steps_have_their_size() {
        let mut policy = Ocba::new(OcbaConfig { first: 2, step: 4 }).unwrap();
        let mut rng = Seed::new(1).rng();
        let mut state = Arms::new(3);
        policy.begin(3, 11);
        let mut sizes = Vec::new();
        while let Some(batch) = policy.next_batch(&state, &mut rng) {
            sizes.push(batch.pulls.iter().map(|pull| pull.samples).sum::<u64>());
            for pull in batch.pulls {
                state.record(pull.arm, Rewards::wins(pull.samples, 0));
            }
        }
        assert_eq!(sizes, [3, 3, 4, 1]);
        assert!(Ocba::new(OcbaConfig { first: 0, step: 1 }).is_err());
        assert!(Ocba::new(OcbaConfig { first: 1, step: 0 }).is_err());
    }
}
