//! The measurement that `bench` and `reproduce` share: playouts by CPU time.

use anyhow::Result;
use cpu_time::ProcessTime;
use serde::Serialize;
use tesuji::catalog::GameSpec;
use tesuji::core::{Seed, Side};
use tesuji::search::{Recording, Tally};
use tesuji_report::Table;
use tesuji_report::numbers::{rate, share};

use super::bar::Bar;
use super::interrupt;
use super::peers::{self, Peer};

/// How to measure.
pub(super) struct Settings {
    /// Playouts for each game.
    pub(super) playouts: u64,
    pub(super) seed: Seed,
    pub(super) recording: Recording,
}

/// One game, measured. All but the times is a function of the settings.
#[derive(Serialize)]
pub(super) struct Speed {
    pub(super) game: String,
    pub(super) playouts: u64,
    pub(super) cpu_seconds: f64,
    pub(super) playouts_per_cpu_second: f64,
    pub(super) mean_length: f64,
    pub(super) first_mover: Side,
    pub(super) first_mover_win_rate: f64,
    pub(super) standard_error: f64,
    pub(super) peer: Option<Peer>,
}

/// Measures the games in turn, with a bar on a terminal. An interrupt ends it: the measurements so
/// far are returned.
pub(super) fn speeds(specs: &[GameSpec], settings: &Settings) -> Result<Vec<Speed>> {
    // Chunks, so that the bar moves; large, so that they cost nothing.
    const CHUNKS: u64 = 20;
    let bar = Bar::new(specs.len() as u64 * CHUNKS)?;
    let mut speeds = Vec::new();
    for spec in specs {
        bar.say(&spec.to_string());
        let game = spec.start()?;
        let mut rng = settings.seed.child("bench").child(spec.to_string().as_str()).rng();
        let mut tally = Tally::default();
        let mut cpu_seconds = 0.0;
        for chunk in 0..CHUNKS {
            if interrupt::is_set() {
                bar.finish();
                return Ok(speeds);
            }
            let n = settings.playouts * (chunk + 1) / CHUNKS - settings.playouts * chunk / CHUNKS;
            let start = ProcessTime::now();
            tally += game.playouts(n, &mut rng, settings.recording);
            cpu_seconds += start.elapsed().as_secs_f64();
            bar.add(1);
        }
        speeds.push(speed(spec, game.to_move(), tally, cpu_seconds));
    }
    bar.finish();
    Ok(speeds)
}

fn speed(spec: &GameSpec, first_mover: Side, tally: Tally, cpu_seconds: f64) -> Speed {
    let (first_mover_win_rate, standard_error) = tally.win_rate(first_mover);
    Speed {
        game: spec.to_string(),
        playouts: tally.playouts(),
        cpu_seconds,
        playouts_per_cpu_second: tally.playouts() as f64 / cpu_seconds,
        mean_length: tally.mean_length(),
        first_mover,
        first_mover_win_rate,
        standard_error,
        peer: peers::of(&spec.to_string()),
    }
}

/// The measurements as a table.
pub(super) fn table(title: String, speeds: &[Speed]) -> Table {
    let mut table = Table::new(
        title,
        ["game", "#per CPU second", "#moves", "first mover", "#it wins", "other program", "#its speed"],
    );
    for speed in speeds {
        // Another machine's figure: a ratio to this one's would say little.
        let peer = speed.peer.map(|peer| [peer.name.to_owned(), rate(peer.playouts_per_second)]);
        let [peer, peer_rate] = peer.unwrap_or_default();
        table.row([
            speed.game.clone(),
            rate(speed.playouts_per_cpu_second),
            format!("{:.1}", speed.mean_length),
            speed.first_mover.to_string(),
            share(speed.first_mover_win_rate, speed.standard_error),
            peer,
            peer_rate,
        ]);
    }
    table
}
