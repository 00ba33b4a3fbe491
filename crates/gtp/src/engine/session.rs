//! What a command has at hand: the host, its arguments, and the ways out.

use std::io::{self, Write};

use super::arguments::Arguments;
use super::input::Input;
use super::vertices::Columns;
use super::{Failure, Host};
use crate::protocol::Response;

/// What the protocol itself remembers between commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Settings {
    /// Whose names of columns are on the wire.
    pub(super) columns: Columns,
    /// Whether `gogui-rules_*` has been asked, which only GoGui does.
    pub(super) talks_to_gogui: bool,
    /// Whether rounds are drawn while they end.
    pub(super) live_graphics: bool,
}

/// One command on its way. It knows no particular host, so that all of this is compiled
/// once.
pub(super) struct Session<'s> {
    pub(super) host: &'s mut dyn Host,
    pub(super) settings: &'s mut Settings,
    pub(super) input: &'s Input,
    pub(super) output: &'s mut dyn Write,
    /// Where graphics go that nobody has asked for just now.
    pub(super) errors: &'s mut dyn Write,
    /// The number of the command.
    pub(super) id: Option<u32>,
}

/// How a command has been answered, where it has not failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reply {
    /// The text of the answer, still to be written.
    Text(String),
    /// Text, and nothing comes after it.
    Last(String),
    /// It has been written already, bit by bit, but for the empty line at its end.
    Streamed,
}

/// What a command does.
pub(super) type Action = fn(&mut Session<'_>, &mut Arguments<'_>) -> Result<Reply, Refusal>;

/// Why there is no answer, or one of failure.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    /// The command fails; the controller is told so.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// Nobody can be told anything.
    #[error(transparent)]
    Mute(#[from] io::Error),
}

impl Reply {
    /// The answer of a command that has nothing to say.
    pub(super) fn empty() -> Result<Reply, Refusal> {
        Reply::text("")
    }

    /// The answer of a command that says something.
    pub(super) fn text(text: impl Into<String>) -> Result<Reply, Refusal> {
        Ok(Reply::Text(text.into()))
    }
}

impl Session<'_> {
    /// Writes a whole answer.
    pub(super) fn respond(&mut self, result: Result<String, String>) -> io::Result<()> {
        write!(self.output, "{}", Response { id: self.id, result })?;
        self.output.flush()
    }
}

/// Puts the specification's words before a failure, unless they are there already. The
/// first of several are those that are put.
pub(super) fn in_the_words_of(words: &[&str], failure: &Failure) -> Failure {
    let text = failure.to_string();
    match words.first() {
        Some(first) if !words.iter().any(|words| text.starts_with(words)) => {
            Failure::new(format!("{first}: {text}"))
        }
        _ => Failure::new(text),
    }
}
