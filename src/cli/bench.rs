//! `tesuji bench`: how fast random games are, and searches.

use anyhow::Result;
use tesuji::catalog::{GameSpec, PlayerSpec};
use tesuji::core::{Seed, isa};
use tesuji::search::{MOST_SAMPLES, Recording};
use tesuji_report::Screen;
use tesuji_report::numbers::grouped;

use super::interrupt;
use super::measure::{self, Settings};
use super::peers;
use super::searches::{self, Beside};

/// Measure the speed of random games, or of searches
///
/// For random games it shows their length and who wins. With --player it searches the start
/// position on one thread, plays as many random games after each search, and shows the ratio
/// of the two speeds. Time is CPU time of this process, so other programs disturb little.
/// Equal seeds give equal games and searches; only the times differ.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji bench                              all games, and their misère twins
  tesuji bench hex:11 --playouts 1000000
  tesuji bench breakthrough --record --json
  tesuji bench --player uct --player rave   searches of all games
  tesuji bench go:9 --player 'shuss(t=256)+rave' --budget 2000 --json")]
pub(super) struct Args {
    /// The games; default: all at the papers' sizes, without --player their misère twins too
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Playouts for each game; with --player, simulations for each game and player
    #[arg(long, value_name = "N", default_value = "100000", value_parser = super::values::whole::<u64>(1..=1_000_000_000_000))]
    playouts: u64,
    /// Measure searches of this player; may be given several times (`tesuji players` lists them)
    #[arg(long = "player", value_name = "SPEC", conflicts_with = "record")]
    players: Vec<String>,
    /// Samples of each search of a player that has no budget of its own [default: 10000]
    #[arg(long, value_name = "N", requires = "players", value_parser = super::values::whole::<u64>(1..=MOST_SAMPLES))]
    budget: Option<u64>,
    /// Play no random games between the searches, so that their instructions can be counted
    #[arg(long, requires = "players")]
    searches_only: bool,
    /// The seed: a whole number, or the 32 digits of a seed
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: String,
    /// Record the moves of playouts, as searches with AMAF do
    #[arg(long)]
    record: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let seed: Seed = args.seed.parse()?;
    interrupt::flag()?;
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
    if speeds.is_empty() {
        return interrupt::ended();
    }
    if args.json {
        super::print_json_list("speed", speeds)?;
        return interrupt::ended();
    }
    let title = format!(
        "{} random games each, seed {}, instructions: {}",
        grouped(args.playouts),
        args.seed,
        isa::chosen()
    );
    let has_peers = speeds.iter().any(|speed| speed.peer.is_some());
    super::print(&screen.wrapped(&with_note(measure::table(title, &speeds).text(screen), has_peers)))?;
    interrupt::ended()
}

/// A table with a line about other programs, if it has figures of some.
fn with_note(table: String, has_peers: bool) -> String {
    if has_peers { table + peers::NOTE } else { table }
}

fn search(args: &Args, specs: &[GameSpec], seed: Seed, screen: &Screen) -> Result<()> {
    let players = args.players.iter().map(|text| searches::player(text, args.budget));
    let players = players.collect::<Result<Vec<PlayerSpec>>>()?;
    let beside = if args.searches_only { Beside::Nothing } else { Beside::Playouts };
    let settings = searches::Settings { simulations: args.playouts, seed, beside };
    let speeds = searches::speeds(specs, &players, &settings)?;
    if speeds.is_empty() {
        return interrupt::ended();
    }
    if args.json {
        super::print_json_list("searches", speeds)?;
        return interrupt::ended();
    }
    let title = format!(
        "Searches, {} simulations each on one thread, seed {}, instructions: {}",
        grouped(args.playouts),
        args.seed,
        isa::chosen()
    );
    let has_peers = speeds.iter().any(|speed| !speed.peers.is_empty());
    super::print(&screen.wrapped(&with_note(searches::table(title, &speeds).text(screen), has_peers)))?;
    interrupt::ended()
}
