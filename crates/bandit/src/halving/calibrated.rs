//! Halving by a calibrated model: what the arms are ranked by, and how many go on.

use tesuji_core::{Arms, Calibration, Ranked};

use super::calibration::Evidence;
use super::{Halving, Key, Mean, ScoreWeight};

/// The variance of a reward is estimated as if it had been seen in this number of samples before,
/// each as uncertain as a win or a loss.
const PRIOR_SAMPLES: f64 = 10.0;

/// The variance of a network's values below an arm, and the number of samples in which it was seen
/// before. A network's values are expectations already, so one says about as much as 250 wins and
/// losses: of 0.03, 0.01, 0.003 and 0.001 the last was best in Hex and Breakthrough.
const NETWORK_PRIOR: (f64, f64) = (0.001, 4.0);

impl Halving {
    /// What each arm is ranked by at the end of a round that keeps `kept` arms: its potential, or its
    /// posterior mean if one arm is kept.
    pub(super) fn for_each_calibrated_key(
        &self,
        arms: &Arms,
        kept: usize,
        mut see: impl FnMut(Key),
    ) -> Calibration {
        let mut calibrator = self.calibrator.borrow_mut();
        let is_scored = arms.is_scored();
        let evidence = |arm: usize| {
            let Mean { value, samples } = self.mean(arms, arm);
            let score_samples = if is_scored { arms.score_count(arm) } else { 0.0 };
            Evidence { samples, mean: value, score: arms.score(arm), score_samples }
        };
        let calibration = calibrator.fit(arms.len(), sample_variance(arms), evidence);
        for (place, arm) in self.ranked_arms().enumerate() {
            let mean = self.mean(arms, arm).value;
            let q = if kept == 1 { calibrator.value(arm) } else { calibrator.potential(arm) };
            let ranked = Ranked { arm, q, mean, bonus: q - mean };
            see(Key { ranked, second: arms.score(arm), place });
        }
        calibration
    }

    /// The number of arms that go on, of a ranking by the calibrated model: at most `kept`, and
    /// at least two before the last round. If the scores are good, few arms are worth sampling.
    pub(super) fn promising(&self, ranking: &[Key], kept: usize) -> usize {
        let ScoreWeight::Calibrated { negligible } = self.config.weight else { return kept };
        if kept <= 2 {
            return kept;
        }
        let calibrator = self.calibrator.borrow();
        let promise = |key: &Key| calibrator.promise(key.ranked.arm);
        let enough = (1.0 - negligible) * ranking.iter().map(promise).sum::<f64>();
        let mut sum = 0.0;
        let needed = ranking.iter().take_while(|key| {
            let is_needed = sum < enough;
            sum += promise(key);
            is_needed
        });
        needed.count().clamp(2, kept)
    }
}

/// The variance of one reward of an arm, over all arms.
fn sample_variance(arms: &Arms) -> f64 {
    let sum: f64 = (0..arms.len()).map(|arm| arms.sum(arm)).sum();
    let mean = (sum + 1.0) / (arms.total() as f64 + 2.0);
    let within = |arm: usize| {
        arms.variance(arm).map_or((0.0, 0.0), |variance| {
            let freedom = (arms.count(arm) - 1) as f64;
            (freedom, freedom * variance)
        })
    };
    let (freedom, squares) = (0..arms.len())
        .map(within)
        .fold((0.0, 0.0), |(n, sum), (freedom, square)| (n + freedom, sum + square));
    let (variance, samples) = match arms.value() {
        Some(_) => NETWORK_PRIOR,
        None => (mean * (1.0 - mean), PRIOR_SAMPLES),
    };
    (squares + samples * variance) / (freedom + samples)
}
