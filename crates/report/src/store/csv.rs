//! One row a cell, of all experiments, as programs for tables read it.
//!
//! All kinds are in one table, with what they share first: `n` games or runs, and the
//! `value` with its 95 % interval, a rate of wins or a simple regret. What the other kind
//! has is left empty. Shares are from 0 to 1.

use tesuji_arena::statistics::Verdict;

use super::{ExperimentReport, StoreReport};
use crate::matches::CellResults;
use crate::numbers::Z_95;
use crate::tuning::{TunedCandidate, TuningResults};

const COLUMNS: [&str; 37] = [
    "kind",
    "experiment",
    "version",
    "table",
    "row",
    "column",
    "id",
    "game",
    "player",
    "opponent",
    "n",
    "value",
    "low",
    "high",
    "published",
    "published_n",
    "published_as_white",
    "difference",
    "difference_low",
    "difference_high",
    "verdict",
    "to_decide",
    "wins",
    "draws",
    "losses",
    "rate_as_black",
    "rate_as_white",
    "elo",
    "elo_error",
    "los",
    "distinct_games",
    "mean_plies",
    "mean_seconds",
    "voids",
    "samples",
    "standard_error",
    "in_flight",
];

impl StoreReport {
    /// Returns all cells as CSV, under a line with the names of the columns.
    pub fn csv(&self) -> String {
        let mut text = line(COLUMNS.map(str::to_owned));
        for experiment in &self.experiments {
            match experiment {
                ExperimentReport::Matches(report) => {
                    let name = &report.whole.name;
                    for (version, results) in report.versions() {
                        let version = if version == super::Version::Quick { "quick" } else { "whole" };
                        for grid in &results.grids {
                            for cell in grid.cells.iter().filter(|cell| cell.has_games()) {
                                text += &line(match_row([name, version, &grid.title], cell));
                            }
                        }
                    }
                    for cell in &report.others {
                        text += &line(match_row([name, "other", ""], cell));
                    }
                }
                ExperimentReport::Bandits(report) => {
                    for panel in report.results.iter().flat_map(|results| &results.panels) {
                        for cell in &panel.cells {
                            text += &line(bandit_row([&report.name, &panel.title], cell));
                        }
                    }
                }
                ExperimentReport::Tuning(results) => {
                    for candidate in &results.candidates {
                        text += &line(tuning_row(results, candidate));
                    }
                }
                ExperimentReport::Unreadable { .. } => {}
            }
        }
        text
    }
}

fn match_row([experiment, version, table]: [&str; 3], cell: &CellResults) -> [String; 37] {
    let comparison = cell.comparison.as_ref();
    let strength = cell.strength.as_ref();
    let [black, white] = cell.rates_by_side();
    [
        "matches".to_owned(),
        experiment.to_owned(),
        version.to_owned(),
        table.to_owned(),
        cell.row.clone(),
        cell.column.clone(),
        cell.id.clone(),
        cell.game.clone(),
        cell.player.clone(),
        cell.opponent.clone(),
        cell.count.games().to_string(),
        number(cell.rate),
        number(Some(cell.interval.low)),
        number(Some(cell.interval.high)),
        number(cell.published.map(|published| published.rate)),
        cell.published.map_or_else(String::new, |published| published.games.to_string()),
        number(cell.published.and_then(|published| published.as_white)),
        number(comparison.map(|comparison| comparison.difference)),
        number(comparison.map(|comparison| comparison.interval.low)),
        number(comparison.map(|comparison| comparison.interval.high)),
        verdict(cell.verdict()),
        whole(comparison.and_then(|comparison| comparison.to_decide)),
        cell.count.wins.to_string(),
        cell.count.draws.to_string(),
        cell.count.losses.to_string(),
        number(black),
        number(white),
        number(strength.map(|strength| strength.elo)),
        number(strength.map(|strength| strength.elo_error)),
        number(strength.map(|strength| strength.los)),
        cell.distinct.to_string(),
        number(cell.mean_plies),
        number(cell.mean_seconds),
        cell.voids.to_string(),
        String::new(),
        String::new(),
        cell.in_flight.to_string(),
    ]
}

fn bandit_row([experiment, table]: [&str; 2], cell: &tesuji_arena::MeasuredCell) -> [String; 37] {
    let row = &cell.row;
    let mut all = [const { String::new() }; 37];
    let mut put = |column: &str, text: String| {
        if let Some(place) = COLUMNS.iter().position(|name| *name == column) {
            all[place] = text;
        }
    };
    put("kind", "bandits".to_owned());
    put("experiment", experiment.to_owned());
    put("version", "whole".to_owned());
    put("table", table.to_owned());
    put("row", cell.series.clone());
    put("column", cell.group.clone());
    put("game", row.arms.to_string());
    put("player", row.policy.to_string());
    put("n", row.runs.to_string());
    put("value", number(Some(row.regret)));
    put("low", number(Some(row.regret - Z_95 * row.se)));
    put("high", number(Some(row.regret + Z_95 * row.se)));
    put("published", number(cell.published.map(|published| published.value)));
    put("published_n", cell.published.map_or_else(String::new, |published| published.runs.to_string()));
    let comparison = cell.comparison.as_ref();
    put("difference", number(comparison.map(|comparison| comparison.difference)));
    put("difference_low", number(comparison.map(|comparison| comparison.interval.low)));
    put("difference_high", number(comparison.map(|comparison| comparison.interval.high)));
    put("verdict", verdict(comparison.map(|comparison| comparison.verdict)));
    put("to_decide", whole(comparison.and_then(|comparison| comparison.to_decide)));
    put("samples", row.budget.to_string());
    put("standard_error", number(Some(row.se)));
    all
}

/// Returns a candidate, with the win rate that the model expects and its interval.
fn tuning_row(results: &TuningResults, candidate: &TunedCandidate) -> [String; 37] {
    let mut all = [const { String::new() }; 37];
    let mut put = |column: &str, text: String| {
        if let Some(place) = COLUMNS.iter().position(|name| *name == column) {
            all[place] = text;
        }
    };
    put("kind", "tuning".to_owned());
    put("experiment", results.name.clone());
    put("version", "whole".to_owned());
    put("table", "candidates".to_owned());
    put("row", candidate.player.clone());
    put("game", results.game.clone());
    put("player", candidate.player.clone());
    put("opponent", results.against.join(", "));
    put("n", candidate.games.to_string());
    put("value", number(Some(candidate.expected)));
    put("low", number(Some(candidate.interval.low)));
    put("high", number(Some(candidate.interval.high)));
    all
}

/// Returns a verdict in lower case, or an empty text if there is none.
fn verdict(verdict: Option<Verdict>) -> String {
    verdict.map_or_else(String::new, |verdict| verdict.to_string().to_lowercase())
}

/// Returns a whole number, or an empty text if there is none.
fn whole(value: Option<u64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Returns a number as programs read it, or an empty text if there is none.
pub(super) fn number(value: Option<f64>) -> String {
    match value {
        Some(f64::INFINITY) => "inf".to_owned(),
        Some(f64::NEG_INFINITY) => "-inf".to_owned(),
        Some(value) if !value.is_nan() => format!("{}", (value * 1e9).round() / 1e9 + 0.0),
        _ => String::new(),
    }
}

pub(super) fn line(cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|cell| quoted(&cell)).collect();
    cells.join(",") + "\n"
}

/// Returns the text in quotes if RFC 4180 requires them.
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let cells = ["go:9", "a,b", "gtp(\"x\")", "two\nlines"].map(str::to_owned);
        assert_eq!(line(cells), "go:9,\"a,b\",\"gtp(\"\"x\"\")\",\"two\nlines\"\n");
    }

    #[test]
    fn numbers_are_plain() {
        let all = [Some(0.1 + 0.2), Some(f64::INFINITY), Some(f64::NAN), None, Some(-12.0)];
        assert_eq!(all.map(number), ["0.3", "inf", "", "", "-12"]);
    }
}
