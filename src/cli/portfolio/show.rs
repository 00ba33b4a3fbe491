//! `tesuji portfolio show`: what is in a book.

use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;
use tesuji::core::Side;
use tesuji_arena::Book;
use tesuji_report::Screen;
use tesuji_report::numbers::grouped;
use tesuji_report::portfolio::{BookLine, BookTable};

/// Show a book: its seeds, their chances, and the openings that they play
///
/// An opening is what a seed plays if the referee refuses none of its moves and reports no
/// capture.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji portfolio show book.json
  tesuji portfolio show book.json --moves 5 --json")]
pub(super) struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The number of moves of each opening
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = crate::cli::values::whole::<u64>(1..=50))]
    moves: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    book: &'a Book,
    openings: &'a [BookTable],
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let book = super::read_book(&args.book)?;
    let tables = Side::BOTH.map(|side| opened(&book, side, args.moves));
    if args.json {
        return super::super::print_json(&Shown { book: &book, openings: &tables });
    }
    let learnt = &book.learnt;
    let turned = if book.symmetries { ", the board turned at random" } else { "" };
    let mut text = format!(
        "{}: {}, {}{turned}\nLearnt from {} games of {} seeds a side",
        book.game,
        book.player,
        book.method,
        grouped(learnt.games),
        grouped(learnt.seeds),
    );
    text += &match (learnt.training.zip(learnt.worst), learnt.gap) {
        (Some((training, worst)), _) => format!(
            ".\nThe book, mean of both colours, wins {:.1} % against these seeds and {:.1} % against the best \
             answer among them.\n",
            100.0 * training,
            100.0 * worst
        ),
        (None, Some(gap)) => {
            format!("; neither side can gain more than {:.1} % on average against these seeds\n", 50.0 * gap)
        }
        (None, None) => "; with the board turned it was not measured\n".to_owned(),
    };
    for table in &tables {
        text += &format!("\n{}{}\n", table.table().text(screen), table.first_moves_text());
    }
    super::super::print(&screen.wrapped(&text))
}

/// The seeds of a side and their openings.
fn opened(book: &Book, side: Side, moves: u64) -> BookTable {
    let choices = book.of_side(side);
    let total: f64 = choices.iter().map(|choice| choice.weight).sum();
    let lines = choices.iter().zip(book.openings(side, moves as usize)).map(|(choice, opening)| BookLine {
        number: choice.number,
        weight: choice.weight / total,
        opening,
    });
    BookTable { side, lines: lines.collect() }
}
