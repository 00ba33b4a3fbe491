//! What networks see of a position of Go.

use tesuji_core::{NetworkForm, Side};

use super::{Go, GoMove};
use crate::goban::PointSet;
use crate::goban::stones::flood;

/// The number of planes, in this order: own stones, enemy stones; own stones in chains with one
/// liberty, with two; enemy stones likewise; empty points where the side to move may not play;
/// ones; komi of the side to move over 16; whether the last move was a pass.
const PLANES: usize = 10;

impl<S: PointSet> Go<S> {
    pub(super) fn form(&self) -> NetworkForm {
        let size = self.rules.size;
        NetworkForm {
            encoding: "go/1".to_owned(),
            planes: PLANES,
            height: size,
            width: size,
            n_logits: size * size + 1,
        }
    }

    /// The number of a move: points row by row from the bottom left, then the pass.
    pub(super) fn number(&self, mv: GoMove) -> usize {
        let size = self.rules.size;
        match mv {
            GoMove::Stone(vertex) => usize::from(vertex.y) * size + usize::from(vertex.x),
            GoMove::Pass => size * size,
        }
    }

    pub(super) fn show(&self, planes: &mut [f32]) {
        let area = self.rules.size * self.rules.size;
        let side = self.board.to_move;
        let empty = self.board.empty();
        planes[..7 * area].fill(0.0);
        let mut mark = |plane: usize, set: S| {
            set.for_each(|index| planes[plane * area + self.board.dense(index)] = 1.0);
        };
        for (number, owner) in [side, !side].into_iter().enumerate() {
            let stones = self.board.stones(owner);
            mark(number, stones);
            let mut rest = stones;
            while !rest.is_none() {
                let chain = flood(S::single(rest.first()), stones);
                match chain.spread().and(empty).count() {
                    1 => mark(2 + 2 * number, chain),
                    2 => mark(3 + 2 * number, chain),
                    _ => {}
                }
                rest = rest.without(chain);
            }
        }
        mark(6, empty.without(self.playable()));
        let komi = f32::from(self.rules.komi_in_halves) / 32.0;
        let constants = [1.0, if side == Side::White { komi } else { -komi }, f32::from(self.passes.min(1))];
        for (plane, constant) in planes[7 * area..].chunks_exact_mut(area).zip(constants) {
            plane.fill(constant);
        }
    }
}
