//! The halving of SHOT (Cazenave, "Sequential halving applied to trees", 2015).
//!
//! It differs from plain Sequential Halving in that arms may have earlier samples,
//! and a round tops every arm up to a number that counts them. So the same node of
//! a tree can get one budget after the other, and spends them as if it had known
//! their sum.

use tesuji_core::{Allocator, Arms, Batch, Pull, Ranked, Rng, Round};

use crate::policy::{FinalChoice, Pace, PolicyInfo};

pub(crate) const INFO: PolicyInfo = PolicyInfo {
    name: "shot",
    meaning: "SHOT's halving: samples every arm once, then runs rounds that count earlier samples; recommends the \
              best mean of the last round",
    source: "Cazenave 2015",
    parameters: &[],
    anytime: |_| false,
    final_choice: FinalChoice::Own,
    pace: Pace::Rounds,
    build: |_| Ok(Box::new(ShotHalving::default())),
};

/// The allocator of SHOT's halving. A single arm gets the whole budget.
#[derive(Clone, Debug, Default)]
pub struct ShotHalving {
    budget: u64,
    left: u64,
    /// The samples that the arms had before, all together.
    before: u64,
    /// b: what every arm of the round is topped up to, and of the round before.
    level: u64,
    earlier_level: u64,
    round: u32,
    stage: Stage,
    /// The arms that are left, best first once there was a round.
    alive: Vec<usize>,
    n_arms: usize,
    pulls: Vec<Pull>,
    watched: Option<Vec<Round>>,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Stage {
    /// Nothing was sampled yet.
    #[default]
    Begin,
    /// Arms without samples have got one; the rounds begin.
    Rounds,
    /// A round's samples are out.
    InRound,
}

impl ShotHalving {
    /// Best means first; equals by their number, so that the order is that of the moves.
    fn rank(&mut self, arms: &Arms) {
        self.alive.sort_unstable_by(|&a, &b| arms.mean(b).total_cmp(&arms.mean(a)).then(a.cmp(&b)));
    }

    /// Ends a round: the better half goes on, or the last two to their end.
    fn cut(&mut self, kept: usize, arms: &Arms) {
        if let Some(rounds) = &mut self.watched {
            let ranked = |&arm: &usize| {
                let mean = arms.mean(arm);
                Ranked { arm, q: mean, mean, bonus: 0.0 }
            };
            let ranking = self.alive.iter().map(ranked).collect();
            rounds.push(Round {
                samples_each: self.level - self.earlier_level,
                ranking,
                kept,
                comebacks: 0,
                calibration: None,
            });
        }
        self.alive.truncate(kept);
    }

    /// One sample for every arm without any, as far as the budget goes.
    fn first_samples(&mut self, arms: &Arms) {
        for arm in 0..self.n_arms {
            if arms.count(arm) == 0 && self.left > 0 {
                self.pulls.push(Pull { arm, samples: 1 });
                self.left -= 1;
            }
        }
    }

    /// Tops the arms of a round up.
    fn round_samples(&mut self, arms: &Arms) {
        let log = u64::from(self.n_arms.next_power_of_two().trailing_zeros()).max(1);
        let share = (self.before + self.budget) / (self.alive.len() as u64 * log);
        self.earlier_level = self.level;
        self.level += share.max(1);
        for &arm in &self.alive {
            let samples = self.level.saturating_sub(arms.count(arm)).min(self.left);
            if samples > 0 {
                self.pulls.push(Pull { arm, samples });
                self.left -= samples;
            }
        }
        // The last round: nothing may be left over.
        if let ([first, _], true) = (&self.alive[..], self.left > 0) {
            match self.pulls.first_mut() {
                Some(pull) if pull.arm == *first => pull.samples += self.left,
                _ => self.pulls.insert(0, Pull { arm: *first, samples: self.left }),
            }
            self.left = 0;
        }
    }
}

impl Allocator for ShotHalving {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        (self.budget, self.left, self.before, self.level, self.round) = (budget, budget, 0, 0, 0);
        (self.n_arms, self.stage, self.earlier_level) = (n_arms, Stage::Begin, 0);
        self.alive.clear();
        self.alive.extend(0..n_arms);
        self.pulls.clear();
        self.pulls.reserve(n_arms + 1);
        if let Some(rounds) = &mut self.watched {
            rounds.clear();
        }
    }

    fn next_batch(&mut self, arms: &Arms, _: &mut Rng) -> Option<Batch<'_>> {
        self.pulls.clear();
        if self.left == 0 {
            if self.stage != Stage::Begin {
                self.rank(arms);
                self.stage = Stage::Begin;
                self.cut(1, arms);
            }
            return None;
        }
        if self.stage == Stage::Begin {
            self.before = arms.total();
            self.stage = Stage::Rounds;
            if self.n_arms == 1 {
                self.pulls.push(Pull { arm: 0, samples: std::mem::take(&mut self.left) });
            } else {
                self.first_samples(arms);
            }
        }
        while self.pulls.is_empty() {
            self.rank(arms);
            if self.stage == Stage::InRound && self.alive.len() > 2 {
                self.cut(self.alive.len().div_ceil(2), arms);
            }
            self.stage = Stage::InRound;
            self.round_samples(arms);
        }
        let round = self.round;
        self.round += 1;
        Some(Batch { round, pulls: &self.pulls })
    }

    fn recommend(&self, arms: &Arms) -> usize {
        let ahead = |&a: &usize, &b: &usize| arms.mean(a).total_cmp(&arms.mean(b)).then(b.cmp(&a));
        let sampled = self.alive.iter().copied().filter(|&arm| arms.count(arm) > 0);
        sampled.max_by(ahead).unwrap_or(0)
    }

    fn rounds(&self) -> &[Round] {
        self.watched.as_deref().unwrap_or(&[])
    }

    fn watch(&mut self) {
        self.watched.get_or_insert_default();
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::{Rewards, Seed, allocate};

    use super::*;

    /// The samples of each batch, by arm, for arms that always give their index over 10.
    fn trace(arms: &mut Arms, budget: u64) -> Vec<Vec<(usize, u64)>> {
        let mut batches = Vec::new();
        let mut policy = ShotHalving::default();
        let decision = allocate(&mut policy, budget, arms, &mut Seed::new(1).rng(), |batch, arms| {
            batches.push(batch.pulls.iter().map(|pull| (pull.arm, pull.samples)).collect());
            for pull in batch.pulls {
                let (count, mean) = (pull.samples, pull.arm as f64 / 10.0);
                let sum = count as f64 * mean;
                arms.record(pull.arm, Rewards { count, sum, squares: sum * mean });
            }
        });
        assert_eq!(decision.spent, budget);
        batches
    }

    #[test]
    fn rounds_by_hand() {
        let mut arms = Arms::new(4);
        // 4 once; b = ⌊20/(4·2)⌋ = 2 for four, b = 2 + ⌊20/(2·2)⌋ = 7 for two, and
        // what is left, 20 − 4 − 4 − 10 = 2, for the first.
        assert_eq!(
            trace(&mut arms, 20),
            [
                vec![(0, 1), (1, 1), (2, 1), (3, 1)],
                vec![(3, 1), (2, 1), (1, 1), (0, 1)],
                vec![(3, 7), (2, 5)],
            ]
        );
        // Another 20: b = ⌊40/8⌋ = 5 has to be reached by 0 and 1 only, then 15 by two.
        assert_eq!(trace(&mut arms, 20), [vec![(1, 3), (0, 3)], vec![(3, 6), (2, 8)]]);
        assert_eq!((arms.count(3), arms.count(2)), (15, 15));
    }

    #[test]
    fn small_budgets() {
        assert_eq!(trace(&mut Arms::new(4), 3), [vec![(0, 1), (1, 1), (2, 1)]]);
        assert_eq!(trace(&mut Arms::new(1), 7), [vec![(0, 7)]]);
        assert_eq!(trace(&mut Arms::new(2), 5), [vec![(0, 1), (1, 1)], vec![(1, 2), (0, 1)]]);
    }
}
