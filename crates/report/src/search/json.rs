//! What a search found, as JSON: the shape of `tesuji search --json`, and the pieces that
//! every protocol of ours writes the same way, the moves and the rounds.
//!
//! `tesuji search --json` has names with underscores, as all our `--json` has. What is
//! spoken to other programs line by line has names in camelCase, as such protocols do.

use std::time::Duration;

use serde::Serialize;
use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::{Candidate, Ranked, Round, Seed, Standing};
use tesuji_search::{ArmReport, Board, Report};

use super::{order, standard_error};

/// One search with all its numbers.
#[derive(Serialize, Debug)]
pub struct SearchJson<'a> {
    game: String,
    position: Option<String>,
    to_move: String,
    /// Once the game is over.
    outcome: Option<String>,
    player: String,
    seed: String,
    chosen: Option<&'a str>,
    budget: u64,
    spent: u64,
    carried: u64,
    stopped: Option<String>,
    seconds: f64,
    nodes: usize,
    edges: usize,
    bytes: usize,
    arms: Vec<ArmJson<'a>>,
    rounds: Vec<SearchRoundJson<'a>>,
}

#[derive(Serialize, Debug)]
struct ArmJson<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    visits: u64,
    mean: Option<f64>,
    standard_error: Option<f64>,
    amaf_mean: Option<f64>,
    amaf_count: Option<u64>,
    score: Option<f64>,
    q: Option<f64>,
    proved: Option<String>,
}

#[derive(Serialize, Debug)]
struct SearchRoundJson<'a> {
    samples_each: u64,
    kept: usize,
    ranking: Vec<RankedJson<'a>>,
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
    /// Its seed.
    pub seed: Seed,
}

impl<'a> SearchJson<'a> {
    /// What the search found in so much time.
    pub fn new(searched: Searched<'_>, report: &'a Report<String>, time: Duration) -> SearchJson<'a> {
        let Searched { game, position, player, seed } = searched;
        let arm = |arm: &'a ArmReport<String>| ArmJson {
            mv: &arm.mv,
            visits: arm.visits,
            mean: arm.mean,
            standard_error: standard_error(arm),
            amaf_mean: amaf_mean(arm),
            amaf_count: arm.amaf.map(|amaf| amaf.count),
            score: arm.score,
            q: arm.q,
            proved: arm.proof.map(|outcome| outcome.to_string()),
        };
        let round = |round: RoundJson<'a>| SearchRoundJson {
            samples_each: round.samples_each,
            kept: round.kept,
            ranking: round.ranking,
        };
        SearchJson {
            game: game.to_string(),
            position: position.position_text(),
            to_move: position.to_move().to_string(),
            outcome: position.outcome().map(|outcome| outcome.to_string()),
            player: player.to_string(),
            seed: seed.to_string(),
            chosen: report.chosen.map(|chosen| report.arms[chosen].mv.as_str()),
            budget: report.budget,
            spent: report.spent,
            carried: report.carried,
            stopped: report.stop.map(|stop| stop.to_string()),
            seconds: time.as_secs_f64(),
            nodes: report.memory.nodes,
            edges: report.memory.edges,
            bytes: report.memory.bytes,
            arms: report.arms.iter().map(arm).collect(),
            rounds: rounds_json(report).into_iter().map(round).collect(),
        }
    }
}

fn amaf_mean(arm: &ArmReport<String>) -> Option<f64> {
    arm.amaf.filter(|amaf| amaf.count > 0).map(|amaf| amaf.mean)
}

/// A halving round: who took part, by which values, and how many went on.
#[derive(Clone, PartialEq, Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct RoundJson<'a> {
    /// The samples that each of its moves got.
    pub samples_each: u64,
    /// How many of the ranking, from its first, went on.
    pub kept: usize,
    /// Its moves, the best first.
    pub ranking: Vec<RankedJson<'a>>,
}

/// A move in a round.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct RankedJson<'a> {
    /// The move.
    #[serde(rename = "move")]
    pub mv: &'a str,
    /// What it was ranked by: its mean and its bonus.
    pub q: f64,
    /// Its mean reward.
    pub mean: f64,
    /// What its score added.
    pub bonus: f64,
}

impl<'a> RoundJson<'a> {
    /// Rounds as JSON; `name` gives the text of an arm's move.
    pub fn all(rounds: &[Round], name: impl Fn(usize) -> &'a str) -> Vec<RoundJson<'a>> {
        let ranked = |ranked: &Ranked| RankedJson {
            mv: name(ranked.arm),
            q: ranked.q,
            mean: ranked.mean,
            bonus: ranked.bonus,
        };
        let round = |round: &Round| RoundJson {
            samples_each: round.samples,
            kept: round.kept,
            ranking: round.ranking.iter().map(ranked).collect(),
        };
        rounds.iter().map(round).collect()
    }
}

/// The rounds of a search as JSON; none where its root does not halve.
pub fn rounds_json(report: &Report<String>) -> Vec<RoundJson<'_>> {
    RoundJson::all(&report.rounds, |arm| &report.arms[arm].mv)
}

/// A move and what is known of it, from the point of view of the side to move.
#[derive(Clone, PartialEq, Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MoveJson<'a> {
    /// The move.
    #[serde(rename = "move")]
    pub mv: &'a str,
    /// Its samples.
    pub visits: u64,
    /// Their mean reward, 1 for a win; nothing without samples.
    pub mean: Option<f64>,
    /// A lower bound on that; nothing without samples.
    pub lcb: Option<f64>,
    /// The mean of the simulations in which the side plays the move, now or later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amaf_mean: Option<f64>,
    /// What it was last ranked by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub q: Option<f64>,
    /// What is proved of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<String>,
    /// The moves expected, itself the first.
    pub line: Vec<&'a str>,
    /// Its place, from 0.
    pub order: usize,
}

/// The moves of a search that is over, the chosen one first and then by visits, at most so
/// many. Moves without samples are left out, but for the chosen one. What is expected after
/// them is what the search last said, `standing`.
pub fn moves_json<'a>(
    report: &'a Report<String>,
    standing: Option<&'a Standing>,
    most: usize,
) -> Vec<MoveJson<'a>> {
    let candidate = |mv: &str| standing?.candidates.iter().find(|candidate| candidate.mv == mv);
    let is_told = |&arm: &usize| report.chosen == Some(arm) || report.arms[arm].visits > 0;
    let told = order(report).into_iter().filter(is_told).take(most).enumerate();
    told.map(|(order, arm)| {
        let arm = &report.arms[arm];
        let candidate = candidate(&arm.mv);
        MoveJson {
            mv: &arm.mv,
            visits: arm.visits,
            mean: arm.mean,
            lcb: candidate.filter(|candidate| candidate.visits > 0).map(|candidate| candidate.lcb),
            amaf_mean: amaf_mean(arm),
            q: arm.q,
            proved: arm.proof.map(|outcome| outcome.to_string()),
            line: candidate.map_or_else(|| vec![arm.mv.as_str()], line),
            order,
        }
    })
    .collect()
}

/// The moves of a search that goes on, the best first, at most so many; those without
/// samples are left out.
pub fn standing_json(standing: &Standing, most: usize) -> Vec<MoveJson<'_>> {
    let told = standing.candidates.iter().filter(|candidate| candidate.visits > 0).take(most).enumerate();
    told.map(|(order, candidate)| MoveJson {
        mv: &candidate.mv,
        visits: candidate.visits,
        mean: Some(candidate.winrate),
        lcb: Some(candidate.lcb),
        amaf_mean: None,
        q: None,
        proved: None,
        line: line(candidate),
        order,
    })
    .collect()
}

fn line(candidate: &Candidate) -> Vec<&str> {
    candidate.line.iter().map(String::as_str).collect()
}
