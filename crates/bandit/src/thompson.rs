//! Top-two Thompson sampling (Russo, "Simple Bayesian algorithms for best arm
//! identification", 2016).
//!
//! Thompson sampling plays an arm with the probability that it is the best, and
//! so, once it is nearly sure, learns nothing of the others. TTTS plays the best
//! arm of one draw from the posterior with probability β only, and else the best
//! of another draw in which that arm is not the best.
//!
//! The posterior of an arm is Beta(1 + s, 1 + n − s), s the sum of its n rewards:
//! exact for rewards of 0 and 1 and a uniform prior, and the usual stand-in for
//! others in [0, 1].

use rand_distr::{Beta, Distribution};
use tesuji_core::spec::{Interval, Parameter, Values};
use tesuji_core::{Allocator, Arms, Batch, Rng};

use crate::policy::{FinalChoice, Pace, PolicyInfo};
use crate::steps::{RunState, Steps};

pub(crate) const INFO: PolicyInfo = PolicyInfo {
    name: "ttts",
    meaning: "top-two Thompson sampling: the best arm of a posterior draw, or of another draw in which that arm \
              is not the best; recommends the best posterior mean",
    source: "Russo 2016",
    parameters: &[Parameter {
        name: "beta",
        meaning: "how often the best arm of the first draw is sampled",
        default: Some("0.5"),
        values: Values::number(Interval::UNIT),
    }],
    anytime: |_| true,
    final_choice: FinalChoice::Own,
    pace: Pace::Steps,
    build: |arguments| {
        let beta = arguments.number("beta").expect("the table allows numbers only");
        Ok(Box::new(TopTwoThompson::new(TopTwoThompsonConfig { beta })?))
    },
};

/// How many draws are tried for a second arm. When an arm is the best of all of
/// them, its rivals are so unlikely that the order of their means will do.
const MOST_DRAWS: usize = 100;

/// The settings of top-two Thompson sampling.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TopTwoThompsonConfig {
    /// The probability of sampling the best arm of the first draw, in [0, 1]. At 1
    /// this is Thompson sampling.
    pub(crate) beta: f64,
}

impl Default for TopTwoThompsonConfig {
    fn default() -> TopTwoThompsonConfig {
        TopTwoThompsonConfig { beta: 0.5 }
    }
}

/// Top-two Thompson sampling. There is no opening: arms without samples have a
/// uniform posterior. Recommends the best posterior mean.
#[derive(Clone, Debug)]
pub(crate) struct TopTwoThompson {
    config: TopTwoThompsonConfig,
    steps: Steps,
    /// Whether the posteriors hold what the arms hold, but for the last batch.
    filled: bool,
    posteriors: Vec<Beta<f64>>,
}

fn posterior_mean(arms: &Arms, arm: usize) -> f64 {
    (1.0 + arms.sum(arm)) / (2.0 + arms.count(arm) as f64)
}

fn posterior(arms: &Arms, arm: usize) -> Beta<f64> {
    // Sums of rewards that are not whole may be a hair above their number.
    let losses = (arms.count(arm) as f64 - arms.sum(arm)).max(0.0);
    Beta::new(1.0 + arms.sum(arm), 1.0 + losses).expect("both parameters are at least 1")
}

impl TopTwoThompson {
    /// A policy, or a sentence if `beta` is not a probability.
    pub(crate) fn new(config: TopTwoThompsonConfig) -> Result<TopTwoThompson, String> {
        if !(0.0..=1.0).contains(&config.beta) {
            return Err(format!("beta is {}, and has to be a number from 0 to 1", config.beta));
        }
        Ok(TopTwoThompson { config, steps: Steps::default(), filled: false, posteriors: Vec::new() })
    }

    fn refresh(&mut self, arms: &Arms) {
        if self.filled {
            for pull in self.steps.last() {
                self.posteriors[pull.arm] = posterior(arms, pull.arm);
            }
        } else {
            self.posteriors.clear();
            self.posteriors.extend((0..arms.len()).map(|arm| posterior(arms, arm)));
            self.filled = true;
        }
    }

    /// The best arm of a draw from the posterior.
    fn draw(&self, rng: &mut Rng) -> usize {
        let (mut best, mut best_value) = (0, f64::NEG_INFINITY);
        for (arm, posterior) in self.posteriors.iter().enumerate() {
            let value = posterior.sample(rng);
            if value > best_value {
                (best, best_value) = (arm, value);
            }
        }
        best
    }
}

impl Allocator for TopTwoThompson {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        self.steps.begin(n_arms, budget);
        self.filled = false;
    }

    fn next_batch(&mut self, arms: &Arms, rng: &mut Rng) -> Option<Batch<'_>> {
        match self.steps.open(arms, 0) {
            RunState::Spent => return None,
            RunState::BatchReady => return Some(self.steps.batch()),
            RunState::ToChoose => {}
        }
        self.refresh(arms);
        let first = self.draw(rng);
        let arm = if rng.chance(self.config.beta) {
            first
        } else {
            let second = (0..MOST_DRAWS).map(|_| self.draw(rng)).find(|&arm| arm != first);
            second.unwrap_or_else(|| {
                let mean = |arm| if arm == first { f64::NEG_INFINITY } else { posterior_mean(arms, arm) };
                arms.best_by(mean)
            })
        };
        self.steps.pull(arm, 1);
        Some(self.steps.batch())
    }

    fn recommend(&self, arms: &Arms) -> usize {
        arms.best_by(|arm| posterior_mean(arms, arm))
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::Seed;

    use super::*;
    use crate::test_arms::arms;

    fn counts(beta: f64, arms: &Arms, budget: u64) -> Vec<u64> {
        let mut policy = TopTwoThompson::new(TopTwoThompsonConfig { beta }).unwrap();
        let mut rng = Seed::new(1).rng();
        policy.begin(arms.len(), budget);
        let mut counts = vec![0; arms.len()];
        while let Some(batch) = policy.next_batch(arms, &mut rng) {
            counts[batch.pulls[0].arm] += 1;
        }
        counts
    }

    /// Published results depend on these values. Twelve digits, because the
    /// logarithm of another system may differ in the last one.
    #[test]
    fn draws_are_stable() {
        let mut rng = Seed::new(1).rng();
        let arms = arms(&[(0, 0), (4, 3), (100, 1)]);
        let drawn: Vec<String> =
            (0..6).map(|i| format!("{:.12}", posterior(&arms, i % 3).sample(&mut rng))).collect();
        assert_eq!(
            drawn.join(" "),
            "0.175964819030 0.537164634841 0.004672110319 0.434178222967 0.934600401986 0.006930421884"
        );
    }

    #[test]
    fn half_of_the_samples_go_to_the_best() {
        // Arm 1 is the best in practically every draw, and arm 0 next: of ten
        // thousand wins in a million the standard deviation is a hundred.
        let arms = arms(&[(1_000_000, 20_000), (1_000_000, 500_000), (1_000_000, 10_000)]);
        let counts = counts(0.5, &arms, 1000);
        // Binomial(1000, 1/2): standard deviation 15.8; five of them.
        assert!(counts[1].abs_diff(500) < 79, "{counts:?}");
        // No draw finds a second arm, so the posterior means decide.
        assert_eq!(counts[2], 0);
    }

    #[test]
    fn at_one_it_is_thompson_sampling() {
        // Beta(2, 1) against Beta(1, 1): the first is the greater with probability 2/3.
        let counts = counts(1.0, &arms(&[(1, 1), (0, 0)]), 3000);
        // Binomial(3000, 2/3): standard deviation 25.8; five of them.
        assert!(counts[0].abs_diff(2000) < 129, "{counts:?}");
    }

    #[test]
    fn the_posterior_mean_decides_in_the_end() {
        let policy = TopTwoThompson::new(TopTwoThompsonConfig::default()).unwrap();
        // 2/3 after one win, 8/11 after seven of nine.
        assert_eq!(policy.recommend(&arms(&[(1, 1), (9, 7)])), 1);
    }
}
