//! The ratings that make the results most likely, by Newton's method.
//!
//! With η the rating difference plus the advantage in natural units, the side that moves first has
//! the expected score E = 1 / (1 + e^(−η)), and its points p in n games add p η − n ln(1 + e^η) to
//! the log-likelihood. That is concave, so every line search from the Newton step ends at its only
//! maximum.

use super::cells::Cell;
use super::matrix::Matrix;

/// Elo per natural unit of the logistic curve: 400 / ln 10.
pub(super) const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The relative error of a likelihood.
const ROUNDING: f64 = 1e-13;

/// Far more steps than the most extreme results need.
const MOST_STEPS: usize = 200;

/// The expected score at this distance in natural units.
pub(super) fn expected(eta: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-eta))
}

/// Ratings and advantages.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    /// The number of players, whose ratings come first.
    n_players: usize,
    /// Ratings, then advantages, in natural units. The ratings of each group add up to 0.
    values: Vec<f64>,
}

impl Fit {
    /// All ratings and advantages are 0.
    pub(super) fn zero(n_players: usize, n_games: usize) -> Fit {
        Fit { n_players, values: vec![0.0; n_players + n_games] }
    }

    /// A player's rating in natural units, relative to its group's mean.
    pub(super) fn rating(&self, player: usize) -> f64 {
        self.values[player]
    }

    /// The advantage of moving first in natural units.
    pub(super) fn advantage(&self, game: usize) -> f64 {
        self.values[self.n_players + game]
    }

    /// The expected score of the player that moves first.
    pub(super) fn expected(&self, first: usize, second: usize, game: usize) -> f64 {
        expected(self.rating(first) - self.rating(second) + self.advantage(game))
    }

    /// Climbs to the maximum until no value changes by more than `tolerance`.
    pub(super) fn climb(&mut self, cells: &[Cell], groups: &[Vec<usize>], tolerance: f64) {
        let mut likelihood = self.likelihood(cells);
        for _ in 0..MOST_STEPS {
            let (mut step, information) = self.derivatives(cells, groups);
            information.into_factor().solve(&mut step);
            let largest = step.iter().fold(0.0_f64, |largest, change| largest.max(change.abs()));
            let before = self.values.clone();
            let mut share = 1.0;
            loop {
                let moved = before.iter().zip(&step).map(|(value, change)| value + share * change);
                self.values = moved.collect();
                if share * largest <= tolerance {
                    return;
                }
                let found = self.likelihood(cells);
                // Next to the maximum rounding decides, and the step is as good as any.
                if found >= likelihood - ROUNDING * likelihood.abs() {
                    likelihood = found;
                    break;
                }
                share /= 2.0;
            }
        }
    }

    /// The second derivatives of the log-likelihood, with their signs changed. The direction that
    /// shifts all ratings of a group has an entry too, so that the matrix has an inverse.
    pub(super) fn information(&self, cells: &[Cell], groups: &[Vec<usize>]) -> Matrix {
        self.derivatives(cells, groups).1
    }

    fn likelihood(&self, cells: &[Cell]) -> f64 {
        let of = |cell: &Cell| {
            let eta = self.rating(cell.first) - self.rating(cell.second) + self.advantage(cell.game);
            // ln(1 + e^η) without overflow.
            cell.points * eta - cell.games * (eta.max(0.0) + libm::log1p(libm::exp(-eta.abs())))
        };
        cells.iter().map(of).sum()
    }

    fn derivatives(&self, cells: &[Cell], groups: &[Vec<usize>]) -> (Vec<f64>, Matrix) {
        let mut gradient = vec![0.0; self.values.len()];
        let mut information = Matrix::zeros(self.values.len());
        let mut is_played = vec![false; self.values.len() - self.n_players];
        for cell in cells.iter().filter(|cell| cell.games > 0.0) {
            let score = self.expected(cell.first, cell.second, cell.game);
            let advantage = self.n_players + cell.game;
            is_played[cell.game] = true;
            let direction = [(cell.first, 1.0), (cell.second, -1.0), (advantage, 1.0)];
            for (place, sign) in direction {
                gradient[place] += sign * (cell.points - cell.games * score);
            }
            information.add_product(cell.games * score * (1.0 - score), &direction, &direction);
        }
        for group in groups {
            let shift: Vec<(usize, f64)> = group.iter().map(|&player| (player, 1.0)).collect();
            information.add_product(1.0, &shift, &shift);
        }
        for (game, _) in is_played.iter().enumerate().filter(|(_, is_played)| !**is_played) {
            information[(self.n_players + game, self.n_players + game)] = 1.0;
        }
        (gradient, information)
    }
}
