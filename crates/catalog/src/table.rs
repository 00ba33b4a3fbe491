//! The table of games: the one big match of the house.
//!
//! A game is one block here: what there is to know of it, and how a spec
//! becomes its start position. Everything else that the commands need, they
//! find through these two.

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

table!(Breakthrough, Domineering, Hex, Knightthrough);

struct Breakthrough;

impl Entry for Breakthrough {
    const INFO: GameInfo = GameInfo {
        name: "breakthrough",
        misere: Some("nobreakthrough"),
        rules: "Pawns step forward, straight or diagonally, and capture diagonally; the first on the far row wins.",
        board: Board::Rectangle { default: (8, 8), widths: 2..=8, heights: 4..=8 },
        measured: &["8"],
        options: &[],
        perft: games::perft_files::BREAKTHROUGH,
    };

    fn start<V: GameVisitor>(spec: &GameSpec, twin: Twin<V>) -> Result<V::Output, SpecError> {
        let (width, height) = spec.board();
        Ok(twin.game(games::Breakthrough::new(width, height)?))
    }
}

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

struct Hex;

impl Entry for Hex {
    const INFO: GameInfo = GameInfo {
        name: "hex",
        misere: Some("nohex"),
        rules: "Black joins top and bottom, White left and right; one of them does.",
        board: Board::Square { default: 11, sizes: 2..=19 },
        measured: &["11"],
        options: &[OptionInfo {
            name: "swap",
            meaning: "White may take over Black's first stone",
            default: "off",
            values: Values::Words(&["on", "off"]),
        }],
        perft: games::perft_files::HEX,
    };

    fn start<V: GameVisitor>(spec: &GameSpec, twin: Twin<V>) -> Result<V::Output, SpecError> {
        let swap = if spec.word("swap") == "on" { games::Swap::On } else { games::Swap::Off };
        let rules = games::HexRules { size: spec.board().0, swap };
        Ok(if rules.size <= games::SmallHex::LARGEST {
            twin.game(games::SmallHex::new(rules)?)
        } else {
            twin.game(games::LargeHex::new(rules)?)
        })
    }
}

struct Knightthrough;

impl Entry for Knightthrough {
    const INFO: GameInfo = GameInfo {
        name: "knightthrough",
        misere: Some("noknightthrough"),
        rules: "Breakthrough with knights, which make the four forward knight moves and capture so.",
        board: Board::Rectangle { default: (8, 8), widths: 2..=8, heights: 5..=8 },
        measured: &["8"],
        options: &[],
        perft: games::perft_files::KNIGHTTHROUGH,
    };

    fn start<V: GameVisitor>(spec: &GameSpec, twin: Twin<V>) -> Result<V::Output, SpecError> {
        let (width, height) = spec.board();
        Ok(twin.game(games::Knightthrough::new(width, height)?))
    }
}
