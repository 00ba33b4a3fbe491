//! `tesuji run`: an experiment from its file.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::value_parser;
use tesuji::core::in_shell;
use tesuji_arena::{BanditExperiment, Experiment, MatchExperiment, Store};
use tesuji_report::{experiment, matches};

use super::BadInput;
use super::experiment::{Part, Playing, measure, unless_interrupted};

/// Measure an experiment from its file: play the games, or do the runs, that are missing
///
/// What was found goes into the store as it comes in. Run again, after an end or a kill,
/// it goes on where it stopped. Effort is spread so that the intervals of all cells narrow
/// together; `tesuji show` prints a table at any time, `tesuji report` makes a page.
#[derive(clap::Args)]
#[command(after_help = "\
Cells of matches are chosen by words that they have, in their key or as the beginning of
their id (`tesuji check` lists both): blanks between words mean and, | means or.

Examples:
  tesuji run experiments/shuss-table1.toml --quick
  tesuji run experiments/shuss-table1.toml --only 'go:9|hex t=0|t=512' --time 30m
  tesuji run experiments/shuss-table1.toml --shard 2/10 --store shard2.db
  tesuji run experiments/voi-figure1.toml --runs 20000")]
pub(super) struct Args {
    #[command(flatten)]
    part: Part,
    /// Begin no game after this time, such as 90s, 30m or 2h
    #[arg(long, value_name = "TIME", value_parser = super::duration)]
    time: Option<Duration>,
    /// Runs of each cell on bandits, instead of what the file says
    #[arg(long, value_name = "N", conflicts_with = "quick", value_parser = value_parser!(u64).range(2..=1_000_000_000_000))]
    runs: Option<u64>,
    /// Where what is found is kept
    #[arg(long, value_name = "FILE", default_value = super::STORE)]
    store: PathBuf,
    /// Games at once, or threads; without it, one for each core
    #[arg(long, short = 'j', value_name = "N", value_parser = value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
    /// How long an external engine may think about a move
    #[arg(long, value_name = "TIME", value_parser = super::duration, default_value = "5m")]
    engine_timeout: Duration,
    /// Stop after 20 void games in a row, not after 2
    #[arg(long)]
    recover: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<()> {
    match args.part.read()? {
        Experiment::Bandits(experiment) => bandits(&args, &experiment),
        Experiment::Matches(experiment) => matches(&args, experiment),
    }
}

fn bandits(args: &Args, experiment: &BanditExperiment) -> Result<()> {
    let options = [
        ("--only", !args.part.only.is_empty()),
        ("--shard", args.part.shard.is_some()),
        ("--time", args.time.is_some()),
        ("--games", args.part.games.is_some()),
    ];
    if let Some((option, _)) = options.iter().find(|(_, given)| *given) {
        let name = experiment.name();
        return Err(
            BadInput(format!("{name} is on bandits, and {option} is for matches: it takes --runs")).into()
        );
    }
    let runs = match (args.runs, args.part.quick) {
        (Some(runs), _) => runs,
        (None, true) => experiment.quick_runs,
        (None, false) => experiment.runs,
    };
    let results = measure(experiment, runs, super::threads(args.threads), &mut Store::open(&args.store)?)?;
    if args.json {
        return super::print_json(&results);
    }
    super::print(&format!("{}\n{}", experiment::table(&results).text(), kept(args)))
}

fn matches(args: &Args, experiment: MatchExperiment) -> Result<()> {
    if args.runs.is_some() {
        let name = experiment.name();
        return Err(
            BadInput(format!("{name} is of matches, and --runs is for bandits: it takes --games")).into()
        );
    }
    let experiment = args.part.of(experiment)?;
    let playing = Playing {
        threads: super::threads(args.threads),
        shard: args.part.shard(),
        time: args.time,
        genmove: Some(args.engine_timeout),
        sprt: None,
        recover: args.recover,
    };
    let mut store = Store::open(&args.store)?;
    let summary = playing.play(&experiment, &mut store)?;
    let results = matches::results(&experiment, &store)?;
    if args.json {
        super::print_json(&results)?;
        return unless_interrupted(&summary);
    }
    let missing = match summary.missing {
        0 => String::new(),
        missing => format!("{missing} games are missing yet: run it again to go on.\n"),
    };
    let tables = matches::text(&results);
    super::print(&format!("{tables}{} games played now. {missing}{}", summary.played, kept(args)))?;
    unless_interrupted(&summary)
}

fn kept(args: &Args) -> String {
    let store = args.store.display();
    format!("Kept in {store}; a page of it: tesuji report {} --html out\n", in_shell(&store.to_string()))
}
