//! UCB1 in every node: UCT (Kocsis, Szepesvári 2006).

use tesuji_core::isa::{Isa, Kernel, dispatch};

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
}

impl TreePolicy for UcbPolicy {
    fn keeps(&self) -> Keeps {
        Keeps::default()
    }

    fn tries_each_first(&self) -> bool {
        true
    }

    fn fill(&self, node: &View<'_>, values: &mut [f32]) {
        let explored = (self.c * self.c * libm::log(f64::from(node.visits.max(1)))) as f32;
        dispatch(Fill { counts: node.counts, sums: node.sums, explored, values });
    }
}

struct Fill<'a> {
    counts: &'a [u32],
    sums: &'a [f32],
    /// c² ln N
    explored: f32,
    values: &'a mut [f32],
}

impl Kernel for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let Fill { counts, sums, explored, values } = self;
        for ((value, &count), &sum) in values.iter_mut().zip(counts).zip(sums) {
            // Counts stay below 2²⁴: as signed numbers they convert in one instruction.
            let share = 1.0 / count as i32 as f32;
            let bound = sum * share + (explored * share).sqrt();
            *value = if count == 0 { f32::INFINITY } else { bound };
        }
    }
}
