//! A model of the win rate of every point: a Gaussian process (Rasmussen, Williams 2006).
//!
//! Candidate i has the value `v_i = m + f(x_i) + η_i`: a common mean, a smooth function of its point,
//! and a small deviation of its own, η ~ N(0, δ²). The mean of its n_i pairs has the variance s²/n_i,
//! with s² pooled over all candidates. A candidate outside of the space shares only the mean with the
//! others.
//!
//! The spread of f, its length for each parameter and δ come from grids. The search climbs to the cell
//! with the greatest posterior weight, and the model averages over the best cells seen on the way: its
//! neighbours. Without that, few games would seem to say more than they do.
//!
//! Everything is a function of the data alone, bit by bit: logarithms and exponentials are those of
//! libm.

use std::collections::BTreeMap;

use tesuji_core::{Rewards, Rng};

use super::kernel::{Axes, Cell, Kernel};
use super::linear::{Cholesky, dot};
use super::{Point, Space};

/// The variance of a reward is estimated as if it had been seen in this number of pairs before, each
/// as uncertain as two independent games.
const PRIOR_PAIRS: f64 = 20.0;

/// The prior of the mean m: an even match, and the variance.
const CENTRE: (f64, f64) = (0.5, 0.04);

/// The most cells that are averaged, and the least weight of one relative to the best.
const MOST_CELLS: usize = 5;
const LEAST_WEIGHT: f64 = 0.1;

/// The most times that the search goes through all directions.
const MOST_SWEEPS: usize = 4;

/// What is known of a candidate.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    /// Its point; `None` if it is outside of the space.
    pub point: Option<Point>,
    /// The rewards of its pairs.
    pub rewards: Rewards,
}

/// A win rate, as the model expects it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prediction {
    /// The expected win rate.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

/// The joint distribution of the win rates at some points, by a cell of the grid.
pub(super) struct Posterior {
    /// The weight of the cell.
    pub(super) weight: f64,
    pub(super) means: Vec<f64>,
    /// Row by row.
    pub(super) covariances: Vec<f64>,
}

/// A cell of the grid with all that follows from it.
#[derive(Clone, Debug)]
struct Fit {
    weight: f64,
    kernel: Kernel,
    factor: Cholesky,
    /// C⁻¹·(y − the prior mean), with C the covariance of the observed means.
    residuals: Vec<f64>,
    /// The diagonal of C⁻¹.
    precisions: Vec<f64>,
}

/// The win rate of every point, learnt from the games of the candidates.
///
/// ```
/// use tesuji_arena::tuning::{Evidence, Model, Parameter, Point, Space};
/// use tesuji_core::Rewards;
/// let space = Space { parameters: vec![Parameter { name: "c".to_owned(), range: "0..1".parse()? }] };
/// let evidence = |c: f64, wins| Evidence { point: Some(Point(vec![c])), rewards: Rewards::wins(400, wins) };
/// let model = Model::fit(&space, &[evidence(0.2, 160), evidence(0.5, 220), evidence(0.8, 180)]);
/// let at = |c: f64| model.predict(&Point(vec![c]));
/// assert!(at(0.5).mean > at(0.2).mean && at(0.5).mean > at(0.8).mean);
/// assert!(at(0.0).deviation > at(0.5).deviation);
/// # Ok::<(), tesuji_arena::tuning::RangeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    axes: Axes,
    points: Vec<Option<Point>>,
    /// The candidates with pairs, and the place of each candidate among them.
    sampled: Vec<usize>,
    places: Vec<Option<usize>>,
    /// The mean of each sampled candidate, and its variance s²/n.
    means: Vec<f64>,
    noises: Vec<f64>,
    pair_variance: f64,
    fits: Vec<Fit>,
}

impl Model {
    /// Learns from the candidates, with or without pairs. The cost grows with the cube of their number:
    /// 400 take a fraction of a second.
    pub fn fit(space: &Space, evidence: &[Evidence]) -> Model {
        let axes = Axes::of(space);
        let sampled: Vec<usize> = (0..evidence.len()).filter(|&i| evidence[i].rewards.count > 0).collect();
        let mut places = vec![None; evidence.len()];
        sampled.iter().enumerate().for_each(|(place, &i)| places[i] = Some(place));
        let pair_variance = pair_variance(evidence);
        let rewards = || sampled.iter().map(|&i| evidence[i].rewards);
        let mut model = Model {
            axes,
            points: evidence.iter().map(|one| one.point.clone()).collect(),
            means: rewards().map(|rewards| rewards.sum / rewards.count as f64).collect(),
            noises: rewards().map(|rewards| pair_variance / rewards.count as f64).collect(),
            sampled,
            places,
            pair_variance,
            fits: Vec::new(),
        };
        model.learn();
        model
    }

    /// Finds the cells and their weights.
    fn learn(&mut self) {
        let squares = self.squares_of_pairs();
        let mut seen: BTreeMap<Cell, f64> = BTreeMap::new();
        let mut weigh = |cell: &Cell| match seen.get(cell) {
            Some(&weight) => weight,
            None => {
                let weight = cell.prior() + self.log_likelihood(&cell.kernel(), &squares);
                seen.insert(cell.clone(), weight);
                weight
            }
        };
        let mut best = Cell::middle(self.axes.dimensions());
        let mut top = weigh(&best);
        for _ in 0..MOST_SWEEPS {
            let before = best.clone();
            for axis in 0..best.lengths.len() + 2 {
                for up in [true, false] {
                    while let Some(next) = best.step(axis, up) {
                        let weight = weigh(&next);
                        if weight <= top {
                            break;
                        }
                        (best, top) = (next, weight);
                    }
                }
            }
            if best == before {
                break;
            }
        }
        let mut cells: Vec<(Cell, f64)> = seen.into_iter().collect();
        // The sort is stable, and the cells come in their own order.
        cells.sort_by(|a, b| b.1.total_cmp(&a.1));
        cells.truncate(MOST_CELLS);
        let weighted = cells.into_iter().map(|(cell, weight)| (cell, libm::exp(weight - top)));
        let weighted: Vec<(Cell, f64)> = weighted.filter(|(_, weight)| *weight >= LEAST_WEIGHT).collect();
        let total: f64 = weighted.iter().map(|(_, weight)| weight).sum();
        let fit = |(cell, weight): (Cell, f64)| self.fit_of(cell.kernel(), weight / total, &squares);
        self.fits = weighted.into_iter().map(fit).collect();
    }

    /// The squares of the distances of all pairs of sampled candidates, those of (1, 0) first.
    fn squares_of_pairs(&self) -> Vec<f64> {
        let n = self.sampled.len();
        let mut squares = Vec::with_capacity(n * n / 2 * self.axes.dimensions());
        for i in 0..n {
            for j in 0..i {
                self.axes.squares(self.point_of(i), self.point_of(j), &mut squares);
            }
        }
        squares
    }

    /// The point of a sampled candidate, by its place.
    fn point_of(&self, place: usize) -> Option<&Point> {
        self.points[self.sampled[place]].as_ref()
    }

    /// The covariance of the observed means, factored.
    fn factor(&self, kernel: &Kernel, squares: &[f64]) -> Cholesky {
        let (n, d) = (self.sampled.len(), self.axes.dimensions());
        let mut rows = vec![0.0; n * n];
        let mut at = 0;
        for i in 0..n {
            for j in 0..i {
                rows[i * n + j] = CENTRE.1 + kernel.of(&squares[at..at + d]);
                at += d;
            }
            rows[i * n + i] = CENTRE.1 + kernel.variance + kernel.own + self.noises[i];
        }
        Cholesky::of(rows, n, 1e-12)
    }

    /// The observed means less what is expected of them.
    fn surprises(&self, kernel: &Kernel) -> Vec<f64> {
        let of = |(place, mean): (usize, &f64)| mean - self.expected(kernel, self.point_of(place));
        self.means.iter().enumerate().map(of).collect()
    }

    /// The win rate that is expected before any game.
    fn expected(&self, kernel: &Kernel, point: Option<&Point>) -> f64 {
        CENTRE.0 + point.map_or(0.0, |point| kernel.trend(&self.axes, point))
    }

    fn log_likelihood(&self, kernel: &Kernel, squares: &[f64]) -> f64 {
        let factor = self.factor(kernel, squares);
        let mut whitened = self.surprises(kernel);
        factor.solve_lower(&mut whitened);
        -0.5 * (dot(&whitened, &whitened) + factor.log_determinant())
    }

    fn fit_of(&self, kernel: Kernel, weight: f64, squares: &[f64]) -> Fit {
        let factor = self.factor(&kernel, squares);
        let mut residuals = self.surprises(&kernel);
        factor.solve_lower(&mut residuals);
        factor.solve_upper(&mut residuals);
        let precisions = factor.inverse_diagonal();
        Fit { weight, kernel, factor, residuals, precisions }
    }

    /// The variance of the reward of one pair, s².
    pub fn pair_variance(&self) -> f64 {
        self.pair_variance
    }

    /// The win rate at a point.
    pub fn predict(&self, point: &Point) -> Prediction {
        self.average(|fit| self.predict_by(fit, Some(point)))
    }

    /// The win rate of a candidate by all that is known, its own deviation included.
    pub fn candidate(&self, candidate: usize) -> Prediction {
        self.average(|fit| match self.places[candidate] {
            // The noise of the mean has the expectation n·r, with n its variance and r the residual.
            Some(place) => {
                let noise = self.noises[place];
                let mean = self.means[place] - noise * fit.residuals[place];
                (mean, noise - noise * noise * fit.precisions[place])
            }
            None => self.unsampled(fit, candidate),
        })
    }

    /// The win rate of a candidate by the games of all others: the score of an arm that owes nothing to
    /// the arm's own samples.
    pub fn without(&self, candidate: usize) -> Prediction {
        self.average(|fit| match self.places[candidate] {
            // Rasmussen, Williams 2006, equation 5.12.
            Some(place) => {
                let variance = 1.0 / fit.precisions[place];
                let mean = self.means[place] - fit.residuals[place] * variance;
                (mean, variance - self.noises[place])
            }
            None => self.unsampled(fit, candidate),
        })
    }

    fn unsampled(&self, fit: &Fit, candidate: usize) -> (f64, f64) {
        let (mean, variance) = self.predict_by(fit, self.points[candidate].as_ref());
        (mean, variance + fit.kernel.own)
    }

    fn predict_by(&self, fit: &Fit, point: Option<&Point>) -> (f64, f64) {
        let mut covariances = self.covariances(&fit.kernel, point);
        let mean = self.expected(&fit.kernel, point) + dot(&covariances, &fit.residuals);
        fit.factor.solve_lower(&mut covariances);
        (mean, CENTRE.1 + fit.kernel.variance - dot(&covariances, &covariances))
    }

    /// The covariances of a point with all observed means.
    fn covariances(&self, kernel: &Kernel, point: Option<&Point>) -> Vec<f64> {
        let mut squares = Vec::with_capacity(self.axes.dimensions());
        let of = |place: usize| {
            squares.clear();
            self.axes.squares(point, self.point_of(place), &mut squares);
            CENTRE.1 + kernel.of(&squares)
        };
        (0..self.sampled.len()).map(of).collect()
    }

    /// Averages means and variances over the cells.
    fn average(&self, of: impl Fn(&Fit) -> (f64, f64)) -> Prediction {
        let (mut mean, mut square) = (0.0, 0.0);
        for fit in &self.fits {
            let (one, variance) = of(fit);
            mean += fit.weight * one;
            square += fit.weight * (variance.max(0.0) + (one - CENTRE.0) * (one - CENTRE.0));
        }
        let variance = square - (mean - CENTRE.0) * (mean - CENTRE.0);
        Prediction { mean, deviation: variance.max(1e-12).sqrt() }
    }

    /// Draws `n` functions from the posterior, each as its win rates at `points`. Functions of different
    /// cells come in proportion to the weights of the cells.
    pub fn draws(&self, points: &[Point], n: usize, rng: &mut Rng) -> Vec<Vec<f64>> {
        let mut draws = Vec::with_capacity(n);
        let mut weight = 0.0;
        for (index, fit) in self.fits.iter().enumerate() {
            weight += fit.weight;
            let until = if index + 1 == self.fits.len() { n } else { (weight * n as f64).round() as usize };
            if draws.len() < until {
                let (means, factor) = self.joint(fit, points);
                while draws.len() < until {
                    let normals: Vec<f64> = points.iter().map(|_| normal(rng)).collect();
                    let deviations = factor.times(&normals);
                    draws.push(means.iter().zip(&deviations).map(|(a, b)| a + b).collect());
                }
            }
        }
        draws
    }

    /// The posterior means at points, and the factor of their covariance.
    fn joint(&self, fit: &Fit, points: &[Point]) -> (Vec<f64>, Cholesky) {
        let Posterior { means, mut covariances, .. } = self.posterior_by(fit, points);
        let n = points.len();
        // Points may be equal, and the matrix must have a factor.
        (0..n).for_each(|i| covariances[i * n + i] += 1e-9);
        (means, Cholesky::of(covariances, n, 1e-10))
    }

    /// The joint distribution of the win rates at points, by each cell.
    pub(super) fn posteriors(&self, points: &[Point]) -> Vec<Posterior> {
        self.fits.iter().map(|fit| self.posterior_by(fit, points)).collect()
    }

    fn posterior_by(&self, fit: &Fit, points: &[Point]) -> Posterior {
        let n = points.len();
        let mut rows = vec![0.0; n * n];
        let (mut means, mut whitened) = (Vec::with_capacity(n), Vec::<Vec<f64>>::with_capacity(n));
        let mut squares = Vec::new();
        for (i, point) in points.iter().enumerate() {
            let mut covariances = self.covariances(&fit.kernel, Some(point));
            means.push(self.expected(&fit.kernel, Some(point)) + dot(&covariances, &fit.residuals));
            fit.factor.solve_lower(&mut covariances);
            whitened.push(covariances);
            for (j, other) in points[..=i].iter().enumerate() {
                squares.clear();
                self.axes.squares(Some(point), Some(other), &mut squares);
                let covariance = CENTRE.1 + fit.kernel.of(&squares) - dot(&whitened[i], &whitened[j]);
                rows[i * n + j] = covariance;
                rows[j * n + i] = covariance;
            }
        }
        Posterior { weight: fit.weight, means, covariances: rows }
    }

    /// The response curve of a parameter: the win rate at each coordinate of it, averaged over `others`,
    /// of which all other coordinates are used. With one point it is a cut through the space.
    pub fn response(&self, parameter: usize, coordinates: &[f64], others: &[Point]) -> Vec<Prediction> {
        let at = |coordinate: f64| -> Vec<Point> {
            let mut points = others.to_vec();
            points.iter_mut().for_each(|point| point.0[parameter] = coordinate);
            points
        };
        let n = others.len().max(1) as f64;
        let average_by = |fit: &Fit, points: &[Point]| {
            let mut sum = vec![0.0; self.sampled.len()];
            let (mut expected, mut prior, mut squares) = (0.0, 0.0, Vec::new());
            for point in points {
                expected += self.expected(&fit.kernel, Some(point)) / n;
                let covariances = self.covariances(&fit.kernel, Some(point));
                sum.iter_mut().zip(&covariances).for_each(|(sum, one)| *sum += one / n);
                for other in points {
                    squares.clear();
                    self.axes.squares(Some(point), Some(other), &mut squares);
                    prior += (CENTRE.1 + fit.kernel.of(&squares)) / (n * n);
                }
            }
            let mean = expected + dot(&sum, &fit.residuals);
            fit.factor.solve_lower(&mut sum);
            (mean, prior - dot(&sum, &sum))
        };
        let curve = coordinates.iter().map(|&coordinate| at(coordinate));
        curve.map(|points| self.average(|fit| average_by(fit, &points))).collect()
    }
}

/// The variance of a pair's reward, pooled over all candidates.
fn pair_variance(evidence: &[Evidence]) -> f64 {
    let sampled = || evidence.iter().map(|one| one.rewards).filter(|rewards| rewards.count > 0);
    let (count, sum) = sampled().fold((0.0, 0.0), |(n, sum), one| (n + one.count as f64, sum + one.sum));
    let mean = (sum + 1.0) / (count + 2.0);
    let within = sampled().map(|one| {
        let count = one.count as f64;
        (count - 1.0, (one.squares - one.sum * one.sum / count).max(0.0))
    });
    let (freedom, squares) = within.fold((0.0, 0.0), |(n, sum), (m, square)| (n + m, sum + square));
    (squares + PRIOR_PAIRS * 0.5 * mean * (1.0 - mean)) / (freedom + PRIOR_PAIRS)
}

/// A standard normal number, by the polar method (Marsaglia, Bray 1964).
pub(super) fn normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * rng.unit() - 1.0, 2.0 * rng.unit() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * libm::log(square) / square).sqrt();
        }
    }
}

#[cfg(test)]
mod tests;
