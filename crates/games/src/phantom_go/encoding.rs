//! Views of Phantom Go for the kernels of devices (`crates/gpu/kernels/phantom_go.cuh`).

use tesuji_core::{Encoded, Side, View};

use super::GoView;
use crate::goban::{PointSet, set_as_words};

impl<S: PointSet> GoView<S> {
    /// The view for a device; `None` on boards larger than 10x10, and if it is the enemy's turn.
    pub(super) fn encode(&self) -> Option<Encoded> {
        if self.to_move() != self.side {
            return None;
        }
        let side = u32::from(self.side == Side::White);
        let mut words = vec![side | u32::from(self.passes) << 1, self.n_hidden()];
        for set in [self.mine(), self.marks(), self.refused, self.vacated] {
            words.extend(set_as_words(set, self.rules.size)?);
        }
        Some(Encoded { kernel: "phantom_go", constants: self.rules.kernel_constants(), words })
    }
}
