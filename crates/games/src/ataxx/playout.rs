//! Uniform playouts of Ataxx.
//!
//! Counting the jumps of a position costs more than everything else in a ply,
//! so they are not counted. Instead a move is drawn from slots: one for each
//! clone, and sixteen for each cell of the smaller of two sets, the own stones
//! (whence a jump goes) and the empty cells (whither it goes). Slot k of a cell
//! is its k-th jump, if it has so many. An empty slot is drawn again: since
//! every move has exactly one slot, each is equally likely. A playout on the
//! board of size 8 needs three draws a ply.

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Playout, Record, Rng, Side};

use super::Ataxx;
use super::tables::{adjacent, code_of_clone, code_of_jump, code_of_pass, neighbours, ring};

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

    #[inline(always)]
    fn ply<I: Isa>(&mut self, side: Side) {
        let empty = self.empty;
        let (own, enemy) = match side {
            Side::Black => (self.black, self.white),
            Side::White => (self.white, self.black),
        };
        let clones = neighbours(own) & empty;
        let n_clones = clones.count_ones();
        if n_clones == 0 && is_stuck(own, empty) {
            self.record.push(code_of_pass(side));
            return;
        }
        let (n_own, n_empty) = (own.count_ones(), empty.count_ones());
        let (from, to) = if n_own < n_empty {
            let slots = Slots { clones, n_clones, near: own, far: empty, n_slots: n_clones + 16 * n_own };
            slots.draw::<I, true>(&mut self.rng)
        } else {
            let slots = Slots { clones, n_clones, near: empty, far: own, n_slots: n_clones + 16 * n_empty };
            slots.draw::<I, false>(&mut self.rng)
        };
        if R::KEEPS {
            self.record.push(if from == 0 {
                code_of_clone(side, to as usize)
            } else {
                code_of_jump(side, from.trailing_zeros() as usize, to as usize)
            });
        }
        let flipped = adjacent(to as usize) & enemy;
        self.empty ^= from | 1 << to;
        let own = own ^ (from | 1 << to | flipped);
        let enemy = enemy ^ flipped;
        (self.black, self.white) = match side {
            Side::Black => (own, enemy),
            Side::White => (enemy, own),
        };
    }
}

struct Slots {
    clones: u64,
    n_clones: u32,
    near: u64,
    far: u64,
    n_slots: u32,
}

impl Slots {
    #[inline(always)]
    fn draw<I: Isa, const FORWARD: bool>(&self, rng: &mut Rng) -> (u64, u32) {
        loop {
            let mut bits = rng.bits();
            for _ in 0..4 {
                if let Some(ends) = self.slot::<I, FORWARD>(bits as u16) {
                    return ends;
                }
                bits >>= 16;
            }
        }
    }

    #[inline(always)]
    fn slot<I: Isa, const FORWARD: bool>(&self, bits: u16) -> Option<(u64, u32)> {
        let product = u32::from(bits) * self.n_slots;
        if u32::from(product as u16) < self.n_slots && is_surplus(product, self.n_slots) {
            return None;
        }
        let slot = product >> 16;
        if slot < self.n_clones {
            return Some((0, I::select(self.clones, slot)));
        }
        let slot = slot - self.n_clones;
        let one = I::select(self.near, slot / 16);
        let other = I::nth_bit(ring(one as usize) & self.far, slot % 16);
        if other == 0 {
            return None;
        }
        Some(if FORWARD { (1 << one, other.trailing_zeros()) } else { (other, one) })
    }
}

#[cold]
#[inline(never)]
fn is_surplus(product: u32, bound: u32) -> bool {
    u32::from(product as u16) < (1 << 16) % bound
}

/// Whether no stone can jump.
#[cold]
#[inline(never)]
fn is_stuck(own: u64, empty: u64) -> bool {
    crate::bits::indices(own).all(|from| ring(from) & empty == 0)
}
