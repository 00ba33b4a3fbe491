//! Anytime Sequential Halving (Sagers, Winands, Soemers, "Anytime sequential
//! halving in Monte-Carlo tree search", 2024).
//!
//! Sequential halving needs to know its budget, because it cuts it into equal
//! rounds. This policy makes the rounds as small as they can be instead, as many
//! samples as there are arms, and begins anew with all arms after the round of
//! two: over many passes an arm that survives k rounds gets as many more samples
//! than one that does not as in the original.

use tesuji_core::{Allocator, Arms, Batch, Pull, Rng};

use crate::policy::{FinalChoice, Pace, PolicyInfo};

pub(crate) const INFO: PolicyInfo = PolicyInfo {
    name: "anytime-sh",
    meaning: "repeats passes of halving with n samples a round: all arms, the better half, down to two; \
              recommends the best mean",
    source: "Sagers, Winands, Soemers 2024",
    parameters: &[],
    anytime: |_| true,
    final_choice: FinalChoice::Own,
    pace: Pace::Steps,
    build: |_| Ok(Box::new(AnytimeHalving::default())),
};

/// Anytime Sequential Halving, one batch a round. The arms of a round are ranked by
/// their means over all samples so far; the order of equals is drawn anew in each
/// pass. A last round that the budget does not cover goes to the best arms first.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnytimeHalving {
    n_arms: usize,
    left: u64,
    round: u32,
    /// All arms, ranked as in the last round of this pass that they were in.
    ranking: Vec<usize>,
    /// Where an arm was in the ranking before.
    places: Vec<usize>,
    /// The number of arms in the last round; 0 before the first round.
    in_round: usize,
    pulls: Vec<Pull>,
}

impl AnytimeHalving {
    /// Ranks the first `alive` arms by their means. Equals keep their order.
    fn rank(&mut self, arms: &Arms, alive: usize) {
        for (place, &arm) in self.ranking.iter().enumerate() {
            self.places[arm] = place;
        }
        let places = &self.places;
        // The sort that keeps equals in order would allocate.
        self.ranking[..alive].sort_unstable_by(|&a, &b| {
            arms.mean(b).total_cmp(&arms.mean(a)).then_with(|| places[a].cmp(&places[b]))
        });
    }
}

impl Allocator for AnytimeHalving {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        (self.n_arms, self.left, self.round, self.in_round) = (n_arms, budget, 0, 0);
        self.ranking.clear();
        self.ranking.extend(0..n_arms);
        self.places.clear();
        self.places.resize(n_arms, 0);
        self.pulls.clear();
        self.pulls.reserve(n_arms);
    }

    fn next_batch(&mut self, arms: &Arms, rng: &mut Rng) -> Option<Batch<'_>> {
        if self.left == 0 {
            return None;
        }
        let alive = if self.in_round <= 2 {
            rng.shuffle(&mut self.ranking);
            self.rank(arms, self.n_arms);
            self.n_arms
        } else {
            self.rank(arms, self.in_round);
            self.in_round.div_ceil(2)
        };
        // A single arm needs no rounds.
        let each = if self.n_arms == 1 { self.left } else { (self.n_arms / alive) as u64 };
        let round = self.round;
        self.round += 1;
        self.in_round = alive;
        self.pulls.clear();
        for &arm in &self.ranking[..alive] {
            let samples = each.min(self.left);
            if samples == 0 {
                break;
            }
            self.left -= samples;
            self.pulls.push(Pull { arm, samples });
        }
        Some(Batch { round, pulls: &self.pulls })
    }

    fn recommend(&self, arms: &Arms) -> usize {
        arms.best_mean()
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::{Rewards, Seed};

    use super::*;

    /// Runs with arms that always give their index over their number; each batch
    /// as its round, its arms in index order and their samples.
    fn trace(n_arms: usize, budget: u64) -> Vec<(u32, Vec<usize>, u64)> {
        let mut policy = AnytimeHalving::default();
        let (mut arms, mut rng) = (Arms::new(n_arms), Seed::new(1).rng());
        policy.begin(n_arms, budget);
        let mut batches = Vec::new();
        while let Some(batch) = policy.next_batch(&arms, &mut rng) {
            let mut which: Vec<usize> = batch.pulls.iter().map(|pull| pull.arm).collect();
            which.sort_unstable();
            batches.push((batch.round, which, batch.pulls.iter().map(|pull| pull.samples).sum()));
            for pull in batch.pulls {
                let (count, mean) = (pull.samples, pull.arm as f64 / n_arms as f64);
                let sum = count as f64 * mean;
                arms.record(pull.arm, Rewards { count, sum, squares: sum * mean });
            }
        }
        batches
    }

    #[test]
    fn two_passes_by_hand() {
        // Seven arms, four with one sample each, two with three each: 7 + 4 + 6.
        let all: Vec<usize> = (0..7).collect();
        assert_eq!(
            trace(7, 17 + 7 + 4 + 5),
            [
                (0, all.clone(), 7),
                (1, vec![3, 4, 5, 6], 4),
                (2, vec![5, 6], 6),
                (3, all, 7),
                (4, vec![3, 4, 5, 6], 4),
                (5, vec![5, 6], 5),
            ]
        );
    }

    #[test]
    fn a_round_that_is_cut_goes_to_the_best() {
        // In the second pass the ranking is known from the first.
        assert_eq!(trace(7, 17 + 3).last(), Some(&(3, vec![4, 5, 6], 3)));
        assert_eq!(trace(7, 7 + 4 + 2).last(), Some(&(2, vec![6], 2)));
    }

    #[test]
    fn few_arms_have_short_passes() {
        assert_eq!(trace(1, 9), [(0, vec![0], 9)]);
        assert_eq!(trace(2, 5), [(0, vec![0, 1], 2), (1, vec![0, 1], 2), (2, vec![1], 1)]);
        assert_eq!(trace(3, 5), [(0, vec![0, 1, 2], 3), (1, vec![1, 2], 2)]);
    }
}
