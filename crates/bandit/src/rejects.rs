//! Successive rejects (Audibert, Bubeck, Munos, "Best arm identification in
//! multi-armed bandits", 2010).
//!
//! The budget is cut into K − 1 phases. In each, all arms that are left are
//! brought to the same number of samples, and then the worst is dismissed:
//!
//! ```text
//! n_k = ceil( (T − K) / (logbar(K) · (K + 1 − k)) ),  logbar(K) = 1/2 + Σ_{i=2..K} 1/i
//! ```
//!
//! The paper leaves a few samples unspent, and says nothing of T ≤ K, where the
//! schedule would dismiss arms unseen. Here the last phase, of two arms, spends
//! all that is left, an odd one on the better; and with T ≤ K, T of the arms at
//! random get one sample each.

use tesuji_core::{Allocator, Arms, Batch, Pull, Rng};

use crate::policy::{FinalChoice, Pace, PolicyInfo};

pub(crate) const INFO: PolicyInfo = PolicyInfo {
    name: "successive-rejects",
    meaning: "samples all remaining arms equally and dismisses the worst after each of n - 1 phases; recommends \
              the better of the last two",
    source: "Audibert, Bubeck, Munos 2010",
    parameters: &[],
    anytime: |_| false,
    final_choice: FinalChoice::Own,
    pace: Pace::Rounds,
    build: |_| Ok(Box::new(SuccessiveRejects::default())),
};

/// Successive rejects, one batch a phase. Recommends the best mean of the remaining
/// arms.
#[derive(Clone, Debug, Default)]
pub(crate) struct SuccessiveRejects {
    n_arms: usize,
    budget: u64,
    left: u64,
    phase: usize,
    /// logbar(K).
    logarithm: f64,
    /// The arms that are left, and whether an arm is.
    alive: Vec<usize>,
    is_alive: Vec<bool>,
    worst: Vec<usize>,
    pulls: Vec<Pull>,
}

/// logbar(K): a harmonic sum that begins with 1/2.
pub(crate) fn logbar(n_arms: usize) -> f64 {
    0.5 + (2..=n_arms).map(|i| 1.0 / i as f64).sum::<f64>()
}

/// n_k for phase k = 1 … K − 1, with more samples than arms: how many samples each
/// arm that is left has at its end.
fn samples_after(phase: usize, n_arms: usize, budget: u64, logbar: f64) -> u64 {
    debug_assert!(budget > n_arms as u64);
    let exact = (budget - n_arms as u64) as f64 / (logbar * (n_arms + 1 - phase) as f64);
    // What is whole must not be rounded up for an error in its last digit.
    (exact * (1.0 - 1e-12)).ceil() as u64
}

impl SuccessiveRejects {
    /// One sample each for as many arms as there are samples.
    fn once_each(&mut self, rng: &mut Rng) {
        rng.shuffle(&mut self.alive);
        let some = self.alive.iter().take(self.left as usize);
        self.pulls.extend(some.map(|&arm| Pull { arm, samples: 1 }));
    }

    /// All that is left for the last two arms, an odd sample for the better.
    fn last_phase(&mut self, arms: &Arms) {
        let half = self.left / 2;
        let better = if arms.mean(self.alive[1]) > arms.mean(self.alive[0]) { 1 } else { 0 };
        for (place, &arm) in self.alive.iter().enumerate() {
            let samples = if place == better { self.left - half } else { half };
            self.pulls.extend((samples > 0).then_some(Pull { arm, samples }));
        }
    }

    /// Dismisses the arm with the worst mean, one of equals at random.
    fn reject(&mut self, arms: &Arms, rng: &mut Rng) {
        let least = self.alive.iter().map(|&arm| arms.mean(arm)).fold(f64::INFINITY, f64::min);
        self.worst.clear();
        let places = 0..self.alive.len();
        self.worst.extend(places.filter(|&place| arms.mean(self.alive[place]) == least));
        let place = *rng.choose(&self.worst).expect("one of the arms has the least mean");
        let arm = self.alive.remove(place);
        self.is_alive[arm] = false;
    }
}

impl Allocator for SuccessiveRejects {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        if self.n_arms != n_arms {
            self.logarithm = logbar(n_arms);
        }
        (self.n_arms, self.budget, self.left, self.phase) = (n_arms, budget, budget, 0);
        self.alive.clear();
        self.alive.extend(0..n_arms);
        self.is_alive.clear();
        self.is_alive.resize(n_arms, true);
        self.worst.clear();
        self.worst.reserve(n_arms);
        self.pulls.clear();
        self.pulls.reserve(n_arms);
    }

    fn next_batch(&mut self, arms: &Arms, rng: &mut Rng) -> Option<Batch<'_>> {
        if self.left == 0 {
            return None;
        }
        self.pulls.clear();
        while self.pulls.is_empty() {
            if self.phase > 0 {
                self.reject(arms, rng);
            }
            self.phase += 1;
            if self.n_arms == 1 {
                self.pulls.push(Pull { arm: 0, samples: self.left });
            } else if self.budget <= self.n_arms as u64 {
                self.once_each(rng);
            } else if self.alive.len() == 2 {
                self.last_phase(arms);
            } else {
                let after = |phase| samples_after(phase, self.n_arms, self.budget, self.logarithm);
                let before = if self.phase == 1 { 0 } else { after(self.phase - 1) };
                let samples = after(self.phase) - before;
                let pulls = self.alive.iter().map(|&arm| Pull { arm, samples });
                self.pulls.extend(pulls.filter(|pull| pull.samples > 0));
            }
        }
        self.left -= self.pulls.iter().map(|pull| pull.samples).sum::<u64>();
        Some(Batch { round: self.phase as u32 - 1, pulls: &self.pulls })
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

    /// Runs with arms that always give their index over their number, and gives
    /// each batch as its round, its arms and their samples.
    fn trace(n_arms: usize, budget: u64) -> Vec<(u32, Vec<usize>, Vec<u64>)> {
        let mut policy = SuccessiveRejects::default();
        let (mut arms, mut rng) = (Arms::new(n_arms), Seed::new(1).rng());
        policy.begin(n_arms, budget);
        let mut batches = Vec::new();
        while let Some(batch) = policy.next_batch(&arms, &mut rng) {
            let pulls = batch.pulls;
            batches.push((
                batch.round,
                pulls.iter().map(|pull| pull.arm).collect(),
                pulls.iter().map(|pull| pull.samples).collect(),
            ));
            for pull in pulls {
                let (count, mean) = (pull.samples, pull.arm as f64 / n_arms as f64);
                let sum = count as f64 * mean;
                arms.record(pull.arm, Rewards { count, sum, squares: sum * mean });
            }
        }
        batches
    }

    #[test]
    fn the_schedule_of_four_arms_by_hand() {
        // logbar(4) = 1/2 + 1/2 + 1/3 + 1/4 = 19/12. With T = 42: 38 · 12/19 = 24, so
        // n_1 = 24/4 = 6, n_2 = 24/3 = 8, n_3 = 24/2 = 12, all of them whole. That is
        // 6 · 4 + 2 · 3 + 4 · 2 = 38; the four left over go to the last two arms.
        let schedule: Vec<u64> = (1..4).map(|k| samples_after(k, 4, 42, logbar(4))).collect();
        assert_eq!(schedule, [6, 8, 12]);
        assert_eq!(
            trace(4, 42),
            [(0, vec![0, 1, 2, 3], vec![6; 4]), (1, vec![1, 2, 3], vec![2; 3]), (2, vec![2, 3], vec![6, 6]),]
        );
        // 43: 39 · 12/19 = 24.6, so 7, 9 and 13; 28 + 6 + 9 in the last phase, the odd
        // one for the better.
        assert_eq!(trace(4, 43)[2], (2, vec![2, 3], vec![4, 5]));
    }

    #[test]
    fn phases_without_samples_only_reject() {
        // logbar(3) = 4/3. T = 4: n_1 = ceil(1/4) = 1 and n_2 = ceil(3/8) = 1.
        assert_eq!(trace(3, 4), [(0, vec![0, 1, 2], vec![1; 3]), (1, vec![2], vec![1])]);
        // Ten arms and 12 samples: one each, then eight are dismissed at once.
        assert_eq!(trace(10, 12).last(), Some(&(8, vec![8, 9], vec![1, 1])));
    }

    #[test]
    fn small_budgets_give_one_sample_to_some() {
        for budget in 1..=5 {
            let batches = trace(5, budget);
            assert_eq!(batches.len(), 1);
            assert_eq!(batches[0].2, vec![1; budget as usize]);
        }
        assert_eq!(trace(1, 9), [(0, vec![0], vec![9])]);
        assert_eq!(trace(2, 9), [(0, vec![0, 1], vec![5, 4])]);
        assert_eq!(trace(2, 0), []);
    }

    #[test]
    fn schedules_never_exceed_the_budget() {
        for n_arms in 2..60_usize {
            for budget in (n_arms as u64 + 1)..400 {
                let after = |k| samples_after(k, n_arms, budget, logbar(n_arms));
                let sum: u64 = (1..n_arms).map(after).sum::<u64>() + after(n_arms - 1);
                assert!(sum <= budget, "{n_arms} arms, {budget} samples: {sum}");
            }
        }
    }
}
