//! What networks see of Ataxx.

use tesuji_core::{Draws, Game, NetworkForm, Side};

use super::tables::{N_DIRECTIONS, direction};
use super::{Ataxx, AtaxxMove};
use crate::bits::{STRIDE, cell};
use crate::planes::Planes;

impl Ataxx {
    pub(super) fn form(&self) -> NetworkForm {
        let size = self.rules.size;
        NetworkForm {
            encoding: "ataxx/1".to_owned(),
            planes: 4,
            height: size,
            width: size,
            n_logits: (1 + N_DIRECTIONS) * size * size + 1,
        }
    }

    /// Writes the stones of the side to move, those of the enemy, ones, and what an even count is
    /// to the side to move: 1 for a win, -1 for a loss, 0 for a draw.
    pub(super) fn write(&self, values: &mut [f32]) {
        let mut planes = Planes::new(values, self.rules.size, self.rules.size);
        for stones in [self.own(), self.enemy()] {
            planes.rows(|y| (stones >> (STRIDE * y)) as u32);
        }
        planes.constant(1.0);
        planes.constant(match (self.rules.draws, self.to_move()) {
            (Draws::Half, _) => 0.0,
            (Draws::Black, Side::Black) => 1.0,
            (Draws::Black, Side::White) => -1.0,
        });
    }

    /// The number of a move among the logits: clones by their cell, then the jumps of each
    /// direction by the cell that they end on, then the pass.
    #[inline]
    pub(super) fn logit_of(&self, mv: AtaxxMove) -> usize {
        let size = self.rules.size;
        let number = |index: u8| {
            let (x, y) = cell(index.into());
            y * size + x
        };
        match mv {
            AtaxxMove::Clone { to } => number(to),
            AtaxxMove::Jump { from, to } => {
                (1 + direction(from.into(), to.into())) * size * size + number(to)
            }
            AtaxxMove::Pass => (1 + N_DIRECTIONS) * size * size,
        }
    }
}
