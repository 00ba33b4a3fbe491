//! What a search tells, as JSON.

use serde::Serialize;
use tesuji_core::{Arms, Round, Side};
use tesuji_report::search::order;
use tesuji_search::json::RoundJson;
use tesuji_search::{Event, Report};

use crate::stream::Teller;

/// Whose search.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Who {
    Player,
    Beside,
}

#[derive(Serialize)]
pub(super) struct Begun {
    pub(super) who: Who,
    pub(super) player: String,
    pub(super) budget: String,
    pub(super) to_move: Side,
    pub(super) ply: usize,
    pub(super) moves: Vec<String>,
}

/// What each arm has, in the order of the moves in [`Begun`].
#[derive(Serialize)]
struct ProgressJson {
    who: Who,
    spent: u64,
    budget: u64,
    chosen: Option<usize>,
    visits: Vec<u64>,
    mean: Vec<Option<f64>>,
}

#[derive(Serialize)]
struct RoundEnded<'a> {
    who: Who,
    index: usize,
    spent: u64,
    #[serde(flatten)]
    round: RoundJson<'a, String>,
}

#[derive(Serialize)]
pub(super) struct Decided {
    pub(super) who: Who,
    pub(super) choice: &'static str,
    pub(super) r#move: Option<String>,
    pub(super) reason: &'static str,
    pub(super) seconds: f64,
    pub(super) line: Vec<String>,
    pub(super) refused: Vec<String>,
    pub(super) explanation: String,
    pub(super) report: Option<Report<String>>,
}

/// Those that were looked at most, in words.
pub(super) fn in_words(report: &Report<String>) -> String {
    let told = order(report).into_iter().take(3).map(|arm| &report.arms[arm]).filter(|arm| arm.visits > 0);
    let told: Vec<String> = told
        .map(|arm| format!("{} ({} samples, mean {:.3})", arm.mv, arm.visits, arm.mean.unwrap_or(0.5)))
        .collect();
    format!("Most looked at: {}.", told.join(", "))
}

/// Tells the events of one search.
pub(super) struct SearchTeller<'a> {
    pub(super) who: Who,
    pub(super) teller: &'a Teller,
    /// The moves; `None` if they may not be seen.
    pub(super) moves: Option<Vec<String>>,
    /// Samples of the rounds so far.
    pub(super) spent: u64,
    /// Samples at which progress was last told.
    pub(super) last: Option<u64>,
}

impl SearchTeller<'_> {
    pub(super) fn see(&mut self, event: Event<'_>) {
        match event {
            Event::Round { index, round } => self.round(index, round),
            Event::Progress { spent, budget, arms, best, .. } => self.progress(spent, budget, arms, best),
        }
    }

    fn round(&mut self, index: usize, round: &Round) {
        self.spent += round.samples_each * (round.ranking.len() - round.comebacks) as u64;
        let Some(moves) = &self.moves else { return };
        let round = RoundJson::new(round, |arm| &moves[arm]);
        self.teller.mention("round", &RoundEnded { who: self.who, index, spent: self.spent, round });
    }

    fn progress(&mut self, spent: u64, budget: u64, arms: &Arms, best: usize) {
        if self.last.replace(spent) == Some(spent) {
            return;
        }
        let n_arms = self.moves.as_ref().map_or(0, Vec::len);
        let mean = |arm: usize| (arms.count(arm) > 0).then(|| (arms.mean(arm) * 1e4).round() / 1e4);
        let progress = ProgressJson {
            who: self.who,
            spent,
            budget,
            chosen: self.moves.as_ref().map(|_| best),
            visits: (0..n_arms).map(|arm| arms.count(arm)).collect(),
            mean: (0..n_arms).map(mean).collect(),
        };
        self.teller.update("progress", &progress);
    }
}
