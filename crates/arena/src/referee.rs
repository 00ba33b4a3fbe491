//! One game, from its address to its record.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tesuji_core::{MoveId, Outcome, Seed, Side};
use tesuji_search::{Attempt, Board};

use crate::clock::Clocks;
use crate::matches::{Cell, MatchExperiment, PATIENCE, Pairing, Rules};
use crate::record::{Address, Circumstances, Game, REFUSED, Reason, Void};
use crate::seat::{Choice, Fault, Given, Seat};
use crate::seeds::SeedPair;
use crate::worker::Ending;

/// A game to be played.
pub(crate) struct Fixture<'a> {
    pub(crate) experiment: &'a MatchExperiment,
    pub(crate) cell: &'a Cell,
    pub(crate) index: u64,
}

impl Fixture<'_> {
    pub(crate) fn address(&self) -> Address {
        self.experiment.game_address(self.cell, self.index)
    }

    /// The record of a game that could not begin.
    pub(crate) fn void_before_it_began(&self, who: usize, fault: Fault) -> Void {
        self.void(who, fault, &[])
    }

    fn void(&self, who: usize, fault: Fault, moves: &[String]) -> Void {
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
        let (mut position, opening) = rules.openings.begin(&self.cell.game, cell, self.index);
        let n_opening = opening.len() as u32;
        let mut moves = opening;
        let void = |who, fault, moves: &[String]| Ending::Void(Box::new(self.void(who, fault, moves)));
        let told = alternating(first, &moves);
        for (who, seat) in seats.iter_mut().enumerate() {
            let side = if who == 0 { side } else { !side };
            if let Err(fault) = seat.begin(&self.cell.game, &told, self.given(side, seed)) {
                return void(who, fault, &moves);
            }
        }
        let (mut minds, mut clocks) = (Minds::default(), Clocks::new(rules.clock));
        let mut samples = [0; 2];
        // The moves, and the attempts that were refused.
        let mut told = moves.clone();
        // Times that the one to move has been asked in this turn.
        let mut asked = 0;
        let (outcome, reason) = loop {
            if let Some(outcome) = position.outcome() {
                break (outcome, Reason::Rules);
            }
            if rules.most_moves.is_some_and(|most| moves.len() >= most as usize) {
                break (Outcome::Draw, Reason::MoveLimit);
            }
            let turn = position.to_move();
            let who = usize::from(turn != side);
            let ply = moves.len() as u64;
            let here = match asked {
                0 => seed.child(ply),
                _ => seed.child(ply).child(asked),
            };
            if let Some(left) = clocks.left(who)
                && let Err(fault) = seats[who].hear_time(turn, left)
            {
                return void(who, fault, &moves);
            }
            let asked_at = Instant::now();
            let choice = match seats[who].choose(&*position, ply, here, clocks.patience(who), cancel) {
                Ok(choice) => choice,
                Err(_) if cancel.load(Ordering::Relaxed) => return Ending::Cancelled,
                Err(fault) => return void(who, fault, &moves),
            };
            if cancel.load(Ordering::Relaxed) {
                return Ending::Cancelled;
            }
            if !clocks.think(who, asked_at.elapsed()) || matches!(choice, Choice::Late) {
                break (Outcome::Win(!turn), Reason::Time);
            }
            let (mv, others, spent, expects) = match choice {
                Choice::Move { mv, others, samples, expects } => (mv, others, samples, expects),
                Choice::Illegal(text) => {
                    told.push(text.clone());
                    moves.push(text);
                    break (Outcome::Win(!turn), Reason::IllegalMove);
                }
                Choice::Resign | Choice::Late => break (Outcome::Win(!turn), Reason::Resigned),
            };
            match minds.hear(rules, who, expects) {
                Some(Decision::Resigned) => break (Outcome::Win(!turn), Reason::Resigned),
                Some(Decision::Claimed) => break (Outcome::Win(turn), Reason::Claimed),
                None => {}
            }
            samples[who] += spent;
            let Some(mv) = attempts(&mut *position, mv, &others, &mut told) else {
                // All were refused, which is something new to think about.
                asked += 1;
                continue;
            };
            asked = 0;
            clocks.press(who);
            if let Err(fault) = seats[1 - who].hear(turn, &mv) {
                return void(1 - who, fault, &moves);
            }
            moves.push(mv);
        };
        let game = Game {
            address: self.address(),
            side,
            outcome,
            reason,
            opening: n_opening,
            plies: moves.len() as u32,
            moves: told.join(" "),
            samples,
        };
        // Asked only where there is a count to compare with.
        let is_counted = reason == Reason::Rules && position.margin().is_some();
        let scores = if is_counted { seats.each_mut().map(Seat::score) } else { Default::default() };
        let about = Circumstances {
            build: build.to_owned(),
            began,
            seconds: watch.elapsed().as_secs_f64(),
            used: [seats[0].used(), seats[1].used()],
            engines: [seats[0].engine(), seats[1].engine()],
            scores,
        };
        Ending::Played(Box::new((game, about)))
    }
}

impl Fixture<'_> {
    /// What the contestant on this side is given.
    fn given(&self, side: Side, seed: Seed) -> Given {
        let own = match self.experiment.rules.pairing {
            Pairing::Sides => None,
            Pairing::Seeds => Some(self.experiment.seed(self.cell, SeedPair::of(self.index).of_side(side))),
        };
        let word = if side == Side::Black { "black" } else { "white" };
        let draw = seed.child("book").child(word);
        Given { side, seed: own, draw, clock: self.experiment.rules.clock }
    }
}

/// Tries a move, and others if it is refused; `None` if all are. What is refused is told
/// with a [`REFUSED`] before it. Returns the text of the move that stands, as the game
/// writes it: the other engine may read that better than what this one wrote.
fn attempts(
    position: &mut dyn Board,
    first: MoveId,
    others: &[MoveId],
    told: &mut Vec<String>,
) -> Option<String> {
    for mv in std::iter::once(first).chain(others.iter().copied()) {
        let text = position.move_text(mv);
        match position.attempt(mv) {
            Attempt::Stands { .. } => {
                told.push(text.clone());
                return Some(text);
            }
            Attempt::Refused => told.push(format!("{REFUSED}{text}")),
        }
    }
    None
}

/// Moves with the sides that play them. In all our games the sides take turns.
fn alternating(first: Side, moves: &[String]) -> Vec<(Side, String)> {
    let sides = [first, !first].into_iter().cycle();
    sides.zip(moves.iter().cloned()).collect()
}

/// What the two think of their game, move after move.
#[derive(Default)]
struct Minds {
    /// For how many moves running each has thought itself lost, and won.
    lost: [u32; 2],
    won: [u32; 2],
    /// Whether each, at its last move, would have left its opponent a claim.
    has_given_up: [bool; 2],
}

enum Decision {
    Resigned,
    Claimed,
}

impl Minds {
    /// Hears what the one that moves expects.
    fn hear(&mut self, rules: &Rules, who: usize, expects: Option<f64>) -> Option<Decision> {
        let expects = expects?;
        let running = |count: u32, still: bool| if still { count + 1 } else { 0 };
        if let Some(below) = rules.resign_below {
            self.lost[who] = running(self.lost[who], expects < below);
            if self.lost[who] >= PATIENCE {
                return Some(Decision::Resigned);
            }
        }
        if let Some(above) = rules.claim_above {
            self.won[who] = running(self.won[who], expects > above);
            self.has_given_up[who] = expects < 1.0 - above;
            if self.won[who] >= PATIENCE && self.has_given_up[1 - who] {
                return Some(Decision::Claimed);
            }
        }
        None
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of a game in which the two, in turn, expect this.
    fn heard(rules: &Rules, expected: &[f64]) -> Option<(usize, bool)> {
        let mut minds = Minds::default();
        expected.iter().enumerate().find_map(|(ply, expects)| {
            let decision = minds.hear(rules, ply % 2, Some(*expects))?;
            Some((ply, matches!(decision, Decision::Claimed)))
        })
    }

    #[test]
    fn who_sees_no_hope_three_times_running_resigns() {
        let rules = Rules { resign_below: Some(0.1), ..Rules::default() };
        assert_eq!(heard(&rules, &[0.05, 0.9, 0.05, 0.9, 0.05, 0.9]), Some((4, false)));
        assert_eq!(heard(&rules, &[0.05, 0.9, 0.05, 0.9, 0.2, 0.9, 0.05, 0.9, 0.05]), None);
        assert_eq!(heard(&Rules::default(), &[0.0; 20]), None);
    }

    #[test]
    fn a_claim_needs_both() {
        let rules = Rules { claim_above: Some(0.9), ..Rules::default() };
        assert_eq!(heard(&rules, &[0.95, 0.05, 0.95, 0.05, 0.95, 0.05]), Some((4, true)));
        // The other still hopes.
        assert_eq!(heard(&rules, &[0.95, 0.05, 0.95, 0.5, 0.95, 0.5, 0.95, 0.05, 0.95]), Some((8, true)));
        assert_eq!(heard(&rules, &[0.95, 0.5, 0.95, 0.5, 0.95, 0.5]), None);
    }
}
