//! What a store keeps of a game. A new field belongs here and in the schema
//! (`store/schema.rs`), whose version it raises.
//!
//! What a game *is* and how it *came about* are kept apart: the first is a function
//! of the game's address, the same to the byte wherever and whenever it is played;
//! clocks, builds and engines' versions are in the second.

use std::fmt;

use tesuji_core::{Outcome, Seed, Side};

/// Where a game stands: the key of everything that is known of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Address {
    /// The experiment's address.
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

/// Stands before an attempt that a referee refused.
pub const REFUSED: char = '?';

/// A game: a function of its address.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Where it stands.
    pub address: Address,
    /// The side that the cell's player had.
    pub side: Side,
    /// How it ended.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How a game came about.
#[derive(Clone, PartialEq, Debug, Default)]
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
#[derive(Clone, PartialEq, Debug)]
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
