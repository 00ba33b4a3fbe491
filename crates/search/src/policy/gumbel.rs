//! The tree below a Gumbel root (Danihelka, Guez, Schrittwieser, Silver 2022).

use super::{TreePolicy, View};
use crate::tree::Keeps;

/// `π′ − n_i/(1 + N)`, the improved policy less the share of visits (equation 14): visits follow
/// the policy, and nothing is random.
pub(crate) struct GumbelPolicy {
    visit: f32,
    scale: f32,
}

impl GumbelPolicy {
    pub(super) fn new(visit: f64, scale: f64) -> GumbelPolicy {
        GumbelPolicy { visit: visit as f32, scale: scale as f32 }
    }
}

impl TreePolicy for GumbelPolicy {
    fn keeps(&self) -> Keeps {
        Keeps { priors: true, ..Keeps::default() }
    }

    fn fill(&self, node: &View<'_>, values: &mut [f32]) {
        // v_mix (equation 33): the network's value, and the means of the visited moves weighted by
        // the policy, for moves without visits.
        let (mut weights, mut sum, mut most) = (0.0, 0.0, 0);
        for (at, &count) in node.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            weights += node.priors[at];
            sum += node.priors[at] * node.sums[at] / count as f32;
            most = most.max(count);
        }
        let visits = node.visits as f32;
        let visited = if weights > 0.0 { visits * sum / weights } else { visits * node.value };
        let mixed = (node.value + visited) / (1.0 + visits);
        let weight = (self.visit + most as f32) * self.scale;
        let mut top = f32::NEG_INFINITY;
        for (at, value) in values.iter_mut().enumerate() {
            let count = node.counts[at];
            let own = if count == 0 { mixed } else { node.sums[at] / count as f32 };
            // A prior that is too small for a number is a logit of about −88.
            *value = libm::logf(node.priors[at].max(f32::MIN_POSITIVE)) + weight * own;
            top = top.max(*value);
        }
        let mut total = 0.0;
        for value in values.iter_mut() {
            *value = libm::expf(*value - top);
            total += *value;
        }
        for (value, &count) in values.iter_mut().zip(node.counts) {
            *value = *value / total - count as f32 / (1.0 + visits);
        }
    }
}
