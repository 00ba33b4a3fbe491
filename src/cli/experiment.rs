//! What `run`, `check`, `slurm`, `match` and `reproduce` share: the experiments of the papers,
//! and an experiment measured into a store.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use tesuji::core::{in_shell, shortened, suggestion};
use tesuji::{BUILD, papers};
use tesuji_arena::{
    BanditExperiment, BanditResults, CellFilter, CellPattern, Definition, Experiment, ExperimentPart,
    ExperimentSize, MatchExperiment, MeasureError, MeasureSettings, PartError, Progress, RunSettings, Shard,
    Store, Summary,
};
use tesuji_report::numbers::grouped;

use super::BadInput;
use super::bar::Bar;
use super::device::{DeviceArgs, PlayDevice};
use super::interrupt::{self, Interrupted};
use super::progress::MatchProgress;

/// An experiment and the part of it that is wanted: arguments of `run`, `check` and `slurm`.
#[derive(clap::Args)]
pub(super) struct PartArgs {
    /// The experiment's file, or the name of a paper's experiment, such as voi-figure1
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Use the smaller version that the file defines
    #[arg(long)]
    pub(super) quick: bool,
    /// Only these cells of matches
    #[arg(long, value_name = "WORDS")]
    pub(super) only: Vec<CellPattern>,
    /// Only one of n parts of the games, such as 1/3; `tesuji merge` joins the parts
    #[arg(long, value_name = "i/n")]
    pub(super) shard: Option<Shard>,
    /// Games of each cell [default: from the file]
    #[arg(long, value_name = "N", conflicts_with = "quick", value_parser = super::values::whole::<u64>(1..=1_000_000_000))]
    pub(super) games: Option<u64>,
}

impl PartArgs {
    /// The shard, or the whole.
    pub(super) fn shard(&self) -> Shard {
        self.shard.unwrap_or(Shard::WHOLE)
    }

    /// These arguments as they are typed, without the shard.
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

    /// Reads the experiment from its file. The papers' experiments need no file.
    pub(super) fn read(&self) -> Result<Experiment> {
        let name = self.file.to_string_lossy();
        // A word without a dot and a slash is rather the name of an experiment.
        let is_path = self.file.exists() || name.contains(['.', '/']);
        let named = if self.file.exists() { None } else { read_built_in(&name) };
        named.unwrap_or_else(|| match is_path {
            true => Ok(Experiment::read(&self.file)?),
            false => Err(no_such_experiment(&name).into()),
        })
    }

    /// The part of the experiment.
    pub(super) fn part(&self) -> ExperimentPart {
        ExperimentPart {
            size: if self.quick { ExperimentSize::Quick } else { ExperimentSize::Full },
            games: self.games,
            runs: None,
            cells: CellFilter(self.only.clone()),
        }
    }
}

/// The error that nothing has this name.
fn no_such_experiment(name: &str) -> BadInput {
    let all = papers::EXPERIMENTS.iter().chain(&papers::OWN_EXPERIMENTS);
    let names: Vec<&str> = all.map(|(name, _)| *name).collect();
    let near =
        suggestion(name, names.iter().copied(), || format!("the experiments are {}", names.join(", ")));
    BadInput(format!("there is no file and no experiment called '{}': {near}", shortened(name)))
}

/// The error that an experiment has no such part, with the options of the command line.
pub(super) fn no_such_part(error: PartError) -> BadInput {
    BadInput(match error {
        PartError::RunsOfMatches { experiment } => {
            format!("{experiment} has matches, and --runs is for bandits: use --games")
        }
        PartError::OnlyForMatches { experiment, option } => only_for_matches(&experiment, option),
        other => other.to_string(),
    })
}

/// The sentence that an option is for experiments with matches.
pub(super) fn only_for_matches(experiment: &str, option: &str) -> String {
    format!("{experiment} is on bandits, and --{option} is for matches: use --runs")
}

/// How engines that fail are treated: arguments of `run` and `match`.
#[derive(clap::Args)]
pub(super) struct EngineArgs {
    /// The longest time of an external engine for a move, if games have no clock
    #[arg(long, value_name = "TIME", value_parser = super::duration, default_value = "5m")]
    engine_timeout: Duration,
    /// Stop after 20 void games in a row instead of 2
    #[arg(long)]
    recover: bool,
}

impl EngineArgs {
    /// The settings of a run of all games on this number of threads.
    pub(super) fn settings(&self, threads: usize) -> RunSettings {
        let usual = settings(threads);
        RunSettings {
            engine_timeout: Some(self.engine_timeout),
            most_voids: if self.recover { 20 } else { usual.most_voids },
            ..usual
        }
    }
}

/// When a run stops, and how large the files of its store become: arguments of `run` and `match`.
#[derive(clap::Args)]
pub(super) struct LimitArgs {
    /// Stop after this time, such as 90s, 9m or 2h; games in progress are paused, and the same command
    /// continues them
    #[arg(long, value_name = "TIME", value_parser = super::duration)]
    pub(super) time: Option<Duration>,
    /// Keep the store's files below this size, such as 15MB: a full file is followed by a next one
    #[arg(long, value_name = "SIZE", value_parser = super::values::file_size)]
    pub(super) store_limit: Option<u64>,
}

impl LimitArgs {
    /// The store in this file, with the limit of its size.
    pub(super) fn open(&self, path: &Path) -> Result<Store> {
        let store = Store::open(path)?;
        Ok(match self.store_limit {
            Some(bytes) => store.limited(bytes)?,
            None => store,
        })
    }
}

/// How games are played and kept: arguments of `match`, `tournament` and `tune`.
#[derive(clap::Args)]
pub(super) struct PlayArgs {
    /// Games at the same time [default: one for each core]
    #[arg(long, short = 'j', visible_alias = "concurrency", value_name = "N", value_parser = super::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    engines: EngineArgs,
    /// Keep the games in this file; the same command then goes on if it is interrupted
    #[arg(long, value_name = "FILE")]
    pub(super) store: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
}

impl PlayArgs {
    /// Opens the device.
    pub(super) fn device(&self) -> Result<PlayDevice> {
        self.device.open()
    }

    /// The store that keeps the games: in the file, or in memory without one.
    pub(super) fn open_store(&self) -> Result<Store> {
        match &self.store {
            Some(path) => self.limits.open(path),
            None if self.limits.store_limit.is_some() => {
                Err(BadInput("--store-limit is for the files of --store FILE".to_owned()).into())
            }
            None => Ok(Store::in_memory()?),
        }
    }

    /// A line that says which file has the games, if any has, and how to look at them.
    pub(super) fn kept(&self, store: &Store) -> String {
        self.store.as_ref().map_or_else(String::new, |path| {
            let path = in_shell(&path.display().to_string());
            format!("Kept in {}: tesuji show {path}; tesuji report {path} --html out\n", files_of(store))
        })
    }

    /// The settings of a run of all games, which stops when its time is up.
    pub(super) fn settings(&self) -> RunSettings {
        RunSettings {
            deadline: deadline(self.limits.time),
            ..self.engines.settings(super::threads(self.threads))
        }
    }
}

/// How many games a run played, paused and left, in a line with the way to go on. `store` is where
/// the games are kept, if they are.
pub(super) fn played_now(summary: &Summary, store: Option<&Path>) -> String {
    let Summary { played, paused, missing, .. } = *summary;
    let paused = if paused > 0 { format!(", {} paused", grouped(paused)) } else { String::new() };
    let go_on = match (missing, store) {
        _ if summary.is_interrupted || summary.decision.is_some() => String::new(),
        (0, _) => String::new(),
        (missing, Some(_)) => {
            format!(" {} games are missing: run the same command again to continue.", grouped(missing))
        }
        (missing, None) => {
            format!(
                " {} games are missing, and with --store FILE the same command continues.",
                grouped(missing)
            )
        }
    };
    format!("{} games played now{paused}.{go_on}", grouped(played))
}

/// The files of a store in words: `a.db`, or `a.db and 2 more files up to a.volume3.db`.
pub(super) fn files_of(store: &Store) -> String {
    let path = store.path().display();
    match &store.volumes()[..] {
        [_, others @ .., last] if !others.is_empty() => {
            format!("{path} and {} more files up to {}", others.len() + 1, last.display())
        }
        [_, last] => format!("{path} and {}", last.display()),
        _ => path.to_string(),
    }
}

/// The settings of a run of all games by this program.
pub(super) fn settings(threads: usize) -> RunSettings {
    RunSettings { build: build(), ..RunSettings::on_threads(threads) }
}

/// The moment after this time. A time beyond all times is none.
pub(super) fn deadline(time: Option<Duration>) -> Option<Instant> {
    time.and_then(|time| Instant::now().checked_add(time))
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
    let interrupt = interrupt::flag()?;
    let progress = |more| bar.add(more);
    let settings = MeasureSettings { runs, build: &build, threads, interrupt, progress: &progress };
    let results = experiment.run(&settings, store);
    bar.finish();
    match results {
        Err(MeasureError::Interrupted) => Err(Interrupted::stored(store.path()).into()),
        other => Ok(other?),
    }
}

/// Plays what the store lacks on a device or on threads, with a bar that shows the progress. Ctrl-C
/// ends it.
pub(super) fn play(
    experiment: &MatchExperiment,
    settings: &RunSettings,
    store: &mut Store,
    device: &mut PlayDevice,
) -> Result<Summary> {
    let device = device.for_experiment(experiment)?;
    let mut progress = MatchProgress::new()?;
    let interrupt = interrupt::flag()?;
    let mut tell = |told: &Progress<'_>| progress.tell(told);
    let summary = match device {
        Some(device) => experiment.run_on_device(device, settings, store, interrupt, &mut tell),
        None => experiment.run_watched(settings, store, interrupt, &mut tell),
    };
    progress.finish();
    Ok(summary?)
}

/// Ends with the exit code of an interrupted program, once everything was told.
/// `store` is where the games are kept, if they are.
pub(super) fn unless_interrupted(summary: &Summary, store: Option<&Path>) -> Result<()> {
    match store {
        _ if !summary.is_interrupted => Ok(()),
        Some(store) => Err(Interrupted::stored(store).into()),
        None => Err(Interrupted::unstored().into()),
    }
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
            Experiment::Tuning(tuning) => panic!("{} is of no paper", tuning.name()),
        };
        let all: Vec<(u64, usize)> = built_in().unwrap().iter().map(published).collect();
        assert_eq!(all[..5], [(336, 320), (72, 72), (9, 9), (6, 0), (3, 0)]);
        assert_eq!(all[8], (8, 44));
    }
}
