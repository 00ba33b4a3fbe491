//! Answers as lines of JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tesuji::search::{ArmReport, Candidate, Memory, Report, Standing};
use tesuji_report::search::{AnalysisJson, SearchJson, Searched, analysed};
use tesuji_session::analysis::{Progress, Query};

use super::super::Versioned;
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

/// The answer to an action, as KataGo's analysis engine gives it: `version` is the program's.
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

/// The answer to a query, while its search goes on or at its end. Two names are those of
/// KataGo's analysis engine; the rest is the JSON of `tesuji search`.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    id: &'a Id,
    #[serde(rename = "isDuringSearch")]
    is_during_search: bool,
    #[serde(flatten)]
    search: SearchJson<AnalysisJson<'a>>,
}

/// What is known of a query's search.
pub(super) struct AnswerState<'a> {
    pub(super) report: &'a Report<String>,
    pub(super) standing: Option<&'a Standing>,
    pub(super) time: Duration,
    /// The most moves to be listed.
    pub(super) top: usize,
}

impl<'a> Answer<'a> {
    /// What the search of a query knows while it goes on.
    pub(super) fn during(id: &'a Id, query: &Query, known: &AnswerState<'a>) -> Versioned<Answer<'a>> {
        Versioned::new(Answer { is_during_search: true, ..Answer::of(id, query, known) })
    }

    /// What the search of a query found.
    pub(super) fn after(id: &'a Id, query: &Query, known: &AnswerState<'a>) -> Versioned<Answer<'a>> {
        Versioned::new(Answer::of(id, query, known))
    }

    fn of(id: &'a Id, query: &Query, known: &AnswerState<'a>) -> Answer<'a> {
        let searched = Searched {
            game: query.game(),
            position: query.position(),
            player: query.player(),
            seed: query.seed,
            time: known.time,
        };
        let report = analysed(known.report, known.standing, known.top);
        Answer { id, is_during_search: false, search: SearchJson::new(searched, report) }
    }
}

/// The report of a search that goes on, as far as it has told.
pub(super) fn so_far(progress: &Progress) -> Report<String> {
    let candidates: BTreeMap<&str, &Candidate> =
        progress.standing.candidates.iter().map(|candidate| (candidate.mv.as_str(), candidate)).collect();
    let arm = |mv: &String| {
        let candidate = candidates.get(mv.as_str());
        let visits = candidate.map_or(0, |candidate| candidate.visits);
        let mean = candidate.filter(|_| visits > 0).map(|candidate| candidate.winrate);
        let variance = candidate.and_then(|candidate| candidate.variance);
        let mv = mv.clone();
        ArmReport { mv, visits, mean, variance, amaf: None, score: None, q: None, proof: None, policy: None }
    };
    let best = progress.standing.candidates.first();
    Report {
        chosen: best.and_then(|best| progress.moves.iter().position(|mv| *mv == best.mv)),
        arms: progress.moves.iter().map(arm).collect(),
        rounds: progress.rounds.clone(),
        budget: progress.budget,
        spent: progress.spent,
        carried: 0,
        stop: None,
        // That of a search that goes on is nobody's yet.
        confidence: None,
        memory: Memory::default(),
        focused: Vec::new(),
    }
}
