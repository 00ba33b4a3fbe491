//! The records of games that a store keeps. A new field belongs here and in the schema
//! (`store/schema.rs`), and raises the version of the schema.
//!
//! A [`Game`] is a function of its address, the same to the byte wherever and whenever it is
//! played. Clocks, builds and versions of engines are in its [`Circumstances`].
//!
//! Records are sent from one process to another as JSON, with the words of the store: sides are
//! `"black"` and `"white"`, an outcome is the winner or `null`, addresses are 32 digits. Numbers
//! are exact to the bit.

use std::fmt;

use serde::{Deserialize, Serialize};
use tesuji_core::{Outcome, Seed, Side};
use thiserror::Error;

/// The address of a game, by which everything about it is found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Address {
    /// The address of the experiment.
    #[serde(with = "seed_digits")]
    pub experiment: Seed,
    /// The key of the cell.
    pub cell: String,
    /// The index of the game in its cell.
    pub index: u64,
}

impl Address {
    /// The id of the game, for people to type.
    pub fn id(&self) -> String {
        format!("{}-{}", cell_id(self.experiment, &self.cell), self.index)
    }
}

/// The id of a cell, for people to type: the first digits of its address.
pub(crate) fn cell_id(experiment: Seed, cell: &str) -> String {
    experiment.child(cell).to_string()[..8].to_owned()
}

pub use tesuji_session::REFUSED;

/// A finished game: a function of its address.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Game {
    /// The address of the game.
    pub address: Address,
    /// The side of the cell's player.
    #[serde(with = "side_word")]
    pub side: Side,
    /// The outcome.
    #[serde(with = "winner_word")]
    pub outcome: Outcome,
    /// Why the game ended.
    pub reason: Reason,
    /// The number of moves of the opening.
    pub opening: u32,
    /// The moves, separated by blanks. Attempts that the referee refused begin with [`REFUSED`].
    pub moves: String,
    /// The number of moves, without refused attempts.
    pub plies: u32,
    /// The number of samples of the player and of its opponent.
    pub samples: [u64; 2],
}

impl Game {
    /// The player's points: 0, ½ or 1.
    pub fn points(&self) -> f64 {
        self.outcome.reward(self.side)
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Reason {
    /// By the rules of the game.
    Rules,
    /// The loser resigned.
    Resigned,
    /// The winner claimed the game, and the loser expected to lose.
    Claimed,
    /// The game reached the largest number of moves, and is a draw.
    MoveLimit,
    /// The loser played a move that is not legal.
    IllegalMove,
    /// The loser's time was up.
    Time,
}

impl Reason {
    const ALL: [Reason; 6] = [
        Reason::Rules,
        Reason::Resigned,
        Reason::Claimed,
        Reason::MoveLimit,
        Reason::IllegalMove,
        Reason::Time,
    ];

    /// The reason as the store has it.
    pub const fn word(self) -> &'static str {
        match self {
            Reason::Rules => "rules",
            Reason::Resigned => "resigned",
            Reason::Claimed => "claimed",
            Reason::MoveLimit => "move limit",
            Reason::IllegalMove => "illegal move",
            Reason::Time => "time",
        }
    }

    /// The reason that the store writes with this word.
    pub fn from_word(word: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.word() == word)
    }
}

/// A word is not a reason why a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is no reason why a game ended")]
pub struct ReasonError(String);

impl TryFrom<String> for Reason {
    type Error = ReasonError;

    fn try_from(word: String) -> Result<Reason, ReasonError> {
        Reason::from_word(&word).ok_or(ReasonError(word))
    }
}

impl From<Reason> for &'static str {
    fn from(reason: Reason) -> &'static str {
        reason.word()
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// When, by which program and how long a game was played.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Circumstances {
    /// The program that played the game: version and commit.
    pub build: String,
    /// When the game began, in seconds since 1970.
    pub began: u64,
    /// The duration of the game, in seconds.
    pub seconds: f64,
    /// The seconds that the player and its opponent used: CPU time of our players, wall time of
    /// engines.
    pub used: [f64; 2],
    /// The names and versions that engines report; empty for our players.
    pub engines: [String; 2],
    /// The scores of the game as engines wrote them; empty for our players, and for engines that
    /// report none.
    pub scores: [String; 2],
}

/// A void game: a contestant failed, and the game has no outcome.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Void {
    /// The address of the game.
    pub address: Address,
    /// When it failed, in seconds since 1970.
    pub at: u64,
    /// The contestant that failed.
    pub contestant: String,
    /// The kind of failure, in a word or two.
    pub kind: String,
    /// The failure in a sentence.
    pub message: String,
    /// The moves before the failure, separated by blanks.
    pub moves: String,
    /// The end of what the engine wrote to its standard error.
    pub stderr: String,
}

/// A side as the store writes it.
pub(crate) const fn word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

/// The side that the store writes with this word.
pub(crate) fn side_of(word: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| self::word(*side) == word)
}

mod seed_digits {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tesuji_core::Seed;

    pub(super) fn serialize<S: Serializer>(seed: &Seed, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(seed)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

mod side_word {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tesuji_core::Side;

    pub(super) fn serialize<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(super::word(*side))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Side, D::Error> {
        let word = String::deserialize(deserializer)?;
        super::side_of(&word).ok_or_else(|| D::Error::custom(format!("'{word}' is no side")))
    }
}

mod winner_word {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use tesuji_core::Outcome;

    pub(super) fn serialize<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
        outcome.winner().map(super::word).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
        let Some(word) = Option::<String>::deserialize(deserializer)? else { return Ok(Outcome::Draw) };
        let side = super::side_of(&word).ok_or_else(|| D::Error::custom(format!("'{word}' is no side")))?;
        Ok(Outcome::Win(side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_cross_a_border_unchanged() {
        let address = Address { experiment: Seed::new(7).child("e"), cell: "a: b".to_owned(), index: 3 };
        for (outcome, reason) in [
            (Outcome::Draw, Reason::MoveLimit),
            (Outcome::Win(Side::Black), Reason::Rules),
            (Outcome::Win(Side::White), Reason::Time),
        ] {
            let game = Game {
                address: address.clone(),
                side: Side::White,
                outcome,
                reason,
                opening: 2,
                moves: "a1 ?b2 c3".to_owned(),
                plies: 2,
                samples: [u64::MAX, 1],
            };
            let text = serde_json::to_string(&game).unwrap();
            assert_eq!(serde_json::from_str::<Game>(&text).unwrap(), game);
        }
        // Numbers of all sizes, each to the bit.
        let mut rng = Seed::new(1).child("floats").rng();
        for _ in 0..10_000 {
            let seconds = f64::from_bits(rng.bits());
            let about = Circumstances { seconds, used: [seconds / 3.0, rng.unit()], ..Default::default() };
            if seconds.is_finite() {
                let text = serde_json::to_string(&about).unwrap();
                assert_eq!(serde_json::from_str::<Circumstances>(&text).unwrap(), about);
            }
        }
        assert!(serde_json::from_str::<Reason>("\"tired\"").is_err());
    }
}
