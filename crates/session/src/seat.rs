//! Who sits at a board: a player, or an external engine that runs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use tesuji_catalog::{GameSpec, PlayerSpec, SpecError};
use tesuji_core::{MoveId, Seed, Side, Symmetry, TimeControl, TimeLeft};
use tesuji_gtp::{Answer, Controller, EngineError, Timeouts};
use tesuji_search::{ArmReport, Board, Budget, Event, Limits, Player, Report, Standing, TurnedPlayer, Watch};
use thiserror::Error;

use crate::book::Book;
use crate::contestant::{CannotPlay, Contestant};
use crate::outlook::Outlook;
use crate::think::expects;

/// What a contestant says when it is to move.
pub enum SeatChoice {
    /// A move, and the ones to try next if it is refused.
    Move {
        /// The move.
        mv: MoveId,
        /// The moves to try next, best first.
        others: Vec<MoveId>,
        /// The samples behind it.
        samples: u64,
        /// The samples that it saves for its next move.
        carried: u64,
        /// The reward that the contestant expects, if it says so.
        expects: Option<f64>,
        /// What its search said of each move worth searching, in their order; empty without a
        /// search, and if the enemy is hidden.
        shares: Vec<MoveShare>,
    },
    /// Something that is no legal move, as it was written.
    Illegal(String),
    /// It gives up.
    Resign,
    /// It is not done within the time that it was given.
    Late,
}

impl SeatChoice {
    /// The choice of one of our players that searched what it sees of a board.
    ///
    /// # Panics
    /// If the report has no move: the game is over.
    pub fn of_report(board: &dyn Board, report: &Report) -> SeatChoice {
        let arm = &report.arms[report.chosen.expect("a game that goes on has a move")];
        // If the enemy is seen, no move of a player is refused.
        let ranking = if board.sight().hides_pieces() { report.ranking() } else { Vec::new() };
        SeatChoice::Move {
            mv: arm.mv,
            others: ranking.iter().skip(1).map(|&arm| report.arms[arm].mv).collect(),
            samples: report.spent,
            carried: report.carried,
            expects: expects(arm, board.to_move()),
            shares: if ranking.is_empty() { shares(board, report) } else { Vec::new() },
        }
    }

    fn of_engine(board: &dyn Board, text: String) -> SeatChoice {
        match board.parse_move(&text) {
            Ok(mv) => {
                let (others, shares) = (Vec::new(), Vec::new());
                SeatChoice::Move { mv, others, samples: 0, carried: 0, expects: None, shares }
            }
            Err(_) => SeatChoice::Illegal(text),
        }
    }
}

/// What a search said of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveShare {
    /// Its probability under the policy to learn from: the improved policy of the search if it has
    /// one, else the share of the visits.
    pub share: f32,
    /// The mean reward of the mover; `None` without visits.
    pub mean: Option<f32>,
}

/// What a search said of all moves worth searching on a board; empty if it took no samples.
fn shares(board: &dyn Board, report: &Report) -> Vec<MoveShare> {
    let visits = report.visits();
    let is_policy = report.arms.iter().all(|arm| arm.policy.is_some());
    if visits == 0 && !is_policy {
        return Vec::new();
    }
    let share = |arm: &ArmReport| MoveShare {
        share: arm.policy.unwrap_or(arm.visits as f64 / visits.max(1) as f64) as f32,
        mean: arm.mean.map(|mean| mean as f32),
    };
    let none = MoveShare { share: 0.0, mean: None };
    let moves = board.sight().search_moves();
    let mut shares = vec![none; moves.len()];
    for (at, arm) in report.arms.iter().enumerate() {
        // A player that sees the board turned lists its moves in another order.
        let same = moves.get(at).is_some_and(|&mv| mv == arm.mv).then_some(at);
        if let Some(place) = same.or_else(|| moves.iter().position(|&mv| mv == arm.mv)) {
            shares[place] = share(arm);
        }
    }
    shares
}

/// What a contestant is told at the beginning of a game.
#[derive(Clone, Copy)]
pub struct SeatStart {
    /// The side it plays.
    pub side: Side,
    /// The seed of the whole game. A book draws from it.
    pub game_seed: Seed,
    /// The seed to play by, if that is not the game's.
    pub own_seed: Option<Seed>,
    /// The time of its game, if that is limited.
    pub clock: Option<TimeControl>,
    /// The samples that it saved in earlier moves: 0 unless it continues a game.
    pub carried: u64,
}

/// A contestant did not do its part, so the game comes to nothing.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("{message}")]
pub struct SeatFault {
    /// What went wrong, in a word or two.
    pub kind: String,
    /// What went wrong, in a sentence.
    pub message: String,
    /// What an engine wrote to its standard error.
    pub stderr: String,
}

impl SeatFault {
    /// The kind of the fault of an engine that could not be started.
    pub const NOT_STARTED: &'static str = EngineError::NOT_STARTED;
}

/// A player at a board, with what it remembers of the game.
pub struct PlayerSeat {
    spec: PlayerSpec,
    player: TurnedPlayer,
    /// The book that it draws its seed from.
    book: Option<Arc<Book>>,
    outlook: Outlook,
    cpu_seconds: f64,
}

/// What a search said that chose a move.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchedMove {
    /// The report.
    pub report: Report<String>,
    /// The last standing, which has the lines that the search expected. `None` if the player takes no
    /// samples or sees the board through a symmetry.
    pub standing: Option<Standing>,
}

/// A day: who watches a search for its end alone is told seldom before.
const SELDOM: Duration = Duration::from_secs(24 * 60 * 60);

/// Players that take no samples are given a budget all the same, which they do not look at.
const ANY: Budget = Budget::Samples(1);

impl PlayerSeat {
    /// Seats a player for a game of this kind.
    pub fn new(spec: &PlayerSpec, game: &GameSpec) -> Result<PlayerSeat, SpecError> {
        let player = TurnedPlayer::new(game.player(spec.config())?, Symmetry::IDENTITY);
        let outlook = Outlook::default();
        Ok(PlayerSeat { spec: spec.clone(), player, book: None, outlook, cpu_seconds: 0.0 })
    }

    /// Who sits here.
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    /// The player.
    pub fn player(&mut self) -> &mut dyn Player {
        &mut self.player
    }

    /// Begins a game: forgets the last one, and draws a seed and a symmetry from the book.
    pub fn begin(&mut self, game: &GameSpec, start: SeatStart) {
        self.forget();
        self.player.set_carried(start.carried);
        self.cpu_seconds = 0.0;
        self.outlook = match &self.book {
            Some(book) => Outlook::drawn(book, game, start),
            None => Outlook { own_seed: start.own_seed, symmetry: self.player.symmetry() },
        };
        self.player.turn(self.outlook.symmetry);
    }

    /// The random stream for a move at this ply: the seat's own, or else `seed`.
    pub(crate) fn seed(&self, side: Side, ply: u64, seed: Seed) -> Seed {
        self.outlook.seed(side, ply, seed)
    }

    /// Forgets what was found in earlier searches.
    pub fn forget(&mut self) {
        self.player.forget();
    }

    /// Chooses a move for the side to move, within its budget.
    fn choose(&mut self, board: &dyn Board, ply: u64, seed: Seed, cancel: &AtomicBool) -> SeatChoice {
        let clock = ThreadTime::now();
        let report = self.search(board, ply, seed, cancel, None);
        self.cpu_seconds += clock.elapsed().as_secs_f64();
        SeatChoice::of_report(board, &report)
    }

    fn search(
        &mut self,
        board: &dyn Board,
        ply: u64,
        seed: Seed,
        cancel: &AtomicBool,
        watch: Option<&mut dyn Watch>,
    ) -> Report {
        let budget = self.spec.budget_at(ply).unwrap_or(ANY);
        let every = watch.is_some().then_some(SELDOM);
        let limits = Limits { cancel: Some(cancel), every, ..Limits::of(budget) };
        let seed = self.seed(board.to_move(), ply, seed);
        self.player.search(&*board.sight(), &limits, seed, watch)
    }

    /// Chooses a move as in a game, and returns what the search said of all moves. The choice is the
    /// same as if nobody watched.
    pub fn choose_watched(
        &mut self,
        board: &dyn Board,
        ply: u64,
        seed: Seed,
        cancel: &AtomicBool,
    ) -> (SeatChoice, SearchedMove) {
        let mut standing = None;
        // Through a symmetry, lines are those of another board.
        let is_turned = self.player.symmetry() != Symmetry::IDENTITY;
        let moves = board.arm_texts();
        let mut watch = |event: Event<'_>| {
            if let (false, Some(now)) = (is_turned, Standing::at(event, &moves)) {
                standing = Some(now);
            }
        };
        let report = self.search(board, ply, seed, cancel, Some(&mut watch));
        let choice = SeatChoice::of_report(board, &report);
        (choice, SearchedMove { report: board.in_words(report), standing })
    }
}

/// One of the two at a board: a player, or an external engine that runs.
pub enum Seat {
    /// A player.
    Player(Box<PlayerSeat>),
    /// An external engine.
    Engine(EngineSeat),
}

/// An external engine at a board.
pub struct EngineSeat {
    controller: Box<Controller>,
    seconds: f64,
}

impl EngineSeat {
    /// Has the engine do something; what it did wrong comes with what it wrote to its
    /// standard error.
    fn ask<T>(
        &mut self,
        ask: impl FnOnce(&mut Controller) -> Result<T, EngineError>,
    ) -> Result<T, SeatFault> {
        ask(&mut self.controller).map_err(|error| fault(&error, self.controller.stderr()))
    }

    fn choose(
        &mut self,
        board: &dyn Board,
        patience: Option<Duration>,
        cancel: &AtomicBool,
    ) -> Result<SeatChoice, SeatFault> {
        let clock = Instant::now();
        let side = board.to_move();
        let answer = match patience {
            Some(patience) => self.controller.genmove_within(side, patience, Some(cancel)),
            None => self.controller.genmove_unless(side, Some(cancel)),
        };
        self.seconds += clock.elapsed().as_secs_f64();
        if patience.is_some() && matches!(answer, Err(EngineError::Hung { .. })) {
            return Ok(SeatChoice::Late);
        }
        Ok(match self.ask(|_| answer)? {
            Answer::Move(text) => SeatChoice::of_engine(board, text),
            Answer::Pass => SeatChoice::of_engine(board, "pass".to_owned()),
            Answer::Resign => SeatChoice::Resign,
        })
    }
}

impl Seat {
    /// Seats a contestant for a game of this kind. An engine is started.
    pub fn new(contestant: &Contestant, game: &GameSpec, timeouts: Timeouts) -> Result<Seat, SeatFault> {
        if let Contestant::Engine(command) = contestant {
            let started = Controller::start(command, timeouts);
            let controller = Box::new(started.map_err(|error| fault(&error, String::new()))?);
            return Ok(Seat::Engine(EngineSeat { controller, seconds: 0.0 }));
        }
        // Everything else was checked with the game.
        let gone = |error: CannotPlay| SeatFault {
            kind: "no portfolio".to_owned(),
            message: error.to_string(),
            stderr: String::new(),
        };
        contestant.seat(game).map(|seat| Seat::Player(Box::new(seat))).map_err(gone)
    }

    /// Begins a game: forgets the last one, and hears the opening.
    pub fn begin(
        &mut self,
        game: &GameSpec,
        opening: &[(Side, String)],
        start: SeatStart,
    ) -> Result<(), SeatFault> {
        match self {
            Seat::Player(seat) => seat.begin(game, start),
            Seat::Engine(seat) => {
                seat.seconds = 0.0;
                let has_komi = game.info().options.iter().any(|option| option.name == "komi");
                let komi = has_komi.then(|| game.number("komi"));
                seat.ask(|controller| {
                    controller.new_game(game.board().0, komi)?;
                    start.clock.map_or(Ok(()), |clock| controller.set_time(clock))?;
                    opening.iter().try_for_each(|(side, mv)| controller.play(*side, mv))
                })?;
            }
        }
        Ok(())
    }

    /// Hears what is left on its clock. Players have their budgets instead.
    pub fn hear_time(&mut self, side: Side, left: TimeLeft) -> Result<(), SeatFault> {
        match self {
            Seat::Player(_) => Ok(()),
            Seat::Engine(seat) => seat.ask(|controller| controller.set_time_left(side, left)),
        }
    }

    /// Chooses a move for the side to move. If an engine's time is limited, `patience` is
    /// how long it is waited for, and then it is late and no longer hung.
    pub fn choose(
        &mut self,
        board: &dyn Board,
        ply: u64,
        seed: Seed,
        patience: Option<Duration>,
        cancel: &AtomicBool,
    ) -> Result<SeatChoice, SeatFault> {
        match self {
            Seat::Player(seat) => Ok(seat.choose(board, ply, seed, cancel)),
            Seat::Engine(seat) => seat.choose(board, patience, cancel),
        }
    }

    /// Hears of the other one's move. Players see the position when they are asked.
    pub fn hear(&mut self, side: Side, mv: &str) -> Result<(), SeatFault> {
        match self {
            Seat::Player(_) => Ok(()),
            Seat::Engine(seat) => seat.ask(|controller| controller.play(side, mv)),
        }
    }

    /// Seconds used in this game: of CPU time by a player, by the clock for an engine.
    pub fn used(&self) -> f64 {
        match self {
            Seat::Player(seat) => seat.cpu_seconds,
            Seat::Engine(seat) => seat.seconds,
        }
    }

    /// An engine's name and version; empty for a player.
    pub fn engine(&self) -> String {
        match self {
            Seat::Player(_) => String::new(),
            Seat::Engine(seat) => {
                format!("{} {}", seat.controller.name(), seat.controller.version()).trim().to_owned()
            }
        }
    }

    /// The score that an engine gives the game, which is over; empty if it gives none,
    /// whatever the reason: the game stands by our own count.
    pub fn score(&mut self) -> String {
        match self {
            Seat::Player(_) => String::new(),
            Seat::Engine(seat) => seat.controller.final_score().ok().flatten().unwrap_or_default(),
        }
    }

    /// Whether it can play another game: an engine that is gone cannot.
    pub fn can_go_on(&self) -> bool {
        match self {
            Seat::Player(_) => true,
            Seat::Engine(seat) => !seat.controller.has_ended(),
        }
    }

    /// Leaves the board. An engine is asked to end, and then made to.
    pub fn leave(self) {
        if let Seat::Engine(seat) = self {
            seat.controller.quit();
        }
    }
}

/// What a contestant did when it was tried out.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// An engine's name and version; empty for a player.
    pub engine: String,
    /// Its first move; `None` if it resigns at once.
    pub first_move: Option<String>,
    /// What that took, in seconds.
    pub seconds: f64,
}

impl Contestant {
    /// Seats it at a board. Engines have [`Seat::new`], since they are started.
    pub fn seat(&self, game: &GameSpec) -> Result<PlayerSeat, CannotPlay> {
        let seat = |spec: &PlayerSpec| PlayerSeat::new(spec, game);
        match self {
            Contestant::Player(spec) => Ok(seat(spec)?),
            Contestant::Turned(_, spec) => {
                let mut seat = seat(spec)?;
                seat.player.turn(self.symmetry(game)?);
                Ok(seat)
            }
            Contestant::Portfolio(portfolio) => {
                let book = portfolio.book()?;
                Ok(PlayerSeat { book: Some(Arc::clone(book)), ..seat(&book.player())? })
            }
            Contestant::Engine(_) => Err(CannotPlay::NotStarted { contestant: self.to_string() }),
        }
    }

    /// Starts it and has it make a first move.
    pub fn try_out(&self, game: &GameSpec, genmove: Option<Duration>) -> Result<Trial, SeatFault> {
        let mut seat = Seat::new(self, game, timeouts(genmove))?;
        let board = game.start().expect("a spec that exists can be started");
        let seed = Seed::new(1);
        let start =
            SeatStart { side: board.to_move(), game_seed: seed, own_seed: None, clock: None, carried: 0 };
        seat.begin(game, &[], start)?;
        let choice = seat.choose(&*board, 0, seed, None, &AtomicBool::new(false))?;
        let (engine, seconds) = (seat.engine(), seat.used());
        seat.leave();
        let first_move = match choice {
            SeatChoice::Move { mv, .. } => Some(board.move_text(mv)),
            SeatChoice::Illegal(text) => {
                let message = format!("its first move on {game}, {text}, is not legal");
                return Err(SeatFault { kind: String::new(), message, stderr: String::new() });
            }
            SeatChoice::Resign | SeatChoice::Late => None,
        };
        Ok(Trial { engine, first_move, seconds })
    }
}

fn fault(error: &EngineError, stderr: String) -> SeatFault {
    SeatFault { kind: error.kind().to_owned(), message: error.to_string(), stderr }
}

/// How long engines may take, given how long a move may.
pub fn timeouts(genmove: Option<Duration>) -> Timeouts {
    let usual = Timeouts::default();
    Timeouts { genmove: genmove.unwrap_or(usual.genmove), ..usual }
}
