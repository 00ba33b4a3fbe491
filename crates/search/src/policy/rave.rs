//! Means mixed with AMAF statistics: RAVE (Gelly, Silver 2007) and GRAVE
//! (Cazenave 2015). There is no exploration term.

use tesuji_core::Side;
use tesuji_core::isa::{Isa, Kernel, dispatch};

use super::argmax::{LANES, first_best};
use super::{TreePolicy, View};
use crate::config::AmafMoves;
use crate::tree::Keeps;

/// `(1−β)·mean + β·AMAF` with `β = s/(s + t + bias·s·t)`; a move with neither
/// visits nor AMAF samples comes first.
#[inline(always)]
fn mixed(count: u32, sum: f32, amaf_count: u32, amaf_sum: f32, bias: f32) -> f32 {
    // With t visits, w their wins, s AMAF samples and v theirs, the value is
    // (s + t + bias·s·t)⁻¹ · ((1 + bias·s)·w + v): one division, and no case for t = 0.
    let (t, s) = (count as i32 as f32, amaf_count as i32 as f32);
    let factor = 1.0 + bias * s;
    let value = (factor * sum + amaf_sum) / (s + factor * t);
    if count + amaf_count == 0 { f32::INFINITY } else { value }
}

/// RAVE: the AMAF statistics of the node itself.
pub(super) struct RavePolicy {
    bias: f32,
    amaf: AmafMoves,
}

impl RavePolicy {
    pub(super) fn new(bias: f64, amaf: AmafMoves) -> RavePolicy {
        RavePolicy { bias: bias as f32, amaf }
    }
}

impl TreePolicy for RavePolicy {
    fn keeps(&self) -> Keeps {
        Keeps { move_amaf: true, ..Keeps::default() }
    }

    fn fill(&self, node: &View<'_>, values: &mut [f32]) {
        for (at, value) in values.iter_mut().enumerate() {
            *value =
                mixed(node.counts[at], node.sums[at], node.amaf_counts[at], node.amaf_sums[at], self.bias);
        }
    }

    fn select(&self, node: &View<'_>, values: &mut [f32]) -> usize {
        dispatch(SelectRave { node, bias: self.bias, values })
    }

    fn amaf_moves(&self) -> AmafMoves {
        self.amaf
    }
}

/// The move with the greatest value.
struct SelectRave<'a, 'b> {
    node: &'a View<'b>,
    bias: f32,
    values: &'a mut [f32],
}

impl Kernel for SelectRave<'_, '_> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self) -> usize {
        let SelectRave { node, bias, values } = self;
        let n = values.len();
        let (counts, last_counts) = node.counts[..n].as_chunks::<LANES>();
        let (sums, last_sums) = node.sums[..n].as_chunks::<LANES>();
        let (amaf_counts, last_amaf_counts) = node.amaf_counts[..n].as_chunks::<LANES>();
        let (amaf_sums, last_amaf_sums) = node.amaf_sums[..n].as_chunks::<LANES>();
        first_best(
            values,
            |at| {
                let (t, w, s, v) = (&counts[at], &sums[at], &amaf_counts[at], &amaf_sums[at]);
                std::array::from_fn(|lane| mixed(t[lane], w[lane], s[lane], v[lane], bias))
            },
            |at| mixed(last_counts[at], last_sums[at], last_amaf_counts[at], last_amaf_sums[at], bias),
        )
    }
}

/// GRAVE: the AMAF statistics of the nearest node on the path with enough visits.
pub(super) struct GravePolicy {
    reference: u32,
    bias: f32,
    amaf: AmafMoves,
}

impl GravePolicy {
    pub(super) fn new(reference: u32, bias: f64, amaf: AmafMoves) -> GravePolicy {
        GravePolicy { reference, bias: bias as f32, amaf }
    }
}

impl TreePolicy for GravePolicy {
    fn keeps(&self) -> Keeps {
        Keeps { code_amaf: true, ..Keeps::default() }
    }

    fn fill(&self, node: &View<'_>, values: &mut [f32]) {
        // Tables hold Black's rewards.
        let (sign, base) = if node.side == Side::Black { (1.0, 0.0) } else { (-1.0, 1.0) };
        for (at, value) in values.iter_mut().enumerate() {
            let code = node.codes[at] as usize;
            let samples = node.table_counts[code];
            let reward = base * samples as i32 as f32 + sign * node.table_sums[code];
            *value = mixed(node.counts[at], node.sums[at], samples, reward, self.bias);
        }
    }

    fn reference(&self) -> u32 {
        self.reference
    }

    fn amaf_moves(&self) -> AmafMoves {
        self.amaf
    }
}
