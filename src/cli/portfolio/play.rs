//! `tesuji portfolio play`: a game against a book.

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;
use tesuji::catalog::{BudgetSpec, GameSpec};
use tesuji_report::Screen;
use tesuji_session::{Contestant, LiveGame};

use super::super::{BadInput, play};

/// Play against a book, or watch it play
///
/// The book draws a seed at the beginning, and then plays as that seed plays.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji portfolio play book.json
  tesuji portfolio play book.json --side white --seed 7
  tesuji portfolio play book.json --against 'flat(sh)@400'")]
pub(super) struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The side that is not the book's
    #[arg(long, value_name = "SIDE", default_value = "black")]
    side: Side,
    /// Who plays that side: human, or a player such as 'flat(sh)@400'
    #[arg(long, value_name = "SPEC", default_value = crate::cli::contestants::HUMAN)]
    against: String,
    /// Chooses the seed that the book draws, and the other player's seeds
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: String,
    /// Threads [default: one for each core]
    #[arg(long, short = 'j', value_name = "N", value_parser = crate::cli::values::whole::<u64>(1..=1024))]
    threads: Option<u64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Side {
    Black,
    White,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let book = super::read_book(&args.book)?;
    let game: GameSpec = book.game.parse()?;
    let named = Contestant::portfolio(&args.book).map_err(|error| BadInput(error.to_string()))?.to_string();
    let named = match args.side {
        Side::Black => [args.against, named],
        Side::White => [named, args.against],
    };
    let setting = play::Setting {
        named,
        budget: BudgetSpec::DEFAULT,
        until: None,
        seed: args.seed.parse()?,
        threads: super::super::threads(args.threads),
        screen: *screen,
        save: None,
        start: play::Start::Usual,
    };
    setting.sit_down(LiveGame::new(game)?)
}
