//! The tuner: asks for games round by round, and accepts their results.
//!
//! Candidates come in generations. Those of the first fill the space evenly, with the default
//! configuration among them. A later one has the point that the model expects to be best, and the points
//! whose games are worth most (`gain`); most of them are new. Within a generation, a policy of
//! `tesuji-bandit` spends the samples, with the model's expectations as scores. The model is fitted
//! again after every round.
//!
//! The budget is spread evenly over the generations, and what a policy leaves over goes to the next.

use std::fmt;

use tesuji_core::{Allocator, Arms, Rewards, Rng, Seed};
use thiserror::Error;

use super::gain::greatest_gains;
use super::model::normal;
use super::pool::pool;
use super::{Design, Evidence, Model, Point, Prediction, Scores, Space, Start, Sureness, TunerSettings};

/// The most candidates of all generations together.
const MOST_CANDIDATES: usize = 400;
/// The gain of a point is computed for this multiple of the pairs that it gets in its generation, because
/// later generations play near it too. Of 1, 3 and 10, 3 and 10 were best in the testbed.
const LOOKAHEAD: f64 = 5.0;
/// A tuner may be sure once this number of candidates have played.
const LEAST_TRIED: usize = 8;
/// The fewest pairs of a candidate that has played, for that.
const LEAST_PAIRS: u64 = 4;
/// The draws behind a chance.
const DRAWS: usize = 400;

/// The number of a candidate: its index in [`Tuner::candidates`].
pub type CandidateId = usize;

/// A configuration that plays.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// Its point; `None` if it is the default configuration and not in the space.
    pub point: Option<Point>,
    /// Whether it is the default configuration.
    pub is_default: bool,
    /// The generation in which it first took part, from 0.
    pub generation: u64,
    /// The rewards of its pairs so far.
    pub rewards: Rewards,
}

/// Pairs of games to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Samples {
    /// The candidate that plays.
    pub candidate: CandidateId,
    /// The number of pairs of games, at least 1.
    pub pairs: u64,
}

/// The candidate that a tuner recommends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Best {
    /// The candidate.
    pub candidate: CandidateId,
    /// Its win rate, as the model expects it.
    pub prediction: Prediction,
}

/// Why a tuner asks for no more games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TunerStop {
    /// The budget is spent.
    Budget,
    /// The chance that the best candidate is good enough has reached the level.
    Sure {
        /// The chance.
        chance: f64,
    },
}

impl fmt::Display for TunerStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TunerStop::Budget => f.write_str("the budget is spent"),
            TunerStop::Sure { chance } => {
                let percent = (1000.0 * chance).floor() / 10.0;
                write!(f, "the best candidate is good enough with a chance of {percent:.1} %")
            }
        }
    }
}

/// A tuner cannot begin, or does not accept a result.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum TuneError {
    /// There is nothing to tune.
    #[error("there is nothing to tune: the space has no parameters")]
    NoParameters,
    /// The budget is 0, or too large.
    #[error("a budget is from 1 to 1000000000 pairs of games, not {0}")]
    Budget(u64),
    /// A generation has no candidates, or too many.
    #[error("a generation has from 1 to {MOST_CANDIDATES} candidates, not {0}")]
    Candidates(usize),
    /// There are no generations, or too many.
    #[error("there are from 1 to 1000 generations, not {0}")]
    Generations(u64),
    /// The condition to stop cannot be.
    #[error("a level is above 0 and at most 1, and a difference of win rates from 0 to 1")]
    Sureness,
    /// The candidate has no samples in the current round, or fewer.
    #[error("{given} results of candidate {candidate} are too many: the round needs {missing} more")]
    TooMany {
        /// The candidate.
        candidate: CandidateId,
        /// The number of rewards given.
        given: usize,
        /// The number of missing rewards.
        missing: u64,
    },
    /// The number is not a reward.
    #[error("{0} is not the reward of a pair of games: that is from 0 to 1")]
    Reward(f64),
}

/// Samples of the current round, and those rewards that came.
#[derive(Clone, Debug)]
struct Asked {
    arm: usize,
    candidate: CandidateId,
    pairs: u64,
    rewards: Rewards,
}

/// A generation at work.
struct Generation {
    /// The candidate of each arm.
    candidates: Vec<CandidateId>,
    allocator: Box<dyn Allocator>,
    arms: Arms,
    rng: Rng,
}

/// Finds the best configuration of a space with a budget of games. See the [module](super) for an
/// example.
///
/// It is a state machine: [`next_round`](Tuner::next_round) returns the games to play next,
/// [`tell`](Tuner::tell) accepts their results. Equal settings and equal results lead to equal rounds,
/// so a tuner that was lost is made again by telling a new one all results.
pub struct Tuner {
    space: Space,
    start: Start,
    settings: TunerSettings,
    candidates: Vec<Candidate>,
    generation: Option<Generation>,
    /// The number of generations that began.
    generations: u64,
    round: Vec<Asked>,
    spent: u64,
    model: Model,
    stopped: Option<TunerStop>,
}

impl Tuner {
    /// A tuner before its first game. `start` is the place of the default configuration, which takes part
    /// from the beginning.
    pub fn new(space: Space, start: Start, settings: TunerSettings) -> Result<Tuner, TuneError> {
        if space.dimensions() == 0 {
            return Err(TuneError::NoParameters);
        }
        if !(1..=1_000_000_000).contains(&settings.pairs) {
            return Err(TuneError::Budget(settings.pairs));
        }
        if let Some(wrong) = settings.candidates.filter(|n| !(1..=MOST_CANDIDATES).contains(n)) {
            return Err(TuneError::Candidates(wrong));
        }
        if let Some(wrong) = settings.generations.filter(|n| !(1..=1000).contains(n)) {
            return Err(TuneError::Generations(wrong));
        }
        let is_fine = |level: f64, within: f64| level > 0.0 && level <= 1.0 && (0.0..=1.0).contains(&within);
        if settings.until.is_some_and(|until| !is_fine(until.level, until.within)) {
            return Err(TuneError::Sureness);
        }
        let model = Model::fit(&space, &[]);
        Ok(Tuner {
            space,
            start,
            settings,
            candidates: Vec::new(),
            generation: None,
            generations: 0,
            round: Vec::new(),
            spent: 0,
            model,
            stopped: None,
        })
    }

    /// Returns the pairs of games to play next, each candidate at most once; they can be played at the
    /// same time. As long as results of a round are missing, returns what is missing. `None` if the
    /// tuner has [stopped](Tuner::stopped).
    pub fn next_round(&mut self) -> Option<Vec<Samples>> {
        while self.round.is_empty() && self.stopped.is_none() {
            self.advance();
        }
        let missing = self
            .round
            .iter()
            .map(|asked| Samples { candidate: asked.candidate, pairs: asked.pairs - asked.rewards.count });
        let missing: Vec<Samples> = missing.filter(|samples| samples.pairs > 0).collect();
        (!missing.is_empty()).then_some(missing)
    }

    /// Accepts the rewards of new pairs of games of a candidate, in the order of the pairs: the points of
    /// the candidate in both games, divided by 2. Candidates may come in any order, and a candidate's
    /// pairs in several parts. If a reward is wrong, none is accepted.
    pub fn tell(&mut self, candidate: CandidateId, rewards: &[f64]) -> Result<(), TuneError> {
        if let Some(&wrong) = rewards.iter().find(|reward| !(0.0..=1.0).contains(*reward)) {
            return Err(TuneError::Reward(wrong));
        }
        let asked = self.round.iter_mut().find(|asked| asked.candidate == candidate);
        let missing = asked.as_ref().map_or(0, |asked| asked.pairs - asked.rewards.count);
        if rewards.len() as u64 > missing {
            return Err(TuneError::TooMany { candidate, given: rewards.len(), missing });
        }
        if let Some(asked) = asked {
            rewards.iter().for_each(|&reward| asked.rewards.add(reward));
        }
        if self.round.iter().all(|asked| asked.rewards.count == asked.pairs) {
            self.close();
        }
        Ok(())
    }

    /// Accepts a complete round.
    fn close(&mut self) {
        for asked in std::mem::take(&mut self.round) {
            let whole = &mut self.candidates[asked.candidate].rewards;
            whole.count += asked.rewards.count;
            whole.sum += asked.rewards.sum;
            whole.squares += asked.rewards.squares;
            self.spent += asked.pairs;
            if let Some(generation) = &mut self.generation {
                generation.arms.record(asked.arm, asked.rewards);
            }
        }
        self.refit();
        if let Some(until) = self.settings.until.filter(|_| self.has_explored()) {
            let chance = self.chance(until.within).unwrap_or(0.0);
            if chance >= until.level {
                self.stopped = Some(TunerStop::Sure { chance });
            }
        }
    }

    /// Whether enough was tried to be sure of anything: several candidates, and the default among them. A
    /// model of a few results may be sure of much.
    fn has_explored(&self) -> bool {
        let has_played = |candidate: &&Candidate| candidate.rewards.count >= LEAST_PAIRS;
        let n_tried = self.candidates.iter().filter(has_played).count();
        let defaults = self.candidates.iter().filter(|candidate| candidate.is_default);
        self.generations > 1
            && n_tried >= LEAST_TRIED.min(self.candidates.len())
            && defaults.into_iter().all(|default| has_played(&default))
    }

    /// Fits the model to all results, and sets the scores of the generation at work.
    fn refit(&mut self) {
        let evidence =
            |candidate: &Candidate| Evidence { point: candidate.point.clone(), rewards: candidate.rewards };
        let evidence: Vec<Evidence> = self.candidates.iter().map(evidence).collect();
        self.model = Model::fit(&self.space, &evidence);
        if let Some(generation) = &mut self.generation {
            for (arm, &candidate) in generation.candidates.iter().enumerate() {
                let (score, samples) = score(&self.model, self.settings.scores, candidate);
                generation.arms.set_score(arm, score, samples);
            }
        }
    }

    /// Asks the policy for a round, or begins a generation, or stops.
    fn advance(&mut self) {
        if let Some(generation) = &mut self.generation {
            match generation.allocator.next_batch(&generation.arms, &mut generation.rng) {
                Some(batch) => {
                    self.round.extend(batch.pulls.iter().map(|pull| Asked {
                        arm: pull.arm,
                        candidate: generation.candidates[pull.arm],
                        pairs: pull.samples,
                        rewards: Rewards::default(),
                    }));
                }
                None => self.generation = None,
            }
            return;
        }
        if self.spent >= self.settings.pairs {
            self.stopped = Some(TunerStop::Budget);
            return;
        }
        self.begin_generation();
    }

    /// The number of generations in all.
    fn planned_generations(&self) -> u64 {
        let by_budget = libm::round(libm::log2(self.settings.pairs as f64 / 16.0)).clamp(2.0, 8.0);
        self.settings.generations.unwrap_or(by_budget as u64).min(self.settings.pairs)
    }

    fn begin_generation(&mut self) {
        let planned = self.planned_generations();
        let left = self.settings.pairs - self.spent;
        let budget = (left / planned.saturating_sub(self.generations).max(1)).max(1);
        let seed = self.settings.seed.child(self.generations);
        let by_budget = (budget / 3).clamp(1, 8) as usize;
        let size = self.settings.candidates.unwrap_or(by_budget).max(1);
        let candidates = match self.generations {
            0 => self.first(size, seed.child("design")),
            _ => self.proposals(size, budget, seed.child("proposals")),
        };
        // What policies leave over after the last generation goes to all of its candidates.
        let policy = match self.generations < planned {
            true => self.settings.policy_at_work(),
            false => "uniform".parse().expect("the table has this policy"),
        };
        let mut allocator = policy.allocator();
        allocator.begin(candidates.len(), budget);
        let mut arms = Arms::new(candidates.len());
        for (arm, &candidate) in candidates.iter().enumerate() {
            arms.record(arm, self.candidates[candidate].rewards);
        }
        self.generation = Some(Generation { candidates, allocator, arms, rng: seed.child("policy").rng() });
        self.generations += 1;
        self.refit();
    }

    /// The candidates of the first generation.
    fn first(&mut self, size: usize, seed: Seed) -> Vec<CandidateId> {
        let mut ids = Vec::new();
        match self.start.clone() {
            Start::None => {}
            Start::Outside => ids.push(self.add(None, true)),
            Start::At(point) => ids.push(self.add(Some(point), true)),
        }
        let design: Vec<Point> = Design::new(self.space.dimensions(), seed).take(4 * size).collect();
        for point in design {
            let id = self.id_of(self.space.snap(&point));
            if ids.len() < size && !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids
    }

    fn add(&mut self, point: Option<Point>, is_default: bool) -> CandidateId {
        let generation = self.generations;
        self.candidates.push(Candidate { point, is_default, generation, rewards: Rewards::default() });
        self.candidates.len() - 1
    }

    /// The candidate at a point, which is made if there is none.
    fn id_of(&mut self, point: Point) -> CandidateId {
        match self.candidates.iter().position(|candidate| candidate.point.as_ref() == Some(&point)) {
            Some(id) => id,
            None => self.add(Some(point), false),
        }
    }

    /// The candidates of a later generation.
    fn proposals(&mut self, size: usize, pairs: u64, seed: Seed) -> Vec<CandidateId> {
        let pool = self.pool(seed);
        let mut posteriors = self.model.posteriors(&pool);
        let expected = |at: usize| posteriors.iter().map(|one| one.weight * one.means[at]).sum::<f64>();
        let expected: Vec<f64> = (0..pool.len()).map(expected).collect();
        let best = (1..pool.len()).fold(0, |best, at| if expected[at] > expected[best] { at } else { best });
        let variance = self.model.pair_variance() * size as f64 / (LOOKAHEAD * pairs as f64);
        let mut points = vec![best];
        points.extend(greatest_gains(&mut posteriors, size.saturating_sub(1), variance));
        let mut ids = Vec::new();
        for at in points {
            let point = &pool[at];
            let known = self.candidates.iter().position(|candidate| candidate.point.as_ref() == Some(point));
            let id = match known {
                Some(id) => id,
                None if self.candidates.len() < MOST_CANDIDATES => self.add(Some(point.clone()), false),
                None => continue,
            };
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        if ids.is_empty() {
            ids.push(0);
        }
        ids
    }

    /// The candidates so far.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// A candidate.
    ///
    /// # Panics
    ///
    /// If there is no such candidate.
    pub fn candidate(&self, candidate: CandidateId) -> &Candidate {
        &self.candidates[candidate]
    }

    /// The candidate with the greatest expected win rate; only candidates that have played count. `None`
    /// before the first complete round.
    pub fn best(&self) -> Option<Best> {
        let played = (0..self.candidates.len()).filter(|&id| self.candidates[id].rewards.count > 0);
        let predicted =
            played.map(|candidate| Best { candidate, prediction: self.model.candidate(candidate) });
        predicted.reduce(|best, next| if next.prediction.mean > best.prediction.mean { next } else { best })
    }

    /// The chance that the win rate of the best candidate is at most `within` below the best of the
    /// space, by the model; `None` if no candidate has played. It costs as much as a fit.
    pub fn chance(&self, within: f64) -> Option<f64> {
        let Best { candidate, prediction } = self.best()?;
        let seed = self.settings.seed.child("chance").child(self.spent);
        let mut pool = self.pool(seed);
        let own = self.candidates[candidate].point.clone();
        let is_inside = own.is_some();
        pool.extend(own);
        let draws = self.model.draws(&pool, DRAWS, &mut seed.child("draws").rng());
        let mut rng = seed.child("outside").rng();
        let is_good = |draw: &&Vec<f64>| {
            let best = draw.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let value = match is_inside {
                true => draw[draw.len() - 1],
                false => prediction.mean + prediction.deviation * normal(&mut rng),
            };
            value >= best - within
        };
        Some(draws.iter().filter(is_good).count() as f64 / DRAWS as f64)
    }

    /// Whether the best candidate is good enough with the wanted chance. It costs as much as a fit.
    pub fn is_sure(&self, wanted: Sureness) -> bool {
        self.chance(wanted.within).is_some_and(|chance| chance >= wanted.level)
    }

    /// Points of which some may be the best.
    fn pool(&self, seed: Seed) -> Vec<Point> {
        let known = self.candidates.iter().enumerate();
        let known = known.filter_map(|(id, one)| Some((self.model.candidate(id).mean, one.point.as_ref()?)));
        pool(&self.space, known.collect(), seed.child("pool"))
    }

    /// What the games so far say about the whole space.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The space that is searched.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The settings.
    pub fn settings(&self) -> &TunerSettings {
        &self.settings
    }

    /// The pairs of games that were played, those of incomplete rounds excepted.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Why there are no more games; `None` while there are.
    pub fn stopped(&self) -> Option<TunerStop> {
        self.stopped
    }
}

/// The score of a candidate, and the number of samples behind it.
fn score(model: &Model, scores: Scores, candidate: CandidateId) -> (f64, f64) {
    match scores {
        Scores::Everything => (model.candidate(candidate).mean, f64::INFINITY),
        Scores::Others => {
            let Prediction { mean, deviation } = model.without(candidate);
            (mean, model.pair_variance() / (deviation * deviation))
        }
    }
}

#[cfg(test)]
mod tests;
