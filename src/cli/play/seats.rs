//! Who sits on one side of a game in the terminal.

use std::sync::atomic::AtomicBool;

use anyhow::Result;
use tesuji::catalog::{BudgetSpec, PlayerSpec};
use tesuji::core::{Seed, Side};
use tesuji::search::Until;
use tesuji_session::{Contestant, LiveGame, PlayerSeat, Seat, SeatChoice, SeatFault, SeatStart, timeouts};

use crate::cli::BadInput;
use crate::cli::contestants::{HUMAN, contestant, is_human};

/// Who sits on one side.
pub(super) enum TerminalSeat {
    Human,
    Player {
        seat: Box<PlayerSeat>,
        /// How the player was named, with the budget that was given.
        name: String,
    },
    Engine {
        seat: Box<Seat>,
        name: String,
    },
}

impl TerminalSeat {
    pub(super) fn new(
        name: &str,
        live: &LiveGame,
        side: Side,
        (budget, until): (BudgetSpec, Option<Until>),
        game_seed: Seed,
    ) -> Result<TerminalSeat> {
        if is_human(name) {
            return Ok(TerminalSeat::Human);
        }
        let game = live.spec();
        let contestant = contestant(name)?;
        let contestant = contestant.with_default_budget(budget);
        let contestant = match until {
            Some(until) => contestant.with_default_until(until),
            None => contestant,
        };
        let name = match &contestant {
            Contestant::Portfolio(portfolio) => {
                format!("{}, its seed from a portfolio", portfolio.book()?.player())
            }
            other => other.to_string(),
        };
        contestant.check(game)?;
        let mut seat = Seat::new(&contestant, game, timeouts(None)).map_err(bad)?;
        seat.begin(game, &told(live), start(side, game_seed)).map_err(bad)?;
        Ok(match seat {
            Seat::Player(seat) => TerminalSeat::Player { seat, name },
            engine @ Seat::Engine(_) => TerminalSeat::Engine { seat: Box::new(engine), name },
        })
    }

    pub(super) fn name(&self) -> String {
        match self {
            TerminalSeat::Human => HUMAN.to_owned(),
            TerminalSeat::Player { name, .. } | TerminalSeat::Engine { name, .. } => name.clone(),
        }
    }

    pub(super) fn is_human(&self) -> bool {
        matches!(self, TerminalSeat::Human)
    }

    /// The player that sits here; `None` if it is a person or an engine.
    pub(super) fn player(&self) -> Option<&PlayerSpec> {
        match self {
            TerminalSeat::Player { seat, .. } => Some(seat.spec()),
            TerminalSeat::Human | TerminalSeat::Engine { .. } => None,
        }
    }

    /// Hears of the other side's move.
    pub(super) fn hear(&mut self, side: Side, mv: &str) -> Result<()> {
        match self {
            TerminalSeat::Engine { seat, .. } => Ok(seat.hear(side, mv).map_err(bad)?),
            TerminalSeat::Human | TerminalSeat::Player { .. } => Ok(()),
        }
    }

    /// Goes back to where the game stands now: moves were taken back.
    pub(super) fn go_back(&mut self, live: &LiveGame, side: Side, game_seed: Seed) -> Result<()> {
        match self {
            TerminalSeat::Player { seat, .. } => seat.forget(),
            TerminalSeat::Engine { seat, .. } => {
                seat.begin(live.spec(), &told(live), start(side, game_seed)).map_err(bad)?;
            }
            TerminalSeat::Human => {}
        }
        Ok(())
    }

    /// An engine's answer; `None` from anybody else.
    pub(super) fn engine_choice(&mut self, live: &LiveGame) -> Result<Option<SeatChoice>> {
        let TerminalSeat::Engine { seat, .. } = self else { return Ok(None) };
        let choice = seat.choose(live.board(), 0, Seed::new(0), None, &AtomicBool::new(false));
        Ok(Some(choice.map_err(bad)?))
    }
}

/// The moves so far, for an engine that begins.
fn told(live: &LiveGame) -> Vec<(Side, String)> {
    live.moves().map(|(side, mv)| (side, mv.to_owned())).collect()
}

fn start(side: Side, game_seed: Seed) -> SeatStart {
    SeatStart { side, game_seed, own_seed: None, clock: None, carried: 0 }
}

fn bad(fault: SeatFault) -> BadInput {
    BadInput(fault.message)
}
