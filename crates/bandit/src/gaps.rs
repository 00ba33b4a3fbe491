//! UGapEb (Gabillon, Ghavamzadeh, Lazaric, "Best arm identification: a unified
//! approach to fixed budget and fixed confidence", 2012), for one best arm and
//! exactly the best: m = 1, ε = 0, and rewards in [0, 1], b = 1.
//!
//! The index of an arm bounds how much worse than the best it may be: the upper
//! bounds of the others less its own lower bound. The arm with the least index
//! is compared with the one that may be the most above it.

use tesuji_core::{Allocator, Arms, Batch, Rng};

use crate::policy::{FinalChoice, Pace, PolicyInfo, exploration};
use crate::steps::{RunState, Steps};

pub(crate) const INFO: PolicyInfo = PolicyInfo {
    name: "ugapeb",
    meaning: "samples the leading arm or its strongest challenger, whichever is more uncertain; recommends the \
              leader that was the most certain",
    source: "Gabillon, Ghavamzadeh, Lazaric 2012",
    parameters: &[exploration("a", None)],
    anytime: |_| true,
    final_choice: FinalChoice::Own,
    pace: Pace::Steps,
    build: |arguments| {
        let a = arguments.number("a").expect("the table allows numbers only");
        Ok(Box::new(UGapEb::new(UGapEbConfig { a })?))
    },
};

/// The settings of UGapEb.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct UGapEbConfig {
    /// The bounds are `mean ± sqrt(a / n_i)`. The paper's `a` is
    /// `(T − n) / (4 H_ε)`, which needs the gaps between the means.
    pub(crate) a: f64,
}

/// UGapEb: see the paper's Figure 1. Recommends the arm J(t) whose index was the
/// least of all times.
#[derive(Clone, Debug)]
pub(crate) struct UGapEb {
    config: UGapEbConfig,
    steps: Steps,
    /// The least index so far and its arm.
    least: Option<Candidate>,
}

/// An arm that may be the best, and by how much it may be beaten.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Candidate {
    /// J(t): the arm with the least index, the first of equals.
    arm: usize,
    /// B_J(t).
    index: f64,
    /// The other arm with the greatest upper bound, the first of equals.
    rival: usize,
}

/// An upper confidence bound and its arm.
#[derive(Clone, Copy)]
struct UpperBound {
    value: f64,
    arm: usize,
}

impl UGapEb {
    /// A policy, or a sentence that says why `a` is impossible.
    pub(crate) fn new(config: UGapEbConfig) -> Result<UGapEb, String> {
        if !(config.a.is_finite() && config.a >= 0.0) {
            return Err(format!("a is {}, and has to be a number of at least 0", config.a));
        }
        Ok(UGapEb { config, steps: Steps::default(), least: None })
    }

    /// J(t) of two arms or more that all have samples.
    fn candidate(&self, arms: &Arms) -> Candidate {
        let width = |arm: usize| (self.config.a / arms.count(arm) as f64).sqrt();
        // The two greatest upper bounds: one of them is that of the others for any arm.
        let mut first = UpperBound { value: f64::NEG_INFINITY, arm: 0 };
        let mut second = first;
        for arm in 0..arms.len() {
            let upper = UpperBound { value: arms.mean(arm) + width(arm), arm };
            if upper.value > first.value {
                (first, second) = (upper, first);
            } else if upper.value > second.value {
                second = upper;
            }
        }
        let mut best = Candidate { arm: 0, index: f64::INFINITY, rival: 0 };
        for arm in 0..arms.len() {
            let rival = if arm == first.arm { second } else { first };
            let index = rival.value - (arms.mean(arm) - width(arm));
            if index < best.index {
                best = Candidate { arm, index, rival: rival.arm };
            }
        }
        best
    }

    /// The better of the kept candidate and the current one. If their indices are
    /// equal, the current one is better: it knows more.
    fn better(&self, now: Candidate) -> Candidate {
        match self.least {
            Some(kept) if kept.index < now.index => kept,
            _ => now,
        }
    }
}

impl Allocator for UGapEb {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        self.steps.begin(n_arms, budget);
        self.least = None;
    }

    fn next_batch(&mut self, arms: &Arms, _: &mut Rng) -> Option<Batch<'_>> {
        match self.steps.open(arms, 1) {
            RunState::Spent => return None,
            RunState::BatchReady => return Some(self.steps.batch()),
            RunState::ToChoose => {}
        }
        let now = self.candidate(arms);
        self.least = Some(self.better(now));
        // The wider bound is that of fewer samples; of equals the candidate's.
        let arm = if arms.count(now.rival) < arms.count(now.arm) { now.rival } else { now.arm };
        self.steps.pull(arm, 1);
        Some(self.steps.batch())
    }

    fn recommend(&self, arms: &Arms) -> usize {
        if arms.len() == 1 || (0..arms.len()).any(|arm| arms.count(arm) == 0) {
            return arms.best_mean();
        }
        self.better(self.candidate(arms)).arm
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::{Rewards, Seed};

    use super::*;
    use crate::test_arms::arms;

    #[test]
    fn indices_by_hand() {
        let policy = UGapEb::new(UGapEbConfig { a: 0.25 }).unwrap();
        // Means 1/2, 3/4, 1/4 and widths 1/4, 1/4, 1/2: upper bounds 3/4, 1, 3/4 and
        // lower ones 1/4, 1/2, -1/4. Indices 3/4, 1/4, 5/4; the rival of arm 1 is arm 0.
        let arms = arms(&[(4, 2), (4, 3), (1, 0)]);
        let candidate = policy.candidate(&arms);
        assert_eq!((candidate.arm, candidate.rival), (1, 0));
        assert_eq!(candidate.index, 0.25);
    }

    #[test]
    fn the_less_known_is_sampled_and_the_best_time_is_remembered() {
        let mut policy = UGapEb::new(UGapEbConfig { a: 0.25 }).unwrap();
        let mut rng = Seed::new(1).rng();
        let mut state = arms(&[(16, 8), (4, 3)]);
        policy.begin(2, 2);
        // Widths 1/8 and 1/4: the candidate is arm 1, index 5/8 - 1/2 = 1/8, and it is
        // the less known.
        assert_eq!(policy.next_batch(&state, &mut rng).unwrap().pulls[0].arm, 1);
        assert_eq!(policy.recommend(&state), 1);
        // It loses: now both are at best 3/5 - 1/2 apart, and the index is greater.
        state.record(1, Rewards::wins(1, 0));
        state.record(1, Rewards::wins(1, 0));
        assert_eq!(state.best_mean(), 0);
        assert_eq!(policy.recommend(&state), 1, "the least index was that of the time before");
    }
}
