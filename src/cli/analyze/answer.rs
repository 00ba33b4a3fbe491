//! Answers as lines of JSON. The moves and the rounds are those of the report's room.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tesuji_report::search::{MoveJson, RoundJson, moves_json, rounds_json, standing_json};
use tesuji_session::analysis::{Found, Progress, Query};

use super::query::Id;

/// The output, which several threads write to, a whole line at a time.
pub(super) struct Output {
    out: Mutex<io::Stdout>,
    is_closed: AtomicBool,
    error: Mutex<Option<io::Error>>,
}

impl Output {
    pub(super) fn new(out: io::Stdout) -> Output {
        Output { out: Mutex::new(out), is_closed: AtomicBool::new(false), error: Mutex::new(None) }
    }

    /// Whether nobody reads what is written. What is written from then on is lost.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Writes a line.
    pub(super) fn write(&self, answer: &impl Serialize) {
        // Our answers have nothing in them that JSON cannot say.
        let mut line = serde_json::to_vec(answer).expect("every answer can be written as JSON");
        line.push(b'\n');
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_closed() {
            return;
        }
        if let Err(error) = out.write_all(&line).and_then(|()| out.flush()) {
            self.is_closed.store(true, Ordering::Relaxed);
            self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    /// What went wrong, if anything did.
    pub(super) fn finish(&self) -> io::Result<()> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

/// The answer to a query that is wrong.
#[derive(PartialEq, Serialize, Debug)]
pub(super) struct Wrong {
    pub(super) id: Option<Id>,
    pub(super) error: String,
    pub(super) field: Option<String>,
}

impl Wrong {
    pub(super) fn new(id: Option<Id>, field: Option<&str>, error: impl ToString) -> Wrong {
        Wrong { id, error: error.to_string(), field: field.map(str::to_owned) }
    }
}

/// The answer to an action.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Done<'a> {
    id: &'a Id,
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    terminate_id: Option<&'a Id>,
    /// How many queries were ended by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    terminated: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'static str>,
}

impl<'a> Done<'a> {
    pub(super) fn terminate(id: &'a Id, target: &'a Id, terminated: usize) -> Done<'a> {
        let (terminate_id, terminated) = (Some(target), Some(terminated));
        Done { id, action: "terminate", terminate_id, terminated, version: None }
    }

    pub(super) fn terminate_all(id: &'a Id, terminated: usize) -> Done<'a> {
        let terminated = Some(terminated);
        Done { id, action: "terminate_all", terminate_id: None, terminated, version: None }
    }

    pub(super) fn version(id: &'a Id) -> Done<'a> {
        let version = Some(env!("CARGO_PKG_VERSION"));
        Done { id, action: "query_version", terminate_id: None, terminated: None, version }
    }
}

/// The answer to a query, while its search goes on or at its end.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer<'a> {
    id: &'a Id,
    is_during_search: bool,
    game: String,
    player: String,
    seed: String,
    to_move: String,
    chosen: Option<&'a str>,
    visits: u64,
    spent: u64,
    budget: u64,
    seconds: f64,
    stopped: Option<String>,
    /// Once the game is over.
    outcome: Option<String>,
    moves: Vec<MoveJson<'a>>,
    rounds: Vec<RoundJson<'a>>,
}

/// How the search of a query stands; the best `top` moves.
pub(super) fn during<'a>(id: &'a Id, query: &Query, progress: &'a Progress, top: usize) -> Answer<'a> {
    let standing = &progress.standing;
    Answer {
        is_during_search: true,
        chosen: standing.candidates.first().map(|candidate| candidate.mv.as_str()),
        visits: standing.visits,
        spent: progress.spent,
        budget: progress.budget,
        moves: standing_json(standing, top),
        rounds: RoundJson::all(&progress.rounds, |arm| &progress.moves[arm]),
        ..head(id, query, progress.time)
    }
}

/// What the search of a query found; the best `top` moves.
pub(super) fn after<'a>(id: &'a Id, query: &Query, found: &'a Found, top: usize) -> Answer<'a> {
    let report = &found.report;
    Answer {
        chosen: report.chosen.map(|chosen| report.arms[chosen].mv.as_str()),
        visits: report.arms.iter().map(|arm| arm.visits).sum(),
        spent: report.spent,
        budget: report.budget,
        stopped: report.stop.map(|stop| stop.to_string()),
        moves: moves_json(report, found.standing.as_ref(), top),
        rounds: rounds_json(report),
        ..head(id, query, found.time)
    }
}

/// What the query alone says.
fn head<'a>(id: &'a Id, query: &Query, time: Duration) -> Answer<'a> {
    let position = query.position();
    Answer {
        id,
        is_during_search: false,
        game: query.game().to_string(),
        player: query.player().to_string(),
        seed: query.seed.to_string(),
        to_move: position.to_move().to_string(),
        chosen: None,
        visits: 0,
        spent: 0,
        budget: 0,
        seconds: time.as_secs_f64(),
        stopped: None,
        outcome: position.outcome().map(|outcome| outcome.to_string()),
        moves: Vec::new(),
        rounds: Vec::new(),
    }
}
