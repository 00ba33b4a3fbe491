//! A hint in words.

use tesuji::search::{ArmReport, Report};

/// The best move and the next one, as a sentence.
pub(super) fn sentence(report: &Report<String>) -> String {
    let ranking = report.ranking();
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
