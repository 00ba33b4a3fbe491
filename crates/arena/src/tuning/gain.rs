//! Which points are worth their games: the knowledge gradient (Frazier, Powell, Dayanik 2009, "The
//! knowledge gradient policy for correlated normal beliefs").
//!
//! The games of a point change what is expected of all points near it. The gain of a point is the
//! expected rise of the greatest expectation by its games, in win rate: what they are worth if they were
//! the last ones. A good point far from all others gains, and so does one that says on which side of a
//! hill the top is. Games of the best point itself often gain little.
//!
//! Several points that play at the same time are chosen one after the other. Those chosen before count as
//! played, with the expected results.

use super::model::Posterior;

/// The standard normal distribution at some places, for sums instead of integrals.
const NODES: usize = 9;
const NODE_STEP: f64 = 0.6;

/// The `size` points with the greatest gains, by their index, each of which has games with a mean of
/// this variance. A point may come several times.
pub(super) fn greatest_gains(posteriors: &mut [Posterior], size: usize, variance: f64) -> Vec<usize> {
    let n = posteriors.first().map_or(0, |posterior| posterior.means.len());
    let mut chosen = Vec::with_capacity(size);
    while chosen.len() < size && n > 0 {
        let gain =
            |at: usize| posteriors.iter().map(|one| one.weight * gain_by(one, at, variance)).sum::<f64>();
        let gains: Vec<f64> = (0..n).map(gain).collect();
        let best = (1..n).fold(0, |best, at| if gains[at] > gains[best] { at } else { best });
        chosen.push(best);
        posteriors.iter_mut().for_each(|one| play(one, best, variance));
    }
    chosen
}

/// The expected rise of the greatest mean by games of a point.
fn gain_by(posterior: &Posterior, at: usize, variance: f64) -> f64 {
    let n = posterior.means.len();
    let row = &posterior.covariances[at * n..(at + 1) * n];
    let unit = 1.0 / (row[at].max(0.0) + variance).sqrt();
    let mut tops = [f64::NEG_INFINITY; NODES];
    let places: [f64; NODES] =
        std::array::from_fn(|node| (node as f64 - (NODES / 2) as f64) * NODE_STEP * unit);
    for (mean, covariance) in posterior.means.iter().zip(row) {
        for (top, place) in tops.iter_mut().zip(&places) {
            let value = mean + covariance * place;
            *top = if value > *top { value } else { *top };
        }
    }
    let (mut sum, mut total) = (0.0, 0.0);
    for (node, top) in tops.iter().enumerate() {
        let place = (node as f64 - (NODES / 2) as f64) * NODE_STEP;
        let weight = libm::exp(-0.5 * place * place);
        sum += weight * top;
        total += weight;
    }
    // The middle node is the greatest mean as it is.
    sum / total - tops[NODES / 2]
}

/// What is known once a point has played: its covariances shrink.
fn play(posterior: &mut Posterior, at: usize, variance: f64) {
    let n = posterior.means.len();
    let row: Vec<f64> = posterior.covariances[at * n..(at + 1) * n].to_vec();
    let scale = 1.0 / (row[at].max(0.0) + variance);
    for (i, covariances) in posterior.covariances.chunks_exact_mut(n).enumerate() {
        let factor = scale * row[i];
        covariances.iter_mut().zip(&row).for_each(|(covariance, other)| *covariance -= factor * other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posterior(means: &[f64], covariances: &[f64]) -> Posterior {
        Posterior { weight: 1.0, means: means.to_vec(), covariances: covariances.to_vec() }
    }

    #[test]
    fn the_gain_of_one_of_two_points() {
        // Two independent points with equal means: the rise is E[max(0, σ̃·Z)] = σ̃/√(2π), with
        // σ̃ = 0.04/√(0.04 + 0.12) = 0.1.
        let one = posterior(&[0.5, 0.5], &[0.04, 0.0, 0.0, 0.0]);
        let expected = 0.1 / (2.0 * std::f64::consts::PI).sqrt();
        assert!((gain_by(&one, 0, 0.12) - expected).abs() < 0.05 * expected);
        assert_eq!(gain_by(&one, 1, 0.12), 0.0);
    }

    #[test]
    fn what_has_played_is_worth_less() {
        let mut both = [posterior(&[0.5, 0.5], &[0.04, 0.0, 0.0, 0.03])];
        assert_eq!(greatest_gains(&mut both, 2, 0.01), [0, 1]);
        // 0.04·0.01/(0.04 + 0.01).
        assert!((both[0].covariances[0] - 0.008).abs() < 1e-12);
    }
}
