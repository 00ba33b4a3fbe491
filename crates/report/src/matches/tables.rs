//! Matches as tables with a row a cell, and what a terminal shows of an experiment.

use super::block::time;
use super::{CellResults, GridResults, MatchResults, Pivot, block, disagreements, percent, verdicts};
use crate::numbers::{decimal, grouped};
use crate::{Screen, Table, TableCell};

/// Returns the results for a terminal. Each table is printed as in the paper if it has rows and
/// columns, as a block if it is a single match, else with one row for each cell. The comparison
/// with what was published follows. Cells without games are left out.
pub fn text(results: &MatchResults, screen: &Screen) -> String {
    let mut text = String::new();
    for grid in &results.grids {
        let title = title(results, grid);
        let played = grid.played();
        let table = match (&played.cells[..], Pivot::of(&played)) {
            ([], _) => format!("{title}: no games yet\n"),
            // With its scores in it.
            ([cell], _) if cell.published.is_none() => block(cell, None, screen),
            (_, Some(pivot)) => format!("{title}\n{}{}", pivot.text(screen), scores(grid)),
            _ => brief(results, &played).text(screen) + &scores(grid),
        };
        let line = verdicts(grid).map_or_else(String::new, |line| line + "\n");
        text += &format!("{table}{line}\n");
    }
    text
}

/// Returns the engines whose scores disagree with the rules, as one line. Empty if all agree.
pub(crate) fn scores(grid: &GridResults) -> String {
    disagreements(grid).map_or_else(String::new, |line| line + "\n")
}

fn title(results: &MatchResults, grid: &GridResults) -> String {
    let titles = [results.title.as_str(), grid.title.as_str()];
    titles.into_iter().filter(|title| !title.is_empty()).collect::<Vec<_>>().join(": ")
}

/// Returns a table with one row for each cell that fits a terminal: with published rates if there
/// are any, else with the Elo.
pub(crate) fn brief(results: &MatchResults, grid: &GridResults) -> Table {
    let is_published = grid.cells.iter().any(|cell| cell.published.is_some());
    let label = if grid.label.is_empty() { "player" } else { grid.label.as_str() };
    let mut columns = vec!["id", "", label, "#games", "#won, %", "95 % interval"];
    let more: &[&str] = if is_published { &["#published", "#difference", "verdict"] } else { &["#Elo"] };
    columns.extend(more);
    let mut table = Table::new(title(results, grid), columns);
    let or_empty = |text: Option<String>| text.unwrap_or_default();
    for cell in &grid.cells {
        let texts = [
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
        let mut row = Vec::from(texts.map(TableCell::from));
        if is_published {
            row.push(or_empty(cell.published.map(|published| percent(published.rate))).into());
            let difference = cell.comparison.as_ref().map(|comparison| percent(comparison.difference));
            row.push(or_empty(difference).into());
            row.push(cell.verdict().into());
        } else {
            row.push(or_empty(cell.strength.map(|strength| elo(strength.elo, strength.elo_error))).into());
        }
        table.cells(row);
    }
    table
}

/// Returns a table with one row for each cell that has games, with everything that is known of
/// it. It is wider than a terminal. `command` returns the last column: the command that plays
/// the cell.
pub(crate) fn full(title: &str, grid: &GridResults, command: impl Fn(&CellResults) -> String) -> Table {
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
        let texts = [
            cell.id.clone(),
            cell.row.clone(),
            cell.column.clone(),
            grouped(cell.count.games()),
            or_empty(cell.rate.map(percent)),
            interval(cell),
            or_empty(black.map(percent)),
            or_empty(white.map(percent)),
        ];
        let mut row = Vec::from(texts.map(TableCell::from));
        let as_white = || or_empty(cell.published.and_then(|published| published.as_white).map(percent));
        row.extend(has_white.then(|| as_white().into()));
        row.push(or_empty(cell.published.map(|published| percent(published.rate))).into());
        let difference = cell.comparison.as_ref().map(|comparison| {
            let (low, high) = (comparison.interval.low, comparison.interval.high);
            format!("{} ({} to {})", percent(comparison.difference), percent(low), percent(high))
        });
        row.push(or_empty(difference).into());
        row.push(cell.verdict().into());
        let texts = [
            or_empty(cell.strength.map(|strength| elo(strength.elo, strength.elo_error))),
            grouped(cell.distinct),
            or_empty(cell.mean_plies.map(|plies| decimal(plies, 1))),
            or_empty(cell.mean_seconds.map(time)),
        ];
        row.extend(texts.map(TableCell::from));
        row.extend(has_voids.then(|| grouped(cell.voids).into()));
        row.push(TableCell::command(command(cell)));
        table.cells(row);
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
