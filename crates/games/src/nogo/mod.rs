//! NoGo: Go's board, but capture and suicide are both illegal, and so is
//! passing. A side without a legal move loses. It is a game of its own, not the
//! misère form of Go.
//!
//! Black moves first.

mod playout;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use tesuji_core::{
    Code, Game, Outcome, ParseMoveError, ParsePositionError, Playout, Record, Rng, Side, Symmetry, isa,
};

use crate::goban::PointSet;
use crate::goban::board::{Board, Effect};
use crate::goban::{Vertex, parse_stone};
use crate::size::SizeError;

/// A position of NoGo. `S` is the kind of sets its size needs.
///
/// ```
/// use tesuji_core::Game;
/// use tesuji_games::{NoGo, goban::UpTo7};
/// let game = NoGo::<UpTo7>::new(5)?.parse_position("5/5/5/1w3/b4 b")?;
/// assert_eq!(game.drawing(), "   \
///    a b c d e
///  5 . . . . . 5
///  4 . . . . . 4
///  3 . . . . . 3
///  2 . O . . . 2
///  1 X . . . . 1
///    a b c d e
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NoGo<S> {
    board: Board<S>,
}

impl<S: PointSet> NoGo<S> {
    /// The empty board of this size, from 2 to 19; `S` must be large enough.
    pub fn new(size: usize) -> Result<Self, SizeError> {
        SizeError::check_goban::<S>("NoGo", size)?;
        Ok(NoGo { board: Board::new(size) })
    }

    /// Where a stone may be played.
    #[inline]
    fn playable(&self) -> S {
        let effects = self.board.effects();
        effects.breathing.without(effects.captures)
    }

    fn is_playable(&self, index: usize) -> bool {
        self.board.effect(index) == Effect::Lives
    }

    fn kernel<'a, R: Record>(&self, rng: &'a mut Rng, record: &'a mut R) -> playout::NoGoPlayout<'a, S, R> {
        playout::NoGoPlayout { board: self.board, rng, record }
    }
}

impl<S: PointSet> Game for NoGo<S> {
    type Move = Vertex;

    #[inline]
    fn to_move(&self) -> Side {
        self.board.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        // An empty point beside another and no enemy settles it while there is one.
        let empty = self.board.empty();
        let quiet = empty.and(empty.spread()).without(self.board.stones(!self.to_move()).spread());
        let stuck = quiet.is_none() && self.playable().is_none();
        stuck.then(|| Outcome::Win(!self.to_move()))
    }

    #[inline]
    fn try_for_each_move<B>(&self, visit: impl FnMut(Vertex) -> ControlFlow<B>) -> ControlFlow<B> {
        Board::try_for_each_vertex(self.playable(), visit)
    }

    fn n_moves(&self) -> u64 {
        self.playable().count().into()
    }

    fn is_legal(&self, mv: Vertex) -> bool {
        self.board
            .index(mv)
            .is_some_and(|index| self.board.empty().contains(index) && self.is_playable(index))
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Vertex) {
        self.board.put(S::index(mv.x as usize, mv.y as usize), S::none());
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.board.hash()
    }

    fn recomputed_hash(&self) -> u64 {
        self.board.recomputed_hash()
    }

    fn n_codes(&self) -> usize {
        self.board.n_stone_codes()
    }

    #[inline]
    fn code(&self, mv: Vertex) -> Code {
        self.board.vertex_code(self.to_move(), mv)
    }

    #[inline]
    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        isa::dispatch(self.kernel(rng, record))
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        &Symmetry::ALL
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        NoGo { board: self.board.transformed(symmetry) }
    }

    fn transformed_move(&self, mv: Vertex, symmetry: Symmetry) -> Vertex {
        self.board.transformed_vertex(mv, symmetry)
    }

    fn move_text(&self, mv: Vertex) -> String {
        self.board.name(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Vertex, ParseMoveError> {
        parse_stone(self, &self.board, text, |index| match self.board.effect(index) {
            Effect::Captures(_) => "it captures, which NoGo forbids",
            _ => "it is suicide, which NoGo forbids",
        })
    }

    fn position_text(&self) -> Option<String> {
        Some(self.board.text())
    }

    fn parse_position(&self, text: &str) -> Result<Self, ParsePositionError> {
        let (board, _) = self.board.parse(text, 0)?;
        board.check_alive(text, &Side::BOTH)?;
        Ok(NoGo { board })
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.board.at(x, y)
    }

    fn drawing(&self) -> String {
        self.board.drawing()
    }
}
