//! The results of an experiment on bandits, as a figure and tables: measured next to published.

use tesuji_arena::statistics::{Interval, Verdict};
use tesuji_arena::{BanditResults, MeasuredCell, MeasuredPanel, PanelShape};

use crate::figure::{Axis, Figure, Look, Marks, Panel, Point, Scale, Series};
use crate::numbers::{decimal, grouped, readable, with_error, with_interval};
use crate::policy_map;
use crate::verdicts::{DECIDES_RUNS, decides_regret};
use crate::{Table, TableCell, VerdictCount, distinct};

/// Returns the experiment as a figure.
pub(crate) fn figure(results: &BanditResults) -> Figure {
    let runs = grouped(results.runs);
    Figure {
        title: results.title.clone(),
        caption: format!("{} {runs} runs a cell. {}.", results.text, results.paper),
        columns: results.columns,
        panels: results.panels.iter().map(panel).collect(),
        ..Figure::default()
    }
}

fn panel(panel: &MeasuredPanel) -> Panel {
    let x = Axis { label: panel.label.clone(), ..Axis::default() };
    let y = Axis { label: "simple regret".to_owned(), ..Axis::default() };
    let by_series = || panel.cells.chunk_by(|a, b| a.series == b.series);
    let series = |cells: &[MeasuredCell], look: Look, points: Vec<Point>| Series {
        name: cells[0].series.clone(),
        colour: None,
        look,
        points,
    };
    match panel.shape {
        PanelShape::Bars => {
            let groups = distinct(panel.cells.iter().map(|cell| cell.group.clone()));
            let place =
                |cell: &MeasuredCell| groups.iter().position(|group| *group == cell.group).unwrap_or(0);
            let point = |cell: &MeasuredCell| Point {
                x: place(cell) as f64,
                y: cell.row.regret,
                error: Some(cell.row.se),
                ..Point::default()
            };
            let bars = by_series()
                .map(|cells| series(cells, Look::Measured, cells.iter().map(point).collect()))
                .collect();
            let marks = Marks::Bars { groups, series: bars };
            Panel { title: panel.title.clone(), x, y, marks, ..Panel::default() }
        }
        PanelShape::Lines => {
            let measured = |cell: &MeasuredCell| Point {
                x: cell.x,
                y: cell.row.regret,
                error: Some(cell.row.se),
                ..Point::default()
            };
            let published = |cell: &MeasuredCell| {
                cell.published.map(|published| Point { x: cell.x, y: published.value, ..Point::default() })
            };
            let mut lines = Vec::new();
            for cells in by_series() {
                lines.push(series(cells, Look::Measured, cells.iter().map(measured).collect()));
                let points: Vec<Point> = cells.iter().filter_map(published).collect();
                if !points.is_empty() {
                    lines.push(series(cells, Look::Published, points));
                }
            }
            let x = Axis { scale: Scale::Log, ..x };
            let y = Axis { scale: Scale::Log, ..y };
            Panel { title: panel.title.clone(), x, y, marks: Marks::Lines(lines), ..Panel::default() }
        }
        PanelShape::Map => policy_map::panel(panel),
    }
}

/// Returns the measured regrets next to the published ones. If nothing was published, returns
/// the best cell of each series of each panel.
pub fn table(results: &BanditResults) -> Table {
    let compared =
        || results.panels.iter().flat_map(|panel| &panel.cells).filter(|cell| cell.published.is_some());
    if compared().next().is_some() {
        let title = format!("{}: measured and published, {} runs", results.title, grouped(results.runs));
        let columns = [
            "arms",
            "policy",
            "#samples",
            "#simple regret",
            "#published",
            "#difference, %",
            "verdict",
            "#decides",
        ];
        let mut table = Table::new(title, columns);
        for cell in compared() {
            let (Some(published), Some(comparison)) = (cell.published, cell.comparison) else { continue };
            let share = |value: f64| 100.0 * value / published.value;
            let interval =
                Interval { low: share(comparison.interval.low), high: share(comparison.interval.high) };
            let texts = [
                cell.row.arms.to_string(),
                cell.row.policy.to_string(),
                grouped(cell.row.budget),
                with_error(cell.row.regret, cell.row.se),
                readable(published.value),
                // With few wrong runs the interval is a guess.
                match cell.row.p_wrong * cell.row.runs as f64 > Verdict::FEWEST_WRONG_RUNS - 0.5 {
                    true => with_interval(share(comparison.difference), interval, 0),
                    false => decimal(share(comparison.difference), 0),
                },
            ];
            let last = [Some(comparison.verdict).into(), decides_regret(cell).into()];
            table.cells(texts.map(TableCell::from).into_iter().chain(last));
        }
        return table;
    }
    if results.panels.iter().all(|panel| panel.shape == PanelShape::Map) {
        return policy_map::table(results);
    }
    let title = format!("{}: the best of each series, {} runs", results.title, grouped(results.runs));
    let mut table =
        Table::new(title, ["panel", "series", "best at", "policy", "#simple regret", "#wrong, %"]);
    for panel in &results.panels {
        for cells in panel.cells.chunk_by(|a, b| a.series == b.series) {
            // Bars over settings of arms have no best: each is a question of its own.
            let alike = cells.iter().all(|cell| cell.row.arms == cells[0].row.arms);
            let best = cells.iter().min_by(|a, b| a.row.regret.total_cmp(&b.row.regret));
            let shown: Vec<&MeasuredCell> =
                if alike { best.into_iter().collect() } else { cells.iter().collect() };
            for cell in shown {
                table.row([
                    panel.title.clone(),
                    cell.series.clone(),
                    if alike { format!("{} = {}", panel.label, cell.group) } else { cell.group.clone() },
                    cell.row.policy.to_string(),
                    with_error(cell.row.regret, cell.row.se),
                    format!("{:.1}", cell.row.p_wrong * 100.0),
                ]);
            }
        }
    }
    table
}

/// Returns how many published regrets have each verdict.
pub(crate) fn verdicts(results: &BanditResults) -> VerdictCount {
    let cells = results.panels.iter().flat_map(|panel| &panel.cells);
    cells.filter_map(|cell| cell.comparison).map(|comparison| comparison.verdict).collect()
}

/// Returns the verdicts and their rule in sentences for a terminal. Empty if nothing was published.
pub fn verdict_text(results: &BanditResults) -> String {
    let count = verdicts(results);
    match (count.judged(), count.open) {
        (0, _) => String::new(),
        (_, 0) => format!("{count}\n"),
        _ => format!("{count} {DECIDES_RUNS}\n"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use tesuji_arena::Published;
    use tesuji_arena::statistics::MeanComparison;
    use tesuji_bandit::testbed::{Laboratory, Row};
    use tesuji_core::Seed;

    use super::*;
    use crate::Screen;

    fn cell(regret: f64, se: f64, published: f64) -> MeasuredCell {
        let laboratory = Laboratory {
            arms: "1:20".parse().unwrap(),
            budgets: vec![64],
            policies: vec!["ucb1".parse().unwrap()],
            runs: 2,
            seed: Seed::new(1),
            scores: None,
            until: None,
            threads: 1,
        };
        let measured = laboratory.run(&|_| {}, &AtomicBool::new(false)).unwrap().remove(0);
        let row = Row { runs: 20_000, regret, se, p_wrong: 0.5, ..measured };
        let published = Published { value: published, runs: 20_000 };
        MeasuredCell {
            series: "UCT".to_owned(),
            group: "32".to_owned(),
            x: 32.0,
            comparison: Some(MeanComparison::of_regret(&row, published)),
            row,
            published: Some(published),
        }
    }

    #[test]
    fn published_points_lie_beside_measured_ones() {
        let panel = MeasuredPanel {
            title: "T".to_owned(),
            shape: PanelShape::Lines,
            label: "n".to_owned(),
            cells: vec![cell(0.1, 0.01, 0.11)],
        };
        let results = BanditResults {
            name: "e".to_owned(),
            title: "E".to_owned(),
            paper: "P".to_owned(),
            text: "X.".to_owned(),
            runs: 20_000,
            columns: 1,
            panels: vec![panel],
        };
        let figure = figure(&results);
        assert_eq!(figure.panels[0].marks.series().len(), 2);
        assert_eq!(verdicts(&results), VerdictCount { open: 1, ..VerdictCount::default() });
        let text = table(&results).text(&Screen::default());
        assert!(
            text.contains("-9 (-34 to 16)".replace('-', "−").as_str()) && text.contains("? open"),
            "{text}"
        );
    }
}
