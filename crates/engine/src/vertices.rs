//! Moves as the protocol writes them: capitals, and the letter I.
//!
//! The games write `e5`, `a2-a3`, `pass` and `swap`; the protocol writes `E5`, `A2-A3`,
//! `pass` and `swap-pieces`, as HexGui does. A domino is written as its first cell, which
//! identifies it, so that programs that know only moves of one cell can place it. Go leaves
//! the letter I out of its columns, and so does GoGui in every game. If a game does not,
//! GoGui's J is the game's i, its K the game's j, and so on.

use tesuji_catalog::{MoveNames, Shape};
use tesuji_core::shortened;

use crate::exchange::{Exchange, Failure};

/// Which names of columns the controller reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Columns {
    /// GoGui's names once the controller has proved to be GoGui; until then the game's.
    #[default]
    Auto,
    /// The game's names.
    Game,
    /// GoGui's names, without the letter I.
    GoGui,
}

impl Columns {
    /// The names of all variants, as values of a parameter.
    pub(crate) const NAMES: &'static [&'static str] = &["auto", "game", "gogui"];

    /// The name of this variant.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Columns::Auto => "auto",
            Columns::Game => "game",
            Columns::GoGui => "gogui",
        }
    }

    /// The variant with this name.
    pub(crate) fn from_name(name: &str) -> Option<Columns> {
        [Columns::Auto, Columns::Game, Columns::GoGui].into_iter().find(|columns| columns.name() == name)
    }
}

/// How moves of a game are written to a controller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Vertices {
    /// Whether the game has a column i and the controller has none.
    shifts: bool,
    /// Whether moves are dominoes, written as their first cell.
    are_dominoes: bool,
}

impl Exchange<'_> {
    /// How moves of this game are written to this controller.
    pub(crate) fn vertices(&self) -> Vertices {
        let without_i = match self.protocol.columns {
            Columns::Auto => self.protocol.talks_to_gogui,
            Columns::Game => false,
            Columns::GoGui => true,
        };
        let info = self.session.game().info();
        Vertices {
            shifts: without_i && info.shape != Shape::Goban,
            are_dominoes: info.names == MoveNames::Domino,
        }
    }
}

impl Vertices {
    /// A plain writer: as the game writes moves, in capitals.
    #[cfg(test)]
    pub(crate) const PLAIN: Vertices = Vertices { shifts: false, are_dominoes: false };

    /// A move of the game as the controller reads it.
    pub(crate) fn written(self, mv: &str) -> String {
        let mv = self.named(mv);
        match mv {
            "swap" => "swap-pieces".to_owned(),
            "pass" | "resign" => mv.to_owned(),
            _ if self.shifts => with_columns(mv, to_gogui).to_ascii_uppercase(),
            _ => mv.to_ascii_uppercase(),
        }
    }

    /// Several moves of the game as the controller reads them, with blanks between.
    pub(crate) fn written_all<T: AsRef<str>>(self, moves: impl IntoIterator<Item = T>) -> String {
        let words: Vec<String> = moves.into_iter().map(|mv| self.written(mv.as_ref())).collect();
        words.join(" ")
    }

    /// The part of a move that names it.
    fn named(self, mv: &str) -> &str {
        match mv.split_once('-') {
            Some((first, _)) if self.are_dominoes => first,
            _ => mv,
        }
    }

    /// The cell at which a move is shown: the one at which it ends, or the first of a domino.
    /// `None` if it has no cell, as a pass.
    pub(crate) fn shown_at(self, mv: &str) -> Option<String> {
        let last = self.named(mv).rsplit('-').next()?;
        cut(last)?;
        Some(self.written(last))
    }

    /// A move of the controller as the game writes it, which need not be a legal one.
    pub(crate) fn read(self, word: &str) -> Result<String, Failure> {
        let word = word.to_ascii_lowercase();
        if word == "swap-pieces" {
            return Ok("swap".to_owned());
        }
        if !self.shifts {
            return Ok(word);
        }
        if word.split('-').filter_map(cut).any(|(column, _)| column == "i") {
            let word = shortened(&word);
            return Err(Failure::new(format!(
                "syntax error: GoGui's columns leave the letter I out, not '{word}'"
            )));
        }
        Ok(with_columns(&word, from_gogui))
    }
}

/// A move with other names of columns. Text that is no cell stays as it is.
fn with_columns(mv: &str, column: impl Fn(&str) -> String) -> String {
    let parts = mv.split('-').map(|part| match cut(part) {
        Some((letters, digits)) => column(letters) + digits,
        None => part.to_owned(),
    });
    parts.collect::<Vec<String>>().join("-")
}

/// A cell as letters and digits; `None` if the text is no cell.
fn cut(part: &str) -> Option<(&str, &str)> {
    let (letters, digits) = part.split_at(part.find(|letter: char| letter.is_ascii_digit())?);
    let is_cell = !letters.is_empty()
        && letters.bytes().all(|letter| letter.is_ascii_lowercase())
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_cell.then_some((letters, digits))
}

/// GoGui's name of a column of the game: one letter further from i on. GoGui has no boards
/// with so many columns; `aa` only makes the names unique.
fn to_gogui(column: &str) -> String {
    match column.as_bytes() {
        b"z" => "aa".to_owned(),
        [letter @ b'i'..b'z'] => char::from(letter + 1).to_string(),
        _ => column.to_owned(),
    }
}

/// The game's name of a column of GoGui, the inverse of [`to_gogui`].
fn from_gogui(column: &str) -> String {
    match column.as_bytes() {
        b"aa" => "z".to_owned(),
        [letter @ b'j'..=b'z'] => char::from(letter - 1).to_string(),
        _ => column.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: Vertices = Vertices::PLAIN;
    const GOGUI: Vertices = Vertices { shifts: true, ..GAME };
    const DOMINOES: Vertices = Vertices { are_dominoes: true, ..GOGUI };

    #[test]
    fn moves_are_written_in_capitals_and_read_in_any_case() {
        for (mv, wire) in
            [("e5", "E5"), ("i11", "I11"), ("a2-i3", "A2-I3"), ("pass", "pass"), ("resign", "resign")]
        {
            assert_eq!(GAME.written(mv), wire);
            assert_eq!(GAME.read(wire).unwrap(), mv);
            assert_eq!(GAME.read(mv).unwrap(), mv);
        }
        assert_eq!(GAME.written("swap"), "swap-pieces");
        assert_eq!(["swap", "Swap-Pieces"].map(|word| GAME.read(word).unwrap()), ["swap", "swap"]);
    }

    #[test]
    fn gogui_leaves_the_letter_i_out() {
        for (mv, wire) in
            [("h5", "H5"), ("i5", "J5"), ("y1", "Z1"), ("z1", "AA1"), ("h2-i3", "H2-J3"), ("pass", "pass")]
        {
            assert_eq!(GOGUI.written(mv), wire);
            assert_eq!(GOGUI.read(wire).unwrap(), mv);
        }
        let failure = GOGUI.read("I5").unwrap_err().to_string();
        assert_eq!(failure, "syntax error: GoGui's columns leave the letter I out, not 'i5'");
    }

    #[test]
    fn a_domino_is_written_as_its_first_cell() {
        for (mv, wire) in [("b2-b3", "B2"), ("i2-j2", "J2"), ("pass", "pass")] {
            assert_eq!(DOMINOES.written(mv), wire);
        }
        assert_eq!(DOMINOES.shown_at("b2-b3"), Some("B2".to_owned()));
        assert_eq!(DOMINOES.read("J2-K2").unwrap(), "i2-j2");
    }

    #[test]
    fn every_column_comes_back() {
        let letters = ('a'..='z').map(|letter| letter.to_string());
        assert!(letters.clone().all(|column| from_gogui(&to_gogui(&column)) == column));
        assert!(letters.map(|column| to_gogui(&column)).all(|column| column != "i"));
    }

    #[test]
    fn what_is_no_cell_stays() {
        for text in ["", "-", "12", "i", "i-j", "-i", "é5", "a1b2", "\u{fffd}"] {
            assert_eq!(with_columns(text, to_gogui), text);
        }
        assert_eq!(GAME.shown_at("a2-a3"), Some("A3".to_owned()));
        assert_eq!(GOGUI.shown_at("i3"), Some("J3".to_owned()));
        assert_eq!(GAME.shown_at("pass"), None);
    }
}
