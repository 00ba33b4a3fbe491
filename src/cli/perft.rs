//! `tesuji perft`: how many sequences of moves there are.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;
use tesuji::catalog::GameSpec;
use tesuji::core::{MoveId, PerftProgress};
use tesuji::search::Board;
use tesuji_report::numbers::{duration, grouped, rate};
use tesuji_report::{Screen, Table};

use super::bar::Bar;
use super::interrupt;

/// Count the legal move sequences of exactly D moves
///
/// Pure rules: in Go, eyes may be filled and superko holds. Two programs that
/// count the same very likely have the same rules.
#[derive(clap::Args)]
#[command(after_help = "\
Ctrl-C stops the count; the depths that are done are printed.

Examples:
  tesuji perft breakthrough --depth 4
  tesuji perft hex:5 --depth 3 --moves 'c3 b2' --divide
  tesuji perft domineering:4 --depth 9 --json")]
pub(super) struct Args {
    /// The game, such as breakthrough or hex:11 (`tesuji games` lists them)
    game: String,
    /// The number of moves; smaller depths are counted first
    #[arg(long, value_name = "D", value_parser = super::values::whole::<u32>(1..=1000))]
    depth: u32,
    /// Count depth D for each first move too
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
    /// The moves of the longest game, if the count has come to its end.
    longest_game: Option<u32>,
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
    interrupt::flag()?;
    let mut report = Report {
        game: spec.to_string(),
        position: game.position_text(),
        depths: Vec::new(),
        longest_game: None,
        divide: None,
    };
    for depth in 1..=args.depth {
        let start = Instant::now();
        let bar = Bar::new(game.n_moves())?;
        bar.say(&format!("depth {depth}"));
        let divide = if args.divide && depth == args.depth { divided(&*game, depth, &bar) } else { None };
        let mut shown = None;
        let count = match &divide {
            Some(firsts) => Some(firsts.iter().map(|first| first.count).sum()),
            None => game.perft_watched(depth, &mut |PerftProgress { done, total }| {
                // The bar costs more than the count below a move.
                if shown != Some(done) {
                    bar.total(total);
                    bar.set(done);
                    shown = Some(done);
                }
                unless_interrupted()
            }),
        };
        bar.finish();
        let Some(count) = count else { break };
        if count == 0 {
            report.longest_game = Some(depth - 1);
            break;
        }
        report.depths.push(Depth { depth, count, seconds: start.elapsed().as_secs_f64() });
        report.divide = divide;
    }
    if args.json {
        super::print_json(&report)?;
    } else {
        print(&report, args.depth, screen)?;
    }
    interrupt::ended()
}

/// The sequences after each first move; `None` if somebody interrupts.
fn divided(game: &dyn Board, depth: u32, bar: &Bar) -> Option<Vec<First>> {
    // A move that is legal is one sequence of one move.
    let count = |(mv, _): (MoveId, u64)| {
        let mut next = game.boxed_clone();
        next.attempt(mv);
        let count = next.perft_watched(depth - 1, &mut |_| unless_interrupted())?;
        bar.add(1);
        Some(First { r#move: game.move_text(mv), count })
    };
    game.divide(1).into_iter().map(count).collect()
}

fn unless_interrupted() -> ControlFlow<()> {
    if interrupt::is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

fn print(report: &Report, wanted: u32, screen: &Screen) -> Result<()> {
    let title = format!("Legal move sequences of {}", report.game);
    let mut table = Table::new(title, ["#depth", "#sequences", "#time", "#per second"]);
    for Depth { depth, count, seconds } in &report.depths {
        let time = Duration::from_secs_f64(*seconds);
        table.row([depth.to_string(), grouped(*count), duration(time), rate(*count as f64 / seconds)]);
    }
    let over = match report.longest_game {
        Some(0) => "The game is over: there are no moves.\n".to_owned(),
        Some(longest) => format!("All games are over after at most {longest} moves.\n"),
        None => String::new(),
    };
    let counts = if report.depths.is_empty() { String::new() } else { table.text(screen) };
    super::print(&format!("{counts}{over}"))?;
    if let Some(divide) = &report.divide {
        let mut table = Table::new(format!("\nDepth {wanted}, by first move"), ["move", "#sequences"]);
        divide.iter().for_each(|first| table.row([first.r#move.clone(), grouped(first.count)]));
        super::print(&table.text(screen))?;
    }
    Ok(())
}
