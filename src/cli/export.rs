//! `tesuji export`: single games for other programs.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use tesuji_arena::{CellFilter, CellPattern, Store};
use tesuji_core::grouped;
use tesuji_report::sgf::NotSgf;
use tesuji_report::store::{GameRecord, StoreFilter, for_each_game};
use tesuji_report::training::{TrainingError, TrainingOptions, export_training};

use super::bar::Bar;
use super::{BadInput, Versioned, files};

/// Write the games of a store as SGF, or as lines of JSON
///
/// By default it prints a line of JSON for each game, with everything that is known of it. SGF
/// supports Go, Hex and their phantom games, but no misère games: others are skipped and counted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji export results.db | jq -r .winner | sort | uniq -c
  tesuji export results.db --jsonl games.jsonl
  tesuji export results.db --sgf games --only go:9
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

pub(super) fn run(args: Args) -> Result<()> {
    if let Some(folder) = &args.training {
        return training(&args, folder);
    }
    let jsonl = args.jsonl.or(args.sgf.is_none().then(|| PathBuf::from("-")));
    let store = Store::open_to_read(&args.store)?;
    let filter = StoreFilter { experiment: args.experiment, only: CellFilter(args.only) };
    let mut lines = jsonl.as_deref().map(lines).transpose()?;
    if let Some(folder) = &args.sgf {
        files::make_folder(folder)?;
    }
    let (mut all, mut written, mut skipped) = (0_u64, 0_u64, 0_u64);
    for_each_game(&store, &filter, |game: &GameRecord| -> Result<()> {
        all += 1;
        if let Some(lines) = &mut lines {
            serde_json::to_writer(&mut *lines, &Versioned::new(game)).map_err(io::Error::from)?;
            lines.write_all(b"\n")?;
        }
        if let Some(folder) = &args.sgf {
            match game.sgf() {
                Ok(text) => {
                    let file = folder.join(format!("{}.sgf", game.id));
                    files::write(&file, text)?;
                    written += 1;
                }
                Err(NotSgf::Game(_)) => skipped += 1,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    })?;
    if let Some(mut lines) = lines {
        lines.flush()?;
    }
    if all == 0 {
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
    Ok(())
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
