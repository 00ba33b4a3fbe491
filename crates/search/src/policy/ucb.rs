//! UCB1 in every node: UCT (Kocsis, Szepesvári 2006).

use tesuji_core::isa::{Isa, Kernel, dispatch};

use super::argmax::{Best, LANES};
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

    /// c² ln N
    fn explored(&self, node: &View<'_>) -> f32 {
        (self.c * self.c * libm::log(f64::from(node.visits.max(1)))) as f32
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
        let explored = self.explored(node);
        for ((value, &count), &sum) in values.iter_mut().zip(node.counts).zip(node.sums) {
            *value = if count == 0 { f32::INFINITY } else { bound(count, sum, explored) };
        }
    }

    fn select(&self, node: &View<'_>, _: &mut [f32]) -> usize {
        dispatch(Select { counts: node.counts, sums: node.sums, explored: self.explored(node) })
    }
}

/// The bound of a move with visits.
#[inline(always)]
fn bound(count: u32, sum: f32, explored: f32) -> f32 {
    // Counts stay below 2²⁴: as signed numbers they convert in one instruction.
    let share = 1.0 / count as i32 as f32;
    sum * share + (explored * share).sqrt()
}

/// The move with the greatest bound. All have visits.
struct Select<'a> {
    counts: &'a [u32],
    sums: &'a [f32],
    /// c² ln N
    explored: f32,
}

impl Kernel for Select<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self) -> usize {
        let Select { counts, sums, explored } = self;
        let (counts, last_counts) = counts.as_chunks::<LANES>();
        let (sums, last_sums) = sums.as_chunks::<LANES>();
        let mut best = Best::new();
        for (group, (counts, sums)) in counts.iter().zip(sums).enumerate() {
            best.see(group, std::array::from_fn(|lane| bound(counts[lane], sums[lane], explored)));
        }
        let rest = last_counts.iter().zip(last_sums).map(|(&count, &sum)| bound(count, sum, explored));
        best.place(counts.len(), rest)
    }
}
