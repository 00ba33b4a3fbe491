//! The methods that are compared, and their regrets.

use std::fmt;

use tesuji_bandit::PolicySpec;
use tesuji_core::{Arms, Rewards, Seed, allocate};

use super::Surface;
use super::gradient::{Gains, Rival, spsa};
use crate::tuning::{Design, Point, Start, Tuner, TunerSettings};

/// A way to spend a budget of pairs of games.
#[derive(Clone, Debug)]
pub enum Method {
    /// A design of this number of candidates, each with the same number of pairs; the best mean wins.
    Uniform(usize),
    /// A design of this number of candidates, Sequential Halving among them, no model.
    Halving(usize),
    /// SPSA with these gains.
    Spsa(Rival, Gains),
    /// Our tuner, with the settings that follow from the budget in pairs.
    Tuner(&'static str, fn(u64) -> TunerSettings),
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Uniform(n) => write!(f, "uniform {n}"),
            Method::Halving(n) => write!(f, "halving {n}"),
            Method::Spsa(rival, gains) => write!(f, "spsa {rival:?} {} {}", gains.last_step, gains.rate),
            Method::Tuner(name, _) => f.write_str(name),
        }
    }
}

/// The regret of a method that may play `pairs` pairs of games, from one run.
pub fn regret(method: &Method, surface: &Surface, pairs: u64, seed: Seed) -> f64 {
    let point = match method {
        Method::Uniform(n) => by_policy(surface, *n, "uniform", pairs, seed),
        Method::Halving(n) => by_policy(surface, *n, "sh(least=1)", pairs, seed),
        Method::Spsa(rival, gains) => spsa(surface, pairs, *rival, *gains, seed),
        Method::Tuner(_, settings) => by_tuner(surface, TunerSettings { seed, ..settings(pairs) }),
    };
    surface.regret(&point)
}

fn by_policy(surface: &Surface, n: usize, policy: &str, pairs: u64, seed: Seed) -> Point {
    let points: Vec<Point> = Design::new(surface.space.dimensions(), seed.child("design")).take(n).collect();
    let policy: PolicySpec = policy.parse().expect("the table has this policy");
    let (mut arms, mut rng) = (Arms::new(n), seed.child("policy").rng());
    let mut games = seed.child("games").rng();
    let decision = allocate(&mut *policy.allocator(), pairs, &mut arms, &mut rng, |batch, arms| {
        for pull in batch.pulls {
            let mut rewards = Rewards::default();
            (0..pull.samples).for_each(|_| rewards.add(surface.pair(&points[pull.arm], &mut games)));
            arms.record(pull.arm, rewards);
        }
    });
    points[decision.arm].clone()
}

fn by_tuner(surface: &Surface, settings: TunerSettings) -> Point {
    let seed = settings.seed;
    let mut tuner =
        Tuner::new(surface.space.clone(), Start::None, settings).expect("these settings are allowed");
    let mut games = seed.child("games").rng();
    while let Some(round) = tuner.next_round() {
        for samples in round {
            let point = tuner.candidate(samples.candidate).point.clone().expect("all are in the space");
            let rewards: Vec<f64> = (0..samples.pairs).map(|_| surface.pair(&point, &mut games)).collect();
            tuner.tell(samples.candidate, &rewards).expect("these are rewards of the round");
        }
    }
    let best = tuner.best().expect("all candidates of the last round have played");
    tuner.candidate(best.candidate).point.clone().expect("all are in the space")
}

/// The regrets of many runs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Regret {
    /// The number of runs.
    pub runs: u64,
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
}

impl Regret {
    /// Of these runs.
    pub fn of(regrets: &[f64]) -> Regret {
        let n = regrets.len() as f64;
        let mean = regrets.iter().sum::<f64>() / n;
        let squares: f64 = regrets.iter().map(|one| (one - mean) * (one - mean)).sum();
        Regret { runs: regrets.len() as u64, mean, error: (squares / (n - 1.0).max(1.0) / n).sqrt() }
    }
}
