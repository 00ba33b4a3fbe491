//! Surfaces: the win rate of every point of a space, and random pairs of games.

use tesuji_core::{Rng, Seed};

use crate::tuning::model::normal;
use crate::tuning::{Parameter, Point, Range, Space};

/// The standard deviation of what an opening adds to the win rate of the side that moves first.
const OPENINGS: f64 = 0.12;

/// A synthetic response surface. Its best point is somewhere else for every seed, so no method gains by
/// looking at the usual best points of testbeds.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The name in tables.
    pub name: &'static str,
    /// What the surface is like, in a few words.
    pub meaning: &'static str,
    /// The parameters.
    pub space: Space,
    /// The win rate, given how far the coordinates are from the best point. A parameter with words has
    /// the number of its word instead, 0 for the best one.
    rate: fn(&[f64]) -> f64,
    /// The best point, and the direction in which each coordinate is counted.
    best: Point,
    signs: Vec<f64>,
}

/// All surfaces of the testbed, as they are with this seed.
pub fn surfaces(seed: Seed) -> Vec<Surface> {
    let number = |name: &str, range: &str| Parameter {
        name: name.to_owned(),
        range: range.parse().expect("the ranges of the testbed are ranges"),
    };
    let numbers =
        |n: usize| Space { parameters: (0..n).map(|k| number(["a", "b", "c", "d"][k], "0..1")).collect() };
    let log = Space { parameters: vec![number("t", "1..10000:log")] };
    let words = Range::Words(["after", "whole", "playout"].map(str::to_owned).to_vec());
    let mixed = Space {
        parameters: vec![
            number("bias", "1e-9..0.1:log"),
            Parameter { name: "amaf".to_owned(), range: words },
        ],
    };
    let make = |name, meaning, space: Space, rate| {
        let mut rng = seed.child(name).rng();
        let is_words = |parameter: &Parameter| parameter.range.is_words();
        let place = |parameter: &Parameter| match is_words(parameter) {
            true => (f64::from(rng.below(3)) + 0.5) / 3.0,
            false => LEAST_PLACE + (1.0 - 2.0 * LEAST_PLACE) * rng.unit(),
        };
        let best = Point(space.parameters.iter().map(place).collect());
        let signs = space.parameters.iter().map(|_| if rng.chance(0.5) { 1.0 } else { -1.0 }).collect();
        Surface { name, meaning, space, rate, best, signs }
    };
    vec![
        make("peak", "1 parameter on a logarithmic axis, a lopsided peak", log, peak),
        make("ridge", "2 parameters, a hill that is long in one diagonal", numbers(2), ridge),
        make("cliff", "2 parameters, a plateau that ends at a cliff", numbers(2), cliff),
        make("useless 3", "3 parameters, 2 of them useless", numbers(3), one_of_three),
        make("useless 4", "4 parameters, 2 of them useless", numbers(4), two_of_four),
        make("words", "a parameter on a logarithmic axis, and one with 3 words", mixed, with_words),
    ]
}

/// The most parameters of a surface.
const MOST_PARAMETERS: usize = 4;

/// How near to the end of a range the best value may be, in ranges.
const LEAST_PLACE: f64 = 0.15;

/// The height of a hill of this width, at a distance from its top.
fn hill(distance: f64, width: f64) -> f64 {
    libm::exp(-0.5 * distance * distance / (width * width))
}

fn peak(x: &[f64]) -> f64 {
    0.38 + 0.2 * hill(x[0], if x[0] < 0.0 { 0.22 } else { 0.14 })
}

fn ridge(x: &[f64]) -> f64 {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    0.37 + 0.2 * hill((x[0] + x[1]) * half, 0.42) * hill((x[0] - x[1]) * half, 0.16)
}

/// A plateau with a cliff near the best point, beyond which most games are lost.
fn cliff(x: &[f64]) -> f64 {
    let edge = x[0] + 0.5 * x[1] - 0.12;
    let plateau = 0.52 + 0.05 * hill(x[0], 0.35) * hill(x[1], 0.4);
    if edge <= 0.0 { plateau } else { plateau - 0.16 * (1.0 - libm::exp(-edge / 0.02)) }
}

fn one_of_three(x: &[f64]) -> f64 {
    0.40 + 0.18 * hill(x[0], 0.18)
}

fn two_of_four(x: &[f64]) -> f64 {
    0.38 + 0.19 * hill(x[0], 0.25) * hill(x[1], 0.3)
}

fn with_words(x: &[f64]) -> f64 {
    match x[1] as u8 {
        0 => 0.39 + 0.2 * hill(x[0], 0.2),
        1 => 0.39 + 0.15 * hill(x[0] - 0.15, 0.2),
        _ => 0.36 + 0.12 * hill(x[0] + 0.2, 0.3),
    }
}

impl Surface {
    /// The win rate at a point.
    pub fn rate(&self, Point(point): &Point) -> f64 {
        // Without an allocation: SPSA asks millions of times.
        let mut from_best = [0.0; MOST_PARAMETERS];
        for (at, from_best) in from_best.iter_mut().enumerate().take(point.len()) {
            *from_best = match self.space.parameters[at].range.is_words() {
                true => (word(point[at]) + 3.0 - word(self.best.0[at])) % 3.0,
                false => self.signs[at] * (point[at] - self.best.0[at]),
            };
        }
        (self.rate)(&from_best[..point.len()])
    }

    /// The point with the greatest win rate.
    pub fn best(&self) -> &Point {
        &self.best
    }

    /// The best win rate less that of a point.
    pub fn regret(&self, point: &Point) -> f64 {
        self.rate(&self.best) - self.rate(point)
    }

    /// The reward of a pair of games at a point, against the opponent. Both games have the same opening,
    /// which favours the side that moves first by a random amount.
    pub fn pair(&self, point: &Point, rng: &mut Rng) -> f64 {
        pair(self.rate(point), rng)
    }

    /// The reward of a pair of games between two points, for the first of them. Their strengths, in Elo,
    /// follow from their win rates against the opponent.
    pub fn duel(&self, a: &Point, b: &Point, rng: &mut Rng) -> f64 {
        let odds = |rate: f64| rate / (1.0 - rate);
        let ratio = odds(self.rate(a)) / odds(self.rate(b));
        pair(ratio / (1.0 + ratio), rng)
    }
}

/// The index of the word at a coordinate.
fn word(coordinate: f64) -> f64 {
    libm::floor(3.0 * coordinate).min(2.0)
}

/// The reward of a pair of games at this win rate.
fn pair(rate: f64, rng: &mut Rng) -> f64 {
    let opening = OPENINGS * normal(rng);
    let win = |rate: f64, rng: &mut Rng| f64::from(u8::from(rng.chance(rate.clamp(0.0, 1.0))));
    0.5 * (win(rate + opening, rng) + win(rate - opening, rng))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::Design;

    #[test]
    fn no_point_is_better_than_the_best() {
        for surface in (0..20).flat_map(|seed| surfaces(Seed::new(seed))) {
            let best = surface.rate(surface.best());
            let design = Design::new(surface.space.dimensions(), Seed::new(1)).take(2000);
            let found = design.map(|point| surface.rate(&point)).fold(0.0, f64::max);
            assert!(found <= best && found > best - 0.02, "{}: {found} {best}", surface.name);
            assert!((0.56..0.6).contains(&best));
        }
    }

    #[test]
    fn pairs_have_the_win_rate_of_their_point() {
        let surface = &surfaces(Seed::new(1))[0];
        let point = surface.best();
        let mut rng = Seed::new(1).rng();
        let n = 40_000;
        let sum: f64 = (0..n).map(|_| surface.pair(point, &mut rng)).sum();
        // A pair has a standard deviation below 0.36: five standard errors.
        assert!((sum / f64::from(n) - 0.58).abs() < 5.0 * 0.36 / 200.0);
        let sum: f64 = (0..n).map(|_| surface.duel(point, point, &mut rng)).sum();
        assert!((sum / f64::from(n) - 0.5).abs() < 5.0 * 0.36 / 200.0);
    }
}
