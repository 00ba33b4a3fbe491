//! How much a score counts relative to a mean: SHUSS's t′ in its forms
//! (Fabiano, Cazenave 2021), and Gumbel's (Danihelka et al. 2022).
//!
//! Arms are ranked by `q = mean + (t′/t⁺)·score`, where t⁺ is the number of
//! samples behind the mean.

use tesuji_core::Arms;

/// The weight t′ of the score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum ScoreWeight {
    /// The same in every round. 0: the score only breaks ties. Infinite: the
    /// score alone, and the mean only breaks ties.
    Constant(f64),
    /// For scores that grow more exact as samples come in, such as AMAF:
    /// `t′_r = (δ̃/δ) / ((σ_heu/σ)² + 1/s_r)` with s_r samples behind each score.
    Adaptive {
        /// δ̃/δ: how much the score flattens differences between arms.
        delta: f64,
        /// σ_heu/σ: the error that the score would have with infinitely many
        /// samples, relative to the deviation of one sample.
        sigma: f64,
    },
    /// `t′ = 1/scale`, and `visit + max N` in the place of t⁺: ranking by
    /// score + σ(q) of the Gumbel root, `σ(q) = (visit + max N)·scale·q`.
    Gumbel {
        /// The paper's c_visit.
        visit: f64,
        /// The paper's c_scale.
        scale: f64,
    },
    /// Learnt during the run: see [`calibration`](super::calibration).
    Calibrated {
        /// A cut leaves out arms that together have at most this share of the promise of all
        /// arms, even if the schedule would keep them.
        negligible: f64,
    },
}

impl ScoreWeight {
    /// Whether the weight is learnt during the run.
    pub(crate) fn is_calibrated(&self) -> bool {
        matches!(self, ScoreWeight::Calibrated { .. })
    }

    /// t′ for the remaining arms.
    pub(crate) fn value(&self, arms: &Arms, left: &[usize]) -> f64 {
        match *self {
            ScoreWeight::Constant(weight) => weight,
            ScoreWeight::Adaptive { delta, sigma } => {
                // All arms need a common t′; where their numbers of score
                // samples differ, the mean stands for them.
                let samples: f64 = left.iter().map(|&arm| arms.score_count(arm)).sum();
                let each = samples / left.len() as f64;
                // Without samples behind the scores, or where they flatten everything, they
                // say nothing.
                if each > 0.0 && delta > 0.0 { delta / (sigma * sigma + 1.0 / each) } else { 0.0 }
            }
            ScoreWeight::Gumbel { scale, .. } => 1.0 / scale,
            // Not one weight for all arms: they are ranked otherwise.
            ScoreWeight::Calibrated { .. } => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_adaptive_weight_grows_with_the_samples_behind_the_score() {
        let weight = ScoreWeight::Adaptive { delta: 0.5, sigma: 0.1 };
        let mut arms = Arms::new(2);
        assert_eq!(weight.value(&arms, &[0, 1]), 0.5 / (0.1 * 0.1));
        arms.set_score(0, 0.5, 50.0);
        arms.set_score(1, 0.5, 150.0);
        // 0.5 / (0.01 + 1/100)
        assert!((weight.value(&arms, &[0, 1]) - 25.0).abs() < 1e-9);
        let flat = ScoreWeight::Adaptive { delta: 0.0, sigma: 0.0 };
        assert_eq!(flat.value(&Arms::new(2), &[0, 1]), 0.0);
        arms.set_score(0, 0.0, 0.0);
        arms.set_score(1, 0.0, 0.0);
        assert_eq!(weight.value(&arms, &[0, 1]), 0.0);
    }
}
