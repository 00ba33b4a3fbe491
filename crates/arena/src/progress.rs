//! What a run reports while it goes on, and what it came to.

use std::time::Duration;

use tesuji_search::DeviceError;

use crate::fleet::FleetStatus;
use crate::matches::{Cell, MatchExperiment};
use crate::record::{Circumstances, Game, Void};
use crate::schedule::{CellProgress, Completion};
use crate::statistics::Hypothesis;

/// How far along an experiment is.
pub struct Progress<'a> {
    /// The experiment.
    pub experiment: &'a MatchExperiment,
    /// The last event.
    pub event: RunEvent<'a>,
    /// How far along each cell is, in the order of [`MatchExperiment::cells`].
    pub cells: Vec<CellProgress>,
    /// The rounds so far of a tournament in which results decide who meets next, and the number of
    /// games that it wants in all at most.
    pub round: Option<PlannedRound>,
    /// An estimate of the time that is left, if games were played.
    pub left: Option<Duration>,
}

impl Progress<'_> {
    /// The games of all cells together.
    pub fn total(&self) -> Completion {
        let Completion { done, wanted } = self.cells.iter().map(|cell| cell.games).sum();
        Completion { done, wanted: self.round.map_or(wanted, |round| round.games.max(done)) }
    }
}

/// The last round of a tournament that plans its rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlannedRound {
    /// The number of the round, from 1.
    pub number: u32,
    /// The number of games that all rounds have together, at most.
    pub games: u64,
}

/// An event of a run.
pub enum RunEvent<'a> {
    /// The run begins.
    Begin,
    /// A game of this cell was played.
    Game(&'a Cell, &'a Game, &'a Circumstances),
    /// A game of this cell is void.
    Void(&'a Cell, &'a Void),
    /// The games that a device plays are further along. Comes about once a second.
    Fleet(&'a FleetStatus),
    /// The device failed. Its searches are made again.
    DeviceFailure(&'a DeviceError),
}

/// The result of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// The number of games that this run played.
    pub played: u64,
    /// The number of void games.
    pub voids: u64,
    /// The number of wanted games that are still missing.
    pub missing: u64,
    /// The number of games that this run paused. They are stored, and the next run continues them.
    pub paused: u64,
    /// The decision of the test, if there is one.
    pub decision: Option<SprtDecision>,
    /// Whether somebody interrupted the run.
    pub is_interrupted: bool,
}

/// The decision of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SprtDecision {
    /// The hypothesis that was accepted.
    pub hypothesis: Hypothesis,
    /// The number of games after which it was accepted.
    pub games: u64,
}
