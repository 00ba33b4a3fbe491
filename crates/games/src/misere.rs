//! The misère twin of any game: whoever would win, loses.

use std::ops::ControlFlow;

use tesuji_core::{
    Code, Game, Outcome, ParseMoveError, ParsePositionError, Playout, Record, Rng, Side, Symmetry, zobrist,
};

/// A game with every terminal result flipped, "no move" included; everything
/// else, playouts' cost too, is the inner game's.
///
/// The flip is of the result as the inner game gives it: where an even score
/// counts as Black's win there ([`Draws::Black`](tesuji_core::Draws)), it is
/// White's here.
#[derive(Copy, PartialEq, Eq, Hash, Debug)]
pub struct Misere<G>(pub G);

/// Written out for `clone_from`, which a derived one would not hand on to the
/// inner game.
impl<G: Clone> Clone for Misere<G> {
    #[inline]
    fn clone(&self) -> Self {
        Misere(self.0.clone())
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

/// Keeps positions of a game and of its twin apart in a shared table.
const TWIN: u64 = zobrist::extra(1 << 20);

impl<G: Game> Game for Misere<G> {
    type Move = G::Move;

    #[inline]
    fn to_move(&self) -> Side {
        self.0.to_move()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome().map(Outcome::flipped)
    }

    #[inline]
    fn try_for_each_move<B>(&self, visit: impl FnMut(G::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.0.try_for_each_move(visit)
    }

    #[inline]
    fn try_for_each_search_move<B>(&self, visit: impl FnMut(G::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.0.try_for_each_search_move(visit)
    }

    #[inline]
    fn play_unchecked(&mut self, mv: G::Move) {
        self.0.play_unchecked(mv);
    }

    #[inline]
    fn is_legal(&self, mv: G::Move) -> bool {
        self.0.is_legal(mv)
    }

    fn n_moves(&self) -> u64 {
        self.0.n_moves()
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.0.hash() ^ TWIN
    }

    fn recomputed_hash(&self) -> u64 {
        self.0.recomputed_hash() ^ TWIN
    }

    #[inline]
    fn n_codes(&self) -> usize {
        self.0.n_codes()
    }

    #[inline]
    fn code(&self, mv: G::Move) -> Code {
        self.0.code(mv)
    }

    #[inline]
    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        let playout = self.0.playout(rng, record);
        Playout { outcome: playout.outcome.flipped(), ..playout }
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        self.0.symmetries()
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        Misere(self.0.transformed(symmetry))
    }

    fn transformed_move(&self, mv: G::Move, symmetry: Symmetry) -> G::Move {
        self.0.transformed_move(mv, symmetry)
    }

    fn move_text(&self, mv: G::Move) -> String {
        self.0.move_text(mv)
    }

    fn parse_move(&self, text: &str) -> Result<G::Move, ParseMoveError> {
        self.0.parse_move(text)
    }

    fn position_text(&self) -> Option<String> {
        self.0.position_text()
    }

    fn parse_position(&self, text: &str) -> Result<Self, ParsePositionError> {
        self.0.parse_position(text).map(Misere)
    }

    fn drawing(&self) -> String {
        self.0.drawing()
    }
}
