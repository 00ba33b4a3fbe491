//! Matches as tables with a row a cell, and what a terminal shows of an experiment.

use super::block::time;
use super::{
    CellResults, GridResults, MatchResults, Pivot, block, cell_verdict, disagreements, percent, verdicts,
};
use crate::Table;
use crate::numbers::{decimal, grouped};

/// What a terminal shows: of each grid a table as in the paper where it has rows and
/// columns, the match alone where it is one, else a row a cell; and how it agrees with what
/// was published. What has no games is left out.
pub fn text(results: &MatchResults) -> String {
    let mut text = String::new();
    for grid in &results.grids {
        let title = title(results, grid);
        let played = grid.played();
        let table = match (&played.cells[..], Pivot::of(&played)) {
            ([], _) => format!("{title}: no games yet\n"),
            // With its scores in it.
            ([cell], _) if cell.published.is_none() => block(cell, None),
            (_, Some(pivot)) => format!("{title}\n{}{}", pivot.text(), scores(grid)),
            _ => brief(results, &played).text() + &scores(grid),
        };
        let line = verdicts(grid).map_or_else(String::new, |line| line + "\n");
        text += &format!("{table}{line}\n");
    }
    text
}

/// Which engines count otherwise, on a line; empty where none do.
pub(crate) fn scores(grid: &GridResults) -> String {
    disagreements(grid).map_or_else(String::new, |line| line + "\n")
}

/// One table for each grid, a row a cell.
pub fn tables(results: &MatchResults) -> Vec<Table> {
    results.grids.iter().map(|grid| brief(results, grid)).collect()
}

fn title(results: &MatchResults, grid: &GridResults) -> String {
    let titles = [results.title.as_str(), grid.title.as_str()];
    titles.into_iter().filter(|title| !title.is_empty()).collect::<Vec<_>>().join(": ")
}

/// A row a cell, as much as fits a terminal: with what was published where something was,
/// else with the Elo.
pub fn brief(results: &MatchResults, grid: &GridResults) -> Table {
    let is_published = grid.cells.iter().any(|cell| cell.published.is_some());
    let label = if grid.label.is_empty() { "player" } else { grid.label.as_str() };
    let mut columns = vec!["id", "", label, "#games", "#won, %", "95 % interval"];
    let more: &[&str] = if is_published { &["#published", "#difference", "verdict"] } else { &["#Elo"] };
    columns.extend(more);
    let mut table = Table::new(title(results, grid), columns);
    let or_empty = |text: Option<String>| text.unwrap_or_default();
    for cell in &grid.cells {
        let mut row = vec![
            cell.id.clone(),
            cell.row.clone(),
            cell.column.clone(),
            match results.games {
                0 => grouped(cell.count.games()),
                wanted => format!("{}/{wanted}", cell.count.games()),
            },
            or_empty(cell.rate.map(percent)),
            or_empty(cell.rate.map(|_| interval(cell))),
        ];
        if is_published {
            row.push(or_empty(cell.published.map(|published| percent(published.rate))));
            row.push(or_empty(cell.comparison.as_ref().map(|comparison| percent(comparison.difference))));
            row.push(cell_verdict(cell).to_owned());
        } else {
            row.push(or_empty(cell.strength.map(|strength| elo(strength.elo, strength.elo_error))));
        }
        table.row(row);
    }
    table
}

/// A row a cell, with everything that is known of it and more than a terminal is wide; what
/// has no games is left out. Each row's last cell is what `command` says.
pub fn full(title: &str, grid: &GridResults, command: impl Fn(&CellResults) -> String) -> Table {
    let has_white = grid.cells.iter().any(|cell| cell.published.is_some_and(|it| it.as_white.is_some()));
    let has_voids = grid.cells.iter().any(|cell| cell.voids > 0);
    let label = if grid.label.is_empty() { "player" } else { grid.label.as_str() };
    let mut columns = vec!["id", "", label, "#games", "#won, %", "95 % interval", "#as Black", "#as White"];
    columns.extend(has_white.then_some("#published as White"));
    columns.extend(["#published", "#difference", "verdict", "#Elo", "#distinct", "#plies", "#time a game"]);
    columns.extend(has_voids.then_some("#void"));
    columns.push("command");
    let mut table = Table::new(title, columns);
    let or_empty = |text: Option<String>| text.unwrap_or_default();
    for cell in grid.cells.iter().filter(|cell| cell.has_games()) {
        let [black, white] = cell.rates_by_side();
        let mut row = vec![
            cell.id.clone(),
            cell.row.clone(),
            cell.column.clone(),
            grouped(cell.count.games()),
            or_empty(cell.rate.map(percent)),
            interval(cell),
            or_empty(black.map(percent)),
            or_empty(white.map(percent)),
        ];
        row.extend(has_white.then(|| or_empty(cell.published.and_then(|it| it.as_white).map(percent))));
        row.extend([
            or_empty(cell.published.map(|published| percent(published.rate))),
            or_empty(cell.comparison.as_ref().map(|comparison| {
                let (low, high) = (comparison.interval.low, comparison.interval.high);
                format!("{} ({} to {})", percent(comparison.difference), percent(low), percent(high))
            })),
            cell_verdict(cell).to_owned(),
            or_empty(cell.strength.map(|strength| elo(strength.elo, strength.elo_error))),
            grouped(cell.distinct),
            or_empty(cell.mean_plies.map(|plies| decimal(plies, 1))),
            or_empty(cell.mean_seconds.map(time)),
        ]);
        row.extend(has_voids.then(|| grouped(cell.voids)));
        row.push(command(cell));
        table.row(row);
    }
    table
}

fn interval(cell: &CellResults) -> String {
    format!("{} to {}", percent(cell.interval.low), percent(cell.interval.high))
}

fn elo(elo: f64, error: f64) -> String {
    match (elo, error.is_finite()) {
        (f64::INFINITY, _) => "inf".to_owned(),
        (f64::NEG_INFINITY, _) => "−inf".to_owned(),
        (elo, true) => format!("{} ± {}", decimal(elo, 0), decimal(error, 0)),
        (elo, false) => format!("{} ± inf", decimal(elo, 0)),
    }
}
