//! What networks see of Domineering.

use tesuji_core::{NetworkForm, Side};

use super::{Domineering, Domino};
use crate::bits::{cell, rectangle};
use crate::planes::Planes;

impl Domineering {
    pub(super) fn form(&self) -> NetworkForm {
        let side = self.frame();
        NetworkForm {
            encoding: "domineering/1".to_owned(),
            planes: 2,
            height: side,
            width: side,
            n_logits: side * side,
        }
    }

    /// The sides of the planes: a square, so that a board that is none fits in upright and lying.
    #[inline]
    fn frame(&self) -> usize {
        self.width().max(self.height())
    }

    /// Writes the covered cells and the cells of the board. The side to move lays vertical
    /// dominoes: Black sees the board with rows and columns exchanged.
    pub(super) fn write(&self, values: &mut [f32]) {
        let mut planes = Planes::new(values, self.frame(), self.frame());
        for cells in [self.covered[0] | self.covered[1], rectangle(self.width(), self.height())] {
            let row = |y: usize| (cells >> (8 * y)) as u32;
            match self.to_move {
                Side::White => planes.rows(row),
                Side::Black => planes.columns(row),
            }
        }
    }

    /// The number of a domino among the logits: its cell in the first of its rows.
    #[inline]
    pub(super) fn logit_of(&self, domino: Domino) -> usize {
        let (x, y) = cell(domino.first.into());
        match self.to_move {
            Side::White => y * self.frame() + x,
            Side::Black => x * self.frame() + y,
        }
    }
}
