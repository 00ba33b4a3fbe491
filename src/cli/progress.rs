//! The progress of a match or an experiment: a bar on a terminal, elsewhere a line now and then.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use tesuji::search::DeviceStatus;
use tesuji_arena::ratings::{Meeting, RatingSettings};
use tesuji_arena::statistics::{half_width_at, wilson};
use tesuji_arena::tuning::TuningProgress;
use tesuji_arena::{CellProgress, Completion, FleetStatus, Pairing, Progress, RunEvent};
use tesuji_report::numbers;

use super::bar::Bar;

/// Lines of a log come no faster than this.
const EVERY: Duration = Duration::from_secs(10);
/// A rating list is computed no more often than this, and takes a small share of the time.
const LIST_EVERY: Duration = Duration::from_secs(1);

/// Shows games as they end.
pub(super) struct MatchProgress {
    bar: Bar,
    is_terminal: bool,
    last: Option<Instant>,
    /// The number of games of the last line of a log.
    shown: Option<u64>,
    fleet: FleetLine,
    leader: LeaderLine,
}

impl MatchProgress {
    pub(super) fn new() -> Result<MatchProgress> {
        let is_terminal = io::stderr().is_terminal();
        let (fleet, leader) = (FleetLine::default(), LeaderLine::default());
        Ok(MatchProgress { bar: Bar::for_games()?, is_terminal, last: None, shown: None, fleet, leader })
    }

    pub(super) fn tell(&mut self, progress: &Progress<'_>) {
        self.note(progress);
        self.leader.note(progress, Instant::now());
        let line = line(progress, &self.fleet, &self.leader);
        self.show(progress, progress.total(), line);
    }

    fn note(&mut self, progress: &Progress<'_>) {
        match progress.event {
            RunEvent::Void(cell, void) => {
                let id = cell.game_id(void.address.index);
                self.bar.above(&format!("void game {id} ({}): {}", void.kind, void.message));
            }
            RunEvent::DeviceFailure(error) => {
                self.bar.above(&format!("the device failed, its searches are made again: {error}"));
            }
            RunEvent::Fleet(status) => self.fleet.note(status, Instant::now()),
            RunEvent::Begin | RunEvent::Game(..) => {}
        }
    }

    /// Shows the games of a tuning as they end.
    pub(super) fn tell_tuning(&mut self, progress: &TuningProgress<'_>) {
        let TuningProgress { games, done, wanted, best, is_confirming } = progress;
        self.note(games);
        let doing = if *is_confirming { "fresh games" } else { "tuning" };
        let best = best.as_ref().map(|(player, best)| {
            format!("best {player}, expected to win {:.1} %", 100.0 * best.prediction.mean)
        });
        let fleet = self.fleet.text.clone();
        let parts = [Some(doing.to_owned()), best, fleet];
        let line = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
        self.show(games, Completion { done: *done, wanted: *wanted }, line);
    }

    fn show(&mut self, progress: &Progress<'_>, total: Completion, line: String) {
        let Completion { done, wanted: all } = total;
        self.bar.total(all);
        self.bar.set(done);
        self.bar.say(&line);
        let is_end = done == all && self.shown != Some(done);
        let is_due = self.last.is_none_or(|last| last.elapsed() >= EVERY) || is_end;
        if !self.is_terminal && is_due && matches!(progress.event, RunEvent::Game(..) | RunEvent::Fleet(_)) {
            (self.last, self.shown) = (Some(Instant::now()), Some(done));
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
fn line(progress: &Progress<'_>, fleet: &FleetLine, leader: &LeaderLine) -> String {
    let left = progress.left.map(|left| format!("{} left", numbers::long_duration(left)));
    let standing = match (&progress.cells[..], &progress.experiment.cells[..]) {
        _ if progress.experiment.tournament.is_some() => leader.words(progress),
        // A player against itself: whose wins would these be?
        ([_], [cell]) if cell.player == cell.opponent => None,
        // Games that share seeds have another interval, which the report computes.
        ([CellProgress { count, .. }], _) if progress.experiment.rules.pairing == Pairing::Seeds => {
            count.rate().map(|rate| format!("player wins {:.1} %", 100.0 * rate))
        }
        ([CellProgress { count, games, .. }], _) => count.rate().map(|rate| {
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
    // At the end no game is in flight.
    let fleet = fleet.text.clone().filter(|_| progress.total().missing() > 0);
    [fleet, standing, left].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The leader of a tournament and how well its list is known, in words.
#[derive(Default)]
struct LeaderLine {
    /// When the list was computed for the last time, and how long that took.
    last: Option<(Instant, Duration)>,
    text: Option<String>,
}

impl LeaderLine {
    /// Computes the list if it is time for that.
    fn note(&mut self, progress: &Progress<'_>, now: Instant) {
        let Some(tournament) = &progress.experiment.tournament else { return };
        let is_due = |(at, took): (Instant, Duration)| now.duration_since(at) >= LIST_EVERY.max(20 * took);
        let is_over = progress.total().missing() == 0;
        if !matches!(progress.event, RunEvent::Game(..)) || !(is_over || self.last.is_none_or(is_due)) {
            return;
        }
        let meetings: Vec<Meeting> = tournament
            .pairs
            .iter()
            .map(|pair| {
                let by_order = progress.cells[pair.cell].by_order;
                Meeting { singles: by_order, ..Meeting::new(pair.player, pair.opponent, pair.game) }
            })
            .collect();
        let settings = RatingSettings { bootstrap: 0, ..tournament.rating_settings() };
        let ratings = tournament.ratings(&meetings, &settings);
        let errors = ratings.players.iter().flatten().map(|rating| rating.error);
        let widest = errors.fold(0.0, f64::max);
        let leader = ratings.order().first().and_then(|&first| Some((first, ratings.players[first]?)));
        self.text = leader.map(|(first, rating)| {
            let (name, elo) = (&tournament.players[first].label, numbers::decimal(rating.elo, 0));
            format!("{name} leads with {elo} Elo, all known within {}", numbers::decimal(widest, 0))
        });
        self.last = Some((now, now.elapsed()));
    }

    /// The round and the leader.
    fn words(&self, progress: &Progress<'_>) -> Option<String> {
        let round = progress.round.map(|round| format!("round {}", round.number));
        let parts: Vec<String> = [round, self.text.clone()].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// What a device is doing, in words.
#[derive(Default)]
struct FleetLine {
    /// When the last status came, and the samples of the device until then.
    last: Option<(Instant, u64)>,
    text: Option<String>,
}

impl FleetLine {
    /// Notes the state of a device at a moment.
    fn note(&mut self, status: &FleetStatus, now: Instant) {
        let DeviceStatus { samples, bytes, all_bytes, .. } = status.device;
        let rate = self.last.map(|(before, earlier)| {
            let seconds = now.duration_since(before).as_secs_f64().max(1e-3);
            let per_second = samples.saturating_sub(earlier) as f64 / seconds;
            format!("{} simulations a second", numbers::rate(per_second))
        });
        let memory =
            (all_bytes > 0).then(|| format!("{} of {}", numbers::bytes(bytes), numbers::bytes(all_bytes)));
        let games = format!("{} in flight", numbers::grouped(status.games as u64));
        let plies = format!("{} moves", numbers::grouped(status.plies));
        let parts = [Some(games), Some(plies), rate, memory];
        self.last = Some((now, samples));
        self.text = Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_hear_what_a_device_does() {
        let mut line = FleetLine::default();
        let now = Instant::now();
        let device = DeviceStatus { samples: 1_000, ..DeviceStatus::default() };
        line.note(&FleetStatus { games: 1_200, plies: 0, device: device.clone() }, now);
        assert_eq!(line.text.as_deref(), Some("1,200 in flight, 0 moves"));
        let device = DeviceStatus { samples: 40_001_000, bytes: 3 << 30, all_bytes: 8 << 30, ..device };
        line.note(&FleetStatus { games: 1_100, plies: 52_000, device }, now + Duration::from_secs(2));
        assert_eq!(
            line.text.as_deref(),
            Some("1,100 in flight, 52,000 moves, 20,000,000 simulations a second, 3.2 GB of 8.6 GB")
        );
    }
}
