//! How fast a device is in games at all stages, and whether it searches as the CPU does.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tesuji_core::Seed;
use tesuji_search::{DeviceError, DeviceSearch, Report, SearchConfig, SearchDevice, SearchId, Sight};

use crate::GpuDevice;

/// Games of one player against another, side by side.
pub struct BenchGames<'a> {
    /// The first position.
    pub start: &'a dyn Sight,
    /// Who moves first, and who second.
    pub players: [Arc<SearchConfig>; 2],
    /// Samples a move.
    pub samples: u64,
    /// The number of games at once.
    pub games: u64,
    /// How long it is measured.
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

/// A position of a random game, all of its plies equally likely, in which there is something to
/// choose.
pub fn random_position(start: &dyn Sight, seed: Seed) -> Box<dyn Sight> {
    let mut rng = seed.rng();
    let mut positions = vec![start.boxed_clone()];
    loop {
        let here = positions.last().expect("there is the first");
        let moves = here.search_moves();
        let next = here.after(moves[rng.below(moves.len() as u32) as usize]);
        if next.outcome().is_some() || next.search_moves().is_empty() {
            break;
        }
        positions.push(next);
    }
    positions.retain(|position| position.search_moves().len() > 1);
    let at = rng.below(positions.len().max(1) as u32) as usize;
    positions.into_iter().nth(at).unwrap_or_else(|| start.boxed_clone())
}

/// Different positions from which games begin.
const POSITIONS: u64 = 1000;

/// A game that is being played.
struct BenchGame {
    here: Box<dyn Sight>,
    ply: u64,
    /// The games that were played in this place before.
    round: u64,
}

/// Plays games that begin at all stages, so that all stages are measured alike; whoever ends makes
/// room for a game from the beginning. Tells `watch` now and then.
///
/// # Errors
/// If the device cannot make the searches, or fails.
pub fn bench(
    device: &mut GpuDevice,
    games: &BenchGames<'_>,
    mut watch: impl FnMut(&BenchResult),
) -> Result<BenchResult, DeviceError> {
    let seed = Seed::new(1).child("bench");
    let begin = |device: &mut GpuDevice, number: usize, game: &BenchGame| {
        let config = Arc::clone(&games.players[(game.ply % 2) as usize]);
        let seed = seed.child(number as u64).child(game.round).child(game.ply);
        let sight = game.here.boxed_clone();
        let search = DeviceSearch { sight, config, samples: games.samples, carried: 0, seed };
        device.begin(SearchId(number as u64), search)
    };
    let positions: Vec<Box<dyn Sight>> = (0..games.games.min(POSITIONS))
        .map(|number| random_position(games.start, seed.child("position").child(number)))
        .collect();
    let mut playing = Vec::new();
    for number in 0..games.games {
        let here = positions[(number % POSITIONS) as usize].boxed_clone();
        let game = BenchGame { here, ply: number % 2, round: 0 };
        begin(device, playing.len(), &game)?;
        playing.push(game);
    }
    // What is compiled and allocated first is not measured.
    let mut reports = device.wait(None)?;
    let (mut result, began) = (BenchResult::default(), Instant::now());
    let before = device.status().samples;
    let (until, mut told) = (began + games.time, began);
    loop {
        for (SearchId(number), report) in reports {
            let game = &mut playing[number as usize];
            game.here = game.here.after(report.arms[report.chosen.unwrap_or(0)].mv);
            game.ply += 1;
            result.moves += 1;
            if game.here.outcome().is_some() || game.here.search_moves().is_empty() {
                result.finished += 1;
                *game = BenchGame { here: games.start.boxed_clone(), ply: 0, round: game.round + 1 };
            }
            begin(device, number as usize, game)?;
        }
        let status = device.status();
        result.bytes = result.bytes.max(status.bytes);
        (result.samples, result.seconds) = (status.samples - before, began.elapsed().as_secs_f64());
        if Instant::now() >= until {
            break;
        }
        if told.elapsed() > Duration::from_secs(2) {
            told = Instant::now();
            watch(&result);
        }
        reports = device.wait(Some(until))?;
    }
    device.forget_all();
    Ok(result)
}

/// The samples a second of one thread of this machine's CPU in the same kind of games.
pub fn one_core(games: &BenchGames<'_>) -> f64 {
    let seed = Seed::new(1).child("bench");
    let (began, mut samples) = (Instant::now(), 0);
    for number in 0.. {
        let sight = random_position(games.start, seed.child("position").child(number));
        let config = Arc::clone(&games.players[(number % 2) as usize]);
        let search =
            DeviceSearch { sight, config, samples: games.samples, carried: 0, seed: seed.child(number) };
        samples += search.make_here().spent;
        if began.elapsed() >= games.time {
            break;
        }
    }
    samples as f64 / began.elapsed().as_secs_f64()
}

/// What of two reports must be equal: all but the memory of trees and the values that a policy
/// had in mind.
pub fn is_same(one: &Report, other: &Report) -> bool {
    let rest =
        |report: &Report| (report.chosen, report.budget, report.spent, report.carried, report.arms.len());
    rest(one) == rest(other)
        && one.arms.iter().zip(&other.arms).all(|(one, other)| {
            (one.mv, one.visits, one.mean, one.score) == (other.mv, other.visits, other.mean, other.score)
                && one.amaf == other.amaf
        })
}

/// Makes searches of positions of random games on a device and on the CPU, and returns how many
/// came out the same.
///
/// # Errors
/// If the device cannot make the searches, or fails.
pub fn compare(
    device: &mut GpuDevice,
    start: &dyn Sight,
    config: &Arc<SearchConfig>,
    samples: u64,
    searches: u64,
) -> Result<u64, DeviceError> {
    let search = |number: u64| {
        let seed = Seed::new(1).child("compare").child(number);
        let sight = random_position(start, seed);
        DeviceSearch { sight, config: Arc::clone(config), samples, carried: 0, seed }
    };
    for number in 0..searches {
        device.begin(SearchId(number), search(number))?;
    }
    let mut reports: Vec<(SearchId, Report)> = Vec::new();
    while (reports.len() as u64) < searches {
        reports.extend(device.wait(None)?);
    }
    let (next, same) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((SearchId(number), report)) = reports.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let is_same = is_same(report, &search(*number).make_here());
                    same.fetch_add(usize::from(is_same), Ordering::Relaxed);
                }
            });
        }
    });
    Ok(same.into_inner() as u64)
}
