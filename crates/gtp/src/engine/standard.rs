//! Who answers, which commands there are, and the board: the required part of the
//! specification, and what everybody else has beside it.

use tesuji_core::Side;

use super::arguments::Arguments;
use super::session::{Refusal, Reply, Session, in_the_words_of};
use super::table::{self, Command};

pub(super) const COMMANDS: &[Command] = &[
    Command::new("protocol_version", |_, _| Reply::text("2")),
    Command::new("name", |session, _| Reply::text(session.host.name())),
    Command::new("version", |session, _| Reply::text(session.host.version())),
    Command::new("known_command", known_command),
    Command::new("list_commands", |_, _| Reply::text(table::names().collect::<Vec<&str>>().join("\n"))),
    Command::new("quit", |_, _| Ok(Reply::Last(String::new()))),
    Command::new("boardsize", boardsize),
    Command::new("rectangular_boardsize", rectangular_boardsize),
    Command::new("clear_board", clear_board),
    Command::new("komi", komi),
    Command::new("get_komi", get_komi),
    Command::new("play", play),
    Command::new("undo", undo),
    Command::new("gg-undo", gg_undo),
    Command::new("showboard", |session, _| {
        Reply::text(format!("\n{}", session.host.position().drawing.trim_end()))
    }),
    Command::new("clear_cache", |session, _| {
        session.host.forget();
        Reply::empty()
    }),
    Command::new("stop", |_, _| Reply::empty()),
];

fn known_command(_: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let name = arguments.word("a command")?;
    Reply::text(table::names().any(|known| known == name).to_string())
}

/// One number, or two as HexGui says it.
fn boardsize(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let width = arguments.whole_number("a size")?;
    let height = arguments.maybe_whole_number("a size")?.unwrap_or(width);
    set_board(session, width, height)
}

fn rectangular_boardsize(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let width = arguments.whole_number("a width")?;
    let height = arguments.whole_number("a height")?;
    set_board(session, width, height)
}

fn set_board(session: &mut Session<'_>, width: u32, height: u32) -> Result<Reply, Refusal> {
    let set = session.host.set_board(width as usize, height as usize);
    set.map_err(|failure| in_the_words_of(&["unacceptable size"], &failure))?;
    Reply::empty()
}

fn clear_board(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    session.host.clear();
    Reply::empty()
}

fn komi(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let komi = arguments.number("a komi")?;
    session.host.set_komi(komi)?;
    Reply::empty()
}

/// Zero in a game without, which is what a controller would count with.
fn get_komi(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    Reply::text(session.host.komi().unwrap_or(0.0).to_string())
}

fn play(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let side = arguments.side()?;
    let word = arguments.word("a move")?;
    play_one(session, side, word)?;
    Reply::empty()
}

/// Plays a move as it stands on the wire.
pub(super) fn play_one(session: &mut Session<'_>, side: Side, word: &str) -> Result<(), Refusal> {
    let mv = session.vertices().read(word)?;
    let played = session.host.play(side, &mv);
    Ok(played.map_err(|failure| in_the_words_of(&["illegal move", "syntax error"], &failure))?)
}

fn undo(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    take_back(session, 1)
}

fn gg_undo(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let moves = arguments.maybe_whole_number("a number of moves")?.unwrap_or(1);
    take_back(session, moves)
}

fn take_back(session: &mut Session<'_>, moves: u32) -> Result<Reply, Refusal> {
    let taken = session.host.undo(moves);
    taken.map_err(|failure| in_the_words_of(&["cannot undo"], &failure))?;
    Reply::empty()
}
