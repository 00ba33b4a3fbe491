//! `tesuji gtp`: an engine for programs that speak the Go Text Protocol.

use std::io;

use anyhow::{Context, Result};
use tesuji::catalog::{BudgetSpec, GameSpec};
use tesuji_engine::Engine;
use tesuji_session::{Session, Settings};

use super::until::UntilArgs;

/// Play as a GTP engine for GoGui, Sabaki, gomill and other programs
///
/// It reads commands of the Go Text Protocol from standard input and answers on standard output.
/// It plays Go, and the other games with controllers that support them. docs/gtp_extensions.md
/// lists every command.
#[derive(clap::Args)]
#[command(after_help = "\
A player without a budget uses the clock that the controller sets, or 2 s a move if it sets none.
In Go the player passes when the game is decided and resigns when it is lost; `tesuji-param` changes that.

Examples:
  tesuji gtp --game go:9
  tesuji gtp --game go:19 --player 'grave+reuse@20000' --threads 2
  tesuji gtp --game hex:11 --player 'hybrid-shuss(t=512)@5s'
  printf 'genmove b\\nshowboard\\n' | tesuji gtp --game go:9 --player rave@1000
  tesuji match go:9 'gtp(\"tesuji gtp\")' 'gtp(\"gnugo --mode gtp\")' --games 20")]
pub(super) struct Args {
    /// The first game, such as go:9 or hex:11 (`tesuji games` lists them)
    #[arg(long, value_name = "GAME", default_value = "go:9")]
    game: String,
    /// The player, such as rave or 'sh+uct@10000' (`tesuji players` lists them) [default: one that suits the game]
    #[arg(long, value_name = "SPEC")]
    player: Option<String>,
    /// Samples (10000) or time (2s) for each move, if the player has no budget of its own [default: by the clock]
    #[arg(long, value_name = "BUDGET")]
    budget: Option<String>,
    #[command(flatten)]
    until: UntilArgs,
    /// The seed: a whole number, or the 32 digits of a seed [default: a new one each time]
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    /// Threads for players that halve or grow several trees [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = super::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
    /// Think during the opponent's turn; only players with reuse profit from it
    #[arg(long)]
    ponder: bool,
    /// Resign after three moves in a row that expect less than this share: 0 (never) to 0.5 [default: 0.08 in Go]
    #[arg(long, value_name = "SHARE", value_parser = super::values::number(0.0..=0.5))]
    resign: Option<f64>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let game: GameSpec = args.game.parse()?;
    let mut settings = Settings::usual(&game, super::threads(args.threads));
    if let Some(player) = &args.player {
        settings.player = super::contestants::player(player)?;
    }
    if let Some(budget) = &args.budget {
        settings.player = settings.player.with_default_budget(budget.parse::<BudgetSpec>()?);
    }
    settings.player = args.until.apply(settings.player)?;
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
