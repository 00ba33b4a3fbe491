//! Positions of Go for the kernels of devices (`crates/gpu/kernels/go.cuh`).

use tesuji_core::{Draws, Encoded, Side};

use super::{Go, GoRules, Superko};
use crate::goban::{PointSet, set_as_words};

impl<S: PointSet> Go<S> {
    /// The position for a device; `None` on boards larger than 10x10.
    pub(super) fn encode(&self) -> Option<Encoded> {
        let size = self.rules.size;
        let stones = |side| set_as_words(self.board.stones(side), size);
        let black = stones(Side::Black)?;
        let side = |side: Side| u32::from(side == Side::White);
        let mut words = vec![side(self.board.to_move) | u32::from(self.passes) << 1];
        words.push(match self.ko.is_none() {
            true => 0,
            false => {
                let ko = set_as_words(self.ko, size)?;
                let word = ko.iter().position(|word| *word != 0).unwrap_or(0);
                32 * word as u32 + ko[word].trailing_zeros() + 1
            }
        });
        words.extend(black);
        words.extend(stones(Side::White)?);
        let hash = self.board.stones_hash();
        words.extend([(hash >> 32) as u32, hash as u32]);
        let boards = match self.rules.superko {
            Superko::Off => Vec::new(),
            _ => self.history.stones().collect(),
        };
        let mut numbers = [0_u32; 4];
        for ([black, white], _) in &boards {
            let n_empty = (size * size) as u32 - black.count() - white.count();
            numbers[n_empty as usize / 32] |= 1 << (n_empty % 32);
        }
        words.extend(numbers);
        words.push(boards.len() as u32);
        for ([black, white], to_move) in boards {
            words.extend(set_as_words(black, size)?);
            words.extend(set_as_words(white, size)?);
            words.push(side(to_move));
        }
        Some(Encoded { kernel: "go", constants: self.rules.kernel_constants(), words })
    }
}

impl GoRules {
    /// The constants of the kernels.
    pub(crate) fn kernel_constants(&self) -> Vec<(&'static str, i64)> {
        vec![
            ("SIZE", self.size as i64),
            ("KOMI", i64::from(self.komi_in_halves)),
            ("SUPERKO", self.superko as i64),
            ("DRAWS", if self.draws == Draws::Half { 1 } else { 2 }),
        ]
    }
}
