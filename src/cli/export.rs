//! `tesuji export`: single games for other programs.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::ValueEnum;
use tesuji_arena::{AnalysisError, AnalysisSource, CellFilter, CellPattern, GameAnalysis, Store};
use tesuji_core::grouped;
use tesuji_report::sgf::NotSgf;
use tesuji_report::store::{
    AnalysedGameJson, AnalysisOptions, AnalysisSummary, GameRecord, StoreFilter, for_each_analysed_game,
    for_each_game,
};
use tesuji_report::training::{TrainingError, TrainingOptions, export_training};

use super::bar::Bar;
use super::{BadInput, Versioned, files, interrupt};

/// Write the games of a store as SGF, or as lines of JSON
///
/// By default it prints a line of JSON for each game, with everything that is known of it. SGF
/// supports Go, Hex and their phantom games, but no misère games: others are skipped and counted.
///
/// --analysis adds what searches said of the moves that our players chose: win rates, samples and
/// expected lines, in SGF also for Lizzie and Sabaki. The searches are made again, which takes as long
/// as in the games; recorded policies stand in for searches with a clock. --analysis=recorded takes
/// the policies of --record-policies alone, which have no samples and no lines.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji export results.db | jq -r .winner | sort | uniq -c
  tesuji export results.db --jsonl games.jsonl
  tesuji export results.db --sgf games --only go:9
  tesuji export results.db --analysis --sgf games --only go:9
  tesuji export results.db --analysis --jsonl games.jsonl
  tesuji match hex:7 rave rave --games 100 --record-policies --store games.db
  tesuji export games.db --training positions")]
pub(super) struct Args {
    /// The store
    #[arg(value_name = "STORE", default_value = super::STORE)]
    store: PathBuf,
    /// Write an SGF file for each game into this folder, named by the game's id
    #[arg(long, value_name = "DIR")]
    sgf: Option<PathBuf>,
    /// Write the lines of JSON to this file; - is standard output [default without --sgf: -]
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Add what searches said of the moves [without a source: again]
    #[arg(
        long,
        value_name = "SOURCE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "again",
        conflicts_with = "training"
    )]
    analysis: Option<Source>,
    /// Threads for --analysis [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", requires = "analysis", value_parser = super::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
    /// Write the positions of games that were played with --record-policies into this folder, as
    /// NumPy arrays to train networks with
    #[arg(long, value_name = "DIR", conflicts_with_all = ["sgf", "jsonl"])]
    training: Option<PathBuf>,
    /// With --training: show positions as they were, not through symmetries of the board
    #[arg(long, requires = "training")]
    no_augment: bool,
    /// With --training: the seed of the symmetries
    #[arg(long, value_name = "N", default_value_t = 1, requires = "training", conflicts_with = "no_augment")]
    seed: u64,
    /// Only games of cells with these words, as in `tesuji show`
    #[arg(long, value_name = "WORDS")]
    only: Vec<CellPattern>,
    /// Only games of this experiment
    #[arg(long, value_name = "NAME")]
    experiment: Option<String>,
}

/// Where an analysis comes from.
#[derive(Clone, Copy, ValueEnum)]
enum Source {
    /// Searches are made again
    Again,
    /// Recorded policies alone
    Recorded,
}

/// The files that games are written to.
struct Output<'a> {
    lines: Option<Box<dyn Write>>,
    folder: Option<&'a Path>,
    /// The numbers of games seen, of games written as SGF, and of games that SGF does not support.
    all: u64,
    written: u64,
    skipped: u64,
}

impl Output<'_> {
    fn write(&mut self, game: &GameRecord, analysis: Option<&GameAnalysis>) -> Result<()> {
        self.all += 1;
        if let Some(lines) = &mut self.lines {
            match analysis {
                Some(analysis) => {
                    let game = AnalysedGameJson::new(game, analysis);
                    serde_json::to_writer(&mut *lines, &Versioned::new(game)).map_err(io::Error::from)?;
                }
                None => serde_json::to_writer(&mut *lines, &Versioned::new(game)).map_err(io::Error::from)?,
            }
            lines.write_all(b"\n")?;
        }
        if let Some(folder) = self.folder {
            let text = analysis.map_or_else(|| game.sgf(), |analysis| game.analysed_sgf(analysis));
            match text {
                Ok(text) => {
                    files::write(&folder.join(format!("{}.sgf", game.id)), text)?;
                    self.written += 1;
                }
                Err(NotSgf::Game(_)) => self.skipped += 1,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

pub(super) fn run(args: Args) -> Result<()> {
    if let Some(folder) = &args.training {
        return training(&args, folder);
    }
    let jsonl = args.jsonl.or(args.sgf.is_none().then(|| PathBuf::from("-")));
    let store = Store::open_to_read(&args.store)?;
    let filter = StoreFilter { experiment: args.experiment, only: CellFilter(args.only) };
    let lines = jsonl.as_deref().map(lines).transpose()?;
    if let Some(folder) = &args.sgf {
        files::make_folder(folder)?;
    }
    let mut output = Output { lines, folder: args.sgf.as_deref(), all: 0, written: 0, skipped: 0 };
    let mut is_interrupted = false;
    let summary = match args.analysis {
        None => {
            for_each_game(&store, &filter, |game| output.write(game, None))?;
            None
        }
        Some(source) => {
            let source = match source {
                Source::Again => AnalysisSource::Again,
                Source::Recorded => AnalysisSource::Recorded,
            };
            let (threads, cancel) = (super::threads(args.threads), interrupt::flag()?);
            let options = AnalysisOptions { filter: &filter, source, threads, cancel };
            match analysed(&store, options, &mut output) {
                Ok(summary) => Some(summary),
                Err(error) if matches!(error.downcast_ref(), Some(AnalysisError::Cancelled)) => {
                    is_interrupted = true;
                    None
                }
                Err(error) => return Err(error),
            }
        }
    };
    let Output { lines, all, written, skipped, .. } = output;
    if let Some(mut lines) = lines {
        lines.flush()?;
    }
    if all == 0 && !is_interrupted {
        if filter.is_active() {
            return Err(super::show::nothing(&store, &filter)?.into());
        }
        return Err(BadInput(format!("{} has no games yet", args.store.display())).into());
    }
    // Standard output may be the games themselves.
    let mut said = io::stderr().lock();
    if let Some(folder) = &args.sgf {
        writeln!(said, "{written} games in {}", folder.display())?;
        if skipped > 0 {
            writeln!(
                said,
                "{skipped} games skipped: SGF supports Go, Hex and their phantom games, but no misère games"
            )?;
        }
    }
    if let Some(file) = jsonl.filter(|file| file.as_os_str() != "-") {
        writeln!(said, "{all} games in {}", file.display())?;
    }
    summary.map_or(Ok(()), |summary| said.write_all(left_out(&summary).as_bytes()))?;
    interrupt::ended()
}

/// Writes the games with their analysis.
fn analysed(store: &Store, options: AnalysisOptions<'_>, output: &mut Output<'_>) -> Result<AnalysisSummary> {
    let bar = Bar::for_games()?;
    let progress = |done, all| {
        bar.total(all);
        bar.set(done);
    };
    let write = |game: &GameRecord, analysis: &GameAnalysis| output.write(game, Some(analysis));
    let summary = for_each_analysed_game(store, options, &progress, write);
    bar.finish();
    summary
}

/// What has no analysis, in sentences.
fn left_out(summary: &AnalysisSummary) -> String {
    let counted = |n: u64, what: &str| format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" });
    let has = |n: u64| if n == 1 { "has" } else { "have" };
    let mut text = String::new();
    if summary.n_unknown > 0 {
        let n = summary.n_unknown;
        text += &format!(
            "{} of external engines or of players with a clock {} no analysis\n",
            counted(n, "move"),
            has(n)
        );
    }
    if summary.without_policies > 0 {
        let n = summary.without_policies;
        text += &format!("{} without recorded policies {} no analysis\n", counted(n, "game"), has(n));
    }
    for (reason, &n) in &summary.unplayable {
        text += &format!("{} {} no analysis: {reason}\n", counted(n, "game"), has(n));
    }
    text
}

/// Writes arrays to train networks with.
fn training(args: &Args, folder: &Path) -> Result<()> {
    let store = Store::open_to_read(&args.store)?;
    let options = TrainingOptions {
        filter: StoreFilter { experiment: args.experiment.clone(), only: CellFilter(args.only.clone()) },
        symmetries: (!args.no_augment).then_some(args.seed),
        threads: super::threads(None),
    };
    let bar = Bar::for_games()?;
    let written = export_training(&store, &options, folder, &mut |done, all| {
        bar.total(all);
        bar.set(done);
    });
    bar.finish();
    let summary = match written {
        Ok(summary) => summary,
        Err(TrainingError::Games(sentence)) => return Err(BadInput(sentence).into()),
        Err(TrainingError::NoGames) if options.filter.is_active() => {
            return Err(super::show::nothing(&store, &options.filter)?.into());
        }
        Err(TrainingError::NoGames) => {
            return Err(BadInput(format!("{} has no games yet", args.store.display())).into());
        }
        Err(error) => return Err(error.into()),
    };
    let mut said = io::stderr().lock();
    let counted = |games| format!("{} {}", grouped(games), if games == 1 { "game" } else { "games" });
    writeln!(
        said,
        "{} positions of {} of {} in {}",
        grouped(summary.positions),
        counted(summary.games),
        summary.game,
        folder.display()
    )?;
    if summary.without_policies > 0 {
        writeln!(said, "{} without recorded policies skipped", counted(summary.without_policies))?;
    }
    if summary.misfits > 0 {
        writeln!(said, "{} skipped: their policies do not fit their moves", counted(summary.misfits))?;
    }
    Ok(())
}

/// Where lines go.
fn lines(file: &Path) -> Result<Box<dyn Write>> {
    if file.as_os_str() == "-" {
        return Ok(Box::new(BufWriter::new(io::stdout().lock())));
    }
    let created = File::create(file).map_err(|error| files::unwritable(file, &error))?;
    Ok(Box::new(BufWriter::new(created)))
}
