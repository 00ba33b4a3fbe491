//! One game as SGF, the Smart Game Format (`FF[4]`, <https://www.red-bean.com/sgf/>),
//! which programs for Go and Hex read.
//!
//! SGF has a number for every game that it supports. Of our games these are Go (`GM[1]`) and Hex
//! (`GM[11]`), without their misère twins. Other games are refused.
//!
//! Go's points are two letters, column and row, from the top left; ours are a letter,
//! without i, and a number counted from the bottom. Hex's are a letter and a number
//! from the top left in both. Its swap is `swap-pieces`, which like ours puts a stone
//! of White's on the mirror image of Black's.

mod note;

use std::fmt::{self, Write as _};

use tesuji_arena::record::REFUSED;
use tesuji_catalog::GameSpec;
use tesuji_core::{Outcome, Side, shortened};
use thiserror::Error;

pub use note::Note;

/// A game to write. Properties that are `None` are left out.
///
/// ```
/// use tesuji_core::Side;
/// use tesuji_report::sgf::{Ending, Sgf};
/// let spec = "go:9(komi=6.5)".parse().unwrap();
/// let moves = ["e5", "pass", "c3"].map(str::to_owned);
/// let sgf = Sgf::new(&spec, "uct@1000", "sh+uct@1000", &moves, Ending::Resignation(Side::Black));
/// assert_eq!(
///     Sgf { event: Some("first"), ..sgf }.text().unwrap(),
///     [
///         concat!("(;FF[4]GM[1]CA[UTF-8]AP[tesuji:", env!("CARGO_PKG_VERSION"), "]SZ[9]KM[6.5]RU[Chinese]"),
///         "PB[uct@1000]PW[sh+uct@1000]RE[B+R]EV[first]",
///         "C[go:9(komi=6.5): area scoring, no suicide, positional superko]",
///         ";B[ee];W[];B[cg])",
///         "",
///     ]
///     .join("\n")
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sgf<'a> {
    /// The game.
    pub game: &'a GameSpec,
    /// The name of the player with the black stones.
    pub black: &'a str,
    /// The name of the player with the white stones.
    pub white: &'a str,
    /// The moves from the start position in the notation of the game. Attempts that a referee
    /// refused begin with [`REFUSED`], and become comments.
    pub moves: &'a [String],
    /// How the game ended.
    pub ending: Ending,
    /// The day on which the game was played, as YYYY-MM-DD.
    pub date: Option<&'a str>,
    /// The match or tournament of the game.
    pub event: Option<&'a str>,
    /// The number of the game in its match or tournament.
    pub round: Option<&'a str>,
    /// The name of the game.
    pub name: Option<&'a str>,
    /// A comment in lines of text.
    pub comment: Option<&'a str>,
    /// What searches said of positions, in the order of the game.
    pub notes: &'a [Note],
}

/// How a game ended, with the winner by colour.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Ending {
    /// This side won, by this number of points if they were counted.
    Win(Side, Option<f64>),
    /// This side won because the other one resigned.
    Resignation(Side),
    /// This side won on time.
    Time(Side),
    /// This side won because the other one broke the rules.
    Forfeit(Side),
    /// Nobody won.
    Draw,
    /// The game does not count.
    Void,
    /// The game is not over, or its result is unknown.
    Unknown,
}

/// An ending without points.
impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Ending {
        match outcome {
            Outcome::Win(side) => Ending::Win(side, None),
            Outcome::Draw => Ending::Draw,
        }
    }
}

/// The value of SGF's property RE: `B+3.5`, `W+R`, `0`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Ending::Win(side, Some(points)) if points > 0.0 => write!(f, "{}+{points}", property(side)),
            Ending::Win(side, _) => write!(f, "{}+", property(side)),
            Ending::Resignation(side) => write!(f, "{}+R", property(side)),
            Ending::Time(side) => write!(f, "{}+T", property(side)),
            Ending::Forfeit(side) => write!(f, "{}+F", property(side)),
            Ending::Draw => f.write_str("0"),
            Ending::Void => f.write_str("Void"),
            Ending::Unknown => f.write_str("?"),
        }
    }
}

/// The error that a game cannot be written as SGF.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotSgf {
    /// SGF has no number for the game.
    #[error(
        "SGF has no number for {0}: only go and hex can be written so, and their phantom games, but not their misère twins"
    )]
    Game(String),
    /// A move is not in the notation of the game.
    #[error("move {number} of {game} is '{word}', which is no move there")]
    Move {
        /// The game.
        game: String,
        /// The number of the move, from 1.
        number: usize,
        /// The text of the move.
        word: String,
    },
}

/// The games that SGF has numbers for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Go,
    Hex,
}

impl Kind {
    fn of(game: &GameSpec) -> Option<Kind> {
        match game.info().name {
            _ if game.is_misere() => None,
            "go" | "phantom-go" => Some(Kind::Go),
            "hex" | "dark-hex" => Some(Kind::Hex),
            _ => None,
        }
    }

    fn number(self) -> u8 {
        match self {
            Kind::Go => 1,
            Kind::Hex => 11,
        }
    }

    /// The move as SGF writes it.
    fn value(self, word: &str, (width, height): (usize, usize)) -> Option<String> {
        let word = word.to_ascii_lowercase();
        match (self, word.as_str()) {
            (Kind::Go, "pass") => return Some(String::new()),
            (Kind::Hex, "swap") => return Some("swap-pieces".to_owned()),
            _ => {}
        }
        let letter = word.chars().next().filter(char::is_ascii_lowercase)?;
        let digits = &word[1..];
        // `parse` would take "+1" too.
        let row = digits.parse().ok().filter(|row| !digits.starts_with('+') && (1..=height).contains(row))?;
        let column = match (self, letter) {
            (Kind::Go, 'i') => return None,
            (Kind::Go, 'j'..) => letter as usize - 'a' as usize - 1,
            _ => letter as usize - 'a' as usize,
        };
        if column >= width {
            return None;
        }
        let from_a = |index: usize| (b'a' + index as u8) as char;
        Some(match self {
            Kind::Go => format!("{}{}", from_a(column), from_a(height - row)),
            Kind::Hex => format!("{letter}{row}"),
        })
    }
}

impl<'a> Sgf<'a> {
    /// A game of which no more is known.
    pub fn new(
        game: &'a GameSpec,
        black: &'a str,
        white: &'a str,
        moves: &'a [String],
        ending: Ending,
    ) -> Sgf<'a> {
        let (date, event, round, name, comment) = (None, None, None, None, None);
        Sgf { game, black, white, moves, ending, date, event, round, name, comment, notes: &[] }
    }

    /// The file's text.
    pub fn text(&self) -> Result<String, NotSgf> {
        /// Moves to a line.
        const LINE: usize = 12;
        let kind = Kind::of(self.game).ok_or_else(|| NotSgf::Game(self.game.to_string()))?;
        let mut notes = self.notes.iter().peekable();
        let mut note_at = |ply: usize| notes.next_if(|note| note.ply == ply);
        let mut text = self.head(kind, note_at(0));
        let mut refused: Vec<&str> = Vec::new();
        let mut i = 0;
        for word in self.moves {
            if let Some(attempt) = word.strip_prefix(REFUSED) {
                refused.push(attempt);
                continue;
            }
            let value = kind.value(word, self.game.board()).ok_or_else(|| NotSgf::Move {
                game: self.game.to_string(),
                number: i + 1,
                word: shortened(word),
            })?;
            let side = if i % 2 == 0 { Side::Black } else { Side::White };
            let before = if i % LINE == 0 || !self.notes.is_empty() { "\n" } else { "" };
            let _ = write!(text, "{before};{}[{value}]", property(side));
            let note = note_at(i + 1);
            let attempts = match &refused[..] {
                [] => String::new(),
                refused => format!("refused before: {}", refused.join(" ")),
            };
            refused.clear();
            text += &note.map_or_else(String::new, properties);
            let comment = [&attempts[..], note.map_or("", |note| &note.comment)];
            let comment: Vec<&str> = comment.into_iter().filter(|part| !part.is_empty()).collect();
            if !comment.is_empty() {
                let _ = write!(text, "C[{}]", lines(&comment.join("\n")));
            }
            i += 1;
        }
        text.push_str(")\n");
        Ok(text)
    }

    /// The root node, without the bracket that closes the tree.
    fn head(&self, kind: Kind, note: Option<&Note>) -> String {
        let (width, height) = self.game.board();
        // A square must not be written as a rectangle.
        let size = if width == height { format!("{width}") } else { format!("{width}:{height}") };
        let version = env!("CARGO_PKG_VERSION");
        let mut text = format!("(;FF[4]GM[{}]CA[UTF-8]AP[tesuji:{version}]SZ[{size}]", kind.number());
        if kind == Kind::Go {
            // The format's own list of rules has none that count the area, forbid
            // suicide and forbid any earlier board; this is the word in common use.
            let _ = write!(text, "KM[{}]RU[Chinese]", self.game.number("komi"));
        }
        let _ = write!(text, "\nPB[{}]PW[{}]RE[{}]", line(self.black), line(self.white), self.ending);
        for (property, value) in
            [("DT", self.date), ("EV", self.event), ("RO", self.round), ("GN", self.name)]
        {
            if let Some(value) = value {
                let _ = write!(text, "{property}[{}]", line(value));
            }
        }
        text += &note.map_or_else(String::new, properties);
        let mut comment = format!("{}: {}", self.game, self.rules(kind));
        for part in [self.comment, note.map(|note| &note.comment[..])].into_iter().flatten() {
            let _ = write!(comment, "\n{part}");
        }
        let _ = write!(text, "\nC[{}]", lines(&comment));
        text
    }

    /// What the comment says of the rules.
    fn rules(&self, kind: Kind) -> String {
        match kind {
            Kind::Hex if self.game.info().is_hidden => "neither side saw the other's stones".to_owned(),
            Kind::Go => {
                let ko = match self.game.word("superko") {
                    "off" => "simple ko only".to_owned(),
                    word => format!("{word} superko"),
                };
                // A komi with a half leaves no even score.
                let is_whole = self.game.number("komi").fract() == 0.0;
                let even = match self.game.word("draws") {
                    "black" if is_whole => ", an even score is Black's win",
                    _ => "",
                };
                let hidden = match self.game.info().is_hidden {
                    true => "; neither side saw the other's stones",
                    false => "",
                };
                format!("area scoring, no suicide, {ko}{even}{hidden}")
            }
            Kind::Hex => match self.game.word("swap") {
                "on" => "White may swap".to_owned(),
                _ => "no swap".to_owned(),
            },
        }
    }
}

/// The properties of a note that programs read.
fn properties(note: &Note) -> String {
    let property = |name: &str, value: &Option<String>| {
        value.as_ref().map_or(String::new(), |value| format!("{name}[{}]", lines(value)))
    };
    property("SBKV", &note.sabaki) + &property("LZ", &note.lizzie)
}

/// The property of a side's moves, and its letter in results.
fn property(side: Side) -> char {
    side.letter().to_ascii_uppercase()
}

/// A text of several lines: brackets and backslashes escaped, other control
/// characters than the ends of lines made blanks.
fn lines(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.replace("\r\n", "\n").chars() {
        if matches!(c, ']' | '\\') {
            escaped.push('\\');
        }
        escaped.push(if c.is_control() && c != '\n' { ' ' } else { c });
    }
    escaped
}

/// The same on one line.
fn line(text: &str) -> String {
    lines(text).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sgf_parse::go::{self, Move};
    use sgf_parse::{GameTree, SgfNode, unknown_game};
    use tesuji_core::Seed;

    const BLACK: &str = r"shuss [λ=0.7]\ 'α:β' ";
    const WHITE: &str = "手筋 ]\\";

    fn spec(text: &str) -> GameSpec {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// A random game: its moves with the sides that made them, and how it ended.
    fn played(spec: &GameSpec, number: u64) -> (Vec<Side>, Vec<String>, Ending) {
        let mut rng = Seed::new(1).child("sgf").child(number).rng();
        let mut game = spec.start().unwrap();
        let (mut sides, mut moves) = (Vec::new(), Vec::new());
        loop {
            let side = game.to_move();
            let Some(mv) = game.play_at_random(&mut rng) else {
                return (sides, moves, game.outcome().unwrap().into());
            };
            sides.push(side);
            moves.push(mv);
        }
    }

    fn written(spec: &GameSpec, moves: &[String], ending: Ending) -> String {
        let sgf = Sgf {
            date: Some("2024-02-29"),
            event: Some("a: b]"),
            round: Some("7"),
            name: Some("two\nlines"),
            comment: Some("one [1]\r\ntwo\t\\ 2"),
            ..Sgf::new(spec, BLACK, WHITE, moves, ending)
        };
        sgf.text().unwrap()
    }

    fn parsed(text: &str) -> GameTree {
        let mut trees = sgf_parse::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(trees.len(), 1);
        trees.remove(0)
    }

    /// The name of a point of Go as we have it, found from SGF's the other way round:
    /// by looking it up in the letters.
    fn go_name(mv: &Move, size: usize) -> String {
        match mv {
            Move::Pass => "pass".to_owned(),
            Move::Move(point) => {
                let letter = "abcdefghjklmnopqrst".chars().nth(point.x.into()).unwrap();
                format!("{letter}{}", size - usize::from(point.y))
            }
        }
    }

    #[test]
    fn random_games_of_go_are_read_back() {
        for (number, text) in
            [(0, "go:9"), (1, "go:9(komi=-6)"), (2, "go:9(komi=6,draws=half)"), (3, "go:13"), (4, "go:19")]
        {
            let spec = spec(text);
            let size = spec.board().0;
            let (sides, moves, ending) = played(&spec, number);
            let text = written(&spec, &moves, ending);
            let root = parsed(&text).into_go_node().unwrap();
            root.validate().unwrap();
            check_root(&root, &spec, ending);
            let nodes: Vec<_> = root.main_variation().skip(1).collect();
            assert_eq!(nodes.len(), moves.len());
            for ((node, side), mv) in nodes.into_iter().zip(sides).zip(&moves) {
                match (side, node.get_move()) {
                    (Side::Black, Some(go::Prop::B(found))) => assert_eq!(&go_name(found, size), mv),
                    (Side::White, Some(go::Prop::W(found))) => assert_eq!(&go_name(found, size), mv),
                    (_, found) => panic!("{found:?} is not {side}'s {mv}"),
                }
            }
        }
    }

    fn check_root(root: &SgfNode<go::Prop>, spec: &GameSpec, ending: Ending) {
        let word = |name: &str| match root.get_property(name) {
            Some(
                go::Prop::PB(text)
                | go::Prop::PW(text)
                | go::Prop::RE(text)
                | go::Prop::RU(text)
                | go::Prop::DT(text)
                | go::Prop::EV(text)
                | go::Prop::RO(text)
                | go::Prop::GN(text)
                | go::Prop::CA(text),
            ) => text.text.clone(),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!([word("PB"), word("PW")], [BLACK, WHITE]);
        assert_eq!([word("CA"), word("RU")], ["UTF-8", "Chinese"]);
        assert_eq!([word("DT"), word("EV"), word("RO")], ["2024-02-29", "a: b]", "7"]);
        assert_eq!([word("GN"), word("RE")], ["two lines".to_owned(), ending.to_string()]);
        assert_eq!(root.get_property("FF"), Some(&go::Prop::FF(4)));
        assert_eq!(root.get_property("GM"), Some(&go::Prop::GM(1)));
        let size = spec.board().0 as u8;
        assert_eq!(root.get_property("SZ"), Some(&go::Prop::SZ((size, size))));
        assert_eq!(root.get_property("KM"), Some(&go::Prop::KM(spec.number("komi"))));
        let Some(go::Prop::C(comment)) = root.get_property("C") else { panic!("no comment") };
        assert!(comment.text.starts_with(&format!("{spec}: area scoring")), "{comment:?}");
        assert!(comment.text.ends_with("\none [1]\ntwo \\ 2"), "{comment:?}");
        let Some(go::Prop::AP((program, version))) = root.get_property("AP") else { panic!("no program") };
        assert_eq!((program.text.as_str(), version.text.as_str()), ("tesuji", env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn random_games_of_hex_are_read_back() {
        for (number, text) in [(0, "hex:11"), (1, "hex:5(swap=on)"), (2, "hex:19")] {
            let spec = spec(text);
            let (sides, mut moves, ending) = played(&spec, number);
            if number == 1 {
                moves[1] = "swap".to_owned();
            }
            let text = written(&spec, &moves, ending);
            let GameTree::Unknown(root) = parsed(&text) else { panic!("Hex is not Go") };
            assert_eq!(root.get_property("GM"), Some(&unknown_game::Prop::GM(11)));
            assert_eq!(root.get_property("KM"), None);
            let nodes: Vec<_> = root.main_variation().skip(1).collect();
            assert_eq!(nodes.len(), moves.len());
            for ((node, side), mv) in nodes.into_iter().zip(sides).zip(&moves) {
                let mv = if mv == "swap" { "swap-pieces" } else { mv };
                let expected = match side {
                    Side::Black => unknown_game::Prop::B(mv.to_owned()),
                    Side::White => unknown_game::Prop::W(mv.to_owned()),
                };
                assert_eq!(node.get_move(), Some(&expected));
            }
        }
    }

    #[test]
    fn corners() {
        let go = |word| Kind::Go.value(word, (19, 19));
        assert_eq!(go("a19").as_deref(), Some("aa"));
        assert_eq!(go("T1").as_deref(), Some("ss"));
        assert_eq!(go("h1").as_deref(), Some("hs"));
        assert_eq!(go("j1").as_deref(), Some("is"));
        for wrong in ["i1", "u1", "a0", "a20", "a+1", "a", "", "swap", "é1"] {
            assert_eq!(go(wrong), None, "{wrong}");
        }
        assert_eq!(Kind::Hex.value("i3", (11, 11)).as_deref(), Some("i3"));
        assert_eq!(Kind::Hex.value("pass", (11, 11)), None);
        assert_eq!(Kind::Go.value("e1", (5, 3)).as_deref(), Some("ec"));
    }

    #[test]
    fn endings() {
        let words = [
            (Ending::Win(Side::White, Some(3.5)), "W+3.5"),
            (Ending::Win(Side::Black, Some(12.0)), "B+12"),
            (Ending::Win(Side::Black, Some(0.0)), "B+"),
            (Outcome::Win(Side::Black).into(), "B+"),
            (Ending::Resignation(Side::White), "W+R"),
            (Ending::Time(Side::White), "W+T"),
            (Ending::Forfeit(Side::Black), "B+F"),
            (Outcome::Draw.into(), "0"),
            (Ending::Void, "Void"),
            (Ending::Unknown, "?"),
        ];
        words.into_iter().for_each(|(ending, word)| assert_eq!(ending.to_string(), word));
    }

    #[test]
    fn what_is_refused() {
        let refused = |game: &str, moves: &[String]| {
            Sgf::new(&spec(game), "a", "b", moves, Ending::Unknown).text().unwrap_err().to_string()
        };
        for game in ["misere(go:9)", "nohex:11", "atarigo:9", "breakthrough:8"] {
            let error = refused(game, &[]);
            assert!(error.starts_with("SGF has no number for "), "{game}: {error}");
        }
        assert_eq!(
            refused("go:9", &["e5".to_owned(), "i5".to_owned()]),
            "move 2 of go:9 is 'i5', which is no move there"
        );
    }
}
