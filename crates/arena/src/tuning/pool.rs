//! The points among which the best one is sought: some of the whole space, some near the best candidates,
//! and the candidates themselves.

use tesuji_core::{Rng, Seed};

use super::model::normal;
use super::{Design, Point, Space};

/// The points of the whole space, near the best candidates, and of candidates.
const SPREAD: usize = 64;
const NEAR: usize = 48;
const KNOWN: usize = 24;
/// The number of best candidates that have points near them.
const CENTRES: usize = 8;
/// The standard deviations of steps from a candidate: the greatest, and the logarithm of its ratio to the
/// least, which is a hundredth of the range.
const GREATEST_STEP: f64 = 0.25;
const LOG_STEPS: f64 = 3.2;
/// The chance that a word changes near a candidate.
const OTHER_WORD: f64 = 0.2;

/// Returns the points, each once. `known` has the candidates in the space with their expected win rates.
pub(super) fn pool(space: &Space, mut known: Vec<(f64, &Point)>, seed: Seed) -> Vec<Point> {
    let design = Design::new(space.dimensions(), seed.child("design")).take(SPREAD);
    let mut points: Vec<Point> = design.map(|point| space.snap(&point)).collect();
    known.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut rng = seed.child("near").rng();
    let centres = &known[..known.len().min(CENTRES)];
    points.extend(centres.iter().cycle().take(NEAR).map(|(_, centre)| near(space, centre, &mut rng)));
    points.extend(known.iter().take(KNOWN).map(|(_, point)| (*point).clone()));
    points.sort_by(|a, b| a.0.iter().map(|x| x.to_bits()).cmp(b.0.iter().map(|x| x.to_bits())));
    points.dedup();
    points
}

/// A point near another: steps of all sizes are equally likely.
fn near(space: &Space, Point(centre): &Point, rng: &mut Rng) -> Point {
    let width = GREATEST_STEP * libm::exp(-LOG_STEPS * rng.unit());
    let mut step = |at: f64, is_words: bool| match is_words {
        true if rng.chance(OTHER_WORD) => rng.unit(),
        true => at,
        false => (at + width * normal(rng)).clamp(0.0, 1.0),
    };
    let parameters = centre.iter().zip(&space.parameters);
    space.snap(&Point(parameters.map(|(at, parameter)| step(*at, parameter.range.is_words())).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::Parameter;

    #[test]
    fn points_differ_and_the_best_candidates_are_among_them() {
        let parameter =
            |name: &str, range: &str| Parameter { name: name.to_owned(), range: range.parse().unwrap() };
        let space = Space { parameters: vec![parameter("a", "0..1"), parameter("b", "x|y")] };
        let known: Vec<Point> =
            Design::new(2, Seed::new(1)).take(40).map(|point| space.snap(&point)).collect();
        let ranked = || known.iter().enumerate().map(|(k, point)| (k as f64, point)).collect();
        let points = pool(&space, ranked(), Seed::new(1));
        assert!(points.contains(&known[39]) && points.len() > 100);
        assert!((1..points.len()).all(|at| !points[..at].contains(&points[at])));
        assert_eq!(points, pool(&space, ranked(), Seed::new(1)));
        assert!(!pool(&space, Vec::new(), Seed::new(1)).is_empty());
    }
}
