//! Random races.
//!
//! A ply costs about 50 instructions with pawns and 70 with knights, and no
//! branch in it depends on chance but the one that ends the game. For each line
//! one word holds the lower squares of its moves. The number of a move below
//! their total picks a bit in exactly one of these words, and none in the
//! others (see [`Isa::pick`]), so the words are searched all at once and the
//! results added. White and Black are written out in turn, so that every shift
//! is a constant, and one draw of 64 bits serves four plies.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Code, Outcome, Playout, Record, Rng, Side};

use super::lines::{Kinds, Lines, MOST_STEPS};
use super::{Piece, Race};
use crate::Codes;

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
        let mut codes = [0; MOST_PLIES + 4];
        // A copy can live in registers; it is written back at the end.
        let mut field = Field::<P, R> {
            race,
            lines: race.lines(),
            pieces: race.pieces,
            rng: rng.clone(),
            codes: &mut codes,
            record: PhantomData,
        };
        let ControlFlow::Break(End { winner, plies }) = field.run::<I>(race.to_move);
        *rng = field.rng;
        if R::KEEPS {
            let codes = &mut codes[..plies as usize];
            if race.codes != Codes::Full {
                codes.iter_mut().for_each(|code| *code = race.coarse_code(*code));
            }
            record.push_all(codes);
        }
        Playout { outcome: Outcome::Win(winner), plies }
    }
}

/// More than any race has: each side has at most sixteen pieces, of which each
/// advances a row or more with every move, and six at most short of the far
/// row, which makes 2 · 16 · 6 plies and one to arrive. A power of two, so that
/// an index cut to its bits needs no check.
const MOST_PLIES: usize = 256;

struct Field<'a, P: Piece, R: Record> {
    race: &'a Race<P>,
    lines: Lines,
    pieces: [u64; 2],
    rng: Rng,
    /// The codes so far. Handing them over at the end is much cheaper than one
    /// by one, as nothing but registers is at stake meanwhile.
    codes: &'a mut [Code; MOST_PLIES + 4],
    record: PhantomData<R>,
}

impl<P: Piece, R: Record> Field<'_, P, R> {
    /// Plays until it breaks with the end.
    #[inline(always)]
    fn run<I: Isa>(&mut self, to_move: Side) -> ControlFlow<End, Infallible> {
        let mut plies = 0;
        if to_move == Side::Black {
            let bits = self.rng.bits();
            self.ply::<I>(Side::Black, bits as u16, plies, 0)?;
            plies = 1;
        }
        loop {
            let bits = self.rng.bits();
            self.ply::<I>(Side::White, bits as u16, plies, 0)?;
            self.ply::<I>(Side::Black, (bits >> 16) as u16, plies, 1)?;
            self.ply::<I>(Side::White, (bits >> 32) as u16, plies, 2)?;
            self.ply::<I>(Side::Black, (bits >> 48) as u16, plies, 3)?;
            plies += 4;
        }
    }

    /// Plays one move of `side`, drawn with these bits, after `plies` others and
    /// `more` (at most 3) of the same round.
    #[inline(always)]
    fn ply<I: Isa>(&mut self, side: Side, bits: u16, plies: u32, more: u32) -> ControlFlow<End> {
        let [black, white] = self.pieces;
        let lowers = self.lines.lowers::<P>(side, black, white);
        let mut ahead = [0; MOST_STEPS + 1]; // moves along earlier lines
        for line in 0..P::STEPS.len() {
            ahead[line + 1] = ahead[line] + lowers[line].count_ones();
        }
        let Some(number) = self.rng.below_from_short(bits, ahead[P::STEPS.len()]) else {
            return ControlFlow::Break(End { winner: !side, plies: plies + more });
        };
        let bit = 1_u64 << number;
        let mut picked = [0; MOST_STEPS];
        for line in 0..P::STEPS.len() {
            picked[line] = I::pick(lowers[line], bit >> ahead[line]);
        }
        let (lower, upper) = ends::<P>(picked);
        let (own, enemy) = (side.index(), (!side).index());
        let (from, to) = if side == Side::White { (lower, upper) } else { (upper, lower) };
        let enemies = self.pieces[enemy] & !to;
        if R::KEEPS {
            let mut kind = u32::from(enemies < self.pieces[enemy]);
            for (line, &ahead) in ahead[..P::STEPS.len()].iter().enumerate().skip(1) {
                let kinds = Kinds::<P>::FIRST[line] - Kinds::<P>::FIRST[line - 1];
                kind += kinds * u32::from(number >= ahead);
            }
            let code = self.lines.code::<P>(side, from.trailing_zeros(), kind);
            self.codes[plies as usize % MOST_PLIES + more as usize] = code;
        }
        self.pieces[own] ^= from | to;
        self.pieces[enemy] = enemies;
        if to & self.race.far_row(side) != 0 {
            return ControlFlow::Break(End { winner: side, plies: plies + more + 1 });
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
