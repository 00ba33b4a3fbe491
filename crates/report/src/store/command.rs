//! The commands that play and measure again what is shown, as one types them.

use tesuji_arena::{BanditExperiment, BanditResults};

use super::Version;
use crate::matches::CellResults;

/// The experiment of games that were asked for on the command line alone.
const MATCH: &str = "match";

/// What plays a cell of matches.
pub(super) fn cell(experiment: &str, cell: &CellResults, version: Version, store: &str) -> String {
    let games = cell.count.games();
    let store = quoted(store);
    if experiment == MATCH {
        let CellResults { game, player, opponent, .. } = cell;
        let [game, player, opponent] = [game, player, opponent].map(|text| quoted(text));
        return format!("tesuji match {game} {player} {opponent} --games {games} --store {store}");
    }
    let file = quoted(&format!("experiments/{experiment}.toml"));
    let id = &cell.id;
    match version {
        Version::Whole => format!("tesuji run {file} --only {id} --games {games} --store {store}"),
        Version::Quick => format!("tesuji run {file} --quick --only {id} --store {store}"),
    }
}

/// What plays, or measures, a whole experiment.
pub(super) fn matches(experiment: &str, version: Version, store: &str) -> Option<String> {
    let quick = if version == Version::Quick { " --quick" } else { "" };
    let file = quoted(&format!("experiments/{experiment}.toml"));
    (experiment != MATCH).then(|| format!("tesuji run {file}{quick} --store {}", quoted(store)))
}

/// What measures an experiment on bandits.
pub(super) fn bandits(experiment: &str, runs: u64, store: &str) -> String {
    let file = quoted(&format!("experiments/{experiment}.toml"));
    format!("tesuji run {file} --runs {runs} --store {}", quoted(store))
}

/// What measures each of its cells alone.
pub(super) fn bandit_cells(experiment: &BanditExperiment, results: &BanditResults) -> Vec<String> {
    let entries = experiment.panels.iter().flat_map(|panel| &panel.entries);
    let measured = results.panels.iter().flat_map(|panel| &panel.cells);
    let seed = quoted(&experiment.seed.to_string());
    let command = |(entry, cell): (&tesuji_arena::BanditEntry, &tesuji_arena::Measured)| {
        let arms = quoted(&entry.arms.to_string());
        let policy = quoted(&entry.policy.to_string());
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

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_./:@=+,-%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_misread_them() {
        assert_eq!(quoted("go:9"), "go:9");
        assert_eq!(quoted("hybrid-shuss(t=0)@100"), "'hybrid-shuss(t=0)@100'");
        assert_eq!(quoted("gtp(\"it's\")"), r#"'gtp("it'\''s")'"#);
        assert_eq!(quoted(""), "''");
    }
}
