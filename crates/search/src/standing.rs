//! The moves of a search in progress as a ranked list, for analysis reports.

use tesuji_core::Arms;

use crate::report::variance;
use crate::{Event, Lines};

/// How many standard errors the lower bound of a win rate lies below it: 95 % of
/// independent samples are within.
const LCB_ERRORS: f64 = 1.96;

/// The moves of a search in progress, from the point of view of the side that searches.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standing {
    /// The number of samples so far.
    pub visits: u64,
    /// The moves, the best first; moves without samples come last.
    pub candidates: Vec<Candidate>,
}

/// A move that a search considers. Win rates are those of the side that searches, from 0
/// to 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The text of the move.
    pub mv: String,
    /// The number of its samples.
    pub visits: u64,
    /// Its win rate; 0.5 if it has no samples.
    pub winrate: f64,
    /// The variance of its samples; `None` if they are wins and losses.
    pub variance: Option<f64>,
    /// A lower bound of its win rate.
    pub lcb: f64,
    /// The share of samples that the move was expected to get before the search began.
    pub prior: f64,
    /// The moves that the search expects, beginning with this one.
    pub line: Vec<String>,
    /// The number of samples of each move of `line`.
    pub line_visits: Vec<u64>,
}

impl Standing {
    /// The standing that an [`Event::Progress`] reports; `None` for other events. `moves` are the
    /// texts of the search's moves in the order of its arms: `Board::arm_texts`, or
    /// `Steering::arm_texts` if it may not choose all.
    pub fn at(event: Event<'_>, moves: &[String]) -> Option<Standing> {
        let Event::Progress { arms, priors, best, lines, .. } = event else { return None };
        let mut order: Vec<usize> = (0..arms.len()).collect();
        let key = |&arm: &usize| (arm == best, arms.count(arm), mean(arms, arm));
        order.sort_by(|a, b| key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal));
        let candidates = order.into_iter().map(|arm| {
            // Without a network all moves are equal.
            let prior = priors.get(arm).copied().unwrap_or(1.0 / arms.len() as f64);
            Candidate { prior, ..candidate(arm, arms, lines, moves) }
        });
        Some(Standing { visits: arms.total(), candidates: candidates.collect() })
    }
}

fn mean(arms: &Arms, arm: usize) -> f64 {
    if arms.count(arm) == 0 { 0.5 } else { arms.mean(arm) }
}

/// A lower bound of a win rate, from 0 to 1.
pub(crate) fn lower_bound(visits: u64, winrate: f64) -> f64 {
    // One win and one loss more keep the bound from being certain of 0 or 1.
    let samples = visits as f64 + 2.0;
    let smoothed = (winrate * visits as f64 + 1.0) / samples;
    let error = (smoothed * (1.0 - smoothed) / samples).sqrt();
    (winrate - LCB_ERRORS * error).clamp(0.0, 1.0)
}

fn candidate(arm: usize, arms: &Arms, lines: Lines<'_>, moves: &[String]) -> Candidate {
    let visits = arms.count(arm);
    let winrate = mean(arms, arm);
    let after = if visits > 0 { lines.after(arm) } else { Vec::new() };
    let (mut line, mut line_visits) = (vec![moves[arm].clone()], vec![visits]);
    for (mv, visits) in after {
        line.push(mv);
        line_visits.push(visits);
    }
    Candidate {
        mv: moves[arm].clone(),
        visits,
        winrate,
        variance: variance(arms, arm),
        lcb: lower_bound(visits, winrate),
        prior: 0.0,
        line,
        line_visits,
    }
}
