//! `tesuji show`: what a store has, at any time.

use std::path::PathBuf;

use anyhow::Result;
use tesuji_arena::{CellFilter, CellPattern, Store};
use tesuji_report::Screen;
use tesuji_report::store::{Detail, StoreFilter, StoreReport};

use super::BadInput;

/// Print the results in a store: games played, win rates with intervals, void games
///
/// A store can be read while a run writes to it.
#[derive(clap::Args)]
#[command(after_help = "\
--only chooses cells of matches by words in their key or by the beginning of their id.
Blanks between words mean and, | means or.

Examples:
  tesuji show
  tesuji show results.db --experiment shuss-table1 --only 'go:9|hex'
  tesuji show results.db --cells
  tesuji show results.db --json")]
pub(super) struct Args {
    /// The store
    #[arg(value_name = "STORE", default_value = super::STORE)]
    store: PathBuf,
    /// Only these cells of matches
    #[arg(long, value_name = "WORDS")]
    only: Vec<CellPattern>,
    /// Only this experiment
    #[arg(long, value_name = "NAME")]
    experiment: Option<String>,
    /// Print one row for each cell, with its id, also if the table has rows and columns
    #[arg(long)]
    cells: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let store = Store::open_to_read(&args.store)?;
    let filter = StoreFilter { experiment: args.experiment, only: CellFilter(args.only) };
    let report = StoreReport::read(&store, &args.store.display().to_string(), &filter)?;
    if args.json {
        return super::print_json(&report);
    }
    if report.experiments.is_empty() && filter.is_active() {
        return Err(nothing(&store, &filter)?.into());
    }
    let tables = report.text(if args.cells { Detail::Cells } else { Detail::Tables }, screen);
    super::print(&tables)?;
    super::print(&headline(&report, screen))?;
    // Tables with rows and columns have no room for it.
    let is_hinted = report.verdicts().open > 0 && !tables.contains("decides");
    if is_hinted { super::print("--cells shows how many games decide an open verdict.\n") } else { Ok(()) }
}

/// The verdicts on all published numbers of a store and their rule, as a paragraph of their own.
pub(super) fn headline(report: &StoreReport, screen: &Screen) -> String {
    report.headline().map_or_else(String::new, |words| screen.wrapped(&format!("\n{words}\n")))
}

/// The error that a filter leaves nothing.
pub(super) fn nothing(store: &Store, filter: &StoreFilter) -> Result<BadInput> {
    let mut names: Vec<String> =
        store.experiments()?.into_iter().map(|stored| stored.definition.name).collect();
    names.dedup();
    let file = store.path().display();
    Ok(BadInput(match &filter.experiment {
        _ if names.is_empty() => format!("{file} has no experiments yet"),
        Some(name) if !names.contains(name) => {
            format!("{file} has no experiment '{name}': it has {}", names.join(", "))
        }
        _ => {
            let words: Vec<String> = filter.only.0.iter().map(|pattern| format!("'{pattern}'")).collect();
            format!("no cell in {file} has {}: `tesuji show {file} --cells` lists them", words.join(" or "))
        }
    }))
}
