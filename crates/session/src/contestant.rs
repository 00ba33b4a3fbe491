//! Who takes part in a match: one of our players, or an external engine.
//!
//! ```text
//! contestant = player | "turned(" number "," player ")" | "gtp(" command ")" | "portfolio(" file ["," digest] ")"
//! command    = a command line in double quotes, \" and \\ inside
//! file       = a path, likewise
//! ```
//!
//! The text of a portfolio contains the digest of its file once the file was read, because
//! games with another book are other games.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use tesuji_catalog::{BudgetSpec, GameSpec, PlayerError, PlayerSpec, SpecError};
use tesuji_core::Symmetry;
use tesuji_core::spec::bracketed;
use tesuji_gtp::{CommandLineError, EngineCommand};
use tesuji_search::Until;
use thiserror::Error;

use crate::book::{Book, BookError};

/// A contestant of a match. It is read from text, and what it prints reads back as itself.
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
    /// One of our players.
    Player(PlayerSpec),
    /// One of our players, which sees the board through the symmetry with this number.
    Turned(usize, PlayerSpec),
    /// One of our players, which draws its seed from a book.
    Portfolio(Portfolio),
    /// An external program that speaks the Go Text Protocol.
    Engine(EngineCommand),
}

/// A way to write a [`Contestant`] that is more than one of our players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestantForm {
    /// The name before the bracket.
    pub name: &'static str,
    /// The whole form.
    pub written: &'static str,
    /// Who plays, in a sentence without its full stop.
    pub meaning: &'static str,
    /// A contestant of this form.
    pub example: &'static str,
}

impl ContestantForm {
    /// All of them.
    pub const ALL: [ContestantForm; 3] = [
        ContestantForm {
            name: "gtp",
            written: "gtp(\"COMMAND\")",
            meaning: "an external program that speaks the Go Text Protocol",
            example: "gtp(\"gnugo --mode gtp\")",
        },
        ContestantForm {
            name: "portfolio",
            written: "portfolio(\"FILE\")",
            meaning: "the player of a portfolio, which draws its seed from the file that `tesuji portfolio learn` writes",
            example: "portfolio(\"book.json\")",
        },
        ContestantForm {
            name: "turned",
            written: "turned(N,PLAYER)",
            meaning: "a player that sees the board through symmetry N, from 0 to 7",
            example: "turned(1,rave@1000)",
        },
    ];
}

/// An opening book and the file it was read from.
#[derive(Clone, PartialEq, Debug)]
pub struct Portfolio {
    path: String,
    digest: String,
    /// `None` if the file is gone or has changed. Stored games can still be read then.
    book: Option<Arc<Book>>,
}

impl Portfolio {
    /// Reads the file. If a digest is given, a file that cannot be read or has another digest
    /// is no error, and the portfolio has no book.
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

    /// The book.
    pub fn book(&self) -> Result<&Arc<Book>, MissingBook> {
        self.book.as_ref().ok_or_else(|| MissingBook { path: self.path.clone(), digest: self.digest.clone() })
    }
}

/// The file of a portfolio is gone, or has changed since its digest was taken.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the portfolio {path} with digest {digest} does not exist any more")]
pub struct MissingBook {
    path: String,
    digest: String,
}

/// A text is not a contestant.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ContestantError {
    /// It is not one of our players.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The file of the portfolio cannot be read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// It begins like a portfolio or a turned player, and goes on differently.
    #[error("'{text}' is not a player: {reason}")]
    Form {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// It begins like an engine, and goes on differently.
    #[error("'{text}' is not an engine: {reason}; write gtp(\"COMMAND LINE\"), with \\\" for quotes inside")]
    Engine {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// A contestant cannot play a game.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum CannotPlay {
    /// Engines cannot play phantom games.
    #[error("{contestant} cannot play {game}: GTP cannot report moves that the referee refuses")]
    HiddenGame {
        /// The engine.
        contestant: String,
        /// The game.
        game: String,
    },
    /// Engines play on square boards only.
    #[error("{contestant} cannot play {game}: external engines need a square board")]
    NotSquare {
        /// The engine.
        contestant: String,
        /// The game.
        game: String,
    },
    /// The portfolio's book is of another game.
    #[error("{path} was learnt for {learnt}, not for {game}")]
    OtherGame {
        /// The portfolio's file.
        path: String,
        /// The game of the book.
        learnt: String,
        /// The game to be played.
        game: String,
    },
    /// The board has fewer symmetries than the contestant's number.
    #[error("{contestant} cannot play {game}: the symmetries of its board are 0 to {last}")]
    NoSuchSymmetry {
        /// The turned player.
        contestant: String,
        /// The game.
        game: String,
        /// The number of the last symmetry of the game's board.
        last: usize,
    },
    /// A search has no budget.
    #[error("{player} has no budget: write {player}@400")]
    NoBudget {
        /// The player.
        player: String,
    },
    /// An external engine must be started, and is no player.
    #[error("{contestant} is an engine that must be started")]
    NotStarted {
        /// The engine.
        contestant: String,
    },
    /// The portfolio's book is gone.
    #[error(transparent)]
    NoBook(#[from] MissingBook),
    /// The game does not allow this player.
    #[error(transparent)]
    Game(#[from] SpecError),
}

impl Contestant {
    /// Returns the contestant with this option, if it is a search that does not say itself when it
    /// is sure enough to stop.
    #[must_use]
    pub fn with_default_until(self, until: Until) -> Contestant {
        match self {
            Contestant::Player(spec) => Contestant::Player(spec.with_default_until(until)),
            Contestant::Turned(turn, spec) => Contestant::Turned(turn, spec.with_default_until(until)),
            other => other,
        }
    }

    /// Returns the contestant with this budget, if it is a search without one.
    #[must_use]
    pub fn with_default_budget(self, budget: BudgetSpec) -> Contestant {
        match self {
            Contestant::Player(spec) => Contestant::Player(spec.with_default_budget(budget)),
            Contestant::Turned(turn, spec) => Contestant::Turned(turn, spec.with_default_budget(budget)),
            other => other,
        }
    }

    /// Returns the contestant with this budget in place of its own, if it has one.
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

    /// Returns the contestant with an unturned view of the board.
    #[must_use]
    pub fn unturned(&self) -> Contestant {
        match self {
            Contestant::Turned(_, spec) => Contestant::Player(spec.clone()),
            other => other.clone(),
        }
    }

    /// The symmetry through which the contestant sees the board of this game. Symmetries are
    /// numbered as the start position lists them.
    pub fn symmetry(&self, game: &GameSpec) -> Result<Symmetry, CannotPlay> {
        let Contestant::Turned(turn, _) = self else { return Ok(Symmetry::IDENTITY) };
        let symmetries = game.start().map_or(Vec::new(), |start| start.symmetries());
        let last = symmetries.len().saturating_sub(1);
        symmetries.get(*turn).copied().ok_or_else(|| CannotPlay::NoSuchSymmetry {
            contestant: self.to_string(),
            game: game.to_string(),
            last,
        })
    }

    /// A player that draws its seeds from the book in this file.
    pub fn portfolio(path: &Path) -> Result<Contestant, BookError> {
        Portfolio::new(&path.display().to_string(), None).map(Contestant::Portfolio)
    }

    /// Checks that the contestant can play the game.
    pub fn check(&self, game: &GameSpec) -> Result<(), CannotPlay> {
        self.check_stored(game)?;
        match self {
            Contestant::Player(spec) | Contestant::Turned(_, spec) => Ok(game.check_player(spec.config())?),
            Contestant::Portfolio(_) | Contestant::Engine(_) => Ok(()),
        }
    }

    /// Checks that the contestant could play the game when its files existed: enough to read stored
    /// games, not to play.
    pub fn check_stored(&self, game: &GameSpec) -> Result<(), CannotPlay> {
        let engine = || (self.to_string(), game.to_string());
        match self {
            Contestant::Engine(_) if game.info().is_hidden => {
                let (contestant, game) = engine();
                Err(CannotPlay::HiddenGame { contestant, game })
            }
            Contestant::Engine(_) if game.board().0 != game.board().1 => {
                let (contestant, game) = engine();
                Err(CannotPlay::NotSquare { contestant, game })
            }
            Contestant::Engine(_) => Ok(()),
            Contestant::Portfolio(Portfolio { path, book, .. }) => match book {
                Some(book) if book.game != game.to_string() => {
                    let (path, learnt, game) = (path.clone(), book.game.clone(), game.to_string());
                    Err(CannotPlay::OtherGame { path, learnt, game })
                }
                _ => Ok(()),
            },
            Contestant::Player(spec) | Contestant::Turned(_, spec) => {
                self.symmetry(game)?;
                if spec.budget().is_none() && spec.is_search() {
                    return Err(CannotPlay::NoBudget { player: spec.to_string() });
                }
                Ok(game.check_search(spec.config())?)
            }
        }
    }

    /// Whether the contestant plays the same games again from the same seeds.
    pub fn is_reproducible(&self) -> bool {
        match self {
            Contestant::Player(spec) | Contestant::Turned(_, spec) => {
                !spec.budget().is_some_and(BudgetSpec::is_timed)
            }
            Contestant::Portfolio(portfolio) => {
                let book = portfolio.book.as_ref();
                book.is_some_and(|book| !book.player().budget().is_some_and(BudgetSpec::is_timed))
            }
            Contestant::Engine(_) => false,
        }
    }
}

impl FromStr for Contestant {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Contestant, ContestantError> {
        let form = |reason: &str| ContestantError::Form {
            text: tesuji_core::shortened(text),
            reason: reason.to_owned(),
        };
        match bracketed(text) {
            Some((name @ ("turned" | "portfolio" | "gtp"), None)) if text.contains(")@") => {
                Err(form(&budget_outside(name, text)))
            }
            Some(("turned", inside)) => inside
                .and_then(turned)
                .ok_or_else(|| form("write turned(NUMBER,PLAYER), the number of a symmetry from 0 to 7"))?,
            Some(("portfolio", inside)) => inside
                .and_then(portfolio)
                .ok_or_else(|| form("write portfolio(\"FILE\"), with \\\" for quotes inside"))?,
            Some(("gtp", inside)) => engine(inside)
                .map_err(|reason| ContestantError::Engine { text: tesuji_core::shortened(text), reason }),
            _ => Ok(Contestant::Player(text.parse()?)),
        }
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

/// What to do with a budget that stands behind the bracket of this form.
fn budget_outside(name: &str, text: &str) -> String {
    match (name, text.rsplit_once(")@")) {
        ("turned", Some((inside, budget))) => format!("write the budget inside: {inside}@{budget})"),
        ("portfolio", _) => "the player in the file has a budget of its own".to_owned(),
        _ => "an engine has no budget here; its command line may have one".to_owned(),
    }
}

/// Reads what stands between the brackets of `turned(…)`. `None` if it is not a number and a
/// player.
fn turned(inside: &str) -> Option<Result<Contestant, ContestantError>> {
    let (turn, player) = inside.split_once(',')?;
    let turn = turn.trim().parse().ok().filter(|turn| *turn < Symmetry::ALL.len())?;
    Some(player.parse().map(|spec| Contestant::Turned(turn, spec)).map_err(ContestantError::Player))
}

/// Reads what stands between the brackets of `portfolio(…)`. `None` if it is not a file in
/// quotes, perhaps with a digest.
fn portfolio(inside: &str) -> Option<Result<Contestant, ContestantError>> {
    let inside = inside.trim().strip_prefix('"')?;
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

/// Reads what stands between the brackets of `gtp(…)`, or says what is wrong with it.
fn engine(inside: Option<&str>) -> Result<Contestant, String> {
    let quoted = inside.ok_or("the bracket is not closed")?.trim();
    let quoted = quoted.strip_prefix('"').and_then(|inside| inside.strip_suffix('"'));
    let command = unescaped(quoted.ok_or("the command is not in quotes")?);
    let command: Result<EngineCommand, CommandLineError> =
        command.ok_or("a quote inside has no backslash")?.parse();
    command.map(Contestant::Engine).map_err(|error| error.to_string())
}

/// Puts backslashes before quotes and backslashes.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Takes the backslashes out. `None` if a quote has no backslash.
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
        assert_eq!(
            refusal("turned(1,uct)@10"),
            "'turned(1,uct)@10' is not a player: write the budget inside: turned(1,uct@10)"
        );
        assert!(refusal("gtp(\"a\")@10").contains("an engine has no budget here"));
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
