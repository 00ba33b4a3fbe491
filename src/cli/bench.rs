//! `tesuji bench`: how fast random games are.

use anyhow::Result;
use clap::value_parser;
use tesuji::catalog::{GameSpec, Recording};
use tesuji::core::isa;
use tesuji_report::numbers::grouped;

use super::measure::{self, Settings};

/// Play random games and show how many a second, how long, and who wins
///
/// Time is CPU time of this process, so a busy machine disturbs little. The
/// same seed gives the same games: only the times differ from run to run.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji bench                              all games at the papers' sizes, and their misère twins
  tesuji bench hex:11 --playouts 1000000
  tesuji bench breakthrough --record --json")]
pub(super) struct Args {
    /// The games; without any, all at the papers' sizes and their misère twins
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Playouts for each game
    #[arg(long, value_name = "N", default_value = "100000", value_parser = value_parser!(u64).range(1..=1_000_000_000_000))]
    playouts: u64,
    /// A whole number, or the 32 digits of a seed
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: String,
    /// Let playouts note the codes of their moves, as a search with AMAF does
    #[arg(long)]
    record: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<()> {
    let specs = match args.games.as_slice() {
        [] => GameSpec::measured(),
        games => games.iter().map(|game| game.parse()).collect::<Result<Vec<GameSpec>, _>>()?,
    };
    let settings = Settings {
        playouts: args.playouts,
        seed: args.seed.parse()?,
        recording: if args.record { Recording::On } else { Recording::Off },
    };
    let speeds = measure::speeds(&specs, &settings)?;
    if args.json {
        return super::print_json(&speeds);
    }
    let title = format!(
        "{} random games each, seed {}, instructions: {}",
        grouped(args.playouts),
        args.seed,
        isa::chosen()
    );
    super::print(&measure::table(title, &speeds).text())
}
