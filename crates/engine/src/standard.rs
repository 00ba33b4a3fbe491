//! The required commands of the specification, about the engine and the board, and common
//! additions to them.

use tesuji_catalog::SpecError;
use tesuji_core::{Side, drawing, shortened};
use tesuji_session::{SessionError, moves_played};

use crate::arguments::Arguments;
use crate::exchange::{Exchange, Failure, Refusal, Reply, in_words_of_the_specification};
use crate::table::{self, Command};

/// The name of the engine.
pub(crate) const NAME: &str = "tesuji";
/// The version of the engine.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) const COMMANDS: &[Command] = &[
    Command::new("protocol_version", |_, _| Reply::text("2")),
    Command::new("name", |_, _| Reply::text(NAME)),
    Command::new("version", |_, _| Reply::text(VERSION)),
    Command::new("known_command", known_command),
    Command::new("list_commands", |_, _| Reply::text(table::names().collect::<Vec<&str>>().join("\n"))),
    Command::new("quit", |_, _| Ok(Reply::Last)),
    Command::new("boardsize", boardsize),
    Command::new("rectangular_boardsize", rectangular_boardsize),
    Command::new("clear_board", |exchange, _| {
        exchange.session.clear();
        Reply::empty()
    }),
    Command::new("komi", |exchange, arguments| {
        exchange.session.set_komi(arguments.number("a komi")?)?;
        Reply::empty()
    }),
    // 0 in a game without komi, which is what a controller counts with.
    Command::new("get_komi", |exchange, _| Reply::text(exchange.session.komi().unwrap_or(0.0).to_string())),
    Command::new("play", play),
    Command::new("undo", |exchange, _| {
        take_back(exchange, 1)?;
        Reply::empty()
    }),
    Command::new("gg-undo", |exchange, arguments| {
        take_back(exchange, arguments.maybe_whole_number("a number of moves")?.unwrap_or(1))?;
        Reply::empty()
    }),
    Command::new("showboard", |exchange, _| {
        // The protocol is written in ASCII.
        let drawing = drawing::ascii(&exchange.session.position().drawing());
        Reply::text(format!("\n{}", drawing.trim_end()))
    }),
    Command::new("clear_cache", |exchange, _| {
        exchange.session.forget();
        Reply::empty()
    }),
    Command::new("stop", |_, _| Reply::empty()),
];

fn known_command(_: &mut Exchange<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let name = arguments.word("a command")?;
    Reply::text(table::names().any(|known| known == name).to_string())
}

/// Accepts one number, or two as HexGui sends them.
fn boardsize(exchange: &mut Exchange<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let width = arguments.whole_number("a size")?;
    let height = arguments.maybe_whole_number("a size")?.unwrap_or(width);
    set_board(exchange, width, height)
}

fn rectangular_boardsize(
    exchange: &mut Exchange<'_>,
    arguments: &mut Arguments<'_>,
) -> Result<Reply, Refusal> {
    let width = arguments.whole_number("a width")?;
    let height = arguments.whole_number("a height")?;
    set_board(exchange, width, height)
}

fn set_board(exchange: &mut Exchange<'_>, width: u32, height: u32) -> Result<Reply, Refusal> {
    let set = exchange.session.set_board(width as usize, height as usize);
    set.map_err(|error| match error {
        SessionError::Game(SpecError::UnknownSize { allowed, .. }) => {
            Failure::new(format!("unacceptable size: {allowed}"))
        }
        other => in_words_of_the_specification(&["unacceptable size"], &other),
    })?;
    Reply::empty()
}

fn play(exchange: &mut Exchange<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let side = arguments.side()?;
    let word = arguments.word("a move")?;
    play_one(exchange, side, word)?;
    Reply::empty()
}

/// Plays a move as the controller writes it.
pub(crate) fn play_one(exchange: &mut Exchange<'_>, side: Side, word: &str) -> Result<(), Failure> {
    let mv = exchange.vertices().read(word)?;
    let played = exchange.session.play(side, &mv);
    played.map_err(|error| match error {
        SessionError::Move(error) => match error.reason() {
            // A list of legal moves is of no use to a controller.
            Some(reason) => Failure::new(format!("illegal move: {reason}")),
            None => Failure::new(format!("illegal move: {}", shortened(word))),
        },
        other => in_words_of_the_specification(&["illegal move"], &other),
    })
}

/// Takes back the last `n_moves` moves.
pub(crate) fn take_back(exchange: &mut Exchange<'_>, n_moves: u32) -> Result<(), Failure> {
    let undone = exchange.session.undo(n_moves);
    undone.map_err(|error| match error {
        SessionError::NothingToUndo { there, .. } => {
            Failure::new(format!("cannot undo: {}", moves_played(there)))
        }
        other => in_words_of_the_specification(&["cannot undo"], &other),
    })
}
