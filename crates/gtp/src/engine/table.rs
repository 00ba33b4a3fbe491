//! The commands, in one place: what is listed is what is answered.

use super::arguments::Arguments;
use super::session::{Action, Refusal, Reply, Session};
use super::{Failure, analysis, clock, gogui, gomill, parameters, standard, thinking, tournament};

/// A name and what is done at it.
pub(super) struct Command {
    name: &'static str,
    action: Action,
}

impl Command {
    /// An entry of a table.
    pub(super) const fn new(name: &'static str, action: Action) -> Command {
        Command { name, action }
    }
}

/// All of them, by origin.
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

/// Their names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    commands().map(|command| command.name)
}

/// Does what a name stands for.
pub(super) fn perform(
    session: &mut Session<'_>,
    name: &str,
    arguments: &mut Arguments<'_>,
) -> Result<Reply, Refusal> {
    match commands().find(|command| command.name == name) {
        Some(command) => (command.action)(session, arguments),
        None => Err(Failure::new("unknown command").into()),
    }
}
