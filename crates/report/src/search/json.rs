//! The JSON of `tesuji search` and `tesuji analyze`: who searched what, and the search's own
//! report, which is written in `tesuji_search::json`.

use std::time::Duration;

use serde::Serialize;
use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::{Outcome, Seed, Side};
use tesuji_search::json::ReportJson;
use tesuji_search::{ArmReport, Board, Candidate, Report, Standing};

use super::order;

/// One search with all its numbers.
#[derive(Serialize, Debug)]
pub struct SearchJson<R> {
    game: String,
    position: Option<String>,
    to_move: Side,
    outcome: Option<Outcome>,
    player: String,
    seed: String,
    seconds: f64,
    report: R,
}

/// Who searched what, and how.
#[derive(Clone, Copy)]
pub struct Searched<'a> {
    /// The game.
    pub game: &'a GameSpec,
    /// The position.
    pub position: &'a dyn Board,
    /// The player.
    pub player: &'a PlayerSpec,
    /// The seed of its random numbers.
    pub seed: Seed,
    /// How long it searched.
    pub time: Duration,
}

impl<R> SearchJson<R> {
    /// The JSON of a search and its `report`: a [`Report`], or an [`AnalysisJson`].
    pub fn new(searched: Searched<'_>, report: R) -> SearchJson<R> {
        let Searched { game, position, player, seed, time } = searched;
        SearchJson {
            game: game.to_string(),
            position: position.position_text(),
            to_move: position.to_move(),
            outcome: position.outcome(),
            player: player.to_string(),
            seed: seed.to_string(),
            seconds: time.as_secs_f64(),
            report,
        }
    }
}

/// A report whose arms are listed by interest, each with what is expected after it.
pub type AnalysisJson<'a> = ReportJson<'a, String, Vec<AnalysedArm<'a>>>;

/// A move and what is known of it, with a lower bound and the moves expected after it.
#[derive(Serialize, Debug)]
pub struct AnalysedArm<'a> {
    #[serde(flatten)]
    arm: &'a ArmReport<String>,
    lcb: Option<f64>,
    line: Vec<&'a str>,
}

/// Lists the chosen move of a report first and then the others by visits, at most `top` in
/// all. Moves without samples are left out, except for the chosen one. Bounds and lines are
/// those of `standing`, what the search last told of its progress.
pub fn analysed<'a>(
    report: &'a Report<String>,
    standing: Option<&'a Standing>,
    top: usize,
) -> AnalysisJson<'a> {
    let candidate = |mv: &str| standing?.candidates.iter().find(|candidate| candidate.mv == mv);
    let is_listed = |&arm: &usize| report.chosen == Some(arm) || report.arms[arm].visits > 0;
    let analysed = |arm: usize| {
        let arm = &report.arms[arm];
        let candidate = candidate(&arm.mv);
        let line = |candidate: &'a Candidate| candidate.line.iter().map(String::as_str).collect();
        AnalysedArm {
            arm,
            lcb: candidate.filter(|candidate| candidate.visits > 0).map(|candidate| candidate.lcb),
            line: candidate.map_or_else(|| vec![arm.mv.as_str()], line),
        }
    };
    let arms = order(report).into_iter().filter(is_listed).take(top).map(analysed).collect();
    // The order begins with it.
    ReportJson::new(report, arms, report.chosen.map(|_| 0))
}
