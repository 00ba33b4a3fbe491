//! The value of information at every level of the tree (Tolpin, Shimony 2012,
//! who use it at the root and leave this open).
//!
//! The move with the greatest bound on the value of a sample is taken, every
//! move once first. The bounds are those of `tesuji_bandit`, in logarithms.

use tesuji_bandit::bounds::{self, Gap};
use tesuji_bandit::{Bound, Leaders};

use super::{TreePolicy, View};
use crate::tree::Keeps;

pub(super) struct VoiPolicy {
    bound: Bound,
}

impl VoiPolicy {
    pub(super) fn new(bound: Bound) -> VoiPolicy {
        VoiPolicy { bound }
    }

    /// ln(Λ·n) of a move.
    fn value(&self, gap: &Gap, count: f64, variance: f64) -> f64 {
        match self.bound {
            Bound::Hoeffding => bounds::hoeffding(gap),
            Bound::Midpoint => bounds::midpoint(gap, libm::log(gap.rate)),
            Bound::Bernstein => bounds::bernstein(gap, count, variance),
        }
    }
}

impl TreePolicy for VoiPolicy {
    fn keeps(&self) -> Keeps {
        Keeps { squares: self.bound == Bound::Bernstein, ..Keeps::default() }
    }

    fn tries_each_first(&self) -> bool {
        true
    }

    fn fill(&self, node: &View<'_>, values: &mut [f32]) {
        let mean = |at: usize| f64::from(node.sums[at]) / f64::from(node.counts[at].max(1));
        let leaders = Leaders::among((0..values.len()).map(mean));
        for (at, value) in values.iter_mut().enumerate() {
            let count = f64::from(node.counts[at]);
            if count == 0.0 {
                *value = f32::INFINITY;
                continue;
            }
            let variance = node.squares.get(at).map_or(0.0, |&squares| {
                let spread = f64::from(squares) - count * mean(at) * mean(at);
                (spread / (count - 1.0).max(1.0)).max(0.0)
            });
            let gap = leaders.gap(mean(at), 2.0 * count);
            *value = (self.value(&gap, count, variance) - libm::log(count)) as f32;
        }
        // Where no sample is worth anything, as between a sure win and sure
        // losses, a tree still has to choose: the best, so that its mean is right.
        if values.iter().all(|&value| value == f32::NEG_INFINITY) {
            values.iter_mut().enumerate().for_each(|(at, value)| *value = mean(at) as f32);
        }
    }
}
