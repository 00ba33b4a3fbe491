//! How far along a match or an experiment is: a bar on a terminal, now and then a line
//! elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use tesuji_arena::statistics::{half_width_at, wilson};
use tesuji_arena::{CellProgress, Completion, Pairing, Progress, RunEvent};
use tesuji_report::numbers;

use super::bar::Bar;

/// Lines of a log come no faster than this.
const EVERY: Duration = Duration::from_secs(10);

/// Tells of games as they end.
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
            let _ = writeln!(io::stderr(), "{done} of {all} games; {line}");
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish();
    }
}

/// Where it stands, with the interval to come and the time that is left.
fn line(progress: &Progress<'_>) -> String {
    let left = progress.left.map_or(String::new(), |left| format!("; {} left", numbers::long_duration(left)));
    match &progress.cells[..] {
        // Games that share seeds have another interval, which the report computes.
        [CellProgress { count, .. }] if progress.experiment.rules.pairing == Pairing::Seeds => {
            let rate = count.rate().map_or("no game yet".to_owned(), |rate| format!("{:.1} %", 100.0 * rate));
            format!("{rate}{left}")
        }
        [CellProgress { count, games }] => {
            let rate = count.rate().map_or("no game yet".to_owned(), |rate| {
                let now = wilson(count.points(), count.games());
                let missing = games.missing();
                let to_come = 100.0 * half_width_at(count.cautious_rate(), count.games() + missing);
                let to_come = if missing > 0 { format!(", ± {to_come:.1} to come") } else { String::new() };
                format!("{:.1} % ({:.1} to {:.1}){to_come}", 100.0 * rate, 100.0 * now.low, 100.0 * now.high)
            });
            format!("{rate}{left}")
        }
        cells => {
            let width = |cell: &CellProgress| wilson(cell.count.points(), cell.count.games()).half_width();
            let widest = cells.iter().map(width);
            let widest = 100.0 * widest.fold(0.0, f64::max);
            format!("{} cells, the widest ± {widest:.1} points{left}", cells.len())
        }
    }
}
