//! The regrets of policies in a bandit laboratory, as tables and as a figure.

use tesuji_arena::statistics::{Interval, wilson};
use tesuji_bandit::testbed::{ArmsSpec, Row};
use tesuji_bandit::{PolicySpec, Until};

use crate::figure::{Axis, Figure, Look, Marks, Panel, Point, Scale, Series};
use crate::numbers::{grouped, readable, with_error, with_interval};
use crate::{Table, distinct};

/// Returns two tables: the quality of the recommendations, and their cost. Empty columns are
/// left out.
pub fn tables(rows: &[Row]) -> [Table; 2] {
    [recommendations(rows), costs(rows)]
}

fn recommendations(rows: &[Row]) -> Table {
    let most_sampled = rows.iter().any(|row| row.regret_most_pulled.is_some());
    let compared = rows.iter().any(|row| row.difference.is_some());
    let mut columns = vec!["arms", "policy", "#samples", "#simple regret"];
    columns.extend(most_sampled.then_some("#of most sampled"));
    columns.extend(compared.then_some("#minus the first"));
    columns.push("#wrong, %");
    let runs = rows.first().map_or(0, |row| row.runs);
    let title = match runs {
        1 => "The recommended arm: one run, so no errors are known".to_owned(),
        runs => format!("The recommended arm: means of {} runs, ± one standard error", grouped(runs)),
    };
    let mut table = Table::new(title, columns);
    let pair = |mean: Option<f64>, error: Option<f64>| match (mean, error) {
        (Some(mean), Some(error)) => with_error(mean, error),
        _ => String::new(),
    };
    for row in rows {
        let mut cells = heads(row);
        cells.push(with_error(row.regret, row.se));
        cells.extend(most_sampled.then(|| pair(row.regret_most_pulled, row.regret_most_pulled_se)));
        cells.extend(compared.then(|| pair(row.difference, row.difference_se)));
        cells.push(with_error(row.p_wrong * 100.0, row.p_wrong_se * 100.0));
        table.row(cells);
    }
    table
}

/// Returns the runs that stopped before their budget because they were sure, and how many of them
/// were right, with 95 % intervals; `None` if none of the rows may stop.
pub fn stops(rows: &[Row], until: Until) -> Option<Table> {
    let title = match until.within {
        0.0 => "Runs that stopped early, and those of them that chose the best arm".to_owned(),
        within => format!("Runs that stopped early, and those of them within {within} of the best arm"),
    };
    let mut table = Table::new(title, ["arms", "policy", "#samples", "#spent", "#stopped, %", "#right, %"]);
    for row in rows {
        let (stopped, right) = (row.stopped?, row.right?);
        let rate = right as f64 / stopped.max(1) as f64;
        let Interval { low, high } = wilson(right as f64, stopped);
        let interval = Interval { low: 100.0 * low, high: 100.0 * high };
        let mut cells = heads(row);
        cells.push(readable(row.spent));
        cells.push(format!("{:.1}", 100.0 * stopped as f64 / row.runs as f64));
        cells.push(if stopped == 0 { String::new() } else { with_interval(100.0 * rate, interval, 1) });
        table.row(cells);
    }
    Some(table)
}

fn costs(rows: &[Row]) -> Table {
    let mut table =
        Table::new("The cost of the samples", ["arms", "policy", "#samples", "#spent", "#cumulative regret"]);
    for row in rows {
        let mut cells = heads(row);
        cells.extend([readable(row.spent), with_error(row.cumulative, row.cumulative_se)]);
        table.row(cells);
    }
    table
}

fn heads(row: &Row) -> Vec<String> {
    vec![row.arms.to_string(), row.policy.to_string(), grouped(row.budget)]
}

/// Returns the regrets as a figure: a panel with curves for each setting of the arms if there are
/// several budgets, else bars over the settings.
pub fn figure(rows: &[Row]) -> Figure {
    let arms = distinct(rows.iter().map(|row| &row.arms));
    let policies = distinct(rows.iter().map(|row| &row.policy));
    let budgets = distinct(rows.iter().map(|row| row.budget));
    let runs = rows.first().map_or(0, |row| row.runs);
    let axis = |label: &str, scale| Axis { label: label.to_owned(), scale, ..Axis::default() };
    let panels: Vec<Panel> = if budgets.len() > 1 {
        let curves = |arms: &ArmsSpec| {
            let here = || rows.iter().filter(|row| row.arms == *arms);
            let curve = |policy: &&PolicySpec| {
                series(policy, here().filter(|row| row.policy == **policy), |row| row.budget as f64)
            };
            // Regrets that are all 0 have no place on a logarithmic axis.
            let scale = if here().all(|row| row.regret == 0.0) { Scale::Linear } else { Scale::Log };
            Panel {
                title: arms.to_string(),
                x: axis("samples", Scale::Log),
                y: axis("simple regret", scale),
                marks: Marks::Lines(policies.iter().map(curve).collect()),
                ..Panel::default()
            }
        };
        arms.into_iter().map(curves).collect()
    } else {
        let place = |row: &Row| arms.iter().position(|arms| **arms == row.arms).unwrap_or(0) as f64;
        let bars =
            |policy: &&PolicySpec| series(policy, rows.iter().filter(|row| row.policy == **policy), place);
        vec![Panel {
            title: format!("{} samples", budgets.first().unwrap_or(&0)),
            x: axis("arms", Scale::Linear),
            y: axis("simple regret", Scale::Linear),
            marks: Marks::Bars {
                groups: arms.iter().map(ToString::to_string).collect(),
                series: policies.iter().map(bars).collect(),
            },
            ..Panel::default()
        }]
    };
    Figure {
        title: "Simple regret".to_owned(),
        caption: format!("Means of {} runs, with one standard error.", grouped(runs)),
        columns: panels.len().clamp(1, 2),
        panels,
        ..Figure::default()
    }
}

/// Returns the regrets of one policy, each at its place on the x axis.
fn series<'a>(
    policy: &PolicySpec,
    rows: impl Iterator<Item = &'a Row>,
    place: impl Fn(&Row) -> f64,
) -> Series {
    let point = |row: &Row| Point { x: place(row), y: row.regret, error: Some(row.se), ..Point::default() };
    Series { name: policy.to_string(), colour: None, look: Look::Measured, points: rows.map(point).collect() }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use tesuji_bandit::testbed::Laboratory;
    use tesuji_core::Seed;

    use super::*;
    use crate::Screen;

    fn rows(arms: &str, budgets: &[u64]) -> Vec<Row> {
        let laboratory = Laboratory {
            arms: arms.parse().unwrap(),
            budgets: budgets.to_vec(),
            policies: ["sh", "ucb(c=0.3)"].map(|policy| policy.parse().unwrap()).into(),
            runs: 100,
            seed: Seed::new(1),
            scores: None,
            until: None,
            threads: 1,
        };
        laboratory.run(&|_| {}, &AtomicBool::new(false)).unwrap()
    }

    #[test]
    fn several_budgets_are_curves_and_one_is_bars() {
        let curves = figure(&rows("1:5", &[20, 40, 80]));
        assert_eq!(curves.panels[0].marks.series()[1].points.len(), 3);
        let mut both = rows("1:5", &[20]);
        both.extend(rows("A:5", &[20]));
        let Marks::Bars { groups, series } = &figure(&both).panels[0].marks else {
            panic!("bars are wanted")
        };
        assert_eq!((groups.len(), series.len(), series[0].points[1].x), (2, 2, 1.0));
    }

    #[test]
    fn stops_are_shown_with_intervals() {
        let until = Until { level: 0.95, within: 0.02 };
        assert!(stops(&rows("1:5", &[20]), until).is_none());
        let stopped = |row: Row| Row { stopped: Some(40), right: Some(39), ..row };
        let rows: Vec<Row> = rows("1:5", &[20]).into_iter().map(stopped).collect();
        let text = stops(&rows, until).unwrap().text(&Screen::default());
        assert!(
            text.contains("within 0.02 of the best arm") && text.contains("97.5 (87.1 to 99.6)"),
            "{text}"
        );
    }

    #[test]
    fn columns_without_numbers_are_left_out() {
        let [all, costs] = tables(&rows("1:5", &[20])).map(|table| table.text(&Screen::default()));
        assert!(
            all.contains("of most sampled") && all.contains("minus the first") && costs.contains("spent")
        );
        let [one, _] = tables(&rows("1:5", &[20])[..1]).map(|table| table.text(&Screen::default()));
        assert!(!one.contains("of most sampled") && !one.contains("minus the first"));
    }
}
