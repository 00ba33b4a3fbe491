//! A hint in words.

use tesuji::search::{ArmReport, Report};

/// The best move and the next one, as a sentence.
pub(super) fn sentence(report: &Report<String>) -> String {
    let mut ranking = report.ranking();
    if report.rounds.is_empty() && !ranking.is_empty() {
        // A tree knows a move by its visits: the mean of a few says little.
        ranking[1..].sort_by_key(|&arm| std::cmp::Reverse(report.arms[arm].visits));
    }
    let best = |arm: usize| format!("I would play {}.", valued(&report.arms[arm], " expected"));
    match ranking[..] {
        [] => "There is no move.".to_owned(),
        [only] if report.arms.len() == 1 => format!("{} is the only move.", report.arms[only].mv),
        [first] => best(first),
        [first, second, ..] => {
            let (first_arm, second_arm) = (&report.arms[first], &report.arms[second]);
            // A few samples may look better than many.
            let is_doubtful = second_arm.mean > first_arm.mean && second_arm.visits < first_arm.visits;
            let doubt = if is_doubtful { ", from fewer samples" } else { "" };
            format!("{} Next best: {}{doubt}.", best(first), valued(second_arm, ""))
        }
    }
}

/// A move and what is known of it; `expected` explains a share.
fn valued(arm: &ArmReport<String>, expected: &str) -> String {
    match (arm.proof, arm.mean) {
        (Some(outcome), _) => format!("{} ({outcome}, proved)", arm.mv),
        (None, Some(mean)) => format!("{} ({:.0} %{expected})", arm.mv, 100.0 * mean),
        (None, None) => arm.mv.clone(),
    }
}
