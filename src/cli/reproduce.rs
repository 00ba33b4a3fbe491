//! `tesuji reproduce`: what was published, measured again.
//!
//! It counts move sequences and compares them with those of slow, simple rules, measures the
//! speed of random games and of searches, and measures the papers' figures and tables, of
//! which everything is kept in a store.

mod estimate;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use tesuji::catalog::{GameSpec, games};
use tesuji::core::{Seed, perft_file};
use tesuji::search::Recording;
use tesuji_arena::{BanditExperiment, Experiment, MatchExperiment, RunSettings, Store};
use tesuji_report::numbers::grouped;
use tesuji_report::portfolio::SeedTable;
use tesuji_report::store::{Detail, StoreFilter, StoreReport};
use tesuji_report::{Reproduction, Screen, Table};

use self::estimate::Plan;
use super::device::{DeviceOrAutoArgs, PlayDevice};
use super::experiment as shared;
use super::files;
use super::interrupt::{self, Interrupted};
use super::machine::Origin;
use super::measure::{self, Settings, Speed};
use super::peers;
use super::portfolio::{self, Testing};
use super::searches::{self, Beside, SearchSpeed};
use super::{Versioned, print};

/// Measure every number of the papers again: tables, verdicts and a page
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji reproduce --quick
  tesuji reproduce --plan
  tesuji reproduce --time 2h --out results/today
  tesuji run shuss-table1 --only 'go:9 t=512' --store results/today/results.db

Without --quick and --time every experiment is measured in full, which takes days on a CPU.
--plan says how long on this machine, and so does every such run before it begins. Stop it at
any time: the same command continues where it stopped. `tesuji run` plays a part of an
experiment into the same store.")]
pub(super) struct Args {
    /// Measure small versions of everything, in one or two minutes
    #[arg(long)]
    quick: bool,
    /// Stop after about this time, such as 30m or 2h; bandits are measured in full first
    #[arg(long, value_name = "TIME", conflicts_with = "quick", value_parser = super::duration)]
    time: Option<Duration>,
    /// Only say how long everything takes on this machine
    #[arg(long, conflicts_with_all = ["quick", "time", "json"])]
    plan: bool,
    /// The folder for the page (index.html), the data (results.json) and the store (results.db)
    #[arg(long, value_name = "DIR", default_value = "target/reproduce")]
    out: PathBuf,
    /// Threads for the experiments [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = super::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
    #[command(flatten)]
    device: DeviceOrAutoArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Everything that was found.
#[derive(Serialize)]
struct Results {
    origin: Origin,
    quick: bool,
    perft: Vec<Counts>,
    speed: Vec<Speed>,
    searches: Vec<SearchSpeed>,
    /// Portfolios of seeds, from the games of the store.
    seeds: Vec<SeedTable>,
    #[serde(flatten)]
    report: StoreReport,
}

/// The numbers of move sequences of depth 1, 2, … on one board.
#[derive(Serialize)]
struct Counts {
    game: String,
    expected: Vec<u64>,
    measured: Vec<u64>,
}

impl Counts {
    fn are_equal(&self) -> bool {
        self.expected == self.measured
    }
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let (largest, playouts, simulations) =
        if args.quick { (10_000_000, 100_000, 1) } else { (u64::MAX, 1_000_000, 200_000) };
    let settings = Settings { playouts, seed: Seed::new(1), recording: Recording::Off };
    let file = args.out.join("results.db");
    let began = Instant::now();
    let planned = Planned::of(&args)?;
    let mut device = args.device.open(args.quick)?;
    for experiment in &planned.matches {
        device.check(experiment)?;
    }
    interrupt::flag()?;
    let plan = |store: &Store, device: &mut PlayDevice| -> Result<String> {
        let plan = Plan::of(&planned, store, super::threads(args.threads), device)?;
        interrupt::ended()?;
        Ok(plan.text(&file.display().to_string(), screen))
    };
    if args.plan {
        let store = if file.exists() { Store::open_to_read(&file)? } else { Store::in_memory()? };
        return print(&plan(&store, &mut device)?);
    }
    // Better now than after the measurements.
    files::make_folder(&args.out)?;
    let mut store = Store::open(&file)?;
    if !args.quick {
        // Standard output is for the results.
        let _ = writeln!(io::stderr(), "{}", plan(&store, &mut device)?);
    }
    let all = FIXED_STEPS + planned.bandits.len() + planned.matches.len();
    let mut steps = Steps { begun: 0, all, store: &file };
    steps.begin("move sequences, counted by fast and slow rules")?;
    let perft = counts(largest)?;
    steps.begin("speed of random games")?;
    let speed = measure::speeds(&GameSpec::measured(), &settings)?;
    steps.begin("speed of searches")?;
    let searches = search_speeds(simulations)?;
    planned.measure(&args, began, &mut steps, &mut store, &mut device)?;
    steps.begin("portfolios of seeds")?;
    let seeds = seeds(&args, &store)?;
    let published = portfolio::published()?;
    let mut report = StoreReport::read(&store, &file.display().to_string(), &StoreFilter::default())?;
    // As the list of experiments has them, which begins with what people come for.
    let names: Vec<String> =
        shared::built_in()?.iter().map(|experiment| experiment.name().to_owned()).collect();
    report.experiments.sort_by_key(|experiment| names.iter().position(|name| name == experiment.name()));
    let results =
        Results { origin: Origin::here_and_now(), quick: args.quick, perft, speed, searches, seeds, report };
    let tables = [
        perft_table(&results.perft),
        speed_table(&results.speed, playouts),
        searches::table("Searches: simulations per CPU second".to_owned(), &results.searches),
    ];
    let json = serde_json::to_string_pretty(&Versioned::new(&results))
        .context("the results cannot be written as JSON")?;
    let page = args.out.join("index.html");
    let reproduction = Reproduction {
        origin: &results.origin.line(),
        report: &results.report,
        rules_and_speed: tables.each_ref(),
        portfolios: &results.seeds,
        published: &published,
    };
    files::write(&page, reproduction.html())?;
    files::write(&args.out.join("results.json"), &json)?;

    if args.json {
        print(&(json + "\n"))?;
    } else {
        for (number, table) in tables.iter().enumerate() {
            let note = if number > 0 { peers::NOTE } else { "" };
            print(&format!("{}{}\n", table.text(screen), screen.wrapped(note)))?;
        }
        print(&format!("{}\n\n", results.report.text(Detail::Tables, screen).trim_end()))?;
        for table in &results.seeds {
            print(&format!("{}\n", table.text(&published, screen)))?;
        }
        let verdicts = reproduction.verdicts().headline().unwrap_or_default();
        let end = format!("{verdicts}\n\n{}\nPage: {}\n", results.origin.line(), page.display());
        print(&screen.wrapped(&end))?;
    }
    let different = results.perft.iter().filter(|counts| !counts.are_equal()).count();
    if different > 0 {
        bail!("the counts of {different} of {} boards are not what they should be", results.perft.len());
    }
    Ok(())
}

/// Counts again what the games' perft files hold, up to a largest count.
fn counts(largest: u64) -> Result<Vec<Counts>> {
    let mut all = Vec::new();
    for info in games() {
        for entry in perft_file::entries(info.perft) {
            let spec: GameSpec = format!("{}:{}", info.name, entry.size).parse()?;
            let game = spec.start()?;
            let expected: Vec<u64> = entry.counts.into_iter().take_while(|count| *count <= largest).collect();
            let depths = (1..).take(expected.len()).take_while(|_| !interrupt::is_set());
            let measured = depths.map(|depth| game.perft(depth)).collect();
            all.push(Counts { game: spec.to_string(), expected, measured });
        }
    }
    Ok(all)
}

fn perft_table(all: &[Counts]) -> Table {
    let mut table = Table::new(
        "Legal move sequences up to a number of plies, by slow and by fast rules",
        ["game", "plies", "#slow rules", "#fast rules", "verdict"],
    );
    for counts in all {
        let whole = counts.expected.last() == Some(&0);
        let plies = format!("{}{}", counts.expected.len(), if whole { ", all games over" } else { "" });
        let total = |counts: &[u64]| grouped(counts.iter().sum());
        let verdict = if counts.are_equal() { "✓ equal" } else { "✗ different" };
        let (expected, measured) = (total(&counts.expected), total(&counts.measured));
        table.row([counts.game.clone(), plies, expected, measured, verdict.to_owned()]);
    }
    table
}

fn speed_table(speeds: &[Speed], playouts: u64) -> Table {
    let title = format!("Speed: {} random games each", grouped(playouts));
    measure::table(title, speeds)
}

/// Measures searches by the two trees that most others are made of.
fn search_speeds(simulations: u64) -> Result<Vec<SearchSpeed>> {
    let players = [searches::player("uct", None)?, searches::player("rave", None)?];
    let settings = searches::Settings { simulations, seed: Seed::new(1), beside: Beside::Playouts };
    searches::speeds(&searches::games(), &players, &settings)
}

/// Portfolios from all matrices of seeds that the store has enough of.
fn seeds(args: &Args, store: &Store) -> Result<Vec<SeedTable>> {
    let testing = Testing {
        training: None,
        opponents: vec![1, 2, 4, 8, 16],
        repetitions: if args.quick { 200 } else { 1000 },
        seed: Seed::new(1),
        threads: super::threads(args.threads),
    };
    let mut tables = Vec::new();
    for games in portfolio::seed_games(store)? {
        // With fewer there is nothing to learn from.
        if let Some(matrix) = games.matrix(store)?.filter(|matrix| matrix.rows() >= 32) {
            tables.push(testing.table(&games, &matrix)?);
        }
    }
    Ok(tables)
}

/// The steps besides the papers' experiments.
const FIXED_STEPS: usize = 4;

/// Tells on standard error how far a reproduction is: bars show one step each.
struct Steps<'a> {
    begun: usize,
    all: usize,
    store: &'a Path,
}

impl Steps<'_> {
    /// Begins the next step, unless somebody interrupted the last one.
    fn begin(&mut self, what: &str) -> Result<()> {
        if interrupt::is_set() {
            return Err(Interrupted::stored(self.store).into());
        }
        self.begun += 1;
        // A reader that went away is no reason to stop measuring.
        let _ = writeln!(io::stderr(), "Step {} of {}: {what}", self.begun, self.all);
        Ok(())
    }
}

/// The papers' experiments that are to be measured.
struct Planned {
    bandits: Vec<BanditExperiment>,
    matches: Vec<MatchExperiment>,
}

impl Planned {
    fn of(args: &Args) -> Result<Planned> {
        let mut planned = Planned { bandits: Vec::new(), matches: Vec::new() };
        for experiment in shared::built_in()? {
            match experiment {
                Experiment::Bandits(experiment) => planned.bandits.push(experiment),
                Experiment::Matches(experiment) if args.quick => planned.matches.push(experiment.quickened()),
                Experiment::Matches(experiment) => planned.matches.push(experiment),
                // None of the papers tunes.
                Experiment::Tuning(_) => {}
            }
        }
        Ok(planned)
    }

    /// Measures what the store lacks.
    fn measure(
        &self,
        args: &Args,
        began: Instant,
        steps: &mut Steps<'_>,
        store: &mut Store,
        device: &mut PlayDevice,
    ) -> Result<()> {
        let threads = super::threads(args.threads);
        for experiment in &self.bandits {
            steps.begin(&experiment.title)?;
            let runs = if args.quick { experiment.quick_runs } else { experiment.runs };
            shared::measure(experiment, runs, threads, store)?;
        }
        for (played, experiment) in self.matches.iter().enumerate() {
            steps.begin(&experiment.title)?;
            // What is left of the time is shared evenly by the experiments that are left.
            let left = args.time.map(|time| time.saturating_sub(began.elapsed()));
            let time = left.map(|left| left / (self.matches.len() - played) as u32);
            let settings = RunSettings { deadline: shared::deadline(time), ..shared::settings(threads) };
            shared::play(experiment, &settings, store, device)?;
        }
        Ok(())
    }
}
