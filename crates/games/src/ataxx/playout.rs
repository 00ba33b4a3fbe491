//! Uniform playouts of Ataxx.
//!
//! Counting the jumps of a position costs more than everything else in a ply,
//! so they are not counted. Instead a move is drawn from slots: sixteen for each
//! cell of the smaller of two sets, the own stones (whence jumps go) and the
//! empty cells (whither they go), and one for each empty cell, filled if a stone
//! can be cloned to it. Slot k of a cell is filled by its k-th jump, if it has so
//! many. Who draws an empty slot draws again. Every move fills exactly one slot,
//! so each is equally likely. On the board of size 8 that takes about three draws
//! a ply.
//!
//! While nearly all cells are empty, most of them are out of reach of clones, and
//! the slots of these are worth counting. So a playout has two phases.
//!
//! Seven draws come from one random word, as in Brackett-Rozinsky and Lemire,
//! "Batched ranged random integer generation" (2024): the word is a fraction of
//! 1, times the number of slots n its whole part is a slot and the rest the next
//! fraction. So the word times n⁷ is the number of a tuple of seven slots, and one
//! test of the rest after that makes all tuples equally likely, exactly as for a
//! single number ([`Rng::below`]).

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Game, Playout, Record, Rng, Side};

use super::Ataxx;
use super::tables::{
    SLOTS_A_WORD, adjacent, code_of_clone, code_of_jump, code_of_pass, n_tuples, n_tuples_by_17, neighbours,
    ring,
};
use crate::Codes;
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
        let most = game.rules.ply_cap.saturating_sub(game.plies);
        // The generator's copy can live in registers, which the caller's cannot.
        let mut play = Play {
            own: game.own(),
            enemy: game.enemy(),
            empty: game.empty(),
            rng: self.rng.clone(),
            record: self.record,
            sources: if game.rules.codes == Codes::To { 0 } else { u64::MAX },
        };
        let (side, left) = play.phase::<I, true>(game.to_move(), most);
        let (side, left) = play.phase::<I, false>(side, left);
        *self.rng = play.rng;
        let difference = play.own.count_ones() as i32 - play.enemy.count_ones() as i32;
        let difference = if side == Side::Black { difference } else { -difference };
        Playout { outcome: game.rules.draws.decide(difference), plies: most - left }
    }
}

/// A position, from the view of the side to move.
struct Play<'a, R> {
    own: u64,
    enemy: u64,
    empty: u64,
    rng: Rng,
    record: &'a mut R,
    /// The cells that the code of a jump from there tells apart: all or none.
    sources: u64,
}

/// The early phase lasts as long as this many cells are empty.
const EARLY: u32 = 52;

impl<R: Record> Play<'_, R> {
    /// Plays to the end of a phase, `side` first, but at most `left` plies. Says
    /// who is to move then, and how many plies were left.
    #[inline(always)]
    fn phase<I: Isa, const IS_EARLY: bool>(&mut self, side: Side, mut left: u32) -> (Side, u32) {
        // Two plies a round, after which the words are in the same registers.
        loop {
            if IS_EARLY && self.empty.count_ones() < EARLY {
                return (side, left);
            }
            if left == 0 || !self.ply::<I, IS_EARLY>(side) {
                return (side, left);
            }
            left -= 1;
            if left == 0 || !self.ply::<I, IS_EARLY>(!side) {
                return (!side, left);
            }
            left -= 1;
        }
    }

    /// Plays a random move of `side`, whose turn it is, or says that the game is
    /// over: the board is full, or the side has no stones. That the other side
    /// has some needs no test, as it has just moved, or both have the first ones.
    #[inline(always)]
    fn ply<I: Isa, const IS_EARLY: bool>(&mut self, side: Side) -> bool {
        let Play { own, enemy, empty, .. } = *self;
        let (n_own, n_empty) = (own.count_ones(), empty.count_ones());
        let drawn = if IS_EARLY || n_own < n_empty {
            if n_own == 0 {
                return false;
            }
            self.draw_forward::<I, IS_EARLY>(own, empty, n_own)
        } else {
            if n_empty == 0 {
                return false;
            }
            self.draw_backward::<I>(own, empty, n_empty)
        };
        (self.own, self.enemy) = (enemy, own);
        let Some((from, to)) = drawn else {
            self.record.push(code_of_pass(side));
            return true;
        };
        if R::KEEPS {
            self.record.push(match from & self.sources {
                0 => code_of_clone(side, to as usize),
                _ => code_of_jump(side, from.trailing_zeros() as usize, to as usize),
            });
        }
        let moved = from | 1 << to;
        let flipped = adjacent(to as usize) & enemy;
        self.empty = empty ^ moved;
        (self.own, self.enemy) = (enemy ^ flipped, own ^ (moved | flipped));
        true
    }

    /// Draws a move: the bit that a jump leaves, or 0 for a clone, and the index
    /// of the cell it goes to. `None` is a pass. The slots of jumps are those of
    /// the own stones; the caller has counted them.
    #[inline(always)]
    fn draw_forward<I: Isa, const IS_EARLY: bool>(
        &mut self,
        own: u64,
        empty: u64,
        n_own: u32,
    ) -> Option<(u64, u32)> {
        let clones = if IS_EARLY { neighbours(own) & empty } else { empty };
        let n_clones = clones.count_ones();
        let n_slots = 16 * n_own + n_clones;
        loop {
            let mut fraction = self.rng.fair_bits(n_tuples(n_slots));
            for _ in 0..SLOTS_A_WORD {
                let slot = whole_part(&mut fraction, n_slots);
                let Some(slot) = slot.checked_sub(n_clones) else {
                    let to = I::select(clones, slot);
                    if IS_EARLY || adjacent(to as usize) & own != 0 {
                        return Some((0, to));
                    }
                    continue;
                };
                let from = I::select(own, slot / 16);
                let to = I::pick(ring(from as usize) & empty, 1 << (slot % 16));
                if to != 0 {
                    return Some((1 << from, to.trailing_zeros()));
                }
            }
            if is_stuck(own, empty, fraction) {
                return None;
            }
        }
    }

    /// Like [`draw_forward`](Play::draw_forward), but the slots of jumps are those
    /// of the empty cells. Then each cell has seventeen slots with that of the
    /// clone, the last, and a slot is drawn as a cell and one of seventeen.
    #[inline(always)]
    fn draw_backward<I: Isa>(&mut self, own: u64, empty: u64, n_empty: u32) -> Option<(u64, u32)> {
        loop {
            let mut fraction = self.rng.fair_bits(n_tuples_by_17(n_empty));
            for _ in 0..SLOTS_A_WORD {
                let to = I::select(empty, whole_part(&mut fraction, n_empty));
                let slot = whole_part(&mut fraction, 17);
                let from = I::pick(ring(to as usize) & own, 1 << slot);
                if from != 0 || (slot == 16 && adjacent(to as usize) & own != 0) {
                    return Some((from, to));
                }
            }
            if is_stuck(own, empty, fraction) {
                return None;
            }
        }
    }
}

/// The whole part of a fraction times `n`; the rest is the next fraction.
#[inline(always)]
fn whole_part(fraction: &mut u64, n: u32) -> u32 {
    let product = u128::from(*fraction) * u128::from(n);
    *fraction = product as u64;
    (product >> 64) as u32
}

/// Whether the side with these stones has no move. Asked after all slots drawn
/// from a word were empty, which is either bad luck or all there is, and mostly
/// bad luck: so it looks only if the fraction left over is small, one time in
/// four, and otherwise says no.
#[cold]
#[inline(never)]
fn is_stuck(own: u64, empty: u64, fraction: u64) -> bool {
    fraction < 1 << 62 && neighbours(own) & empty == 0 && indices(own).all(|from| ring(from) & empty == 0)
}
