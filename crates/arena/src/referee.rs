//! One game, from its address to its record, with both contestants at the board.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tesuji_session::{Seat, SeatChoice, SeatFault};

use crate::clock::Clocks;
use crate::in_progress::{GameInProgress, Turn, now};
use crate::matches::{Cell, MatchExperiment};
use crate::paused::PausedGame;
use crate::record::{Address, Circumstances, Void};
use crate::worker::Ending;

/// A game to be played.
#[derive(Clone, Copy)]
pub(crate) struct ScheduledGame<'a> {
    pub(crate) experiment: &'a MatchExperiment,
    pub(crate) cell: &'a Cell,
    pub(crate) index: u64,
    /// Whether what searches said of the moves is kept.
    pub(crate) records_policies: bool,
}

impl<'a> ScheduledGame<'a> {
    pub(crate) fn address(&self) -> Address {
        self.experiment.game_address(self.cell, self.index)
    }

    /// The game at its beginning, or where it was paused. A game is a function of its address, so
    /// one whose pause makes no sense is played from its beginning.
    pub(crate) fn begin(self, paused: Option<&PausedGame>) -> GameInProgress<'a> {
        let paused = paused.filter(|_| self.cell.can_pause());
        let resumed = paused.and_then(|paused| GameInProgress::resume(self, paused).ok());
        resumed.unwrap_or_else(|| GameInProgress::begin(self))
    }

    /// The record of a game in which a contestant failed.
    pub(crate) fn void(&self, who: usize, fault: SeatFault, moves: &[String]) -> Void {
        let contestant = [&self.cell.player, &self.cell.opponent][who].to_string();
        Void {
            address: self.address(),
            at: now(),
            contestant,
            kind: fault.kind,
            message: fault.message,
            moves: moves.join(" "),
            stderr: fault.stderr,
        }
    }

    /// Plays the game, from where it was paused if it was. `seats` are those of the cell's player
    /// and of its opponent.
    pub(crate) fn play(
        self,
        paused: Option<&PausedGame>,
        seats: &mut [Seat; 2],
        build: &str,
        stop: Stop<'_>,
    ) -> Ending {
        let mut game = self.begin(paused);
        let void = |who, fault, game: &GameInProgress<'_>| Ending::Void(Box::new(game.void(who, fault)));
        let told = game.moves();
        for (who, seat) in seats.iter_mut().enumerate() {
            if let Err(fault) = seat.begin(&self.cell.game, &told, game.start_of(who)) {
                return void(who, fault, &game);
            }
        }
        let mut clocks = Clocks::new(self.experiment.rules.clock);
        while let Some(turn) = game.turn() {
            if stop.is_late() && self.cell.can_pause() {
                return self.stopped(&game, seats);
            }
            let Turn { side, who } = turn;
            if let Some(left) = clocks.left(who)
                && let Err(fault) = seats[who].hear_time(side, left)
            {
                return void(who, fault, &game);
            }
            let asked_at = Instant::now();
            let (live, seed) = (game.live(), game.seed());
            let ply = live.ply() as u64;
            let choice = match seats[who].choose(live.board(), ply, seed, clocks.patience(who), stop.cancel) {
                Ok(choice) => choice,
                Err(_) if stop.is_cancelled() => return self.stopped(&game, seats),
                Err(fault) => return void(who, fault, &game),
            };
            // A search that was cancelled has not spent its budget: its move does not count.
            if stop.is_cancelled() {
                return self.stopped(&game, seats);
            }
            let is_in_time = clocks.think(who, asked_at.elapsed());
            let Some(mv) = game.hear(turn, if is_in_time { choice } else { SeatChoice::Late }) else {
                continue;
            };
            clocks.press(who);
            // As the game writes it, which the other engine may read better than as this one does.
            if let Err(fault) = seats[1 - who].hear(side, mv) {
                return void(1 - who, fault, &game);
            }
        }
        // Asked only if there is a count to compare with.
        let scores = if game.is_counted() { seats.each_mut().map(Seat::score) } else { Default::default() };
        let about = Circumstances {
            build: build.to_owned(),
            used: [seats[0].used(), seats[1].used()],
            engines: [seats[0].engine(), seats[1].engine()],
            scores,
            ..Circumstances::default()
        };
        Ending::Played(Box::new(game.finished(about)))
    }

    /// The game that stops before its end. It can be continued if no player keeps a tree, and nothing depends on a
    /// clock or an engine.
    fn stopped(self, game: &GameInProgress<'_>, seats: &[Seat; 2]) -> Ending {
        if !self.cell.can_pause() {
            return Ending::Cancelled;
        }
        Ending::Paused(Box::new(game.pause([seats[0].used(), seats[1].used()])))
    }
}

/// When a game stops before its end.
#[derive(Clone, Copy)]
pub(crate) struct Stop<'a> {
    /// Set by another thread: the game stops at once.
    pub(crate) cancel: &'a AtomicBool,
    /// The moment from which on a game stops after its current move, if it can be continued.
    pub(crate) deadline: Option<Instant>,
}

impl Stop<'_> {
    fn is_cancelled(self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    fn is_late(self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
