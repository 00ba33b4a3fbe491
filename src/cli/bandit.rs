//! `tesuji bandit`: the regret of policies on arms whose values are known.

use std::io::{self, Write};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::Result;
use cpu_time::ProcessTime;
use tesuji::bandit::PolicySpec;
use tesuji::bandit::testbed::{ArmsSpec, Laboratory, Row, ScoreModel};
use tesuji_report::Screen;
use tesuji_report::numbers::{duration, grouped, rate};

use super::bar::Bar;
use super::until::UntilArgs;
use super::{files, interrupt};

/// Measure the regret of policies on arms whose values are known
///
/// It tries every combination of arms, budget and policy, in many runs. All policies see the
/// same random numbers, so their differences are known better than the regrets themselves.
/// Equal seeds give equal numbers, on any number of threads.
#[derive(clap::Args)]
#[command(after_help = "\
Arms are 1:N, A:N, S:N, N:N (as in the SHUSS paper), wide:N, clipped:N, uniform:N,
twelfths:N, a list such as [0.5,0.4,0.3], or file:PATH. `tesuji policies` lists arms and policies.

Examples:
  tesuji bandit --arms N:80 --budget 2048 --policy sh --policy 'ucb(c=0.3)'
  tesuji bandit --arms uniform:32 --budget 64,256,1024 --policy ect --plot r.svg
  tesuji bandit --arms N:9 --budget 99 --policy 'shuss(t=9)' --score-noise 0.1
  tesuji bandit --arms A:9 --budget 9999 --policy sh --until 95% --within 0.02")]
pub(super) struct Args {
    /// The arms; may be given several times
    #[arg(long, value_name = "ARMS", required = true)]
    arms: Vec<String>,
    /// Samples of a run; several with commas between them
    #[arg(long, value_name = "T", required = true, value_delimiter = ',', value_parser = super::values::whole::<u64>(1..=1_000_000_000))]
    budget: Vec<u64>,
    /// The policy; may be given several times
    #[arg(long, value_name = "POLICY", required = true)]
    policy: Vec<String>,
    /// Runs of each combination
    #[arg(long, value_name = "N", default_value = "10000", value_parser = super::values::whole::<u64>(1..=1_000_000_000_000))]
    runs: u64,
    /// Give arms scores: their values with normal noise of this standard deviation
    #[arg(long, value_name = "SD", value_parser = super::values::number(0.0..=f64::MAX))]
    score_noise: Option<f64>,
    /// Let scores improve like AMAF: each sample counts as R samples of every score
    #[arg(long, value_name = "R", requires = "score_noise", value_parser = super::values::number(0.0..=f64::MAX))]
    score_rate: Option<f64>,
    /// What a score grows by if its arm's value grows by 1: below 1 it flattens, with 0 it says nothing
    #[arg(long, value_name = "B", requires = "score_noise", default_value_t = 1.0, value_parser = super::values::number(0.0..=f64::MAX))]
    score_slope: f64,
    /// Let some scores have more samples than others: the deviation of the logarithm of their rates
    #[arg(long, value_name = "SD", requires = "score_rate", default_value_t = 0.0, value_parser = super::values::number(0.0..=5.0))]
    score_uneven: f64,
    #[command(flatten)]
    until: UntilArgs,
    /// The seed: a whole number, or the 32 digits of a seed
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: String,
    /// Threads [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = super::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw the regrets into this SVG file: curves for several budgets, bars for one
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let policies: Vec<PolicySpec> = distinct(&args.policy)?;
    let arms: Vec<ArmsSpec> = distinct(&args.arms)?;
    let mut budgets = args.budget.clone();
    budgets.sort_unstable();
    budgets.dedup();
    let seed = args.seed.parse()?;
    let scores = args.score_noise.map(|noise| ScoreModel {
        noise,
        slope: args.score_slope,
        rate: args.score_rate,
        uneven: args.score_uneven,
    });
    let until = args.until.until()?;
    let threads = super::threads(args.threads);
    let laboratory = |arms| Laboratory {
        arms,
        budgets: budgets.clone(),
        policies: policies.clone(),
        runs: args.runs,
        seed,
        scores,
        until,
        threads,
    };
    if let Some(path) = &args.plot {
        files::check_svg(path)?;
        files::check_writable(path)?;
    }
    let interrupted = interrupt::flag()?;
    let start = ProcessTime::now();
    let n_runs = args.runs * policies.len() as u64;
    let bar = Bar::new(n_runs * arms.len() as u64)?;
    let mut rows: Vec<Row> = Vec::new();
    for (index, arms) in arms.into_iter().enumerate() {
        bar.say(&format!("{arms}"));
        let laboratory = laboratory(arms);
        let before = index as u64 * n_runs;
        rows.extend(laboratory.run(&|runs| bar.set(before + runs), interrupted)?);
        if interrupt::is_set() {
            break;
        }
    }
    bar.finish();
    let seconds = start.elapsed().as_secs_f64();
    if rows.is_empty() {
        // Interrupted before the first runs were done.
        return interrupt::ended();
    }
    let mut plotted = String::new();
    if let Some(path) = &args.plot {
        files::write(path, tesuji_report::bandit::figure(&rows).svg())?;
        plotted = format!("Plot: {}\n", path.display());
    }
    if args.json {
        // Standard output is the JSON alone.
        let _ = write!(io::stderr(), "{plotted}");
        super::print_json_list("cells", rows)?;
        return interrupt::ended();
    }
    let [recommendations, costs] = tesuji_report::bandit::tables(&rows);
    let stops = until.and_then(|until| tesuji_report::bandit::stops(&rows, until));
    let stops = stops.map_or_else(String::new, |table| format!("{}\n", table.text(screen)));
    let total = rows.iter().map(|row| row.runs).sum::<u64>();
    let without_scores = |policy: &PolicySpec| {
        let is = policy.without_scores().filter(|_| scores.is_none())?;
        Some(format!("The arms have no scores, so {policy} is {is}; --score-noise gives them scores.\n"))
    };
    let notes = screen.wrapped(&policies.iter().filter_map(without_scores).collect::<String>());
    super::print(&format!(
        "{}\n{stops}{}{notes}\n{} runs in {} of CPU time, {} a second\n{plotted}",
        recommendations.text(screen),
        costs.text(screen),
        grouped(total),
        duration(Duration::from_secs_f64(seconds)),
        rate(total as f64 / seconds)
    ))?;
    interrupt::ended()
}

/// Reads specs; one that is given again is the same.
fn distinct<T: FromStr + PartialEq>(texts: &[String]) -> Result<Vec<T>, T::Err> {
    let mut all = Vec::new();
    for text in texts {
        let spec = text.parse()?;
        if !all.contains(&spec) {
            all.push(spec);
        }
    }
    Ok(all)
}
