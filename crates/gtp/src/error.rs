//! What can go wrong with an external engine. The kind of error decides whether a game is
//! lost or played again, or the match is stopped.

use std::time::Duration;

use tesuji_core::shortened;
use thiserror::Error;

/// Why an external engine did not do what it was asked to.
///
/// After every kind but [`Refused`](EngineError::Refused) the process has ended, and all
/// further commands return the same error.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineError {
    /// The program does not exist, or cannot be executed.
    #[error("{engine} cannot be started: {reason}")]
    NotStarted {
        /// The program's name.
        engine: String,
        /// The error message of the system.
        reason: String,
    },
    /// The process ended, or closed its input or output, before it had answered.
    #[error("{engine} did not answer '{}': {ending}{}", shortened(command), last_words(last_line))]
    Crashed {
        /// The engine's name.
        engine: String,
        /// The command that it did not answer.
        command: String,
        /// What it did instead: `it ended with exit code 1`.
        ending: String,
        /// The last line that it wrote to standard error, or an empty text.
        last_line: String,
    },
    /// There was no complete answer in time. The process was ended.
    #[error("{engine} gave no answer to '{}' within {} s", shortened(command), limit.as_secs_f64())]
    Hung {
        /// The engine's name.
        engine: String,
        /// The command that it did not answer.
        command: String,
        /// The time that it had.
        limit: Duration,
    },
    /// The answer does not follow the protocol. The process was ended, since nobody
    /// knows where its next answer begins.
    #[error("{engine} answered '{}' with a line that is not GTP: {problem}: '{excerpt}'", shortened(command))]
    Garbage {
        /// The engine's name.
        engine: String,
        /// The command that it answered.
        command: String,
        /// What is wrong with the answer.
        problem: String,
        /// The beginning of the answer, in printable characters.
        excerpt: String,
    },
    /// The command was cancelled while the engine was thinking. The process was ended.
    #[error("{engine} was interrupted at '{}'", shortened(command))]
    Cancelled {
        /// The engine's name.
        engine: String,
        /// The command that it did not answer.
        command: String,
    },
    /// The engine answered with a failure, `? reason`, and can be used further. The controller
    /// itself refuses a line without a command.
    #[error("{engine} refused '{}': {reason}", shortened(command))]
    Refused {
        /// The engine's name.
        engine: String,
        /// The command that it refused.
        command: String,
        /// The text of the failure, or an empty text.
        reason: String,
    },
}

impl EngineError {
    /// The [kind](EngineError::kind) of an engine that could not be started.
    pub const NOT_STARTED: &'static str = "not started";

    /// The kind in one or two words, which never change and so can be stored.
    pub const fn kind(&self) -> &'static str {
        match self {
            EngineError::NotStarted { .. } => EngineError::NOT_STARTED,
            EngineError::Crashed { .. } => "crashed",
            EngineError::Hung { .. } => "hung",
            EngineError::Garbage { .. } => "garbage",
            EngineError::Cancelled { .. } => "cancelled",
            EngineError::Refused { .. } => "refused",
        }
    }
}

fn last_words(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("; its last words: '{}'", shortened(line)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_sentences() {
        let (engine, command) = ("GNU Go".to_owned(), "genmove b".to_owned());
        let crashed = |last_line: &str| EngineError::Crashed {
            engine: engine.clone(),
            command: command.clone(),
            ending: "it ended with exit code 3".to_owned(),
            last_line: last_line.to_owned(),
        };
        assert_eq!(crashed("").to_string(), "GNU Go did not answer 'genmove b': it ended with exit code 3");
        assert_eq!(
            crashed("out of memory").to_string(),
            "GNU Go did not answer 'genmove b': it ended with exit code 3; its last words: 'out of memory'"
        );
        let hung = EngineError::Hung { engine, command, limit: Duration::from_millis(2500) };
        assert_eq!(hung.to_string(), "GNU Go gave no answer to 'genmove b' within 2.5 s");
        assert_eq!(hung.kind(), "hung");
    }
}
