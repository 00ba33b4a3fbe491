//! `tesuji gtp`: an engine for programs that speak the Go Text Protocol.

use std::io;

use anyhow::{Context, Result};
use tesuji::catalog::{BudgetSpec, GameSpec, PlayerSpec};
use tesuji_engine::Engine;
use tesuji_session::{Session, Settings};

/// Play as a GTP engine: Go in any program that speaks it, other games where the program allows it
///
/// Commands come in on standard input and are answered on standard output. GoGui, Sabaki, gomill and
/// `tesuji match` can attach it; docs/gtp_extensions.md has every command.
#[derive(clap::Args)]
#[command(after_help = "\
Without a budget the player uses the clock that the controller sets, or 2 s a move where it sets none.
In Go it passes when the game is decided and resigns when it is lost; `tesuji-param` changes that.

Examples:
  tesuji gtp --game go:9
  tesuji gtp --game go:19 --player 'grave+reuse@20000' --threads 2
  tesuji gtp --game hex:11 --player 'hybrid-shuss(t=512)@5s'
  printf 'genmove b\\nshowboard\\n' | tesuji gtp --game go:9 --player rave@1000
  tesuji match go:9 'gtp(\"tesuji gtp --budget 1s\")' 'gtp(\"gnugo --mode gtp --chinese-rules\")' --games 20")]
pub(super) struct Args {
    /// The game at the beginning, such as go:9 or hex:11 (`tesuji games` lists them)
    #[arg(long, value_name = "GAME", default_value = "go:9")]
    game: String,
    /// Who plays, such as rave or 'sh+uct@10000' (`tesuji players` lists them); without it, what suits the game
    #[arg(long, value_name = "SPEC")]
    player: Option<String>,
    /// Samples, such as 10000, or a time, such as 500ms or 2s, for each move; without it, what the clock allows
    #[arg(long, value_name = "BUDGET")]
    budget: Option<String>,
    /// The seed: a whole number, or the 32 digits of a seed; without it, another each time
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    /// Threads, for roots that halve and for several trees; without it, one for each core
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
    /// Think while the other side does; of use to players with reuse
    #[arg(long)]
    ponder: bool,
    /// Resign when expecting less than this share in three moves running; 0 for never; without it, 0.08 in Go
    #[arg(long, value_name = "SHARE")]
    resign: Option<f64>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let game: GameSpec = args.game.parse()?;
    let mut settings = Settings::usual(&game, super::threads(args.threads));
    if let Some(player) = &args.player {
        settings.player = player.parse::<PlayerSpec>()?;
    }
    if let Some(budget) = &args.budget {
        settings.player = settings.player.with_budget(budget.parse::<BudgetSpec>()?);
    }
    settings.seed = match &args.seed {
        Some(seed) => seed.parse()?,
        None => super::seed_of_the_moment(),
    };
    settings.ponders = args.ponder;
    if let Some(below) = args.resign {
        settings.manners.resign_below = below;
    }
    Engine::new(Session::new(game, settings)?)
        .serve(io::stdin(), &mut io::stdout().lock(), &mut io::stderr())
        .context("answers cannot be written")?;
    Ok(())
}
