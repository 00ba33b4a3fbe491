//! Whoever plays: games in, what came of them out. It knows no store, so it can sit on
//! another thread, or on another machine.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tesuji_session::{Seat, SeatFault, timeouts};

use crate::matches::{Cell, MatchExperiment};
use crate::paused::PausedGame;
use crate::record::{Circumstances, Game, Void};
use crate::referee::{ScheduledGame, Stop};

/// A game that has come to its end, as it crosses from who plays to who keeps: also between
/// processes, as JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FinishedGame {
    /// The cell's place in [`MatchExperiment::cells`].
    pub cell: usize,
    /// Which game of the cell.
    pub index: u64,
    /// What came of it.
    pub ending: Ending,
}

/// A game that was played to its end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The game: a function of its address.
    pub game: Game,
    /// When, how long and by which build it was played.
    pub circumstances: Circumstances,
    /// What searches said of the moves ([`read_policies`](crate::read_policies)); empty if that is
    /// not recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<u8>,
}

/// What came of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// It was played.
    Played(Box<PlayedGame>),
    /// A contestant did not do its part.
    Void(Box<Void>),
    /// It was stopped between two moves and can be continued.
    Paused(Box<PausedGame>),
    /// It was let go before its end.
    Cancelled,
}

/// Plays games of an experiment, one after the other. Engines take long to start, so both
/// seats are kept while the cell stays the same.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use tesuji_arena::{Definition, Ending, MatchExperiment, Worker};
///
/// let text = "title='t'\nseed=1\ngames=2\n[[grid]]\ngame='hex:3'\nplayer='uct@20'\nopponent='random'";
/// let experiment = MatchExperiment::parse(Definition::built_in("e", text, &[])?)?;
/// let mut worker = Worker::new(&experiment);
/// let finished = worker.play(0, 1, &AtomicBool::new(false));
/// let Ending::Played(played) = finished.ending else { panic!("our players always finish") };
/// assert_eq!(Some(played.game), experiment.replay(&experiment.cells[0], 1));
/// # Ok::<(), tesuji_arena::ExperimentError>(())
/// ```
pub struct Worker<'a> {
    experiment: &'a MatchExperiment,
    genmove: Option<Duration>,
    build: String,
    deadline: Option<Instant>,
    records_policies: bool,
    kept: Option<(usize, [Seat; 2])>,
}

impl<'a> Worker<'a> {
    /// Nobody sits yet.
    pub fn new(experiment: &'a MatchExperiment) -> Worker<'a> {
        let build = String::new();
        Worker { experiment, genmove: None, build, deadline: None, records_policies: false, kept: None }
    }

    /// The same, with the program's version and commit for the record.
    #[must_use]
    pub fn of_build(mut self, build: &str) -> Worker<'a> {
        build.clone_into(&mut self.build);
        self
    }

    /// The same, with a limit of how long an engine may think about a move.
    #[must_use]
    pub fn with_patience(mut self, genmove: Option<Duration>) -> Worker<'a> {
        self.genmove = genmove;
        self
    }

    /// Sets whether the games come with what searches said of their moves.
    #[must_use]
    pub fn recording_policies(mut self, records: bool) -> Worker<'a> {
        self.records_policies = records;
        self
    }

    /// Sets a moment from which on games are paused after their current move. A game with a
    /// clock, an engine or a player that reuses its trees is played to its end.
    #[must_use]
    pub fn pausing_at(mut self, deadline: Option<Instant>) -> Worker<'a> {
        self.deadline = deadline;
        self
    }

    /// Plays a game; `cell` is a place in [`MatchExperiment::cells`]. If another thread sets
    /// `cancel`, the game is paused before its current move if it can be, and let go otherwise.
    pub fn play(&mut self, cell: usize, index: u64, cancel: &AtomicBool) -> FinishedGame {
        self.play_on(cell, index, None, cancel)
    }

    /// Plays a game from where it was paused, if it was; `cell` is a place in
    /// [`MatchExperiment::cells`].
    pub fn play_on(
        &mut self,
        cell: usize,
        index: u64,
        paused: Option<&PausedGame>,
        cancel: &AtomicBool,
    ) -> FinishedGame {
        let (experiment, records_policies) = (self.experiment, self.records_policies);
        let scheduled = ScheduledGame { experiment, cell: &experiment.cells[cell], index, records_policies };
        let seats = match self.kept.take() {
            Some((same, seats)) if same == cell => Ok(seats),
            other => {
                leave(other);
                self.sit_down(scheduled.cell)
            }
        };
        let ending = match seats {
            Ok(mut seats) => {
                let stop = Stop { cancel, deadline: self.deadline };
                let ending = scheduled.play(paused, &mut seats, &self.build, stop);
                // After a void game, or one that an engine did not live to the end of, engines
                // are started anew.
                match ending {
                    Ending::Played(_) if seats.iter().all(Seat::can_go_on) => self.kept = Some((cell, seats)),
                    Ending::Played(_) => seats.into_iter().for_each(Seat::leave),
                    _ => drop(seats),
                }
                ending
            }
            Err((who, fault)) => Ending::Void(Box::new(scheduled.void(who, fault, &[]))),
        };
        FinishedGame { cell, index, ending }
    }

    /// Both seats, or whose fault it is that there are none.
    fn sit_down(&self, cell: &Cell) -> Result<[Seat; 2], (usize, SeatFault)> {
        let seat = |contestant| Seat::new(contestant, &cell.game, timeouts(self.genmove));
        let player = seat(&cell.player).map_err(|fault| (0, fault))?;
        let opponent = seat(&cell.opponent).map_err(|fault| (1, fault))?;
        Ok([player, opponent])
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        leave(self.kept.take());
    }
}

/// Engines are told that it is over.
fn leave(kept: Option<(usize, [Seat; 2])>) {
    kept.into_iter().flat_map(|(_, seats)| seats).for_each(Seat::leave);
}
