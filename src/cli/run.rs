//! `tesuji run`: an experiment from its file.

use std::path::PathBuf;

use anyhow::Result;
use clap::value_parser;
use tesuji_arena::Experiment;
use tesuji_report::experiment;

use super::experiment as shared;

/// Measure an experiment from its file: a figure, a table, and every number
///
/// What has been measured is kept in the folder as it comes in. Run again, after
/// an end or a kill, the same build measures only what is missing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji run experiments/shuss-figure2.toml --quick
  tesuji run experiments/voi-figure1.toml --runs 20000 --out results/voi")]
pub(super) struct Args {
    /// The experiment's file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// As few runs as the file says for those in a hurry
    #[arg(long)]
    quick: bool,
    /// Runs of each cell, instead of what the file says
    #[arg(long, value_name = "N", conflicts_with = "quick", value_parser = value_parser!(u64).range(2..=1_000_000_000_000))]
    runs: Option<u64>,
    /// Where the figure and the numbers go, as NAME.svg and NAME.json
    #[arg(long, value_name = "DIR", default_value = "target/run")]
    out: PathBuf,
    /// Threads; without it, one for each core
    #[arg(long, short = 'j', value_name = "N", value_parser = value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<()> {
    let experiment = Experiment::read(&args.file)?;
    let runs = match (args.runs, args.quick) {
        (Some(runs), _) => runs,
        (None, true) => experiment.quick_runs,
        (None, false) => experiment.runs,
    };
    let results = shared::measure(&experiment, runs, super::threads(args.threads), &args.out)?;
    if args.json {
        return super::print_json(&results);
    }
    let figure = shared::file(&experiment, &args.out, "svg");
    super::print(&format!("{}\nFigure: {}\n", experiment::table(&results).text(), figure.display()))
}
