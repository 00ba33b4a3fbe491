//! How samples are spent: the trait behind every way of choosing among arms,
//! and the plain loop that runs it.
//!
//! Root search, the estimates at new leaves, flat search in phantom games and
//! the bandit testbed are one thing: arms, a budget, batches of samples,
//! statistics, a recommendation. An algorithm written once serves in all four.
//!
//! [`allocate`] is the loop for callers that only want the decision. Callers that
//! do more between two batches call the allocator themselves: the root of a search
//! looks at the clock, SHOT descends, the testbed judges at every budget on the
//! way, and a `Trial` waits for somebody else's samples.

use std::fmt;

use crate::{Arms, Rng};

/// A number of samples to take of one arm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pull {
    /// The arm, by its index.
    pub arm: usize,
    /// The number of samples, at least 1.
    pub samples: u64,
}

/// The samples to take before the allocator is asked again. They do not depend
/// on one another, so all of them can be taken at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batch<'a> {
    /// The round that the batch belongs to. It is part of the address of the
    /// batch's random numbers. Policies without rounds stay in round 0.
    pub round: u32,
    /// The arms to sample, each at most once.
    pub pulls: &'a [Pull],
}

/// A policy at work: it spends a budget of samples on arms.
///
/// The order of calls: [`begin`](Allocator::begin); then
/// [`next_batch`](Allocator::next_batch), the batch's rewards recorded in the
/// arms, and so on until there is no batch. Between two batches only scores and
/// the arms of the last batch change, so an allocator may keep what it computed
/// for the other arms. [`allocate`] makes these calls in order.
///
/// The batches sum to the budget exactly, unless [`stop`](Allocator::stop)
/// returns a reason. Arms may have samples before the first batch.
pub trait Allocator: Send {
    /// Starts a run with `n_arms` arms, at least 1, and a budget in samples.
    fn begin(&mut self, n_arms: usize, budget: u64);

    /// Returns the arms to sample next, or `None` if the run is over. `rng` is for
    /// the allocator's own choices, not for the rewards.
    fn next_batch(&mut self, arms: &Arms, rng: &mut Rng) -> Option<Batch<'_>>;

    /// Returns the best arm by what is known now. Callers may ask at any time
    /// after [`begin`](Allocator::begin).
    fn recommend(&self, arms: &Arms) -> usize;

    /// Returns why the run ended before the budget was spent. `None` while it goes
    /// on, and if the whole budget was spent.
    fn stop(&self) -> Option<Stop> {
        None
    }

    /// Returns the rounds so far: which arms were cut, when, and by which values.
    /// Empty unless [`watch`](Allocator::watch) was called, and for policies
    /// without rounds.
    fn rounds(&self) -> &[Round] {
        &[]
    }

    /// Returns a better policy than the scores', to learn from: a probability for each arm. `None`
    /// for allocators without one.
    fn improved_policy(&self, _arms: &Arms) -> Option<Vec<f64>> {
        None
    }

    /// Asks the allocator to keep its [`rounds`](Allocator::rounds) from now on.
    fn watch(&mut self) {}
}

/// Why an allocator did not spend its whole budget.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Stop {
    /// Only one arm is left, so there is nothing to choose.
    OneArm,
    /// No sample is worth its cost.
    NotWorthIt {
        /// The greatest value of a sample.
        value: f64,
        /// What a sample costs.
        cost: f64,
    },
    /// One arm outweighs all others by its samples, so its lead is certain enough.
    Certain,
    /// Every round gives each arm the same whole number of samples, and the
    /// remainder is not spent.
    Floors,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::OneArm => f.write_str("one arm is left, so there is nothing to choose between"),
            Stop::NotWorthIt { value, cost } => {
                write!(f, "no sample is worth its cost: the most valuable {value:.3e}, the cost {cost:e}")
            }
            Stop::Floors => f.write_str("what its rounds leave over is not spent"),
            Stop::Certain => f.write_str("the leading arm is certain enough"),
        }
    }
}

/// A finished round of a halving.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Round {
    /// The number of samples that each arm got in this round.
    pub samples_each: u64,
    /// The arms that took part, best first: the first [`kept`](Round::kept) go on. Policies
    /// that rank all arms again also list arms that come back.
    pub ranking: Vec<Ranked>,
    /// The number of arms that go on to the next round.
    pub kept: usize,
    /// The number of arms of the ranking that did not take part: cut earlier, they come back.
    pub comebacks: usize,
    /// How scores and values relate, if the policy has learnt it.
    pub calibration: Option<Calibration>,
}

/// What a policy has learnt about its scores: how they relate to the values of the arms.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Calibration {
    /// How much an arm's value grows with its score: reward for a unit of score. 0 if the
    /// scores say nothing.
    pub slope: f64,
    /// The variance of the values that the scores leave unexplained, τ².
    pub residual: f64,
    /// The weight t′ of SHUSS that ranks arms with equal numbers of samples alike.
    pub weight: f64,
    /// The standard deviation of the values.
    pub spread: f64,
    /// The correlation of scores and values.
    pub correlation: f64,
}

impl Calibration {
    /// Returns the weight for people: whole, or two digits below ten, since the logits of a network
    /// differ by much more than values do.
    ///
    /// ```
    /// let with = |weight| tesuji_core::Calibration { weight, ..Default::default() };
    /// let texts = [287.4, 10.0, 9.96, 0.0, 0.004871].map(|weight| with(weight).readable_weight());
    /// assert_eq!(texts, ["287", "10", "10", "0", "0.0049"]);
    /// ```
    pub fn readable_weight(&self) -> String {
        if self.weight >= 10.0 {
            return format!("{:.0}", self.weight);
        }
        let digits = format!("{:.1e}", self.weight);
        digits.parse::<f64>().map_or(digits, |rounded| rounded.to_string())
    }
}

/// An arm's place in a round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ranked {
    /// The arm, by its index.
    pub arm: usize,
    /// The value that the arm was ranked by: `mean + bonus`, or the bonus alone if
    /// only scores count.
    pub q: f64,
    /// The mean reward.
    pub mean: f64,
    /// What the arm's score added to its mean.
    pub bonus: f64,
}

/// The result of an [`allocate`] call.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision {
    /// The recommended arm.
    pub arm: usize,
    /// The number of samples spent.
    pub spent: u64,
    /// Why fewer samples than the budget were spent; `None` if all were.
    pub stop: Option<Stop>,
}

/// Runs an allocator to its end and returns its decision. `sample` takes the
/// samples of a batch, in any order or in parallel, records them in the arms, and
/// updates the scores.
///
/// `rng` is for the allocator's own choices (ties, posterior samples), not for
/// the rewards.
pub fn allocate(
    allocator: &mut (impl Allocator + ?Sized),
    budget: u64,
    arms: &mut Arms,
    rng: &mut Rng,
    mut sample: impl FnMut(Batch<'_>, &mut Arms),
) -> Decision {
    let before = arms.total();
    allocator.begin(arms.len(), budget);
    while let Some(batch) = allocator.next_batch(arms, rng) {
        sample(batch, arms);
    }
    Decision { arm: allocator.recommend(arms), spent: arms.total() - before, stop: allocator.stop() }
}
