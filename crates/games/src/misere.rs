//! Misère play of any game: the side that would win loses.
//!
//! Whether a [`MaybeMisere`] is misère is a value, not a type, so that code that is
//! generic over games is compiled once for both.

use std::ops::ControlFlow;

use tesuji_core::{
    Code, Encoded, Game, Outcome, ParseMoveError, ParsePositionError, Playout, Record, Rng, Side, Symmetry,
    zobrist,
};

/// The misère form of a game: the winner of every finished game is exchanged, also
/// if a side has no move. Everything else is that of the game, and so is the cost of
/// playouts.
///
/// The result is exchanged as the game counts it: if an even score is Black's win in
/// the game ([`Draws::Black`](tesuji_core::Draws)), it is White's win in its misère
/// form.
pub fn misere<G>(game: G) -> MaybeMisere<G> {
    MaybeMisere { game, is_misere: true }
}

/// A game, or its misère form.
#[derive(Copy, PartialEq, Eq, Hash, Debug)]
pub struct MaybeMisere<G> {
    /// The position of the normal game.
    pub game: G,
    /// Whether the winner is exchanged.
    pub is_misere: bool,
}

impl<G> MaybeMisere<G> {
    #[inline]
    fn seen(&self, outcome: Outcome) -> Outcome {
        if self.is_misere { outcome.flipped() } else { outcome }
    }

    #[inline]
    fn key(&self) -> u64 {
        if self.is_misere { MISERE } else { 0 }
    }
}

/// Not derived, because a derived `clone_from` would not call that of the inner game.
impl<G: Clone> Clone for MaybeMisere<G> {
    #[inline]
    fn clone(&self) -> Self {
        MaybeMisere { game: self.game.clone(), is_misere: self.is_misere }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.game.clone_from(&source.game);
        self.is_misere = source.is_misere;
    }
}

/// The key that keeps positions of a game and of its misère form apart in a shared
/// table.
const MISERE: u64 = zobrist::extra(1 << 20);

impl<G: Game> Game for MaybeMisere<G> {
    type Move = G::Move;

    #[inline]
    fn to_move(&self) -> Side {
        self.game.to_move()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().map(|outcome| self.seen(outcome))
    }

    /// `None` for the misère form: its result is the opposite of what was counted.
    fn margin(&self) -> Option<f64> {
        self.game.margin().filter(|_| !self.is_misere)
    }

    #[inline]
    fn try_for_each_move<B>(&self, visit: impl FnMut(G::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.game.try_for_each_move(visit)
    }

    #[inline]
    fn try_for_each_search_move<B>(&self, visit: impl FnMut(G::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.game.try_for_each_search_move(visit)
    }

    #[inline]
    fn play_unchecked(&mut self, mv: G::Move) {
        self.game.play_unchecked(mv);
    }

    #[inline]
    fn is_legal(&self, mv: G::Move) -> bool {
        self.game.is_legal(mv)
    }

    fn n_moves(&self) -> u64 {
        self.game.n_moves()
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.game.hash() ^ self.key()
    }

    fn recomputed_hash(&self) -> u64 {
        self.game.recomputed_hash() ^ self.key()
    }

    #[inline]
    fn n_codes(&self) -> usize {
        self.game.n_codes()
    }

    #[inline]
    fn code(&self, mv: G::Move) -> Code {
        self.game.code(mv)
    }

    #[inline]
    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        let playout = self.game.playout(rng, record);
        Playout { outcome: self.seen(playout.outcome), ..playout }
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        self.game.symmetries()
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        MaybeMisere { game: self.game.transformed(symmetry), is_misere: self.is_misere }
    }

    fn transformed_move(&self, mv: G::Move, symmetry: Symmetry) -> G::Move {
        self.game.transformed_move(mv, symmetry)
    }

    fn move_text(&self, mv: G::Move) -> String {
        self.game.move_text(mv)
    }

    fn parse_move(&self, text: &str) -> Result<G::Move, ParseMoveError> {
        self.game.parse_move(text)
    }

    fn position_text(&self) -> Option<String> {
        self.game.position_text()
    }

    fn parse_position(&self, text: &str) -> Result<Self, ParsePositionError> {
        self.game.parse_position(text).map(|game| MaybeMisere { game, is_misere: self.is_misere })
    }

    fn with_to_move(&self, side: Side) -> Option<Self> {
        let is_misere = self.is_misere;
        self.game.with_to_move(side).map(|game| MaybeMisere { game, is_misere })
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.game.piece_at(x, y)
    }

    fn encoded(&self) -> Option<Encoded> {
        let mut encoded = self.game.encoded()?;
        encoded.constants.push(("MISERE", i64::from(self.is_misere)));
        Some(encoded)
    }

    fn drawing(&self) -> String {
        self.game.drawing()
    }
}
