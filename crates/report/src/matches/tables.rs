//! Matches as tables: a row a cell.

use super::{CellResults, GridResults, MatchResults};
use crate::Table;
use crate::numbers::{decimal, grouped};

/// One table for each grid, measured beside published.
pub fn tables(results: &MatchResults) -> Vec<Table> {
    results.grids.iter().map(|grid| table(results, grid)).collect()
}

fn table(results: &MatchResults, grid: &GridResults) -> Table {
    let title = [results.title.as_str(), grid.title.as_str()]
        .into_iter()
        .filter(|title| !title.is_empty())
        .collect::<Vec<_>>()
        .join(": ");
    let mut table = Table::new(
        title,
        [
            "",
            grid.label.as_str(),
            "#games",
            "#won, %",
            "95 % interval",
            "#published",
            "#difference",
            "verdict",
        ],
    );
    for cell in &grid.cells {
        table.row(row(cell));
    }
    table
}

fn row(cell: &CellResults) -> [String; 8] {
    let percent = |rate: f64| decimal(100.0 * rate, 1);
    let interval = match cell.rate {
        Some(_) => format!("{} to {}", percent(cell.interval.low), percent(cell.interval.high)),
        None => String::new(),
    };
    [
        cell.row.clone(),
        cell.column.clone(),
        grouped(cell.count.games()),
        cell.rate.map_or_else(String::new, percent),
        interval,
        cell.published.map_or_else(String::new, |published| percent(published.rate)),
        cell.comparison.as_ref().map_or_else(String::new, |comparison| percent(comparison.difference)),
        cell.comparison.as_ref().map_or_else(String::new, |comparison| comparison.verdict.word().to_owned()),
    ]
}
