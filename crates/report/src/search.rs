//! What a search found, as tables: its moves, and the bracket of its rounds.

use tesuji_search::{ArmReport, Report};

use crate::Table;
use crate::numbers::{decimal, grouped};

/// The moves by what is known of them, the chosen one first and then by visits;
/// at most so many. Columns that would say nothing are left out.
pub fn arms(report: &Report<String>, most: usize) -> Table {
    let has = |known: fn(&ArmReport<String>) -> bool| report.arms.iter().any(known);
    let (amaf, score, proof) =
        (has(|arm| arm.amaf.is_some()), has(|arm| arm.score.is_some()), has(|arm| arm.proof.is_some()));
    let q = report.arms.iter().any(|arm| arm.q.is_some() && arm.q != arm.mean);
    let mut columns = vec!["move", "#visits", "#mean", "#± "];
    columns.extend(amaf.then_some("#AMAF"));
    columns.extend(amaf.then_some("#of"));
    columns.extend(score.then_some("#score"));
    columns.extend(q.then_some("#q"));
    columns.extend(proof.then_some("proved"));
    let order = order(report);
    let shown = order.len().min(most);
    let title = match order.len() - shown {
        0 => "Moves".to_owned(),
        more => format!("Moves: the first {shown}, and {} more (--top)", grouped(more as u64)),
    };
    let mut table = Table::new(title, columns);
    let number = |value: Option<f64>| value.map_or(String::new(), |value| decimal(value, 4));
    for &index in &order[..shown] {
        let arm = &report.arms[index];
        let mark = if report.chosen == Some(index) { " ◀" } else { "" };
        let mut cells = vec![
            format!("{}{mark}", arm.mv),
            grouped(arm.visits),
            number(arm.mean),
            number(standard_error(arm)),
        ];
        cells.extend(amaf.then(|| number(arm.amaf.filter(|amaf| amaf.count > 0).map(|amaf| amaf.mean))));
        cells.extend(amaf.then(|| arm.amaf.map_or(String::new(), |amaf| grouped(amaf.count))));
        cells.extend(score.then(|| number(arm.score)));
        cells.extend(q.then(|| number(arm.q)));
        cells.extend(proof.then(|| arm.proof.map_or(String::new(), |outcome| outcome.to_string())));
        table.row(cells);
    }
    table
}

/// Arms in the order of their interest: the chosen one, then by visits, mean and number.
pub fn order(report: &Report<String>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..report.arms.len()).collect();
    let key = |index: &usize| {
        let arm = &report.arms[*index];
        (report.chosen == Some(*index), arm.visits, arm.mean.unwrap_or(-1.0))
    };
    order.sort_by(|a, b| key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal));
    order
}

/// One standard error of a mean of wins and losses. (Samples of a growing tree
/// depend on each other, so this is the least it can be.)
fn standard_error(arm: &ArmReport<String>) -> Option<f64> {
    let mean = arm.mean.filter(|_| arm.visits > 1)?;
    Some((mean * (1.0 - mean) / (arm.visits - 1) as f64).max(0.0).sqrt())
}

/// Who was cut when: a row for each move, a column for each round with the value
/// it was ranked by there; nothing where the search had no rounds.
pub fn bracket(report: &Report<String>, most: usize) -> Option<Table> {
    let rounds = &report.rounds;
    let first = rounds.first()?;
    let columns = std::iter::once("move".to_owned()).chain(
        rounds.iter().enumerate().map(|(at, round)| format!("#{}: of {}", at + 1, round.ranking.len())),
    );
    let shown = first.ranking.len().min(most);
    let cut: Vec<String> =
        rounds.iter().map(|round| format!("{}→{}", round.ranking.len(), round.kept)).collect();
    let mut table = Table::new(format!("Rounds, by q: {}. × cut, ◀ chosen", cut.join(", ")), columns);
    // Who came furthest is first; among equals, the better in the last round they share.
    let mut order: Vec<usize> = Vec::new();
    for round in rounds.iter().rev() {
        for ranked in &round.ranking {
            if !order.contains(&ranked.arm) {
                order.push(ranked.arm);
            }
        }
    }
    for &arm in &order[..shown.min(order.len())] {
        let name = report.arms.get(arm).map_or_else(|| arm.to_string(), |arm| arm.mv.clone());
        let cells =
            rounds.iter().map(|round| match round.ranking.iter().position(|ranked| ranked.arm == arm) {
                None => String::new(),
                Some(place) => {
                    let mark = match place < round.kept {
                        _ if round.kept == 1 && place == 0 => " ◀",
                        true => "  ",
                        false => " ×",
                    };
                    format!("{}{mark}", decimal(round.ranking[place].q, 4))
                }
            });
        table.row(std::iter::once(name).chain(cells));
    }
    Some(table)
}

/// What the search did, in a line or two.
pub fn summary(report: &Report<String>) -> String {
    let mut parts = vec![format!("{} of {} samples", grouped(report.spent), grouped(report.budget))];
    if report.carried > 0 {
        parts.push(format!("{} left for the next move", grouped(report.carried)));
    }
    let memory = report.memory;
    if memory.nodes > 0 {
        parts.push(format!(
            "{} positions and {} moves in memory, {:.1} MB",
            grouped(memory.nodes as u64),
            grouped(memory.edges as u64),
            memory.bytes as f64 / 1e6
        ));
    }
    match report.stop {
        Some(stop) => format!("{}. It stopped early: {stop}.", parts.join("; ")),
        None => format!("{}.", parts.join("; ")),
    }
}
