//! Drawing from exponential weights.

use tesuji_core::Rng;

/// Probabilities in proportion to exp(score), stable however large scores are. The
/// exponential is `libm`'s, so that equal seeds give equal bits with every compiler.
pub(super) fn softmax(scores: impl Iterator<Item = f64> + Clone, into: &mut Vec<f64>) {
    let most = scores.clone().fold(f64::NEG_INFINITY, f64::max);
    into.clear();
    into.extend(scores.map(|score| libm::exp(score - most)));
    let sum: f64 = into.iter().sum();
    into.iter_mut().for_each(|weight| *weight /= sum);
}

/// An index drawn with these probabilities, whose sum is 1.
pub(super) fn draw(probabilities: &[f64], rng: &mut Rng) -> usize {
    let mut left = rng.unit();
    for (index, probability) in probabilities.iter().enumerate() {
        left -= probability;
        if left < 0.0 {
            return index;
        }
    }
    // Roundoff alone leads here: the last that is possible.
    probabilities.iter().rposition(|&probability| probability > 0.0).unwrap_or(0)
}

/// Counts as frequencies; uniform while there are none.
pub(super) fn frequencies(counts: &[u64]) -> Vec<f64> {
    let sum: u64 = counts.iter().sum();
    match sum {
        0 => vec![1.0 / counts.len() as f64; counts.len()],
        _ => counts.iter().map(|&count| count as f64 / sum as f64).collect(),
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::Seed;

    use super::*;

    #[test]
    fn weights_are_stable_and_drawn_as_they_are() {
        let mut weights = Vec::new();
        softmax([1000.0, 1000.0 + std::f64::consts::LN_2, -1e9].into_iter(), &mut weights);
        assert!((weights[0] - 1.0 / 3.0).abs() < 1e-12 && (weights[1] - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(weights[2], 0.0);
        let mut rng = Seed::new(1).rng();
        let first = (0..9000).filter(|_| draw(&weights, &mut rng) == 0).count() as i32;
        // Binomial(9000, 1/3): standard deviation 44.7; five of them.
        assert!((first - 3000).abs() < 224, "{first}");
    }

    #[test]
    fn nothing_impossible_is_drawn() {
        let mut rng = Seed::new(1).rng();
        assert!((0..1000).all(|_| draw(&[0.0, 0.3, 0.0], &mut rng) == 1));
    }
}
