//! Bracketing Sequential Halving (Zhao, Stephens, Szepesvári, Jun, "Revisiting simple regret:
//! fast rates for returning a good arm", 2023), for budgets below the number of arms.
//!
//! How many arms are worth a look depends on how many good ones there are, which nobody knows:
//! with many, a few random arms contain one, and its samples are soon enough; with one, all
//! arms must be seen. So several halvings share the budget, each in its own *bracket*: bracket
//! b has 2^b random arms, and is opened if each of b brackets has `b·2^b` samples, one for each
//! of its arms in each of its b rounds.
//!
//! The paper's policy does not know its budget: in each bracket halvings follow one another
//! with budgets that double. Here T is known, so each bracket makes one halving with its equal
//! share of T.

use tesuji_core::{Allocator, Arms, Batch, Pull, Rng};

use crate::policy::{FinalChoice, Pace, PolicyInfo};

pub(crate) const INFO: PolicyInfo = PolicyInfo {
    name: "bracketing-sh",
    meaning: "runs a Sequential Halving in each of several brackets of 2, 4, 8, … random arms; recommends the best \
              mean among their winners",
    source: "Zhao, Stephens, Szepesvári, Jun 2023",
    parameters: &[],
    anytime: |_| false,
    final_choice: FinalChoice::Own,
    pace: Pace::Rounds,
    build: |_| Ok(Box::new(BracketingHalving::default())),
};

/// Bracketing Sequential Halving, one batch for each round of a bracket, the largest bracket
/// first. A round gives every arm at least one sample while the bracket's share lasts. Means are
/// over all samples of an arm, in whichever brackets. Recommends the best mean among the winners
/// of the brackets.
#[derive(Clone, Debug, Default)]
pub(crate) struct BracketingHalving {
    n_arms: usize,
    left: u64,
    /// The bracket that is open, 0 before the first; the brackets below it are still to come.
    bracket: u32,
    left_in_bracket: u64,
    /// The rounds of this bracket that are left, the running one included.
    rounds_left: u32,
    round: u32,
    /// A random order of all arms, drawn for each bracket, which has the first of it.
    order: Vec<usize>,
    /// Where an arm is in the random order.
    places: Vec<usize>,
    /// The number of brackets' arms that are left: the first of `order`.
    alive: usize,
    /// The best arm of each bracket that is done.
    winners: Vec<usize>,
    pulls: Vec<Pull>,
}

/// The number of brackets: the greatest b with `b·b·2^b ≤ T`, at most as many as contain all arms,
/// and at least one.
fn n_brackets(n_arms: usize, budget: u64) -> u32 {
    let most = rounds(n_arms);
    (1..=most).rev().find(|&b| u64::from(b * b) << b <= budget).unwrap_or(1)
}

/// The number of rounds that halve this many arms: `ceil(log2 n)`, and 1 for a single arm.
fn rounds(n_arms: usize) -> u32 {
    n_arms.next_power_of_two().trailing_zeros().max(1)
}

fn value(arms: &Arms, arm: usize) -> f64 {
    if arms.count(arm) == 0 { -1.0 } else { arms.mean(arm) }
}

/// The best mean among some arms: of equals the better score, then the first of the list.
fn best(arms: &Arms, among: impl Iterator<Item = usize>) -> Option<usize> {
    let key = |arm: usize| (value(arms, arm), arms.score(arm));
    among.reduce(|best, arm| if key(arm) > key(best) { arm } else { best })
}

impl BracketingHalving {
    /// Ends the bracket, if one is open, and opens the next smaller one.
    fn next_bracket(&mut self, arms: &Arms, rng: &mut Rng) {
        self.close_bracket(arms);
        self.bracket -= 1;
        rng.shuffle(&mut self.order);
        for (place, &arm) in self.order.iter().enumerate() {
            self.places[arm] = place;
        }
        self.alive = (1_usize << self.bracket).min(self.n_arms);
        self.rounds_left = rounds(self.alive);
        self.left_in_bracket = self.left / u64::from(self.bracket);
    }

    fn close_bracket(&mut self, arms: &Arms) {
        let winner = best(arms, self.order[..self.alive].iter().copied());
        self.winners.extend(winner);
    }

    /// Keeps the better half of the bracket's arms.
    fn halve(&mut self, arms: &Arms) {
        let places = &self.places;
        self.order[..self.alive].sort_unstable_by(|&a, &b| {
            value(arms, b).total_cmp(&value(arms, a)).then_with(|| places[a].cmp(&places[b]))
        });
        self.alive = self.alive.div_ceil(2);
        self.rounds_left -= 1;
    }
}

impl Allocator for BracketingHalving {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        (self.n_arms, self.left, self.round) = (n_arms, budget, 0);
        self.bracket = n_brackets(n_arms, budget) + 1;
        (self.left_in_bracket, self.rounds_left, self.alive) = (0, 0, 0);
        self.order.clear();
        self.order.extend(0..n_arms);
        self.places.clear();
        self.places.resize(n_arms, 0);
        self.winners.clear();
        self.winners.reserve(self.bracket as usize);
        self.pulls.clear();
        self.pulls.reserve(n_arms);
    }

    fn next_batch(&mut self, arms: &Arms, rng: &mut Rng) -> Option<Batch<'_>> {
        if self.left == 0 {
            return None;
        }
        if self.rounds_left > 1 && self.left_in_bracket > 0 {
            self.halve(arms);
        } else {
            self.next_bracket(arms, rng);
        }
        let each = self.left_in_bracket / u64::from(self.rounds_left) / self.alive as u64;
        // The last round spends what is left of the bracket's share.
        let spare = if self.rounds_left == 1 { self.left_in_bracket - each * self.alive as u64 } else { 0 };
        self.pulls.clear();
        let mut left = self.left_in_bracket;
        for (place, &arm) in self.order[..self.alive].iter().enumerate() {
            let samples = (each + u64::from((place as u64) < spare)).max(1).min(left);
            if samples == 0 {
                break;
            }
            left -= samples;
            self.pulls.push(Pull { arm, samples });
        }
        self.left -= self.left_in_bracket - left;
        self.left_in_bracket = left;
        self.round += 1;
        Some(Batch { round: self.round - 1, pulls: &self.pulls })
    }

    fn recommend(&self, arms: &Arms) -> usize {
        let open = best(arms, self.order[..self.alive].iter().copied());
        best(arms, self.winners.iter().copied().chain(open)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::{Rewards, Seed};

    use super::*;

    #[test]
    fn brackets_are_opened_while_all_can_sample_their_arms_in_every_round() {
        // b·b·2^b: 2, 16, 72, 256, 800, 2304.
        let numbers = [0, 2, 15, 16, 71, 72, 256, 800, 2303, 2304].map(|budget| n_brackets(400, budget));
        assert_eq!(numbers, [1, 1, 1, 2, 2, 3, 4, 5, 5, 6]);
        // Bracket 3 of eight contains all of five to eight arms.
        assert_eq!([1, 2, 3, 4, 5, 8, 9].map(|n_arms| n_brackets(n_arms, 10_000)), [1, 1, 2, 2, 3, 3, 4]);
    }

    /// Runs with arms that always give their index over their number: each batch's number of
    /// arms and its samples in all, and the arm recommended.
    fn trace(n_arms: usize, budget: u64) -> (Vec<(usize, u64)>, usize) {
        let mut policy = BracketingHalving::default();
        let (mut state, mut rng) = (Arms::new(n_arms), Seed::new(1).rng());
        policy.begin(n_arms, budget);
        let mut batches = Vec::new();
        while let Some(batch) = policy.next_batch(&state, &mut rng) {
            let samples = batch.pulls.iter().map(|pull| pull.samples).sum();
            batches.push((batch.pulls.len(), samples));
            for pull in batch.pulls {
                let (count, mean) = (pull.samples, pull.arm as f64 / n_arms as f64);
                let sum = count as f64 * mean;
                state.record(pull.arm, Rewards { count, sum, squares: sum * mean });
            }
        }
        (batches, policy.recommend(&state))
    }

    #[test]
    fn the_schedule_by_hand() {
        // 72 samples, three brackets of 24: of eight arms, 8 each time for 8, 4 and 2; of four
        // arms 12 and 12; of two arms 24.
        let (batches, _) = trace(100, 72);
        assert_eq!(batches, [(8, 8), (4, 8), (2, 8), (4, 12), (2, 12), (2, 24)]);
        // 75 samples are three brackets of 25: the last round of each spends what is left over.
        let (batches, _) = trace(100, 75);
        assert_eq!(batches, [(8, 8), (4, 8), (2, 9), (4, 12), (2, 13), (2, 25)]);
    }

    #[test]
    fn a_large_bracket_contains_the_best_arm() {
        let (_, arm) = trace(16, 2000);
        assert_eq!(arm, 15);
    }

    #[test]
    fn small_budgets_and_few_arms() {
        assert_eq!(trace(1, 9).0, [(1, 9)]);
        assert_eq!(trace(2, 9).0, [(2, 9)]);
        assert_eq!(trace(2, 0).0, []);
        assert_eq!(trace(50, 1).0, [(1, 1)]);
        assert_eq!(trace(50, 3).0, [(2, 3)]);
    }
}
