//! `tesuji merge`: several stores made one.

use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;
use tesuji_arena::{MergeSummary, Store};
use tesuji_report::numbers::grouped;

/// Join stores, such as those of shards that ran on several machines
///
/// Everything that the first store lacks is copied from the others into it. It is made if it does
/// not exist. Games that several stores have must be equal to the byte. Of games in flight the one
/// with the most moves is kept.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji run experiments/shuss-table1.toml --shard 1/2 --store shard1.db
  tesuji run experiments/shuss-table1.toml --shard 2/2 --store shard2.db
  tesuji merge all.db shard1.db shard2.db")]
pub(super) struct Args {
    /// The store to copy into
    #[arg(value_name = "INTO")]
    into: PathBuf,
    /// The stores to copy from
    #[arg(value_name = "STORE", required = true)]
    stores: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A store that was merged, as `--json` prints it.
#[derive(Serialize)]
struct MergedStore<'a> {
    store: String,
    #[serde(flatten)]
    merged: &'a MergeSummary,
}

pub(super) fn run(args: Args) -> Result<()> {
    let merged = Store::merge_all(&args.into, &args.stores)?;
    if args.json {
        let named = args.stores.iter().zip(&merged);
        let stores = named.map(|(path, merged)| MergedStore { store: path.display().to_string(), merged });
        return super::print_json_list("stores", stores);
    }
    for (path, merged) in args.stores.iter().zip(&merged) {
        let MergeSummary { games, known, paused, regrets } = merged;
        let bandits =
            if *regrets > 0 { format!(", {} cells on bandits", grouped(*regrets)) } else { String::new() };
        let paused = if *paused > 0 { format!(", {} in flight", grouped(*paused)) } else { String::new() };
        super::print(&format!(
            "{}: {} new games, {} known{paused}{bandits}\n",
            path.display(),
            grouped(*games),
            grouped(*known)
        ))?;
    }
    super::print(&format!("Everything is in {}.\n", args.into.display()))
}
