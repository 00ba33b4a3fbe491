//! Games of stones without passing: what Atarigo and NoGo share.
//!
//! Both are played on Go's board, suicide is illegal, and a side without a legal
//! move loses. They differ only in what a capture is, so the rules, the playout
//! and the text form are written once, over a [`CaptureRule`].

mod encoded;
mod playout;

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use tesuji_core::{
    Code, Encoded, Game, NetworkForm, Outcome, ParseMoveError, ParsePositionError, Playout, Record, Rng,
    Side, Symmetry, isa,
};

use crate::goban::PointSet;
use crate::goban::board::{Board, Effect};
use crate::goban::network::N_BOARD_PLANES;
use crate::goban::{Vertex, parse_stone};
use crate::planes::Planes;
use crate::size::SizeError;

use playout::RandomStones;

/// The rule for captures in a [`CaptureGame`].
pub trait CaptureRule: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// The game's name.
    const GAME: &'static str;

    /// Whether the first capture wins. If not, capturing is illegal.
    const CAPTURE_WINS: bool;

    /// Why suicide is refused, as the end of a sentence.
    const SUICIDE: &'static str;
}

/// A position of a game of stones without passing. Black moves first; a side
/// without a legal move loses. `S` is the kind of point sets that the size needs.
///
/// The games are [`Atarigo`](crate::Atarigo) and [`NoGo`](crate::NoGo).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CaptureGame<S, C> {
    board: Board<S>,
    /// Whether the side that just moved has captured, which ended the game.
    is_captured: bool,
    rule: PhantomData<C>,
}

impl<S: PointSet, C: CaptureRule> CaptureGame<S, C> {
    /// The empty board of this size, from 2 to 19; `S` must be large enough.
    pub fn new(size: usize) -> Result<Self, SizeError> {
        SizeError::check_goban::<S>(C::GAME, size)?;
        Ok(CaptureGame { board: Board::new(size), is_captured: false, rule: PhantomData })
    }

    /// The points on which a stone may be played, while nothing is captured.
    #[inline]
    fn playable(&self) -> S {
        let effects = self.board.effects();
        if C::CAPTURE_WINS {
            effects.breathing.or(effects.captures)
        } else {
            effects.breathing.without(effects.captures)
        }
    }

    /// Whether a stone may be played on this empty point, while nothing is captured.
    fn is_playable(&self, index: usize) -> bool {
        match self.board.effect(index) {
            Effect::Lives => true,
            Effect::Captures(_) => C::CAPTURE_WINS,
            Effect::Suicide => false,
        }
    }

    /// Whether a glance shows a legal move: an empty point next to another, and
    /// next to no enemy if captures are illegal.
    #[inline]
    fn has_obvious_move(&self) -> bool {
        let empty = self.board.empty();
        if C::CAPTURE_WINS {
            return !empty.is_disjoint(empty.spread());
        }
        !empty.and(empty.spread()).without(self.board.stones(!self.to_move()).spread()).is_none()
    }

    pub(crate) fn kernel<'a, R: Record>(
        &self,
        rng: &'a mut Rng,
        record: &'a mut R,
    ) -> RandomStones<'a, S, C, R> {
        RandomStones { board: self.board, rng, record, rule: PhantomData }
    }
}

impl<S: PointSet, C: CaptureRule> Game for CaptureGame<S, C> {
    type Move = Vertex;

    #[inline]
    fn to_move(&self) -> Side {
        self.board.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_over = self.is_captured || (!self.has_obvious_move() && self.playable().is_none());
        is_over.then(|| Outcome::Win(!self.to_move()))
    }

    #[inline]
    fn try_for_each_move<B>(&self, visit: impl FnMut(Vertex) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.is_captured {
            return ControlFlow::Continue(());
        }
        Board::try_for_each_vertex(self.playable(), visit)
    }

    fn n_moves(&self) -> u64 {
        if self.is_captured { 0 } else { u64::from(self.playable().count()) }
    }

    fn is_legal(&self, mv: Vertex) -> bool {
        let is_playable = |index| self.board.empty().contains(index) && self.is_playable(index);
        !self.is_captured && self.board.index(mv).is_some_and(is_playable)
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Vertex) {
        let index = S::index(mv.x as usize, mv.y as usize);
        self.is_captured = C::CAPTURE_WINS && matches!(self.board.effect(index), Effect::Captures(_));
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
        if self.is_captured {
            return Playout { outcome: Outcome::Win(!self.to_move()), plies: 0 };
        }
        isa::dispatch(self.kernel(rng, record))
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        &Symmetry::ALL
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        CaptureGame { board: self.board.transformed(symmetry), ..*self }
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
            _ => C::SUICIDE,
        })
    }

    fn position_text(&self) -> Option<String> {
        Some(self.board.text())
    }

    fn parse_position(&self, text: &str) -> Result<Self, ParsePositionError> {
        let (board, _) = self.board.parse(text, 0)?;
        // Only a capture that ended the game leaves stones without liberties: the
        // side to move has lost them. The capturing stone may have none either.
        let is_captured = C::CAPTURE_WINS && board.has_dead(board.to_move);
        if !is_captured {
            board.check_alive(text, &Side::BOTH)?;
        }
        Ok(CaptureGame { board, is_captured, ..*self })
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.board.at(x, y)
    }

    fn encoded(&self) -> Option<Encoded> {
        encoded::encoded(self)
    }

    fn network_form(&self) -> Option<NetworkForm> {
        let size = usize::from(self.board.size);
        Some(NetworkForm {
            encoding: format!("{}/1", C::GAME.to_lowercase()),
            planes: N_BOARD_PLANES,
            height: size,
            width: size,
            n_logits: size * size,
        })
    }

    fn write_planes(&self, planes: &mut [f32]) {
        let size = usize::from(self.board.size);
        self.board.write_planes(&mut Planes::new(planes, size, size), self.playable());
    }

    #[inline]
    fn logit(&self, mv: Vertex) -> usize {
        usize::from(mv.y) * usize::from(self.board.size) + usize::from(mv.x)
    }

    fn drawing(&self) -> String {
        self.board.drawing()
    }
}
