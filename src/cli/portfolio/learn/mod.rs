//! `tesuji portfolio learn`: plays the matrix of seeds, and makes a book of it.

mod komi;
mod lazily;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;
use tesuji::catalog::{GameSpec, PlayerSpec};
use tesuji::core::Seed;
use tesuji::core::in_shell;
use tesuji_arena::statistics::wilson;
use tesuji_arena::{Book, RunSettings, Shard, Store, Summary};
use tesuji_portfolio::lazy::LazyAlgorithm;
use tesuji_portfolio::seeds::{SeedError, SeedGames, Symmetries};
use tesuji_portfolio::{Equilibrium, KomiSearch, Matrix, Method};
use tesuji_report::Screen;
use tesuji_report::numbers::grouped;
use tesuji_report::portfolio::gap_words;

use super::super::BadInput;
use super::super::device::{DeviceArgs, PlayDevice};
use super::super::experiment::{build, play, settings, unless_interrupted};
use super::super::files;

/// Play seeds against seeds, and learn which to choose
///
/// The store keeps the games: a run that was stopped goes on there, and more seeds use the games
/// that were played. If the game has a komi and none is given, matches find the komi with which
/// Black wins about half of the games.
#[derive(clap::Args)]
#[command(after_help = "\
With --lazy only the games are played that a near-equilibrium needs:
  double-oracle   restricted games and best answers to them; bounds its error
  grigoriadis     a row and a column at a time (Grigoriadis, Khachiyan 1995)
  exp3            both sides are bandits (Auer and others 1995)

Examples:
  tesuji portfolio learn phantom-go:5 --seeds 100 --store s.db --out book.json
  tesuji portfolio learn 'phantom-go:7(komi=4.5)' --seeds 200 --time 30m
  tesuji portfolio learn phantom-go:5 --seeds 1000 --device cuda --time 9m
  tesuji portfolio learn phantom-go:5 --lazy double-oracle --exploitability 0.05
  tesuji portfolio learn dark-hex:4 --seeds 50 --symmetries --method best-seed")]
pub(super) struct Args {
    /// The game, such as phantom-go:5 (`tesuji games` lists them)
    game: String,
    /// The player whose seeds are played, with its budget in samples; the default is the paper's
    #[arg(long, value_name = "SPEC", default_value = "flat(uniform)@400")]
    player: String,
    /// The number of seeds of each side
    #[arg(long, value_name = "K", default_value_t = 100, value_parser = crate::cli::values::whole::<u64>(1..=31_622))]
    seeds: u64,
    /// The store of the games
    #[arg(long, value_name = "FILE", default_value = super::super::STORE)]
    store: PathBuf,
    /// How the book is made: best-seed, nash, sparse-nash(ALPHA), uniform
    #[arg(long, value_name = "METHOD", default_value = "nash")]
    method: String,
    /// Write the book to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Points for White [default: matches find a fair komi]
    #[arg(long, value_name = "POINTS", value_parser = crate::cli::values::number(f64::MIN..=f64::MAX))]
    komi: Option<f64>,
    /// Games for each komi that is measured
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = crate::cli::values::whole::<u64>(2..=1_000_000))]
    komi_games: u64,
    /// Play nothing, and learn from the stored games of this experiment, such as phantom-table1
    #[arg(long, value_name = "NAME", conflicts_with_all = ["lazy", "shard"])]
    experiment: Option<String>,
    /// Play each pair of seeds once for each symmetry of the board; the book turns the board at random
    #[arg(long)]
    symmetries: bool,
    /// Let the book turn the board at random, even if the seeds did not play so
    #[arg(long)]
    turn: bool,
    /// Play only the games that an algorithm asks for
    #[arg(long, value_name = "ALGORITHM", conflicts_with_all = ["shard", "method"])]
    lazy: Option<Lazy>,
    /// With --lazy: stop once neither side can gain more than this on average: 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, requires = "lazy", value_parser = crate::cli::values::number(0.0..=1.0))]
    exploitability: f64,
    /// With --lazy: stop after N games
    #[arg(long, value_name = "N", requires = "lazy", value_parser = crate::cli::values::whole::<u64>(1..=1_000_000_000))]
    games: Option<u64>,
    /// The seed of all seeds: a whole number
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = crate::cli::values::whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Only the i-th of n parts of the games, such as 1/3; `tesuji merge` joins them
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,
    /// Begin no game after this time, such as 30m, and pause games in progress; the same command
    /// continues them
    #[arg(long, value_name = "TIME", value_parser = super::super::duration)]
    time: Option<Duration>,
    /// Games at the same time [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = crate::cli::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
    #[command(flatten)]
    device: DeviceArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Lazy {
    DoubleOracle,
    Grigoriadis,
    Exp3,
}

impl Lazy {
    fn algorithm(self) -> LazyAlgorithm {
        match self {
            Lazy::DoubleOracle => LazyAlgorithm::DoubleOracle,
            Lazy::Grigoriadis => LazyAlgorithm::Grigoriadis,
            Lazy::Exp3 => LazyAlgorithm::Exp3,
        }
    }
}

/// What was learnt.
#[derive(Serialize)]
struct Found {
    game: String,
    player: String,
    /// Komi that were measured, and Black's win rate with each.
    komi: Vec<(f64, f64)>,
    /// Seeds of each side of which all games are there.
    seeds: usize,
    /// Black's part of all games.
    black_wins: Option<f64>,
    /// The value of the matrix for Black, where it is known.
    value: Option<f64>,
    book: Book,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let game: GameSpec = args.game.parse()?;
    let player: PlayerSpec = args.player.parse()?;
    let method: Method = args.method.parse().map_err(|error| BadInput(format!("{error}")))?;
    // Better now than after the komi was measured.
    made(&args, &game, &player)?;
    let folder = args.out.as_ref().and_then(|path| path.parent());
    if let Some(folder) = folder.filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        return Err(
            BadInput(format!("cannot write the book: there is no folder {}", folder.display())).into()
        );
    }
    let mut device = args.device.open()?;
    let end = args.time.and_then(|time| Instant::now().checked_add(time));
    let mut store = Store::open(&args.store)?;
    let venue = Venue { end, store: &mut store, device: &mut device };
    let (game, search) = args.fair(game, &player, venue)?;
    let games = made(&args, &game, &player)?;
    if let Some(lazy) = args.lazy {
        let venue = Venue { end, store: &mut store, device: &mut device };
        return args.learn_lazily(lazy.algorithm(), &games, &search, venue, screen);
    }
    let (games, summary) = match &args.experiment {
        Some(name) => (args.played_before(name, &games, &store)?, Summary::default()),
        None => {
            let summary = play(&games.experiment, &args.settings(end), &mut store, &mut device)?;
            (games, summary)
        }
    };
    unless_interrupted(&summary, Some(&args.store))?;
    let matrix = args.first_seeds(games.matrix(&store)?)?;
    let Some(matrix) = matrix.filter(|matrix| args.shard.is_none() || matrix.rows() as u64 >= args.seeds)
    else {
        return args.say_what_is_missing(&games, &summary, screen);
    };
    let (book, equilibrium) = games.learn(&matrix, method, Seed::new(args.seed), build());
    args.finish(&games, &search, Some((&matrix, &equilibrium)), book, &summary, screen)
}

/// Where games are played and kept, and until when.
struct Venue<'a> {
    end: Option<Instant>,
    store: &'a mut Store,
    device: &'a mut PlayDevice,
}

fn made(args: &Args, game: &GameSpec, player: &PlayerSpec) -> Result<SeedGames> {
    let symmetries = if args.symmetries { Symmetries::On } else { Symmetries::Off };
    let games = SeedGames::new(game, player, args.seed, args.seeds, symmetries);
    Ok(games.map_err(|error: SeedError| BadInput(error.to_string()))?)
}

impl Args {
    fn settings(&self, deadline: Option<Instant>) -> RunSettings {
        let usual = settings(super::super::threads(self.threads));
        RunSettings { shard: self.shard.unwrap_or(Shard::WHOLE), deadline, ..usual }
    }

    /// The same games as another experiment of the store has them.
    fn played_before(&self, name: &str, wanted: &SeedGames, store: &Store) -> Result<SeedGames> {
        let is_wanted = |games: &SeedGames| {
            games.experiment.name() == name
                && games.game() == wanted.game()
                && games.player() == wanted.player()
                && games.n_symmetries() == wanted.n_symmetries()
        };
        super::seed_games(store)?.into_iter().find(is_wanted).ok_or_else(|| {
            let (game, player) = (wanted.game(), wanted.player());
            BadInput(format!("{} has no seeds of {player} on {game} in {name}", self.store.display())).into()
        })
    }

    /// The matrix of no more seeds than were asked for.
    fn first_seeds(&self, matrix: Option<Matrix>) -> Result<Option<Matrix>> {
        let Some(matrix) = matrix else { return Ok(None) };
        let first: Vec<usize> = (0..matrix.rows().min(self.seeds as usize)).collect();
        Ok(Some(matrix.select(&first, &first)?))
    }

    fn say_what_is_missing(&self, games: &SeedGames, summary: &Summary, screen: &Screen) -> Result<()> {
        if self.json {
            let Summary { played, missing, .. } = summary;
            return super::super::print_json(&serde_json::json!({
                "game": games.game().to_string(), "player": games.player(), "played": played, "missing": missing,
            }));
        }
        let store = in_shell(&self.store.display().to_string());
        super::super::print(&screen.wrapped(&format!(
            "{} games played now, {} of this part are missing, so the matrix of {} is not complete. \
             Run the command again, or `tesuji merge` the other parts into {store} and learn without --shard.\n",
            grouped(summary.played),
            grouped(summary.missing),
            games.game(),
        )))
    }

    fn finish(
        &self,
        games: &SeedGames,
        search: &Option<KomiSearch>,
        solved: Option<(&Matrix, &Equilibrium)>,
        mut book: Book,
        summary: &Summary,
        screen: &Screen,
    ) -> Result<()> {
        if self.turn {
            book = book.turned();
        }
        if let Some(path) = &self.out {
            files::write(path, book.text())?;
        }
        let mean = |matrix: &Matrix| matrix.row_means().iter().sum::<f64>() / matrix.rows() as f64;
        if self.json {
            let komi = search.iter().flat_map(KomiSearch::measured);
            super::super::print_json(&Found {
                game: book.game.clone(),
                player: book.player.clone(),
                komi: komi.map(|(komi, count)| (*komi, count.rate().unwrap_or(0.0))).collect(),
                seeds: solved.map_or(0, |(matrix, _)| matrix.rows()),
                black_wins: solved.map(|(matrix, _)| mean(matrix)),
                value: solved.map(|(_, equilibrium)| equilibrium.value),
                book,
            })?;
            return unless_interrupted(summary, Some(&self.store));
        }
        let mut text = String::new();
        for (komi, count) in search.iter().flat_map(KomiSearch::measured) {
            let interval = wilson(count.points(), count.games());
            text += &format!(
                "Komi {komi}: Black wins {:.1} % of {} games ({:.1} to {:.1})\n",
                100.0 * count.rate().unwrap_or(0.0),
                count.games(),
                100.0 * interval.low,
                100.0 * interval.high,
            );
        }
        if let Some(search) = search {
            text += &format!("Fair komi: {}\n", search.best());
        }
        text += &format!("{}: {}, {}\n", book.method, book.game, book.player);
        let learnt = &book.learnt;
        match solved {
            Some((matrix, equilibrium)) => {
                text += &format!(
                    "{} games of {} seeds a side: Black wins {:.1} % of them, and {:.1} % in equilibrium (gap {})\n",
                    grouped(learnt.games),
                    matrix.rows(),
                    100.0 * mean(matrix),
                    100.0 * equilibrium.value,
                    gap_words(equilibrium.gap),
                );
                if let Some((training, worst)) = learnt.training.zip(learnt.worst) {
                    text += &format!(
                        "The book, mean of both colours, wins {:.1} % against these seeds and {:.1} % against the \
                         best answer among them.\n`tesuji portfolio test` measures it against other seeds.\n",
                        100.0 * training,
                        100.0 * worst,
                    );
                }
                if (matrix.rows() as u64) < self.seeds {
                    text +=
                        &format!("{} games are missing for {} seeds\n", grouped(summary.missing), self.seeds);
                }
            }
            None => {
                let all = self.seeds * self.seeds * games.n_symmetries() as u64;
                text += &format!(
                    "{} of {} games ({:.1} %) of {} seeds a side; exploitability at most {:.3}\n",
                    grouped(learnt.games),
                    grouped(all),
                    100.0 * learnt.games as f64 / all as f64,
                    self.seeds,
                    learnt.gap.unwrap_or(1.0) / 2.0,
                );
            }
        }
        text +=
            &format!("Seeds in the book: {} for Black, {} for White\n", book.black.len(), book.white.len());
        text += &match &self.out {
            Some(path) => {
                let path = in_shell(&path.display().to_string());
                format!("Book: {path}; look at it with tesuji portfolio show {path}\n")
            }
            None => "Add --out book.json to keep the book.\n".to_owned(),
        };
        super::super::print(&screen.wrapped(&text))?;
        unless_interrupted(summary, Some(&self.store))
    }
}
