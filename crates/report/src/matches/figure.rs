//! Rates of wins over the columns, with their intervals, beside what was published.

use super::overview::{is_drawn_by_row, overview, readings};
use super::{CellResults, GridResults, MatchResults};
use crate::distinct;
use crate::figure::{Axis, Figure, Look, Marks, Panel, Point, Series};
use crate::numbers::grouped;

/// Series at one place are drawn so far from each other, in places.
const ASIDE: f64 = 0.07;

/// A row of a panel.
type NamedCells<'a> = (&'a str, Vec<&'a CellResults>);

/// Returns a table as a figure: the panels that the file asks for, a series for each row, the
/// columns from left to right. If there is only one column, the rows are drawn from left to
/// right instead. Returns `None` if fewer than two cells have games, or if the table is drawn
/// together with an earlier one of the experiment.
pub(crate) fn figure(results: &MatchResults, grid: &GridResults) -> Option<Figure> {
    let readings = readings(results, grid)?;
    if is_drawn_by_row(grid) {
        return Some(overview(results, &readings));
    }
    let grid = grid.played();
    let (rows, columns) = (grid.rows(), grid.columns());
    let (places, panels) = match (rows.len(), columns.len()) {
        (0 | 1, 0 | 1) => return None,
        (_, 1) => (rows.clone(), vec![(columns[0], vec![("", grid.cells.iter().collect())])]),
        _ => (columns.clone(), panels(&grid)),
    };
    let is_single = panels.iter().all(|(_, series)| series.len() == 1);
    let place = |cell: &CellResults| {
        let name = if columns.len() == 1 { &cell.row } else { &cell.column };
        places.iter().position(|place| place == name).unwrap_or(0) as f64
    };
    let range = range(grid.cells.iter().flat_map(shown));
    let has_other = grid.cells.iter().any(|cell| cell.published.is_some_and(|it| !it.is_comparable));
    let panel = |(title, rows): &(&str, Vec<NamedCells<'_>>)| {
        let mut series = Vec::new();
        for (number, (name, cells)) in rows.iter().enumerate() {
            let aside = (number as f64 - (rows.len() - 1) as f64 / 2.0) * ASIDE;
            let mut add = |look, words: &str, points: Vec<Point>| {
                if !points.is_empty() {
                    let (name, colour) =
                        if is_single { (words.to_owned(), Some(0)) } else { ((*name).to_owned(), None) };
                    series.push(Series { name, colour, look, points });
                }
            };
            let published = |cell: &&CellResults| {
                let published = cell.published?;
                Some(Point { x: place(cell) + aside, y: 100.0 * published.rate, ..Point::default() })
            };
            let measured = |cell: &&CellResults| {
                Some(Point {
                    x: place(cell) + aside,
                    y: 100.0 * cell.rate?,
                    interval: Some((100.0 * cell.interval.low, 100.0 * cell.interval.high)),
                    ..Point::default()
                })
            };
            let published: Vec<Point> = cells.iter().filter_map(published).collect();
            let measured: Vec<Point> = cells.iter().filter_map(measured).collect();
            let [published, measured] =
                [published, measured].map(|points| if columns.len() == 1 { apart(points) } else { points });
            add(
                Look::Published,
                if has_other { "published, another budget" } else { "published" },
                published,
            );
            add(Look::Measured, "measured", measured);
        }
        Panel {
            title: match columns.len() {
                1 if !grid.label.is_empty() => format!("{}: {title}", grid.label),
                _ => (*title).to_owned(),
            },
            x: Axis {
                label: if columns.len() == 1 { String::new() } else { grid.label.clone() },
                places: places.iter().map(|place| (*place).to_owned()).collect(),
                ..Axis::default()
            },
            y: Axis {
                label: "won, %".to_owned(),
                range: Some(range),
                reference: Some(50.0),
                ..Axis::default()
            },
            marks: Marks::Lines(series),
            ..Panel::default()
        }
    };
    let n_panels = panels.len();
    Some(Figure {
        title: if grid.title.is_empty() { results.title.clone() } else { grid.title.clone() },
        caption: caption(results, &grid),
        columns: match n_panels {
            1 => 1,
            2 | 4 => 2,
            3 | 5..=9 => 3,
            _ => 4,
        },
        panels: panels.iter().map(panel).collect(),
        ..Figure::default()
    })
}

/// Returns the points with gaps between them, so that no line joins them: rows have no order.
fn apart(points: Vec<Point>) -> Vec<Point> {
    points.into_iter().flat_map(|point| [point, Point { y: f64::NAN, ..point }]).collect()
}

/// The cells by panel, and in each by row. With several panels, a row's name is what tells it
/// from the others of its panel, so that rows of different panels can be the same series.
fn panels(grid: &GridResults) -> Vec<(&str, Vec<NamedCells<'_>>)> {
    let names = distinct(grid.cells.iter().map(|cell| cell.panel.as_str()));
    let n_panels = names.len();
    let panel = |name| {
        let here = || grid.cells.iter().filter(move |cell| cell.panel == name);
        let rows = distinct(here().map(|cell| cell.row.as_str()));
        let common = if n_panels > 1 { common_end(&rows).len() } else { 0 };
        let cells = |row| here().filter(|cell| cell.row == row).collect();
        (name, rows.into_iter().map(|row| (&row[..row.len() - common], cells(row))).collect())
    };
    names.into_iter().map(panel).collect()
}

/// What all names end with, from a comma on: `, 5,000 samples` of `VCT, 5,000 samples` and
/// `ECT, 5,000 samples`.
fn common_end<'a>(names: &[&'a str]) -> &'a str {
    let [first, others @ ..] = names else { return "" };
    let ends = first.match_indices(", ").map(|(at, _)| &first[at..]);
    let mut common = ends.filter(|end| !others.is_empty() && others.iter().all(|name| name.ends_with(end)));
    common.next().unwrap_or_default()
}

/// The shares that are drawn of a cell: its published rate, and the ends of its interval.
fn shown(cell: &CellResults) -> impl Iterator<Item = f64> {
    let published = cell.published.map(|published| published.rate);
    published.into_iter().chain([cell.interval.low, cell.interval.high])
}

/// One range for all panels, so that they can be compared: whole twenties around everything
/// that is shown, and always around 50.
pub(super) fn range(rates: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = rates.fold((0.4_f64, 0.6_f64), |(low, high), rate| (low.min(rate), high.max(rate)));
    (20.0 * (5.0 * low + 1e-9).floor(), 20.0 * (5.0 * high - 1e-9).ceil())
}

fn caption(results: &MatchResults, grid: &GridResults) -> String {
    let games = || grid.cells.iter().map(|cell| cell.count.games());
    let (least, most) = (games().min().unwrap_or(0), games().max().unwrap_or(0));
    let games =
        if least == most { grouped(most) } else { format!("{} to {}", grouped(least), grouped(most)) };
    let paper = if results.paper.is_empty() { String::new() } else { format!(" {}.", results.paper) };
    let has_other = grid.cells.iter().any(|cell| cell.published.is_some_and(|it| !it.is_comparable));
    let other = if has_other { " Published numbers were measured with another budget." } else { "" };
    format!("{games} games a cell, with 95 % intervals.{other}{paper}")
}
