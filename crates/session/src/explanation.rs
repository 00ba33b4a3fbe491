//! In words: why a move was chosen.

use std::fmt::Write as _;

use tesuji_core::Round;
use tesuji_search::{ArmReport, Report};

use crate::error::SessionError;
use crate::session::Session;
use crate::think::{Choice, Reason, Thought};

/// The most moves of a line that are told.
const TOLD: usize = 8;

impl Session {
    /// Why the last move was chosen: a sentence, and one for each halving round.
    pub fn explanation(&self) -> Result<String, SessionError> {
        self.thought().map(explained).ok_or(SessionError::NoThought)
    }
}

fn explained(thought: &Thought) -> String {
    let side = thought.side;
    let mut text = match (&thought.choice, thought.reason) {
        (Choice::Resign, _) => format!("{side} resigns: it has seen no hope in three moves in a row."),
        (Choice::Move(_), Reason::CountIsWon) => {
            format!("{side} passes: the other side has passed, and the count is won.")
        }
        (Choice::Move(_), Reason::Settled) => {
            format!("{side} passes: no point is open, the count is won, and a search confirms it.")
        }
        (Choice::Move(mv), _) => format!("{side} plays {mv}."),
    };
    if !thought.refused.is_empty() {
        let _ = write!(text, " The referee refused {} before.", thought.refused.join(", "));
    }
    let Some(report) = &thought.report else { return text };
    let Some(chosen) = report.chosen else { return text };
    let best = &report.arms[chosen];
    let seconds = thought.time.as_secs_f64();
    let all: u64 = report.arms.iter().map(|arm| arm.visits).sum();
    match best.visits {
        0 => text += &format!("\n{} has no samples", best.mv),
        visits => text += &format!("\n{} of its {}", worth(best), samples(visits)),
    }
    // The budget may also pay for the root's own value, and for several playouts of a sample.
    let spent = report.spent;
    text += &match spent > all {
        false => format!("; {all} in all, {spent} of them new, in {seconds:.2} s"),
        true => format!("; {all} in all, which took {spent} of the budget, in {seconds:.2} s"),
    };
    if let Some(stop) = report.stop {
        let _ = write!(text, "; it ended early: {stop}");
    }
    text.push('.');
    if !thought.line.is_empty() {
        let line: Vec<&str> = thought.line.iter().take(TOLD).map(String::as_str).collect();
        let _ = write!(text, " After {} it expects {}.", best.mv, line.join(" "));
    }
    for (index, round) in report.rounds.iter().enumerate() {
        let _ = write!(text, "\n{}", told(index, round, report));
    }
    if report.rounds.is_empty() {
        let mut others: Vec<&ArmReport<String>> =
            report.arms.iter().filter(|arm| arm.mv != best.mv).collect();
        others.sort_by_key(|arm| std::cmp::Reverse(arm.visits));
        let told = others.iter().filter(|arm| arm.visits > 0).take(3);
        let told: Vec<String> = told.map(|arm| format!("{} of its {}", worth(arm), arm.visits)).collect();
        if !told.is_empty() {
            let _ = write!(text, "\nNext came {}.", told.join("; "));
        }
    }
    text
}

fn samples(count: u64) -> String {
    format!("{count} sample{}", if count == 1 { "" } else { "s" })
}

fn worth(arm: &ArmReport<String>) -> String {
    match (arm.proof, arm.mean) {
        (Some(outcome), _) => format!("{}: {outcome}, proved, by all", arm.mv),
        (None, Some(mean)) => format!("{} won {:.1} %", arm.mv, 100.0 * mean),
        (None, None) => format!("{} won nothing", arm.mv),
    }
}

/// A round in words: who took part, who goes on, where the cut was.
fn told(index: usize, round: &Round, report: &Report<String>) -> String {
    let Round { samples_each, ranking, kept, comebacks, calibration } = round;
    let name = |place: usize| {
        let ranked = &ranking[place];
        format!("{} ({:.3})", report.arms[ranked.arm].mv, ranked.q)
    };
    let n_moves = ranking.len() - comebacks;
    let mut text = format!("Round {}: {n_moves} moves, {} each", index + 1, samples(*samples_each));
    if ranking.is_empty() {
        return text + ".";
    }
    let _ = write!(text, "; best {}", name(0));
    text += &match *kept {
        0 => String::new(),
        1 if ranking.len() > 1 => format!(", which is left; {} was second", name(1)),
        kept if kept < ranking.len() => {
            format!("; {kept} go on, the last of them {}; the first cut is {}", name(kept - 1), name(kept))
        }
        _ => String::new(),
    };
    if *comebacks > 0 {
        let _ = write!(text, "; {comebacks} of those that go on come back");
    }
    if let Some(calibration) = calibration {
        let _ = write!(
            text,
            "; scores and values correlate by {:.2}, like t' = {}",
            calibration.correlation,
            calibration.readable_weight()
        );
    }
    text + "."
}
