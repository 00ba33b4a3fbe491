//! What networks see of Hex.

use tesuji_core::{NetworkForm, Side};

use super::{Hex, HexMove, Swap};
use crate::planes::Planes;

impl<const WORDS: usize, const ROWS: usize> Hex<WORDS, ROWS> {
    pub(super) fn form(&self) -> NetworkForm {
        let (size, cells) = (self.size(), self.size() * self.size());
        let (encoding, n_logits) = match self.swap {
            Swap::Off => ("hex/1", cells),
            Swap::On => ("hex with swap/1", cells + 1),
        };
        NetworkForm { encoding: encoding.to_owned(), planes: 3, height: size, width: size, n_logits }
    }

    /// Writes the stones of the side to move, those of the enemy, and ones. The side to move
    /// connects the first row to the last: White sees the board with rows and columns exchanged.
    pub(super) fn write(&self, values: &mut [f32]) {
        let mut planes = Planes::new(values, self.size(), self.size());
        for side in [self.to_move, !self.to_move] {
            let stones = &self.stones[side.index()];
            let row = |y: usize| {
                let (word, shift) = Self::place(0, y);
                (stones[word] >> shift) as u32
            };
            match self.to_move {
                Side::Black => planes.rows(row),
                Side::White => planes.columns(row),
            }
        }
        planes.constant(1.0);
    }

    /// The number of a move of this side among the logits.
    #[inline]
    pub(super) fn logit_of(&self, side: Side, mv: HexMove) -> usize {
        let size = self.size();
        match (mv, side) {
            (HexMove::Stone { x, y }, Side::Black) => usize::from(y) * size + usize::from(x),
            (HexMove::Stone { x, y }, Side::White) => usize::from(x) * size + usize::from(y),
            (HexMove::Swap, _) => size * size,
        }
    }
}
