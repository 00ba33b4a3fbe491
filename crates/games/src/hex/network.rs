//! What networks see of a position of Hex.

use tesuji_core::{NetworkForm, Side};

use super::{Hex, HexMove, Swap};

/// The number of planes, in this order: own stones, enemy stones, ones.
const PLANES: usize = 3;

impl<const WORDS: usize, const ROWS: usize> Hex<WORDS, ROWS> {
    pub(super) fn form(&self) -> NetworkForm {
        let swap = usize::from(self.swap == Swap::On);
        NetworkForm {
            encoding: if swap == 1 { "hex with swap/1" } else { "hex/1" }.to_owned(),
            planes: PLANES,
            height: self.size(),
            width: self.size(),
            n_logits: self.size() * self.size() + swap,
        }
    }

    /// The number of a cell as the side to move sees it: row by row from the top left, and
    /// transposed for White, so that the side to move connects top to bottom.
    fn seen_cell(&self, x: usize, y: usize) -> usize {
        match self.to_move {
            Side::Black => y * self.size() + x,
            Side::White => x * self.size() + y,
        }
    }

    /// The number of a move: the cell, or the last one for the swap.
    pub(super) fn number(&self, mv: HexMove) -> usize {
        match mv {
            HexMove::Stone { x, y } => self.seen_cell(usize::from(x), usize::from(y)),
            HexMove::Swap => self.size() * self.size(),
        }
    }

    pub(super) fn show(&self, planes: &mut [f32]) {
        let area = self.size() * self.size();
        let (stones, ones) = planes.split_at_mut(2 * area);
        stones.fill(0.0);
        ones.fill(1.0);
        for (number, side) in [self.to_move, !self.to_move].into_iter().enumerate() {
            let words = &self.stones[side.index()];
            for y in 0..self.size() {
                for x in 0..self.size() {
                    let (word, shift) = Self::place(x, y);
                    if words[word] >> shift & 1 == 1 {
                        stones[number * area + self.seen_cell(x, y)] = 1.0;
                    }
                }
            }
        }
    }
}
