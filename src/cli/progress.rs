//! The progress of a match or an experiment: a bar on a terminal, elsewhere a line now and then.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use tesuji_arena::statistics::{half_width_at, wilson};
use tesuji_arena::{CellProgress, Completion, Pairing, Progress, RunEvent};
use tesuji_report::numbers;

use super::bar::Bar;

/// Lines of a log come no faster than this.
const EVERY: Duration = Duration::from_secs(10);

/// Shows games as they end.
pub(super) struct MatchProgress {
    bar: Bar,
    is_terminal: bool,
    last: Option<Instant>,
}

impl MatchProgress {
    pub(super) fn new() -> Result<MatchProgress> {
        Ok(MatchProgress { bar: Bar::for_games()?, is_terminal: io::stderr().is_terminal(), last: None })
    }

    pub(super) fn tell(&mut self, progress: &Progress<'_>) {
        if let RunEvent::Void(cell, void) = progress.event {
            let id = cell.game_id(void.address.index);
            self.bar.above(&format!("void game {id} ({}): {}", void.kind, void.message));
        }
        let Completion { done, wanted: all } = progress.total();
        let line = line(progress);
        self.bar.total(all);
        self.bar.set(done);
        self.bar.say(&line);
        let is_due = self.last.is_none_or(|last| last.elapsed() >= EVERY) || done == all;
        if !self.is_terminal && is_due && matches!(progress.event, RunEvent::Game(..)) {
            self.last = Some(Instant::now());
            let line = if line.is_empty() { line } else { format!("; {line}") };
            let _ =
                writeln!(io::stderr(), "{} of {} games{line}", numbers::grouped(done), numbers::grouped(all));
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish();
    }
}

/// How a match stands, with the interval that it will have at its end, and the time that is left.
fn line(progress: &Progress<'_>) -> String {
    let left = progress.left.map(|left| format!("{} left", numbers::long_duration(left)));
    let standing = match (&progress.cells[..], &progress.experiment.cells[..]) {
        // A player against itself: whose wins would these be?
        ([_], [cell]) if cell.player == cell.opponent => None,
        // Games that share seeds have another interval, which the report computes.
        ([CellProgress { count, .. }], _) if progress.experiment.rules.pairing == Pairing::Seeds => {
            count.rate().map(|rate| format!("player wins {:.1} %", 100.0 * rate))
        }
        ([CellProgress { count, games }], _) => count.rate().map(|rate| {
            let now = wilson(count.points(), count.games());
            let at_end = 100.0 * half_width_at(count.cautious_rate(), count.games() + games.missing());
            let at_end = match games.missing() {
                0 => String::new(),
                _ => format!(", known within {at_end:.1} points at the end"),
            };
            let [rate, low, high] = [rate, now.low, now.high].map(|share| 100.0 * share);
            format!("player wins {rate:.1} % ({low:.1} to {high:.1}){at_end}")
        }),
        (cells, _) => {
            let width = |cell: &CellProgress| wilson(cell.count.points(), cell.count.games()).half_width();
            let widest = 100.0 * cells.iter().map(width).fold(0.0, f64::max);
            Some(format!("{} cells, each known within {widest:.1} points", cells.len()))
        }
    };
    [standing, left].into_iter().flatten().collect::<Vec<_>>().join("; ")
}
