//! Exp3 on both sides (Auer, Cesa-Bianchi, Freund, Schapire, "The nonstochastic
//! multiarmed bandit problem", 2002).
//!
//! Each side is a bandit who sees nothing but the reward of its own choice. With K
//! choices, p the softmax of η times the sums, mixed with a share γ of the uniform
//! mixture, a choice i is drawn and its sum rises by reward / p_i. The frequencies of
//! both sides approach an equilibrium as 1/√t.
//!
//! The length of the run is not known, so η and γ fall with t:
//!
//! ```text
//! γ_t = min(1, √(K·ln K / t)),   η_t = γ_t / K.
//! ```
//!
//! One game a step is the least that an algorithm can ask for, but the same pairs come
//! again and again, which costs no game and teaches nothing. A step here is a *batch*
//! of draws from the same probabilities, so that the games can be played in parallel.

use tesuji_core::{Rng, Seed};

use super::sampling::{draw, frequencies, softmax};
use super::{Anytime, Entries, PlayError, Played, Progress};
use crate::Portfolio;

/// How a run is made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exp3Config {
    /// How many games are drawn from the same probabilities: 1 is the paper's way.
    pub batch: usize,
    /// The address of its draws.
    pub seed: Seed,
}

/// A run of the algorithm: it never ends by itself.
#[derive(Clone, Debug)]
pub struct Exp3 {
    batch: usize,
    rng: Rng,
    drawn: u64,
    black: Bandit,
    white: Bandit,
    pairs: Vec<(usize, usize)>,
}

/// One of the two sides.
#[derive(Clone, Debug)]
struct Bandit {
    /// Sums of rewards over probabilities.
    sums: Vec<f64>,
    counts: Vec<u64>,
    probabilities: Vec<f64>,
}

impl Bandit {
    fn new(size: usize) -> Bandit {
        Bandit { sums: vec![0.0; size], counts: vec![0; size], probabilities: Vec::new() }
    }

    /// The probabilities after this many draws.
    fn prepare(&mut self, drawn: u64) {
        let size = self.sums.len() as f64;
        let explore = (size * libm::log(size) / (drawn + 1) as f64).sqrt().min(1.0);
        let rate = explore / size;
        softmax(self.sums.iter().map(|sum| rate * sum), &mut self.probabilities);
        for probability in &mut self.probabilities {
            *probability = (1.0 - explore) * *probability + explore / size;
        }
    }

    fn learn(&mut self, choice: usize, reward: f64) {
        self.sums[choice] += reward / self.probabilities[choice];
        self.counts[choice] += 1;
    }
}

impl Exp3 {
    /// A run for a matrix of this size.
    pub fn new(rows: usize, columns: usize, config: Exp3Config) -> Exp3 {
        let (black, white) = (Bandit::new(rows), Bandit::new(columns));
        let (batch, rng) = (config.batch.max(1), config.seed.rng());
        Exp3 { batch, rng, drawn: 0, black, white, pairs: Vec::new() }
    }

    /// How many games were drawn, those included that had been played already.
    pub fn drawn(&self) -> u64 {
        self.drawn
    }
}

impl Anytime for Exp3 {
    fn step<S: Entries>(&mut self, played: &mut Played<S>) -> Result<Progress, PlayError<S::Error>> {
        self.black.prepare(self.drawn);
        self.white.prepare(self.drawn);
        self.pairs.clear();
        for _ in 0..self.batch {
            let row = draw(&self.black.probabilities, &mut self.rng);
            self.pairs.push((row, draw(&self.white.probabilities, &mut self.rng)));
        }
        played.ask(self.pairs.iter().copied())?;
        for &(row, column) in &self.pairs {
            let reward = played.row(row)[column];
            self.black.learn(row, reward);
            self.white.learn(column, 1.0 - reward);
        }
        self.drawn += self.batch as u64;
        Ok(Progress::Going)
    }

    fn portfolio(&self) -> Portfolio {
        Portfolio { black: frequencies(&self.black.counts), white: frequencies(&self.white.counts) }
    }
}
