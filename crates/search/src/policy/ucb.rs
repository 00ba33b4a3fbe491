//! UCB1 in every node: UCT (Kocsis, Szepesvári 2006).

use tesuji_core::isa::{Isa, Kernel, dispatch};

use super::argmax::{LANES, first_best};
use super::{TreePolicy, View};
use crate::tree::Keeps;

/// `mean + c·sqrt(ln N / n_i)`, every move once first, in order.
pub(super) struct UcbPolicy {
    c: f64,
}

impl UcbPolicy {
    pub(super) fn new(c: f64) -> UcbPolicy {
        UcbPolicy { c }
    }

    /// `c·sqrt(ln N)`
    fn explored(&self, node: &View<'_>) -> f32 {
        (self.c * root_of_log(node.visits.into())) as f32
    }
}

/// `sqrt(ln N)`, 0 for no visits.
pub(crate) fn root_of_log(visits: u64) -> f64 {
    libm::log(visits.max(1) as f64).sqrt()
}

impl TreePolicy for UcbPolicy {
    fn keeps(&self) -> Keeps {
        Keeps { bounds: true, ..Keeps::default() }
    }

    fn tries_each_first(&self) -> bool {
        true
    }

    fn fill(&self, node: &View<'_>, values: &mut [f32]) {
        let explored = self.explored(node);
        for (at, value) in values.iter_mut().enumerate() {
            let bound = node.means[at] + explored * node.roots[at];
            *value = if node.counts[at] == 0 { f32::INFINITY } else { bound };
        }
    }

    fn select(&self, node: &View<'_>, values: &mut [f32]) -> usize {
        dispatch(Select { means: node.means, roots: node.roots, explored: self.explored(node), values })
    }
}

/// The move with the greatest bound. All have visits.
struct Select<'a> {
    means: &'a [f32],
    roots: &'a [f32],
    explored: f32,
    values: &'a mut [f32],
}

impl Kernel for Select<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self) -> usize {
        let Select { means, roots, explored, values } = self;
        let n = values.len();
        let (means, last_means) = means[..n].as_chunks::<LANES>();
        let (roots, last_roots) = roots[..n].as_chunks::<LANES>();
        let bound = |mean: f32, root: f32| mean + explored * root;
        first_best(
            values,
            |at| std::array::from_fn(|lane| bound(means[at][lane], roots[at][lane])),
            |at| bound(last_means[at], last_roots[at]),
        )
    }
}
