//! Choosing cells by words: what `--only` accepts.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A choice of cells: the cells that at least one pattern takes, or all if there are no
/// patterns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CellFilter(pub Vec<CellPattern>);

/// The two names of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellName<'a> {
    /// The first digits of its address.
    pub id: &'a str,
    /// Everything that its games depend on, in words.
    pub key: &'a str,
}

/// Words separated by blanks. A cell must have all of them: as the beginning of its id, or in its
/// key and not as part of a longer word. A word may be a list of alternatives, separated by `|`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellPattern(Vec<Vec<String>>);

impl CellFilter {
    /// Whether the cell with these names is chosen.
    pub fn takes(&self, cell: CellName<'_>) -> bool {
        self.is_everything() || self.0.iter().any(|pattern| pattern.takes(cell))
    }

    /// Whether there are no patterns, so that every cell is chosen.
    pub fn is_everything(&self) -> bool {
        self.0.is_empty()
    }
}

impl CellPattern {
    fn takes(&self, cell: CellName<'_>) -> bool {
        let has = |word: &String| cell.id.starts_with(word.as_str()) || contains_word(cell.key, word);
        self.0.iter().all(|words| words.iter().any(has))
    }
}

/// A text is not a pattern: it has no words, or an empty word, which every cell has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' chooses nothing: write words that cells have, with blanks for and, | for or")]
pub struct PatternError(String);

impl FromStr for CellPattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<CellPattern, PatternError> {
        let words = |word: &str| word.split('|').map(str::to_owned).collect();
        let pattern: Vec<Vec<String>> = text.split_whitespace().map(words).collect();
        if pattern.is_empty() || pattern.iter().flatten().any(String::is_empty) {
            return Err(PatternError(text.to_owned()));
        }
        Ok(CellPattern(pattern))
    }
}

impl fmt::Display for CellPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(|words| words.join("|")).collect();
        f.write_str(&words.join(" "))
    }
}

/// Whether the text has the word, and where the word ends in a letter or digit none goes on:
/// `go:9` is not in `nogo:9`, and `t=0` not in `t=0.5`, but `@500` is in `uct@500`.
fn contains_word(text: &str, word: &str) -> bool {
    let goes_on = |letter: char| letter.is_alphanumeric() || letter == '.';
    let ends = |before: &str, after: &str| {
        let is_begun = word.starts_with(goes_on) && before.ends_with(goes_on);
        let is_continued = word.ends_with(goes_on) && after.starts_with(goes_on);
        !is_begun && !is_continued
    };
    !word.is_empty() && text.match_indices(word).any(|(at, _)| ends(&text[..at], &text[at + word.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::Cell;
    use tesuji_core::Seed;

    fn takes(pattern: &str, game: &str, player: &str) -> bool {
        let cell = Cell::new(
            Seed::new(1),
            game.parse().unwrap(),
            player.parse().unwrap(),
            "rave@100".parse().unwrap(),
        );
        CellFilter(vec![pattern.parse().unwrap()]).takes(cell.name())
    }

    #[test]
    fn whole_words_are_taken() {
        assert!(takes("go:9", "go:9", "hybrid-shuss(t=0)@100"));
        assert!(!takes("go:9", "nogo:9", "hybrid-shuss(t=0)@100"));
        assert!(takes("go:7|go:9 t=0|t=inf", "go:9", "hybrid-shuss(t=inf)@100"));
        assert!(!takes("go:7|go:9 t=0|t=inf", "go:9", "hybrid-shuss(t=128)@100"));
        assert!(!takes("t=12", "go:9", "hybrid-shuss(t=128)@100"));
        assert!(takes("ataxx", "ataxx:8(cap=2000)", "uct@100"));
        assert!(!takes("t=0", "go:9", "hybrid-shuss(t=0.5)@100"));
        assert!(takes("@70", "go:9", "uct@70") && !takes("@7", "go:9", "uct@70"));
        let cell = Cell::new(
            Seed::new(1),
            "go:9".parse().unwrap(),
            "uct@1".parse().unwrap(),
            "rave@1".parse().unwrap(),
        );
        assert!(CellFilter(vec![cell.id[..5].parse().unwrap()]).takes(cell.name()));
        assert!(CellFilter::default().takes(cell.name()));
        assert!("".parse::<CellPattern>().is_err() && "zzz|".parse::<CellPattern>().is_err());
    }

    #[test]
    fn stored_cells_need_not_be_understood() {
        let [game, player, opponent] = ["shogi:9", "uct@20", "engine of tomorrow"].map(str::to_owned);
        let cell = crate::StoredCell {
            key: format!("{game} {player} {opponent}"),
            id: "3f2a9c01".to_owned(),
            game,
            player,
            opponent,
            games: 2,
        };
        let takes = |words: &str| CellFilter(vec![words.parse().unwrap()]).takes(cell.name());
        assert!(takes("shogi:9 uct") && takes("3f2a") && !takes("go:9"));
        assert!(CellFilter::default().takes(cell.name()));
    }
}
