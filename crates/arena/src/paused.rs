//! Games that were begun and are not over: what is needed to continue them later, perhaps on
//! another machine.
//!
//! A search is made as a whole, so a game is always paused between two searches. It continues as
//! it would have without the pause, and its record is the same.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::minds::Minds;
use crate::record::Address;

/// A game that was begun and is not over. As text it is one line of JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PausedGame {
    /// The address of the game.
    pub address: Address,
    /// The number of moves of the opening.
    pub opening: u32,
    /// The moves so far, the opening included, separated by blanks. Attempts that the referee
    /// refused begin with [`REFUSED`](crate::record::REFUSED).
    pub moves: String,
    /// The number of moves so far, without refused attempts.
    pub plies: u32,
    /// How often all attempts of the side to move were refused in this turn.
    pub refusals: u64,
    /// The number of samples of the player and of its opponent so far.
    pub samples: [u64; 2],
    /// The samples that the player and its opponent saved for their next moves.
    pub carried: [u64; 2],
    /// What both expect of the game.
    pub minds: Minds,
    /// What searches said of the moves so far; empty if that is not recorded. If there is any, that
    /// of the other moves is recorded too, whatever the settings of the next run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<u8>,
    /// When the game began, in seconds since 1970.
    pub began: u64,
    /// The seconds for which the game was played, without pauses.
    pub seconds: f64,
    /// The seconds of CPU time that the player and its opponent used.
    pub used: [f64; 2],
}

/// A paused game cannot be continued.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PausedGameError {
    /// The text is not a paused game.
    #[error("a paused game cannot be read: {0}")]
    Text(String),
    /// Its moves cannot be played in the game of its address.
    #[error("the paused game {id} cannot be continued: {reason}")]
    Moves {
        /// The id of the game.
        id: String,
        /// What is wrong with its moves.
        reason: String,
    },
}

impl PausedGame {
    /// The game as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts and finite numbers are JSON")
    }

    /// Reads what [`to_json`](PausedGame::to_json) wrote.
    pub fn from_json(text: &str) -> Result<PausedGame, PausedGameError> {
        serde_json::from_str(text).map_err(|error| PausedGameError::Text(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::Seed;

    use super::*;

    #[test]
    fn a_text_reads_back_as_the_game() {
        let address = Address { experiment: Seed::new(7), cell: "a: b".to_owned(), index: 3 };
        let game = PausedGame {
            address,
            opening: 1,
            moves: "a1 ?b2 c3".to_owned(),
            plies: 2,
            refusals: 1,
            samples: [u64::MAX, 1],
            carried: [0, 7],
            minds: Minds::default(),
            policies: vec![1, 0, 0],
            began: 1_700_000_000,
            seconds: 0.1,
            used: [0.2, 1.0 / 3.0],
        };
        let text = game.to_json();
        assert!(!text.contains('\n'));
        assert_eq!(PausedGame::from_json(&text), Ok(game));
        let error = PausedGame::from_json("{}").unwrap_err().to_string();
        assert!(error.starts_with("a paused game cannot be read: missing field"), "{error}");
    }
}
