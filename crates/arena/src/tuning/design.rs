//! Points that fill the unit cube evenly.
//!
//! The sequence is that of Kronecker with the roots of x^(d+1) = x + 1 (Roberts 2018, "The
//! unreasonable effectiveness of quasirandom sequences"; in one dimension it is the golden ratio),
//! shifted at random modulo 1. Any number of its first points fills the cube about as evenly as
//! possible, so a design can grow.

use tesuji_core::Seed;

use super::Point;

/// A sequence of points, equal for equal seeds.
///
/// ```
/// use tesuji_arena::tuning::Design;
/// use tesuji_core::Seed;
/// let points: Vec<_> = Design::new(2, Seed::new(1)).take(8).collect();
/// // Each half of the first coordinate has half of the points.
/// assert_eq!(points.iter().filter(|point| point.0[0] < 0.5).count(), 4);
/// ```
#[derive(Clone, Debug)]
pub struct Design {
    steps: Vec<f64>,
    place: Vec<f64>,
}

impl Design {
    /// The sequence in this number of dimensions.
    pub fn new(dimensions: usize, seed: Seed) -> Design {
        let root = root(dimensions);
        let mut power = 1.0;
        let steps = (0..dimensions).map(|_| {
            power /= root;
            power
        });
        let mut rng = seed.rng();
        Design { steps: steps.collect(), place: (0..dimensions).map(|_| rng.unit()).collect() }
    }
}

impl Iterator for Design {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        let point = Point(self.place.clone());
        for (place, step) in self.place.iter_mut().zip(&self.steps) {
            *place += step;
            *place -= if *place >= 1.0 { 1.0 } else { 0.0 };
        }
        Some(point)
    }
}

/// The root of x^(d+1) = x + 1 above 1.
fn root(dimensions: usize) -> f64 {
    let exponent = 1.0 / (dimensions as f64 + 1.0);
    // The iteration contracts by more than a factor of 2.
    (0..64).fold(1.5, |root: f64, _| libm::pow(1.0 + root, exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_golden_ratio_comes_first() {
        assert!((root(1) - (1.0 + 5_f64.sqrt()) / 2.0).abs() < 1e-12);
        // The plastic number.
        assert!((root(2) - 1.324_717_957_244_746).abs() < 1e-12);
    }

    #[test]
    fn every_interval_has_its_share_of_every_coordinate() {
        for dimensions in 1..=6 {
            let points: Vec<Point> =
                Design::new(dimensions, Seed::new(dimensions as u64)).take(120).collect();
            for axis in 0..dimensions {
                for third in 0..3 {
                    let is_in = |point: &&Point| (point.0[axis] * 3.0) as usize == third;
                    let share = points.iter().filter(is_in).count();
                    // At random, the standard deviation would be 5.
                    assert!((34..=46).contains(&share), "{dimensions} {axis} {third}: {share}");
                }
            }
        }
    }

    #[test]
    fn points_are_far_from_each_other() {
        let points: Vec<Point> = Design::new(2, Seed::new(3)).take(64).collect();
        let distance = |a: &Point, b: &Point| (a.0[0] - b.0[0]).hypot(a.0[1] - b.0[1]);
        let nearest = (0..64).flat_map(|i| (0..i).map(move |j| (i, j)));
        let nearest = nearest.map(|(i, j)| distance(&points[i], &points[j])).fold(f64::INFINITY, f64::min);
        // A square grid of 64 points has the distance 1/8; random points about 1/100.
        assert!(nearest > 0.04, "{nearest}");
    }

    #[test]
    fn equal_seeds_give_equal_points() {
        let points = |seed| Design::new(3, Seed::new(seed)).take(9).collect::<Vec<Point>>();
        assert_eq!(points(1), points(1));
        assert_ne!(points(1), points(2));
    }
}
