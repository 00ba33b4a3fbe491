//! Moves on the wire: capitals, and the letter I.
//!
//! The games write `e5`, `a2-a3`, `pass` and `swap`; the protocol writes `E5`, `A2-A3`,
//! `pass` and `swap-pieces`, as HexGui does. Go leaves the letter I out of its columns,
//! and so does GoGui in every game. Where a game does not, GoGui's J is its i, its K the
//! game's j, and so on.

use tesuji_core::shortened;

use super::{Failure, Session};

/// Whose names of columns are on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Columns {
    /// GoGui's, once a controller has shown that it is GoGui; else the game's.
    #[default]
    Auto,
    /// The game's.
    Game,
    /// GoGui's.
    GoGui,
}

impl Columns {
    /// All of them, as a parameter's values.
    pub(super) const NAMES: &'static [&'static str] = &["auto", "game", "gogui"];

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Columns::Auto => "auto",
            Columns::Game => "game",
            Columns::GoGui => "gogui",
        }
    }

    /// The inverse.
    pub(super) fn from_name(name: &str) -> Option<Columns> {
        [Columns::Auto, Columns::Game, Columns::GoGui].into_iter().find(|columns| columns.name() == name)
    }
}

/// How moves are written at the moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Vertices {
    /// Whether the game has a column i and the wire has none.
    shifts: bool,
}

impl Session<'_> {
    /// How moves are written in this game, to this controller.
    pub(super) fn vertices(&self) -> Vertices {
        let without_i = match self.settings.columns {
            Columns::Auto => self.settings.talks_to_gogui,
            Columns::Game => false,
            Columns::GoGui => true,
        };
        // A position is not free, so the game is asked only where it matters.
        Vertices { shifts: without_i && !self.host.position().skips_i }
    }
}

impl Vertices {
    /// A move of the game, for the wire.
    pub(super) fn written(self, mv: &str) -> String {
        match mv {
            "swap" => "swap-pieces".to_owned(),
            "pass" | "resign" => mv.to_owned(),
            _ if self.shifts => with_columns(mv, to_gogui).to_ascii_uppercase(),
            _ => mv.to_ascii_uppercase(),
        }
    }

    /// Several moves, with blanks between.
    pub(super) fn written_all<T: AsRef<str>>(self, moves: impl IntoIterator<Item = T>) -> String {
        let words: Vec<String> = moves.into_iter().map(|mv| self.written(mv.as_ref())).collect();
        words.join(" ")
    }

    /// The cell that a move is shown at: the one it ends at. `None` where it has none.
    pub(super) fn shown_at(self, mv: &str) -> Option<String> {
        let last = mv.rsplit('-').next()?;
        cut(last)?;
        Some(self.written(last))
    }

    /// A move from the wire, for the game. Whether the game knows it is not asked here.
    pub(super) fn read(self, word: &str) -> Result<String, Failure> {
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

/// A move with other columns. What is not a cell stays as it is.
fn with_columns(mv: &str, column: impl Fn(&str) -> String) -> String {
    let parts = mv.split('-').map(|part| match cut(part) {
        Some((letters, digits)) => column(letters) + digits,
        None => part.to_owned(),
    });
    parts.collect::<Vec<String>>().join("-")
}

/// A cell as letters and digits; `None` where it is something else.
fn cut(part: &str) -> Option<(&str, &str)> {
    let (letters, digits) = part.split_at(part.find(|letter: char| letter.is_ascii_digit())?);
    let is_cell = !letters.is_empty()
        && letters.bytes().all(|letter| letter.is_ascii_lowercase())
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_cell.then_some((letters, digits))
}

/// One further from i on. GoGui has no boards with a column z of their own; `aa` only
/// keeps apart what is.
fn to_gogui(column: &str) -> String {
    match column.as_bytes() {
        b"z" => "aa".to_owned(),
        [letter @ b'i'..b'z'] => char::from(letter + 1).to_string(),
        _ => column.to_owned(),
    }
}

/// The inverse of [`to_gogui`].
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

    const GAME: Vertices = Vertices { shifts: false };
    const GOGUI: Vertices = Vertices { shifts: true };

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
