//! How long a search may think, and who may stop it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_bandit::Until;
use tesuji_core::MoveId;

use crate::root_moves::RootMoves;

/// What a search may use. Only the budget, the moves, the focus and the certainty change the result
/// of a search with a budget of samples that is not cancelled: threads do not.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// How much it may think.
    pub budget: Budget,
    /// How many threads it may use, at least 1.
    pub threads: usize,
    /// Set by another thread, it ends the search within a few simulations. The
    /// best move as far as is known is reported then.
    pub cancel: Option<&'a AtomicBool>,
    /// The longest it may take, whatever its budget: the clock of a game. What a budget of
    /// samples comes to then depends on the machine.
    pub within: Option<Duration>,
    /// How often a watcher wants to hear of its progress, as far as it can: roots that
    /// halve speak between batches only. Without it, some fifty times in all.
    pub every: Option<Duration>,
    /// The moves that the search may choose. The others get no samples, and the report leaves
    /// them out. If one move of several is left, all samples go to it.
    pub moves: RootMoves<'a>,
    /// A move that all samples of this search go to. If the player's last search was of the same
    /// position with the same moves, its trees and its random streams are continued, and the
    /// report is that of both searches together; otherwise the other moves have no samples. A
    /// move that may not be chosen gives a report without arms.
    pub focus: Option<MoveId>,
    /// When it is sure enough to stop before its budget is spent. Default: as the player's own
    /// option says; [`Until::NEVER`] overrules that too.
    pub until: Option<Until>,
    /// The most positions that a network is asked about at once, at least 1. It changes no result.
    pub batch: usize,
    /// Whether the report says how sure the choice is. It does if the search may stop when it is
    /// sure. For a hundred moves that costs about as much as some hundred samples, so matches do
    /// without it.
    pub confidence: bool,
}

/// How much a search may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// This number of samples: the same search has the same result everywhere.
    Samples(u64),
    /// This much time. Policies that must know their samples in advance measure
    /// their speed first.
    Time(Duration),
}

impl Limits<'_> {
    /// This budget on one thread.
    pub fn of(budget: Budget) -> Limits<'static> {
        Limits {
            budget,
            threads: 1,
            cancel: None,
            within: None,
            every: None,
            moves: RootMoves::All,
            focus: None,
            until: None,
            batch: MOST_POSITIONS,
            confidence: false,
        }
    }

    /// This number of samples on one thread.
    pub fn samples(samples: u64) -> Limits<'static> {
        Limits::of(Budget::Samples(samples))
    }

    /// This much time on one thread.
    pub fn time(time: Duration) -> Limits<'static> {
        Limits::of(Budget::Time(time))
    }

    /// Whether the budget is a time: how many samples that is, is not known.
    pub(crate) fn is_timed(&self) -> bool {
        matches!(self.budget, Budget::Time(_))
    }

    /// Whether somebody has cancelled the search.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// These limits, with a report that says how sure the choice is.
    #[must_use]
    pub fn with_confidence(self) -> Self {
        Limits { confidence: true, ..self }
    }

    /// The difference between values that the report's confidence ignores, given when the search
    /// stops; `None` if the report has no confidence.
    pub(crate) fn ignored_difference(&self, until: Option<Until>) -> Option<f64> {
        match until {
            Some(until) => Some(until.within),
            None => self.confidence.then_some(0.0),
        }
    }

    /// These limits with this number of threads.
    #[must_use]
    pub fn on(self, threads: usize) -> Self {
        Limits { threads: threads.max(1), ..self }
    }
}

/// The most positions that a network is asked about at once, unless somebody says otherwise.
const MOST_POSITIONS: usize = 256;

/// The greatest budget of samples: what the statistics of an edge count exactly.
pub const MOST_SAMPLES: u64 = 1 << 24;

/// The end of a search, asked for again and again. Shared by its threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock<'a> {
    deadline: Option<Instant>,
    cancel: Option<&'a AtomicBool>,
    /// It is looked at if the number of simulations has none of these bits.
    skips: u64,
}

/// The numbers of simulations at which the clock is not looked at, if there is one, have one of these
/// bits: it is looked at every 16. Looking costs about 25 nanoseconds; simulations take from a tenth of
/// a microsecond to a hundred.
const SKIPS: u64 = 15;

impl<'a> Clock<'a> {
    pub(crate) fn start(limits: &Limits<'a>) -> Clock<'a> {
        let time = match limits.budget {
            Budget::Samples(_) => limits.within,
            Budget::Time(time) => Some(limits.within.map_or(time, |within| within.min(time))),
        };
        // A time beyond the clock's end is as good as a year.
        let deadline = time.map(|time| Instant::now() + time.min(Duration::from_secs(365 * 24 * 3600)));
        Clock { deadline, cancel: limits.cancel, skips: SKIPS }
    }

    /// The clock for simulations by a network, each of which is worth a look.
    pub(crate) fn for_evaluations(self, is_network: bool) -> Clock<'a> {
        Clock { skips: if is_network { 0 } else { SKIPS }, ..self }
    }

    /// A clock that ends after this part of the time that is left.
    pub(crate) fn part(self, part: f64) -> Clock<'a> {
        let now = Instant::now();
        let deadline = self.deadline.map(|end| now + end.saturating_duration_since(now).mul_f64(part));
        Clock { deadline, ..self }
    }

    /// A clock that ends after this much time at the latest.
    pub(crate) fn within(self, time: Duration) -> Clock<'a> {
        let end = Instant::now() + time;
        Clock { deadline: Some(self.deadline.map_or(end, |deadline| deadline.min(end))), ..self }
    }

    /// The time left; `None` without a deadline.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.deadline.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Whether the search must end now, after this number of simulations.
    #[inline]
    pub(crate) fn is_over(&self, done: u64) -> bool {
        self.is_cancelled()
            || (done & self.skips == 0 && self.deadline.is_some_and(|end| Instant::now() >= end))
    }

    #[inline]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}
