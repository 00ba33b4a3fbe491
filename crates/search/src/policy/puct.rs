//! Predictor UCB: PUCT (Rosin 2011; Silver et al. 2016).

use super::{TreePolicy, View};
use crate::config::PriorSource;
use crate::tree::Keeps;

/// `Q + c·P·sqrt(N)/(1 + n_i)`. A move without visits has the mean of the
/// node's others as its Q.
pub(crate) struct PuctPolicy {
    c: f32,
    prior: PriorSource,
    temperature: f32,
}

impl PuctPolicy {
    pub(super) fn new(c: f64, prior: PriorSource, temperature: f64) -> PuctPolicy {
        PuctPolicy { c: c as f32, prior, temperature: temperature as f32 }
    }
}

/// Turns scores into probabilities, proportional to `exp(score / temperature)`.
pub(crate) fn softmax(scores: &mut [f32], temperature: f32) {
    let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for score in scores.iter_mut() {
        *score = libm::expf((*score - top) / temperature);
        total += *score;
    }
    scores.iter_mut().for_each(|score| *score /= total);
}

impl TreePolicy for PuctPolicy {
    fn keeps(&self) -> Keeps {
        Keeps { priors: true, move_amaf: self.prior == PriorSource::Amaf, ..Keeps::default() }
    }

    fn fill(&self, node: &View<'_>, values: &mut [f32]) {
        let visits = node.visits as f32;
        let mean = if node.visits == 0 { 0.5 } else { node.sums.iter().sum::<f32>() / visits };
        let weight = self.c * visits.max(1.0).sqrt();
        for (at, value) in values.iter_mut().enumerate() {
            let count = node.counts[at] as f32;
            let own = if count == 0.0 { mean } else { node.sums[at] / count };
            *value = own + weight * node.priors[at] / (1.0 + count);
        }
    }

    /// When the node has been visited 0, 1, 2, 4, 8, … times: AMAF means change
    /// ever more slowly, and exponentials are dear.
    fn renews_priors(&self, visits: u32) -> bool {
        match self.prior {
            PriorSource::Amaf => visits == 0 || visits.is_power_of_two(),
            // Positions begin with equal priors.
            PriorSource::Uniform | PriorSource::Leaf | PriorSource::Auto => false,
        }
    }

    fn fill_priors(&self, node: &View<'_>, priors: &mut [f32]) {
        for (at, prior) in priors.iter_mut().enumerate() {
            *prior = match node.amaf_counts.get(at) {
                Some(&count) if count > 0 => node.amaf_sums[at] / count as f32,
                _ => 0.5,
            };
        }
        softmax(priors, self.temperature);
    }
}
