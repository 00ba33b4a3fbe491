//! The commands that play and measure again what a report shows.

use tesuji_arena::{BanditEntry, BanditExperiment, BanditResults, MeasuredCell};
use tesuji_core::in_shell;

use super::Version;
use crate::matches::{CellResults, MatchResults};

/// Returns the command that plays a cell: `tesuji match` if it played the cell before, else a part
/// of the experiment's file.
pub(super) fn cell(results: &MatchResults, cell: &CellResults, version: Version, store: &str) -> String {
    let games = cell.count.games();
    let store = in_shell(store);
    if let Some(command) = &results.command {
        return format!("{command} --games {games} --store {store}");
    }
    let file = in_shell(&format!("experiments/{}.toml", results.name));
    let id = &cell.id;
    match version {
        Version::Whole => format!("tesuji run {file} --only {id} --games {games} --store {store}"),
        Version::Quick => format!("tesuji run {file} --quick --only {id} --store {store}"),
    }
}

/// Returns the command that plays a whole experiment. `None` for a match: its cell has the command.
pub(super) fn matches(results: &MatchResults, version: Version, store: &str) -> Option<String> {
    if let (Some(command), Some(_)) = (&results.command, &results.tournament) {
        return Some(format!("{command} --store {}", in_shell(store)));
    }
    let quick = if version == Version::Quick { " --quick" } else { "" };
    let file = in_shell(&format!("experiments/{}.toml", results.name));
    results.command.is_none().then(|| format!("tesuji run {file}{quick} --store {}", in_shell(store)))
}

/// Returns the command that measures an experiment on bandits.
pub(super) fn bandits(experiment: &str, runs: u64, store: &str) -> String {
    let file = in_shell(&format!("experiments/{experiment}.toml"));
    format!("tesuji run {file} --runs {runs} --store {}", in_shell(store))
}

/// Returns the command that measures each cell of an experiment on bandits alone.
pub(super) fn bandit_cells(experiment: &BanditExperiment, results: &BanditResults) -> Vec<String> {
    let entries = experiment.panels.iter().flat_map(|panel| &panel.entries);
    let measured = results.panels.iter().flat_map(|panel| &panel.cells);
    let seed = in_shell(&experiment.seed.to_string());
    let command = |(entry, cell): (&BanditEntry, &MeasuredCell)| {
        let arms = in_shell(&entry.arms.to_string());
        let policy = in_shell(&entry.policy.to_string());
        let scores = entry.scores.map_or_else(String::new, |model| {
            let rate = model.rate.map_or_else(String::new, |rate| format!(" --score-rate {rate}"));
            format!(" --score-noise {}{rate}", model.noise)
        });
        let (budget, runs) = (entry.budget, cell.row.runs);
        format!(
            "tesuji bandit --arms {arms} --budget {budget} --policy {policy} --runs {runs} --seed {seed}{scores}"
        )
    };
    entries.zip(measured).map(command).collect()
}
