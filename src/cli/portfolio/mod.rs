//! `tesuji portfolio`: opening books learnt by choosing seeds.

mod learn;
mod play;
mod show;
mod test;

use std::path::Path;

use anyhow::Result;
use tesuji_arena::{Book, Experiment, Store};
use tesuji_portfolio::seeds::SeedGames;
use tesuji_report::Screen;

use super::BadInput;

pub(super) use test::{Testing, published};

/// Learn an opening book by choosing random seeds, test it, look at it, play by it
///
/// A randomised player with a fixed seed is deterministic, and some seeds play better than
/// others. Every seed as Black plays every seed as White. From that matrix of games a portfolio
/// is learnt: which seeds to play, and how often.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji portfolio learn phantom-go:5 --seeds 100 --store s.db --out book.json
  tesuji portfolio test seeds.db
  tesuji portfolio show book.json
  tesuji portfolio play book.json
  tesuji match 'phantom-go:5(komi=3.5)' 'portfolio(\"book.json\")' 'flat(sh)@400'")]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    Learn(Box<learn::Args>),
    Test(test::Args),
    Show(show::Args),
    Play(play::Args),
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    match args.verb {
        Verb::Learn(args) => learn::run(*args, screen),
        Verb::Test(args) => test::run(args, screen),
        Verb::Show(args) => show::run(args, screen),
        Verb::Play(args) => play::run(args, screen),
    }
}

/// All games of seeds in a store.
pub(super) fn seed_games(store: &Store) -> Result<Vec<SeedGames>> {
    let mut all: Vec<SeedGames> = Vec::new();
    for stored in store.experiments()? {
        if let Ok(Experiment::Matches(experiment)) = stored.read() {
            let whole = SeedGames::of(&experiment);
            // In the quick version players may have other budgets.
            let quick = SeedGames::of(&experiment.quickened());
            for games in whole.into_iter().chain(quick) {
                let is_same = |other: &SeedGames| {
                    let key =
                        |games: &SeedGames| (games.experiment.address, games.experiment.cells[0].key.clone());
                    key(other) == key(&games)
                };
                if !all.iter().any(is_same) {
                    all.push(games);
                }
            }
        }
    }
    Ok(all)
}

fn read_book(path: &Path) -> Result<Book> {
    Ok(Book::read(path).map_err(|error| BadInput(error.to_string()))?)
}
