//! `tesuji portfolio test`: how portfolios fare against seeds that they were not learnt from.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Serialize;
use tesuji::core::Seed;
use tesuji_arena::Store;
use tesuji_portfolio::lazy::{
    Anytime, DoubleOracle, DoubleOracleConfig, Exp3, Exp3Config, GrigoriadisKhachiyan,
    GrigoriadisKhachiyanConfig, trace,
};
use tesuji_portfolio::seeds::SeedGames;
use tesuji_portfolio::{Evaluation, EvaluationError, Matrix, Method, solve};
use tesuji_report::Screen;
use tesuji_report::portfolio::{
    LazyLine, LazyPoint, LazyTable, MatrixResults, PublishedSeeds, SeedTable, html_page,
};

use super::super::bar::Bar;
use super::super::machine::Origin;
use super::super::{BadInput, experiment, files};

/// Test portfolios against seeds that they were not learnt from, as Table I of the paper
///
/// In each repetition the portfolio learns from 19 of 20 seeds, or fewer if the opponent needs
/// more than the rest. The opponent then plays the best of K' other seeds. Rates are means of both
/// colours with standard errors, next to what the paper printed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji portfolio test seeds.db
  tesuji portfolio test seeds.db --lazy
  tesuji portfolio test seeds.db --html out --repetitions 200
  tesuji portfolio test seeds.db --json")]
pub(super) struct Args {
    /// The store
    #[arg(value_name = "STORE", default_value = super::super::STORE)]
    store: PathBuf,
    /// Only games whose spec contains this text, such as phantom-go:5
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Seeds to learn from [default: 19 of 20, or fewer if the opponent needs more]
    #[arg(long, value_name = "K", value_parser = crate::cli::values::whole::<u64>(1..=100_000))]
    training: Option<u64>,
    /// The numbers of seeds that the opponent chooses from, with commas between them
    #[arg(long, value_name = "K'", value_delimiter = ',', default_values_t = [1, 2, 4, 8, 16], value_parser = crate::cli::values::whole::<usize>(1..=100_000))]
    opponents: Vec<usize>,
    /// The number of repetitions
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = crate::cli::values::whole::<u64>(1..=1_000_000))]
    repetitions: u64,
    /// Measure too how few games of the matrix give a near-equilibrium
    #[arg(long)]
    lazy: bool,
    /// Write a page and the figures into this folder
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    /// Write each matrix into this folder as text, with a line for each of Black's seeds
    #[arg(long, value_name = "DIR")]
    matrices: Option<PathBuf>,
    /// The seed: a whole number
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = crate::cli::values::whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Threads [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = crate::cli::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Values of K for the figures, where the matrix has as many seeds and more.
const SIZES: [usize; 9] = [5, 10, 20, 40, 80, 120, 180, 260, 340];

/// What was found of one game and player.
#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    table: SeedTable,
    #[serde(skip_serializing_if = "Option::is_none")]
    lazy: Option<LazyTable>,
}

/// How to test.
pub(in super::super) struct Testing {
    pub(in super::super) training: Option<usize>,
    pub(in super::super) opponents: Vec<usize>,
    pub(in super::super) repetitions: u64,
    pub(in super::super) seed: Seed,
    pub(in super::super) threads: usize,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let store = Store::open_to_read(&args.store)?;
    let testing = Testing {
        training: args.training.map(|training| training as usize),
        opponents: args.opponents.clone(),
        repetitions: args.repetitions,
        seed: Seed::new(args.seed),
        threads: super::super::threads(args.threads),
    };
    let published = published()?;
    let most = args.opponents.iter().copied().max().unwrap_or(1);
    let mut all = Vec::new();
    for games in super::seed_games(&store)? {
        let is_wanted =
            args.only.as_ref().is_none_or(|text| games.game().to_string().contains(text.as_str()));
        if !is_wanted {
            continue;
        }
        if let Some(matrix) = games.matrix(&store)? {
            if args.training.is_none() && matrix.rows() < 2 * most {
                let left_out = format!(
                    "{} seeds of {} on {} are left out: too few for an opponent with {most}",
                    matrix.rows(),
                    games.player(),
                    games.game()
                );
                let _ = writeln!(io::stderr(), "{left_out}");
                continue;
            }
            if let Some(folder) = &args.matrices {
                let file = folder
                    .join(format!("{}.txt", file_name(&format!("{}-{}", games.game(), games.player()))));
                files::make_folder(folder)?;
                files::write(&file, matrix.text())?;
            }
            let table = testing.table(&games, &matrix)?;
            let lazy = args.lazy.then(|| lazy_table(&games, &matrix, testing.seed));
            all.push(Found { table, lazy });
        }
    }
    if all.is_empty() {
        return Err(BadInput(format!(
            "{} does not have games of enough seeds{}: `tesuji portfolio learn` plays them",
            args.store.display(),
            args.only.as_ref().map_or(String::new(), |text| format!(" with '{text}'")),
        ))
        .into());
    }
    let page = args.html.as_deref().map(|folder| write_page(folder, &all, &published)).transpose()?;
    if args.json {
        return super::super::print_json_list("portfolios", all);
    }
    let mut text = String::new();
    for found in &all {
        text += &format!("{}\n", found.table.text(&published, screen));
        text += &found.lazy.as_ref().map_or(String::new(), |lazy| format!("{}\n", lazy.table().text(screen)));
    }
    if let Some(page) = page {
        text += &format!("Page: {}\n", page.display());
    }
    super::super::print(&screen.wrapped(&text))
}

/// What the paper printed.
pub(in super::super) fn published() -> Result<PublishedSeeds> {
    Ok(PublishedSeeds::parse(experiment::published_text("published/phantom_table1.csv"))?)
}

impl Testing {
    /// The table and the curves of a matrix.
    pub(in super::super) fn table(&self, games: &SeedGames, matrix: &Matrix) -> Result<SeedTable> {
        let seeds = matrix.rows();
        let most = self.opponents.iter().copied().max().unwrap_or(1);
        let training = self.training.unwrap_or_else(|| Evaluation::usual_training(seeds, most)).max(1);
        let evaluation = Evaluation {
            methods: Method::TABLE.to_vec(),
            training,
            opponent_seeds: self.opponents.clone(),
            repetitions: self.repetitions,
            seed: self.seed.child("test"),
            threads: self.threads,
        };
        let mut sizes: Vec<usize> = SIZES.into_iter().filter(|size| *size < training).collect();
        sizes.push(training);
        let bar = Bar::new(self.repetitions)?;
        bar.say(&format!("{} seeds of {}", seeds, games.game()));
        let curve = evaluation.curve(matrix, &sizes, &|done| bar.set(done));
        bar.finish();
        let curve = curve.map_err(|error: EvaluationError| BadInput(error.to_string()))?;
        let equilibrium = solve(matrix);
        let (width, height) = games.game().board();
        let is_go = games.game().info().name == "phantom-go" && width == height;
        Ok(SeedTable {
            game: games.game().to_string(),
            board: is_go.then(|| format!("{width}x{height}")),
            player: match games.n_symmetries() {
                1 => games.player(),
                turns => format!("{}, means over {turns} turns of the board", games.player()),
            },
            seeds,
            black_wins: matrix.row_means().iter().sum::<f64>() / seeds as f64,
            value: equilibrium.value,
            gap: equilibrium.gap,
            rates: curve.iter().filter(|rates| rates.training == training).cloned().collect(),
            curve,
        })
    }
}

fn write_page(folder: &Path, all: &[Found], published: &PublishedSeeds) -> Result<PathBuf> {
    files::make_folder(folder)?;
    for found in all {
        let mut figures = vec![
            ("by-method", found.table.figure_by_method()),
            ("by-sparsity", found.table.figure_by_sparsity()),
        ];
        if let Some(lazy) = &found.lazy {
            figures.push(("lazy", lazy.figure()));
        }
        for (name, figure) in figures {
            if let Some(figure) = figure {
                let file = folder.join(format!(
                    "{}-{name}.svg",
                    file_name(&format!("{}-{}", found.table.game, found.table.player))
                ));
                files::write(&file, figure.svg())?;
            }
        }
    }
    let page = folder.join("index.html");
    let matrices: Vec<MatrixResults<'_>> = all
        .iter()
        .map(|found| MatrixResults { portfolios: &found.table, lazy: found.lazy.as_ref() })
        .collect();
    let text = html_page(&matrices, published, &Origin::here_and_now().line());
    files::write(&page, text)?;
    Ok(page)
}

/// A game's text in letters that every file system takes.
fn file_name(text: &str) -> String {
    let letter = |letter: char| if letter.is_alphanumeric() || letter == '.' { letter } else { ' ' };
    let words: String = text.chars().map(letter).collect();
    words.split_whitespace().collect::<Vec<_>>().join("-")
}

/// How few games of a matrix that is known would have given a near-equilibrium.
fn lazy_table(games: &SeedGames, matrix: &Matrix, seed: Seed) -> LazyTable {
    let size = matrix.rows();
    let seed = seed.child("lazy");
    let lines = vec![
        line("double oracle", matrix, {
            DoubleOracle::new(size, size, DoubleOracleConfig { seed, ..DoubleOracleConfig::default() })
        }),
        line("Exp3", matrix, Exp3::new(size, size, Exp3Config { batch: 64, seed })),
        line("Grigoriadis–Khachiyan", matrix, {
            GrigoriadisKhachiyan::new(size, size, GrigoriadisKhachiyanConfig { precision: 0.05, seed })
        }),
    ];
    LazyTable {
        title: format!("{}, seeds of {}", games.game(), games.player()),
        games: (size * size) as u64,
        lines,
    }
}

/// What an algorithm makes of ever more games.
fn line(algorithm: &str, matrix: &Matrix, steps: impl Anytime) -> LazyLine {
    let points = trace(matrix, steps, 0.01).into_iter();
    let points = points.map(|(games, exploitability)| LazyPoint { games, exploitability }).collect();
    LazyLine { algorithm: algorithm.to_owned(), points }
}
