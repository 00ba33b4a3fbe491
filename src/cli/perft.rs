//! `tesuji perft`: how many sequences of moves there are.

use std::time::Instant;

use anyhow::Result;
use clap::value_parser;
use serde::Serialize;
use tesuji::catalog::GameSpec;
use tesuji_report::numbers::{duration, grouped, rate};
use tesuji_report::{Screen, Table};

/// Count the legal move sequences of exactly D plies
///
/// Pure rules: in Go, eyes may be filled and superko holds. Two programs that
/// count the same have very likely the same rules.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji perft breakthrough --depth 4
  tesuji perft hex:5 --depth 3 --moves 'c3 b2' --divide
  tesuji perft domineering:4 --depth 9 --json")]
pub(super) struct Args {
    /// The game, such as breakthrough or hex:11 (`tesuji games` lists them)
    game: String,
    /// The number of plies; all smaller depths are counted too
    #[arg(long, value_name = "D", value_parser = value_parser!(u32).range(1..=1000))]
    depth: u32,
    /// Count depth D apart for each first move
    #[arg(long)]
    divide: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    from: super::Beginning,
}

#[derive(Serialize)]
struct Report {
    game: String,
    position: Option<String>,
    depths: Vec<Depth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<First>>,
}

#[derive(Serialize)]
struct Depth {
    depth: u32,
    count: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct First {
    r#move: String,
    count: u64,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let spec: GameSpec = args.game.parse()?;
    let game = args.from.begin(&spec)?;
    let mut depths = Vec::new();
    let title = format!("Legal move sequences of {spec}");
    let mut table = Table::new(title, ["#depth", "#sequences", "#time", "#per second"]);
    for depth in 1..=args.depth {
        let start = Instant::now();
        let count = game.perft(depth);
        let time = start.elapsed();
        let per_second = count as f64 / time.as_secs_f64();
        table.row([depth.to_string(), grouped(count), duration(time), rate(per_second)]);
        depths.push(Depth { depth, count, seconds: time.as_secs_f64() });
    }
    let divide = args.divide.then(|| game.divide(args.depth));
    if args.json {
        let first = |(mv, count)| First { r#move: game.move_text(mv), count };
        let divide = divide.map(|moves| moves.into_iter().map(first).collect());
        let position = game.position_text();
        return super::print_json(&Report { game: spec.to_string(), position, depths, divide });
    }
    super::print(&table.text(screen))?;
    if let Some(divide) = divide {
        let title = format!("\nDepth {}, by first move", args.depth);
        let mut table = Table::new(title, ["move", "#sequences"]);
        divide.into_iter().for_each(|(mv, count)| table.row([game.move_text(mv), grouped(count)]));
        super::print(&table.text(screen))?;
    }
    Ok(())
}
