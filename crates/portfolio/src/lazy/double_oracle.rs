//! A double oracle that plays few games (after McMahan, Gordon, Blum, "Planning in the
//! presence of cost functions controlled by an adversary", 2003).
//!
//! Each side has some choices in a *restricted game*, all of whose entries are played
//! and which is solved exactly. Then each side looks for answers to the other's
//! mixture among the choices it does not have yet, and takes in the best of them. When
//! there are none, the restricted equilibrium is one of the whole game.
//!
//! The answers are what costs games: every choice outside against the other's support.
//! Most are far from good, and few games show it. So a candidate's reward is bounded
//! from what is known of it, from a prediction of the rest (a good seed is good against
//! others too) and from some standard deviations of that; the candidates with the
//! highest bounds play a few more games, against the likeliest of the support first,
//! until those on top are known in full. A candidate that fell behind costs nothing
//! more.
//!
//! When no candidate is left, the number of standard deviations is doubled, and beyond
//! [`MOST_CONFIDENCE`] the bound is what the games that are not played could give at
//! most. So a run that ends has found an equilibrium of the whole matrix and
//! *certified* it, without having played most of the games where few choices matter;
//! [`Played::gap_bound`] says at any time what is certain by then.
//!
//! The restricted equilibrium answers the other side's few choices only, and what it
//! gives against all others is left to chance. The mixtures that are returned while the
//! run is going are better: Black's is the best one of its chosen rows against *all*
//! columns, each game that is not played counted as predicted and a little worse
//! ([`caution`](DoubleOracleConfig::caution)); White's likewise.

use tesuji_core::{Seed, Side};

use super::prediction::Prediction;
use super::{Anytime, Entries, PlayError, Played, Progress};
use crate::{Matrix, Portfolio, solve};

/// With more standard deviations than this, bounds are those of certainty.
pub const MOST_CONFIDENCE: f64 = 16.0;

/// The mixtures that are returned are made anew when the games have grown by this
/// factor: their linear programs are larger than the restricted game's.
const REMIXED: f64 = 1.03;

/// How a run is made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DoubleOracleConfig {
    /// How many games each choice has, about, before anything is solved.
    pub screening: usize,
    /// How many choices each side begins with.
    pub first: usize,
    /// How many choices a step adds for each side at most: so many candidates also
    /// play at the same time.
    pub batch: usize,
    /// How many games a candidate plays before the candidates are compared anew.
    pub chunk: usize,
    /// By how many standard deviations a candidate may be better than predicted.
    /// Infinite for certainty from the beginning.
    pub confidence: f64,
    /// A candidate that gains no more than this is none: at the end the gap is at most
    /// twice this.
    pub precision: f64,
    /// How much better for the opponent than predicted a game that is not played is
    /// taken to be, in the mixtures that are returned.
    pub caution: f64,
    /// The address of its draws.
    pub seed: Seed,
}

impl Default for DoubleOracleConfig {
    /// As tuned on random 400 × 400 matrices whose rows and columns differ moderately.
    fn default() -> DoubleOracleConfig {
        DoubleOracleConfig {
            screening: 8,
            first: 16,
            batch: 4,
            chunk: 2,
            confidence: 1.0,
            precision: 1e-6,
            caution: 0.15,
            seed: Seed::new(0),
        }
    }
}

/// One side's part of the restricted game.
#[derive(Clone, Debug)]
struct Camp {
    side: Side,
    chosen: Vec<usize>,
    is_chosen: Vec<bool>,
    /// The restricted equilibrium, over all choices.
    weights: Vec<f64>,
    /// The mixture that is returned.
    best: Vec<f64>,
}

/// A choice that is not in the restricted game, against the other side's mixture.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    choice: usize,
    /// Its reward may be as high as this.
    potential: f64,
}

impl Camp {
    fn new(side: Side, size: usize) -> Camp {
        let uniform = vec![1.0 / size as f64; size];
        let (chosen, is_chosen) = (Vec::new(), vec![false; size]);
        Camp { side, chosen, is_chosen, weights: uniform.clone(), best: uniform }
    }

    fn add(&mut self, choice: usize) {
        if !std::mem::replace(&mut self.is_chosen[choice], true) {
            self.chosen.push(choice);
        }
    }

    /// The choices of its mixture, the likeliest first.
    fn support(&self) -> Vec<usize> {
        let mut support: Vec<usize> =
            self.chosen.iter().copied().filter(|&c| self.weights[c] > 0.0).collect();
        support.sort_by(|&a, &b| self.weights[b].total_cmp(&self.weights[a]).then(a.cmp(&b)));
        support
    }

    /// Row and column of its choice against the other's.
    fn game(&self, own: usize, other: usize) -> (usize, usize) {
        match self.side {
            Side::Black => (own, other),
            Side::White => (other, own),
        }
    }

    /// Its reward where this is Black's.
    fn reward(&self, black: f64) -> f64 {
        match self.side {
            Side::Black => black,
            Side::White => 1.0 - black,
        }
    }

    fn spread(weights: &mut [f64], chosen: &[usize], found: &[f64]) {
        weights.fill(0.0);
        chosen.iter().zip(found).for_each(|(&choice, &weight)| weights[choice] = weight);
    }
}

/// A run of the double oracle. It ends with an equilibrium of the whole matrix.
#[derive(Clone, Debug)]
pub struct DoubleOracle {
    config: DoubleOracleConfig,
    confidence: f64,
    black: Camp,
    white: Camp,
    value: f64,
    prediction: Prediction,
    /// How many games had been played when the mixtures were made.
    mixed_at: u64,
}

impl DoubleOracle {
    /// A run for a matrix of this size.
    pub fn new(rows: usize, columns: usize, config: DoubleOracleConfig) -> DoubleOracle {
        DoubleOracle {
            config,
            confidence: config.confidence,
            black: Camp::new(Side::Black, rows),
            white: Camp::new(Side::White, columns),
            value: 0.5,
            prediction: Prediction::new(rows, columns),
            mixed_at: 0,
        }
    }

    /// How many choices Black and White have in the restricted game.
    pub fn restricted_size(&self) -> (usize, usize) {
        (self.black.chosen.len(), self.white.chosen.len())
    }

    /// Plays a few games of everyone, and begins with the choices that did best.
    fn begin<S: Entries>(&mut self, played: &mut Played<S>) -> Result<(), PlayError<S::Error>> {
        let (rows, columns) = (played.rows(), played.columns());
        let mut order: Vec<usize> = (0..rows.max(columns)).collect();
        self.config.seed.rng().shuffle(&mut order);
        // Diagonals: each row and each column has as many games, or nearly so.
        let diagonal = |k: usize| {
            let order = &order;
            (0..order.len()).map(move |i| (i % rows, order[(i + k) % order.len()] % columns))
        };
        played.ask((0..self.config.screening.min(order.len())).flat_map(diagonal))?;
        for _ in 0..6 {
            self.prediction.refit(played);
        }
        for camp in [&mut self.black, &mut self.white] {
            let strength = |choice: usize| self.prediction.strength(camp.side, choice);
            let mut order: Vec<usize> = (0..camp.is_chosen.len()).collect();
            order.sort_by(|&a, &b| strength(b).total_cmp(&strength(a)).then(a.cmp(&b)));
            order.iter().take(self.config.first.max(1)).for_each(|&choice| camp.add(choice));
        }
        Ok(())
    }

    /// Plays what is missing of the restricted game, and solves it.
    fn solve_restricted<S: Entries>(&mut self, played: &mut Played<S>) -> Result<(), PlayError<S::Error>> {
        let (rows, columns) = (&self.black.chosen, &self.white.chosen);
        played.ask(rows.iter().flat_map(|&row| columns.iter().map(move |&column| (row, column))))?;
        let entry = |i: usize, j: usize| played.row(rows[i])[columns[j]];
        let equilibrium = solve(&game(rows.len(), columns.len(), entry));
        Camp::spread(&mut self.black.weights, rows, &equilibrium.black);
        Camp::spread(&mut self.white.weights, columns, &equilibrium.white);
        self.value = equilibrium.value;
        Ok(())
    }

    /// The mixtures against all of the other side's choices, as far as they are known
    /// or can be predicted.
    fn mix<S>(&mut self, played: &Played<S>) {
        let entry = |row: usize, column: usize, for_black: f64| match played.at(row, column) {
            Some(reward) => reward,
            None => (self.prediction.reward(row, column) + for_black).clamp(0.0, 1.0),
        };
        let caution = self.config.caution;
        let (rows, columns) = (&self.black.chosen, &self.white.chosen);
        let for_black = game(rows.len(), played.columns(), |i, j| entry(rows[i], j, -caution));
        let for_white = game(played.rows(), columns.len(), |i, j| entry(i, columns[j], caution));
        Camp::spread(&mut self.black.best, rows, &solve(&for_black).black);
        Camp::spread(&mut self.white.best, columns, &solve(&for_white).white);
    }

    fn camps(&self, side: Side) -> (&Camp, &Camp) {
        match side {
            Side::Black => (&self.black, &self.white),
            Side::White => (&self.white, &self.black),
        }
    }

    /// What a choice that is not in the restricted game may give against the other
    /// side's mixture.
    fn rated<S>(&self, side: Side, choice: usize, support: &[usize], played: &Played<S>) -> Candidate {
        let (own, other) = self.camps(side);
        let (mut expected, mut most, mut unknown, mut variance) = (0.0, 0.0, 0.0, 0.0);
        for &answer in support {
            let weight = other.weights[answer];
            let (row, column) = own.game(choice, answer);
            if let Some(reward) = played.at(row, column) {
                expected += weight * own.reward(reward);
                most += weight * own.reward(reward);
            } else {
                expected += weight * own.reward(self.prediction.reward(row, column));
                most += weight;
                unknown += weight;
                variance += 0.25 * weight * weight;
            }
        }
        // The prediction of its own strength may be wrong for all games at once.
        variance += unknown * unknown * self.prediction.variance(side, choice);
        let potential = match self.confidence <= MOST_CONFIDENCE {
            true => (expected + self.confidence * variance.sqrt()).min(most),
            false => most,
        };
        Candidate { choice, potential }
    }

    /// Looks for answers to the other side's mixture, and says how many it took in.
    fn look<S: Entries>(&mut self, side: Side, played: &mut Played<S>) -> Result<usize, PlayError<S::Error>> {
        let (own, other) = self.camps(side);
        let support = other.support();
        let least = own.reward(self.value) + self.config.precision;
        let outside = (0..own.is_chosen.len()).filter(|&choice| !own.is_chosen[choice]);
        let mut candidates: Vec<Candidate> =
            outside.map(|choice| self.rated(side, choice, &support, played)).collect();
        loop {
            candidates.retain(|candidate| candidate.potential > least);
            candidates.sort_by(|a, b| b.potential.total_cmp(&a.potential).then(a.choice.cmp(&b.choice)));
            let count = self.config.batch.max(1).min(candidates.len());
            let on_top = &mut candidates[..count];
            let own = self.camps(side).0;
            let mut games = Vec::new();
            for candidate in on_top.iter() {
                let all = support.iter().map(|&answer| own.game(candidate.choice, answer));
                let missing = all.filter(|&(row, column)| played.at(row, column).is_none());
                games.extend(missing.take(self.config.chunk.max(1)));
            }
            if games.is_empty() {
                // All of them are known, and each gains.
                let own = if side == Side::Black { &mut self.black } else { &mut self.white };
                on_top.iter().for_each(|candidate| own.add(candidate.choice));
                return Ok(on_top.len());
            }
            played.ask(games)?;
            for candidate in on_top {
                *candidate = self.rated(side, candidate.choice, &support, played);
            }
        }
    }
}

/// A game of rewards that have been checked.
fn game(rows: usize, columns: usize, entry: impl FnMut(usize, usize) -> f64) -> Matrix {
    Matrix::from_function(rows, columns, entry).expect("rewards are checked when they are played")
}

impl Anytime for DoubleOracle {
    fn step<S: Entries>(&mut self, played: &mut Played<S>) -> Result<Progress, PlayError<S::Error>> {
        if self.black.chosen.is_empty() {
            self.begin(played)?;
        }
        self.solve_restricted(played)?;
        self.prediction.refit(played);
        let added = self.look(Side::Black, played)? + self.look(Side::White, played)?;
        if added == 0 && self.confidence > MOST_CONFIDENCE {
            self.black.best.clone_from(&self.black.weights);
            self.white.best.clone_from(&self.white.weights);
            return Ok(Progress::Finished);
        }
        if added == 0 {
            self.confidence = (2.0 * self.confidence).max(0.5);
        }
        if played.games() as f64 >= self.mixed_at as f64 * REMIXED {
            self.mix(played);
            self.mixed_at = played.games();
        }
        Ok(Progress::Going)
    }

    fn portfolio(&self) -> Portfolio {
        Portfolio { black: self.black.best.clone(), white: self.white.best.clone() }
    }
}
