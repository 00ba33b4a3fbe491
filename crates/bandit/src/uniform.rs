//! Uniform allocation: the same number of samples for every arm. The yardstick.

use tesuji_core::{Allocator, Arms, Batch, Pull, Rng};

use crate::policy::{FinalChoice, Pace, PolicyInfo};

pub(crate) const INFO: PolicyInfo = PolicyInfo {
    name: "uniform",
    meaning: "gives every arm the same number of samples, and the remainder to random arms; recommends the best \
              mean",
    source: "folklore",
    parameters: &[],
    anytime: |_| false,
    final_choice: FinalChoice::Own,
    pace: Pace::Rounds,
    build: |_| Ok(Box::new(Uniform::default())),
};

/// Uniform allocation: the whole budget in one batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uniform {
    n_arms: usize,
    budget: u64,
    order: Vec<usize>,
    pulls: Vec<Pull>,
}

impl Allocator for Uniform {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        (self.n_arms, self.budget) = (n_arms, budget);
    }

    fn next_batch(&mut self, _: &Arms, rng: &mut Rng) -> Option<Batch<'_>> {
        let budget = std::mem::take(&mut self.budget);
        if budget == 0 {
            return None;
        }
        let (each, rest) = (budget / self.n_arms as u64, (budget % self.n_arms as u64) as usize);
        self.order.clear();
        self.order.extend(0..self.n_arms);
        if rest > 0 {
            rng.shuffle(&mut self.order);
        }
        let pulls = self.order.iter().enumerate().map(|(place, &arm)| {
            let samples = each + u64::from(place < rest);
            Pull { arm, samples }
        });
        self.pulls.clear();
        self.pulls.extend(pulls.filter(|pull| pull.samples > 0));
        Some(Batch { round: 0, pulls: &self.pulls })
    }

    fn recommend(&self, arms: &Arms) -> usize {
        arms.best_mean()
    }
}
