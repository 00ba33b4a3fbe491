//! Matches as tables with a row a cell, and what a terminal shows of an experiment.

use tesuji_arena::statistics::Verdict;

use super::block::{elo_words, time};
use super::{
    CellResults, GridResults, MatchResults, Pivot, block, by_row, disagreements, percent,
    percent_with_interval, verdicts,
};
use crate::numbers::{decimal, grouped};
use crate::verdicts::{DECIDES_GAMES, decides};
use crate::{Screen, Table, TableCell, tournament};

/// Returns the results for a terminal. Each table is printed as in the paper if it has rows and
/// columns, as a block if it is a single match, else with one row for each cell. The comparison
/// with what was published follows. Cells without games are left out. Of a tournament it is the
/// rating list with its tables.
pub fn text(results: &MatchResults, screen: &Screen) -> String {
    if let Some(tournament) = &results.tournament {
        return tournament::text(tournament, &results.title, screen);
    }
    let mut text = String::new();
    for grid in &results.grids {
        let title = title(results, grid);
        let played = grid.played();
        let table = match (&played.cells[..], Pivot::of(&played)) {
            ([], _) => format!("{title}: no games yet\n"),
            // With its scores in it.
            ([cell], _) if cell.published.is_none() => block(cell, None, screen),
            (_, Some(pivot)) => format!("{title}\n{}{}", pivot.text(screen), scores(grid)),
            _ => {
                brief(results, &played).text(screen) + &screen.wrapped(&(open_words(&played) + &scores(grid)))
            }
        };
        let rows = by_row(grid).map_or_else(String::new, |table| format!("\n{}", table.text(screen)));
        let line = verdicts(grid).map_or_else(String::new, |line| line + "\n");
        text += &format!("{table}{rows}{}\n", screen.wrapped(&line));
    }
    text
}

/// Returns the engines whose scores disagree with the rules, as one line. Empty if all agree.
pub(crate) fn scores(grid: &GridResults) -> String {
    disagreements(grid).map_or_else(String::new, |line| line + "\n")
}

/// Returns what the column `decides` of [`brief`] says, as a line. Empty if no verdict is open.
pub(crate) fn open_words(grid: &GridResults) -> String {
    if has_open(grid) { format!("{DECIDES_GAMES}\n") } else { String::new() }
}

fn has_open(grid: &GridResults) -> bool {
    grid.cells.iter().any(|cell| cell.verdict() == Some(Verdict::Open))
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
    let mut columns = vec!["id", "", label, "#games", "#won, %"];
    let has_in_flight = grid.cells.iter().any(|cell| cell.in_flight > 0);
    if has_in_flight {
        columns.insert(4, "#in flight");
    }
    let is_open = has_open(grid);
    let more: &[&str] = if is_published { &["#published", "verdict"] } else { &["#Elo"] };
    columns.extend(more);
    columns.extend(is_open.then_some("#decides"));
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
            or_empty(cell.rate.map(|rate| percent_with_interval(rate, cell.interval))),
        ];
        let mut row = Vec::from(texts.map(TableCell::from));
        if has_in_flight {
            row.insert(4, grouped(cell.in_flight).into());
        }
        if is_published {
            let [published, _, verdict, decides] = comparison(cell);
            row.extend([published, verdict]);
            row.extend(is_open.then_some(decides));
        } else {
            row.push(or_empty(cell.strength.map(|it| elo_words(it.elo, it.elo_interval))).into());
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
    let has_in_flight = grid.cells.iter().any(|cell| cell.in_flight > 0);
    let has_voids = grid.cells.iter().any(|cell| cell.voids > 0);
    let label = if grid.label.is_empty() { "player" } else { grid.label.as_str() };
    let mut columns = vec!["id", "", label, "#games", "#won, %", "#as Black", "#as White"];
    columns.extend(has_white.then_some("#published as White"));
    columns.extend(["#published", "#difference", "verdict", "#decides"]);
    columns.extend(["#Elo", "#distinct", "#plies", "#time a game"]);
    columns.extend(has_in_flight.then_some("#in flight"));
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
            or_empty(cell.rate.map(|rate| percent_with_interval(rate, cell.interval))),
            or_empty(black.map(percent)),
            or_empty(white.map(percent)),
        ];
        let mut row = Vec::from(texts.map(TableCell::from));
        let as_white = || or_empty(cell.published.and_then(|published| published.as_white).map(percent));
        row.extend(has_white.then(|| as_white().into()));
        row.extend(comparison(cell));
        let texts = [
            or_empty(cell.strength.map(|it| elo_words(it.elo, it.elo_interval))),
            grouped(cell.distinct),
            or_empty(cell.mean_plies.map(|plies| decimal(plies, 1))),
            or_empty(cell.mean_seconds.map(time)),
        ];
        row.extend(texts.map(TableCell::from));
        row.extend(has_in_flight.then(|| grouped(cell.in_flight).into()));
        row.extend(has_voids.then(|| grouped(cell.voids).into()));
        row.push(TableCell::command(command(cell)));
        table.cells(row);
    }
    table
}

/// Returns the columns on the published rate: the rate, the difference with its interval, the
/// verdict, and the games that decide it.
fn comparison(cell: &CellResults) -> [TableCell; 4] {
    let published = cell.published.map(|published| percent(published.rate));
    let comparison = cell.comparison.as_ref();
    let difference = comparison.map(|it| percent_with_interval(it.difference, it.interval));
    let decides = comparison.map(|it| match cell.in_flight {
        0 => decides(it.verdict, it.to_decide),
        _ => "in flight".to_owned(),
    });
    [
        published.unwrap_or_default().into(),
        difference.unwrap_or_default().into(),
        cell.verdict().into(),
        decides.unwrap_or_default().into(),
    ]
}
