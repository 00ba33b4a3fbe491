//! Who takes part in a match: a player of ours, or an engine of somebody else's.
//!
//! ```text
//! contestant = player | "gtp(" command ")"
//! command    = a command line in double quotes, \" and \\ inside
//! ```

use std::fmt;
use std::str::FromStr;

use tesuji_catalog::{BudgetSpec, PlayerError, PlayerSpec};
use tesuji_gtp::{CommandLineError, EngineCommand};
use tesuji_search::Budget;
use thiserror::Error;

/// One of the two of a match. Read from text, and its text reads back the same.
///
/// ```
/// use tesuji_arena::Contestant;
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
    /// A program that speaks the Go Text Protocol.
    Engine(EngineCommand),
}

/// The text names nobody who could play.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ContestantError {
    /// It is no player of ours.
    #[error(transparent)]
    Player(#[from] PlayerError),
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
            other => other,
        }
    }

    /// Whether it plays the same games again from the same seeds.
    pub fn is_reproducible(&self) -> bool {
        match self {
            Contestant::Player(spec) => !matches!(spec.budget(), Some(Budget::Time(_))),
            Contestant::Engine(_) => false,
        }
    }
}

impl FromStr for Contestant {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Contestant, ContestantError> {
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
            Contestant::Engine(command) => {
                let escaped = command.to_string().replace('\\', "\\\\").replace('"', "\\\"");
                write!(f, "gtp(\"{escaped}\")")
            }
        }
    }
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
