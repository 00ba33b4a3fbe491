//! A command and its answer: what a command works with, and how it replies.

use std::fmt::Display;
use std::io::{self, Write};

use cpu_time::ProcessTime;
use tesuji_gtp::protocol::Response;
use tesuji_session::{Session, SessionError};

use crate::arguments::Arguments;
use crate::input::Input;
use crate::vertices::Columns;

/// What the protocol itself remembers between commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ProtocolSettings {
    /// Which names of columns the controller reads and writes.
    pub(crate) columns: Columns,
    /// Whether a `gogui-rules_` command was asked, which only GoGui does.
    pub(crate) talks_to_gogui: bool,
    /// Whether halving rounds are drawn as they end.
    pub(crate) live_graphics: bool,
}

/// One command while it is answered.
pub(crate) struct Exchange<'e> {
    pub(crate) session: &'e mut Session,
    pub(crate) protocol: &'e mut ProtocolSettings,
    /// When the engine was made, on the clock of the CPU time.
    pub(crate) started: ProcessTime,
    pub(crate) input: &'e Input,
    pub(crate) output: &'e mut dyn Write,
    /// Standard error: receives graphics that no command has asked for.
    pub(crate) errors: &'e mut dyn Write,
    /// The number of the command.
    pub(crate) id: Option<u32>,
}

/// The reply of a command that succeeds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reply {
    /// The text of the answer, still to be written.
    Text(String),
    /// An empty answer, still to be written, after which the engine ends.
    Last,
    /// The answer is written already, except for the empty line at its end.
    Streamed,
}

/// The function that performs a command.
pub(crate) type Action = fn(&mut Exchange<'_>, &mut Arguments<'_>) -> Result<Reply, Refusal>;

/// Why a command fails: the text after the question mark.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Failure(String);

impl Failure {
    /// A failure with this text. If the specification has words for it, they come first.
    pub(crate) fn new(text: impl Into<String>) -> Failure {
        Failure(text.into())
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Failure {
        Failure(error.to_string())
    }
}

/// Why a command has no successful reply.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// The command fails; the controller is told why.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// The answer cannot be written.
    #[error(transparent)]
    Unwritten(#[from] io::Error),
}

impl From<SessionError> for Refusal {
    fn from(error: SessionError) -> Refusal {
        Refusal::Failed(error.into())
    }
}

impl Reply {
    /// The reply of a command that only does something.
    pub(crate) fn empty() -> Result<Reply, Refusal> {
        Reply::text("")
    }

    /// The reply of a command that reports something.
    pub(crate) fn text(text: impl Into<String>) -> Result<Reply, Refusal> {
        Ok(Reply::Text(text.into()))
    }
}

impl Exchange<'_> {
    /// Writes a whole answer.
    pub(crate) fn respond(&mut self, result: Result<String, String>) -> io::Result<()> {
        write!(self.output, "{}", Response { id: self.id, result })?;
        self.output.flush()
    }
}

/// A failure that begins with one of the specification's phrases for it: as it is if it
/// does already, else with the first of `phrases` put before it.
pub(crate) fn in_words_of_the_specification(phrases: &[&str], error: &dyn Display) -> Failure {
    let text = error.to_string();
    match phrases {
        [first, ..] if !phrases.iter().any(|phrase| text.starts_with(phrase)) => {
            Failure(format!("{first}: {text}"))
        }
        _ => Failure(text),
    }
}
