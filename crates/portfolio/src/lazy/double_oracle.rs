//! doc later

use tesuji_core::{Seed, Side};

use super::prediction::Prediction;
use super::{Anytime, Entries, PlayError, Played, Progress};
use crate::{Matrix, Portfolio, solve};

/// How a run is made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DoubleOracleConfig {
    /// How many games each row has before the first restricted game is solved.
    pub screening: usize,
    /// How many choices a step may add for each side.
    pub batch: usize,
    /// How many games of a candidate are played before it is compared anew.
    pub chunk: usize,
    /// How many standard deviations better than expected a candidate may be.
    pub confidence: Option<f64>,
    /// What a candidate must gain to be worth adding.
    pub precision: f64,
    /// The address of its draws.
    pub seed: Seed,
}

impl Default for DoubleOracleConfig {
    fn default() -> DoubleOracleConfig {
        DoubleOracleConfig { screening: 8, batch: 4, chunk: 8, confidence: Some(1.0), precision: 1e-9, seed: Seed::new(0) }
    }
}

/// One side's part of the restricted game.
#[derive(Clone, Debug)]
struct Camp {
    side: Side,
    chosen: Vec<usize>,
    is_chosen: Vec<bool>,
    /// The mixture, over all choices.
    weights: Vec<f64>,
    /// What outputs
    output: Vec<f64>,
    /// The best answer's reward cannot be above this.
    bound: f64,
}

impl Camp {
    fn new(side: Side, size: usize) -> Camp {
        Camp { side, chosen: Vec::new(), is_chosen: vec![false; size], weights: vec![1.0 / size as f64; size], output: vec![1.0 / size as f64; size], bound: 1.0 }
    }

    fn add(&mut self, choice: usize) {
        if !std::mem::replace(&mut self.is_chosen[choice], true) {
            self.chosen.push(choice);
        }
    }
}

/// A candidate's prospects against the other side's mixture.
#[derive(Clone, Copy, Debug)]
struct Prospect {
    choice: usize,
    /// Expected reward, with what is known.
    expected: f64,
    /// What it may be.
    potential: f64,
    unknown: f64,
    most: f64,
}

/// A run.
#[derive(Clone, Debug)]
pub struct DoubleOracle {
    config: DoubleOracleConfig,
    black: Camp,
    white: Camp,
    value: f64,
    prediction: Prediction,
    begun: bool,
}

fn pair(side: Side, own: usize, other: usize) -> (usize, usize) {
    match side {
        Side::Black => (own, other),
        Side::White => (other, own),
    }
}

impl DoubleOracle {
    /// A run for a matrix of this size.
    pub fn new(rows: usize, columns: usize, config: DoubleOracleConfig) -> DoubleOracle {
        DoubleOracle {
            config,
            black: Camp::new(Side::Black, rows),
            white: Camp::new(Side::White, columns),
            value: 0.5,
            prediction: Prediction::new(rows, columns),
            begun: false,
        }
    }

    /// gap
    pub fn certified_gap(&self) -> f64 {
        self.black.bound + self.white.bound - 1.0
    }

    /// sizes
    pub fn sizes(&self) -> (usize, usize) {
        (self.black.chosen.len(), self.white.chosen.len())
    }

    fn begin<S: Entries>(&mut self, played: &mut Played<S>) -> Result<(), PlayError<S::Error>> {
        let (rows, columns) = (played.rows(), played.columns());
        let mut rng = self.config.seed.rng();
        let mut games = Vec::new();
        let mut order: Vec<usize> = (0..rows.max(columns)).collect();
        rng.shuffle(&mut order);
        for k in 0..self.config.screening {
            for i in 0..rows.max(columns) {
                // Each row and each column comes equally often, up to one.
                games.push((i % rows, order[(i + k * 7919) % order.len()] % columns));
            }
        }
        played.ask(games)?;
        for _ in 0..6 {
            self.prediction.refit(played);
        }
        let n = 4 * self.config.batch;
        let mut order: Vec<usize> = (0..rows).collect();
        order.sort_by(|&a, &b| self.prediction.reward(b, 0).total_cmp(&self.prediction.reward(a, 0)));
        order.iter().take(n).for_each(|&row| self.black.add(row));
        let mut order: Vec<usize> = (0..columns).collect();
        order.sort_by(|&a, &b| self.prediction.reward(0, a).total_cmp(&self.prediction.reward(0, b)));
        order.iter().take(n).for_each(|&column| self.white.add(column));
        self.begun = true;
        Ok(())
    }

    fn restricted<S: Entries>(&mut self, played: &mut Played<S>) -> Result<(), PlayError<S::Error>> {
        let (rows, columns) = (&self.black.chosen, &self.white.chosen);
        played.ask(rows.iter().flat_map(|&row| columns.iter().map(move |&column| (row, column))))?;
        let entry = |i: usize, j: usize| played.row(rows[i])[columns[j]];
        let game = Matrix::from_function(rows.len(), columns.len(), entry).expect("rewards are checked");
        let equilibrium = solve(&game);
        for (camp, found) in [(&mut self.black, &equilibrium.black), (&mut self.white, &equilibrium.white)] {
            camp.weights.fill(0.0);
            camp.chosen.iter().zip(found).for_each(|(&choice, &weight)| camp.weights[choice] = weight);
        }
        self.value = equilibrium.value;
        Ok(())
    }

    fn outputs<S: Entries>(&mut self, played: &Played<S>) {
        let (m, n) = (played.rows(), played.columns());
        let e = |i: usize, j: usize, s: f64| {
            let r = played.row(i)[j];
            if r.is_nan() { (self.prediction.reward(i, j) + s).clamp(0.0, 1.0) } else { r }
        };
        let s: f64 = std::env::var("PESS").map_or(0.0, |v| v.parse().unwrap());
        let b = Matrix::from_function(self.black.chosen.len(), n, |i, j| e(self.black.chosen[i], j, -s)).unwrap();
        let w = Matrix::from_function(m, self.white.chosen.len(), |i, j| e(i, self.white.chosen[j], s)).unwrap();
        let (b, w) = (solve(&b), solve(&w));
        self.black.output.fill(0.0);
        for (k, &i) in self.black.chosen.iter().enumerate() { self.black.output[i] = b.black[k]; }
        self.white.output.fill(0.0);
        for (k, &i) in self.white.chosen.iter().enumerate() { self.white.output[i] = w.white[k]; }
    }

    fn camps(&self, side: Side) -> (&Camp, &Camp) {
        match side {
            Side::Black => (&self.black, &self.white),
            Side::White => (&self.white, &self.black),
        }
    }

    fn prospects<S>(&self, side: Side, played: &Played<S>) -> Vec<Prospect> {
        let (own, other) = self.camps(side);
        let support: Vec<usize> = (0..other.weights.len()).filter(|&c| other.weights[c] > 0.0).collect();
        (0..own.is_chosen.len()).filter(|&c| !own.is_chosen[c]).map(|choice| {
            let (mut expected, mut unknown, mut variance, mut most) = (0.0, 0.0, 0.0, 0.0);
            for &j in &support {
                let w = other.weights[j];
                let (row, column) = pair(side, choice, j);
                let seen = |r: f64| if side == Side::Black { r } else { 1.0 - r };
                let r = played.row(row)[column];
                if r.is_nan() {
                    expected += w * seen(self.prediction.reward(row, column));
                    unknown += w;
                    variance += w * w * 0.25;
                    most += w;
                } else {
                    expected += w * seen(r);
                    most += w * seen(r);
                }
            }
            variance += unknown * unknown * match side {
                Side::Black => self.prediction.row_variance(choice),
                Side::White => self.prediction.column_variance(choice),
            };
            let potential = match self.config.confidence {
                Some(z) => (expected + z * variance.sqrt()).min(most),
                None => most,
            };
            Prospect { choice, expected, potential, unknown, most }
        }).collect()
    }

    fn look<S: Entries>(&mut self, side: Side, played: &mut Played<S>) -> Result<bool, PlayError<S::Error>> {
        let value = if side == Side::Black { self.value } else { 1.0 - self.value };
        loop {
            let mut prospects = self.prospects(side, played);
            let bound = prospects.iter().map(|p| p.most).fold(value, f64::max);
            prospects.sort_by(|a, b| b.potential.total_cmp(&a.potential));
            prospects.retain(|p| p.potential > value + self.config.precision);
            prospects.truncate(self.config.batch);
            let (_, other) = self.camps(side);
            let mut games = Vec::new();
            let mut support: Vec<usize> = (0..other.weights.len()).filter(|&c| other.weights[c] > 0.0).collect();
            support.sort_by(|&a, &b| other.weights[b].total_cmp(&other.weights[a]));
            for p in &prospects {
                if p.unknown > 0.0 {
                    let unknown = support.iter().map(|&j| pair(side, p.choice, j)).filter(|&(r, c)| played.at(r, c).is_none());
                    games.extend(unknown.take(self.config.chunk));
                }
            }
            if games.is_empty() {
                let camp = if side == Side::Black { &mut self.black } else { &mut self.white };
                camp.bound = bound;
                let mut any = false;
                for p in prospects {
                    debug_assert!(p.expected > value);
                    camp.add(p.choice);
                    any = true;
                }
                return Ok(any);
            }
            played.ask(games)?;
        }
    }
}

impl Anytime for DoubleOracle {
    fn step<S: Entries>(&mut self, played: &mut Played<S>) -> Result<Progress, PlayError<S::Error>> {
        if !self.begun {
            self.begin(played)?;
        }
        self.restricted(played)?;
        self.prediction.refit(played);
        let black = self.look(Side::Black, played)?;
        let white = self.look(Side::White, played)?;
        if std::env::var("OUT").is_ok() { self.outputs(played) } else {
            self.black.output = self.black.weights.clone();
            self.white.output = self.white.weights.clone();
        }
        Ok(if black || white { Progress::Going } else { Progress::Finished })
    }

    fn portfolio(&self) -> Portfolio {
        Portfolio { black: self.black.output.clone(), white: self.white.output.clone() }
    }
}
