//! The table of games: the one big match of the house.
//!
//! A game is one block here: what there is to know of it, and how a spec
//! becomes its start position. Everything else that the commands need, they
//! find through these two.

use tesuji_core::spec::{Interval, OpenEnds, Parameter, Values};
use tesuji_core::{Announced, Draws};
use tesuji_games::{self as games, goban};
use tesuji_search::Board;

use crate::error::SpecError;
use crate::info::{BoardSizes, GameInfo, Goal, MoveNames, Shape};
use crate::spec::{BoardKind, GameSpec};

/// A line of the table.
trait Entry {
    const INFO: GameInfo;

    /// Makes the start position that the spec asks for, and its board by `kind`. The
    /// spec is of this entry and its board within the ranges of `INFO`.
    fn start(spec: &GameSpec, kind: BoardKind) -> Result<Box<dyn Board>, SpecError>;
}

macro_rules! table {
    ($($entry:ident),* $(,)?) => {
        /// All games, in the order of the alphabet.
        pub fn games() -> &'static [&'static GameInfo] {
            const GAMES: &[&GameInfo] = &[$(&$entry::INFO),*];
            GAMES
        }

        pub(crate) fn start(spec: &GameSpec, kind: BoardKind) -> Result<Box<dyn Board>, SpecError> {
            $(if spec.info().name == $entry::INFO.name {
                return $entry::start(spec, kind);
            })*
            unreachable!("specs are made from this table")
        }
    };
}

table!(Atarigo, Ataxx, Breakthrough, DarkHex, Domineering, Go, Hex, Knightthrough, NoGo, PhantomGo);

/// What an even score means, where there can be one.
const DRAWS: Parameter = Parameter {
    name: "draws",
    meaning: "who wins an even score: Black, or half a point to each",
    default: Some("black"),
    values: Values::words(&["black", "half"]),
};

fn draws(spec: &GameSpec) -> Draws {
    if spec.word("draws") == "half" { Draws::Half } else { Draws::Black }
}

/// What a misère twin makes of winning moves.
const WINS: Parameter = Parameter {
    name: "wins",
    meaning: "in the misère twin, what a winning move does: it loses, or it is illegal and a side without a legal move loses",
    default: Some("lose"),
    values: Values::words(&["lose", "illegal"]),
};

/// Which moves of pieces are one to AMAF statistics.
const CODES: Parameter = Parameter {
    name: "codes",
    meaning: "what tells moves apart in AMAF statistics: everything, the squares without whether it captures, or the square entered alone",
    default: Some("full"),
    values: Values::words(&["full", "squares", "to"]),
};

fn codes(spec: &GameSpec) -> games::Codes {
    match spec.word("codes") {
        "squares" => games::Codes::Squares,
        "to" => games::Codes::To,
        _ => games::Codes::Full,
    }
}

/// What the referee of a phantom game tells both sides.
const ANNOUNCE: Parameter = Parameter {
    name: "announce",
    meaning: "what the referee announces to both sides: captures and passes, or nothing; refusals are announced to one side only",
    default: Some("captures"),
    values: Values::words(&["captures", "refusals"]),
};

fn announced(spec: &GameSpec) -> Announced {
    if spec.word("announce") == "refusals" { Announced::Refusals } else { Announced::Captures }
}

/// Makes a game of the Go family with the smallest point sets that its size needs.
macro_rules! on_goban {
    ($kind:expr, $size:expr, $game:ident, $rules:expr) => {
        match $size {
            ..=7 => $kind.board(games::$game::<goban::UpTo7>::new($rules)?),
            8..=10 => $kind.board(games::$game::<goban::UpTo10>::new($rules)?),
            11..=13 => $kind.board(games::$game::<goban::UpTo13>::new($rules)?),
            14.. => $kind.board(games::$game::<goban::UpTo19>::new($rules)?),
        }
    };
}

struct Atarigo;

impl Entry for Atarigo {
    const INFO: GameInfo = GameInfo {
        name: "atarigo",
        misere: Some("noatarigo"),
        rules: "Go in which the first to capture wins. Suicide and passing are illegal; a side without a legal move loses.",
        board: BoardSizes::Square { default: 9, sizes: 2..=19 },
        measured: &["7", "9"],
        options: &[WINS],
        shape: Shape::Goban,
        names: MoveNames::Cell,
        is_hidden: false,
        pieces: ["●", "○"],
        goal: Goal::Shared("whoever captures first"),
        view_legend: "",
        perft: games::perft_files::ATARIGO,
    };

    fn start(spec: &GameSpec, kind: BoardKind) -> Result<Box<dyn Board>, SpecError> {
        let (size, _) = spec.board();
        Ok(on_goban!(kind, size, Atarigo, size))
    }
}

struct Ataxx;

impl Entry for Ataxx {
    const INFO: GameInfo = GameInfo {
        name: "ataxx",
        misere: Some("noataxx"),
        rules: "A stone clones itself to a neighbouring cell or jumps two cells, and turns all enemy stones next to it. The most stones win.",
        board: BoardSizes::Square { default: 8, sizes: 3..=8 },
        measured: &["8"],
        options: &[
            DRAWS,
            Parameter {
                name: "cap",
                meaning: "the ply after which stones are counted as they stand",
                default: Some("500"),
                values: Values::whole(1, 100_000),
            },
            Parameter {
                name: "codes",
                meaning: "what tells moves apart in AMAF statistics: both cells of a jump and the cell of a clone, or the cell entered alone",
                default: Some("full"),
                values: Values::words(&["full", "to"]),
            },
        ],
        shape: Shape::Squares,
        names: MoveNames::FromTo,
        is_hidden: false,
        pieces: ["●", "○"],
        goal: Goal::Shared("whoever has more stones at the end"),
        view_legend: "",
        perft: games::perft_files::ATAXX,
    };

    fn start(spec: &GameSpec, kind: BoardKind) -> Result<Box<dyn Board>, SpecError> {
        let (size, _) = spec.board();
        let rules = games::AtaxxRules {
            size,
            draws: draws(spec),
            ply_cap: spec.number("cap") as u32,
            codes: codes(spec),
        };
        Ok(kind.board(games::Ataxx::new(rules)?))
    }
}

struct Breakthrough;

impl Entry for Breakthrough {
    const INFO: GameInfo = GameInfo {
        name: "breakthrough",
        misere: Some("nobreakthrough"),
        rules: "Pawns step forward, straight or diagonally, and capture diagonally. The first on the far row wins.",
        board: BoardSizes::Rectangle { default: (8, 8), widths: 2..=8, heights: 4..=8 },
        measured: &["8"],
        options: &[WINS, CODES],
        shape: Shape::Squares,
        names: MoveNames::FromTo,
        is_hidden: false,
        pieces: ["▼", "△"],
        goal: Goal::Own(["reaching the lowest row", "reaching the highest row"]),
        view_legend: "",
        perft: games::perft_files::BREAKTHROUGH,
    };

    fn start(spec: &GameSpec, kind: BoardKind) -> Result<Box<dyn Board>, SpecError> {
        let (width, height) = spec.board();
        Ok(kind.board(games::Breakthrough::new(width, height)?.with_codes(codes(spec))))
    }
}

struct DarkHex;

impl Entry for DarkHex {
    const INFO: GameInfo = GameInfo {
        name: "dark-hex",
        misere: None,
        rules: "Hex in which you do not see the enemy's stones. If you run into one, you learn where it is and try another cell.",
        board: BoardSizes::Square { default: 5, sizes: 2..=19 },
        measured: &[],
        options: &[],
        shape: Shape::Hexagons,
        names: MoveNames::Cell,
        is_hidden: true,
        pieces: ["●", "○"],
        goal: Goal::Own(["connecting top to bottom", "connecting left to right"]),
        view_legend: "The player sees the enemy stones that it has run into.",
        perft: "",
    };

    fn start(spec: &GameSpec, kind: BoardKind) -> Result<Box<dyn Board>, SpecError> {
        let rules = games::HexRules { size: spec.board().0, swap: games::Swap::Off };
        // There is nothing to announce.
        let hidden = kind.hidden(Announced::Captures);
        Ok(if rules.size <= games::SmallHex::LARGEST {
            hidden.board(games::SmallHex::new(rules)?)
        } else {
            hidden.board(games::LargeHex::new(rules)?)
        })
    }
}

struct Domineering;

impl Entry for Domineering {
    const INFO: GameInfo = GameInfo {
        name: "domineering",
        misere: Some("nodomineering"),
        rules: "White lays vertical dominoes, Black horizontal ones. The last to play wins.",
        board: BoardSizes::Rectangle { default: (8, 8), widths: 2..=8, heights: 2..=8 },
        measured: &["8"],
        options: &[WINS],
        shape: Shape::Squares,
        names: MoveNames::Domino,
        is_hidden: false,
        pieces: ["⊂ ⊃", "∩ over ∪"],
        goal: Goal::Shared("whoever lays the last domino"),
        view_legend: "",
        perft: games::perft_files::DOMINEERING,
    };

    fn start(spec: &GameSpec, kind: BoardKind) -> Result<Box<dyn Board>, SpecError> {
        let (width, height) = spec.board();
        Ok(kind.board(games::Domineering::new(width, height)?))
    }
}

/// What White gets in Go.
const KOMI: Parameter = Parameter {
    name: "komi",
    meaning: "points that White gets for moving second",
    default: Some("7.5"),
    values: Values::number(Interval { least: -361.0, most: 361.0, open: OpenEnds::Neither, step: 0.5 }),
};

/// Repetition in Go.
const SUPERKO: Parameter = Parameter {
    name: "superko",
    meaning: "which repetitions are illegal, besides simple ko",
    default: Some("positional"),
    values: Values::words(&["positional", "situational", "off"]),
};

fn go_rules(spec: &GameSpec) -> games::GoRules {
    let superko = match spec.word("superko") {
        "off" => games::Superko::Off,
        "situational" => games::Superko::Situational,
        _ => games::Superko::Positional,
    };
    let komi_in_halves = (spec.number("komi") * 2.0) as i16;
    games::GoRules { size: spec.board().0, komi_in_halves, superko, draws: draws(spec) }
}

struct Go;

impl Entry for Go {
    const INFO: GameInfo = GameInfo {
        name: "go",
        misere: None,
        rules: "Surround more of the board than the enemy: area scoring, no suicide. Two passes end the game.",
        board: BoardSizes::Square { default: 9, sizes: 2..=19 },
        measured: &["5", "7", "9", "19"],
        options: &[KOMI, SUPERKO, DRAWS],
        shape: Shape::Goban,
        names: MoveNames::Cell,
        is_hidden: false,
        pieces: ["●", "○"],
        goal: Goal::Shared("whoever has the larger area, with komi added to White's,"),
        view_legend: "",
        perft: games::perft_files::GO,
    };

    fn start(spec: &GameSpec, kind: BoardKind) -> Result<Box<dyn Board>, SpecError> {
        let rules = go_rules(spec);
        Ok(on_goban!(kind, rules.size, Go, rules))
    }
}

struct Hex;

impl Entry for Hex {
    const INFO: GameInfo = GameInfo {
        name: "hex",
        misere: Some("nohex"),
        rules: "Black connects top to bottom, White left to right. Draws are impossible.",
        board: BoardSizes::Square { default: 11, sizes: 2..=19 },
        measured: &["11"],
        options: &[
            Parameter {
                name: "swap",
                meaning: "White may take over Black's first stone",
                default: Some("off"),
                values: Values::words(&["on", "off"]),
            },
            WINS,
        ],
        shape: Shape::Hexagons,
        names: MoveNames::Cell,
        is_hidden: false,
        pieces: ["●", "○"],
        goal: Goal::Own(["connecting top to bottom", "connecting left to right"]),
        view_legend: "",
        perft: games::perft_files::HEX,
    };

    fn start(spec: &GameSpec, kind: BoardKind) -> Result<Box<dyn Board>, SpecError> {
        let swap = if spec.word("swap") == "on" { games::Swap::On } else { games::Swap::Off };
        let rules = games::HexRules { size: spec.board().0, swap };
        Ok(if rules.size <= games::SmallHex::LARGEST {
            kind.board(games::SmallHex::new(rules)?)
        } else {
            kind.board(games::LargeHex::new(rules)?)
        })
    }
}

struct Knightthrough;

impl Entry for Knightthrough {
    const INFO: GameInfo = GameInfo {
        name: "knightthrough",
        misere: Some("noknightthrough"),
        rules: "Breakthrough with knights: they move and capture by the four forward knight moves.",
        board: BoardSizes::Rectangle { default: (8, 8), widths: 2..=8, heights: 5..=8 },
        measured: &["8"],
        options: &[WINS, CODES],
        shape: Shape::Squares,
        names: MoveNames::FromTo,
        is_hidden: false,
        pieces: ["♞", "♘"],
        goal: Goal::Own(["reaching the lowest row", "reaching the highest row"]),
        view_legend: "",
        perft: games::perft_files::KNIGHTTHROUGH,
    };

    fn start(spec: &GameSpec, kind: BoardKind) -> Result<Box<dyn Board>, SpecError> {
        let (width, height) = spec.board();
        Ok(kind.board(games::Knightthrough::new(width, height)?.with_codes(codes(spec))))
    }
}

struct NoGo;

impl Entry for NoGo {
    const INFO: GameInfo = GameInfo {
        name: "nogo",
        misere: None,
        rules: "Go in which capture, suicide and passing are illegal. A side without a legal move loses.",
        board: BoardSizes::Square { default: 9, sizes: 2..=19 },
        measured: &["7", "9"],
        options: &[],
        shape: Shape::Goban,
        names: MoveNames::Cell,
        is_hidden: false,
        pieces: ["●", "○"],
        goal: Goal::Shared("whoever makes the last legal move"),
        view_legend: "",
        perft: games::perft_files::NOGO,
    };

    fn start(spec: &GameSpec, kind: BoardKind) -> Result<Box<dyn Board>, SpecError> {
        let (size, _) = spec.board();
        Ok(on_goban!(kind, size, NoGo, size))
    }
}

struct PhantomGo;

impl Entry for PhantomGo {
    const INFO: GameInfo = GameInfo {
        name: "phantom-go",
        misere: None,
        rules: "Go in which you do not see the enemy's stones. A referee refuses illegal attempts, and you try another point.",
        board: BoardSizes::Square { default: 9, sizes: 2..=19 },
        measured: &[],
        options: &[KOMI, SUPERKO, DRAWS, ANNOUNCE],
        shape: Shape::Goban,
        names: MoveNames::Cell,
        is_hidden: true,
        pieces: ["●", "○"],
        goal: Goal::Shared("whoever has the larger area, with komi added to White's,"),
        view_legend: "◆ and ◇ are presumed enemy stones; ? is a refused point that may be empty.",
        perft: "",
    };

    fn start(spec: &GameSpec, kind: BoardKind) -> Result<Box<dyn Board>, SpecError> {
        let rules = go_rules(spec);
        Ok(on_goban!(kind.hidden(announced(spec)), rules.size, Go, rules))
    }
}
