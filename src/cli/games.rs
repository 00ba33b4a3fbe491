//! `tesuji games`: what can be played.

use anyhow::Result;
use serde::Serialize;
use tesuji::catalog::{BoardSizes, GameInfo, GameSpec, games};
use tesuji_report::{Screen, Table};

use super::setting::Setting;

/// List the games, their boards and their options
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tesuji games --json | jq '.games[].name'")]
pub(super) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    if args.json {
        return super::print_json_list("games", games().iter().map(|info| Game::of(info)));
    }
    let mut names = Table::new(
        "Games, and their misère twins, in which whoever would win loses",
        ["game", "misère twin", "board", "rules"],
    );
    let mut options = Table::new("Options", ["game", "option", "values", "default", "meaning"]);
    for info in games() {
        let game = Game::of(info);
        let board = format!("{} ({})", game.default_size, game.sizes);
        names.row([game.name.into(), game.misere.unwrap_or_default(), board, game.rules.into()]);
        for option in game.options {
            let Setting { name, values, default, meaning } = option;
            let default = default.unwrap_or("must be given").to_owned();
            options.row([game.name.into(), name.into(), values, default, meaning.into()]);
        }
    }
    let example = "Write hex, hex:7, hex:11(swap=on), domineering:6x8, misere(hex:7) or nohex:7.";
    let example = screen.wrapped(example);
    super::print(&format!("{}\n{}\n{example}\n", names.text(screen), options.text(screen)))
}

/// A game as `--json` prints it.
#[derive(Serialize)]
struct Game {
    name: &'static str,
    /// Its misère twin; phantom games have none.
    misere: Option<String>,
    rules: &'static str,
    default_size: String,
    sizes: String,
    options: Vec<Setting>,
    /// Specs worth measuring.
    measured: Vec<String>,
}

impl Game {
    fn of(info: &'static GameInfo) -> Game {
        let default = GameSpec::of(info).to_string();
        let measured = GameSpec::measured();
        Game {
            name: info.name,
            misere: (!info.is_hidden)
                .then(|| info.misere.map_or_else(|| format!("misere({})", info.name), str::to_owned)),
            rules: info.rules,
            default_size: default.split_once(':').map_or(String::new(), |(_, size)| size.to_owned()),
            sizes: sizes(&info.board),
            options: Setting::all(info.options),
            measured: measured.iter().filter(|spec| spec.info() == info).map(GameSpec::to_string).collect(),
        }
    }
}

/// The sizes of boards in short: `2 to 19` or `2x4 to 8x8`.
fn sizes(board: &BoardSizes) -> String {
    match board {
        BoardSizes::Square { sizes, .. } => format!("{} to {}", sizes.start(), sizes.end()),
        BoardSizes::Rectangle { widths, heights, .. } => {
            format!("{}x{} to {}x{}", widths.start(), heights.start(), widths.end(), heights.end())
        }
    }
}
