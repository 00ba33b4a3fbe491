//! Halving by a calibrated model: what the arms are ranked by, and how many go on.

use tesuji_core::{Arms, Calibration, Ranked};

use super::calibration::{Evidence, Noise};
use super::{Halving, Key, Mean, ScoreWeight};

/// The variance of a reward is estimated as if it had been seen in this number of samples before,
/// each as uncertain as a win or a loss.
const PRIOR_SAMPLES: f64 = 10.0;

/// s² of a network's values in relation to the variance of the arms' means, and the number of samples
/// in which it was seen before. Values are expectations already, so one of them says most of what is
/// to be known: in quiet positions they differ by a hundredth and are as trustworthy as where they
/// differ by a half. Of 0.02, 0.1 and 0.5, 0.1 was best in Hex and Breakthrough.
const NETWORK_NOISE: (f64, f64) = (0.1, 4.0);

/// The variance of the means of a network's values is estimated as if this number of arms had had this
/// variance before.
const NETWORK_SPREAD: (f64, f64) = (1.0, 0.01);

/// What the grid of spreads is multiplied by for a network, in standard deviations of the arms' means:
/// the grid then ends at twice that deviation.
const NETWORK_SCALE: f64 = 2.0 / 0.3;

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
        let calibration = calibrator.fit(arms.len(), noise(arms), evidence);
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

/// How much the samples of an arm vary, over all arms.
fn noise(arms: &Arms) -> Noise {
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
    let (prior, samples, scale) = match arms.value() {
        Some(_) => {
            let (share, samples) = NETWORK_NOISE;
            let spread = variance_of_means(arms);
            (share * spread, samples, NETWORK_SCALE * spread.sqrt())
        }
        None => (mean * (1.0 - mean), PRIOR_SAMPLES, 1.0),
    };
    Noise { variance: (squares + samples * prior) / (freedom + samples), scale }
}

/// The variance of the means of all arms that have samples.
fn variance_of_means(arms: &Arms) -> f64 {
    let means = (0..arms.len()).filter(|&arm| arms.count(arm) > 0).map(|arm| arms.mean(arm));
    let (n, sum) = means.clone().fold((0.0, 0.0), |(n, sum), mean| (n + 1.0, sum + mean));
    let centre = sum / f64::max(n, 1.0);
    let squares: f64 = means.map(|mean| (mean - centre) * (mean - centre)).sum();
    let (before, variance) = NETWORK_SPREAD;
    (squares + before * variance) / (f64::max(n - 1.0, 0.0) + before)
}
