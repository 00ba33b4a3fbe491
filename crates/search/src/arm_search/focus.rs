//! Samples of one arm alone: more of them after a search, or all if it is the only arm left.

use std::time::Instant;

use tesuji_core::{Pull, Seed, Side};

use super::{ArmSearch, Done, RootList};
use crate::Sight;
use crate::limits::{Budget, Clock, Limits, MOST_SAMPLES};
use crate::line::Lines;
use crate::report::{Event, PROGRESS_STEPS, Report, SearchStop, Watch};
use crate::root_moves::LastSearch;

/// The most samples at a time under a limit of time, and the fewest.
const MOST_AT_A_TIME: u64 = 4096;
const FEWEST_AT_A_TIME: u64 = 16;

impl ArmSearch {
    /// Spends the budget on one arm: in the trees of the last search if that was of the same
    /// position, which is then reported with what it knows now, or from nothing.
    pub(super) fn sample_one(
        &mut self,
        position: &dyn Sight,
        root: RootList,
        arm: usize,
        limits: &Limits<'_>,
        seed: Seed,
        watch: Option<&mut dyn Watch>,
    ) -> Report {
        let clock = Clock::start(limits).for_evaluations(self.config.network().is_some());
        let is_focus = limits.focus.is_some();
        let last = self.last.take().filter(|last| is_focus && last.is_of(position, &root.moves));
        let before = match last {
            Some(_) => self.done,
            None => {
                self.begin(position, &root, 1, seed);
                self.allocator.begin(root.moves.len(), 0);
                Done::default()
            }
        };
        let last = last.unwrap_or_else(|| LastSearch::new(position, root.moves.clone()));
        let cost = self.config.leaf.cost();
        let room = MOST_SAMPLES.saturating_sub(self.arms.count(arm));
        let samples = match limits.budget {
            Budget::Samples(samples) => samples / cost,
            Budget::Time(_) => room,
        };
        let samples = samples.min(room);
        let (side, begun) = (position.to_move(), self.arms.total());
        let mut work = OneArm { arm, samples, cost, before, clock, begun, side, last, watch };
        let stop = self.spend_on_one(&mut work, limits);
        let chosen = self.choose_after_focus(&work);
        let mut last = work.last;
        let spent = (self.arms.total() - begun) * cost;
        let given = if limits.is_timed() { spent } else { samples * cost };
        let (budget, spent_in_all) = (before.budget + given, before.spent + spent);
        let within = before.within.or(limits.ignored_difference(None));
        let done = Done { budget, spent: spent_in_all, stop, within };
        if is_focus {
            last.note(arm, spent);
        }
        let focused = last.focused.clone();
        let report = Report { chosen: Some(chosen), focused, ..self.report(&root.moves, side, done) };
        self.keep(position, root, done, &report);
        report
    }

    /// Takes the samples, some at a time if somebody wants to hear of them. Returns why there are
    /// fewer than asked for.
    fn spend_on_one(&mut self, work: &mut OneArm<'_, '_>, limits: &Limits<'_>) -> Option<SearchStop> {
        // A tree that is halved gets its budget at once, since parts of it would be halved
        // otherwise.
        let is_halved = self.workers[0].halving_cutoff.is_some() && !limits.is_timed();
        let step = match (limits.is_timed(), &work.watch) {
            (true, _) => FEWEST_AT_A_TIME,
            (false, None) => work.samples,
            (false, Some(_)) => work.samples.div_ceil(PROGRESS_STEPS),
        };
        let mut step = if is_halved { work.samples } else { step.max(1) };
        let mut told = Instant::now();
        loop {
            let taken = self.arms.total() - work.begun;
            if work.clock.is_cancelled() {
                return Some(SearchStop::Cancelled);
            }
            if taken >= work.samples {
                return None;
            }
            if work.clock.is_over(0) {
                return Some(SearchStop::Time);
            }
            self.pulls.clear();
            self.pulls.push(Pull { arm: work.arm, samples: step.min(work.samples - taken) });
            self.sample(1, &work.clock);
            let taken = self.arms.total() - work.begun;
            if limits.is_timed() {
                step = (step * 2).min(MOST_AT_A_TIME);
            }
            let is_due = limits.every.is_none_or(|every| told.elapsed() >= every) || taken >= work.samples;
            let best = self.choose_after_focus(work);
            if let Some(watch) = work.watch.as_mut().filter(|_| is_due) {
                told = Instant::now();
                let spent = work.before.spent + taken * work.cost;
                let budget = work.before.budget + work.samples * work.cost;
                let after = |arm: usize| self.line(arm);
                let (arms, lines) = (&self.arms, Lines(&after));
                let priors = &self.priors()[..];
                watch.see(Event::Progress { spent, budget, arms, priors, best, lines });
            }
        }
    }

    /// The arm to be played.
    fn choose_after_focus(&self, work: &OneArm<'_, '_>) -> usize {
        let value = |arm: usize| match self.config.options.solver {
            true => self.roots[arm].known().map(|outcome| outcome.reward(work.side)),
            false => None,
        };
        work.last.choose(&self.arms, work.arm, value)
    }

    /// Keeps what the next search may need: of a position further on, or of this one.
    pub(super) fn keep(&mut self, position: &dyn Sight, root: RootList, done: Done, report: &Report) {
        self.kept = report.chosen.filter(|_| self.config.options.reuse);
        let mut last = LastSearch::new(position, root.moves);
        (last.chosen, last.focused) = (report.chosen, report.focused.clone());
        (self.last, self.done) = (Some(last), done);
    }
}

/// The work on one arm.
struct OneArm<'a, 'w> {
    arm: usize,
    /// The samples to be taken.
    samples: u64,
    /// What each costs.
    cost: u64,
    /// What was done before.
    before: Done,
    clock: Clock<'a>,
    /// The samples of all arms before.
    begun: u64,
    side: Side,
    last: LastSearch,
    watch: Option<&'w mut dyn Watch>,
}
