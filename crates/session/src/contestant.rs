//! Who takes part in a match: a player of ours, or an engine of somebody else's.
//!
//! ```text
//! contestant = player | "turned(" number "," player ")" | "gtp(" command ")" | "portfolio(" file ["," digest] ")"
//! command    = a command line in double quotes, \" and \\ inside
//! file       = a path, likewise
//! ```
//!
//! A portfolio's text has the digest of its file once that was read: games with
//! another book are other games.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use tesuji_catalog::{BudgetSpec, GameSpec, PlayerError, PlayerSpec};
use tesuji_core::Symmetry;
use tesuji_gtp::{CommandLineError, EngineCommand};
use tesuji_search::Budget;
use thiserror::Error;

use crate::book::{Book, BookError};

/// One of the two of a match. Read from text, and its text reads back the same.
///
/// ```
/// use tesuji_session::Contestant;
/// let engine: Contestant = r#"gtp("gnugo --mode gtp --level 1")"#.parse().unwrap();
/// assert_eq!(engine.to_string(), r#"gtp("gnugo --mode gtp --level 1")"#);
/// let player: Contestant = "RAVE @ 1000".parse().unwrap();
/// assert_eq!(player.to_string(), "rave@1000");
/// assert!("gtp(gnugo)".parse::<Contestant>().is_err());
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Contestant {
    /// A search of ours.
    Player(PlayerSpec),
    /// A search of ours that sees the board through one of its symmetries, by number.
    Turned(usize, PlayerSpec),
    /// A search of ours that draws its seed from a book.
    Portfolio(Portfolio),
    /// A program that speaks the Go Text Protocol.
    Engine(EngineCommand),
}

/// A book and the file it is in.
#[derive(Clone, PartialEq, Debug)]
pub struct Portfolio {
    path: String,
    digest: String,
    /// Nothing where the file is not there any more: the games can be read still.
    book: Option<Arc<Book>>,
}

impl Portfolio {
    /// Reads the file; where it cannot be read, or is another than it was, there is
    /// no book.
    fn new(path: &str, digest: Option<&str>) -> Result<Portfolio, BookError> {
        let read = Book::read(Path::new(path));
        let (path, digest) = (path.to_owned(), digest.map(str::to_owned));
        match (read, digest) {
            (Ok(book), None) => Ok(Portfolio { path, digest: book.digest(), book: Some(Arc::new(book)) }),
            (Ok(book), Some(digest)) => {
                let book = (book.digest() == digest).then(|| Arc::new(book));
                Ok(Portfolio { path, digest, book })
            }
            (Err(_), Some(digest)) => Ok(Portfolio { path, digest, book: None }),
            (Err(error), None) => Err(error),
        }
    }

    /// The book, or a sentence that says why there is none.
    pub fn book(&self) -> Result<&Arc<Book>, String> {
        self.book.as_ref().ok_or_else(|| {
            format!("the portfolio {} with digest {} is not there any more", self.path, self.digest)
        })
    }
}

/// The text names nobody who could play.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ContestantError {
    /// It is no player of ours.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// Its portfolio cannot be read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// It begins like a portfolio or a turned player.
    #[error("'{text}' is not a player: {reason}")]
    Form {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// It begins like an engine.
    #[error("'{text}' is not an engine: {reason}; write gtp(\"COMMAND LINE\"), with \\\" for quotes inside")]
    Engine {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Contestant {
    /// The same with a budget, where it has none and can have one.
    #[must_use]
    pub fn with_default_budget(self, budget: BudgetSpec) -> Contestant {
        match self {
            Contestant::Player(spec) if spec.budget().is_none() && spec.is_search() => {
                Contestant::Player(spec.with_budget(budget))
            }
            Contestant::Turned(turn, spec) if spec.budget().is_none() && spec.is_search() => {
                Contestant::Turned(turn, spec.with_budget(budget))
            }
            other => other,
        }
    }

    /// The same with this budget in place of its own.
    #[must_use]
    pub fn with_other_budget(self, budget: BudgetSpec) -> Contestant {
        match self {
            Contestant::Player(spec) if spec.budget().is_some() => {
                Contestant::Player(spec.with_budget(budget))
            }
            Contestant::Turned(turn, spec) if spec.budget().is_some() => {
                Contestant::Turned(turn, spec.with_budget(budget))
            }
            other => other,
        }
    }

    /// The same that sees the board as it is.
    #[must_use]
    pub fn unturned(&self) -> Contestant {
        match self {
            Contestant::Turned(_, spec) => Contestant::Player(spec.clone()),
            other => other.clone(),
        }
    }

    /// How it sees the board of this game, or a sentence that says why it cannot. Turns are
    /// numbered as the start position lists its symmetries.
    pub fn symmetry(&self, game: &GameSpec) -> Result<Symmetry, String> {
        let Contestant::Turned(turn, _) = self else { return Ok(Symmetry::IDENTITY) };
        let symmetries = game.start().map_or(Vec::new(), |start| start.symmetries());
        let last = symmetries.len().saturating_sub(1);
        symmetries
            .get(*turn)
            .copied()
            .ok_or_else(|| format!("{self} cannot be: {game} has symmetries 0 to {last}"))
    }

    /// A player that draws its seeds from the book in this file.
    pub fn portfolio(path: &Path) -> Result<Contestant, BookError> {
        Portfolio::new(&path.display().to_string(), None).map(Contestant::Portfolio)
    }

    /// Whether it can play the game: a sentence if not.
    pub fn check(&self, game: &GameSpec) -> Result<(), String> {
        match self {
            Contestant::Engine(_) if game.info().is_hidden => {
                Err(format!("{self} cannot be told of {game}: the protocol has no word for refused moves"))
            }
            Contestant::Engine(_) if game.board().0 != game.board().1 => {
                Err(format!("{self} cannot be told of {game}: engines play on square boards"))
            }
            Contestant::Engine(_) => Ok(()),
            Contestant::Portfolio(portfolio) => match &portfolio.book {
                Some(book) if book.game != game.to_string() => {
                    Err(format!("{} was learnt for {}, not for {game}", portfolio.path, book.game))
                }
                _ => Ok(()),
            },
            Contestant::Player(spec) | Contestant::Turned(_, spec) => {
                self.symmetry(game)?;
                if spec.budget().is_none() && spec.is_search() {
                    return Err(format!("{spec} has no budget: give the grid one, or write {spec}@10000"));
                }
                game.check_player(spec.config()).map_err(|error| error.to_string())
            }
        }
    }

    /// Whether it plays the same games again from the same seeds.
    pub fn is_reproducible(&self) -> bool {
        match self {
            Contestant::Player(spec) | Contestant::Turned(_, spec) => {
                !matches!(spec.budget(), Some(Budget::Time(_)))
            }
            Contestant::Portfolio(portfolio) => {
                let book = portfolio.book.as_ref();
                book.is_some_and(|book| !matches!(book.player().budget(), Some(Budget::Time(_))))
            }
            Contestant::Engine(_) => false,
        }
    }
}

impl FromStr for Contestant {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Contestant, ContestantError> {
        if let Some(rest) = text.trim().strip_prefix("turned(") {
            return turned(rest).ok_or_else(|| ContestantError::Form {
                text: tesuji_core::shortened(text),
                reason: "write turned(NUMBER,PLAYER), the number of a symmetry from 0 to 7",
            })?;
        }
        if let Some(rest) = text.trim().strip_prefix("portfolio(") {
            return portfolio(rest).ok_or_else(|| ContestantError::Form {
                text: tesuji_core::shortened(text),
                reason: "write portfolio(\"FILE\"), with \\\" for quotes inside",
            })?;
        }
        let Some(rest) = text.trim().strip_prefix("gtp(") else {
            return Ok(Contestant::Player(text.parse()?));
        };
        let wrong = |reason: &str| ContestantError::Engine {
            text: tesuji_core::shortened(text),
            reason: reason.to_owned(),
        };
        let quoted = rest.trim_end().strip_suffix(')').ok_or_else(|| wrong("the bracket is not closed"))?;
        let quoted = quoted.trim();
        let inside = quoted.strip_prefix('"').and_then(|inside| inside.strip_suffix('"'));
        let inside = inside.ok_or_else(|| wrong("the command is not in quotes"))?;
        let command = unescaped(inside).ok_or_else(|| wrong("a quote inside has no backslash"))?;
        let command = command.parse().map_err(|error: CommandLineError| wrong(&error.to_string()))?;
        Ok(Contestant::Engine(command))
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Player(spec) => spec.fmt(f),
            Contestant::Turned(turn, spec) => write!(f, "turned({turn},{spec})"),
            Contestant::Portfolio(Portfolio { path, digest, .. }) => {
                write!(f, "portfolio(\"{}\",{digest})", escaped(path))
            }
            Contestant::Engine(command) => write!(f, "gtp(\"{}\")", escaped(&command.to_string())),
        }
    }
}

/// What follows `turned(`; nothing where it is not such.
fn turned(rest: &str) -> Option<Result<Contestant, ContestantError>> {
    let (turn, player) = rest.trim_end().strip_suffix(')')?.split_once(',')?;
    let turn = turn.trim().parse().ok().filter(|turn| *turn < Symmetry::ALL.len())?;
    Some(player.parse().map(|spec| Contestant::Turned(turn, spec)).map_err(ContestantError::Player))
}

/// What follows `portfolio(`; nothing where it is not such.
fn portfolio(rest: &str) -> Option<Result<Contestant, ContestantError>> {
    let inside = rest.trim_end().strip_suffix(')')?.trim().strip_prefix('"')?;
    let (path, digest) = match inside.strip_suffix('"') {
        Some(path) => (path, None),
        None => {
            let (path, digest) = inside.rsplit_once("\",")?;
            (path, Some(digest.trim()))
        }
    };
    let made = Portfolio::new(&unescaped(path)?, digest);
    Some(made.map(Contestant::Portfolio).map_err(ContestantError::Book))
}

/// Puts backslashes before quotes and backslashes.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Takes the backslashes out; nothing where a quote has none.
fn unescaped(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return None,
            '\\' => plain.push(letters.next()?),
            other => plain.push(other),
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_read_back_as_they_were_written() {
        for text in [r#"gtp("gnugo")"#, r#"gtp("sh -c 'read x; echo \"= \"'")"#, r#" gtp( "a b" ) "#] {
            let engine: Contestant = text.parse().unwrap();
            assert_eq!(engine.to_string().parse(), Ok(engine), "{text}");
        }
    }

    #[test]
    fn refusals_say_what_to_write() {
        let refusal = |text: &str| text.parse::<Contestant>().unwrap_err().to_string();
        assert!(
            refusal("gtp(gnugo)")
                .starts_with("'gtp(gnugo)' is not an engine: the command is not in quotes; write")
        );
        assert!(refusal("gtp(\"a\"b\")").contains("a quote inside has no backslash"));
        assert!(refusal("gtp(\"a\"").contains("the bracket is not closed"));
        assert!(refusal("gtp(\"\")").starts_with("'gtp(\"\")' is not an engine: "));
    }

    #[test]
    fn budgets_are_given_to_those_without() {
        let player: Contestant = "uct".parse().unwrap();
        let player = player.with_default_budget("100".parse().unwrap());
        assert_eq!(player.to_string(), "uct@100");
        assert_eq!(player.clone().with_default_budget("7".parse().unwrap()), player);
        assert_eq!(player.with_other_budget("7".parse().unwrap()).to_string(), "uct@7");
        assert!(!"uct@1s".parse::<Contestant>().unwrap().is_reproducible());
    }
}
