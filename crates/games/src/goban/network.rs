//! What networks see of a Go board.

use super::PointSet;
use super::board::Board;
use super::stones::chains_of_one_or_two;
use crate::planes::Planes;

/// The planes that [`Board::write_planes`] writes.
pub(crate) const N_BOARD_PLANES: usize = 8;

impl<S: PointSet> Board<S> {
    /// Writes the stones of the side to move and of the enemy, the own stones with one liberty and
    /// with two, the enemy's with one and with two, the empty points that are not `playable`, and
    /// ones. The first row is the lowest of the board.
    pub(crate) fn write_planes(&self, planes: &mut Planes<'_>, playable: S) {
        let empty = self.empty();
        let (own, enemy) = (self.stones(self.to_move), self.stones(!self.to_move));
        let [own_one, own_two] = chains_of_one_or_two(own, empty);
        let [enemy_one, enemy_two] = chains_of_one_or_two(enemy, empty);
        for set in [own, enemy, own_one, own_two, enemy_one, enemy_two, empty.without(playable)] {
            planes.rows(|y| {
                let word = set.word_in_order(y / S::ROWS);
                (word >> (y % S::ROWS * S::STRIDE)) as u32
            });
        }
        planes.constant(1.0);
    }
}
