//! What a store keeps of a game. A new field belongs here and in the schema
//! (`store/schema.rs`), whose version it raises.
//!
//! What a game *is* and how it *came about* are kept apart: the first is a function
//! of the game's address, the same to the byte wherever and whenever it is played;
//! clocks, builds and engines' versions are in the second.
//!
//! Records cross from one process to another as JSON, with the words of the store: sides
//! are `"black"` and `"white"`, an outcome is the winner or `null`, addresses are their 32
//! digits. Numbers survive it to the bit.

use std::fmt;

use serde::{Deserialize, Serialize};
use tesuji_core::{Outcome, Seed, Side};

/// Where a game stands: the key of everything that is known of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Address {
    /// The experiment's address.
    #[serde(with = "seed_digits")]
    pub experiment: Seed,
    /// The cell's key.
    pub cell: String,
    /// Which game of the cell.
    pub index: u64,
}

impl Address {
    /// The game's name for people to type.
    pub fn id(&self) -> String {
        format!("{}-{}", cell_id(self.experiment, &self.cell), self.index)
    }
}

/// The first digits of a cell's address: its name for people to type.
pub(crate) fn cell_id(experiment: Seed, cell: &str) -> String {
    experiment.child(cell).to_string()[..8].to_owned()
}

pub use tesuji_session::REFUSED;

/// A game: a function of its address.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Game {
    /// Where it stands.
    pub address: Address,
    /// The side that the cell's player had.
    #[serde(with = "side_word")]
    pub side: Side,
    /// How it ended.
    #[serde(with = "winner_word")]
    pub outcome: Outcome,
    /// Why it ended.
    pub reason: Reason,
    /// How many of the moves were the opening.
    pub opening: u32,
    /// The moves, with blanks between them; attempts that a referee refused have
    /// [`REFUSED`] before them.
    pub moves: String,
    /// How many moves there are, those that were refused not counted.
    pub plies: u32,
    /// The samples that the player and its opponent took.
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
    /// The winner claimed it, and the loser had given it up too.
    Claimed,
    /// It had as many moves as a game may have: a draw.
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

    /// The inverse of [`word`](Reason::word).
    pub fn from_word(word: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.word() == word)
    }
}

impl TryFrom<String> for Reason {
    type Error = String;

    fn try_from(word: String) -> Result<Reason, String> {
        Reason::from_word(&word).ok_or_else(|| format!("'{word}' is no reason why a game ended"))
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

/// How a game came about.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Circumstances {
    /// The program that played it: version and commit.
    pub build: String,
    /// When it began, in seconds since 1970.
    pub began: u64,
    /// How long it took by the clock.
    pub seconds: f64,
    /// What the player and its opponent used: CPU time for players of ours, time by the
    /// clock for engines.
    pub used: [f64; 2],
    /// The names and versions of engines, as they give them; empty for players of ours.
    pub engines: [String; 2],
    /// The scores that engines gave a game that was counted, as they wrote them; empty for
    /// players of ours, and for engines that gave none.
    pub scores: [String; 2],
}

/// A game that came to nothing.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Void {
    /// Which game it would have been.
    pub address: Address,
    /// When, in seconds since 1970.
    pub at: u64,
    /// Whose fault it was.
    pub contestant: String,
    /// What it was, in a word or two.
    pub kind: String,
    /// The same in a sentence.
    pub message: String,
    /// The moves up to there, with blanks between them.
    pub moves: String,
    /// The last that the engine wrote to its standard error.
    pub stderr: String,
}

/// A side as the tables have it.
pub(crate) const fn word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

/// The inverse of [`word`].
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
