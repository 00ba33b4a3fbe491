//! Uniform playouts of Domineering.
//!
//! The board is one word of empty cells. A ply is a shift and an `and` (all
//! places for a domino), a count, a draw below it, a selection, and two bits
//! cleared. One draw of random bits serves both sides of a turn. The number of
//! plies is read from the covered cells at the end.

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Outcome, Playout, Record, Rng, Side};

use super::{Domineering, code, places, shape};

/// A playout that waits for its instruction set.
pub(super) struct Uniform<'a, R> {
    pub(super) game: &'a Domineering,
    pub(super) rng: &'a mut Rng,
    pub(super) record: &'a mut R,
}

impl<R: Record> Kernel for Uniform<'_, R> {
    type Output = Playout;

    #[inline(always)]
    fn run<I: Isa>(self) -> Playout {
        let start = self.game.empty();
        // The generator's copy can live in registers, which the caller's cannot.
        let mut play = Play { empty: start, rng: self.rng.clone(), record: self.record };
        let loser = play.loser::<I>(self.game.to_move);
        *self.rng = play.rng;
        let plies = (start.count_ones() - play.empty.count_ones()) / 2;
        Playout { outcome: Outcome::Win(!loser), plies }
    }
}

struct Play<'a, R> {
    empty: u64,
    rng: Rng,
    record: &'a mut R,
}

impl<R: Record> Play<'_, R> {
    /// Plays until the side to move has no move, and says which side that is.
    #[inline(always)]
    fn loser<I: Isa>(&mut self, to_move: Side) -> Side {
        if to_move == Side::Black {
            let bits = self.rng.bits();
            if !self.ply::<I>(Side::Black, bits as u32) {
                return Side::Black;
            }
        }
        loop {
            let bits = self.rng.bits();
            if !self.ply::<I>(Side::White, bits as u32) {
                return Side::White;
            }
            if !self.ply::<I>(Side::Black, (bits >> 32) as u32) {
                return Side::Black;
            }
        }
    }

    /// Lays a random domino of `side`, unless it has no place for one.
    #[inline(always)]
    fn ply<I: Isa>(&mut self, side: Side, bits: u32) -> bool {
        let places = places(side, self.empty);
        if places == 0 {
            return false;
        }
        let rank = self.rng.below_from(bits, places.count_ones());
        let first = I::select(places, rank);
        self.empty &= !(shape(side) << first);
        self.record.push(code(side, first));
        true
    }
}
