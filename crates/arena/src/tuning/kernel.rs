//! How alike the win rates of two points are, and the grid of settings that the model learns from
//! its data.
//!
//! The kernel is Matérn's with ν = 5/2 (Rasmussen, Williams 2006, equation 4.17): win rates are
//! smooth, but not as smooth as the Gaussian kernel would have them. Each parameter has its own
//! length: win rates hardly depend on a parameter that has a great one. Two different words are at
//! distance 1.

use super::{Point, Space};

/// The grid of the standard deviation of win rates over the space, with the logarithms of their
/// prior weights.
pub(super) const SPREADS: [(f64, f64); 7] =
    [(0.01, -0.5), (0.02, -0.2), (0.04, 0.0), (0.07, 0.0), (0.12, -0.2), (0.2, -1.0), (0.35, -2.0)];

/// The grid of a parameter's length; the range of a parameter has the length 1. The last one makes a
/// parameter useless.
pub(super) const LENGTHS: [(f64, f64); 7] =
    [(0.1, -2.0), (0.18, -1.0), (0.32, -0.3), (0.56, 0.0), (1.0, 0.0), (2.0, -0.3), (8.0, -0.3)];

/// The grid of the standard deviation by which a single candidate differs from its neighbours.
pub(super) const DEVIATIONS: [(f64, f64); 3] = [(0.002, 0.0), (0.01, -1.5), (0.03, -3.0)];

/// By how much the ends of a parameter's range are expected to be worse than its middle, in spreads. People
/// choose ranges with the best value inside. Without this, few games make straight slopes, and a corner
/// of the space looks best. Of 0, 0.5, 1 and 2, 1 was best in the testbed.
const BEND: f64 = 1.0;

/// A cell of the grid: the index of the spread, of the deviation, and of the length of each parameter.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Cell {
    pub(super) spread: u8,
    pub(super) deviation: u8,
    pub(super) lengths: Vec<u8>,
}

impl Cell {
    /// The cell at which the search for the best one begins.
    pub(super) fn middle(dimensions: usize) -> Cell {
        Cell { spread: 2, deviation: 0, lengths: vec![3; dimensions] }
    }

    /// The cells next to this one in one direction: 0 is the spread, 1 the deviation, and lengths
    /// follow.
    pub(super) fn step(&self, axis: usize, up: bool) -> Option<Cell> {
        let mut next = self.clone();
        let (index, size) = match axis {
            0 => (&mut next.spread, SPREADS.len()),
            1 => (&mut next.deviation, DEVIATIONS.len()),
            _ => (&mut next.lengths[axis - 2], LENGTHS.len()),
        };
        *index = if up { *index + 1 } else { index.checked_sub(1)? };
        (usize::from(*index) < size).then_some(next)
    }

    /// The logarithm of the prior weight.
    pub(super) fn prior(&self) -> f64 {
        let lengths: f64 = self.lengths.iter().map(|&index| LENGTHS[usize::from(index)].1).sum();
        SPREADS[usize::from(self.spread)].1 + DEVIATIONS[usize::from(self.deviation)].1 + lengths
    }

    pub(super) fn kernel(&self) -> Kernel {
        let square = |x: f64| x * x;
        let spread = SPREADS[usize::from(self.spread)].0;
        let bend = |&index: &u8| BEND * spread / (1.0 + square(LENGTHS[usize::from(index)].0));
        Kernel {
            bends: self.lengths.iter().map(bend).collect(),
            variance: square(SPREADS[usize::from(self.spread)].0),
            own: square(DEVIATIONS[usize::from(self.deviation)].0),
            weights: self.lengths.iter().map(|&index| 1.0 / square(LENGTHS[usize::from(index)].0)).collect(),
        }
    }
}

/// The covariance of the win rates of points.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    /// The variance of win rates over the space.
    pub(super) variance: f64,
    /// The variance of what a candidate does not share with its neighbours.
    pub(super) own: f64,
    /// One over the square of each parameter's length.
    weights: Vec<f64>,
    /// By how much the ends of each parameter's range are expected to be worse than its middle.
    bends: Vec<f64>,
}

impl Kernel {
    /// What is expected of a point, relative to the middle of the space.
    pub(super) fn trend(&self, axes: &Axes, Point(point): &Point) -> f64 {
        let numbers = point.iter().zip(&self.bends).zip(&axes.is_words).filter(|(_, is_words)| !**is_words);
        -numbers.map(|((at, bend), _)| bend * (2.0 * at - 1.0) * (2.0 * at - 1.0)).sum::<f64>()
    }

    /// The covariance of two points, given the square of their distance in each parameter.
    pub(super) fn of(&self, squares: &[f64]) -> f64 {
        let square: f64 = squares.iter().zip(&self.weights).map(|(square, weight)| square * weight).sum();
        self.variance * matern(square)
    }
}

/// Matérn's kernel with ν = 5/2, of the square of a distance.
fn matern(square: f64) -> f64 {
    // Beyond this, covariances do not matter; the distance of a candidate outside of the space is
    // infinite.
    if square >= 100.0 {
        return 0.0;
    }
    let scaled = (5.0 * square).sqrt();
    (1.0 + scaled + 5.0 / 3.0 * square) * libm::exp(-scaled)
}

/// The coordinates of points, such that their differences are distances.
#[derive(Clone, Debug)]
pub(super) struct Axes {
    is_words: Vec<bool>,
}

impl Axes {
    pub(super) fn of(space: &Space) -> Axes {
        Axes { is_words: space.parameters.iter().map(|parameter| parameter.range.is_words()).collect() }
    }

    pub(super) fn dimensions(&self) -> usize {
        self.is_words.len()
    }

    /// Adds the square of the distance in each parameter to `squares`. Points outside of the space are
    /// infinitely far from all others.
    pub(super) fn squares(&self, a: Option<&Point>, b: Option<&Point>, squares: &mut Vec<f64>) {
        match (a, b) {
            (Some(Point(a)), Some(Point(b))) => {
                let pairs = a.iter().zip(b).zip(&self.is_words);
                squares.extend(pairs.map(|((a, b), &is_words)| match is_words {
                    true => f64::from(u8::from(a != b)),
                    false => (a - b) * (a - b),
                }));
            }
            _ => squares.extend(self.is_words.iter().map(|_| f64::INFINITY)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_points_are_alike() {
        assert_eq!(matern(0.0), 1.0);
        // (1 + √5 + 5/3)·exp(−√5).
        assert!((matern(1.0) - 0.523_994_109_6).abs() < 1e-9);
        assert_eq!(matern(f64::INFINITY), 0.0);
    }

    #[test]
    fn words_are_equal_or_different() {
        let axes = Axes { is_words: vec![true, false] };
        let mut squares = Vec::new();
        let [a, b] = [vec![0.25, 0.5], vec![0.75, 0.25]].map(Point);
        axes.squares(Some(&a), Some(&b), &mut squares);
        axes.squares(Some(&a), Some(&a), &mut squares);
        axes.squares(Some(&a), None, &mut squares);
        assert_eq!(squares, [1.0, 0.0625, 0.0, 0.0, f64::INFINITY, f64::INFINITY]);
    }

    #[test]
    fn steps_stay_in_the_grid() {
        let mut cell = Cell::middle(2);
        let mut steps = 0;
        while let Some(next) = cell.step(3, true) {
            (cell, steps) = (next, steps + 1);
        }
        assert_eq!((steps, cell.lengths), (LENGTHS.len() - 4, vec![3, 6]));
        assert_eq!(Cell::middle(1).step(1, false), None);
    }
}
