//! A search whose samples are made elsewhere: the allocator, what it knows and the report are
//! the same as if they were made here.

use tesuji_core::{MoveId, Pull, Rewards, Rng, Score, Seed, Side, Stop};

use super::{AmafScores, ArmSearch, Done, ScoreSource};
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
        let samples = samples.saturating_add(carried).min(MOST_SAMPLES);
        let done = Done { budget: samples, spent: 0, stop: None };
        search.allocator.begin(moves.len(), if moves.len() == 1 { 0 } else { samples });
        ArmsElsewhere {
            recorded: vec![Rewards::default(); moves.len()],
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
        let search = &mut self.search;
        if search.scores == ScoreSource::Amaf {
            AmafScores(&search.amaf).fill(&mut search.arms);
        }
        if let Some(batch) = search.allocator.next_batch(&search.arms, &mut self.choices) {
            search.pulls.clear();
            search.pulls.extend_from_slice(batch.pulls);
            return Some(&search.pulls);
        }
        self.done.spent = search.arms.total();
        self.done.stop = search.allocator.stop().map(SearchStop::Allocator);
        let saves = matches!(self.done.stop, Some(SearchStop::Allocator(Stop::NotWorthIt { .. })));
        search.carry(if saves { self.done.budget.saturating_sub(self.done.spent) } else { 0 });
        None
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
