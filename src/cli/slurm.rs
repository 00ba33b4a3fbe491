//! `tesuji slurm`: a script that plays an experiment on a cluster with Slurm.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use tesuji::core::in_shell;
use tesuji_arena::{Experiment, Shard};

use super::BadInput;
use super::experiment::{PartArgs, no_such_part};
use super::files;

/// Write a script that plays an experiment on a Slurm cluster: an array of shards, merged at the end
///
/// Run the script with bash on a machine that has sbatch. It submits an array of jobs, one for each
/// shard, and a last job that merges their stores into one. After failures, or for more games, run
/// the script again: it goes on where it stopped. Preempted jobs go on by themselves.
#[derive(clap::Args)]
#[command(mut_arg("shard", |shard| shard.hide(true)), after_help = "\
A job ends by itself before Slurm would end it: it pauses its games a tenth of --time before the end. The
next run of the script plays what is missing. docs/scaling.md says how many jobs are worth it.

Examples:
  tesuji slurm shuss-table1 --jobs 100 --time 8h > table1.sh; bash table1.sh
  tesuji slurm shuss-table1 --only go:9 --jobs 20 --cores 8 --out go9.sh
  tesuji slurm shuss-table1 --jobs 500 --at-once 100 --sbatch=--partition=short")]
pub(super) struct Args {
    #[command(flatten)]
    part: PartArgs,
    /// The number of jobs, each with its shard of the games; clusters often allow 1000 in an array
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u64>(1..=1_000_000))]
    jobs: u64,
    /// Cores of a job, which plays as many games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = super::values::whole::<u64>(1..=1024))]
    cores: u64,
    /// The time limit of a job, such as 30m or 8h
    #[arg(long, value_name = "TIME", value_parser = super::duration, default_value = "4h")]
    time: Duration,
    /// Memory of a job, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 2000, value_parser = super::values::whole::<u64>(16..=100_000_000))]
    memory: u64,
    /// The most jobs that run at the same time
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u64>(1..=1_000_000_000))]
    at_once: Option<u64>,
    /// An option for sbatch, such as --sbatch=--partition=short; may be given several times
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// The store of all games; the shards' stores and logs go into a folder next to it
    #[arg(long, value_name = "FILE", default_value = super::STORE)]
    store: PathBuf,
    /// The program that jobs call [default: this one]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// Write the script to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const MINUTE: Duration = Duration::from_secs(60);
const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

pub(super) fn run(args: Args) -> Result<()> {
    if args.part.shard.is_some() {
        return Err(BadInput(
            "--shard is not for slurm: the script gives each of the --jobs its own".to_owned(),
        )
        .into());
    }
    let experiment = match args.part.read()? {
        Experiment::Matches(experiment) => args.part.part().of_matches(experiment).map_err(no_such_part)?,
        Experiment::Tuning(tuning) => {
            let reason = "is a tuning, whose results decide what is played next: use `tesuji tune`";
            return Err(BadInput(format!("{} {reason}", tuning.name())).into());
        }
        Experiment::Bandits(experiment) => {
            let reason = "is an experiment on bandits, and only matches run on a cluster: use `tesuji run`";
            return Err(BadInput(format!("{} {reason}", experiment.name())).into());
        }
    };
    if experiment.tournament.as_ref().is_some_and(|it| it.format.is_planned()) {
        return Err(BadInput(format!(
            "the results decide who meets next in {}, so it has no shards: use `tesuji run`",
            experiment.name()
        ))
        .into());
    }
    if !(MINUTE..=YEAR).contains(&args.time) {
        return Err(BadInput("--time is from 1m to 365d".to_owned()).into());
    }
    let busiest = Shard::new(1, args.jobs).context("there is at least one job")?;
    if args.jobs > experiment.games.div_ceil(2) {
        return Err(BadInput(format!(
            "{} jobs are too many: {} has {} games a cell, and the two games of a pair are in one shard, so \
             there are at most {} shards",
            args.jobs,
            experiment.name(),
            experiment.games,
            experiment.games.div_ceil(2)
        ))
        .into());
    }
    let games = busiest.count(experiment.games) * experiment.cells.len() as u64;
    let text = args.script(experiment.name(), games)?;
    match &args.out {
        None => super::print(&text),
        Some(path) => {
            files::write(path, text)?;
            super::print(&format!("Written to {0}: bash {0}\n", in_shell(&path.display().to_string())))
        }
    }
}

impl Args {
    fn script(&self, name: &str, games: u64) -> Result<String> {
        let program = match &self.program {
            Some(program) => program.clone(),
            None => std::env::current_exe().context("the path of this program is unknown: give --program")?,
        };
        let word = |path: &Path| in_shell(&path.display().to_string());
        let mut folder = self.store.clone().into_os_string();
        folder.push(".shards");
        let minutes = self.time.as_secs().div_ceil(60).max(1);
        // The last tenth is for the games that have begun.
        let play = (self.time.as_secs() * 9 / 10).max(1);
        let array = match self.at_once {
            Some(most) => format!("1-{}%{most}", self.jobs),
            None => format!("1-{}", self.jobs),
        };
        let more: String = self.sbatch.iter().map(|option| format!(" {}", in_shell(option))).collect();
        Ok(format!(
            r#"#!/bin/bash
# {title} on {jobs} jobs of a Slurm cluster, at most {games} games each, written by `tesuji slurm`.
# Run it with bash where sbatch is; run again, it goes on where it stopped.
set -euo pipefail

program={program}
store={store}
folder={folder}

case "${{1:-submit}}" in
submit)
  mkdir -p "$folder"
  script=$(realpath "$0")
  logs=${{folder//%/%%}}
  jobs=$(sbatch --parsable --job-name={job} --array={array} --time={minutes} --mem={memory}M \
    --cpus-per-task={cores} --requeue --output="$logs/job-%a.log" --open-mode=append{more} "$script" play)
  merge=$(sbatch --parsable --job-name={job} --dependency=afterany:"${{jobs%%;*}}" --time=60 --mem={memory}M \
    --output="$logs/merge.log" --open-mode=append{more} "$script" merge)
  echo "jobs $jobs play {jobs} shards; job $merge merges them into $store"
  ;;
play)
  shard=$SLURM_ARRAY_TASK_ID
  exec "$program" run {part} --shard "$shard/{jobs}" --store "$folder/$shard.db" -j {cores} --time {play}s
  ;;
merge)
  "$program" merge "$store" "$folder"/*.db
  "$program" show "$store"
  ;;
*)
  echo "error: '$1' is none of submit, play and merge" >&2
  exit 2
  ;;
esac
"#,
            title = tesuji::core::shortened(name),
            jobs = self.jobs,
            program = word(&program),
            store = word(&self.store),
            folder = word(Path::new(&folder)),
            job = in_shell(&format!("tesuji-{name}")),
            memory = self.memory,
            cores = self.cores,
            part = self.part.words(),
        ))
    }
}
