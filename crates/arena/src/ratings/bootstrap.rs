//! Intervals without a model of the spread: the ratings of many resampled lists.
//!
//! Each pair of games and each single game has a random weight, and the ratings are fitted again
//! (D. B. Rubin, "The Bayesian bootstrap", 1981). Drawing whole results with replacement has the
//! same mean and variance, but can lose all points of a player or the only games between two
//! groups; a weight is never zero. Weights are not fixed within a meeting: a meeting with one pair
//! would have no spread at all.
//!
//! Rubin's weights have a variance of 1. That makes intervals too narrow if results are few, since
//! the ratings are fitted to the same results: a residual is smaller than the error behind it by the
//! factor 1 − h, with h the leverage of the result. So the weights have a larger variance, (1 − h)⁻³.
//! Two of the three factors correct for the residuals, as the jackknife does (J. MacKinnon and
//! H. White, "Some heteroskedasticity-consistent covariance matrix estimators with improved finite
//! sample properties", 1985), and the third for the heavier tails of few results, as Student's
//! distribution does. The power was chosen by simulation.

use tesuji_core::{Rng, Seed};

use super::Meeting;
use super::cells::Cell;
use super::fit::Fit;
use super::matrix::Matrix;
use crate::statistics::Interval;

/// A fiftieth of an Elo.
const TOLERANCE: f64 = 1e-4;

/// The largest leverage that weights are corrected for: a result that alone determines a rating has
/// leverage 1, and nothing is known about its spread.
const MOST_LEVERAGE: f64 = 0.7;

/// What the resamples of a list have in common.
pub(super) struct Resampler<'a> {
    /// The games.
    pub(super) meetings: &'a [Meeting],
    /// The virtual games of each meeting, whose weights are fixed.
    pub(super) virtual_games: &'a [f64],
    /// The players of each group.
    pub(super) groups: &'a [Vec<usize>],
    /// The ratings of the games as they are.
    pub(super) fit: &'a Fit,
    /// The inverse information at these ratings.
    pub(super) inverse: &'a Matrix,
}

impl Resampler<'_> {
    /// The ratings of each resample, relative to the group's mean, in natural units. The ratings of
    /// one player are next to each other.
    pub(super) fn ratings(&self, n_players: usize, resamples: u32, seed: Seed) -> Vec<Vec<f64>> {
        let mut rng = seed.child("bootstrap").rng();
        let mut ratings = vec![Vec::with_capacity(resamples as usize); n_players];
        let shapes: Vec<f64> = self.meetings.iter().map(|meeting| self.shape(meeting)).collect();
        let mut cells: Vec<Cell> = Vec::with_capacity(2 * self.meetings.len());
        for _ in 0..resamples {
            cells.clear();
            for ((meeting, virtual_games), shape) in self.meetings.iter().zip(self.virtual_games).zip(&shapes)
            {
                let weighted = meeting.cells(|count| gamma(&mut rng, shape * count as f64) / shape);
                cells.extend(weighted.map(|cell| cell.with_draws(virtual_games / 2.0)));
            }
            let mut resample = self.fit.clone();
            resample.climb(&cells, self.groups, TOLERANCE);
            ratings.iter_mut().enumerate().for_each(|(player, all)| all.push(resample.rating(player)));
        }
        ratings
    }

    /// The shape of the weight of one result, which is the inverse of its variance.
    fn shape(&self, meeting: &Meeting) -> f64 {
        let Meeting { player, opponent, game, .. } = *meeting;
        let variance = |first: usize, second: usize| {
            let score = self.fit.expected(first, second, game);
            score * (1.0 - score)
        };
        let of_pair = variance(player, opponent) + variance(opponent, player);
        // A single game has half the leverage of a pair.
        let mean_variance =
            of_pair * meeting.n_games() as f64 / (2 * (meeting.n_games() - meeting.n_pairs())).max(1) as f64;
        let leverage = mean_variance * self.inverse.variance_of_difference(player, opponent);
        (1.0 - leverage.min(MOST_LEVERAGE)).powi(3)
    }
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

/// A gamma number with this shape, which is its mean and its variance (G. Marsaglia and W. W. Tsang,
/// "A simple method for generating gamma variables", 2000).
fn gamma(rng: &mut Rng, shape: f64) -> f64 {
    if shape < 1.0 {
        let share = libm::pow(1.0 - rng.unit(), 1.0 / shape);
        return share * gamma(rng, shape + 1.0);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let normal = normal(rng);
        let v = (1.0 + c * normal).powi(3);
        if v > 0.0 {
            let (unit, square) = (1.0 - rng.unit(), normal * normal);
            // The first condition implies the second one and saves two logarithms.
            if unit < 1.0 - 0.0331 * square * square
                || libm::log(unit) < 0.5 * square + d * (1.0 - v + libm::log(v))
            {
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

    /// Tolerances are five standard errors; the variance of the squared distance from the mean is
    /// 2 shape² + 6 shape.
    #[test]
    fn weights_have_the_mean_and_the_variance_of_their_shape() {
        const DRAWS: u32 = 40_000;
        let mut rng = Seed::new(1).child("gamma").rng();
        for shape in [0.3, 1.0, 2.0, 7.5, 100.0] {
            let values: Vec<f64> = (0..DRAWS).map(|_| gamma(&mut rng, shape)).collect();
            let mean_of =
                |f: &dyn Fn(f64) -> f64| values.iter().map(|&x| f(x)).sum::<f64>() / f64::from(DRAWS);
            let (mean, variance) = (mean_of(&|x| x), mean_of(&|x| (x - shape).powi(2)));
            let error = |variance: f64| 5.0 * (variance / f64::from(DRAWS)).sqrt();
            assert!((mean - shape).abs() < error(shape), "{shape}: {mean}");
            let close = (variance - shape).abs() < error(2.0 * shape * shape + 6.0 * shape);
            assert!(close, "{shape}: {variance}");
        }
    }

    #[test]
    fn the_middle_of_a_list() {
        assert_eq!(middle(Vec::new()), None);
        let interval = middle((0..=1000).rev().map(f64::from).collect()).unwrap();
        assert_eq!((interval.low, interval.high), (25.0, 975.0));
    }
}
