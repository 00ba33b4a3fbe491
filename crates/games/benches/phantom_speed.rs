//! Playouts a second of what a side knows in a phantom game, beside plain playouts
//! from the same worlds, so that the lengths are the same and the difference is what
//! drawing a world costs.
//!
//! Random phantom games are played first; a stage is a part of such a game, and the
//! views are those of the side to move then, after a random candidate.
//!
//! ```text
//! cargo bench -p tesuji-games
//! ```

#![allow(clippy::print_stdout)]

use std::time::Duration;

use cpu_time::ThreadTime;
use tesuji_core::{Announced, Guess, Phantom, Playout, Referee, Rng, Seed, Silent, View};
use tesuji_games::goban::{UpTo7, UpTo10};
use tesuji_games::{Go, GoRules, HexRules, SmallHex};

const GAMES: u64 = 20;
const PLAYOUTS: usize = 1000;
const STAGES: [f64; 4] = [0.0, 0.25, 0.5, 0.75];

type Guesses<G> = Vec<<<G as Phantom>::View as View>::Guess>;

/// What the sides to move knew at each stage of a random game, after a candidate.
fn stages<G: Phantom>(start: &G, rng: &mut Rng) -> [Guesses<G>; STAGES.len()] {
    let mut guesses = Vec::new();
    let mut referee = Referee::new(start.clone(), Announced::Captures);
    let mut ply = None;
    while referee.outcome().is_none() && guesses.len() < 2000 {
        let view = referee.view(referee.world().to_move());
        let mut candidates = Vec::new();
        view.for_each_candidate(|mv| candidates.push(mv));
        let mv = rng.choose(&candidates).copied().or_else(|| view.last_resort());
        let mv = mv.expect("a game that is not over has a move");
        // The first attempt of each turn.
        if ply.replace(view.ply()) != Some(view.ply()) {
            guesses.push(view.assume(Some(mv)));
        }
        referee.attempt(mv);
    }
    STAGES.map(|stage| vec![guesses[(stage * guesses.len() as f64) as usize].clone()])
}

/// Runs it so often; gives runs a second of this thread's time, and plies a run.
fn speed(mut run: impl FnMut(usize) -> Playout) -> (Duration, u64) {
    let begin = ThreadTime::now();
    let plies = (0..PLAYOUTS).map(|index| u64::from(run(index).plies)).sum();
    (begin.elapsed(), plies)
}

fn measure<G: Phantom>(name: &str, start: &G) {
    let mut games: [Guesses<G>; STAGES.len()] = Default::default();
    for game in 0..GAMES {
        let mut rng = Seed::new(1).child(game).rng();
        for (all, one) in games.iter_mut().zip(stages(start, &mut rng)) {
            all.extend(one);
        }
    }
    for (stage, guesses) in STAGES.iter().zip(&games) {
        let mut rng = Seed::new(2).rng();
        let (mut guessed, mut plain) = ((Duration::ZERO, 0), (Duration::ZERO, 0));
        // In turns, so that a busy machine is busy for both.
        for guess in guesses {
            let worlds: Vec<_> = (0..100).map(|_| guess.world(&mut rng)).collect();
            let (time, plies) = speed(|_| guess.playout(&mut rng, &mut Silent));
            guessed = (guessed.0 + time, guessed.1 + plies);
            let (time, plies) = speed(|index| worlds[index % worlds.len()].playout(&mut rng, &mut Silent));
            plain = (plain.0 + time, plain.1 + plies);
        }
        let n = (GAMES as usize * PLAYOUTS) as f64;
        let [of_guess, of_world] = [guessed, plain].map(|(time, _)| n / time.as_secs_f64());
        println!(
            "{name:8} {:3.0}% {of_guess:10.0} {of_world:10.0} {:6.2} {:8.1} {:8.1}",
            100.0 * stage,
            of_guess / of_world,
            guessed.1 as f64 / n,
            plain.1 as f64 / n,
        );
    }
}

fn main() {
    println!("game    stage  guesses/s   plain/s  ratio  plies of each");
    let go = |size| GoRules { size, ..GoRules::default() };
    measure("go:5", &Go::<UpTo7>::new(go(5)).expect("a size"));
    measure("go:7", &Go::<UpTo7>::new(go(7)).expect("a size"));
    measure("go:9", &Go::<UpTo10>::new(go(9)).expect("a size"));
    let hex = |size| HexRules { size, ..HexRules::default() };
    measure("hex:5", &SmallHex::new(hex(5)).expect("a size"));
    measure("hex:11", &SmallHex::new(hex(11)).expect("a size"));
}
