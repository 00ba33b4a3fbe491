//! What a search found, as tables: its moves, and the bracket of its rounds; and the JSON
//! of `tesuji search` and `tesuji analyze`.

mod json;

use tesuji_core::{Calibration, Stop};
use tesuji_search::{ArmReport, Report, SearchStop};

use crate::numbers::{bytes, decimal, grouped, readable};
use crate::{Screen, Table};

pub use json::{AnalysedArm, AnalysisJson, SearchJson, Searched, analysed};

/// Which columns say something. The others are left out.
struct Columns {
    visits: bool,
    amaf: bool,
    score: bool,
    q: bool,
    proof: bool,
}

impl Columns {
    fn of(report: &Report<String>) -> Columns {
        let any = |known: fn(&ArmReport<String>) -> bool| report.arms.iter().any(known);
        Columns {
            visits: any(|arm| arm.visits > 0),
            amaf: any(|arm| arm.amaf.is_some_and(|amaf| amaf.count > 0)),
            // Most scores are the AMAF means, which stand beside them already.
            score: any(|arm| {
                arm.score.is_some() && arm.score != Some(arm.amaf.map_or(0.0, |amaf| amaf.mean))
            }),
            q: any(|arm| arm.q.is_some() && arm.q != arm.mean),
            proof: any(|arm| arm.proof.is_some()),
        }
    }
}

/// The moves by what is known of them, the chosen one first and then by visits;
/// at most so many. Columns that would say nothing are left out.
pub fn arms(report: &Report<String>, most: usize) -> Table {
    let shows = Columns::of(report);
    let mut columns = vec!["move"];
    columns.extend(shows.visits.then_some(["#visits", "#mean", "#±"]).into_iter().flatten());
    columns.extend(shows.amaf.then_some(["#AMAF", "#AMAF n"]).into_iter().flatten());
    columns.extend(shows.score.then_some("#score"));
    columns.extend(shows.q.then_some("#q"));
    columns.extend(shows.proof.then_some("proved"));
    let order = order(report);
    let shown = order.len().min(most);
    let title = match order.len() - shown {
        0 => "Moves".to_owned(),
        _ => format!("Moves: the first {} of {}", grouped(shown as u64), grouped(order.len() as u64)),
    };
    let mut table = Table::new(title, columns);
    let number = |value: Option<f64>| value.map_or(String::new(), |value| decimal(value, 4));
    for &index in &order[..shown] {
        let arm = &report.arms[index];
        let amaf = arm.amaf.filter(|amaf| amaf.count > 0);
        let is_chosen = report.chosen == Some(index);
        let mark = if is_chosen { " ◀" } else { "" };
        let mut cells = vec![format!("{}{mark}", arm.mv)];
        if shows.visits {
            cells.extend([grouped(arm.visits), number(arm.mean), number(arm.standard_error())]);
        }
        if shows.amaf {
            let count = arm.amaf.map_or(String::new(), |amaf| grouped(amaf.count));
            cells.extend([number(amaf.map(|amaf| amaf.mean)), count]);
        }
        cells.extend(shows.score.then(|| number(arm.score)));
        cells.extend(shows.q.then(|| number(arm.q)));
        cells.extend(shows.proof.then(|| arm.proof.map_or(String::new(), |outcome| outcome.to_string())));
        match is_chosen {
            true => table.chosen_row(cells),
            false => table.row(cells),
        }
    }
    table
}

/// What the columns of [`arms`] mean where it is not plain: a line each, none
/// for a column that is not there.
pub fn legend(report: &Report<String>) -> String {
    let shows = Columns::of(report);
    let has_bonus = report.rounds.iter().flat_map(|round| &round.ranking).any(|ranked| ranked.bonus != 0.0);
    let is_calibrated = report.rounds.iter().any(|round| round.calibration.is_some());
    let q = match (report.rounds.is_empty(), has_bonus) {
        (false, _) if is_calibrated => {
            "q: the expected reward of the better of this move and the best one, if its value became known; in the \
             last round, the expected value of the move"
        }
        (true, _) => "q: the value by which the search chooses the next sample",
        (false, true) => "q: the mean plus a bonus for the score; the move's last round ranked it by q",
        (false, false) => "q: the mean by which the move's last round ranked it",
    };
    let lines = [
        (shows.visits, "mean: the reward of the side to move, 1 for a win; ±: one standard error"),
        (shows.amaf, "AMAF: the mean of the n simulations in which the side plays the move at any time"),
        (shows.score, "score: what the search knows of the move apart from its own samples"),
        (shows.q, q),
    ];
    lines.iter().filter(|(is_there, _)| *is_there).map(|(_, line)| format!("{line}\n")).collect()
}

/// Arms in the order of their interest: the chosen one, then by visits, mean, score and number.
pub fn order(report: &Report<String>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..report.arms.len()).collect();
    let key = |index: &usize| {
        let arm = &report.arms[*index];
        let score = arm.score.unwrap_or(f64::NEG_INFINITY);
        (report.chosen == Some(*index), arm.visits, arm.mean.unwrap_or(-1.0), score)
    };
    order.sort_by(|a, b| key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal));
    order
}

/// How the cells of a bracket are written.
#[derive(Clone, Copy)]
struct Style {
    decimals: usize,
    /// What stands between a number and its mark.
    blank: &'static str,
    /// Whether columns have the number of their round.
    is_numbered: bool,
}

/// From the widest to the narrowest.
const STYLES: [Style; 4] = [
    Style { decimals: 4, blank: " ", is_numbered: true },
    Style { decimals: 4, blank: "", is_numbered: false },
    Style { decimals: 3, blank: "", is_numbered: false },
    Style { decimals: 2, blank: "", is_numbered: false },
];

/// Who was cut when: a row for each move, a column for each round with the value
/// it was ranked by there; nothing where the search had no rounds. Many rounds
/// get fewer decimals, and very many are left out between the first and the last.
pub fn bracket(report: &Report<String>, most: usize, screen: &Screen) -> Option<Table> {
    let rounds = &report.rounds;
    let n_moves = rounds.first()?.ranking.len();
    // Who came furthest is first; among equals, the better in the last round they share.
    let mut order: Vec<usize> = Vec::with_capacity(n_moves);
    let mut is_in = vec![false; report.arms.len()];
    for ranked in rounds.iter().rev().flat_map(|round| &round.ranking) {
        if !std::mem::replace(&mut is_in[ranked.arm], true) {
            order.push(ranked.arm);
        }
    }
    order.truncate(most);
    let names: Vec<&str> = order.iter().map(|&arm| report.arms[arm].mv.as_str()).collect();
    let written = |style: Style| -> Vec<Vec<String>> {
        (0..rounds.len()).map(|round| column(report, round, &order, style)).collect()
    };
    let own = names.iter().map(|name| width(name)).max().unwrap_or(0).max(4) + PADDING;
    let room = screen.width.saturating_sub(own);
    let mut columns = Vec::new();
    for style in STYLES {
        columns = written(style);
        if columns.iter().map(|column| column_width(column)).sum::<usize>() <= room {
            break;
        }
    }
    let left_out = leave_out(&mut columns, room);
    let sizes: Vec<String> = (rounds.iter().map(|round| round.ranking.len() - round.comebacks))
        .chain(rounds.last().map(|round| round.kept))
        .map(|size| size.to_string())
        .collect();
    let chain = match left_out {
        0 => sizes.join("→"),
        // The first and the last rounds, as in the columns.
        _ => format!("{}→…→{}", sizes[0], sizes[1 + left_out..].join("→")),
    };
    let title = format!("Rounds, {chain}: the value that ranked each move, until cut (×) or played (◀)");
    let head =
        std::iter::once("move".to_owned()).chain(columns.iter().map(|column| format!("#{}", column[0])));
    let mut table = Table::new(title, head);
    for (row, name) in names.iter().enumerate() {
        let cells = columns.iter().map(|column| column[row + 1].clone());
        let cells = std::iter::once((*name).to_owned()).chain(cells);
        match report.chosen == Some(order[row]) {
            true => table.chosen_row(cells),
            false => table.row(cells),
        }
    }
    Some(table)
}

/// What a table adds to the widest cell of a column.
const PADDING: usize = 3;

fn width(text: &str) -> usize {
    text.chars().count()
}

fn column_width(column: &[String]) -> usize {
    column.iter().map(|cell| width(cell)).max().unwrap_or(0) + PADDING
}

/// The head of a round's column, and its cells for these arms.
fn column(report: &Report<String>, index: usize, order: &[usize], style: Style) -> Vec<String> {
    let round = &report.rounds[index];
    let is_last = |arm: usize| {
        let later = report.rounds.get(index + 1);
        later.is_none_or(|round| round.ranking.iter().all(|ranked| ranked.arm != arm))
    };
    // A budget that is small for many moves leaves none for the first rounds.
    let is_blind = report.rounds[..=index].iter().all(|round| round.samples_each == 0)
        && round.ranking.iter().all(|ranked| ranked.q == 0.0);
    let mut places = vec![None; report.arms.len()];
    for (place, ranked) in round.ranking.iter().enumerate() {
        places[ranked.arm] = Some(place);
    }
    let cell = |&arm: &usize| {
        let Some(place) = places[arm] else { return String::new() };
        let mark = match place < round.kept {
            true if report.chosen == Some(arm) && is_last(arm) => "◀",
            true => " ",
            false => "×",
        };
        let q = match is_blind {
            true => "–".to_owned(),
            false => decimal(round.ranking[place].q, style.decimals),
        };
        format!("{q}{}{mark}", style.blank)
    };
    let size = round.ranking.len() - round.comebacks;
    let head = if style.is_numbered { format!("{}: of {size}", index + 1) } else { format!("of {size}") };
    std::iter::once(head).chain(order.iter().map(cell)).collect()
}

/// Puts a column of dots in the place of the rounds that there is no room for,
/// from the second on. Gives their number.
fn leave_out(columns: &mut Vec<Vec<String>>, room: usize) -> usize {
    let mut total: usize = columns.iter().map(|column| column_width(column)).sum();
    if total <= room {
        return 0;
    }
    let dots = 1 + PADDING;
    let mut left_out = 0;
    while total + dots > room && columns.len() > 2 {
        total -= column_width(&columns.remove(1));
        left_out += 1;
    }
    let height = columns.first().map_or(0, Vec::len);
    columns.insert(1, vec!["…".to_owned(); height]);
    left_out
}

/// What the search did, a sentence in each line.
pub fn summary(report: &Report<String>) -> String {
    let mut lines = Vec::new();
    let spent = grouped(report.spent);
    let samples = match report.stop {
        // Under a clock the budget is only what was expected.
        Some(SearchStop::Time) => format!("{spent} samples in its time"),
        _ if report.spent == report.budget => format!("{spent} samples"),
        _ => format!("{spent} of {} samples", grouped(report.budget)),
    };
    let memory = report.memory;
    lines.push(match memory.nodes {
        0 => format!("{samples}."),
        // A search that took no samples has nothing to remember.
        _ if report.spent == 0 => format!("{samples}."),
        nodes => format!(
            "{samples}; {} and {} in memory, {}.",
            counted(nodes, "position"),
            counted(memory.edges, "move"),
            bytes(memory.bytes as u64)
        ),
    });
    let early = match report.stop {
        None | Some(SearchStop::Time) => None,
        Some(SearchStop::Proved(outcome)) => Some(format!("{outcome}, proved")),
        Some(SearchStop::Allocator(Stop::NotWorthIt { value, cost })) => {
            let (value, cost) = (readable(value), readable(cost));
            Some(format!("no sample is worth its cost, {cost}; the most valuable is worth {value}"))
        }
        Some(stop) => Some(stop.to_string()),
    };
    lines.extend(match report.stop {
        Some(SearchStop::Cancelled) => Some("Stopped by Ctrl-C.".to_owned()),
        _ => early.map(|reason| format!("It stopped early: {reason}.")),
    });
    for focused in &report.focused {
        let samples = grouped(focused.samples);
        lines.push(format!("{} got {samples} samples more.", report.arms[focused.arm].mv));
    }
    // What is proved is said to be, and who stopped has said how sure it is.
    let is_said =
        matches!(report.stop, Some(SearchStop::Proved(_) | SearchStop::Sure { .. } | SearchStop::OneMove));
    // A lower bound that is low says nothing.
    let is_worth_saying = |confidence: &f64| *confidence >= 0.5 && !is_said;
    if let Some(confidence) = report.confidence.filter(is_worth_saying) {
        // Rounded down: it is never surer than it says.
        lines.push(format!(
            "By its samples, its choice is right with a chance of at least {}%.",
            (confidence * 100.0).floor()
        ));
    }
    if let [first, .., last] = &learnt(report)[..] {
        lines.push(format!("Scores and values: {first} after the first round, {last} after the last."));
    }
    if report.carried > 0 {
        lines.push(format!("{} samples are left for the next move.", grouped(report.carried)));
    }
    lines.join("\n")
}

/// What a calibrated search learnt about its scores, round by round.
fn learnt(report: &Report<String>) -> Vec<String> {
    let said = |calibration: Calibration| {
        let Calibration { slope, residual, correlation, .. } = calibration;
        let (slope, residual, weight) =
            (decimal(slope, 2), readable(residual), calibration.readable_weight());
        format!("correlation {correlation:.2}, slope {slope}, τ² {residual}, like t' = {weight}")
    };
    report.rounds.iter().filter_map(|round| round.calibration).map(said).collect()
}

fn counted(count: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(count as u64), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests;
