//! `tesuji selftest`: does this program search as it should?

use anyhow::{Result, bail};
use serde::Serialize;
use tesuji::BUILD;
use tesuji::catalog::GoldenSearch;

use super::bar::Bar;

/// Check that this program finds what every correct build finds, to the last bit
///
/// It makes small searches of every game and compares them with results in the sources, which
/// takes seconds. A program that was compiled wrongly, or partly from other sources, fails.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji selftest
  tesuji selftest --json")]
pub(super) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What came of it.
#[derive(Serialize)]
struct Tested {
    build: &'static str,
    searches: usize,
    /// The searches with another result, such as "ataxx:5 rave".
    different: Vec<String>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let searches: Vec<GoldenSearch<'_>> = GoldenSearch::all().collect();
    let bar = Bar::new(searches.len() as u64)?;
    let mut tested = Tested { build: BUILD.fingerprint, searches: searches.len(), different: Vec::new() };
    for search in &searches {
        bar.say(search.game);
        if search.digest() != search.expected {
            tested.different.push(format!("{} {}", search.game, search.player));
        }
        bar.add(1);
    }
    bar.finish();
    let Tested { build, searches, different } = &tested;
    if args.json {
        super::print_json(&tested)?;
    } else if different.is_empty() {
        super::print(&format!("{searches} searches are correct, to the last bit: {build}\n"))?;
    }
    if !different.is_empty() {
        let names = different.join(", ");
        bail!("{} of {searches} searches of this program ({build}) are wrong: {names}", different.len());
    }
    Ok(())
}
