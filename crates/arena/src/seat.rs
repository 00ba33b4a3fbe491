//! A contestant at the board: a player of ours, or an engine that runs.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use tesuji_catalog::{AnyGame, AnyPlayer, GameSpec};
use tesuji_core::{Seed, Side};
use tesuji_gtp::{Answer, Controller, EngineError, Timeouts};
use tesuji_search::{Budget, Limits};

use crate::contestant::Contestant;

/// What a contestant says when it is to move.
pub(crate) enum Choice {
    /// A move, the samples behind it, and the reward it expects where it says so.
    Move { text: String, samples: u64, expects: Option<f64> },
    /// It gives up.
    Resign,
}

/// A contestant did not do its part, so the game comes to nothing.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) kind: String,
    pub(crate) message: String,
    pub(crate) stderr: String,
}

/// One of the two at a board.
pub(crate) enum Seat {
    Player { player: Box<dyn AnyPlayer>, budget: Budget, used: f64 },
    Engine { controller: Box<Controller>, used: f64 },
}

/// Players that take no samples are given a budget all the same, which they do not look at.
const ANY: Budget = Budget::Samples(1);

impl Seat {
    /// Takes a seat for a game of this kind. An engine is started.
    pub(crate) fn new(contestant: &Contestant, game: &GameSpec, timeouts: Timeouts) -> Result<Seat, Fault> {
        match contestant {
            Contestant::Player(spec) => {
                let player = game.player(spec.config()).expect("a spec that exists can be started");
                Ok(Seat::Player { player, budget: spec.budget().unwrap_or(ANY), used: 0.0 })
            }
            Contestant::Engine(command) => match Controller::start(command, timeouts) {
                Ok(controller) => Ok(Seat::Engine { controller: Box::new(controller), used: 0.0 }),
                Err(error) => Err(fault(&error, String::new())),
            },
        }
    }

    /// Begins a game: forgets the last one, and hears the opening.
    pub(crate) fn begin(&mut self, game: &GameSpec, opening: &[(Side, String)]) -> Result<(), Fault> {
        match self {
            Seat::Player { player, used, .. } => {
                player.forget();
                *used = 0.0;
                Ok(())
            }
            Seat::Engine { controller, used } => {
                *used = 0.0;
                let has_komi = game.info().options.iter().any(|option| option.name == "komi");
                let komi = has_komi.then(|| game.number("komi"));
                let begun = controller.new_game(game.board().0, komi);
                let told =
                    begun.and_then(|()| opening.iter().try_for_each(|(side, mv)| controller.play(*side, mv)));
                told.map_err(|error| fault(&error, controller.stderr()))
            }
        }
    }

    /// Chooses a move for the side to move.
    pub(crate) fn choose(
        &mut self,
        position: &dyn AnyGame,
        seed: Seed,
        cancel: &AtomicBool,
    ) -> Result<Choice, Fault> {
        match self {
            Seat::Player { player, budget, used } => {
                let clock = ThreadTime::now();
                let limits = Limits { budget: *budget, threads: 1, cancel: Some(cancel) };
                let report = player.search(position, &limits, seed, None);
                *used += clock.elapsed().as_secs_f64();
                let arm = &report.arms[report.chosen.expect("a game that goes on has a move")];
                let expects = arm.proof.map_or(arm.mean, |outcome| Some(outcome.reward(position.to_move())));
                Ok(Choice::Move { text: arm.mv.clone(), samples: report.spent, expects })
            }
            Seat::Engine { controller, used } => {
                let clock = Instant::now();
                let answer = controller.genmove_unless(position.to_move(), Some(cancel));
                *used += clock.elapsed().as_secs_f64();
                match answer.map_err(|error| fault(&error, controller.stderr()))? {
                    Answer::Move(text) => Ok(Choice::Move { text, samples: 0, expects: None }),
                    Answer::Pass => Ok(Choice::Move { text: "pass".to_owned(), samples: 0, expects: None }),
                    Answer::Resign => Ok(Choice::Resign),
                }
            }
        }
    }

    /// Hears of the other one's move. Players of ours see the position when they are asked.
    pub(crate) fn hear(&mut self, side: Side, mv: &str) -> Result<(), Fault> {
        match self {
            Seat::Player { .. } => Ok(()),
            Seat::Engine { controller, .. } => {
                let heard = controller.play(side, mv);
                heard.map_err(|error| fault(&error, controller.stderr()))
            }
        }
    }

    /// Seconds used in this game: of CPU time by a player of ours, by the clock for an engine.
    pub(crate) fn used(&self) -> f64 {
        match self {
            Seat::Player { used, .. } | Seat::Engine { used, .. } => *used,
        }
    }

    /// An engine's name and version.
    pub(crate) fn engine(&self) -> String {
        match self {
            Seat::Player { .. } => String::new(),
            Seat::Engine { controller, .. } => {
                format!("{} {}", controller.name(), controller.version()).trim().to_owned()
            }
        }
    }

    /// Leaves the board. An engine is asked to end, and then made to.
    pub(crate) fn leave(self) {
        if let Seat::Engine { controller, .. } = self {
            controller.quit();
        }
    }
}

/// What came of trying a contestant out.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// An engine's name and version.
    pub engine: String,
    /// Its first move; nothing where it resigns at once.
    pub first_move: Option<String>,
    /// What that took, in seconds.
    pub seconds: f64,
}

impl Contestant {
    /// Starts it and has it make a first move, or says what went wrong.
    pub fn try_out(&self, game: &GameSpec, genmove: Option<Duration>) -> Result<Trial, String> {
        let tried = || -> Result<Trial, Fault> {
            let mut seat = Seat::new(self, game, timeouts(genmove))?;
            seat.begin(game, &[])?;
            let start = game.start().expect("a spec that exists can be started");
            let choice = seat.choose(&*start, Seed::new(1), &AtomicBool::new(false))?;
            let (engine, seconds) = (seat.engine(), seat.used());
            seat.leave();
            let first_move = match choice {
                Choice::Move { text, .. } if start.boxed_clone().play(&text).is_ok() => Some(text),
                Choice::Move { text, .. } => {
                    let message = format!("its first move on {game}, {text}, is not legal");
                    return Err(Fault { kind: String::new(), message, stderr: String::new() });
                }
                Choice::Resign => None,
            };
            Ok(Trial { engine, first_move, seconds })
        };
        tried().map_err(|fault| fault.message)
    }
}

fn fault(error: &EngineError, stderr: String) -> Fault {
    Fault { kind: error.kind().to_owned(), message: error.to_string(), stderr }
}

/// How long engines may take, given how long a move may.
pub(crate) fn timeouts(genmove: Option<Duration>) -> Timeouts {
    let usual = Timeouts::default();
    Timeouts { genmove: genmove.unwrap_or(usual.genmove), ..usual }
}
