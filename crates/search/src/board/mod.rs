//! A game on the table, whoever plays: an object-safe face over
//! [`Game`](tesuji_core::Game) and over phantom games with their
//! [`Referee`](tesuji_core::Referee).
//!
//! A board is the referee's. Players are shown its [`sight`](Board::sight), which is no
//! board: of a phantom game it has what the side to move knows and nothing else.

mod open;
mod phantom;
mod tally;

pub use open::OpenBoard;
pub use phantom::PhantomBoard;
pub use tally::{Recording, Tally};

use std::ops::ControlFlow;

use tesuji_core::{
    MoveId, Outcome, ParseMoveError, ParsePositionError, PerftProgress, Rng, Seed, Side, Symmetry,
};

use crate::{Limits, Player, Report, Sight, SightRef};

/// A position of some game, for whoever referees, shows or measures it.
///
/// Moves are numbers ([`MoveId`]) that the position gave out itself: in
/// [`moves`](Board::moves), by [`parse_move`](Board::parse_move), or to a player through
/// its [`sight`](Board::sight). Whatever is called often, such as a playout, belongs inside
/// one call.
pub trait Board: Send + Sync {
    /// Returns a copy.
    fn boxed_clone(&self) -> Box<dyn Board>;

    /// Returns what a player on the side to move is shown.
    fn sight(&self) -> SightRef<'_>;

    /// Returns the side whose turn it is.
    fn to_move(&self) -> Side;

    /// Returns how the game ended, or `None` if it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// By how many points Black has won, see [`Game::margin`](tesuji_core::Game::margin).
    fn margin(&self) -> Option<f64>;

    /// Returns the number of [`moves`](Board::moves).
    fn n_moves(&self) -> u64;

    /// Returns the legal moves in the game's order. Of a phantom game: what the side to move
    /// may try as far as it knows, the last resort last.
    fn moves(&self) -> Vec<MoveId>;

    /// Returns the moves worth searching, in the order in which searches number them.
    fn search_moves(&self) -> Vec<MoveId>;

    /// Returns the move's text.
    fn move_text(&self, mv: MoveId) -> String;

    /// Reads a move's text: a move that may be tried, or an error that says what is wrong.
    fn parse_move(&self, text: &str) -> Result<MoveId, ParseMoveError>;

    /// Plays a move that may be tried here. If the enemy is hidden, the referee may refuse
    /// it, and the same side tries another.
    fn attempt(&mut self, mv: MoveId) -> Attempt;

    /// Returns what a side sees, drawn for a terminal; `None` if that is the whole position.
    fn seen_by(&self, _side: Side) -> Option<String> {
        None
    }

    /// Whose piece a side takes to stand on a cell: if the enemy is hidden that is what
    /// its view has, otherwise what [`piece_at`](Board::piece_at) says.
    fn known_at(&self, _side: Side, x: usize, y: usize) -> Option<Side> {
        self.piece_at(x, y)
    }

    /// Returns a position that a side may take for the real one, drawn as its searches draw
    /// them; `None` if it sees the real one.
    fn imagined(&self, _side: Side, _rng: &mut Rng) -> Option<Box<dyn Board>> {
        None
    }

    /// Returns what a side sees when it is to move again, if it has played `own` moves from
    /// here and nothing has happened to it: none was refused, and it heard of no capture.
    /// `None` if the game shows the enemy's moves and some must have been played.
    fn quiet_sight(&self, side: Side, own: &[MoveId]) -> Option<Box<dyn Sight>>;

    /// Returns the symmetries of the board that keep the rules and leave this position as it
    /// is, the identity first.
    fn symmetries(&self) -> Vec<Symmetry>;

    /// Plays one of the moves worth searching, each equally likely, and returns its text;
    /// `None` if the game is over.
    fn play_at_random(&mut self, rng: &mut Rng) -> Option<String>;

    /// Returns the position with this side to move, see
    /// [`Game::with_to_move`](tesuji_core::Game::with_to_move).
    fn with_to_move(&self, _side: Side) -> Option<Box<dyn Board>> {
        None
    }

    /// Returns the position at the end of a random game from here: the same games as playouts
    /// play, but slower. One that does not end in `most_moves` moves is left there.
    fn played_out(&self, rng: &mut Rng, most_moves: u32) -> Box<dyn Board>;

    /// Goes to a position given as text.
    fn set_position(&mut self, text: &str) -> Result<(), ParsePositionError>;

    /// Returns the position as one line of text; `None` if the game has no such form.
    fn position_text(&self) -> Option<String>;

    /// Whose piece stands on a cell, see [`Game::piece_at`](tesuji_core::Game::piece_at).
    fn piece_at(&self, x: usize, y: usize) -> Option<Side>;

    /// Returns the position drawn for a terminal.
    fn drawing(&self) -> String;

    /// Returns the number of legal move sequences of exactly `depth` plies.
    fn perft(&self, depth: u32) -> u64;

    /// Counts as [`perft`](Board::perft) does, unless `watch`, which is called now and then,
    /// breaks off: see [`perft_watched`](tesuji_core::perft_watched).
    fn perft_watched(
        &self,
        depth: u32,
        watch: &mut dyn FnMut(PerftProgress) -> ControlFlow<()>,
    ) -> Option<u64>;

    /// Returns the number of legal move sequences of exactly `depth` plies, at least 1, for
    /// each first move.
    fn divide(&self, depth: u32) -> Vec<(MoveId, u64)>;

    /// Plays `n` playouts from here and adds up how they ended.
    fn playouts(&self, n: u64, rng: &mut Rng, recording: Recording) -> Tally;
}

impl dyn Board + '_ {
    /// Plays the move with this text, and returns the text as the game writes it. A move
    /// that the referee of a phantom game refuses is an error here.
    pub fn play(&mut self, text: &str) -> Result<String, ParseMoveError> {
        let tried = self.attempt_text(text)?;
        match tried.attempt {
            Attempt::Stands { .. } => Ok(tried.text),
            Attempt::Refused => Err(ParseMoveError::new(text, "the referee refuses it")),
        }
    }

    /// Tries the move with this text; an error if it names no move that may be tried.
    pub fn attempt_text(&mut self, text: &str) -> Result<Tried, ParseMoveError> {
        let mv = self.parse_move(text)?;
        // Before it is played: what a move is called may depend on whose turn it is.
        let text = self.move_text(mv);
        Ok(Tried { text, attempt: self.attempt(mv) })
    }

    /// Returns a report on this position with texts for moves, for people to read.
    pub fn in_words(&self, report: Report) -> Report<String> {
        report.map(|mv| self.move_text(mv))
    }

    /// Returns the texts of the legal moves, in the game's order.
    pub fn legal_texts(&self) -> Vec<String> {
        self.move_texts(&self.moves())
    }

    /// Returns the texts of the moves worth searching, in the order of a search's arms.
    pub fn arm_texts(&self) -> Vec<String> {
        self.move_texts(&self.search_moves())
    }

    /// Returns the texts of some moves.
    pub fn move_texts(&self, moves: &[MoveId]) -> Vec<String> {
        moves.iter().map(|&mv| self.move_text(mv)).collect()
    }
}

/// What came of trying a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// It is played.
    Stands {
        /// What both sides are told that it did.
        news: Option<String>,
    },
    /// The referee says that it is not legal: the same side tries another.
    Refused,
}

/// A move that was tried, and what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// The move's text, as the game writes it.
    pub text: String,
    /// Whether it stands.
    pub attempt: Attempt,
}

/// Returns the first moves of a side as long as nothing happens to it: none of its attempts
/// is refused, and it hears of no capture. `search_at` returns the limits and the seed of the
/// search at a ply. In a game that shows the enemy's moves that is the first move of all, if it is
/// this side's.
pub fn quiet_opening(
    player: &mut dyn Player,
    start: &dyn Board,
    side: Side,
    moves: usize,
    search_at: &dyn Fn(u64) -> (Limits<'static>, Seed),
) -> Vec<MoveId> {
    let mut played = Vec::new();
    let first_ply = u64::from(side != start.to_move());
    while played.len() < moves
        && let Some(sight) = start.quiet_sight(side, &played)
        && let (limits, seed) = search_at(first_ply + 2 * played.len() as u64)
        && let Some(mv) = player.search(&*sight, &limits, seed, None).mv()
    {
        played.push(mv);
    }
    played
}
