//! Samples that a device makes before a policy asks for them.
//!
//! A policy that chooses sample by sample would have a device make one sample at a time. But
//! every arm has a tree and a stream of random numbers of its own: what the next sample of an arm
//! gives does not depend on when it is asked for. So some samples of each arm are made ahead and
//! kept. The policy sees only the samples it asks for, in its own order, so its choices are the
//! same to the bit. What is left at the end was made in vain.

use std::collections::VecDeque;

use tesuji_bandit::Pace;
use tesuji_core::{Pull, Rewards};

use crate::config::{Root, ScoreSource, SearchConfig, TreeConfig};

/// How far ahead of a policy samples are made.
pub struct LookAhead;

impl LookAhead {
    /// The most samples of an arm that are asked for at a time.
    pub const MOST_SAMPLES: u64 = 128;
    /// Samples ahead of an arm without any.
    const FIRST: u64 = 4;
    /// An arm's samples for each one ahead of it.
    const PER_SAMPLE: u64 = 4;

    /// Whether samples are made ahead for such a search: its policy asks for a few at a time,
    /// and nothing but the policy sees them. (AMAF statistics of the root would count
    /// samples that the policy did not ask for.)
    pub fn serves(config: &SearchConfig) -> bool {
        let Root::Policy(policy) = &config.root else { return false };
        let has_amaf =
            matches!(config.tree, TreeConfig::Rave { .. }) || config.score_source() == ScoreSource::Amaf;
        policy.pace() == Pace::Steps && !has_amaf
    }

    /// The most samples that are made for a search with this budget and number of moves.
    pub fn most_samples(budget: u64, n_moves: u64) -> u64 {
        budget + budget / LookAhead::PER_SAMPLE + LookAhead::FIRST * n_moves
    }

    /// Samples that an arm should have ahead once it has had this number.
    fn wanted(had: u64) -> u64 {
        (LookAhead::FIRST + had / LookAhead::PER_SAMPLE).min(LookAhead::MOST_SAMPLES)
    }
}

/// The samples of all arms that are made and not asked for yet.
pub(super) struct Ahead {
    /// Black's rewards, in halves.
    outcomes: Vec<VecDeque<u8>>,
    /// What the policy asks for, of each arm.
    asked: Vec<u64>,
    /// What the device is asked for.
    orders: Vec<Pull>,
}

impl Ahead {
    pub(super) fn new(n_arms: usize) -> Ahead {
        Ahead { outcomes: vec![VecDeque::new(); n_arms], asked: Vec::new(), orders: Vec::new() }
    }

    /// Takes samples of an arm, or nothing if there are fewer.
    pub(super) fn take(&mut self, pull: Pull) -> Option<Rewards> {
        let outcomes = &mut self.outcomes[pull.arm];
        let samples = usize::try_from(pull.samples).ok().filter(|samples| *samples <= outcomes.len())?;
        let mut rewards = Rewards { count: pull.samples, ..Rewards::default() };
        for halves in outcomes.drain(..samples) {
            let reward = 0.5 * f64::from(halves);
            rewards.sum += reward;
            rewards.squares += reward * reward;
        }
        Some(rewards)
    }

    /// What to ask a device for so that the samples of these `pulls` can be taken: what they are
    /// short of, and what all arms should have ahead of the samples that they `had`, as far as
    /// it is `left` of the budget.
    pub(super) fn order(&mut self, pulls: &[Pull], had: impl Fn(usize) -> u64, left: u64) -> &[Pull] {
        self.asked.clear();
        self.asked.resize(self.outcomes.len(), 0);
        for pull in pulls {
            self.asked[pull.arm] += pull.samples;
        }
        self.orders.clear();
        for (arm, (outcomes, &asked)) in self.outcomes.iter().zip(&self.asked).enumerate() {
            let kept = outcomes.len() as u64;
            let wanted = LookAhead::wanted(had(arm)).min(left).max(asked);
            // A few samples ahead are not worth a job.
            if kept < asked || kept * 2 < wanted {
                let samples = (wanted - kept).min(LookAhead::MOST_SAMPLES);
                self.orders.push(Pull { arm, samples });
            }
        }
        &self.orders
    }

    /// Hears what came of the samples asked for: Black's rewards in halves, by arm and by the
    /// sample's place among those of its arm.
    pub(super) fn hear(&mut self, outcome: impl Fn(usize, usize) -> u8) {
        for &Pull { arm, samples } in &self.orders {
            self.outcomes[arm].extend((0..samples as usize).map(|place| outcome(arm, place)));
        }
        self.orders.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_ahead_stay_below_what_slots_have_room_for() {
        // The policies that waste most: one arm, all arms in turn, arms one after the other.
        let policies: [fn(u64, u64) -> u64; 3] =
            [|_, _| 0, |sample, arms| sample % arms, |sample, arms| sample * arms / 10_000];
        for next in policies {
            let (n_arms, budget) = (37, 10_000);
            let (mut ahead, mut had) = (Ahead::new(n_arms), vec![0; n_arms]);
            let (mut made, mut orders) = (0, 0);
            for sample in 0..budget {
                let pull = Pull { arm: next(sample, n_arms as u64) as usize, samples: 1 };
                while ahead.take(pull).is_none() {
                    let pulls = ahead.order(&[pull], |arm| had[arm], budget - sample);
                    assert!(pulls.iter().all(|pull| (1..=LookAhead::MOST_SAMPLES).contains(&pull.samples)));
                    made += pulls.iter().map(|pull| pull.samples).sum::<u64>();
                    orders += 1;
                    ahead.hear(|_, _| 2);
                }
                had[pull.arm] += 1;
            }
            assert!(made <= LookAhead::most_samples(budget, n_arms as u64), "{made} samples");
            assert!(orders < 500, "{orders} orders");
        }
    }

    #[test]
    fn samples_come_in_their_order() {
        let mut ahead = Ahead::new(2);
        let pull = Pull { arm: 1, samples: 300 };
        assert!(ahead.take(pull).is_none());
        let (mut orders, mut made) = (0, 0);
        let rewards = loop {
            if let Some(rewards) = ahead.take(pull) {
                break rewards;
            }
            ahead.order(&[pull], |_| 0, 1000);
            ahead.hear(|arm, place| ((arm * (made + place)) % 3) as u8);
            (orders, made) = (orders + 1, made + 128);
        };
        assert_eq!(orders, 3);
        // 0, ½ and 1, a hundred times.
        assert_eq!(rewards, Rewards { count: 300, sum: 150.0, squares: 125.0 });
        // Of the other arm were made four.
        assert!(ahead.take(Pull { arm: 0, samples: 4 }).is_some());
        assert!(ahead.take(Pull { arm: 0, samples: 1 }).is_none());
    }
}
