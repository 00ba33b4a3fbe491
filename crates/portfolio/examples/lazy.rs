//! later
#![allow(clippy::print_stdout)]
use tesuji_core::{Rng, Seed};
use tesuji_portfolio::lazy::{Anytime, DoubleOracle, DoubleOracleConfig, Exp3, Exp3Config, GrigoriadisKhachiyan, GrigoriadisKhachiyanConfig, Played, Progress};
use tesuji_portfolio::{Matrix, solve};

fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * libm::log(1.0 - rng.unit())).sqrt() * libm::cos(2.0 * std::f64::consts::PI * rng.unit())
}
fn games(size: usize, spread: f64, own: f64, seed: u64) -> Matrix {
    let mut rng = Seed::new(seed).rng();
    let a: Vec<f64> = (0..size).map(|_| spread * normal(&mut rng)).collect();
    let b: Vec<f64> = (0..size).map(|_| spread * normal(&mut rng)).collect();
    Matrix::from_function(size, size, |i, j| {
        let logit = a[i] - b[j] + own * normal(&mut rng);
        f64::from(u8::from(rng.chance(1.0 / (1.0 + libm::exp(-logit)))))
    }).unwrap()
}
const T: [f64; 5] = [0.2, 0.1, 0.075, 0.05, 0.02];
fn run(name: &str, mut a: impl Anytime, m: &Matrix, every: usize) {
    let mut played = Played::new(m);
    let mut at = [None; T.len()];
    let start = std::time::Instant::now();
    let (mut steps, mut last) = (0, 1.0);
    loop {
        let done = a.step(&mut played).unwrap() == Progress::Finished;
        steps += 1;
        if steps % every == 0 || done {
            let p = a.portfolio();
            last = m.exploitability(&p.black, &p.white);
            for (t, at) in T.iter().zip(&mut at) { if last <= *t && at.is_none() { *at = Some(played.games()); } }
        }
        if done || at[3].is_some() && std::env::var("FULL").is_err() || start.elapsed().as_secs() > 60 { break; }
    }
    println!("{name:20} {at:?} last {last:.4} games {} steps {steps} {:?}", played.games(), start.elapsed());
}
fn main() {
    let var = |n: &str, d: f64| std::env::var(n).map_or(d, |v| v.parse::<f64>().unwrap());
    let size = var("N", 400.0) as usize;
    for (spread, own) in [(0.0, 0.0), (0.6, 1.0), (1.0, 0.0)] {
        for seed in 0..var("SEEDS", 2.0) as u64 {
            let m = games(size, spread, own, seed);
            let start = std::time::Instant::now();
            let e = solve(&m);
            println!("spread {spread} value {:.3} support {} {} {:?}", e.value, e.black.iter().filter(|x| **x > 0.0).count(), e.white.iter().filter(|x| **x > 0.0).count(), start.elapsed());
            let config = DoubleOracleConfig { screening: var("SCR", 8.0) as usize, batch: var("B", 4.0) as usize, chunk: var("C", 8.0) as usize, confidence: Some(var("Z", 1.0)), precision: var("P", 1e-9), ..Default::default() };
            run("double oracle", DoubleOracle::new(size, size, config), &m, 1);
            if std::env::var("ALL").is_ok() {
                run("gk .05", GrigoriadisKhachiyan::new(size, size, GrigoriadisKhachiyanConfig { precision: 0.05, seed: Seed::new(1) }), &m, 20);
                run("gk .2", GrigoriadisKhachiyan::new(size, size, GrigoriadisKhachiyanConfig { precision: 0.2, seed: Seed::new(1) }), &m, 1);
                run("exp3", Exp3::new(size, size, Exp3Config { batch: 400, seed: Seed::new(1) }), &m, 10);
            }
        }
    }
}
