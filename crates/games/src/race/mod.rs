//! Races to the far row: what Breakthrough and Knightthrough share.
//!
//! Both games differ only in how a piece steps, so the rules, the playout and
//! the text form are written once, over a [`Piece`] whose steps are constants.
//!
//! A board is one word a side. Square (x, y) is bit `x + 8 * y` whatever the
//! width, so that a step is a shift by a constant. A move is a *line* between
//! its lower and its upper square. White goes from lower to upper, Black from
//! upper to lower, along the same lines, so one table of lines serves both.

mod lines;
mod network;
mod playout;
#[cfg(test)]
pub(crate) mod reference;
#[cfg(test)]
pub(crate) mod tests;
mod text;

use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use tesuji_core::isa;
use tesuji_core::{
    Code, Encoded, Game, MoveId, NetworkForm, Outcome, PackedMove, ParsePositionError, Playout, Record, Rng,
    Side, Symmetry, zobrist,
};

use crate::bits::halves;
use crate::{Codes, SizeError};
use lines::{Kinds, Lines, MOST_STEPS};
use playout::RandomRace;

pub(crate) use lines::Step;

/// The longest row and the highest board: a word has eight rows of eight.
const LONGEST: usize = 8;

/// The piece of a [`Race`]: a pawn or a knight.
pub trait Piece: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The game's name.
    const GAME: &'static str;

    /// White's steps, in the order of their shifts, each together with its
    /// mirror image.
    const STEPS: &'static [Step];

    /// The least height of a board.
    const LEAST_HEIGHT: usize;

    /// Returns the symbol of a side's piece in drawings.
    fn symbol(side: Side) -> char;
}

/// A position of a race. Each side has two rows of pieces, which only move towards
/// the far row. The first side to reach it wins, and a side without a move loses.
/// White starts at the bottom and moves first.
///
/// The games are [`Breakthrough`](crate::Breakthrough) and
/// [`Knightthrough`](crate::Knightthrough).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Race<P: Piece> {
    width: u8,
    height: u8,
    to_move: Side,
    codes: Codes,
    /// The pieces of each side, by [`Side::index`].
    pieces: [u64; 2],
    hash: u64,
    piece: PhantomData<P>,
}

/// A move of a [`Race`]: the square that the piece leaves, and the line that it moves
/// along.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RaceMove {
    from: u8,
    /// The index in [`Piece::STEPS`] of the line, as White would go along it.
    line: u8,
}

impl PackedMove for RaceMove {
    #[inline]
    fn pack(self) -> MoveId {
        MoveId::of_bytes(self.from, self.line)
    }

    #[inline]
    fn unpack(id: MoveId) -> RaceMove {
        let (from, line) = id.bytes();
        RaceMove { from, line }
    }
}

impl<P: Piece> Race<P> {
    /// The first position on a board of this width and height, both at most 8.
    ///
    /// The width is at least 2: on one column no piece could pass another. The least
    /// height depends on the game. White has a move on every board.
    pub fn new(width: usize, height: usize) -> Result<Race<P>, SizeError> {
        SizeError::check_rectangle(P::GAME, (width, height), 2..=LONGEST, P::LEAST_HEIGHT..=LONGEST)?;
        let home = rows(width, 0..2);
        let pieces = [home << (8 * (height - 2)), home];
        let (width, height) = (width as u8, height as u8);
        let (to_move, codes, piece) = (Side::White, Codes::Full, PhantomData);
        let start = Race { width, height, to_move, codes, pieces, hash: 0, piece };
        Ok(start.with(Side::White, pieces))
    }

    /// Returns the position with these AMAF codes.
    pub fn with_codes(self, codes: Codes) -> Race<P> {
        Race { codes, ..self }
    }

    /// Another position of the same game.
    fn with(&self, to_move: Side, pieces: [u64; 2]) -> Race<P> {
        let mut race = Race { to_move, pieces, ..*self };
        race.hash = race.recomputed_hash();
        race
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        usize::from(self.width)
    }

    /// The number of rows.
    pub fn height(&self) -> usize {
        usize::from(self.height)
    }

    /// The row that `side` wants to reach.
    #[inline(always)]
    fn far_row(&self, side: Side) -> u64 {
        match side {
            Side::White => 0xff << (8 * (self.height - 1)),
            Side::Black => 0xff,
        }
    }

    #[inline(always)]
    fn lines(&self) -> Lines {
        Lines::new::<P>(self.width, self.height)
    }

    /// Who stands on its far row.
    #[inline(always)]
    fn arrived(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.pieces[side.index()] & self.far_row(side) != 0)
    }

    /// The lower squares of the legal moves along each line; none once a side
    /// has arrived.
    #[inline]
    fn lowers(&self) -> [u64; MOST_STEPS] {
        if self.arrived().is_some() {
            return [0; MOST_STEPS];
        }
        let [black, white] = self.pieces;
        self.lines().lowers::<P>(self.to_move, black, white)
    }

    /// The bits of the squares that a move leaves and enters.
    #[inline]
    fn squares(&self, mv: RaceMove) -> (u64, u64) {
        let from = 1_u64 << mv.from;
        let shift = P::STEPS[usize::from(mv.line)].shift();
        match self.to_move {
            Side::White => (from, from << shift),
            Side::Black => (from, from >> shift),
        }
    }

    /// The code of this game for moves that have this one with [`Codes::Full`]. Most games have
    /// no use for it, so it stays out of their code.
    #[cold]
    #[inline(never)]
    fn coarse_code(&self, code: Code) -> Code {
        self.lines().coarse_code::<P>(self.codes, code)
    }

    fn kernel<'a, R: Record>(&'a self, rng: &'a mut Rng, record: &'a mut R) -> RandomRace<'a, P, R> {
        RandomRace { race: self, rng, record }
    }
}

/// The first position on the 8 by 8 board.
impl<P: Piece> Default for Race<P> {
    fn default() -> Race<P> {
        Race::new(LONGEST, LONGEST).expect("8 by 8 is allowed")
    }
}

impl<P: Piece> Game for Race<P> {
    type Move = RaceMove;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if let Some(winner) = self.arrived() {
            return Some(Outcome::Win(winner));
        }
        let stuck = self.lowers() == [0; MOST_STEPS];
        stuck.then(|| Outcome::Win(!self.to_move))
    }

    /// Line by line, and along each from the lowest square up.
    #[inline]
    fn try_for_each_move<B>(&self, mut visit: impl FnMut(RaceMove) -> ControlFlow<B>) -> ControlFlow<B> {
        for (line, (mut lowers, step)) in self.lowers().into_iter().zip(P::STEPS).enumerate() {
            while lowers != 0 {
                let lower = lowers.trailing_zeros();
                let from = match self.to_move {
                    Side::White => lower,
                    Side::Black => lower + step.shift(),
                };
                visit(RaceMove { from: from as u8, line: line as u8 })?;
                lowers &= lowers - 1;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn play_unchecked(&mut self, mv: RaceMove) {
        let (own, enemy) = (self.to_move, !self.to_move);
        let (from, to) = self.squares(mv);
        let to_square = to.trailing_zeros() as usize;
        if self.pieces[enemy.index()] & to != 0 {
            self.pieces[enemy.index()] ^= to;
            self.hash ^= zobrist::stone(enemy, to_square);
        }
        self.pieces[own.index()] ^= from | to;
        self.hash ^= zobrist::stone(own, usize::from(mv.from)) ^ zobrist::stone(own, to_square);
        self.hash ^= zobrist::turn(own) ^ zobrist::turn(enemy);
        self.to_move = enemy;
    }

    #[inline]
    fn is_legal(&self, mv: RaceMove) -> bool {
        let Some(step) = P::STEPS.get(usize::from(mv.line)) else { return false };
        let from = 1_u64 << mv.from;
        let lower = match self.to_move {
            Side::White => from,
            Side::Black => from >> step.shift(),
        };
        self.lowers()[usize::from(mv.line)] & lower != 0
    }

    #[inline]
    fn n_moves(&self) -> u64 {
        self.lowers().iter().map(|lowers| u64::from(lowers.count_ones())).sum()
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn recomputed_hash(&self) -> u64 {
        let mut hash = zobrist::turn(self.to_move);
        for side in Side::BOTH {
            let mut pieces = self.pieces[side.index()];
            while pieces != 0 {
                hash ^= zobrist::stone(side, pieces.trailing_zeros() as usize);
                pieces &= pieces - 1;
            }
        }
        hash
    }

    #[inline]
    fn n_codes(&self) -> usize {
        2 * self.width() * self.height() * Kinds::<P>::ALL as usize
    }

    /// By colour, square left, line, and whether it captures; where a line
    /// takes no prisoners, there is no code for that. Coarser [`Codes`] are some
    /// of these.
    #[inline]
    fn code(&self, mv: RaceMove) -> Code {
        let (_, to) = self.squares(mv);
        let captures = self.pieces[(!self.to_move).index()] & to != 0;
        let kind = Kinds::<P>::FIRST[usize::from(mv.line)] + u32::from(captures);
        let code = self.lines().code::<P>(self.to_move, u32::from(mv.from), kind);
        if self.codes == Codes::Full { code } else { self.coarse_code(code) }
    }

    #[inline]
    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        isa::dispatch(self.kernel(rng, record))
    }

    /// Left and right may change places.
    fn symmetries(&self) -> &'static [Symmetry] {
        &[Symmetry::IDENTITY, Symmetry::FLIP_X]
    }

    fn transformed(&self, symmetry: Symmetry) -> Race<P> {
        if symmetry == Symmetry::IDENTITY {
            return *self;
        }
        debug_assert_eq!(symmetry, Symmetry::FLIP_X);
        // Turning the bits of every byte around mirrors a row of eight; a
        // shorter row then lies at the wrong end of its byte.
        let mirror = |pieces: u64| pieces.reverse_bits().swap_bytes() >> (LONGEST - self.width());
        self.with(self.to_move, self.pieces.map(mirror))
    }

    fn transformed_move(&self, mv: RaceMove, symmetry: Symmetry) -> RaceMove {
        if symmetry == Symmetry::IDENTITY {
            return mv;
        }
        debug_assert_eq!(symmetry, Symmetry::FLIP_X);
        let x = mv.from % 8;
        let step = P::STEPS[usize::from(mv.line)];
        let image = |other: &Step| other.right == -step.right && other.up == step.up;
        let line = P::STEPS.iter().position(image).expect("a step's mirror image is a step");
        RaceMove { from: mv.from - x + (self.width - 1 - x), line: line as u8 }
    }

    /// `a2-a3`, or `a2xb3` where it captures.
    fn move_text(&self, mv: RaceMove) -> String {
        text::move_text(self, mv)
    }

    /// The rows and the side to move: `bbbb/bbbb/4/wwww/wwww w`.
    fn position_text(&self) -> Option<String> {
        Some(text::position_text(self))
    }

    /// Refuses, besides what is no board at all, positions that no game reaches
    /// for a plain reason: too many pieces, two sides or two pieces that have
    /// arrived, an arrived side to move, or an opponent who has no piece left to
    /// have moved last. What it accepts need not be reachable.
    fn parse_position(&self, text: &str) -> Result<Race<P>, ParsePositionError> {
        text::parse_position(self, text)
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        text::piece_on(self, x, y)
    }

    fn encoded(&self) -> Option<Encoded> {
        let [black, white] = self.pieces.map(halves);
        let mut words = [black, white, halves(self.hash)].concat();
        words.push(self.to_move as u32);
        Some(Encoded {
            kernel: "race",
            constants: vec![
                ("WIDTH", self.width.into()),
                ("HEIGHT", self.height.into()),
                // No other piece has as many steps.
                ("KNIGHTS", i64::from(P::STEPS.len() == MOST_STEPS)),
                ("CODES", self.codes as i64),
            ],
            words,
        })
    }

    fn network_form(&self) -> Option<NetworkForm> {
        Some(self.form())
    }

    fn write_planes(&self, planes: &mut [f32]) {
        self.write(planes);
    }

    #[inline]
    fn logit(&self, mv: RaceMove) -> usize {
        self.logit_of(mv)
    }

    fn drawing(&self) -> String {
        text::board_drawing(self)
    }
}

/// All squares of the first `width` columns of some rows.
fn rows(width: usize, range: std::ops::Range<usize>) -> u64 {
    range.fold(0, |squares, y| squares | (0xff >> (LONGEST - width)) << (8 * y))
}
