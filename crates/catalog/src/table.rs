//! The table of games: the one big match of the house.
//!
//! A game is one block here: what there is to know of it, and how a spec
//! becomes its start position. Everything else that the commands need, they
//! find through these two.

use tesuji_core::Draws;
use tesuji_games as games;

use crate::GameVisitor;
use crate::error::SpecError;
use crate::info::{Board, GameInfo, OptionInfo, Values};
use crate::spec::{GameSpec, Twin};

/// A line of the table.
trait Entry {
    const INFO: GameInfo;

    /// Makes the game that the spec asks for and hands it to `twin.game`. The
    /// spec is of this entry and its board within the ranges of `INFO`.
    fn start<V: GameVisitor>(spec: &GameSpec, twin: Twin<V>) -> Result<V::Output, SpecError>;
}

macro_rules! table {
    ($($entry:ident),* $(,)?) => {
        /// All games, in the order of the alphabet.
        pub fn games() -> &'static [&'static GameInfo] {
            const GAMES: &[&GameInfo] = &[$(&$entry::INFO),*];
            GAMES
        }

        pub(crate) fn visit<V: GameVisitor>(spec: &GameSpec, twin: Twin<V>) -> Result<V::Output, SpecError> {
            $(if spec.info().name == $entry::INFO.name {
                return $entry::start(spec, twin);
            })*
            unreachable!("specs are made from this table")
        }
    };
}

table!(Domineering);

struct Domineering;

impl Entry for Domineering {
    const INFO: GameInfo = GameInfo {
        name: "domineering",
        misere: Some("nodomineering"),
        rules: "White lays vertical dominoes, Black horizontal ones; the last to play wins.",
        board: Board::Rectangle { default: (8, 8), widths: 2..=8, heights: 2..=8 },
        measured: &["8"],
        options: &[],
        perft: games::perft_files::DOMINEERING,
    };

    fn start<V: GameVisitor>(spec: &GameSpec, twin: Twin<V>) -> Result<V::Output, SpecError> {
        let (width, height) = spec.board();
        Ok(twin.game(games::Domineering::new(width, height)?))
    }
}
