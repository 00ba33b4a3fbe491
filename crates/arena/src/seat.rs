//! A contestant at the board: a player of ours, or an engine that runs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::{MoveId, Seed, Side, Symmetry, TimeControl, TimeLeft};
use tesuji_gtp::{Answer, Controller, EngineError, Timeouts};
use tesuji_search::{Board, Budget, Limits, Player, TurnedPlayer};

use crate::book::Book;
use crate::contestant::Contestant;
use crate::seeds::stream;

/// What a contestant says when it is to move.
pub(crate) enum Choice {
    /// A move, and the ones to try next if it is refused; the samples behind it, and the
    /// reward it expects if it says so.
    Move { mv: MoveId, others: Vec<MoveId>, samples: u64, expects: Option<f64> },
    /// Something that is no legal move, as it was written.
    Illegal(String),
    /// It gives up.
    Resign,
    /// It is not done within the time that it was given.
    Late,
}

impl Choice {
    fn of_engine(position: &dyn Board, text: String) -> Choice {
        match position.parse_move(&text) {
            Ok(mv) => Choice::Move { mv, others: Vec::new(), samples: 0, expects: None },
            Err(_) => Choice::Illegal(text),
        }
    }
}

/// What a player is given at the beginning of a game.
#[derive(Clone, Copy)]
pub(crate) struct Given {
    pub(crate) side: Side,
    /// The seed to play by, where it is not the game's own.
    pub(crate) seed: Option<Seed>,
    /// Where to draw a seed of a book from.
    pub(crate) draw: Seed,
    /// The time of its game, where that is limited.
    pub(crate) clock: Option<TimeControl>,
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
    Player {
        player: TurnedPlayer,
        budget: Budget,
        used: f64,
        /// Whether its moves may be refused.
        is_hidden: bool,
        /// Where it draws its seed from.
        book: Option<Arc<Book>>,
        /// The seed that it plays by, where it is not the game's own.
        seed: Option<Seed>,
    },
    Engine {
        controller: Box<Controller>,
        used: f64,
    },
}

/// Players that take no samples are given a budget all the same, which they do not look at.
const ANY: Budget = Budget::Samples(1);

impl Seat {
    /// Takes a seat for a game of this kind. An engine is started.
    pub(crate) fn new(contestant: &Contestant, game: &GameSpec, timeouts: Timeouts) -> Result<Seat, Fault> {
        match contestant {
            Contestant::Player(spec) => Ok(Seat::of_player(spec, game)),
            Contestant::Turned(_, spec) => {
                let mut seat = Seat::of_player(spec, game);
                if let Seat::Player { player, .. } = &mut seat {
                    player
                        .turn(contestant.symmetry(game).expect("contestants were checked with their games"));
                }
                Ok(seat)
            }
            Contestant::Portfolio(portfolio) => {
                let gone =
                    |message| Fault { kind: "no portfolio".to_owned(), message, stderr: String::new() };
                let drawn_from = portfolio.book().map_err(|error| gone(error.to_string()))?;
                let mut seat = Seat::of_player(&drawn_from.player(), game);
                if let Seat::Player { book, .. } = &mut seat {
                    *book = Some(Arc::clone(drawn_from));
                }
                Ok(seat)
            }
            Contestant::Engine(command) => match Controller::start(command, timeouts) {
                Ok(controller) => Ok(Seat::Engine { controller: Box::new(controller), used: 0.0 }),
                Err(error) => Err(fault(&error, String::new())),
            },
        }
    }

    fn of_player(spec: &PlayerSpec, game: &GameSpec) -> Seat {
        let player = game.player(spec.config()).expect("contestants were checked with their games");
        let player = TurnedPlayer::new(player, Symmetry::IDENTITY);
        Seat::Player {
            player,
            budget: spec.budget().unwrap_or(ANY),
            used: 0.0,
            is_hidden: game.info().is_hidden,
            book: None,
            seed: None,
        }
    }

    /// Begins a game: forgets the last one, and hears the opening. A seed may be given to
    /// play by.
    pub(crate) fn begin(
        &mut self,
        game: &GameSpec,
        opening: &[(Side, String)],
        given: Given,
    ) -> Result<(), Fault> {
        match self {
            Seat::Player { player, used, book, seed, .. } => {
                player.forget();
                *used = 0.0;
                *seed = given.seed;
                if let Some(book) = book {
                    let symmetries = game.start().map_or(Vec::new(), |start| start.symmetries());
                    let (drawn, symmetry) = book.draw(given.side, &symmetries, &mut given.draw.rng());
                    *seed = Some(drawn);
                    player.turn(symmetry);
                }
                Ok(())
            }
            Seat::Engine { controller, used } => {
                *used = 0.0;
                let has_komi = game.info().options.iter().any(|option| option.name == "komi");
                let komi = has_komi.then(|| game.number("komi"));
                let begun = controller.new_game(game.board().0, komi);
                let begun = begun.and_then(|()| given.clock.map_or(Ok(()), |it| controller.set_time(it)));
                let told =
                    begun.and_then(|()| opening.iter().try_for_each(|(side, mv)| controller.play(*side, mv)));
                told.map_err(|error| fault(&error, controller.stderr()))
            }
        }
    }

    /// Hears what is left on its clock. Players of ours have their budgets instead.
    pub(crate) fn hear_time(&mut self, side: Side, left: TimeLeft) -> Result<(), Fault> {
        match self {
            Seat::Player { .. } => Ok(()),
            Seat::Engine { controller, .. } => {
                let heard = controller.set_time_left(side, left);
                heard.map_err(|error| fault(&error, controller.stderr()))
            }
        }
    }

    /// Chooses a move for the side to move. Where an engine's time is limited, `patience` is
    /// how long it is waited for, and then it is late and no longer hung.
    pub(crate) fn choose(
        &mut self,
        position: &dyn Board,
        ply: u64,
        seed: Seed,
        patience: Option<Duration>,
        cancel: &AtomicBool,
    ) -> Result<Choice, Fault> {
        match self {
            Seat::Player { player, budget, used, seed: own, is_hidden, .. } => {
                let clock = ThreadTime::now();
                let limits = Limits { cancel: Some(cancel), ..Limits::of(*budget) };
                let seed = own.map_or(seed, |own| stream(own, position.to_move(), ply));
                let report = player.search(&*position.sight(), &limits, seed, None);
                *used += clock.elapsed().as_secs_f64();
                let arm = &report.arms[report.chosen.expect("a game that goes on has a move")];
                let expects = arm.proof.map_or(arm.mean, |outcome| Some(outcome.reward(position.to_move())));
                // Where the enemy is seen, no move of ours is refused.
                let ranking = if *is_hidden { report.ranking() } else { Vec::new() };
                let others = ranking.iter().skip(1).map(|&arm| report.arms[arm].mv).collect();
                Ok(Choice::Move { mv: arm.mv, others, samples: report.spent, expects })
            }
            Seat::Engine { controller, used } => {
                let clock = Instant::now();
                let side = position.to_move();
                let answer = match patience {
                    Some(patience) => controller.genmove_within(side, patience, Some(cancel)),
                    None => controller.genmove_unless(side, Some(cancel)),
                };
                *used += clock.elapsed().as_secs_f64();
                if patience.is_some() && matches!(answer, Err(EngineError::Hung { .. })) {
                    return Ok(Choice::Late);
                }
                match answer.map_err(|error| fault(&error, controller.stderr()))? {
                    Answer::Move(text) => Ok(Choice::of_engine(position, text)),
                    Answer::Pass => Ok(Choice::of_engine(position, "pass".to_owned())),
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

    /// The score that an engine gives the game, which is over; empty where it gives none,
    /// whatever the reason: the game stands by our own count.
    pub(crate) fn score(&mut self) -> String {
        match self {
            Seat::Player { .. } => String::new(),
            Seat::Engine { controller, .. } => controller.final_score().ok().flatten().unwrap_or_default(),
        }
    }

    /// Whether it can play another game: an engine that is gone cannot.
    pub(crate) fn can_go_on(&self) -> bool {
        match self {
            Seat::Player { .. } => true,
            Seat::Engine { controller, .. } => !controller.has_ended(),
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
            let start = game.start().expect("a spec that exists can be started");
            let given = Given { side: start.to_move(), seed: None, draw: Seed::new(1), clock: None };
            seat.begin(game, &[], given)?;
            let choice = seat.choose(&*start, 0, Seed::new(1), None, &AtomicBool::new(false))?;
            let (engine, seconds) = (seat.engine(), seat.used());
            seat.leave();
            let first_move = match choice {
                Choice::Move { mv, .. } => Some(start.move_text(mv)),
                Choice::Illegal(text) => {
                    let message = format!("its first move on {game}, {text}, is not legal");
                    return Err(Fault { kind: String::new(), message, stderr: String::new() });
                }
                Choice::Resign | Choice::Late => None,
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
