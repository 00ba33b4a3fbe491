//! An allocation step by step, for samples that are taken elsewhere: in another language,
//! on another machine, over days.
//!
//! [`allocate`](tesuji_core::allocate) calls a function for the samples; a [`Trial`] returns
//! a batch to sample and waits for the rewards. It checks them, since they come from outside,
//! and keeps its [`TrialHistory`]: a new trial that replays the history of an interrupted one
//! is the same, bit by bit.
//!
//! The rewards of an arm are summed in the order in which they are observed, batch by batch.
//! So neither the order of the arms within a batch nor the number of rewards per call changes
//! anything.

use tesuji_core::{Allocator, Arms, Pull, Rewards, Rng, Round, Seed, Stop};
use thiserror::Error;

use crate::{Confidence, PolicySpec};

/// A run of a policy on arms that the caller samples.
///
/// ```
/// use tesuji_bandit::Trial;
/// use tesuji_core::Seed;
///
/// let mut trial = Trial::new("sh".parse()?, 4, 100, Seed::new(1))?;
/// while let Some(batch) = trial.next_batch()?.map(<[_]>::to_vec) {
///     for pull in batch {
///         // The arms' rewards are 0, 1/4, 1/2 and 3/4, always.
///         trial.observe(pull.arm, &vec![pull.arm as f64 / 4.0; pull.samples as usize])?;
///     }
/// }
/// assert_eq!((trial.recommend(), trial.spent()), (3, 100));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Trial {
    policy: PolicySpec,
    budget: u64,
    seed: Seed,
    allocator: Box<dyn Allocator>,
    rng: Rng,
    /// What the allocator knows: all complete batches.
    arms: Arms,
    /// The current batch, and the rewards observed for each of its pulls.
    pulls: Vec<Pull>,
    told: Vec<Rewards>,
    /// The place of an arm in the current batch.
    places: Vec<Option<usize>>,
    missing: u64,
    is_done: bool,
    history: TrialHistory,
}

/// Everything that a trial observed, so that it can be resumed. It is short if batches are
/// large, and has at most one number for each sample.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TrialHistory {
    /// The number of calls that began a batch or ended the trial.
    pub asked: u64,
    /// For every arm of every complete batch: the reward if it is a single one, else the sum
    /// of the rewards and the sum of their squares.
    pub rewards: Vec<f64>,
    /// The rewards of the incomplete batch, arm by arm; empty if all batches are complete.
    pub open: Vec<Rewards>,
    /// The scores, each time they changed.
    pub scores: Vec<TrialScores>,
    /// The number of samples of each arm at the end, to check a resumed trial.
    pub counts: Vec<u64>,
}

/// The scores of all arms from one batch on.
#[derive(Clone, PartialEq, Debug)]
pub struct TrialScores {
    /// The value of [`TrialHistory::asked`] when they were set.
    pub after: u64,
    /// The score of each arm.
    pub scores: Vec<f64>,
    /// The number of samples behind each score; infinite for a prior.
    pub samples: Vec<f64>,
}

/// A trial cannot begin, or does not accept a reward or a score.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum TrialError {
    /// There are no arms, or too many.
    #[error("there are from 1 to {most} arms, not {0}", most = Trial::MOST_ARMS)]
    Arms(usize),
    /// The budget is 0, or too large.
    #[error("a budget is from 1 to {most} samples, not {0}", most = Trial::MOST_SAMPLES)]
    Budget(u64),
    /// The last batch is not complete.
    #[error("the last batch is not whole: {missing} rewards of it are missing, the first of arm {arm}")]
    Missing {
        /// The number of missing rewards.
        missing: u64,
        /// The first arm that lacks one.
        arm: usize,
    },
    /// There is no such arm.
    #[error("there is no arm {arm}: they are numbered from 0 to {last}")]
    NoArm {
        /// The arm.
        arm: usize,
        /// The last arm that exists.
        last: usize,
    },
    /// More rewards than were asked for.
    #[error("{given} rewards of arm {arm} are too many: the batch needs {missing} more")]
    TooMany {
        /// The arm.
        arm: usize,
        /// Rewards given.
        given: usize,
        /// The number of missing rewards.
        missing: u64,
    },
    /// The number of rewards differs from the number that the batch lacks.
    #[error("the batch needs {missing} more rewards, not {given}")]
    NotWhole {
        /// Rewards given.
        given: usize,
        /// Rewards wanted.
        missing: u64,
    },
    /// The number is not a reward.
    #[error("{0} is not a reward: rewards are from 0 to 1")]
    Reward(f64),
    /// There are too many or too few scores.
    #[error("{given} {what} were given for {n_arms} arms: give one for each")]
    Length {
        /// "scores" or "counts".
        what: &'static str,
        /// The number of values given.
        given: usize,
        /// The number of arms.
        n_arms: usize,
    },
    /// The number is not a score.
    #[error("{0} is not a score: scores are finite numbers")]
    Score(f64),
    /// The number is not a number of samples.
    #[error("{0} is not a number of samples behind a score: that is from 0 to infinity")]
    Samples(f64),
    /// The history belongs to another trial.
    #[error("this is the history of another trial, or of another version of the policy {0}")]
    History(String),
}

impl Trial {
    /// The greatest number of arms.
    pub const MOST_ARMS: usize = crate::testbed::MOST_ARMS;
    /// The largest budget, in samples.
    pub const MOST_SAMPLES: u64 = 1_000_000_000;

    /// A trial at its beginning. The seed is for the policy's own choices, such as the order
    /// of equal arms: equal seeds and equal rewards lead to equal batches.
    pub fn new(policy: PolicySpec, n_arms: usize, budget: u64, seed: Seed) -> Result<Trial, TrialError> {
        if !(1..=Trial::MOST_ARMS).contains(&n_arms) {
            return Err(TrialError::Arms(n_arms));
        }
        if !(1..=Trial::MOST_SAMPLES).contains(&budget) {
            return Err(TrialError::Budget(budget));
        }
        let mut allocator = policy.allocator();
        allocator.watch();
        allocator.begin(n_arms, budget);
        Ok(Trial {
            policy,
            budget,
            seed,
            allocator,
            rng: seed.rng(),
            arms: Arms::new(n_arms),
            pulls: Vec::new(),
            told: Vec::new(),
            places: vec![None; n_arms],
            missing: 0,
            is_done: false,
            history: TrialHistory::default(),
        })
    }

    /// A trial that has observed everything in `history`. The other arguments must be those
    /// of the interrupted trial.
    pub fn resume(
        policy: PolicySpec,
        n_arms: usize,
        budget: u64,
        seed: Seed,
        history: &TrialHistory,
    ) -> Result<Trial, TrialError> {
        let mut trial = Trial::new(policy, n_arms, budget, seed)?;
        trial.replay(history)?;
        Ok(trial)
    }

    fn replay(&mut self, history: &TrialHistory) -> Result<(), TrialError> {
        let other = TrialError::History(self.policy.to_string());
        let mut rewards = history.rewards.iter().copied();
        let mut scores = history.scores.iter().peekable();
        for asked in 0..=history.asked {
            while let Some(scored) = scores.next_if(|scored| scored.after == asked) {
                self.set_scores(&scored.scores, Some(&scored.samples))?;
            }
            if asked == history.asked {
                break;
            }
            if self.is_done {
                return Err(other);
            }
            let told = match self.next_batch()? {
                None => continue,
                Some(_) if asked + 1 == history.asked && !history.open.is_empty() => history.open.clone(),
                Some(pulls) => {
                    let told = pulls.iter().map(|pull| {
                        let sum = rewards.next()?;
                        let squares = if pull.samples == 1 { sum * sum } else { rewards.next()? };
                        Some(Rewards { count: pull.samples, sum, squares })
                    });
                    told.collect::<Option<Vec<Rewards>>>().ok_or_else(|| other.clone())?
                }
            };
            self.tell(told).ok_or_else(|| other.clone())?;
        }
        let is_same = rewards.next().is_none() && scores.next().is_none() && self.counts() == history.counts;
        if is_same { Ok(()) } else { Err(other) }
    }

    /// Observes the whole current batch at once; `None` if the rewards do not fit it.
    fn tell(&mut self, told: Vec<Rewards>) -> Option<()> {
        let is_of = |(rewards, pull): (&Rewards, &Pull)| {
            let count = rewards.count as f64;
            rewards.count <= pull.samples
                && (0.0..=count).contains(&rewards.sum)
                && (0.0..=count).contains(&rewards.squares)
        };
        if told.len() != self.pulls.len() || !told.iter().zip(&self.pulls).all(is_of) {
            return None;
        }
        self.missing -= told.iter().map(|rewards| rewards.count).sum::<u64>();
        self.told = told;
        self.close();
        Some(())
    }

    /// Returns the arms to sample next, each at most once, or `None` if the trial is done.
    /// All rewards of the last batch must have been observed.
    pub fn next_batch(&mut self) -> Result<Option<&[Pull]>, TrialError> {
        if self.is_done {
            return Ok(None);
        }
        if let Some(Pull { arm, .. }) = self.pending().next() {
            return Err(TrialError::Missing { missing: self.missing, arm });
        }
        self.history.asked += 1;
        match self.allocator.next_batch(&self.arms, &mut self.rng) {
            Some(batch) => self.pulls.extend(batch.pulls),
            None => self.is_done = true,
        }
        if self.is_done {
            return Ok(None);
        }
        self.told.clear();
        self.told.resize(self.pulls.len(), Rewards::default());
        for (place, pull) in self.pulls.iter().enumerate() {
            self.places[pull.arm] = Some(place);
            self.missing += pull.samples;
        }
        Ok(Some(&self.pulls))
    }

    /// The samples that are still missing of the last batch, arm by arm.
    pub fn pending(&self) -> impl Iterator<Item = Pull> {
        let pulls = self.pulls.iter().zip(&self.told);
        let pending = pulls.map(|(pull, told)| Pull { arm: pull.arm, samples: pull.samples - told.count });
        pending.filter(|pull| pull.samples > 0)
    }

    /// Observes rewards of one arm, at most as many as the last batch still lacks. If one of
    /// them is wrong, none is accepted.
    pub fn observe(&mut self, arm: usize, rewards: &[f64]) -> Result<(), TrialError> {
        let Some(&place) = self.places.get(arm) else {
            return Err(TrialError::NoArm { arm, last: self.arms.len() - 1 });
        };
        let missing = place.map_or(0, |place| self.pulls[place].samples - self.told[place].count);
        if rewards.len() as u64 > missing {
            return Err(TrialError::TooMany { arm, given: rewards.len(), missing });
        }
        are_rewards(rewards)?;
        if let Some(place) = place {
            self.take(place, rewards);
            self.close();
        }
        Ok(())
    }

    /// Observes all rewards that the last batch lacks, those of its first arm first. If one of
    /// them is wrong, none is accepted.
    pub fn observe_all(&mut self, rewards: &[f64]) -> Result<(), TrialError> {
        if rewards.len() as u64 != self.missing {
            return Err(TrialError::NotWhole { given: rewards.len(), missing: self.missing });
        }
        are_rewards(rewards)?;
        let mut rest = rewards;
        for place in 0..self.pulls.len() {
            let missing = self.pulls[place].samples - self.told[place].count;
            let (these, later) = rest.split_at(missing as usize);
            self.take(place, these);
            rest = later;
        }
        self.close();
        Ok(())
    }

    fn take(&mut self, place: usize, rewards: &[f64]) {
        rewards.iter().for_each(|&reward| self.told[place].add(reward));
        self.missing -= rewards.len() as u64;
    }

    /// Hands the batch to the allocator's arms if it is complete.
    fn close(&mut self) {
        if self.missing > 0 {
            return;
        }
        for (pull, rewards) in self.pulls.iter().zip(&self.told) {
            self.arms.record(pull.arm, *rewards);
            self.history.rewards.push(rewards.sum);
            if pull.samples > 1 {
                self.history.rewards.push(rewards.squares);
            }
            self.places[pull.arm] = None;
        }
        self.pulls.clear();
        self.told.clear();
    }

    /// Sets the scores of all arms, at any time: policies that use scores read them for the
    /// next batch and for a recommendation. `samples` is the number of samples behind each
    /// score. Default: the scores are priors, which no sample improves.
    pub fn set_scores(&mut self, scores: &[f64], samples: Option<&[f64]>) -> Result<(), TrialError> {
        let n_arms = self.arms.len();
        for (what, given) in [("scores", scores.len()), ("counts", samples.map_or(n_arms, <[f64]>::len))] {
            if given != n_arms {
                return Err(TrialError::Length { what, given, n_arms });
            }
        }
        if let Some(&wrong) = scores.iter().find(|score| !score.is_finite()) {
            return Err(TrialError::Score(wrong));
        }
        let samples = samples.map_or_else(|| vec![f64::INFINITY; n_arms], <[f64]>::to_vec);
        if let Some(&wrong) = samples.iter().find(|samples| samples.is_nan() || **samples < 0.0) {
            return Err(TrialError::Samples(wrong));
        }
        for (arm, (&score, &samples)) in scores.iter().zip(&samples).enumerate() {
            self.arms.set_score(arm, score, samples);
        }
        let scored = TrialScores { after: self.history.asked, scores: scores.to_vec(), samples };
        match self.history.scores.last_mut() {
            // Nobody looked at the others.
            Some(last) if last.after == scored.after => *last = scored,
            Some(last) if last.scores == scored.scores && last.samples == scored.samples => {}
            _ => self.history.scores.push(scored),
        }
        Ok(())
    }

    /// The chance that the recommended arm is the best, or at most `within` below the best; `None`
    /// if it has no samples.
    pub fn confidence(&self, within: f64) -> Option<f64> {
        let (arms, arm) = (self.arms(), self.recommend());
        (arms.count(arm) > 0).then(|| Confidence::default().of(&arms, arm, within))
    }

    /// The best arm by what is known now.
    pub fn recommend(&self) -> usize {
        match self.told.iter().any(|rewards| rewards.count > 0) {
            true => self.allocator.recommend(&self.arms()),
            false => self.allocator.recommend(&self.arms),
        }
    }

    /// The statistics of all arms, the rewards of an incomplete batch included.
    pub fn arms(&self) -> Arms {
        let mut arms = self.arms.clone();
        for (pull, rewards) in self.pulls.iter().zip(&self.told) {
            arms.record(pull.arm, *rewards);
        }
        arms
    }

    fn counts(&self) -> Vec<u64> {
        let arms = self.arms();
        (0..arms.len()).map(|arm| arms.count(arm)).collect()
    }

    /// The rounds so far: which arms were cut, when, and by which values. Empty for policies
    /// without rounds.
    pub fn rounds(&self) -> &[Round] {
        self.allocator.rounds()
    }

    /// Why the trial ended before its budget was spent. `None` while it goes on, and if the
    /// whole budget was spent.
    pub fn stop(&self) -> Option<Stop> {
        self.allocator.stop().filter(|_| self.is_done)
    }

    /// Whether the trial is done: [`next_batch`](Trial::next_batch) has returned `None`.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The number of rewards observed.
    pub fn spent(&self) -> u64 {
        self.arms.total() + self.told.iter().map(|rewards| rewards.count).sum::<u64>()
    }

    /// The budget, in samples.
    pub fn budget(&self) -> u64 {
        self.budget
    }

    /// The number of arms.
    pub fn n_arms(&self) -> usize {
        self.arms.len()
    }

    /// The policy at work.
    pub fn policy(&self) -> &PolicySpec {
        &self.policy
    }

    /// The seed of the policy's own choices.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// Everything that the trial observed, for [`Trial::resume`].
    pub fn history(&self) -> TrialHistory {
        TrialHistory { open: self.told.clone(), counts: self.counts(), ..self.history.clone() }
    }
}

fn are_rewards(rewards: &[f64]) -> Result<(), TrialError> {
    let wrong = rewards.iter().find(|reward| !(0.0..=1.0).contains(*reward));
    wrong.map_or(Ok(()), |wrong| Err(TrialError::Reward(*wrong)))
}

#[cfg(test)]
mod tests {
    use tesuji_core::allocate;

    use super::*;
    use crate::policies;

    /// Every policy, with values for what must be given.
    fn specs() -> Vec<PolicySpec> {
        let given = |name: &str, info: &crate::PolicyInfo| {
            let wanted = info.parameters.iter().filter(|parameter| parameter.default.is_none());
            let values: Vec<String> = wanted.map(|parameter| format!("{}=4", parameter.name)).collect();
            format!("{name}({})", values.join(","))
        };
        policies().iter().map(|info| given(info.name, info).parse().unwrap()).collect()
    }

    /// The k-th reward of an arm.
    fn reward(arm: usize, k: u64) -> f64 {
        Seed::new(7).child(arm as u64).child(k).rng().unit()
    }

    /// The rewards that come next.
    fn rewards(pull: Pull, before: u64) -> Vec<f64> {
        (before..before + pull.samples).map(|k| reward(pull.arm, k)).collect()
    }

    /// Takes a step; false when done.
    fn step(trial: &mut Trial) -> bool {
        let Some(batch) = trial.next_batch().unwrap().map(<[Pull]>::to_vec) else { return false };
        // The arms backwards, and the first reward alone.
        for &pull in batch.iter().rev() {
            let told = rewards(pull, trial.arms().count(pull.arm));
            trial.observe(pull.arm, &told[..1]).unwrap();
            trial.observe(pull.arm, &told[1..]).unwrap();
        }
        true
    }

    #[test]
    fn steps_are_those_of_the_loop() {
        for policy in specs() {
            for (n_arms, budget) in [(1, 5), (2, 9), (7, 5), (9, 200)] {
                let (mut arms, mut rng) = (Arms::new(n_arms), Seed::new(3).rng());
                let decision =
                    allocate(&mut *policy.allocator(), budget, &mut arms, &mut rng, |batch, arms| {
                        for &pull in batch.pulls {
                            let mut told = Rewards::default();
                            rewards(pull, arms.count(pull.arm))
                                .into_iter()
                                .for_each(|reward| told.add(reward));
                            arms.record(pull.arm, told);
                        }
                    });
                let mut trial = Trial::new(policy.clone(), n_arms, budget, Seed::new(3)).unwrap();
                while step(&mut trial) {}
                assert_eq!(trial.arms(), arms, "{policy}");
                assert_eq!((trial.recommend(), trial.spent()), (decision.arm, decision.spent), "{policy}");
                assert_eq!(trial.stop(), decision.stop, "{policy}");
                assert!(trial.spent() == budget || trial.stop().is_some(), "{policy}");
            }
        }
    }

    #[test]
    fn a_history_gives_the_same_trial() {
        for policy in specs() {
            let scores: Vec<f64> = (0..6).map(|arm| reward(arm, 99)).collect();
            let mut trial = Trial::new(policy.clone(), 6, 60, Seed::new(5)).unwrap();
            loop {
                // In the middle of a batch, or between two.
                trial.set_scores(&scores, None).unwrap();
                if trial.next_batch().unwrap().is_none() {
                    break;
                }
                let first = trial.pending().next().unwrap();
                trial.observe(first.arm, &[0.3]).unwrap();
                let history = trial.history();
                let other = Trial::resume(policy.clone(), 6, 60, Seed::new(5), &history).unwrap();
                assert_eq!((other.history(), other.arms()), (history, trial.arms()), "{policy}");
                trial = other;
                let rest: Vec<f64> =
                    trial.pending().flat_map(|pull| rewards(pull, trial.arms().count(pull.arm))).collect();
                trial.observe_all(&rest).unwrap();
            }
            let again = Trial::resume(policy.clone(), 6, 60, Seed::new(5), &trial.history()).unwrap();
            assert!(again.is_done() && again.recommend() == trial.recommend());
            assert_eq!(again.rounds(), trial.rounds());
            let other = Trial::resume(policy, 6, 61, Seed::new(5), &trial.history());
            assert!(other.is_err());
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let mut trial = Trial::new("uniform".parse().unwrap(), 3, 7, Seed::new(1)).unwrap();
        let says = |result: Result<(), TrialError>| result.unwrap_err().to_string();
        assert_eq!(says(trial.observe(0, &[0.5])), "1 rewards of arm 0 are too many: the batch needs 0 more");
        assert_eq!(says(trial.observe(3, &[])), "there is no arm 3: they are numbered from 0 to 2");
        let first = trial.next_batch().unwrap().unwrap()[0];
        assert_eq!(says(trial.observe(first.arm, &[1.5])), "1.5 is not a reward: rewards are from 0 to 1");
        assert!(trial.observe(first.arm, &[f64::NAN]).is_err());
        assert!(trial.next_batch().unwrap_err().to_string().starts_with("the last batch is not whole: "));
        assert_eq!(says(trial.observe_all(&[0.5])), "the batch needs 7 more rewards, not 1");
        assert_eq!(says(trial.set_scores(&[0.1], None)), "1 scores were given for 3 arms: give one for each");
        assert!(trial.set_scores(&[0.1, f64::NAN, 0.2], None).is_err());
        assert!(trial.set_scores(&[0.1; 3], Some(&[-1.0; 3])).is_err());
        assert!(Trial::new("sh".parse().unwrap(), 0, 7, Seed::new(1)).is_err());
        assert!(Trial::new("sh".parse().unwrap(), 2, 0, Seed::new(1)).is_err());
    }
}
