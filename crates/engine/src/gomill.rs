//! What the tournament manager gomill asks, and commands of our own about the last search.

use tesuji_search::Report;
use tesuji_search::json::RoundJson;
use tesuji_session::{SessionError, usual_budget};

use crate::clock::cpu_time;
use crate::exchange::{Exchange, Failure, Reply};
use crate::table::Command;
use crate::{gfx, standard};

pub(crate) const COMMANDS: &[Command] = &[
    Command::new("gomill-describe_engine", |exchange, _| Reply::text(description(exchange))),
    Command::new("gomill-explain_last_move", |exchange, _| Reply::text(exchange.session.explanation()?)),
    Command::new("gomill-cpu_time", cpu_time),
    Command::new("tesuji-rounds", |exchange, _| {
        let report = last_report(exchange).ok_or(SessionError::NoThought)?;
        let json = serde_json::to_string(&RoundJson::all(report));
        Reply::text(json.map_err(|error| Failure::new(error.to_string()))?)
    }),
    // Rows of numbers: what GoGui calls a `dboard`.
    Command::new("tesuji-ownership", |exchange, _| {
        let value = |value: &f64| format!("{:.2}", value + 0.0);
        let row = |row: &Vec<f64>| row.iter().map(value).collect::<Vec<_>>().join(" ");
        Reply::text(exchange.ownership().iter().map(row).collect::<Vec<_>>().join("\n"))
    }),
    Command::new("tesuji-gfx_rounds", |exchange, _| {
        let report = last_report(exchange).filter(|report| !report.rounds.is_empty());
        let report = report.ok_or_else(|| Failure::new("the last search had no rounds"))?;
        let moves: Vec<String> = report.arms.iter().map(|arm| arm.mv.clone()).collect();
        Reply::text(gfx::rounds(&report.rounds, &moves, exchange.vertices()))
    }),
];

/// What the last search found; `None` if there was none.
fn last_report<'e>(exchange: &'e Exchange<'_>) -> Option<&'e Report<String>> {
    exchange.session.thought()?.report.as_ref()
}

/// The player, its budget, the game and the seed, in two lines.
fn description(exchange: &Exchange<'_>) -> String {
    let settings = exchange.session.settings();
    let budget = match settings.player.budget() {
        Some(_) => String::new(),
        None => format!(", {} a move where no clock runs", usual_budget()),
    };
    format!(
        "{} {}: {}{budget}\ngame {}, seed {}, threads {}",
        standard::NAME,
        standard::VERSION,
        settings.player,
        exchange.session.game(),
        settings.seed,
        settings.threads,
    )
}

impl Exchange<'_> {
    /// Who will own each point, from 1 (surely Black) to -1 (surely White): rows from the top.
    pub(crate) fn ownership(&self) -> Vec<Vec<f64>> {
        let (width, _) = self.session.game().board();
        self.session.ownership().chunks(width).rev().map(<[_]>::to_vec).collect()
    }
}
