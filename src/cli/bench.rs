//! `tesuji bench`: how fast random games are, and searches.

use anyhow::Result;
use clap::value_parser;
use tesuji::catalog::{GameSpec, PlayerSpec};
use tesuji::core::{Seed, isa};
use tesuji::search::{MOST_SAMPLES, Recording};
use tesuji_report::Screen;
use tesuji_report::numbers::grouped;

use super::measure::{self, Settings};
use super::searches::{self, Beside};

/// Play random games, or search, and show how many a second
///
/// Random games are shown with their length and who wins; with a player, searches
/// of the start position on one thread, each followed by as many random games, and
/// the ratio of the two rates. Time is CPU time of this process, so a busy machine
/// disturbs little. The same seed gives the same games and searches: only the times
/// differ from run to run.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji bench                              all games at the papers' sizes, and their misère twins
  tesuji bench hex:11 --playouts 1000000
  tesuji bench breakthrough --record --json
  tesuji bench --player uct --player rave   searches, all games at the papers' sizes
  tesuji bench go:9 --player 'shuss(t=256)+rave' --budget 2000 --playouts 20000 --json")]
pub(super) struct Args {
    /// The games; without any, all at the papers' sizes, with their misère twins where there is no player
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Playouts for each game; with a player, simulations in all, in as many searches as they need
    #[arg(long, value_name = "N", default_value = "100000", value_parser = value_parser!(u64).range(1..=1_000_000_000_000))]
    playouts: u64,
    /// Search instead, as this player does; may be given several times (`tesuji players` lists them)
    #[arg(long = "player", value_name = "SPEC", conflicts_with = "record")]
    players: Vec<String>,
    /// Samples of a search; without it, the player's own or 10000
    #[arg(long, value_name = "N", requires = "players", value_parser = value_parser!(u64).range(1..=MOST_SAMPLES))]
    budget: Option<u64>,
    /// Make no playouts beside the searches, for those who count instructions
    #[arg(long, requires = "players")]
    searches_only: bool,
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

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let seed: Seed = args.seed.parse()?;
    let named = args.games.iter().map(|game| game.parse()).collect::<Result<Vec<GameSpec>, _>>()?;
    if !args.players.is_empty() {
        let specs = if named.is_empty() { searches::games() } else { named };
        return search(&args, &specs, seed, screen);
    }
    let specs = if named.is_empty() { GameSpec::measured() } else { named };
    let settings = Settings {
        playouts: args.playouts,
        seed,
        recording: if args.record { Recording::On } else { Recording::Off },
    };
    let speeds = measure::speeds(&specs, &settings)?;
    if args.json {
        return super::print_json_list("speed", speeds);
    }
    let title = format!(
        "{} random games each, seed {}, instructions: {}",
        grouped(args.playouts),
        args.seed,
        isa::chosen()
    );
    super::print(&measure::table(title, &speeds).text(screen))
}

fn search(args: &Args, specs: &[GameSpec], seed: Seed, screen: &Screen) -> Result<()> {
    let players = args.players.iter().map(|text| searches::player(text, args.budget));
    let players = players.collect::<Result<Vec<PlayerSpec>>>()?;
    let beside = if args.searches_only { Beside::Nothing } else { Beside::Playouts };
    let settings = searches::Settings { simulations: args.playouts, seed, beside };
    let speeds = searches::speeds(specs, &players, &settings)?;
    if args.json {
        return super::print_json_list("searches", speeds);
    }
    let title = format!(
        "Searches, {} simulations each on one thread, seed {}, instructions: {}",
        grouped(args.playouts),
        args.seed,
        isa::chosen()
    );
    super::print(&searches::table(title, &speeds).text(screen))
}
