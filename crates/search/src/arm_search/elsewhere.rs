//! A search whose samples are made elsewhere: the allocator, what it knows and the report are
//! the same as if they were made here.

use tesuji_core::{MoveId, Pull, Rewards, Rng, Seed, Side, Stop};

use super::ahead::{Ahead, LookAhead};
use super::{ArmSearch, Done, ScoreSource};
use crate::config::SearchConfig;
use crate::device::MoveSamples;
use crate::limits::MOST_SAMPLES;
use crate::report::{Report, SearchStop};
use crate::shot::of_side;
use crate::sight::Sight;
use crate::simulator::RootAmaf;

/// A search with an allocator at its root whose samples are made elsewhere.
pub(crate) struct ArmsElsewhere {
    search: ArmSearch,
    moves: Vec<MoveId>,
    side: Side,
    /// For the allocator's own choices.
    choices: Rng,
    /// What has come of each arm, Black's.
    recorded: Vec<Rewards>,
    /// The samples made ahead, where the policy asks for a few at a time.
    ahead: Option<Ahead>,
    /// How many pulls of the last batch got their samples.
    n_served: usize,
    done: Done,
}

impl ArmsElsewhere {
    pub(crate) fn begin(
        config: &SearchConfig,
        sight: &dyn Sight,
        moves: Vec<MoveId>,
        samples: u64,
        carried: u64,
        seed: Seed,
    ) -> ArmsElsewhere {
        let mut search = ArmSearch::new(config);
        search.carry_over(carried);
        search.arms.clear(moves.len());
        let codes = if search.plan.keeps_root_amaf() { &moves[..] } else { &[] };
        search.amaf.clear(codes.iter().map(|&mv| sight.code(mv)));
        search.amaf_scores.begin(&search.arms);
        let samples = samples.saturating_add(carried).min(MOST_SAMPLES);
        let done = Done { budget: samples, spent: 0, stop: None, within: None };
        search.allocator.begin(moves.len(), if moves.len() == 1 { 0 } else { samples });
        ArmsElsewhere {
            recorded: vec![Rewards::default(); moves.len()],
            ahead: LookAhead::serves(config).then(|| Ahead::new(moves.len())),
            n_served: 0,
            search,
            moves,
            side: sight.to_move(),
            choices: seed.child("choices").rng(),
            done,
        }
    }

    /// The next samples to be made, or nothing if the search is over.
    pub(crate) fn next_pulls(&mut self) -> Option<&[Pull]> {
        if self.moves.len() == 1 {
            self.done.stop = Some(SearchStop::OneMove);
            self.search.carry(self.done.budget);
            return None;
        }
        while self.serve() {
            if !self.ask() {
                self.end();
                return None;
            }
            if self.ahead.is_none() {
                return Some(&self.search.pulls);
            }
        }
        let ArmsElsewhere { search: ArmSearch { arms, pulls, .. }, ahead, .. } = self;
        let left = self.done.budget - arms.total();
        let order = |ahead| Ahead::order(ahead, &pulls[self.n_served..], |arm| arms.count(arm), left);
        ahead.as_mut().map(order)
    }

    /// Gives the last batch the samples made ahead, and returns whether it got all that it asks
    /// for. Without samples ahead, it got them all before it was recorded.
    fn serve(&mut self) -> bool {
        let Some(ahead) = &mut self.ahead else { return true };
        while let Some(&pull) = self.search.pulls.get(self.n_served) {
            let Some(rewards) = ahead.take(pull) else { return false };
            self.search.arms.record(pull.arm, of_side(rewards, self.side));
            self.n_served += 1;
        }
        true
    }

    /// Asks the allocator for the next batch, and returns whether there is one.
    fn ask(&mut self) -> bool {
        let search = &mut self.search;
        if search.scores == ScoreSource::Amaf {
            search.amaf_scores.fill(&search.amaf, &mut search.arms);
        }
        search.pulls.clear();
        self.n_served = 0;
        match search.allocator.next_batch(&search.arms, &mut self.choices) {
            Some(batch) => {
                search.pulls.extend_from_slice(batch.pulls);
                search.amaf_scores.enter(batch.round);
                true
            }
            None => false,
        }
    }

    /// Notes how the search ended.
    fn end(&mut self) {
        let search = &mut self.search;
        self.done.spent = search.arms.total();
        self.done.stop = search.allocator.stop().map(SearchStop::Allocator);
        let saves = matches!(self.done.stop, Some(SearchStop::Allocator(Stop::NotWorthIt { .. })));
        search.carry(if saves { self.done.budget.saturating_sub(self.done.spent) } else { 0 });
    }

    /// Hears what has come of all samples so far, of each move.
    pub(crate) fn record(&mut self, told: &[MoveSamples]) {
        for &Pull { arm, .. } in &self.search.pulls {
            let now = told[arm].rewards();
            let before = std::mem::replace(&mut self.recorded[arm], now);
            let since = Rewards {
                count: now.count - before.count,
                sum: now.sum - before.sum,
                squares: now.squares - before.squares,
            };
            self.search.arms.record(arm, of_side(since, self.side));
        }
        let RootAmaf { counts, sums, .. } = &mut self.search.amaf;
        for ((count, sum), told) in counts.iter_mut().zip(sums).zip(told) {
            (*count, *sum) = (told.amaf_visits, told.amaf_sum);
        }
    }

    /// Hears what came of the samples asked for last, where they are made ahead: see
    /// [`LookAhead`]. Black's rewards in halves, by arm and place.
    pub(crate) fn record_outcomes(&mut self, outcome: impl Fn(usize, usize) -> u8) {
        if let Some(ahead) = &mut self.ahead {
            ahead.hear(outcome);
        }
    }

    /// The samples that the allocator has seen.
    pub(crate) fn seen(&self) -> u64 {
        self.search.arms.total()
    }

    /// The report of a search that is over.
    pub(crate) fn report(self) -> Report {
        let ArmsElsewhere { mut search, moves, side, done, .. } = self;
        search.report(&moves, side, done)
    }
}

impl ArmSearch {
    /// Continues a game whose earlier moves left these samples.
    pub(crate) fn carry_over(&mut self, samples: u64) {
        self.carried = samples;
    }
}
