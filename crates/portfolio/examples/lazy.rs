//! How many games the lazy algorithms need: for random matrices of 0 and 1, the number
//! of different games until the mixtures' exploitability in the whole matrix is small.
//!
//! ```text
//! cargo run --release -p tesuji-portfolio --example lazy -- [SIZE] [SEEDS]
//! ```
//!
//! Black's row i wins against White's column j with probability logistic(a_i − b_j), a
//! and b normal with the standard deviation *spread*: 0 is a coin for every game.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use tesuji_core::{Rng, Seed};
use tesuji_portfolio::lazy::{
    Anytime, DoubleOracle, DoubleOracleConfig, Exp3, Exp3Config, GrigoriadisKhachiyan,
    GrigoriadisKhachiyanConfig, Played, Progress,
};
use tesuji_portfolio::{Matrix, solve};

const LEVELS: [f64; 4] = [0.2, 0.1, 0.05, 0.02];
/// The longest that an algorithm may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Box and Muller.
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - rng.unit())).sqrt();
    radius * libm::cos(2.0 * std::f64::consts::PI * rng.unit())
}

fn random_games(size: usize, spread: f64, seed: Seed) -> Matrix {
    let mut rng = seed.rng();
    let mut strengths = || -> Vec<f64> { (0..size).map(|_| spread * normal(&mut rng)).collect() };
    let (black, white) = (strengths(), strengths());
    let entry = |i: usize, j: usize| {
        let chance = 1.0 / (1.0 + libm::exp(white[j] - black[i]));
        f64::from(u8::from(rng.chance(chance)))
    };
    Matrix::from_function(size, size, entry).expect("rewards are 0 and 1")
}

/// Runs until the last level is reached, and prints a line.
fn measure(name: &str, mut algorithm: impl Anytime, every: u64, matrix: &Matrix) {
    let mut played = Played::new(matrix);
    let all = (matrix.rows() * matrix.columns()) as f64;
    let mut games = [None; LEVELS.len()];
    let start = Instant::now();
    for step in 1.. {
        let progress = algorithm.step(&mut played).expect("a known matrix has every game");
        let is_last = progress == Progress::Finished || start.elapsed() > PATIENCE;
        if step % every == 0 || is_last {
            let portfolio = algorithm.portfolio();
            let exploitability = matrix.exploitability(&portfolio.black, &portfolio.white);
            for (level, games) in LEVELS.iter().zip(&mut games) {
                if exploitability <= *level {
                    games.get_or_insert(played.games());
                }
            }
        }
        if is_last || games.iter().all(Option::is_some) {
            break;
        }
    }
    print!("  {name:24}");
    for games in games {
        match games {
            Some(games) => print!("{games:>10} {:>4.0}%", 100.0 * (1.0 - games as f64 / all)),
            None => print!("{:>10} {:>5}", "-", ""),
        }
    }
    println!("{:>10.2} s", start.elapsed().as_secs_f64());
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|word| word.parse().ok());
    let size: usize = arguments.next().unwrap_or(400);
    let seeds = arguments.next().unwrap_or(2) as u64;
    for spread in [0.6, 0.3, 0.15, 0.0] {
        for seed in 0..seeds {
            let matrix = random_games(size, spread, Seed::new(seed));
            let start = Instant::now();
            let equilibrium = solve(&matrix);
            let time = start.elapsed().as_secs_f64();
            let support = equilibrium.black.iter().filter(|&&weight| weight > 0.0).count();
            println!(
                "{size} x {size}, spread {spread}, seed {seed}: value {:.3}, {support} rows mixed, solved in {time:.3} s",
                equilibrium.value
            );
            println!(
                "  games (and saved) at     {:>15}{:>16}{:>16}{:>16}",
                LEVELS[0], LEVELS[1], LEVELS[2], LEVELS[3]
            );
            let seed = Seed::new(seed).child("algorithm");
            let config = DoubleOracleConfig { seed, ..DoubleOracleConfig::default() };
            measure("double oracle", DoubleOracle::new(size, size, config), 1, &matrix);
            for precision in [0.2, 0.05] {
                let config = GrigoriadisKhachiyanConfig { precision, seed };
                let name = format!("grigoriadis-khachiyan {precision}");
                measure(&name, GrigoriadisKhachiyan::new(size, size, config), 20, &matrix);
            }
            if size <= 400 {
                measure("exp3", Exp3::new(size, size, Exp3Config { batch: size, seed }), 20, &matrix);
            }
        }
    }
}
