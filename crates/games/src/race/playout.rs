//! Random races.
//!
//! A ply costs some 45 instructions and has no branch that chance decides. For
//! each line one word holds the lower squares of its moves. The number of a
//! move below their total picks a bit in exactly one of these words, and none
//! in the others (see [`Isa::pick`]), so the words are searched all at once and
//! the results added. White and Black are written out in turn, so that every
//! shift is a constant, and one draw of 64 bits serves four plies.

use std::convert::Infallible;
use std::ops::ControlFlow;

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Outcome, Playout, Record, Rng, Side};

use super::lines::{Lines, MOST_STEPS, first_kind};
use super::{Piece, Race};

/// A playout about to begin.
pub(super) struct RandomRace<'a, P: Piece, R: Record> {
    pub(super) race: &'a Race<P>,
    pub(super) rng: &'a mut Rng,
    pub(super) record: &'a mut R,
}

impl<P: Piece, R: Record> Kernel for RandomRace<'_, P, R> {
    type Output = Playout;

    #[inline(always)]
    fn run<I: Isa>(self) -> Playout {
        let RandomRace { race, rng, record } = self;
        if let Some(winner) = race.arrived() {
            return Playout { outcome: Outcome::Win(winner), plies: 0 };
        }
        // A copy can live in registers; it is written back at the end.
        let mut field =
            Field::<P, R> { race, lines: race.lines(), pieces: race.pieces, rng: rng.clone(), record };
        let ControlFlow::Break(End { winner, plies }) = field.run::<I>(race.to_move);
        *rng = field.rng;
        Playout { outcome: Outcome::Win(winner), plies }
    }
}

struct Field<'a, P: Piece, R: Record> {
    race: &'a Race<P>,
    lines: Lines,
    pieces: [u64; 2],
    rng: Rng,
    record: &'a mut R,
}

impl<P: Piece, R: Record> Field<'_, P, R> {
    /// Plays until it breaks with the end.
    #[inline(always)]
    fn run<I: Isa>(&mut self, to_move: Side) -> ControlFlow<End, Infallible> {
        let mut plies = 0;
        if to_move == Side::Black {
            let bits = self.rng.bits();
            self.ply::<I>(Side::Black, bits as u16, plies)?;
            plies = 1;
        }
        loop {
            let bits = self.rng.bits();
            self.ply::<I>(Side::White, bits as u16, plies)?;
            self.ply::<I>(Side::Black, (bits >> 16) as u16, plies + 1)?;
            self.ply::<I>(Side::White, (bits >> 32) as u16, plies + 2)?;
            self.ply::<I>(Side::Black, (bits >> 48) as u16, plies + 3)?;
            plies += 4;
        }
    }

    /// Plays one move of `side`, drawn with these bits, after `plies` others.
    #[inline(always)]
    fn ply<I: Isa>(&mut self, side: Side, bits: u16, plies: u32) -> ControlFlow<End> {
        let [black, white] = self.pieces;
        let lowers = self.lines.lowers::<P>(side, black, white);
        let mut ahead = [0; MOST_STEPS + 1]; // moves along earlier lines
        for line in 0..P::STEPS.len() {
            ahead[line + 1] = ahead[line] + lowers[line].count_ones();
        }
        let Some(number) = self.rng.below_from_short(bits, ahead[P::STEPS.len()]) else {
            return ControlFlow::Break(End { winner: !side, plies });
        };
        let bit = 1_u64 << number;
        let mut picked = [0; MOST_STEPS];
        for line in 0..P::STEPS.len() {
            picked[line] = I::pick(lowers[line], bit >> ahead[line]);
        }
        let (lower, upper) = ends::<P>(picked);
        let (own, enemy) = (side.index(), (!side).index());
        let (from, to) = if side == Side::White { (lower, upper) } else { (upper, lower) };
        if R::KEEPS {
            let mut kind = u32::from(self.pieces[enemy] & to != 0);
            for line in 1..P::STEPS.len() {
                let width = first_kind::<P>(line) - first_kind::<P>(line - 1);
                kind += width * u32::from(number >= ahead[line]);
            }
            self.record.push(self.lines.code::<P>(side, from.trailing_zeros(), kind));
        }
        self.pieces[own] ^= from | to;
        self.pieces[enemy] &= !to;
        if to & self.race.far_row(side) != 0 {
            return ControlFlow::Break(End { winner: side, plies: plies + 1 });
        }
        ControlFlow::Continue(())
    }
}

struct End {
    winner: Side,
    plies: u32,
}

/// The lower and the upper square of the one move that was picked.
///
/// All words but one are 0, so sums are as good as unions, and the shifts to
/// the upper square can be taken by their differences.
#[inline(always)]
fn ends<P: Piece>(picked: [u64; MOST_STEPS]) -> (u64, u64) {
    let (mut lower, mut upper) = (0, 0);
    for line in (0..P::STEPS.len()).rev() {
        let next = if line > 0 { P::STEPS[line - 1].shift() } else { 0 };
        lower += picked[line];
        upper += picked[line];
        // A doubled or quadrupled word is added in one instruction. No bit
        // leaves the word, so a longer shift may as well be a rotation, which
        // keeps the compiler from shifting every summand by itself.
        upper = match P::STEPS[line].shift() - next {
            short @ 0..=3 => upper << short,
            long => upper.rotate_left(long),
        };
    }
    (lower, upper)
}
