//! ½-greedy (Tolpin, Shimony, "MCTS based on simple regret", 2012): half of the
//! samples for the arm that looks best, the rest for the others.
//!
//! For simple regret this beats ε-greedy with a small ε: only a sample that can
//! change the choice is worth anything, and those of the leader and those of its
//! rivals can equally.

use tesuji_core::spec::{Interval, Parameter, Values};
use tesuji_core::{Allocator, Arms, Batch, Rng};

use crate::policy::{FinalChoice, Pace, PolicyInfo};
use crate::steps::{RunState, Steps};

pub(crate) const INFO: PolicyInfo = PolicyInfo {
    name: "half-greedy",
    meaning: "samples every arm once, then the best mean half of the time and otherwise a random other arm; \
              recommends the best mean",
    source: "Tolpin, Shimony 2012",
    parameters: &[Parameter {
        name: "greed",
        meaning: "probability of sampling the best mean",
        default: Some("0.5"),
        values: Values::number(Interval::UNIT),
    }],
    anytime: |_| true,
    final_choice: FinalChoice::Own,
    pace: Pace::Steps,
    build: |arguments| {
        let greed = arguments.number("greed").expect("the table allows numbers only");
        Ok(Box::new(HalfGreedy::new(HalfGreedyConfig { greed })?))
    },
};

/// The settings of ½-greedy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct HalfGreedyConfig {
    /// The probability of sampling the arm with the best mean, in [0, 1].
    pub(crate) greed: f64,
}

impl Default for HalfGreedyConfig {
    fn default() -> HalfGreedyConfig {
        HalfGreedyConfig { greed: 0.5 }
    }
}

/// After every arm once, the arm with the best mean with probability `greed`,
/// else one of the others, each equally likely. Recommends the best mean.
#[derive(Clone, Debug)]
pub(crate) struct HalfGreedy {
    config: HalfGreedyConfig,
    steps: Steps,
}

impl HalfGreedy {
    /// A policy, or a sentence if `greed` is not a probability.
    pub(crate) fn new(config: HalfGreedyConfig) -> Result<HalfGreedy, String> {
        if !(0.0..=1.0).contains(&config.greed) {
            return Err(format!("greed is {}, and has to be a number from 0 to 1", config.greed));
        }
        Ok(HalfGreedy { config, steps: Steps::default() })
    }
}

impl Allocator for HalfGreedy {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        self.steps.begin(n_arms, budget);
    }

    fn next_batch(&mut self, arms: &Arms, rng: &mut Rng) -> Option<Batch<'_>> {
        match self.steps.open(arms, 1) {
            RunState::Spent => return None,
            RunState::BatchReady => return Some(self.steps.batch()),
            RunState::ToChoose => {}
        }
        let best = arms.best_mean();
        let arm = if rng.chance(self.config.greed) {
            best
        } else {
            let other = rng.below(arms.len() as u32 - 1) as usize;
            other + usize::from(other >= best)
        };
        self.steps.pull(arm, 1);
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

    #[test]
    fn half_of_the_samples_go_to_the_best_and_the_others_share() {
        let mut arms = Arms::new(5);
        for arm in 0..5 {
            arms.record(arm, Rewards::wins(1, u64::from(arm == 2)));
        }
        let mut policy = HalfGreedy::new(HalfGreedyConfig::default()).unwrap();
        let mut rng = Seed::new(1).rng();
        policy.begin(5, 8000);
        let mut counts = [0_i32; 5];
        // The arms do not change, so arm 2 stays the best.
        while let Some(batch) = policy.next_batch(&arms, &mut rng) {
            counts[batch.pulls[0].arm] += 1;
        }
        // Binomial(8000, 1/2) and (8000, 1/8): standard deviations 44.7 and 29.6; five of them.
        assert!((counts[2] - 4000).abs() < 224, "{counts:?}");
        assert!([0, 1, 3, 4].iter().all(|&arm: &usize| (counts[arm] - 1000).abs() < 148), "{counts:?}");
    }

    #[test]
    fn an_impossible_probability_is_refused() {
        assert!(HalfGreedy::new(HalfGreedyConfig { greed: 1.1 }).is_err());
        assert!(HalfGreedy::new(HalfGreedyConfig { greed: f64::NAN }).is_err());
    }
}
