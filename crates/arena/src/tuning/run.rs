//! Playing the games of a tuning, and reading its results from a store.
//!
//! A run makes the tuner anew and tells it the games that the store has, so a run that was stopped
//! comes to where it was, and goes on.

use std::sync::atomic::AtomicBool;

use tesuji_search::SearchDevice;

use super::{Best, Samples, Tuner, TunerStop, Tuning, TuningError};
use crate::campaign::RunError;
use crate::matches::MatchExperiment;
use crate::progress::{Progress, Summary};
use crate::settings::RunSettings;
use crate::store::{Store, StoreError};

/// Finalists differ by this share of the range of some parameter.
const APART: f64 = 0.1;

/// How far along a tuning is.
pub struct TuningProgress<'a> {
    /// The progress of the games that are being played.
    pub games: &'a Progress<'a>,
    /// The number of games that are done, of tuning and confirmation together.
    pub done: u64,
    /// The number of games in all, at most.
    pub wanted: u64,
    /// The best configuration so far; `None` before the first results.
    pub best: Option<(String, Best)>,
    /// Whether finalists play fresh games.
    pub is_confirming: bool,
}

/// What is known of a tuning: a tuner that was told all stored games, and the experiment of the fresh
/// games.
pub struct Tuned {
    /// The tuner.
    pub tuner: Tuner,
    /// Why the tuner asks for no more games; `None` if games of it are missing.
    pub stopped: Option<TunerStop>,
    /// The finalists, best first and without the default: their numbers as candidates. Empty until the tuner
    /// has stopped.
    pub finalists: Vec<usize>,
    /// The number of the default configuration as a candidate, once the tuner has stopped.
    pub default: Option<usize>,
    /// The fresh games; `None` until the tuner has stopped, and if nothing is confirmed.
    pub confirmation: Option<MatchExperiment>,
}

impl Tuning {
    /// Plays every game that the store lacks. At an interrupt and at the deadline, games are paused as
    /// in [`MatchExperiment::run_watched`].
    pub fn run(
        &self,
        settings: &RunSettings,
        store: &mut Store,
        mut device: Option<&mut dyn SearchDevice>,
        interrupt: &AtomicBool,
        progress: &mut dyn FnMut(&TuningProgress<'_>),
    ) -> Result<Summary, RunError> {
        let mut tuner = self.tuner().map_err(|error| self.failed(error.into()))?;
        let mut sum = Summary::default();
        let confirm_games = self.most_confirmed();
        while let Some(round) = tuner.next_round() {
            let known = self.rewards(&tuner, &round, store)?;
            let is_known = |(samples, rewards): (&Samples, &Vec<f64>)| rewards.len() as u64 == samples.pairs;
            let known = if round.iter().zip(&known).all(is_known) {
                known
            } else {
                let (experiment, quotas) = self.round(&tuner, &round)?;
                let settings = RunSettings { quotas: Some(quotas.clone()), ..settings.clone() };
                let told = 2 * tuner.spent();
                // Games of earlier rounds in these cells are part of what was told.
                let earlier: u64 =
                    round.iter().map(|samples| 2 * tuner.candidate(samples.candidate).rewards.count).sum();
                let best = self.best(&tuner);
                let mut tell = |games: &Progress<'_>| {
                    let done = told + games.total().done.saturating_sub(earlier);
                    let wanted = 2 * self.settings.pairs + confirm_games;
                    let best = best.clone();
                    progress(&TuningProgress { games, done, wanted, best, is_confirming: false });
                };
                let summary = play(&experiment, &settings, store, &mut device, interrupt, &mut tell)?;
                if add(&mut sum, &summary) {
                    let of_round: u64 = round.iter().map(|samples| 2 * samples.pairs).sum();
                    sum.missing += 2 * (self.settings.pairs - tuner.spent()) - of_round + confirm_games;
                    return Ok(sum);
                }
                self.rewards(&tuner, &round, store)?
            };
            for (samples, rewards) in round.iter().zip(&known) {
                tuner.tell(samples.candidate, rewards).map_err(|error| self.failed(error.into()))?;
            }
        }
        let tuned = self.tuned_by(tuner)?;
        if let Some(confirmation) = &tuned.confirmation {
            let told = 2 * tuned.tuner.spent();
            let best = self.best(&tuned.tuner);
            let mut tell = |games: &Progress<'_>| {
                let total = games.total();
                let (done, wanted, best) = (told + total.done, told + total.wanted, best.clone());
                progress(&TuningProgress { games, done, wanted, best, is_confirming: true });
            };
            let settings = RunSettings { quotas: None, ..settings.clone() };
            let summary = play(confirmation, &settings, store, &mut device, interrupt, &mut tell)?;
            add(&mut sum, &summary);
        }
        Ok(sum)
    }

    /// What the games in a store say.
    pub fn tuned(&self, store: &Store) -> Result<Tuned, RunError> {
        let mut tuner = self.tuner().map_err(|error| self.failed(error.into()))?;
        while let Some(round) = tuner.next_round() {
            let known = self.rewards(&tuner, &round, store)?;
            let mut is_whole = true;
            for (samples, rewards) in round.iter().zip(&known) {
                tuner.tell(samples.candidate, rewards).map_err(|error| self.failed(error.into()))?;
                is_whole &= rewards.len() as u64 == samples.pairs;
            }
            if !is_whole {
                break;
            }
        }
        self.tuned_by(tuner)
    }

    /// The finalists and their fresh games, once the tuner has stopped.
    fn tuned_by(&self, tuner: Tuner) -> Result<Tuned, RunError> {
        let stopped = tuner.stopped();
        let none = Tuned { tuner, stopped, finalists: Vec::new(), default: None, confirmation: None };
        if stopped.is_none() {
            return Ok(none);
        }
        let tuner = &none.tuner;
        let mut ranking: Vec<usize> = (0..tuner.candidates().len())
            .filter(|&candidate| tuner.candidate(candidate).rewards.count > 0)
            .collect();
        let mean = |candidate: &usize| tuner.model().candidate(*candidate).mean;
        ranking.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
        // The tuner's own choice comes first, also among equals.
        let best = tuner.best().map(|best| best.candidate);
        ranking.sort_by_key(|candidate| Some(*candidate) != best);
        let default = tuner.candidates().iter().position(|candidate| candidate.is_default);
        // The default plays all fresh games anyway.
        ranking.retain(|candidate| Some(*candidate) != default);
        let finalists = apart(tuner, ranking, self.finalists);
        let text = |candidate: usize| self.template.text_of(tuner.candidate(candidate));
        let confirmation = match self.confirm {
            0 => None,
            _ => {
                let texts: Vec<String> = finalists.iter().map(|&candidate| text(candidate)).collect();
                let default = default.map(text);
                let made = self.confirmation(&texts, default.as_deref());
                Some(made.map_err(|error| self.failed(error))?)
            }
        };
        Ok(Tuned { finalists, default, confirmation, ..none })
    }

    /// The most games of the confirmation.
    fn most_confirmed(&self) -> u64 {
        match self.confirm {
            0 => 0,
            _ => {
                let each = self.confirm_each();
                each * ((self.finalists + 1) * self.against.len() + 1) as u64
            }
        }
    }

    /// The best configuration so far.
    fn best(&self, tuner: &Tuner) -> Option<(String, Best)> {
        tuner.best().map(|best| (self.template.text_of(tuner.candidate(best.candidate)), best))
    }

    /// The cells of a round, and the number of games that are wanted of each: the first ones.
    fn round(&self, tuner: &Tuner, round: &[Samples]) -> Result<(MatchExperiment, Vec<u64>), RunError> {
        let mut experiment = self.without_cells().map_err(|error| self.failed(error.into()))?;
        let mut quotas = Vec::new();
        for samples in round {
            let candidate = tuner.candidate(samples.candidate);
            let text = self.template.text_of(candidate);
            self.add_cells(&mut experiment, &text).map_err(|error| self.failed(error))?;
            let pairs = candidate.rewards.count + samples.pairs;
            quotas.extend((0..self.against.len() as u64).map(|opponent| 2 * self.pairs_of(opponent, pairs)));
        }
        Ok((experiment, quotas))
    }

    /// The number of pairs that an opponent has of the first `pairs` pairs of a candidate: opponents
    /// play in turn.
    fn pairs_of(&self, opponent: u64, pairs: u64) -> u64 {
        let n = self.against.len() as u64;
        (pairs + n - 1 - opponent) / n
    }

    /// The rewards of each sample of a round in the store: the first missing pair ends a candidate's.
    fn rewards(&self, tuner: &Tuner, round: &[Samples], store: &Store) -> Result<Vec<Vec<f64>>, RunError> {
        let (experiment, _) = self.round(tuner, round)?;
        let n = self.against.len();
        let mut all = Vec::new();
        for (samples, cells) in round.iter().zip(experiment.cells.chunks(n)) {
            let points = cells.iter().map(|cell| store.points(experiment.address, &cell.key));
            let points = points.collect::<Result<Vec<_>, StoreError>>()?;
            let reward = |pair: u64| {
                let known = &points[(pair % n as u64) as usize];
                let of = |index: u64| {
                    known
                        .binary_search_by_key(&index, |game| game.index)
                        .ok()
                        .map(|place| known[place].points)
                };
                let index = 2 * (pair / n as u64);
                Some((of(index)? + of(index + 1)?) / 2.0)
            };
            let told = tuner.candidate(samples.candidate).rewards.count;
            all.push((told..told + samples.pairs).map_while(reward).collect());
        }
        Ok(all)
    }

    fn failed(&self, error: TuningError) -> RunError {
        RunError::Tuning(error.to_string())
    }
}

/// The first candidates of a ranking that differ from each other, so that fresh games compare real
/// alternatives.
fn apart(tuner: &Tuner, ranking: Vec<usize>, most: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    for candidate in ranking {
        let is_near = |other: &usize| {
            let points = [candidate, *other].map(|candidate| tuner.candidate(candidate).point.as_ref());
            let [Some(a), Some(b)] = points else { return false };
            a.0.iter().zip(&b.0).all(|(a, b)| (a - b).abs() < APART)
        };
        if chosen.len() < most && !chosen.iter().any(is_near) {
            chosen.push(candidate);
        }
    }
    chosen
}

/// Plays what the store lacks, on a device or on threads.
fn play(
    experiment: &MatchExperiment,
    settings: &RunSettings,
    store: &mut Store,
    device: &mut Option<&mut dyn SearchDevice>,
    interrupt: &AtomicBool,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Summary, RunError> {
    match device {
        Some(device) => experiment.run_on_device(&mut **device, settings, store, interrupt, progress),
        None => experiment.run_watched(settings, store, interrupt, progress),
    }
}

/// Adds up what runs came to. Returns whether games are missing.
fn add(sum: &mut Summary, more: &Summary) -> bool {
    sum.played += more.played;
    sum.voids += more.voids;
    sum.paused += more.paused;
    sum.missing += more.missing;
    sum.is_interrupted |= more.is_interrupted;
    more.missing > 0
}
