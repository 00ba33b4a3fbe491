//! Atarigo, also called the capture game: Go's board, and the first to capture
//! anything wins. Suicide and passing are illegal; a side without a legal move
//! loses.
//!
//! Black moves first. The stones that the last move captures stay on the board,
//! without liberties, so that a finished position shows how it ended.

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

/// A position of Atarigo. `S` is the kind of sets its size needs.
///
/// ```
/// use tesuji_core::{Game, Outcome, Side};
/// use tesuji_games::{Atarigo, goban::UpTo7};
/// let mut game = Atarigo::<UpTo7>::new(7)?;
/// for name in ["b1", "a1", "a2"] {
///     game.play(game.parse_move(name)?)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::Black)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Atarigo<S> {
    board: Board<S>,
    /// Whether the side that just moved has captured.
    captured: bool,
}

impl<S: PointSet> Atarigo<S> {
    /// The empty board of this size, from 2 to 19; `S` must be large enough.
    pub fn new(size: usize) -> Result<Self, SizeError> {
        SizeError::check_goban::<S>("Atarigo", size)?;
        Ok(Atarigo { board: Board::new(size), captured: false })
    }

    /// Where a stone may be played, while nothing is captured.
    #[inline]
    fn playable(&self) -> S {
        let effects = self.board.effects();
        effects.breathing.or(effects.captures)
    }

    fn is_playable(&self, index: usize) -> bool {
        self.board.effect(index) != Effect::Suicide
    }

    fn kernel<'a, R: Record>(
        &self,
        rng: &'a mut Rng,
        record: &'a mut R,
    ) -> playout::AtarigoPlayout<'a, S, R> {
        playout::AtarigoPlayout { board: self.board, rng, record }
    }

    /// What is already decided, before any playout.
    fn decided(&self) -> Option<Playout> {
        self.captured.then(|| Playout { outcome: Outcome::Win(!self.to_move()), plies: 0 })
    }
}

impl<S: PointSet> Game for Atarigo<S> {
    type Move = Vertex;

    #[inline]
    fn to_move(&self) -> Side {
        self.board.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        // Two empty points beside one another settle it while there are such.
        let empty = self.board.empty();
        let over = self.captured || (empty.is_disjoint(empty.spread()) && self.playable().is_none());
        over.then(|| Outcome::Win(!self.to_move()))
    }

    #[inline]
    fn try_for_each_move<B>(&self, visit: impl FnMut(Vertex) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.captured {
            return ControlFlow::Continue(());
        }
        Board::try_for_each_vertex(self.playable(), visit)
    }

    fn n_moves(&self) -> u64 {
        if self.captured { 0 } else { u64::from(self.playable().count()) }
    }

    fn is_legal(&self, mv: Vertex) -> bool {
        let playable = |index| self.board.empty().contains(index) && self.is_playable(index);
        !self.captured && self.board.index(mv).is_some_and(playable)
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Vertex) {
        let index = S::index(mv.x as usize, mv.y as usize);
        self.captured = matches!(self.board.effect(index), Effect::Captures(_));
        self.board.put(index, S::none());
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
        self.decided().unwrap_or_else(|| isa::dispatch(self.kernel(rng, record)))
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        &Symmetry::ALL
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        Atarigo { board: self.board.transformed(symmetry), ..*self }
    }

    fn transformed_move(&self, mv: Vertex, symmetry: Symmetry) -> Vertex {
        self.board.transformed_vertex(mv, symmetry)
    }

    fn move_text(&self, mv: Vertex) -> String {
        self.board.name(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Vertex, ParseMoveError> {
        parse_stone(self, &self.board, text, |_| "it is suicide, which is illegal")
    }

    fn position_text(&self) -> Option<String> {
        Some(self.board.text())
    }

    fn parse_position(&self, text: &str) -> Result<Self, ParsePositionError> {
        let (board, _) = self.board.parse(text, 0)?;
        // Only a capture that ended the game leaves stones without liberties: the
        // side to move has lost them. The capturing stone may have none either.
        let captured = board.has_dead(board.to_move);
        if !captured {
            board.check_alive(text, &Side::BOTH)?;
        }
        Ok(Atarigo { board, captured })
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.board.at(x, y)
    }

    fn drawing(&self) -> String {
        self.board.drawing()
    }
}
