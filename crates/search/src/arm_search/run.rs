//! A search while it goes on: the allocator is asked again and again, until
//! its budget, the clock or a proof ends it.

use std::time::{Duration, Instant};

use tesuji_bandit::{Checks, Until};
use tesuji_core::{Rng, Side, Stop};

use super::{Arm, ArmSearch, ScoreSource};
use crate::limits::{Clock, MOST_SAMPLES};
use crate::line::{Lines, line};
use crate::report::{Event, PROGRESS_STEPS, SearchStop, Watch};

/// A search while it goes on.
pub(super) struct Run<'a, 'w> {
    pub(super) threads: usize,
    pub(super) clock: Clock<'a>,
    /// For the allocator's own choices.
    pub(super) choices: Rng,
    pub(super) side: Side,
    /// What a sample costs, in the units of the budget.
    pub(super) cost: u64,
    /// The samples that the arms had before.
    pub(super) before: u64,
    /// The samples that went into scores.
    pub(super) prior: u64,
    pub(super) budget: u64,
    /// When it is sure enough to stop, and when that is looked at.
    pub(super) until: Option<Until>,
    pub(super) checks: Checks,
    pub(super) notes: ProgressNotes,
    pub(super) watch: Option<&'w mut dyn Watch>,
}

/// What a watcher has been told.
pub(super) struct ProgressNotes {
    pub(super) rounds: usize,
    pub(super) spent: u64,
    /// When the watcher was told last, and how often it wants to be.
    pub(super) at: Instant,
    pub(super) every: Option<Duration>,
}

impl ProgressNotes {
    /// Whether it is time to tell them again, with so much spent of the budget.
    fn is_due(&self, spent: u64, budget: u64) -> bool {
        let step = (budget / PROGRESS_STEPS).max(1);
        self.spent == 0 || self.every.map_or(spent >= self.spent + step, |every| self.at.elapsed() >= every)
    }
}

impl ArmSearch {
    /// Lets the allocator spend so many samples. Why it spent fewer.
    pub(super) fn allocate(&mut self, samples: u64, run: &mut Run<'_, '_>) -> Option<SearchStop> {
        self.allocator.begin(self.arms.len(), samples);
        run.notes.rounds = 0;
        loop {
            if self.scores == ScoreSource::Amaf {
                self.amaf_scores.fill(&self.amaf, &mut self.arms);
            }
            let Some(batch) = self.allocator.next_batch(&self.arms, &mut run.choices) else {
                return self.allocator.stop().map(SearchStop::Allocator);
            };
            self.pulls.clear();
            self.pulls.extend_from_slice(batch.pulls);
            self.amaf_scores.enter(batch.round);
            let sure = match run.until {
                Some(until) => self.sample_until(until, run),
                None => {
                    self.sample(run.threads, &run.clock);
                    None
                }
            };
            self.tell(run);
            if let Some(outcome) = self.is_proved(run.side) {
                return Some(SearchStop::Proved(outcome));
            }
            if let Some(confidence) = sure {
                return Some(SearchStop::Sure { confidence });
            }
            if run.clock.is_cancelled() {
                return Some(SearchStop::Cancelled);
            }
            if run.clock.is_over(0) {
                return Some(SearchStop::Time);
            }
        }
    }

    /// The same for as long as there is time.
    pub(super) fn allocate_in_time(&mut self, run: &mut Run<'_, '_>) -> Option<SearchStop> {
        if self.policy.is_anytime() {
            run.budget = MOST_SAMPLES * run.cost;
            return self.allocate(MOST_SAMPLES, run);
        }
        // Samples that are scores were taken before.
        let (begin, before) = (Instant::now(), self.arms.total());
        self.pilot(run.threads, &run.clock);
        let mut is_again = false;
        loop {
            let samples = self.affordable(begin, before, run);
            // Where the guess was far too low there is time for another halving,
            // which counts the samples of the first; the rest is left alone.
            let left = run.clock.left().unwrap_or_default();
            if is_again && (samples < self.arms.len() as u64 || left < begin.elapsed() / 2) {
                return Some(SearchStop::Time);
            }
            is_again = true;
            // One at least is begun, however little time there is: it chooses the move.
            let samples = samples.max(1);
            run.budget = self.spent(run) + samples * run.cost;
            match self.allocate(samples, run) {
                // There was time for a single arm only.
                Some(SearchStop::Allocator(Stop::OneArm)) if samples < self.arms.len() as u64 => {
                    return Some(SearchStop::Time);
                }
                Some(stop) => return Some(stop),
                None => {}
            }
        }
    }

    /// How many samples the time that is left allows, at the speed since `begin`, when there were `before`.
    /// Something is kept back: a halving that is cut off has not seen its last round.
    fn affordable(&self, begin: Instant, before: u64, run: &Run<'_, '_>) -> u64 {
        let done = (self.arms.total() - before) as f64;
        let left = run.clock.left().unwrap_or_default();
        let samples = done / begin.elapsed().as_secs_f64().max(1e-9) * left.as_secs_f64() * 0.9;
        (samples as u64).min(MOST_SAMPLES)
    }

    /// What was spent so far, in the units of the budget.
    pub(super) fn spent(&self, run: &Run<'_, '_>) -> u64 {
        (self.arms.total() - run.before + run.prior) * run.cost
    }

    /// Leaves samples for the next move, where the policy is one that saves them.
    pub(super) fn carry(&mut self, samples: u64) {
        self.carried = if self.policy.may_stop() { samples } else { 0 };
    }

    /// What is expected after an arm's move.
    pub(super) fn line(&self, arm: usize) -> Vec<(String, u64)> {
        let Arm { tree, position: Some(position), .. } = &self.roots[arm] else { return Vec::new() };
        let (tree, node) = match self.config.options.one_table {
            true => (&self.shared, self.shared.find(position.hash())),
            false => (tree, (!tree.is_empty()).then_some(0)),
        };
        node.map_or_else(Vec::new, |node| line(tree, node, &**position))
    }

    /// The probabilities of the moves by the logits of a network, if these are the scores.
    pub(super) fn priors(&self) -> Vec<f64> {
        if self.scores != ScoreSource::Logits || !self.arms.is_scored() {
            return Vec::new();
        }
        // Of a phantom game they are means of logarithms, whose probabilities do not sum to 1.
        let mut priors: Vec<f64> = (0..self.arms.len()).map(|arm| libm::exp(self.arms.score(arm))).collect();
        let total: f64 = priors.iter().sum();
        priors.iter_mut().for_each(|prior| *prior /= total);
        priors
    }

    pub(super) fn tell(&self, run: &mut Run<'_, '_>) {
        let (spent, budget) = (self.spent(run), run.budget);
        let Run { watch: Some(watch), notes, .. } = run else { return };
        let rounds = self.allocator.rounds();
        for (index, round) in rounds.iter().enumerate().skip(notes.rounds) {
            watch.see(Event::Round { index, round });
        }
        if rounds.len() > notes.rounds || notes.is_due(spent, budget) {
            let best = self.allocator.recommend(&self.arms);
            let after = |arm: usize| self.line(arm);
            let (arms, priors, lines) = (&self.arms, &self.priors()[..], Lines(&after));
            watch.see(Event::Progress { spent, budget, arms, priors, best, lines });
            (notes.spent, notes.at) = (spent, Instant::now());
        }
        notes.rounds = rounds.len();
    }
}
