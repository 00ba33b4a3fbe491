//! What `run` and `reproduce` share: an experiment measured, with its figure
//! and its numbers in a folder.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;
use tesuji_arena::{Experiment, Ledger, Results, Settings};
use tesuji_report::experiment;

use super::bar::Bar;
use super::machine::Origin;

/// The experiments that are part of the program: name, file.
const BUILT_IN: [(&str, &str); 4] = [
    ("shuss-figure2", include_str!("../../experiments/shuss-figure2.toml")),
    ("shuss-cuts", include_str!("../../experiments/shuss-cuts.toml")),
    ("shuss-scores", include_str!("../../experiments/shuss-scores.toml")),
    ("voi-figure1", include_str!("../../experiments/voi-figure1.toml")),
];

/// The published numbers that they compare with.
const PUBLISHED: [(&str, &str); 1] =
    [("published/voi_fig1.csv", include_str!("../../experiments/published/voi_fig1.csv"))];

/// The experiments of the papers.
pub(super) fn built_in() -> Result<Vec<Experiment>> {
    let load = |path: &str| {
        let known = PUBLISHED.iter().find(|(name, _)| *name == path);
        known.map(|(_, text)| (*text).to_owned()).ok_or_else(|| format!("there is no {path}"))
    };
    BUILT_IN.iter().map(|(name, text)| Ok(Experiment::parse(name, text, load)?)).collect()
}

/// Measures what is missing, and leaves `NAME.svg`, `NAME.json` and the cells
/// themselves in the folder.
pub(super) fn measure(experiment: &Experiment, runs: u64, threads: usize, out: &Path) -> Result<Results> {
    std::fs::create_dir_all(out).with_context(|| format!("cannot write to {}", out.display()))?;
    let mut ledger = Ledger::open(&file(experiment, out, "cells.jsonl"), &build())?;
    let bar = Bar::new(experiment.n_runs(runs))?;
    bar.say(&experiment.name);
    let settings = Settings { runs, threads, progress: &|more| bar.add(more) };
    let results = experiment.run(&settings, &mut ledger)?;
    bar.finish();
    let found = Found { origin: Origin::here_and_now(), results: &results };
    let json = serde_json::to_string_pretty(&found).context("the results cannot be written as JSON")?;
    let svg = experiment::figure(&results).svg();
    for (ending, text) in [("svg", svg), ("json", json + "\n")] {
        let path = file(experiment, out, ending);
        std::fs::write(&path, text).with_context(|| format!("cannot write to {}", path.display()))?;
    }
    Ok(results)
}

/// What was found, and where and when.
#[derive(Serialize)]
struct Found<'a> {
    origin: Origin,
    #[serde(flatten)]
    results: &'a Results,
}

/// A file of the experiment in the folder.
pub(super) fn file(experiment: &Experiment, out: &Path, ending: &str) -> PathBuf {
    out.join(format!("{}.{ending}", experiment.name))
}

/// Tells this build from others, whose numbers may differ: the version and a
/// hash of the program itself.
fn build() -> String {
    let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    let mut hasher = DefaultHasher::new();
    program.hash(&mut hasher);
    format!("tesuji {} {:016x}", env!("CARGO_PKG_VERSION"), hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_experiments_are_understood() {
        let all = built_in().unwrap();
        assert_eq!(all.len(), BUILT_IN.len());
        let published = |experiment: &Experiment| {
            let entries = experiment.panels.iter().flat_map(|panel| &panel.entries);
            entries.filter(|entry| entry.published.is_some()).count()
        };
        assert_eq!(all.iter().map(published).collect::<Vec<_>>(), [0, 0, 0, 44]);
    }
}
