//! A whole table in one picture: a small panel for each row, all with the same axes. In each are the
//! measured rates with their intervals, the published ones with theirs as a band, the verdicts as
//! signs, and χ² of the row.
//!
//! Several tables with the same rows and columns are readings of one: measured in different ways
//! and drawn as several lines of one picture.

use std::ops::RangeInclusive;

use tesuji_arena::statistics::wilson;

use super::figure::range;
use super::{CellResults, GridResults, MatchResults, chi_square_note, chi_square_words};
use crate::distinct;
use crate::figure::{Axis, Figure, Look, Marks, Panel, Point, Series};
use crate::numbers::grouped;

/// The colour of published rates, a grey that no other line of a table has.
const PUBLISHED: usize = 6;
/// The lines of two readings are drawn so far from each other, in places.
const ASIDE: f64 = 0.16;

/// Returns the tables of an experiment that are drawn together with this one, itself first. Returns
/// `None` if an earlier table is drawn together with it, so that it has no picture of its own.
pub(super) fn readings<'a>(results: &'a MatchResults, grid: &'a GridResults) -> Option<Vec<&'a GridResults>> {
    let is_same_table = |other: &&GridResults| {
        is_drawn_by_row(other)
            && other.label == grid.label
            && other.rows() == grid.rows()
            && other.columns() == grid.columns()
    };
    if !is_drawn_by_row(grid) {
        return Some(vec![grid]);
    }
    let same: Vec<&GridResults> = results.grids.iter().filter(is_same_table).collect();
    match same.iter().position(|other| std::ptr::eq(*other, grid)) {
        Some(0) => Some(same),
        Some(_) => None,
        // A table that is not one of the experiment's, such as a part of one.
        None => Some(vec![grid]),
    }
}

/// Whether a table has several rows and columns with games, and each row a panel of its own.
pub(super) fn is_drawn_by_row(grid: &GridResults) -> bool {
    let played = grid.played();
    let (rows, panels) = (played.rows(), distinct(played.cells.iter().map(|cell| cell.panel.as_str())));
    let row_of = |panel: &str| {
        distinct(played.cells.iter().filter(|cell| cell.panel == panel).map(|cell| cell.row.as_str()))
    };
    rows.len() > 1
        && rows.len() == panels.len()
        && played.columns().len() > 1
        && panels.iter().all(|panel| row_of(panel).len() == 1)
}

/// Returns the picture of a table, with all its readings.
pub(super) fn overview(results: &MatchResults, readings: &[&GridResults]) -> Figure {
    let is_played =
        |row: &str, grid: &&GridResults| grid.cells.iter().any(|it| it.row == row && it.has_games());
    let mut rows = distinct(readings.iter().flat_map(|grid| grid.rows()));
    rows.retain(|row| readings.iter().any(|grid| is_played(row, grid)));
    // A published rate is shown where nothing was measured too: a line from end to end is easier to read.
    let is_shown = |cell: &&CellResults| {
        (cell.has_games() || cell.published.is_some()) && rows.contains(&cell.row.as_str())
    };
    let shown: Vec<Vec<&CellResults>> =
        readings.iter().map(|grid| grid.cells.iter().filter(is_shown).collect()).collect();
    let all = || shown.iter().flatten().copied();
    let in_order = readings.first().map(|grid| grid.columns()).unwrap_or_default();
    let columns: Vec<&str> =
        in_order.into_iter().filter(|column| all().any(|cell| cell.column == **column)).collect();
    let axes = (
        Axis {
            label: readings.first().map(|grid| grid.label.clone()).unwrap_or_default(),
            places: columns.iter().map(|column| (*column).to_owned()).collect(),
            ..Axis::default()
        },
        Axis {
            label: "won, %".to_owned(),
            range: Some(range(all().flat_map(shares))),
            reference: Some(50.0),
            ..Axis::default()
        },
    );
    let panel = |row: &&str| {
        let mut series = Vec::new();
        let mut notes = Vec::new();
        for (number, (grid, cells)) in readings.iter().zip(&shown).enumerate() {
            let here: Vec<&CellResults> = cells.iter().filter(|cell| cell.row == **row).copied().collect();
            let place = |cell: &CellResults| columns.iter().position(|column| *column == cell.column);
            let published: Vec<Point> =
                here.iter().filter_map(|cell| published(cell, place(cell)? as f64)).collect();
            // Readings of one table have one published line.
            if number == 0 && !published.is_empty() {
                let name = if has_other_budget(&here) { "published, another budget" } else { "published" };
                series.push(line(name, PUBLISHED, Look::Published, published));
            }
            let aside = (number as f64 - (readings.len() - 1) as f64 / 2.0) * ASIDE;
            let measured = here.iter().filter_map(|cell| measured(cell, place(cell)? as f64 + aside));
            let name = if readings.len() == 1 { "measured" } else { grid.title.as_str() };
            series.push(line(name, number, Look::Measured, measured.collect()));
            let judged = grid.by_row.iter().find(|it| it.row == **row);
            notes.extend(judged.and_then(|it| it.chi_square).map(|it| chi_square_note(&it)));
        }
        let (x, y) = axes.clone();
        Panel { title: (*row).to_owned(), notes, x, y, marks: Marks::Lines(series) }
    };
    Figure {
        title: match readings {
            [grid] if !grid.title.is_empty() => grid.title.clone(),
            _ => results.title.clone(),
        },
        caption: caption(results, readings),
        columns: match rows.len() {
            2 | 4 => 2,
            3 | 5 | 6 | 9 => 3,
            _ => 4,
        },
        panels: rows.iter().map(panel).collect(),
        shares_axes: true,
    }
}

fn line(name: &str, colour: usize, look: Look, points: Vec<Point>) -> Series {
    Series { name: name.to_owned(), colour: Some(colour), look, points }
}

fn published(cell: &CellResults, x: f64) -> Option<Point> {
    let published = cell.published?;
    let interval = wilson(published.rate * published.games as f64, published.games);
    let interval = Some((100.0 * interval.low, 100.0 * interval.high));
    Some(Point { x, y: 100.0 * published.rate, interval, ..Point::default() })
}

fn measured(cell: &CellResults, x: f64) -> Option<Point> {
    Some(Point {
        x,
        y: 100.0 * cell.rate?,
        error: None,
        interval: Some((100.0 * cell.interval.low, 100.0 * cell.interval.high)),
        verdict: cell.verdict(),
    })
}

/// The shares that are drawn of a cell: the ends of its intervals.
fn shares(cell: &CellResults) -> impl Iterator<Item = f64> {
    let points = [published(cell, 0.0), measured(cell, 0.0)].into_iter().flatten();
    points.filter_map(|point| point.interval).flat_map(|(low, high)| [low / 100.0, high / 100.0])
}

fn has_other_budget(cells: &[&CellResults]) -> bool {
    cells.iter().any(|cell| cell.published.is_some_and(|published| !published.is_comparable))
}

/// Returns what a reader must know who has the picture alone.
fn caption(results: &MatchResults, readings: &[&GridResults]) -> String {
    let cells = || readings.iter().flat_map(|grid| &grid.cells);
    let games = |of: &dyn Fn(&CellResults) -> u64| {
        let all = cells().map(of).filter(|games| *games > 0);
        all.fold(None, |range: Option<RangeInclusive<u64>>, games| {
            Some(range.map_or(games..=games, |it| games.min(*it.start())..=games.max(*it.end())))
        })
    };
    let mut sentences = Vec::new();
    let measured = games(&|cell| cell.count.games());
    sentences.extend(measured.map(|games| format!("{} games a cell, with 95 % intervals.", words(&games))));
    let published = games(&|cell| cell.published.map_or(0, |published| published.games));
    sentences.extend(published.map(|games| {
        format!("The band is the 95 % interval of published rates, of {} games.", words(&games))
    }));
    if has_other_budget(&cells().collect::<Vec<_>>()) {
        sentences.push("Published rates were measured with another budget.".to_owned());
    }
    for grid in readings.iter().filter(|grid| grid.verdicts.judged() > 0) {
        let table = if readings.len() > 1 { format!("{}: of", grid.title) } else { "Of".to_owned() };
        let (judged, counts) = (grouped(grid.verdicts.judged() as u64), grid.verdicts.words());
        let chi_square = grid.chi_square.map(|it| format!("; {}", chi_square_words(&it)));
        sentences
            .push(format!("{table} {judged} published rates {counts}{}.", chi_square.unwrap_or_default()));
    }
    if !results.paper.is_empty() {
        sentences.push(format!("{}.", results.paper));
    }
    sentences.join(" ")
}

fn words(games: &RangeInclusive<u64>) -> String {
    let (least, most) = (*games.start(), *games.end());
    if least == most { grouped(most) } else { format!("{} to {}", grouped(least), grouped(most)) }
}
