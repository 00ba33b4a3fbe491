//! What can be wrong with what a session is asked to do.

use tesuji_catalog::{PlayerError, SpecError};
use tesuji_core::{Outcome, ParseMoveError, Side};
use tesuji_search::{NetworkFailure, SteeringError};
use thiserror::Error;

/// Why a session refuses something. Nothing has changed then.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SessionError {
    /// The text is no legal move.
    #[error(transparent)]
    Move(#[from] ParseMoveError),
    /// The other side is to move, and the game knows no passing.
    #[error("it is {to_move}'s turn, and {game} allows no passes")]
    Turn {
        /// The game.
        game: String,
        /// Whose turn it is.
        to_move: Side,
    },
    /// The referee of a phantom game says no.
    #[error("the referee refuses {0}")]
    Refused(String),
    /// The game is over.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// More moves were to be taken back than were played.
    #[error("cannot take back {}: {}", counted(*.asked), moves_played(*.there))]
    NothingToUndo {
        /// How many were to be taken back.
        asked: u32,
        /// How many there are.
        there: usize,
    },
    /// No move is left that may be chosen.
    #[error(transparent)]
    Steering(#[from] SteeringError),
    /// The game is not played so.
    #[error(transparent)]
    Game(#[from] SpecError),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// Handicap stones do not go there.
    #[error("{0}")]
    Handicap(String),
    /// The game record is not understood, or not of this game.
    #[error("{0}")]
    Record(String),
    /// Nobody counts points in this game, or not yet.
    #[error("{0}")]
    Score(String),
    /// No move has been thought about.
    #[error("no move has been chosen yet")]
    NoThought,
    /// The player's network failed.
    #[error(transparent)]
    Network(#[from] NetworkFailure),
    /// A setting has no such value.
    #[error("{0}")]
    Setting(String),
}

/// How many moves were played, as the end of a sentence that says that they are too few.
pub fn moves_played(there: usize) -> String {
    match there {
        0 => "no move has been played".to_owned(),
        1 => "only 1 move has been played".to_owned(),
        there => format!("only {there} moves have been played"),
    }
}

fn counted(moves: u32) -> String {
    if moves == 1 { "a move".to_owned() } else { format!("{moves} moves") }
}
