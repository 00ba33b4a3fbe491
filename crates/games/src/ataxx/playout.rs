//! Uniform playouts of Ataxx.
//!
//! Counting the jumps of a position costs more than everything else in a ply,
//! so they are not counted. Instead a move is drawn from slots: one for each
//! empty cell, filled if a stone can be cloned to it, and sixteen for each cell
//! of the smaller of two sets, the own stones (whence jumps go) and the empty
//! cells (whither they go). Slot k of a cell is filled by its k-th jump, if it
//! has so many. Who draws an empty slot draws again. Every move fills exactly
//! one slot, so each is equally likely. On the board of size 8 that takes about
//! three draws a ply.
//!
//! Six draws come from one random word, as in Brackett-Rozinsky and Lemire,
//! "Batched ranged random integer generation" (2024): the word is a fraction of
//! 1, times the number of slots n its whole part is a slot and the rest the next
//! fraction. So the word times n⁶ is the number of a tuple of six slots, and one
//! test of the rest after that makes all tuples equally likely, exactly as for a
//! single number ([`Rng::below`]).

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Playout, Record, Rng, Side};

use super::Ataxx;
use super::tables::{adjacent, code_of_clone, code_of_jump, code_of_pass, neighbours, ring};
use crate::bits::indices;

/// A playout that waits for its instruction set.
pub(super) struct Uniform<'a, R> {
    pub(super) game: &'a Ataxx,
    pub(super) rng: &'a mut Rng,
    pub(super) record: &'a mut R,
}

impl<R: Record> Kernel for Uniform<'_, R> {
    type Output = Playout;

    #[inline(always)]
    fn run<I: Isa>(self) -> Playout {
        let game = self.game;
        let [black, white] = game.stones;
        // The generator's copy can live in registers, which the caller's cannot.
        let mut play = Play { black, white, empty: game.empty(), rng: self.rng.clone(), record: self.record };
        let most = game.rules.ply_cap.saturating_sub(game.plies);
        let left = play.run::<I>(game.plies % 2 == 1, most);
        *self.rng = play.rng;
        let difference = play.black.count_ones() as i32 - play.white.count_ones() as i32;
        Playout { outcome: game.rules.draws.decide(difference), plies: most - left }
    }
}

struct Play<'a, R> {
    black: u64,
    white: u64,
    empty: u64,
    rng: Rng,
    record: &'a mut R,
}

impl<R: Record> Play<'_, R> {
    /// Plays to the end, but at most `left` plies, and says how many were left.
    #[inline(always)]
    fn run<I: Isa>(&mut self, black_begins: bool, mut left: u32) -> u32 {
        if self.empty == 0 || self.black == 0 || self.white == 0 || left == 0 {
            return left;
        }
        if black_begins {
            self.ply::<I>(Side::Black);
            left -= 1;
            if left == 0 || self.empty == 0 || self.white == 0 {
                return left;
            }
        }
        loop {
            self.ply::<I>(Side::White);
            left -= 1;
            if left == 0 || self.empty == 0 || self.black == 0 {
                return left;
            }
            self.ply::<I>(Side::Black);
            left -= 1;
            if left == 0 || self.empty == 0 || self.white == 0 {
                return left;
            }
        }
    }

    /// Plays a random move of `side`, whose turn it is in a game that is not over.
    #[inline(always)]
    fn ply<I: Isa>(&mut self, side: Side) {
        let empty = self.empty;
        let (own, enemy) = match side {
            Side::Black => (self.black, self.white),
            Side::White => (self.white, self.black),
        };
        let (n_own, n_empty) = (own.count_ones(), empty.count_ones());
        let drawn = if n_own < n_empty {
            self.draw::<I, true>(own, empty, 16 * n_own, n_empty)
        } else {
            self.draw::<I, false>(own, empty, 16 * n_empty, n_empty)
        };
        let Some((from, to)) = drawn else {
            self.record.push(code_of_pass(side));
            return;
        };
        if R::KEEPS {
            self.record.push(match from {
                0 => code_of_clone(side, to as usize),
                _ => code_of_jump(side, from.trailing_zeros() as usize, to as usize),
            });
        }
        let moved = from | 1 << to;
        let flipped = adjacent(to as usize) & enemy;
        self.empty = empty ^ moved;
        let (own, enemy) = (own ^ (moved | flipped), enemy ^ flipped);
        (self.black, self.white) = match side {
            Side::Black => (own, enemy),
            Side::White => (enemy, own),
        };
    }

    /// Draws a move: the bit that a jump leaves, or 0 for a clone, and the index
    /// of the cell it goes to. `None` is a pass. The slots of jumps are those of
    /// the own stones if `FORWARD`, otherwise those of the empty cells; the caller
    /// has counted both to choose, and passes the counts on.
    #[inline(always)]
    fn draw<I: Isa, const FORWARD: bool>(
        &mut self,
        own: u64,
        empty: u64,
        n_jumps: u32,
        n_empty: u32,
    ) -> Option<(u64, u32)> {
        let (near, far) = if FORWARD { (own, empty) } else { (empty, own) };
        let n_slots = u64::from(n_jumps + n_empty);
        loop {
            let mut fraction = self.fraction(n_slots);
            for _ in 0..SLOTS_A_WORD {
                let product = u128::from(fraction) * u128::from(n_slots);
                let slot = (product >> 64) as u32;
                fraction = product as u64;
                if slot >= n_jumps {
                    let to = I::select(empty, slot - n_jumps);
                    if adjacent(to as usize) & own != 0 {
                        return Some((0, to));
                    }
                    continue;
                }
                let one = I::select(near, slot / 16);
                let other = I::pick(ring(one as usize) & far, 1 << (slot % 16));
                if other != 0 {
                    return Some(if FORWARD { (1 << one, other.trailing_zeros()) } else { (other, one) });
                }
            }
            // So many empty slots are either bad luck or all there is.
            if is_stuck(own, empty) {
                return None;
            }
        }
    }

    /// A random word from which all tuples of slots are equally likely.
    #[inline(always)]
    fn fraction(&mut self, n_slots: u64) -> u64 {
        // The smaller set has at most 31 cells, so n_slots is below 2¹⁰.
        let n_tuples = n_slots.pow(SLOTS_A_WORD);
        loop {
            let bits = self.rng.bits();
            let rest = bits.wrapping_mul(n_tuples);
            if rest >= n_tuples || !is_surplus(rest, n_tuples) {
                return bits;
            }
        }
    }
}

/// How many slots are drawn from one random word.
const SLOTS_A_WORD: u32 = 6;

/// Whether a tuple with this rest would be drawn once too often: there are
/// 2⁶⁴ mod `n_tuples` such rests, the smallest ones.
#[cold]
#[inline(never)]
fn is_surplus(rest: u64, n_tuples: u64) -> bool {
    rest < n_tuples.wrapping_neg() % n_tuples
}

/// Whether the side with these stones has no move.
#[cold]
#[inline(never)]
fn is_stuck(own: u64, empty: u64) -> bool {
    neighbours(own) & empty == 0 && indices(own).all(|from| ring(from) & empty == 0)
}

#[cfg(test)]
mod tests {
    use super::is_surplus;

    /// 2⁶⁴ mod 3⁶ is 619, and 2⁶⁴ mod 2⁶ is 0.
    #[test]
    fn surplus_words_are_as_many_as_the_remainder() {
        assert!(is_surplus(618, 729) && !is_surplus(619, 729));
        assert!(!is_surplus(0, 64));
    }
}
