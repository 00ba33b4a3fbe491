//! What a search tells, as JSON.

use serde::Serialize;
use tesuji_core::{Arms, Round};
use tesuji_report::search::order;
use tesuji_search::{Event, Report};

use super::SideJson;
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
    pub(super) to_move: SideJson,
    pub(super) ply: usize,
    pub(super) moves: Vec<String>,
}

#[derive(Serialize)]
struct ProgressJson {
    who: Who,
    spent: u64,
    budget: u64,
    best: Option<usize>,
    visits: Vec<u64>,
    means: Vec<Option<f64>>,
}

#[derive(Serialize)]
struct RoundJson {
    who: Who,
    index: usize,
    samples_each: u64,
    spent: u64,
    kept: usize,
    ranking: Vec<RankedJson>,
}

#[derive(Serialize)]
struct RankedJson {
    arm: usize,
    q: f64,
    mean: f64,
    bonus: f64,
}

#[derive(Serialize)]
pub(super) struct Decided {
    pub(super) who: Who,
    pub(super) choice: &'static str,
    pub(super) r#move: Option<String>,
    pub(super) reason: String,
    pub(super) spent: u64,
    pub(super) seconds: f64,
    pub(super) stopped: Option<String>,
    pub(super) best: Option<usize>,
    pub(super) arms: Vec<ArmJson>,
    pub(super) line: Vec<String>,
    pub(super) refused: Vec<String>,
    pub(super) explanation: String,
}

#[derive(Serialize)]
pub(super) struct ArmJson {
    r#move: String,
    visits: u64,
    mean: Option<f64>,
    amaf: Option<f64>,
    q: Option<f64>,
    proved: Option<String>,
}

/// The arms at the end, in the order of the moves that were told first.
pub(super) fn arms(report: &Report<String>) -> Vec<ArmJson> {
    let arm = |arm: &tesuji_search::ArmReport<String>| ArmJson {
        r#move: arm.mv.clone(),
        visits: arm.visits,
        mean: arm.mean,
        amaf: arm.amaf.filter(|amaf| amaf.count > 0).map(|amaf| amaf.mean),
        q: arm.q,
        proved: arm.proof.map(|outcome| outcome.to_string()),
    };
    report.arms.iter().map(arm).collect()
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
pub(super) struct Told<'a> {
    pub(super) who: Who,
    pub(super) teller: &'a Teller,
    /// Whether the moves may not be seen.
    pub(super) is_hidden: bool,
    /// Samples of the rounds so far.
    pub(super) spent: u64,
    /// Samples at which progress was last told.
    pub(super) last: Option<u64>,
}

impl Told<'_> {
    pub(super) fn see(&mut self, event: Event<'_>) {
        match event {
            Event::Round { index, round } => self.round(index, round),
            Event::Progress { spent, budget, arms, best, .. } => self.progress(spent, budget, arms, best),
        }
    }

    fn round(&mut self, index: usize, round: &Round) {
        self.spent += round.samples * round.ranking.len() as u64;
        if self.is_hidden {
            return;
        }
        let ranked = |ranked: &tesuji_core::Ranked| RankedJson {
            arm: ranked.arm,
            q: ranked.q,
            mean: ranked.mean,
            bonus: ranked.bonus,
        };
        let round = RoundJson {
            who: self.who,
            index,
            samples_each: round.samples,
            spent: self.spent,
            kept: round.kept,
            ranking: round.ranking.iter().map(ranked).collect(),
        };
        self.teller.mention("round", &round);
    }

    fn progress(&mut self, spent: u64, budget: u64, arms: &Arms, best: usize) {
        if self.last.replace(spent) == Some(spent) {
            return;
        }
        let n_arms = if self.is_hidden { 0 } else { arms.len() };
        let mean = |arm: usize| (arms.count(arm) > 0).then(|| (arms.mean(arm) * 1e4).round() / 1e4);
        let progress = ProgressJson {
            who: self.who,
            spent,
            budget,
            best: (!self.is_hidden).then_some(best),
            visits: (0..n_arms).map(|arm| arms.count(arm)).collect(),
            means: (0..n_arms).map(mean).collect(),
        };
        self.teller.update("progress", &progress);
    }
}
