//! Policies for the testbed's own tests, as small as they can be.

use tesuji_core::{Allocator, Arms, Batch, Pull, Rng};

/// Sequential Halving with λ = 1/2 (Karnin, Koren, Somekh 2013).
#[derive(Default)]
pub(super) struct Halving {
    alive: Vec<usize>,
    rounds_left: u32,
    round: u32,
    budget: u64,
    pulls: Vec<Pull>,
}

impl Allocator for Halving {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        self.alive.clear();
        self.alive.extend(0..n_arms);
        self.rounds_left = (n_arms as u64).next_power_of_two().trailing_zeros();
        (self.round, self.budget) = (0, budget);
    }

    fn next_batch(&mut self, arms: &Arms, _: &mut Rng) -> Option<Batch<'_>> {
        if self.round > 0 && self.alive.len() > 1 {
            let q = |&arm: &usize| arms.mean(arm);
            let kept = self.alive.len().div_ceil(2);
            self.alive.sort_by(|a, b| q(b).total_cmp(&q(a)));
            self.alive.truncate(kept);
        }
        if self.rounds_left == 0 || self.alive.len() < 2 {
            return None;
        }
        let samples = self.budget / (self.alive.len() as u64 * u64::from(self.rounds_left));
        self.budget -= samples * self.alive.len() as u64;
        self.rounds_left -= 1;
        self.round += 1;
        self.pulls.clear();
        if samples > 0 {
            self.pulls.extend(self.alive.iter().map(|&arm| Pull { arm, samples }));
        }
        Some(Batch { round: self.round - 1, pulls: &self.pulls })
    }

    fn recommend(&self, arms: &Arms) -> usize {
        let best = |a: usize, b: usize| if arms.mean(b) > arms.mean(a) { b } else { a };
        self.alive.iter().copied().reduce(best).unwrap_or(0)
    }
}

/// UCB (Auer, Cesa-Bianchi, Fischer 2002), with the score as a bonus so that tests
/// see whether scores arrive, and ties broken by the policy's own generator.
pub(super) struct Ucb {
    pub(super) c: f64,
    /// Samples of a batch: 1 is what UCB is.
    pub(super) step: u64,
    /// Stops here, whatever the budget.
    pub(super) at_most: u64,
    n_arms: usize,
    budget: u64,
    pulls: [Pull; 1],
}

impl Ucb {
    pub(super) fn new(c: f64) -> Ucb {
        Ucb { c, step: 1, at_most: u64::MAX, n_arms: 0, budget: 0, pulls: [Pull { arm: 0, samples: 1 }] }
    }
}

impl Allocator for Ucb {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        (self.n_arms, self.budget) = (n_arms, budget.min(self.at_most));
    }

    fn next_batch(&mut self, arms: &Arms, rng: &mut Rng) -> Option<Batch<'_>> {
        let left = self.budget - arms.total();
        if left == 0 {
            return None;
        }
        let turn = rng.below(self.n_arms as u32) as usize;
        let explore = self.c * self.c * libm::log(arms.total().max(1) as f64);
        let value = |arm: usize| match arms.count(arm) {
            0 => f64::INFINITY,
            count => arms.mean(arm) + (explore / count as f64).sqrt() + arms.score(arm) / count as f64,
        };
        let (mut best, mut best_value) = (0, f64::NEG_INFINITY);
        for place in 0..self.n_arms {
            let arm = (place + turn) % self.n_arms;
            if value(arm) > best_value {
                (best, best_value) = (arm, value(arm));
            }
        }
        self.pulls = [Pull { arm: best, samples: left.min(self.step) }];
        Some(Batch { round: 0, pulls: &self.pulls })
    }

    fn recommend(&self, arms: &Arms) -> usize {
        arms.most_sampled()
    }
}
