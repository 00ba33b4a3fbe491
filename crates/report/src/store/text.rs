//! A store as a terminal shows it.

use super::{ExperimentReport, MatchReport, StoreReport};
use crate::matches::{self, CellResults, GridResults, MatchResults};
use crate::numbers::grouped;
use crate::{Screen, Table, experiment};

/// The form of tables for a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Tables as papers print them, rows against columns.
    Tables,
    /// Tables with one row for each cell.
    Cells,
}

impl StoreReport {
    /// Returns every experiment for a terminal: how much was played, its tables, and void games.
    pub fn text(&self, detail: Detail, screen: &Screen) -> String {
        if self.experiments.is_empty() {
            return format!("{} has no results yet.\n", self.store);
        }
        let of = |experiment: &ExperimentReport| match experiment {
            ExperimentReport::Matches(report) => {
                let begin = screen.wrapped(&format!("{}: {}.\n", report.whole.name, report.progress()));
                format!("{begin}\n{}", match_text(report, detail, screen))
            }
            ExperimentReport::Bandits(report) => match &report.results {
                Some(results) => format!(
                    "{}: {} runs a cell.\n\n{}{}",
                    report.name,
                    grouped(results.runs),
                    experiment::table(results).text(screen),
                    screen.wrapped(&experiment::verdict_text(results))
                ),
                None => format!(
                    "{}: some cells are not measured yet. Continue with: {}\n",
                    report.name, report.command
                ),
            },
            ExperimentReport::Tuning(results) => crate::tuning::text(results, screen),
            ExperimentReport::Unreadable { name, reason } => format!("{name}: {reason}\n"),
        };
        self.experiments.iter().map(of).collect::<Vec<_>>().join("\n")
    }
}

fn match_text(report: &MatchReport, detail: Detail, screen: &Screen) -> String {
    let mut text = String::new();
    for (version, results) in report.versions() {
        let words = version.words(results);
        if !words.is_empty() {
            text += &format!("{words}:\n");
        }
        text += &match detail {
            Detail::Tables => matches::text(results, screen),
            Detail::Cells => cells(results, screen),
        };
    }
    if !report.others.is_empty() {
        let results = MatchResults { title: String::new(), games: 0, ..report.whole.clone() };
        text += &matches::brief(&results, &report.other_grid()).text(screen);
        text += &matches::in_flight(&report.others)
            .map_or_else(String::new, |line| screen.wrapped(&(line + "\n")));
        text.push('\n');
    }
    if !report.voids.is_empty() {
        text += &void_table(report).text(screen);
    }
    text.trim_end().to_owned() + "\n"
}

fn cells(results: &MatchResults, screen: &Screen) -> String {
    if results.tournament.is_some() {
        // The number of games of a pair is not known beforehand in all schedules.
        let any = MatchResults { games: 0, ..results.clone() };
        return matches::brief(&any, &results.all_cells()).text(screen) + "\n";
    }
    let table = |grid| {
        let line = matches::verdicts(grid).map_or_else(String::new, |line| line + "\n");
        let table = matches::brief(results, grid).text(screen);
        let words = format!("{}{}{line}\n", matches::open_words(grid), matches::scores(grid));
        table + &screen.wrapped(&words)
    };
    // What is begun comes first: the rest is a list of what could be.
    let mut grids: Vec<GridResults> = results.grids.iter().map(GridResults::begun_first).collect();
    grids.sort_by_key(|grid| !grid.cells.iter().any(CellResults::has_games));
    grids.iter().map(table).collect()
}

/// Returns the void games as a table.
pub(super) fn void_table(report: &MatchReport) -> Table {
    let mut table = Table::new("Void games, played again", ["game", "whose", "reason", "in words"]);
    for void in &report.voids {
        table.row([&void.id, &void.contestant, &void.reason, &void.message].map(Clone::clone));
    }
    table
}
