//! What a search tells of its progress, as a list of moves.

use tesuji_core::{Arms, Candidate, Standing};
use tesuji_search::{Event, Lines};

/// How many standard errors the lower bound of a share of wins lies below it: 95 % of
/// independent samples are within.
const LCB_ERRORS: f64 = 1.96;

/// How the moves stand; nothing at other events. `moves` are the position's search moves
/// ([`Board::search_moves`](tesuji_search::Board::search_moves)), which are the arms.
pub fn standing(event: Event<'_>, moves: &[String]) -> Option<Standing> {
    let Event::Progress { arms, best, lines, .. } = event else { return None };
    let mut order: Vec<usize> = (0..arms.len()).collect();
    let key = |&arm: &usize| (arm == best, arms.count(arm), mean(arms, arm));
    order.sort_by(|a, b| key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal));
    let candidates = order.into_iter().map(|arm| candidate(arm, arms, lines, moves));
    Some(Standing { visits: arms.total(), candidates: candidates.collect() })
}

fn mean(arms: &Arms, arm: usize) -> f64 {
    if arms.count(arm) == 0 { 0.5 } else { arms.mean(arm) }
}

fn candidate(arm: usize, arms: &Arms, lines: Lines<'_>, moves: &[String]) -> Candidate {
    let visits = arms.count(arm);
    let winrate = mean(arms, arm);
    // Of wins and losses; one sample more of each keeps a bound from being certain of 0 or 1.
    let samples = visits as f64 + 2.0;
    let smoothed = (winrate * visits as f64 + 1.0) / samples;
    let error = (smoothed * (1.0 - smoothed) / samples).sqrt();
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
        lcb: (winrate - LCB_ERRORS * error).clamp(0.0, 1.0),
        prior: 1.0 / arms.len() as f64,
        line,
        line_visits,
    }
}
