//! A hint in words.

use tesuji::search::{ArmReport, Report};

/// The best move and the next one, as a sentence.
pub(super) fn sentence(report: &Report<String>) -> String {
    let mut ranking = report.ranking();
    if report.rounds.is_empty() && !ranking.is_empty() {
        // A tree knows a move by its visits: the mean of a few says little.
        ranking[1..].sort_by_key(|&arm| std::cmp::Reverse(report.arms[arm].visits));
    }
    match ranking[..] {
        [] => "There is no move.".to_owned(),
        [only] if report.arms.len() == 1 => format!("{} is the only move.", report.arms[only].mv),
        [best] => format!("{}.", valued(&report.arms[best])),
        [best, next, ..] => {
            format!("{}; next best: {}.", valued(&report.arms[best]), valued(&report.arms[next]))
        }
    }
}

fn valued(arm: &ArmReport<String>) -> String {
    match (arm.proof, arm.mean) {
        (Some(outcome), _) => format!("{} (proved: {outcome})", arm.mv),
        (None, Some(mean)) => format!("{}, with {:.0} % expected", arm.mv, 100.0 * mean),
        (None, None) => arm.mv.clone(),
    }
}
