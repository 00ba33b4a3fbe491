//! `tesuji export`: single games for other programs.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tesuji_arena::{CellFilter, CellPattern, Store};
use tesuji_report::sgf::NotSgf;
use tesuji_report::store::{GameRecord, StoreFilter, for_each_game};

use super::{BadInput, Versioned};

/// Write the games of a store as SGF, or as lines of JSON
///
/// SGF knows Go and Hex, without their misère twins; other games are skipped and counted.
/// JSON has every game with all that is known of it, one object a line.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji export --sgf games --only 'go:9'
  tesuji export results.db --jsonl games.jsonl
  tesuji export results.db --jsonl - | jq -r .winner | sort | uniq -c")]
pub(super) struct Args {
    /// The store
    #[arg(value_name = "STORE", default_value = super::STORE)]
    store: PathBuf,
    /// Write a file for each game into this folder, named by the game's id
    #[arg(long, value_name = "DIR")]
    sgf: Option<PathBuf>,
    /// Write a line of JSON for each game into this file; - is standard output
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Only games of these cells, chosen as in `tesuji show`
    #[arg(long, value_name = "WORDS")]
    only: Vec<CellPattern>,
    /// Only games of this experiment
    #[arg(long, value_name = "NAME")]
    experiment: Option<String>,
}

pub(super) fn run(args: Args) -> Result<()> {
    if args.sgf.is_none() && args.jsonl.is_none() {
        return Err(BadInput("nothing to write: give --sgf DIR, --jsonl FILE or both".to_owned()).into());
    }
    let store = Store::open_to_read(&args.store)?;
    let filter = StoreFilter { experiment: args.experiment, only: CellFilter(args.only) };
    let mut lines = args.jsonl.as_deref().map(lines).transpose()?;
    if let Some(folder) = &args.sgf {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot write to {}", folder.display()))?;
    }
    let (mut all, mut files, mut skipped) = (0_u64, 0_u64, 0_u64);
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
                    std::fs::write(&file, text)
                        .with_context(|| format!("cannot write {}", file.display()))?;
                    files += 1;
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
        writeln!(said, "{files} games in {}", folder.display())?;
        if skipped > 0 {
            writeln!(said, "{skipped} games skipped: SGF knows go and hex, and not their misère twins")?;
        }
    }
    if let Some(file) = args.jsonl.filter(|file| file.as_os_str() != "-") {
        writeln!(said, "{all} games in {}", file.display())?;
    }
    Ok(())
}

/// Where lines go.
fn lines(file: &Path) -> Result<Box<dyn Write>> {
    if file.as_os_str() == "-" {
        return Ok(Box::new(BufWriter::new(io::stdout().lock())));
    }
    let file = File::create(file).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(Box::new(BufWriter::new(file)))
}
