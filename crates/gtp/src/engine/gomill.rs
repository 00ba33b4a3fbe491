//! What the tournament manager gomill asks, and our own questions about the last search.

use super::clock::cpu_time;
use super::gfx;
use super::session::{Refusal, Reply, Session};
use super::table::Command;
use super::{Arguments, Failure};

pub(super) const COMMANDS: &[Command] = &[
    Command::new("gomill-describe_engine", |session, _| Reply::text(session.host.description())),
    Command::new("gomill-explain_last_move", |session, _| Reply::text(session.host.explanation()?)),
    Command::new("gomill-cpu_time", cpu_time),
    Command::new("tesuji-rounds", |session, _| Reply::text(session.host.rounds_json()?)),
    Command::new("tesuji-ownership", ownership),
    Command::new("tesuji-gfx_rounds", gfx_rounds),
];

/// Rows of numbers: what GoGui calls a `dboard`.
fn ownership(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let rows = session.host.ownership()?;
    let row =
        |row: &Vec<f64>| row.iter().map(|value| format!("{:.2}", value + 0.0)).collect::<Vec<_>>().join(" ");
    Reply::text(rows.iter().map(row).collect::<Vec<_>>().join("\n"))
}

fn gfx_rounds(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let vertices = session.vertices();
    match session.host.rounds() {
        Some((rounds, moves)) if !rounds.is_empty() => Reply::text(gfx::rounds(rounds, moves, vertices)),
        _ => Err(Failure::new("the last search had no rounds").into()),
    }
}
