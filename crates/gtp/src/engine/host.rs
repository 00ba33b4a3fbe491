//! What the protocol asks of whoever plays: a board, a player and a clock.
//!
//! The answering half reads commands, checks their form and writes answers; what they
//! mean for a game is the host's matter. Moves are texts as the game writes them, `e5`,
//! `pass` or `a2-a3`; how they look on the wire is the protocol's.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tesuji_core::{Outcome, Purpose, Round, Side, Standing, TimeControl, TimeLeft};
use thiserror::Error;

use crate::Answer;

/// Why a command fails: what stands after the question mark.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct Failure(String);

impl Failure {
    /// A failure, in words. Where the specification has words for it, these come first.
    pub fn new(words: impl Into<String>) -> Failure {
        Failure(words.into())
    }
}

/// Whoever plays. Where a method fails, nothing has changed.
pub trait Host {
    // Who it is.

    /// The program's name.
    fn name(&self) -> String;

    /// Its version.
    fn version(&self) -> String;

    /// In one to several lines: what plays, with which budget and seed.
    fn description(&self) -> String;

    // The board.

    /// What is played, where it stands, and what may be done.
    fn position(&self) -> Position;

    /// Takes an empty board of another size. Komi, clock and parameters stay.
    fn set_board(&mut self, width: usize, height: usize) -> Result<(), Failure>;

    /// Begins a new game on the same board.
    fn clear(&mut self);

    /// White's compensation; `None` in a game without.
    fn komi(&self) -> Option<f64>;

    /// Sets it. The moves played stay.
    fn set_komi(&mut self, komi: f64) -> Result<(), Failure>;

    /// Plays a move, where the game allows it also out of turn.
    fn play(&mut self, side: Side, mv: &str) -> Result<(), Failure>;

    /// Takes back so many moves.
    fn undo(&mut self, moves: u32) -> Result<(), Failure>;

    /// Places handicap stones on an empty board, and says where.
    fn place_handicap(&mut self, stones: u32, kind: Handicap) -> Result<Vec<String>, Failure>;

    /// Places handicap stones on an empty board as the controller wants them.
    fn set_handicap(&mut self, points: &[String]) -> Result<(), Failure>;

    /// Takes over the main line of a game record, up to the position before this move
    /// (counted from 1) or to its end, and says who is to move.
    fn load(&mut self, sgf: &str, before: Option<u32>) -> Result<Side, Failure>;

    // The clock.

    /// The time of a game. Both clocks begin anew.
    fn set_time(&mut self, control: TimeControl);

    /// What is left to a side.
    fn set_time_left(&mut self, side: Side, left: TimeLeft);

    /// The CPU time used since the beginning.
    fn cpu_time(&self) -> Duration;

    // Thinking. Whoever sets `interrupt` wants an end at once; the best move so far counts.

    /// Chooses a move for a side, and plays it where `thinking` says so.
    fn choose(
        &mut self,
        side: Side,
        thinking: Thinking,
        watcher: &mut dyn Watcher,
        interrupt: &AtomicBool,
    ) -> Result<Answer, Failure>;

    /// Looks at the position as if `side` were to move, until interrupted or at its wits'
    /// end. Plays nothing.
    fn analyze(
        &mut self,
        side: Side,
        every: Duration,
        watcher: &mut dyn Watcher,
        interrupt: &AtomicBool,
    ) -> Result<(), Failure>;

    /// Whether a side can be thought for: where it can, neither [`choose`](Host::choose) nor
    /// [`analyze`](Host::analyze) fails.
    fn check_turn(&self, side: Side) -> Result<(), Failure>;

    /// Forgets what was found in earlier searches; the board stays.
    fn forget(&mut self);

    /// Whether it would like to think while nobody asks it anything.
    fn wants_to_ponder(&self) -> bool;

    /// Does so until interrupted, or until it has enough.
    fn ponder(&mut self, interrupt: &AtomicBool);

    // What it thinks of the position, and of its last move.

    /// The score, as `B+3.5`, `W+R` or `0`.
    fn final_score(&mut self) -> Result<String, Failure>;

    /// The chains of this status, each the list of its points.
    fn final_status(&mut self, status: Status) -> Result<Vec<Vec<String>>, Failure>;

    /// Whose each point will be, from 1 (surely Black's) to -1 (surely White's): rows from
    /// the highest number down, each from column a on.
    fn ownership(&mut self) -> Result<Vec<Vec<f64>>, Failure>;

    /// In words: why the last move was chosen.
    fn explanation(&self) -> Result<String, Failure>;

    /// The halving rounds of the last search as JSON in one line.
    fn rounds_json(&self) -> Result<String, Failure>;

    /// The halving rounds of the last search, and the moves that its arms are.
    fn rounds(&self) -> Option<(&[Round], &[String])>;

    // What can be set.

    /// All that can be set, with its value now.
    fn parameters(&self) -> Vec<Parameter>;

    /// Sets one.
    fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), Failure>;
}

/// What is played and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Position {
    /// The game's name as people write it, such as `Hex`: a capital, then small letters.
    pub game: String,
    /// Pieces: rows from the highest number down, each from column a on.
    pub rows: Vec<Vec<Option<Side>>>,
    /// Whether the names of columns leave the letter i out, as in Go.
    pub skips_i: bool,
    /// Whose turn it is.
    pub to_move: Side,
    /// What it may play; nothing once the game is over.
    pub moves: Vec<String>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// By how many points Black won, where points were counted.
    pub margin: Option<f64>,
    /// For people, in several lines.
    pub drawing: String,
}

/// Where handicap stones go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Handicap {
    /// To the star points of the specification.
    Fixed,
    /// Where the host likes.
    Free,
}

/// What a status list is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Stones that stay.
    Alive,
    /// Stones that will be taken.
    Dead,
    /// Stones that stay since nobody can take them and nobody has eyes.
    Seki,
    /// Empty or dead points that are White's.
    WhiteTerritory,
    /// Empty or dead points that are Black's.
    BlackTerritory,
    /// Points that are nobody's.
    Dame,
}

/// How a move is to be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thinking {
    /// What is asked for.
    pub purpose: Purpose,
    /// How often the watcher wants to hear of the moves; `None`: never.
    pub every: Option<Duration>,
}

/// Hears what the host thinks while it does.
pub trait Watcher {
    /// A halving round has ended. `moves` are what the arms are.
    fn round(&mut self, index: usize, round: &Round, moves: &[String]);

    /// How the moves stand.
    fn standing(&mut self, standing: &Standing);
}

/// Something that can be set.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Its name: small letters and hyphens.
    pub name: &'static str,
    /// What it means, in a few words.
    pub meaning: &'static str,
    /// What it may be.
    pub kind: ParameterKind,
    /// What it is.
    pub value: String,
}

/// What a parameter may be.
#[derive(Clone, PartialEq, Debug)]
pub enum ParameterKind {
    /// `1` or `0`; `on`, `off`, `true` and `false` are understood too.
    Switch,
    /// One of these.
    Choice(&'static [&'static str]),
    /// Any text that the host understands.
    Text,
}
