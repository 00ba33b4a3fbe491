//! What networks see of a race.

use tesuji_core::{NetworkForm, Side};

use super::{Piece, Race, RaceMove};
use crate::planes::Planes;

impl<P: Piece> Race<P> {
    pub(super) fn form(&self) -> NetworkForm {
        let (height, width) = (self.height(), self.width());
        let encoding = format!("{}/1", P::GAME.to_lowercase());
        NetworkForm { encoding, planes: 3, height, width, n_logits: P::STEPS.len() * height * width }
    }

    /// Writes the pieces of the side to move, those of the enemy, and ones. The first row is the
    /// one farthest from the goal of the side to move: Black sees the board turned by half a turn.
    pub(super) fn write(&self, values: &mut [f32]) {
        let mut planes = Planes::new(values, self.height(), self.width());
        for side in [self.to_move, !self.to_move] {
            let pieces = self.pieces[side.index()];
            let seen = match self.to_move {
                Side::White => pieces,
                // Of a smaller board, the turned word has the cells at its upper end.
                Side::Black => pieces.reverse_bits() >> (63 - self.last_square()),
            };
            planes.rows(|y| (seen >> (8 * y)) as u32);
        }
        planes.constant(1.0);
    }

    /// The number of a move among the logits: the step, then the square that the piece leaves. A
    /// half turn makes of Black's way along a line White's way along a line of the same kind.
    #[inline]
    pub(super) fn logit_of(&self, mv: RaceMove) -> usize {
        let from = match self.to_move {
            Side::White => usize::from(mv.from),
            Side::Black => self.last_square() - usize::from(mv.from),
        };
        let cell = from / 8 * self.width() + from % 8;
        usize::from(mv.line) * self.width() * self.height() + cell
    }

    /// The bit of the upper right corner.
    #[inline]
    fn last_square(&self) -> usize {
        8 * (self.height() - 1) + self.width() - 1
    }
}
