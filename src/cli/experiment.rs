//! What `run`, `check`, `slurm`, `match` and `reproduce` share: the experiments of the papers,
//! and an experiment measured into a store.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Result;
use tesuji::core::in_shell;
use tesuji::{BUILD, papers};
use tesuji_arena::statistics::Sprt;
use tesuji_arena::{
    BanditExperiment, BanditResults, Definition, Experiment, MatchExperiment, MeasureSettings, Only, Pattern,
    Progress, RunSettings, Shard, Store, Summary,
};

use super::BadInput;
use super::bar::Bar;
use super::interrupt::{self, Interrupted};
use super::progress::MatchProgress;

/// Which part of an experiment: the arguments that `run`, `check` and `slurm` have in common.
#[derive(clap::Args)]
pub(super) struct Part {
    /// The experiment's file; those of the papers need none, and are called by name, such as voi-figure1
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// As little as the file says for those in a hurry
    #[arg(long)]
    pub(super) quick: bool,
    /// Only these cells of matches
    #[arg(long, value_name = "WORDS")]
    pub(super) only: Vec<Pattern>,
    /// Only the i-th of n parts of the games, such as 1/3; `tesuji merge` joins them
    #[arg(long, value_name = "i/n")]
    pub(super) shard: Option<Shard>,
    /// Games of each cell, instead of what the file says
    #[arg(long, value_name = "N", conflicts_with = "quick", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(super) games: Option<u64>,
}

impl Part {
    /// The shard, or the whole.
    pub(super) fn shard(&self) -> Shard {
        self.shard.unwrap_or(Shard::WHOLE)
    }

    /// The same as it is typed, but for the shard.
    pub(super) fn words(&self) -> String {
        let file = self.file.display().to_string();
        // Not to be taken for an option.
        let file = if file.starts_with('-') { format!("./{file}") } else { file };
        let mut words = in_shell(&file);
        if self.quick {
            words += " --quick";
        }
        for pattern in &self.only {
            words += &format!(" --only {}", in_shell(&pattern.to_string()));
        }
        if let Some(games) = self.games {
            words += &format!(" --games {games}");
        }
        words
    }

    /// The experiment: of its file, or one of the papers', which needs none.
    pub(super) fn read(&self) -> Result<Experiment> {
        let named = if self.file.exists() { None } else { read_built_in(&self.file.to_string_lossy()) };
        named.unwrap_or_else(|| Ok(Experiment::read(&self.file)?))
    }

    /// The part of an experiment by matches.
    pub(super) fn of(&self, experiment: MatchExperiment) -> Result<MatchExperiment> {
        let part = tesuji_arena::Part { quick: self.quick, games: self.games, only: Only(self.only.clone()) };
        part.of(experiment).map_err(|error| BadInput(error.to_string()).into())
    }
}

/// The text of a file of published numbers.
pub(super) fn published_text(path: &str) -> &'static str {
    papers::PUBLISHED.iter().find(|(name, _)| *name == path).map_or("", |(_, text)| text)
}

/// An experiment of the papers by its name, or the path that its file would have.
fn read_built_in(name: &str) -> Option<Result<Experiment>> {
    let (name, text) = papers::experiment(name)?;
    let read = || {
        let definition = Definition::built_in(name, text, &papers::PUBLISHED)?;
        Ok(Experiment::parse(definition, Path::new(""))?)
    };
    Some(read())
}

/// The experiments of the papers.
pub(super) fn built_in() -> Result<Vec<Experiment>> {
    let read = |&(name, _): &(&str, &str)| read_built_in(name).expect("the name is of the list");
    papers::EXPERIMENTS.iter().map(read).collect()
}

/// Measures what the store does not have of an experiment on bandits.
pub(super) fn measure(
    experiment: &BanditExperiment,
    runs: u64,
    threads: usize,
    store: &mut Store,
) -> Result<BanditResults> {
    let bar = Bar::new(experiment.n_runs(runs))?;
    bar.say(experiment.name());
    let build = build();
    let interrupt = AtomicBool::new(false);
    let progress = |more| bar.add(more);
    let settings =
        MeasureSettings { runs, build: &build, threads, interrupt: &interrupt, progress: &progress };
    let results = experiment.run(&settings, store)?;
    bar.finish();
    Ok(results)
}

/// How to play what is missing of an experiment by matches.
pub(super) struct Playing {
    pub(super) threads: usize,
    pub(super) shard: Shard,
    pub(super) time: Option<Duration>,
    pub(super) genmove: Option<Duration>,
    pub(super) sprt: Option<Sprt>,
    /// Whether many void games in a row are borne.
    pub(super) recover: bool,
}

impl Playing {
    /// Everything, as long as it takes.
    pub(super) fn all(threads: usize) -> Playing {
        Playing { threads, shard: Shard::WHOLE, time: None, genmove: None, sprt: None, recover: false }
    }

    /// Plays what the store does not have.
    pub(super) fn play(&self, experiment: &MatchExperiment, store: &mut Store) -> Result<Summary> {
        self.play_these(experiment, store, None)
    }

    /// The same of these games alone, by their indices.
    pub(super) fn play_these(
        &self,
        experiment: &MatchExperiment,
        store: &mut Store,
        wanted: Option<BTreeSet<u64>>,
    ) -> Result<Summary> {
        let mut progress = MatchProgress::new()?;
        let interrupt = interrupt::flag()?;
        let mut tell = |told: &Progress<'_>| progress.tell(told);
        let usual = RunSettings::new(self.threads, interrupt, &mut tell);
        let mut settings = RunSettings {
            shard: self.shard,
            wanted,
            // A time beyond all times is none.
            deadline: self.time.and_then(|time| Instant::now().checked_add(time)),
            sprt: self.sprt,
            genmove: self.genmove,
            most_voids: if self.recover { 20 } else { usual.most_voids },
            build: build(),
            ..usual
        };
        let summary = experiment.run(&mut settings, store);
        progress.finish();
        Ok(summary?)
    }
}

/// Ends with the exit code of an interrupted program, once everything was told.
pub(super) fn unless_interrupted(summary: &Summary) -> Result<()> {
    if summary.is_interrupted { Err(Interrupted.into()) } else { Ok(()) }
}

/// The text that stores keep with every game: numbers of other builds may differ.
pub(super) fn build() -> String {
    BUILD.fingerprint.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_experiments_are_understood() {
        let published = |experiment: &Experiment| match experiment {
            Experiment::Bandits(experiment) => {
                let entries = experiment.panels.iter().flat_map(|panel| &panel.entries);
                (experiment.n_runs(1), entries.filter(|entry| entry.published.is_some()).count())
            }
            Experiment::Matches(experiment) => {
                let entries = experiment.grids.iter().flat_map(|grid| &grid.entries);
                (experiment.cells.len() as u64, entries.filter(|entry| entry.published.is_some()).count())
            }
        };
        let all: Vec<(u64, usize)> = built_in().unwrap().iter().map(published).collect();
        assert_eq!(all[..5], [(160, 160), (72, 72), (9, 9), (6, 0), (3, 0)]);
        assert_eq!(all[8], (8, 44));
    }
}
