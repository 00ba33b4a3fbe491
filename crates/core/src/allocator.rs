//! How samples are spent: the trait behind every way of choosing among arms,
//! and the one loop that runs it.
//!
//! Root search, the estimates at new leaves, flat search in phantom games and
//! the bandit testbed are one thing: arms, a budget, batches of samples,
//! statistics, a recommendation. An algorithm written once serves in all four.

use std::fmt;

use crate::{Arms, Rng};

/// Some samples of one arm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pull {
    /// Which arm.
    pub arm: usize,
    /// How many samples of it, at least 1.
    pub samples: u64,
}

/// Samples to be taken before the allocator is asked again. They do not depend
/// on one another, so all of a batch can be taken at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batch<'a> {
    /// The round the batch belongs to: part of the address of its random
    /// numbers. Policies without rounds stay in round 0.
    pub round: u32,
    /// Each arm at most once.
    pub pulls: &'a [Pull],
}

/// A way to spend a budget of samples on arms.
///
/// The order of calls: [`begin`](Allocator::begin); then
/// [`next_batch`](Allocator::next_batch), the batch's rewards recorded in the
/// arms, and so on until there is no batch. Between two batches only the arms
/// of the last one change (and scores), so an allocator may keep what it
/// computed of the others. [`allocate`] does all this.
///
/// The batches sum to the budget exactly, unless [`stop`](Allocator::stop)
/// says why not. Arms may have samples before the first batch.
pub trait Allocator: Send {
    /// Starts anew, with `n_arms` arms (at least 1) and a budget.
    fn begin(&mut self, n_arms: usize, budget: u64);

    /// Which arms are sampled next, and how often; nothing when done.
    fn next_batch(&mut self, arms: &Arms, rng: &mut Rng) -> Option<Batch<'_>>;

    /// The arm that is best as far as is known now. Sound at any time after
    /// [`begin`](Allocator::begin).
    fn recommend(&self, arms: &Arms) -> usize;

    /// Why less than the budget was spent; nothing while and after all of it is.
    fn stop(&self) -> Option<Stop> {
        None
    }

    /// What was cut, when, by which values: for people to watch. Empty unless
    /// [`watch`](Allocator::watch) was called, and for policies without rounds.
    fn rounds(&self) -> &[Round] {
        &[]
    }

    /// Asks for [`rounds`](Allocator::rounds) to be kept from now on.
    fn watch(&mut self) {}
}

/// Why an allocator did not spend its whole budget.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Stop {
    /// There is nothing to choose between.
    OneArm,
    /// No sample is worth its cost.
    NotWorthIt {
        /// The greatest value of a sample.
        value: f64,
        /// What a sample costs.
        cost: f64,
    },
    /// One arm has so many samples that its lead is certain enough.
    Certain,
    /// Rounds of whole samples an arm leave some over.
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

/// A round of halving as it ended.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Round {
    /// Samples each arm got in this round.
    pub samples: u64,
    /// The arms that took part, best first: the first [`kept`](Round::kept) go on.
    pub ranking: Vec<Ranked>,
    /// How many go on.
    pub kept: usize,
}

/// An arm's place in a round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ranked {
    /// Which arm.
    pub arm: usize,
    /// The value it was ranked by: `mean + bonus`, or the bonus alone where only
    /// scores count.
    pub q: f64,
    /// The mean reward.
    pub mean: f64,
    /// What the arm's score added.
    pub bonus: f64,
}

/// What came of an allocation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision {
    /// The recommended arm.
    pub arm: usize,
    /// The samples spent.
    pub spent: u64,
    /// Why fewer than the budget.
    pub stop: Option<Stop>,
}

/// Runs an allocator to its end. `sample` takes the samples of a batch, in any
/// order or in parallel, records them in the arms, and brings scores up to date.
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
