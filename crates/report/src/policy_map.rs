//! Which policy is best: maps of numbers of arms and samples for each arm, whose cells name the
//! winner, and the same as a table.
//!
//! The first series of a panel is the yardstick. A cell names another policy only if it is better
//! than the yardstick by more than two standard errors of the difference. Policies are *tied* with
//! the best if they are no more than two standard errors of the difference worse. The errors of
//! two policies are taken as independent; they see the same luck, so the true error of a
//! difference is smaller, and there are rather too many ties than too few.

use tesuji_arena::{BanditResults, MeasuredCell, MeasuredPanel};

use crate::figure::{Axis, Look, MapCell, Marks, Panel, Series};
use crate::numbers::{decimal, grouped, readable, with_error};
use crate::{Table, distinct};

/// How many standard errors of a difference are a difference.
const ERRORS: f64 = 2.0;

/// A cell whose regret is less than that of the yardstick by this share is as dark as cells get.
const DARKEST: f64 = 0.6;

/// All policies in one cell of a map.
struct Contest<'a> {
    /// By the order of the series; the first is the yardstick.
    cells: Vec<&'a MeasuredCell>,
    /// The least regret, the first of equals.
    best: &'a MeasuredCell,
}

impl<'a> Contest<'a> {
    /// The contest at a place of the panel; `None` if nothing was measured there.
    fn new(panel: &'a MeasuredPanel, group: &str, x: f64) -> Option<Contest<'a>> {
        let here = |cell: &&MeasuredCell| cell.group == group && cell.x == x;
        let cells: Vec<&MeasuredCell> = panel.cells.iter().filter(here).collect();
        let better = |best: &'a MeasuredCell, cell: &'a MeasuredCell| {
            if cell.row.regret < best.row.regret { cell } else { best }
        };
        let best = cells.iter().copied().reduce(better)?;
        Some(Contest { cells, best })
    }

    fn yardstick(&self) -> &'a MeasuredCell {
        self.cells[0]
    }

    /// The policies that are tied with the best, the best first.
    fn tied(&self) -> Vec<&'a MeasuredCell> {
        let others = self.cells.iter().copied().filter(|cell| cell.series != self.best.series);
        std::iter::once(self.best).chain(others.filter(|cell| !is_worse(cell, self.best))).collect()
    }

    /// The policy that the cell is named after: the yardstick if it is tied with the best.
    fn named(&self) -> &'a MeasuredCell {
        if is_worse(self.yardstick(), self.best) { self.best } else { self.yardstick() }
    }

    /// The regret of the named policy over that of the yardstick, less 1.
    fn gain(&self) -> f64 {
        let yardstick = self.yardstick().row.regret;
        if yardstick > 0.0 { self.named().row.regret / yardstick - 1.0 } else { 0.0 }
    }
}

/// Whether a policy is worse than the best by more than the errors allow.
fn is_worse(cell: &MeasuredCell, best: &MeasuredCell) -> bool {
    let error = cell.row.se.hypot(best.row.se);
    cell.row.regret - best.row.regret > ERRORS * error
}

/// Numbers of arms from below, and samples for each arm from left to right.
fn places(panel: &MeasuredPanel) -> (Vec<&str>, Vec<f64>) {
    let rows = distinct(panel.cells.iter().map(|cell| cell.group.as_str()));
    (rows, distinct(panel.cells.iter().map(|cell| cell.x)))
}

/// The panel as a map.
pub(crate) fn panel(measured: &MeasuredPanel) -> Panel {
    let (rows, columns) = places(measured);
    let names = distinct(measured.cells.iter().map(|cell| cell.series.as_str()));
    let mut cells = Vec::new();
    let mut winners: Vec<&str> = names.first().copied().into_iter().collect();
    for (row, group) in rows.iter().enumerate() {
        for (column, &x) in columns.iter().enumerate() {
            let Some(contest) = Contest::new(measured, group, x) else { continue };
            let named = contest.named();
            let series = winners.iter().position(|name| *name == named.series).unwrap_or_else(|| {
                winners.push(&named.series);
                winners.len() - 1
            });
            let tied = contest.tied();
            let mut notes = Vec::new();
            if named.series != contest.yardstick().series {
                notes.push(format!("{} %", decimal(100.0 * contest.gain(), 0)));
            }
            notes.push(match tied.len() {
                1 => "alone".to_owned(),
                n => format!("{n} tied"),
            });
            let regret =
                |cell: &MeasuredCell| format!("{} {}", cell.series, with_error(cell.row.regret, cell.row.se));
            cells.push(MapCell {
                column,
                row,
                series,
                strength: -contest.gain() / DARKEST,
                notes,
                title: tied.into_iter().map(regret).collect::<Vec<_>>().join(", "),
            });
        }
    }
    let series = |name: &&str| Series {
        name: (*name).to_owned(),
        colour: None,
        look: Look::Measured,
        points: Vec::new(),
    };
    Panel {
        title: measured.title.clone(),
        x: Axis { label: measured.label.clone(), ..Axis::default() },
        y: Axis { label: "arms".to_owned(), ..Axis::default() },
        marks: Marks::Map {
            columns: columns.iter().map(|&x| readable(x)).collect(),
            rows: rows.iter().map(|row| (*row).to_owned()).collect(),
            series: winners.iter().map(series).collect(),
            cells,
        },
        ..Panel::default()
    }
}

/// Returns the best policy of each cell, next to the yardstick, and the policies tied with it.
pub(crate) fn table(results: &BanditResults) -> Table {
    let yardstick = results.panels.iter().find_map(|panel| panel.cells.first());
    let yardstick = yardstick.map_or("", |cell| cell.series.as_str());
    let title = format!("{}: regrets × 1000, {} runs", results.title, grouped(results.runs));
    let of_yardstick = format!("#{yardstick}");
    let columns = ["arms", "#samples", "best", "#regret", of_yardstick.as_str(), "tied with the best"];
    let mut table = Table::new(title, columns);
    let thousand = |cell: &MeasuredCell| with_error(1000.0 * cell.row.regret, 1000.0 * cell.row.se);
    for panel in &results.panels {
        let (rows, columns) = places(panel);
        for group in rows {
            for &x in &columns {
                let Some(contest) = Contest::new(panel, group, x) else { continue };
                let tied = contest.tied();
                let names: Vec<&str> = tied[1..].iter().map(|cell| cell.series.as_str()).collect();
                table.row([
                    contest.best.row.arms.to_string(),
                    grouped(contest.best.row.budget),
                    contest.best.series.clone(),
                    thousand(contest.best),
                    thousand(contest.yardstick()),
                    names.join(", "),
                ]);
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use tesuji_arena::PanelShape;
    use tesuji_bandit::testbed::{Laboratory, Row};
    use tesuji_core::Seed;

    use super::*;
    use crate::Screen;

    /// A map of one row and one column with these regrets and errors.
    fn measured(regrets: &[(&str, f64, f64)]) -> MeasuredPanel {
        let laboratory = Laboratory {
            arms: "1:20".parse().unwrap(),
            budgets: vec![40],
            policies: vec!["sh".parse().unwrap()],
            runs: 2,
            seed: Seed::new(1),
            scores: None,
            until: None,
            threads: 1,
        };
        let row = laboratory.run(&|_| {}, &AtomicBool::new(false)).unwrap().remove(0);
        let cell = |&(name, regret, se): &(&str, f64, f64)| MeasuredCell {
            series: name.to_owned(),
            group: "20".to_owned(),
            x: 2.0,
            row: Row { regret, se, ..row.clone() },
            published: None,
            comparison: None,
        };
        MeasuredPanel {
            title: "1".to_owned(),
            shape: PanelShape::Map,
            label: "samples for each arm".to_owned(),
            cells: regrets.iter().map(cell).collect(),
        }
    }

    fn cell_and_name(regrets: &[(&str, f64, f64)]) -> (MapCell, String) {
        let Marks::Map { series, cells, .. } = panel(&measured(regrets)).marks else {
            panic!("a map is wanted")
        };
        let name = series[cells[0].series].name.clone();
        (cells.into_iter().next().unwrap(), name)
    }

    #[test]
    fn cells_are_named_after_the_yardstick_unless_another_is_clearly_better() {
        // 10 less than 20, errors 3 and 4: five is the error of the difference, and 10 is twice it.
        let (cell, name) = cell_and_name(&[("sh", 0.020, 0.003), ("a", 0.010, 0.004), ("b", 0.030, 0.004)]);
        assert_eq!((name.as_str(), cell.strength, cell.notes.join(" ")), ("sh", 0.0, "2 tied".to_owned()));
        let (cell, name) = cell_and_name(&[("sh", 0.020, 0.001), ("a", 0.010, 0.001), ("b", 0.0105, 0.001)]);
        assert_eq!((name.as_str(), cell.notes.join(" ")), ("a", "−50 % 2 tied".to_owned()));
        assert!((cell.strength - 0.5 / DARKEST).abs() < 1e-12);
        let (cell, _) = cell_and_name(&[("sh", 0.020, 0.001), ("a", 0.010, 0.001)]);
        assert_eq!(cell.notes.join(" "), "−50 % alone");
        // Nobody is ever wrong.
        let (cell, name) = cell_and_name(&[("sh", 0.0, 0.0), ("a", 0.0, 0.0)]);
        assert_eq!((name.as_str(), cell.strength, cell.notes.join(" ")), ("sh", 0.0, "2 tied".to_owned()));
    }

    #[test]
    fn the_table_names_the_ties() {
        let results = BanditResults {
            name: "e".to_owned(),
            title: "E".to_owned(),
            paper: "P".to_owned(),
            text: "X.".to_owned(),
            runs: 100,
            columns: 1,
            panels: vec![measured(&[("sh", 0.020, 0.001), ("a", 0.010, 0.001), ("b", 0.0105, 0.001)])],
        };
        let text = table(&results).text(&Screen::default());
        for part in ["10.0 ± 1.0", "20.0 ± 1.0", "1:20"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
