//! `tesuji perft`: how many sequences of moves there are.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;
use tesuji::catalog::GameSpec;
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
        let Some(firsts) = counted(&*game, depth)? else { break };
        let count = firsts.iter().map(|(_, count)| count).sum();
        if count == 0 {
            report.longest_game = Some(depth - 1);
            break;
        }
        report.depths.push(Depth { depth, count, seconds: start.elapsed().as_secs_f64() });
        if args.divide && depth == args.depth {
            let first = |(mv, count)| First { r#move: game.move_text(mv), count };
            report.divide = Some(firsts.into_iter().map(first).collect());
        }
    }
    if args.json {
        super::print_json(&report)?;
    } else {
        print(&report, args.depth, screen)?;
    }
    interrupt::ended()
}

/// The sequences after each first move, with a bar on a terminal; `None` if somebody interrupts.
fn counted(game: &dyn Board, depth: u32) -> Result<Option<Vec<(tesuji::core::MoveId, u64)>>> {
    let mut progress = Progress { bar: Bar::new(Progress::WHOLE)?, done: 0.0 };
    progress.bar.say(&format!("depth {depth}"));
    // A move that is legal leads to one sequence without further moves.
    let mut firsts = game.divide(1);
    let share = 1.0 / firsts.len().max(1) as f64;
    for (mv, count) in &mut firsts {
        let mut next = game.boxed_clone();
        next.attempt(*mv);
        match progress.count(&*next, depth - 1, share, Progress::PLIES) {
            Some(found) => *count = found,
            None => {
                progress.bar.finish();
                return Ok(None);
            }
        }
    }
    progress.bar.finish();
    Ok(Some(firsts))
}

/// How far a count is.
struct Progress {
    bar: Bar,
    /// The part of all positions that is counted, each sharing its part among its moves.
    done: f64,
}

impl Progress {
    /// The steps of the bar.
    const WHOLE: u64 = 1000;
    /// The plies after the first at which the count looks whether it is interrupted.
    const PLIES: u32 = 3;
    /// A count of so many plies is done without a look.
    const AT_ONCE: u32 = 3;

    /// Counts below a position that is this share of the whole; `None` if somebody interrupts.
    fn count(&mut self, game: &dyn Board, depth: u32, share: f64, plies: u32) -> Option<u64> {
        if interrupt::is_set() {
            return None;
        }
        if plies == 0 || depth <= Progress::AT_ONCE {
            let count = game.perft(depth);
            self.add(share);
            return Some(count);
        }
        let moves = game.divide(1);
        if moves.is_empty() {
            self.add(share);
        }
        let mut total = 0;
        for (mv, _) in &moves {
            let mut next = game.boxed_clone();
            next.attempt(*mv);
            total += self.count(&*next, depth - 1, share / moves.len() as f64, plies - 1)?;
        }
        Some(total)
    }

    fn add(&mut self, share: f64) {
        self.done += share;
        self.bar.set((self.done * Progress::WHOLE as f64) as u64);
    }
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
