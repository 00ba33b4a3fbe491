//! `tesuji check`: what an experiment would do, before it does it.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use tesuji::core::Seed;
use tesuji::search::Recording;
use tesuji_arena::{Cell, Contestant, Experiment, MatchExperiment, Store, Trial};
use tesuji_report::numbers::{decimal, grouped, long_duration};
use tesuji_report::{Screen, Table};

use super::experiment::{PartArgs, no_such_part};

/// Say what an experiment would run, how long it should take, and try each engine once
#[derive(clap::Args)]
#[command(after_help = "\
The estimate uses the games in the store. If there are none, it multiplies the time of each
player's first move by the length of a random game, and may be off by half.

Examples:
  tesuji check experiments/shuss-table1.toml
  tesuji check experiments/shuss-table1.toml --only 'go:9' -j 16")]
pub(super) struct Args {
    #[command(flatten)]
    part: PartArgs,
    /// The store with the games that were played already
    #[arg(long, value_name = "FILE", default_value = super::STORE)]
    store: PathBuf,
    /// Games at once [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = super::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
    /// The longest time of an external engine for a move
    #[arg(long, value_name = "TIME", value_parser = super::duration, default_value = "1m")]
    engine_timeout: Duration,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What a cell would do.
#[derive(Serialize)]
struct Plan {
    id: String,
    cell: String,
    games: u64,
    missing: u64,
    /// Of one game on one thread.
    seconds_a_game: f64,
    /// Whether the estimate comes from games of the cell.
    is_measured: bool,
}

/// What an engine said.
#[derive(Serialize)]
struct Tried {
    engine: String,
    answer: String,
    is_fine: bool,
    #[serde(skip)]
    is_engine: bool,
    seconds: f64,
}

#[derive(Serialize)]
struct Found {
    experiment: String,
    /// The games of all cells together; at most, if `is_planned`.
    games: u64,
    /// Whether results decide who meets next, so that the games of a cell are not known beforehand.
    is_planned: bool,
    cells: Vec<Plan>,
    engines: Vec<Tried>,
    missing: u64,
    threads: usize,
    seconds: f64,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let experiment = match args.part.read()? {
        Experiment::Matches(experiment) => args.part.part().of_matches(experiment).map_err(no_such_part)?,
        Experiment::Tuning(tuning) => {
            let sentence = format!(
                "{} is a tuning: {} games of candidates, then {} fresh games of each of {} finalists.\n",
                tuning.name(),
                grouped(2 * tuning.settings.pairs),
                grouped(tuning.confirm),
                tuning.finalists
            );
            return super::print(&screen.wrapped(&sentence));
        }
        Experiment::Bandits(experiment) => {
            let runs = if args.part.quick { experiment.quick_runs } else { experiment.runs };
            let (cells, all) = (experiment.n_runs(1), experiment.n_runs(runs));
            let sentence = format!(
                "{} is on bandits: {cells} cells of {} runs, {} in all; a second does some 100,000 on each core.\n",
                experiment.name(),
                grouped(runs),
                grouped(all)
            );
            return super::print(&screen.wrapped(&sentence));
        }
    };
    let found = find(&args, &experiment)?;
    if args.json {
        super::print_json(&found)?;
    } else {
        show(&found, screen)?;
    }
    match found.engines.iter().find(|tried| !tried.is_fine) {
        Some(tried) => Err(super::BadInput(format!("{} cannot play: {}", tried.engine, tried.answer)).into()),
        None => Ok(()),
    }
}

fn find(args: &Args, experiment: &MatchExperiment) -> Result<Found> {
    let store = if args.store.exists() { Some(Store::open_to_read(&args.store)?) } else { None };
    let shard = args.part.shard();
    let mut trials = Trials { genmove: args.engine_timeout, known: Vec::new() };
    let (mut cells, mut stored) = (Vec::new(), Vec::new());
    for cell in &experiment.cells {
        let wanted = shard.count(experiment.games);
        let (mut done, mut seconds) = (0, None);
        if let Some(store) = &store {
            let known = store.points(experiment.address, &cell.key)?;
            // A pair of a planned tournament may meet in several rounds.
            let is_planned = experiment.tournament.as_ref().is_some_and(|it| it.format.is_planned());
            let is_wanted = |index: u64| (is_planned || index < experiment.games) && shard.takes(index);
            done = known.iter().filter(|game| is_wanted(game.index)).count() as u64;
            let played = store.played(experiment.address, &cell.key)?;
            let games = played.tally.total().games();
            seconds = (games > 0).then(|| played.seconds / games as f64);
        }
        stored.push(done);
        let is_measured = seconds.is_some();
        let guessed = trials.guess(cell, is_measured)?;
        cells.push(Plan {
            id: cell.id.clone(),
            cell: cell.key.clone(),
            games: wanted,
            missing: wanted.saturating_sub(done),
            is_measured,
            seconds_a_game: seconds.unwrap_or(guessed),
        });
    }
    let threads = super::threads(args.threads);
    let planned = match &store {
        Some(store) => experiment.planned(store)?,
        None => experiment.planned(&Store::in_memory()?)?,
    };
    let mut games = cells.iter().map(|plan| plan.games).sum();
    let mut missing = cells.iter().map(|plan| plan.missing).sum();
    let mut seconds = cells.iter().map(|plan| plan.missing as f64 * plan.seconds_a_game).sum::<f64>();
    if let Some(planned) = &planned {
        let mut known = 0;
        for ((plan, wanted), done) in cells.iter_mut().zip(&planned.wanted).zip(stored) {
            (plan.games, plan.missing) = (*wanted, wanted.saturating_sub(done));
            known += done.min(*wanted);
        }
        // Which pairs will play is not known, so that every cell counts alike.
        let usual = cells.iter().map(|plan| plan.seconds_a_game).sum::<f64>() / cells.len().max(1) as f64;
        games = planned.total;
        missing = planned.total.saturating_sub(known);
        seconds = missing as f64 * usual;
    }
    let seconds = seconds / threads as f64;
    let engines =
        trials.known.into_iter().filter(|(_, tried)| tried.is_engine).map(|(_, tried)| tried).collect();
    Ok(Found {
        experiment: experiment.name().to_owned(),
        games,
        is_planned: planned.is_some(),
        cells,
        engines,
        missing,
        threads,
        seconds,
    })
}

/// Contestants that were tried, each once on every game.
struct Trials {
    genmove: Duration,
    known: Vec<((String, String), Tried)>,
}

impl Trials {
    /// How long a game may take: a first move of each, times the length of random games. Where
    /// the games of the cell tell better, only its engines are tried.
    fn guess(&mut self, cell: &Cell, is_measured: bool) -> Result<f64> {
        let mut seconds = 0.0;
        for contestant in [&cell.player, &cell.opponent] {
            let is_engine = matches!(contestant, Contestant::Engine(_));
            if is_engine || !is_measured {
                seconds += self.try_out(contestant, cell, is_engine);
            }
        }
        let start = cell.game.start()?;
        let plies = start.playouts(100, &mut Seed::new(1).rng(), Recording::Off).mean_length();
        Ok(0.5 * seconds * plies)
    }

    /// The seconds of a first move.
    fn try_out(&mut self, contestant: &Contestant, cell: &Cell, is_engine: bool) -> f64 {
        let key = (contestant.to_string(), cell.game.to_string());
        if let Some((_, tried)) = self.known.iter().find(|(known, _)| *known == key) {
            return tried.seconds;
        }
        let trial = contestant.try_out(&cell.game, Some(self.genmove));
        let (engine, game) = (key.0.clone(), &cell.game);
        let tried = match trial {
            Ok(Trial { engine: name, first_move, seconds }) => {
                let first = first_move.map_or("resigns at once".to_owned(), |mv| format!("plays {mv} first"));
                let answer = format!("{name} {first} on {game}, after {seconds:.2} s");
                Tried { engine, answer, is_fine: true, is_engine, seconds }
            }
            Err(fault) => Tried { engine, answer: fault.message, is_fine: false, is_engine, seconds: 0.0 },
        };
        let seconds = tried.seconds;
        self.known.push((key, tried));
        seconds
    }
}

fn show(found: &Found, screen: &Screen) -> Result<()> {
    let mut table = Table::new(
        format!("{}: what would run", found.experiment),
        ["id", "cell", "#games", "#missing", "#s a game", ""],
    );
    for plan in &found.cells {
        table.row([
            plan.id.clone(),
            plan.cell.clone(),
            grouped(plan.games),
            grouped(plan.missing),
            decimal(plan.seconds_a_game, 2),
            if plan.is_measured { "measured" } else { "guessed" }.to_owned(),
        ]);
    }
    super::print(&format!("{}\n", table.text(screen)))?;
    for Tried { engine, answer, is_fine, .. } in &found.engines {
        let fails = if *is_fine { "" } else { "FAILS: " };
        super::print(&screen.wrapped(&format!("{engine}: {fails}{answer}\n")))?;
    }
    if found.is_planned {
        let sentence = format!(
            "Results decide who meets next: {} games in all at most. The table has the rounds so far.\n",
            grouped(found.games)
        );
        super::print(&screen.wrapped(&sentence))?;
    }
    let left = Duration::try_from_secs_f64(found.seconds).unwrap_or(Duration::MAX);
    super::print(&format!(
        "{} games are missing, about {} on {} threads.\n",
        grouped(found.missing),
        long_duration(left),
        found.threads
    ))
}
