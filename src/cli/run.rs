//! `tesuji run`: an experiment from its file.

use std::path::PathBuf;

use anyhow::Result;
use tesuji::core::in_shell;
use tesuji_arena::tuning::Tuning;
use tesuji_arena::{BanditExperiment, Experiment, ExperimentPart, MatchExperiment, RunSettings, Store};
use tesuji_report::tuning::{self, TuningResults};
use tesuji_report::{Screen, experiment, matches};

use super::BadInput;
use super::device::DeviceArgs;
use super::experiment::{
    EngineArgs, LimitArgs, PartArgs, deadline, files_of, measure, no_such_part, only_for_matches, play,
    played_now, unless_interrupted,
};

/// Run an experiment from its file: play the games, or do the runs, that are missing
///
/// Each result is stored at once. After an interrupt or a kill, the same command continues
/// where it stopped. Games are spread over the cells so that all intervals narrow together.
/// `tesuji show` prints the tables at any time, `tesuji report` makes a page.
#[derive(clap::Args)]
#[command(after_help = "\
--only chooses cells of matches by words in their key or by the beginning of their id
(`tesuji check` lists both). Blanks between words mean and, | means or.

Examples:
  tesuji run experiments/shuss-table1.toml --quick
  tesuji run experiments/shuss-table1.toml --only 'go:9|hex t=512' --time 30m
  tesuji run experiments/shuss-table1.toml --shard 2/10 --store shard2.db
  tesuji run experiments/shuss-table1.toml --device cuda --time 9m
  tesuji run experiments/voi-figure1.toml --runs 20000")]
pub(super) struct Args {
    #[command(flatten)]
    part: PartArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Runs of each cell on bandits [default: from the file]
    #[arg(long, value_name = "N", conflicts_with = "quick", value_parser = super::values::whole::<u64>(2..=1_000_000_000_000))]
    runs: Option<u64>,
    /// The store for the results
    #[arg(long, value_name = "FILE", default_value = super::STORE)]
    store: PathBuf,
    /// Games at once, or threads [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = super::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    engines: EngineArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    match args.part.read()? {
        Experiment::Bandits(experiment) => bandits(&args, &experiment, screen),
        Experiment::Matches(experiment) => matches(&args, experiment, screen),
        Experiment::Tuning(tuning) => tune(&args, &tuning, screen),
    }
}

impl Args {
    fn part(&self) -> ExperimentPart {
        ExperimentPart { runs: self.runs, ..self.part.part() }
    }
}

fn bandits(args: &Args, experiment: &BanditExperiment, screen: &Screen) -> Result<()> {
    let LimitArgs { time, store_limit } = &args.limits;
    for (option, is_given) in [
        ("shard", args.part.shard.is_some()),
        ("time", time.is_some()),
        ("store-limit", store_limit.is_some()),
    ] {
        if is_given {
            return Err(BadInput(only_for_matches(experiment.name(), option)).into());
        }
    }
    let runs = args.part().runs_of(experiment).map_err(no_such_part)?;
    let mut store = Store::open(&args.store)?;
    let results = measure(experiment, runs, super::threads(args.threads), &mut store)?;
    if args.json {
        return super::print_json(&results);
    }
    let table = experiment::table(&results).text(screen);
    let verdicts = screen.wrapped(&experiment::verdict_text(&results));
    super::print(&format!("{table}{verdicts}\n{}", kept(&store)))
}

fn matches(args: &Args, experiment: MatchExperiment, screen: &Screen) -> Result<()> {
    let experiment = args.part().of_matches(experiment).map_err(no_such_part)?;
    let mut device = args.device.open()?;
    let settings = RunSettings {
        shard: args.part.shard(),
        deadline: deadline(args.limits.time),
        ..args.engines.settings(super::threads(args.threads))
    };
    let mut store = args.limits.open(&args.store)?;
    let summary = play(&experiment, &settings, &mut store, &mut device)?;
    let results = matches::results(&experiment, &store)?;
    if args.json {
        super::print_json(&results)?;
        return unless_interrupted(&summary, Some(&args.store));
    }
    let tables = matches::text(&results, screen);
    let played = played_now(&summary, Some(&args.store));
    let separator = if played.ends_with("now.") { ' ' } else { '\n' };
    super::print(&format!("{tables}{played}{separator}{}", kept(&store)))?;
    unless_interrupted(&summary, Some(&args.store))
}

fn tune(args: &Args, tuning: &Tuning, screen: &Screen) -> Result<()> {
    for (option, is_given) in [
        ("quick", args.part.quick),
        ("only", !args.part.only.is_empty()),
        ("shard", args.part.shard.is_some()),
        ("games", args.part.games.is_some()),
        ("runs", args.runs.is_some()),
    ] {
        if is_given {
            let sentence = format!("{} is a tuning, and --{option} is not for tunings", tuning.name());
            return Err(BadInput(sentence).into());
        }
    }
    let mut device = args.device.open()?;
    let settings = RunSettings {
        deadline: deadline(args.limits.time),
        ..args.engines.settings(super::threads(args.threads))
    };
    let mut store = args.limits.open(&args.store)?;
    let summary = super::tune::play(tuning, &settings, &mut store, &mut device)?;
    let results = TuningResults::read(tuning, &store)?;
    if args.json {
        super::print_json(&results)?;
        return unless_interrupted(&summary, Some(&args.store));
    }
    let played = played_now(&summary, Some(&args.store));
    super::print(&format!("{}\n{played}\n{}", tuning::text(&results, screen), kept(&store)))?;
    unless_interrupted(&summary, Some(&args.store))
}

fn kept(store: &Store) -> String {
    let (files, path) = (files_of(store), store.path().display().to_string());
    format!("Stored in {files}. For a page: tesuji report {} --html out\n", in_shell(&path))
}
