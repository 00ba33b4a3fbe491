//! One game, from its address to its record.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tesuji_core::{Outcome, Seed, Side};
use tesuji_session::{LiveGame, Seat, SeatChoice, SeatFault, SeatStart};

use crate::clock::Clocks;
use crate::matches::{Cell, MatchExperiment, Pairing};
use crate::minds::{Decision, Minds};
use crate::record::{Address, Circumstances, Game, Reason, Void};
use crate::seeds::SeedPair;
use crate::worker::{Ending, PlayedGame};

/// A game to be played.
pub(crate) struct ScheduledGame<'a> {
    pub(crate) experiment: &'a MatchExperiment,
    pub(crate) cell: &'a Cell,
    pub(crate) index: u64,
}

impl ScheduledGame<'_> {
    pub(crate) fn address(&self) -> Address {
        self.experiment.game_address(self.cell, self.index)
    }

    /// The record of a game that could not begin.
    pub(crate) fn void_before_it_began(&self, who: usize, fault: SeatFault) -> Void {
        self.void(who, fault, &[])
    }

    fn void(&self, who: usize, fault: SeatFault, moves: &[String]) -> Void {
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

    /// Plays it. `seats` are those of the cell's player and of its opponent.
    pub(crate) fn play(&self, seats: &mut [Seat; 2], build: &str, cancel: &AtomicBool) -> Ending {
        let rules = &self.experiment.rules;
        let cell = self.experiment.cell_address(self.cell);
        let seed = cell.child(self.index);
        let (began, watch) = (now(), Instant::now());
        let first = self.cell.game.start().expect("a spec that exists can be started").to_move();
        let side = match rules.pairing {
            Pairing::Seeds => Side::Black,
            // In even games the player has the side that moves first.
            Pairing::Sides if self.index.is_multiple_of(2) => first,
            Pairing::Sides => !first,
        };
        let (board, opening) = rules.openings.begin(&self.cell.game, cell, self.index);
        let n_opening = opening.len() as u32;
        let told = alternating(first, &opening);
        let mut live = LiveGame::after(self.cell.game.clone(), board, opening);
        let void = |who, fault, live: &LiveGame| Ending::Void(Box::new(self.void(who, fault, &live.words())));
        for (who, seat) in seats.iter_mut().enumerate() {
            let side = if who == 0 { side } else { !side };
            if let Err(fault) = seat.begin(&self.cell.game, &told, self.start_of(side, seed)) {
                return void(who, fault, &live);
            }
        }
        let (mut minds, mut clocks) = (Minds::default(), Clocks::new(rules.clock));
        let mut samples = [0; 2];
        // What an engine played that is no legal move.
        let mut illegal = None;
        let (outcome, reason) = loop {
            if let Some(outcome) = live.outcome() {
                break (outcome, Reason::Rules);
            }
            if rules.most_moves.is_some_and(|most| live.ply() >= most as usize) {
                break (Outcome::Draw, Reason::MoveLimit);
            }
            let turn = live.board().to_move();
            let who = usize::from(turn != side);
            if let Some(left) = clocks.left(who)
                && let Err(fault) = seats[who].hear_time(turn, left)
            {
                return void(who, fault, &live);
            }
            let asked_at = Instant::now();
            let (ply, here) = (live.ply() as u64, live.seed(seed));
            let choice = match seats[who].choose(live.board(), ply, here, clocks.patience(who), cancel) {
                Ok(choice) => choice,
                Err(_) if cancel.load(Ordering::Relaxed) => return Ending::Cancelled,
                Err(fault) => return void(who, fault, &live),
            };
            if cancel.load(Ordering::Relaxed) {
                return Ending::Cancelled;
            }
            if !clocks.think(who, asked_at.elapsed()) || matches!(choice, SeatChoice::Late) {
                break (Outcome::Win(!turn), Reason::Time);
            }
            let (mv, others, spent, expects) = match choice {
                SeatChoice::Move { mv, others, samples, expects } => (mv, others, samples, expects),
                SeatChoice::Illegal(text) => {
                    illegal = Some(text);
                    break (Outcome::Win(!turn), Reason::IllegalMove);
                }
                SeatChoice::Resign | SeatChoice::Late => break (Outcome::Win(!turn), Reason::Resigned),
            };
            match minds.hear(rules, who, expects) {
                Some(Decision::Resigned) => break (Outcome::Win(!turn), Reason::Resigned),
                Some(Decision::Claimed) => break (Outcome::Win(turn), Reason::Claimed),
                None => {}
            }
            samples[who] += spent;
            // If all are refused, that is something new to think about.
            let Some(ply) = live.attempt_in_order(std::iter::once(mv).chain(others)) else { continue };
            clocks.press(who);
            // As the game writes it, which the other engine may read better than as this one does.
            if let Err(fault) = seats[1 - who].hear(turn, &ply.mv) {
                return void(1 - who, fault, &live);
            }
        };
        let words: Vec<String> = live.words().into_iter().chain(illegal.clone()).collect();
        let game = Game {
            address: self.address(),
            side,
            outcome,
            reason,
            opening: n_opening,
            plies: live.ply() as u32 + u32::from(illegal.is_some()),
            moves: words.join(" "),
            samples,
        };
        // Asked only if there is a count to compare with.
        let is_counted = reason == Reason::Rules && live.board().margin().is_some();
        let scores = if is_counted { seats.each_mut().map(Seat::score) } else { Default::default() };
        let circumstances = Circumstances {
            build: build.to_owned(),
            began,
            seconds: watch.elapsed().as_secs_f64(),
            used: [seats[0].used(), seats[1].used()],
            engines: [seats[0].engine(), seats[1].engine()],
            scores,
        };
        Ending::Played(Box::new(PlayedGame { game, circumstances }))
    }

    /// What the contestant on this side is told at the beginning.
    fn start_of(&self, side: Side, game_seed: Seed) -> SeatStart {
        let own_seed = match self.experiment.rules.pairing {
            Pairing::Sides => None,
            Pairing::Seeds => Some(self.experiment.seed(self.cell, SeedPair::of(self.index).of_side(side))),
        };
        SeatStart { side, game_seed, own_seed, clock: self.experiment.rules.clock }
    }
}

/// Moves with the sides that play them. In all games of the catalog the sides take turns.
fn alternating(first: Side, moves: &[String]) -> Vec<(Side, String)> {
    let sides = [first, !first].into_iter().cycle();
    sides.zip(moves.iter().cloned()).collect()
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
