//! What networks see of a race.

use tesuji_core::{NetworkForm, Side};

use super::{Piece, Race, RaceMove};

/// The number of planes, in this order: own pieces, enemy pieces, ones.
const PLANES: usize = 3;

impl<P: Piece> Race<P> {
    pub(super) fn form(&self) -> NetworkForm {
        let (width, height) = (self.width(), self.height());
        NetworkForm {
            encoding: format!("{}/1", P::GAME),
            planes: PLANES,
            height,
            width,
            n_logits: P::STEPS.len() * width * height,
        }
    }

    /// The number of a square as the side to move sees it: row by row from its own home row, the
    /// board turned by half a turn for Black, so that the side to move goes up.
    fn cell(&self, square: usize) -> usize {
        let cell = square / 8 * self.width() + square % 8;
        match self.to_move {
            Side::White => cell,
            Side::Black => self.width() * self.height() - 1 - cell,
        }
    }

    /// The number of a move: its direction as the side to move sees it, then the square that it
    /// leaves. Both sides go along the same lines, so a turned line is the line itself.
    pub(super) fn number(&self, mv: RaceMove) -> usize {
        usize::from(mv.line) * self.width() * self.height() + self.cell(usize::from(mv.from))
    }

    pub(super) fn show(&self, planes: &mut [f32]) {
        let area = self.width() * self.height();
        let (pieces, ones) = planes.split_at_mut(2 * area);
        pieces.fill(0.0);
        ones.fill(1.0);
        for (number, side) in [self.to_move, !self.to_move].into_iter().enumerate() {
            let mut left = self.pieces[side.index()];
            while left != 0 {
                pieces[number * area + self.cell(left.trailing_zeros() as usize)] = 1.0;
                left &= left - 1;
            }
        }
    }
}
