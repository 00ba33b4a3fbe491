//! Two players, many games: who is better?
//!
//! ```text
//! cargo run --release --example duel -- go:9 'hybrid-shuss(t=256)' rave 10000 100
//! ```
//!
//! The arguments are a game, two players, the samples for each move, the number
//! of games, and perhaps the threads and the number of the first game. Colours
//! alternate; every game is a function of its number, so games can be played on
//! any number of threads, or some of them today and some tomorrow.

use std::error::Error;
use std::sync::Mutex;
use std::time::Instant;

use tesuji::catalog::{GameSpec, PlayerSpec};
use tesuji::core::{Outcome, Seed, Side};
use tesuji::search::{Budget, Limits};

struct Duel {
    game: GameSpec,
    players: [PlayerSpec; 2],
    samples: u64,
}

/// What the games of a duel came to, for the first player.
#[derive(Clone, Copy, Default)]
struct Score {
    games: u64,
    points: f64,
    /// When it moved first, and when it did not.
    points_by_turn: [f64; 2],
    plies: u64,
}

impl Duel {
    /// Plays the game of this number: the first player's reward and the length.
    fn play(&self, number: u64) -> Result<(f64, u64), Box<dyn Error>> {
        let mut position = self.game.start()?;
        let first = position.to_move();
        // Even numbers: the first player moves first.
        let own = if number.is_multiple_of(2) { first } else { !first };
        let mut players =
            [self.game.player(self.players[0].config())?, self.game.player(self.players[1].config())?];
        let seed = Seed::new(1).child("duel").child(number);
        let mut ply = 0;
        let outcome: Outcome = loop {
            if let Some(outcome) = position.outcome() {
                break outcome;
            }
            let turn: Side = position.to_move();
            let index = usize::from(turn != own);
            let budget = self.players[index].budget().unwrap_or(Budget::Samples(self.samples));
            let limits = Limits { budget, ..Limits::samples(self.samples) };
            let report = players[index].search(&*position, &limits, seed.child(ply), None);
            let mv = report.mv().ok_or("a game that goes on has a move")?;
            position.play(&mv)?;
            ply += 1;
        };
        Ok((outcome.reward(own), ply))
    }
}

/// Wilson's 95 % interval of a rate.
fn wilson(points: f64, games: f64) -> (f64, f64) {
    let (p, z2) = (points / games, 1.96_f64 * 1.96);
    let centre = (p + z2 / (2.0 * games)) / (1.0 + z2 / games);
    let half = (z2 * (p * (1.0 - p) / games + z2 / (4.0 * games * games))).sqrt() / (1.0 + z2 / games);
    (centre - half, centre + half)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, first, second, samples, games, rest @ ..] = &arguments[..] else {
        return Err("give a game, two players, samples, games, and perhaps threads and a first number".into());
    };
    let duel =
        Duel { game: game.parse()?, players: [first.parse()?, second.parse()?], samples: samples.parse()? };
    let games: u64 = games.parse()?;
    let threads: usize = rest.first().map_or(Ok(1), |text| text.parse())?;
    let threads = threads.max(1);
    let begin: u64 = rest.get(1).map_or(Ok(0), |text| text.parse())?;
    let numbers = Mutex::new(begin..begin + games);
    let score = Mutex::new(Score::default());
    let clock = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some(number) = numbers.lock().expect("no thread panics").next() else { break };
                    let (reward, plies) = duel.play(number).expect("both players play legal moves");
                    let mut score = score.lock().expect("no thread panics");
                    score.games += 1;
                    score.points += reward;
                    score.points_by_turn[(number % 2) as usize] += reward;
                    score.plies += plies;
                    if score.games.is_multiple_of(10) || score.games == games {
                        tell(&duel, &score, clock.elapsed().as_secs_f64());
                    }
                }
            });
        }
    });
    Ok(())
}

#[allow(clippy::print_stdout)]
fn tell(duel: &Duel, score: &Score, seconds: f64) {
    let games = score.games as f64;
    let (low, high) = wilson(score.points, games);
    println!(
        "{} {} against {} @{}: {} of {} = {:.1} % ({:.1} to {:.1}); {} moving first, {} second; {:.0} plies, {:.1} s a game",
        duel.game,
        duel.players[0],
        duel.players[1],
        duel.samples,
        score.points,
        score.games,
        100.0 * score.points / games,
        100.0 * low,
        100.0 * high,
        score.points_by_turn[0],
        score.points_by_turn[1],
        score.plies as f64 / games,
        seconds / games
    );
}
