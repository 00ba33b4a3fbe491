//! The table of commands: what is listed is what is answered.

use crate::arguments::Arguments;
use crate::exchange::{Action, Exchange, Failure, Refusal, Reply};
use crate::{analysis, clock, gogui, gomill, parameters, standard, thinking, tournament};

/// The name of a command and the function that performs it.
pub(crate) struct Command {
    name: &'static str,
    action: Action,
}

impl Command {
    /// An entry of the table.
    pub(crate) const fn new(name: &'static str, action: Action) -> Command {
        Command { name, action }
    }
}

/// All commands, by origin.
fn commands() -> impl Iterator<Item = &'static Command> {
    [
        standard::COMMANDS,
        thinking::COMMANDS,
        tournament::COMMANDS,
        clock::COMMANDS,
        gogui::COMMANDS,
        analysis::COMMANDS,
        gomill::COMMANDS,
        parameters::COMMANDS,
    ]
    .into_iter()
    .flatten()
}

/// The names of all commands.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    commands().map(|command| command.name)
}

/// Performs the command with this name.
pub(crate) fn perform(
    exchange: &mut Exchange<'_>,
    name: &str,
    arguments: &mut Arguments<'_>,
) -> Result<Reply, Refusal> {
    match commands().find(|command| command.name == name) {
        Some(command) => (command.action)(exchange, arguments),
        None => Err(Failure::new("unknown command").into()),
    }
}
