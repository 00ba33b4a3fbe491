//! Intervals without a model of the spread: the ratings of many resampled lists.
//!
//! Each pair of games and each single game has a random weight from the exponential distribution
//! (D. B. Rubin, "The Bayesian bootstrap", 1981), and the ratings are fitted again. Drawing whole
//! results with replacement has the same mean and variance, but can lose all points of a player or
//! the only games between two groups; a weight is never zero. Weights are not fixed within a
//! meeting: a meeting with one pair would have no spread at all.

use tesuji_core::{Rng, Seed};

use super::Meeting;
use super::cells::Cell;
use super::fit::Fit;
use crate::statistics::Interval;

/// A fiftieth of an Elo.
const TOLERANCE: f64 = 1e-4;

/// The ratings of each resample, relative to the group's mean, in natural units. The ratings of one
/// player are next to each other.
pub(super) fn resampled(
    meetings: &[Meeting],
    virtual_games: &[f64],
    groups: &[Vec<usize>],
    fit: &Fit,
    n_players: usize,
    (resamples, seed): (u32, Seed),
) -> Vec<Vec<f64>> {
    let mut rng = seed.child("bootstrap").rng();
    let mut ratings = vec![Vec::with_capacity(resamples as usize); n_players];
    let mut cells: Vec<Cell> = Vec::with_capacity(2 * meetings.len());
    for _ in 0..resamples {
        cells.clear();
        for (meeting, virtual_games) in meetings.iter().zip(virtual_games) {
            let weighted = meeting.cells(|count| gamma(&mut rng, count));
            cells.extend(weighted.map(|cell| cell.with_draws(virtual_games / 2.0)));
        }
        let mut resample = fit.clone();
        resample.climb(&cells, groups, TOLERANCE);
        ratings.iter_mut().enumerate().for_each(|(player, all)| all.push(resample.rating(player)));
    }
    ratings
}

/// The middle 95 % of the values.
pub(super) fn middle(mut values: Vec<f64>) -> Option<Interval> {
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    let at = |share: f64| {
        let place = share * last as f64;
        let below = place as usize;
        let above = (below + 1).min(last);
        values[below] + (place - below as f64) * (values[above] - values[below])
    };
    Some(Interval { low: at(0.025), high: at(0.975) })
}

/// The sum of `count` numbers from the exponential distribution with mean 1: a gamma number
/// (G. Marsaglia and W. W. Tsang, "A simple method for generating gamma variables", 2000).
/// `count` is at least 1.
fn gamma(rng: &mut Rng, count: u64) -> f64 {
    let d = count as f64 - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let normal = normal(rng);
        let v = (1.0 + c * normal).powi(3);
        if v > 0.0 {
            let bound = 0.5 * normal * normal + d * (1.0 - v + libm::log(v));
            if libm::log(1.0 - rng.unit()) < bound {
                return d * v;
            }
        }
    }
}

/// A standard normal number (G. Marsaglia's polar method, 1964).
fn normal(rng: &mut Rng) -> f64 {
    loop {
        let [x, y] = [(); 2].map(|()| 2.0 * rng.unit() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * libm::log(square) / square).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gamma number of this shape has mean and variance `count`, and its third central moment is
    /// twice that. Tolerances are five standard errors; the variance of the squared distance from
    /// the mean is 2 count² + 6 count.
    #[test]
    fn weights_have_the_mean_and_the_variance_of_their_count() {
        const DRAWS: u32 = 40_000;
        let mut rng = Seed::new(1).child("gamma").rng();
        for count in [1, 2, 7, 100] {
            let shape = count as f64;
            let values: Vec<f64> = (0..DRAWS).map(|_| gamma(&mut rng, count)).collect();
            let mean_of =
                |f: &dyn Fn(f64) -> f64| values.iter().map(|&x| f(x)).sum::<f64>() / f64::from(DRAWS);
            let (mean, variance) = (mean_of(&|x| x), mean_of(&|x| (x - shape).powi(2)));
            let error = |variance: f64| 5.0 * (variance / f64::from(DRAWS)).sqrt();
            assert!((mean - shape).abs() < error(shape), "{count}: {mean}");
            let close = (variance - shape).abs() < error(2.0 * shape * shape + 6.0 * shape);
            assert!(close, "{count}: {variance}");
        }
    }

    #[test]
    fn the_middle_of_a_list() {
        assert_eq!(middle(Vec::new()), None);
        let interval = middle((0..=1000).rev().map(f64::from).collect()).unwrap();
        assert_eq!((interval.low, interval.high), (25.0, 975.0));
    }
}
