//! How fast a device is over whole games.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tesuji_core::Seed;
use tesuji_search::{DeviceError, DeviceSearch, SearchConfig, SearchDevice, SearchId, Sight};

use crate::GpuDevice;

/// Games of one player against another, side by side.
pub struct BenchGames<'a> {
    /// The first position.
    pub start: &'a dyn Sight,
    /// Who moves first, and who second.
    pub players: [Arc<SearchConfig>; 2],
    /// Samples a move.
    pub samples: u64,
    /// The number of games.
    pub games: u64,
    /// When it ends, even if games go on.
    pub time: Duration,
}

/// What came of it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct BenchResult {
    /// Samples made.
    pub samples: u64,
    /// Moves played.
    pub moves: u64,
    /// Games that came to their ends.
    pub finished: u64,
    /// The time it took, without compiling.
    pub seconds: f64,
    /// Bytes of memory in use at most.
    pub bytes: u64,
}

impl BenchResult {
    /// Samples a second.
    pub fn speed(&self) -> f64 {
        self.samples as f64 / self.seconds.max(1e-9)
    }
}

/// Plays games, all of which begin at once, and tells `watch` now and then.
pub fn bench(
    device: &mut GpuDevice,
    games: &BenchGames<'_>,
    mut watch: impl FnMut(&BenchResult),
) -> Result<BenchResult, DeviceError> {
    let mut boards: Vec<(Box<dyn Sight>, u64)> =
        (0..games.games).map(|_| (games.start.boxed_clone(), 0)).collect();
    let begin = |device: &mut GpuDevice, game: usize, boards: &[(Box<dyn Sight>, u64)]| {
        let (sight, ply) = (boards[game].0.boxed_clone(), boards[game].1);
        let seed = Seed::new(1).child(game as u64).child(ply);
        let config = Arc::clone(&games.players[(ply % 2) as usize]);
        device.begin(
            SearchId(game as u64),
            DeviceSearch { sight, config, samples: games.samples, carried: 0, seed },
        )
    };
    let before = device.status().samples;
    for game in 0..boards.len() {
        begin(device, game, &boards)?;
    }
    // The first round compiles.
    let mut reports = device.wait(None)?;
    let (mut result, began) = (BenchResult::default(), Instant::now());
    let compiled = device.status().samples - before;
    let until = began + games.time;
    let mut told = began;
    loop {
        for (SearchId(game), report) in reports {
            let game = game as usize;
            let arm = report.chosen.unwrap_or(0);
            boards[game].0 = boards[game].0.after(report.arms[arm].mv);
            boards[game].1 += 1;
            result.moves += 1;
            if boards[game].0.outcome().is_some() || boards[game].0.search_moves().is_empty() {
                result.finished += 1;
            } else {
                begin(device, game, &boards)?;
            }
        }
        result.bytes = result.bytes.max(device.status().bytes);
        result.samples = device.status().samples - before - compiled;
        result.seconds = began.elapsed().as_secs_f64();
        if result.finished == games.games || Instant::now() >= until {
            break;
        }
        if told.elapsed() > Duration::from_secs(5) {
            told = Instant::now();
            watch(&result);
        }
        reports = device.wait(Some(until))?;
    }
    device.forget_all();
    Ok(result)
}
