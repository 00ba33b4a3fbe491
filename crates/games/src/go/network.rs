//! What networks see of Go.

use tesuji_core::{Draws, NetworkForm, Side};

use super::{Go, GoMove, GoRules};
use crate::goban::PointSet;
use crate::goban::network::N_BOARD_PLANES;
use crate::planes::Planes;

impl GoRules {
    /// The form in which networks see positions of games with these rules.
    pub(crate) fn form(&self) -> NetworkForm {
        let size = self.size;
        NetworkForm {
            encoding: "go/1".to_owned(),
            planes: N_BOARD_PLANES + 2,
            height: size,
            width: size,
            n_logits: size * size + 1,
        }
    }

    /// The number of a move among the logits: points row by row from the bottom left, then the
    /// pass.
    #[inline]
    pub(crate) fn logit_of(&self, mv: GoMove) -> usize {
        match mv {
            GoMove::Stone(vertex) => usize::from(vertex.y) * self.size + usize::from(vertex.x),
            GoMove::Pass => self.size * self.size,
        }
    }

    /// Komi as this side sees it, in units of 16 points, at most 4 of them. If an even score is
    /// Black's win, White's komi is worth half a point less.
    fn komi_for(&self, side: Side) -> f32 {
        let even_is_lost = self.draws == Draws::Black && self.komi_in_halves % 2 == 0;
        let halves = f32::from(self.komi_in_halves) - f32::from(u8::from(even_is_lost));
        let komi = (halves / 32.0).clamp(-4.0, 4.0);
        if side == Side::White { komi } else { -komi }
    }
}

impl<S: PointSet> Go<S> {
    pub(super) fn form(&self) -> NetworkForm {
        self.rules.form()
    }

    /// Writes the planes of the board, komi as the side to move sees it, and whether the last move
    /// was a pass.
    pub(super) fn write(&self, values: &mut [f32]) {
        let mut planes = Planes::new(values, self.rules.size, self.rules.size);
        self.board.write_planes(&mut planes, self.playable());
        planes.constant(self.rules.komi_for(self.board.to_move));
        planes.constant(if self.passes > 0 { 1.0 } else { 0.0 });
    }
}
