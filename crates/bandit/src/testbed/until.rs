//! Runs that end when they are sure: the samples of a batch are taken in parts, between which
//! the decision is looked at.

use tesuji_core::{Allocator, Pull, Rng, Score};

use super::run::{Judge, Table};
use super::tally::Outcome;
use crate::confidence::{Checks, Confidence, Until};

/// What a run that may stop needs.
pub(super) struct Stopping {
    pub(super) until: Until,
    confidence: Confidence,
    /// The part of a batch that is not taken yet.
    rest: Vec<Pull>,
    /// The part that is taken next.
    now: Vec<Pull>,
}

impl Stopping {
    pub(super) fn new(until: Until) -> Stopping {
        Stopping { until, confidence: Confidence::default(), rest: Vec::new(), now: Vec::new() }
    }
}

impl Table {
    /// Runs an allocator until it is sure or the budget is spent. A run that is sure at its last
    /// sample has not stopped: nothing is saved.
    pub(super) fn run_until(
        &mut self,
        allocator: &mut dyn Allocator,
        budget: u64,
        mut rng: Rng,
        judge: Judge,
        stopping: &mut Stopping,
    ) -> Outcome {
        self.rewind();
        let n_arms = self.gaps.len();
        let Stopping { until, confidence, rest, now } = stopping;
        let mut checks = Checks::new(n_arms, 1);
        allocator.begin(n_arms, budget);
        while let Some(batch) = allocator.next_batch(&self.arms, &mut rng) {
            let round = batch.round;
            rest.clear();
            rest.extend_from_slice(batch.pulls);
            while !rest.is_empty() {
                checks.cut(self.arms.total(), rest, now);
                for &pull in &*now {
                    self.sample(round, pull);
                }
                let total = self.arms.total();
                if checks.is_due(total) && total < budget {
                    let chosen = allocator.recommend(&self.arms);
                    if confidence.reached(&self.arms, chosen, *until, |_| None).is_some() {
                        let right = f64::from(self.gaps[chosen] <= until.within + ROUNDING);
                        let outcome = judge.outcome(allocator, &self.arms, &self.gaps);
                        return Outcome { right: Some(right), ..outcome };
                    }
                }
                now.clear();
            }
            if let Some(scores) = &mut self.scores {
                scores.fill(&mut self.arms);
            }
        }
        judge.outcome(allocator, &self.arms, &self.gaps)
    }
}

/// Values such as 0.5 and 0.48 differ by 0.02 only nearly.
const ROUNDING: f64 = 1e-12;
