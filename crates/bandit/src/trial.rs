//! An allocation step by step, for whoever takes the samples elsewhere: in another language,
//! on another machine, over days.
//!
//! [`allocate`](tesuji_core::allocate) calls for samples; a [`Trial`] is asked what to sample
//! and told what came of it. It checks what it is told, since that comes from outside, and
//! keeps its [`History`]: a trial that was interrupted is the same, bit by bit, once its
//! history was told to a new one.
//!
//! The rewards of an arm are summed in the order in which they are told, batch by batch. So
//! nothing depends on the order of the arms within a batch, nor on how many rewards are told
//! at a time.

use tesuji_core::{Allocator, Arms, Pull, Rewards, Rng, Round, Seed, Stop};
use thiserror::Error;

use crate::PolicySpec;

/// A policy at work on arms that somebody else samples.
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
    /// What the allocator knows: all batches that are whole.
    arms: Arms,
    /// The batch that is out, and what was told of it.
    pulls: Vec<Pull>,
    told: Vec<Rewards>,
    /// The place of an arm in that batch.
    places: Vec<Option<usize>>,
    missing: u64,
    is_done: bool,
    history: History,
}

/// All that a trial was told. It is short where batches are large, and at most a number
/// for each sample.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct History {
    /// How often the trial was asked for a batch, as far as it had something new to say.
    pub asked: u64,
    /// Of every batch that is whole, of every arm in it: the reward where that is one, else
    /// their sum and the sum of their squares.
    pub rewards: Vec<f64>,
    /// What was told of a batch that is not whole, arm by arm; nothing where it is.
    pub open: Vec<Rewards>,
    /// Scores, each as long as they did not change.
    pub scores: Vec<Scored>,
    /// The samples of each arm in the end: tells whether a trial that was told all this is
    /// the same.
    pub counts: Vec<u64>,
}

/// The scores that all arms had from some batch on.
#[derive(Clone, PartialEq, Debug)]
pub struct Scored {
    /// How often the trial had been asked for a batch.
    pub after: u64,
    /// The score of each arm.
    pub scores: Vec<f64>,
    /// How many samples stand behind each; infinite for a prior.
    pub samples: Vec<f64>,
}

/// What a trial is told cannot be.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum TrialError {
    /// No arms, or too many.
    #[error("there are from 1 to {most} arms, not {0}", most = Trial::MOST_ARMS)]
    Arms(usize),
    /// No samples, or too many.
    #[error("a budget is from 1 to {most} samples, not {0}", most = Trial::MOST_SAMPLES)]
    Budget(u64),
    /// The last batch is not whole.
    #[error("the last batch is not whole: {missing} rewards of it are missing, the first of arm {arm}")]
    Missing {
        /// How many rewards.
        missing: u64,
        /// The first arm that lacks one.
        arm: usize,
    },
    /// There is no such arm.
    #[error("there is no arm {arm}: they are numbered from 0 to {last}")]
    NoArm {
        /// The arm.
        arm: usize,
        /// The last there is.
        last: usize,
    },
    /// More rewards than were asked for.
    #[error("{given} rewards of arm {arm} are too many: {missing} were asked for and are missing")]
    TooMany {
        /// The arm.
        arm: usize,
        /// Rewards given.
        given: usize,
        /// Rewards wanted.
        missing: u64,
    },
    /// Not as many rewards as the batch lacks.
    #[error("{given} rewards are not what the batch lacks, which is {missing}")]
    NotWhole {
        /// Rewards given.
        given: usize,
        /// Rewards wanted.
        missing: u64,
    },
    /// No reward.
    #[error("{0} is not a reward: rewards are from 0 to 1")]
    Reward(f64),
    /// A score too many, or too few.
    #[error("{given} {what} are not one for each of the {n_arms} arms")]
    Length {
        /// "scores" or "counts".
        what: &'static str,
        /// How many were given.
        given: usize,
        /// How many arms there are.
        n_arms: usize,
    },
    /// No score.
    #[error("{0} is not a score: scores are finite numbers")]
    Score(f64),
    /// No number of samples.
    #[error("{0} is not a number of samples behind a score: that is from 0 to infinity")]
    Samples(f64),
    /// The history is of something else.
    #[error("this is the history of another trial, or of another version of the policy {0}")]
    History(String),
}

impl Trial {
    /// The most arms.
    pub const MOST_ARMS: usize = crate::testbed::MOST_ARMS;
    /// The largest budget.
    pub const MOST_SAMPLES: u64 = 1_000_000_000;

    /// A trial at its beginning. The seed is for the policy's own choices, such as the order
    /// of arms that are equal: equal seeds and equal rewards give equal batches.
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
            history: History::default(),
        })
    }

    /// A trial that was told all this.
    pub fn resume(
        policy: PolicySpec,
        n_arms: usize,
        budget: u64,
        seed: Seed,
        history: &History,
    ) -> Result<Trial, TrialError> {
        let mut trial = Trial::new(policy, n_arms, budget, seed)?;
        trial.replay(history)?;
        Ok(trial)
    }

    fn replay(&mut self, history: &History) -> Result<(), TrialError> {
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

    /// All of the batch that is out at once; nothing where it cannot be of this batch.
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

    /// Which arms are to be sampled next, and how often: each arm at most once, and nothing
    /// once the trial is done. The last batch must be whole.
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

    /// What is still missing of the last batch, arm by arm.
    pub fn pending(&self) -> impl Iterator<Item = Pull> {
        let pulls = self.pulls.iter().zip(&self.told);
        let pending = pulls.map(|(pull, told)| Pull { arm: pull.arm, samples: pull.samples - told.count });
        pending.filter(|pull| pull.samples > 0)
    }

    /// Some rewards of an arm, no more than the last batch still lacks. Where one of them is
    /// wrong, none is taken.
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

    /// All rewards that the last batch lacks, those of its first arm first. Where one of them
    /// is wrong, none is taken.
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

    /// Where the batch is whole, the allocator may know it.
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

    /// What is thought of the arms beside their rewards, at any time: policies that use scores
    /// look at them when they are asked for a batch and for a recommendation. With them goes
    /// how many samples stand behind each; without, they are priors, which no sample improves.
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
        let scored = Scored { after: self.history.asked, scores: scores.to_vec(), samples };
        match self.history.scores.last_mut() {
            // Nobody looked at the others.
            Some(last) if last.after == scored.after => *last = scored,
            Some(last) if last.scores == scored.scores && last.samples == scored.samples => {}
            _ => self.history.scores.push(scored),
        }
        Ok(())
    }

    /// The arm that is best as far as is known now.
    pub fn recommend(&self) -> usize {
        match self.told.iter().any(|rewards| rewards.count > 0) {
            true => self.allocator.recommend(&self.arms()),
            false => self.allocator.recommend(&self.arms),
        }
    }

    /// All that is known of the arms, of a batch that is not whole too.
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

    /// What was cut, when, by which values, for policies with rounds.
    pub fn rounds(&self) -> &[Round] {
        self.allocator.rounds()
    }

    /// Why less than the budget is spent; nothing while there are batches, and where all is.
    pub fn stop(&self) -> Option<Stop> {
        self.allocator.stop().filter(|_| self.is_done)
    }

    /// Whether the policy wants no more samples. It says so when it is asked for a batch.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The rewards that were observed.
    pub fn spent(&self) -> u64 {
        self.arms.total() + self.told.iter().map(|rewards| rewards.count).sum::<u64>()
    }

    /// The samples there are to be spent.
    pub fn budget(&self) -> u64 {
        self.budget
    }

    /// How many arms there are.
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

    /// All that it was told.
    pub fn history(&self) -> History {
        History { open: self.told.clone(), counts: self.counts(), ..self.history.clone() }
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
        assert_eq!(
            says(trial.observe(0, &[0.5])),
            "1 rewards of arm 0 are too many: 0 were asked for and are missing"
        );
        assert_eq!(says(trial.observe(3, &[])), "there is no arm 3: they are numbered from 0 to 2");
        let first = trial.next_batch().unwrap().unwrap()[0];
        assert_eq!(says(trial.observe(first.arm, &[1.5])), "1.5 is not a reward: rewards are from 0 to 1");
        assert!(trial.observe(first.arm, &[f64::NAN]).is_err());
        assert!(trial.next_batch().unwrap_err().to_string().starts_with("the last batch is not whole: "));
        assert_eq!(says(trial.observe_all(&[0.5])), "1 rewards are not what the batch lacks, which is 7");
        assert_eq!(says(trial.set_scores(&[0.1], None)), "1 scores are not one for each of the 3 arms");
        assert!(trial.set_scores(&[0.1, f64::NAN, 0.2], None).is_err());
        assert!(trial.set_scores(&[0.1; 3], Some(&[-1.0; 3])).is_err());
        assert!(Trial::new("sh".parse().unwrap(), 0, 7, Seed::new(1)).is_err());
        assert!(Trial::new("sh".parse().unwrap(), 2, 0, Seed::new(1)).is_err());
    }
}
