//! What can be wrong with a spec: one sentence that names the wrong word and
//! says what is allowed.

use tesuji_core::spec::CallError;
use tesuji_games::SizeError;
use thiserror::Error;

/// The text is no spec of a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// Nothing has this name.
    #[error("'{word}' is not a game: {games}")]
    UnknownGame {
        /// The name as given.
        word: String,
        /// The games that may have been meant, or all games.
        games: String,
    },
    /// Brackets or commas are not where they belong.
    #[error("'{text}' is not a game: {reason}")]
    Form {
        /// The spec as given.
        text: String,
        /// What is wrong, and what it should look like.
        reason: String,
    },
    /// The board is too small, too large, or no number.
    #[error("{game} is not played on size '{word}': {allowed}")]
    UnknownSize {
        /// The game's name.
        game: &'static str,
        /// The size as given.
        word: String,
        /// The sizes there are.
        allowed: String,
    },
    /// The options are not those of the game, or have other values than it allows.
    #[error(transparent)]
    Options(CallError),
    /// The player cannot play the game.
    #[error("this player does not play {game}: {reason}")]
    Player {
        /// The game.
        game: String,
        /// Why not, and who does.
        reason: String,
    },
    /// The game itself refuses the board.
    #[error(transparent)]
    Size(#[from] SizeError),
}
