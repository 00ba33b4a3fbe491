//! What Gumbel search (Danihelka, Guez, Schrittwieser, Silver 2022) computes from a halving: the value
//! of moves without visits, and the improved policy.

use tesuji_core::Arms;

use super::Halving;
use super::config::Entrants;
use super::score_weight::ScoreWeight;

impl Halving {
    /// The value of an arm without samples under Gumbel, v_mix (Danihelka et al. 2022, equation
    /// 33): the mean of all sampled arms, weighted by the policy that the logits mean, and the
    /// position's own value v̂ as one sample more, if it is known:
    /// `(v̂ + ΣN·Σπq/Σπ)/(1 + ΣN)`.
    pub(super) fn mixed_value(&self, arms: &Arms) -> f64 {
        let Entrants::GumbelTop { logits, .. } = self.config.entrants else { return 0.5 };
        let top = (0..self.n_arms).map(|arm| logits * arms.score(arm)).fold(f64::NEG_INFINITY, f64::max);
        let (mut weights, mut sum) = (0.0, 0.0);
        for arm in (0..self.n_arms).filter(|&arm| arms.count(arm) > 0) {
            let weight = libm::exp(logits * arms.score(arm) - top);
            weights += weight;
            sum += weight * arms.mean(arm);
        }
        let samples = arms.total() as f64;
        match (arms.value(), weights > 0.0) {
            (Some(value), true) => (value + samples * sum / weights) / (1.0 + samples),
            (Some(value), false) => value,
            (None, true) => sum / weights,
            (None, false) => 0.5,
        }
    }

    /// The improved policy π′ of Gumbel (equation 11): the softmax of the logits plus the
    /// transformed values, with v_mix for arms without samples.
    pub(super) fn gumbel_policy(&self, arms: &Arms) -> Option<Vec<f64>> {
        let (ScoreWeight::Gumbel { visit, scale }, Entrants::GumbelTop { logits, .. }) =
            (self.config.weight, self.config.entrants)
        else {
            return None;
        };
        let most = (0..arms.len()).map(|arm| arms.count(arm)).max().unwrap_or(0);
        let mixed = self.mixed_value(arms);
        let exponent = |arm: usize| {
            let value = if arms.count(arm) > 0 { arms.mean(arm) } else { mixed };
            logits * arms.score(arm) + (visit + most as f64) * scale * value
        };
        let mut policy: Vec<f64> = (0..arms.len()).map(exponent).collect();
        let top = policy.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        policy.iter_mut().for_each(|share| *share = libm::exp(*share - top));
        let total: f64 = policy.iter().sum();
        policy.iter_mut().for_each(|share| *share /= total);
        Some(policy)
    }
}
