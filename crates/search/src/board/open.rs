//! The board of a game in which both sides see everything.

use std::ops::ControlFlow;

use tesuji_core::{
    Game, MoveId, Outcome, PackedMove, ParseMoveError, ParsePositionError, PerftProgress, Rng, Side, Silent,
    Symmetry, perft, perft_watched,
};

use super::{Attempt, Board, Recording, Tally};
use crate::marks::{Marker, Marks};
use crate::{Sight, SightRef};

/// The board of a [`Game`]: a wrapper, so that the methods of the two traits are never
/// taken for each other.
///
/// ```
/// use tesuji_games::Domineering;
/// use tesuji_search::{Board, OpenBoard};
/// let mut board: Box<dyn Board> = Box::new(OpenBoard(Domineering::new(4, 4)?));
/// board.play("a1-a2")?;
/// assert_eq!(board.n_moves(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct OpenBoard<G>(pub G);

impl<G: Game> Board for OpenBoard<G> {
    fn boxed_clone(&self) -> Box<dyn Board> {
        Box::new(self.clone())
    }

    fn sight(&self) -> SightRef<'_> {
        SightRef::Lent(&self.0)
    }

    fn to_move(&self) -> Side {
        Game::to_move(&self.0)
    }

    fn outcome(&self) -> Option<Outcome> {
        Game::outcome(&self.0)
    }

    fn margin(&self) -> Option<f64> {
        self.0.margin()
    }

    fn n_moves(&self) -> u64 {
        self.0.n_moves()
    }

    fn moves(&self) -> Vec<MoveId> {
        let mut moves = Vec::new();
        self.0.for_each_move(|mv| moves.push(mv.pack()));
        moves
    }

    fn search_moves(&self) -> Vec<MoveId> {
        Sight::search_moves(&self.0)
    }

    fn move_text(&self, mv: MoveId) -> String {
        Sight::move_text(&self.0, mv)
    }

    fn parse_move(&self, text: &str) -> Result<MoveId, ParseMoveError> {
        self.0.parse_move(text).map(PackedMove::pack)
    }

    fn attempt(&mut self, mv: MoveId) -> Attempt {
        let mv = G::Move::unpack(mv);
        debug_assert!(self.0.is_legal(mv), "moves come from the position itself");
        self.0.play_unchecked(mv);
        Attempt::Stands { news: None }
    }

    fn quiet_sight(&self, side: Side, own: &[MoveId]) -> Option<Box<dyn Sight>> {
        (own.is_empty() && Board::to_move(self) == side).then(|| self.0.boxed_clone())
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        let hash = Game::hash(&self.0);
        let keeps = |symmetry: &Symmetry| Game::hash(&Game::transformed(&self.0, *symmetry)) == hash;
        self.0.symmetries().iter().copied().filter(keeps).collect()
    }

    fn play_at_random(&mut self, rng: &mut Rng) -> Option<String> {
        let mv = *rng.choose(&Board::search_moves(self))?;
        let text = Board::move_text(self, mv);
        self.0.play_unchecked(G::Move::unpack(mv));
        Some(text)
    }

    fn with_to_move(&self, side: Side) -> Option<Box<dyn Board>> {
        Some(Box::new(OpenBoard(self.0.with_to_move(side)?)))
    }

    fn played_out(&self, rng: &mut Rng, most_moves: u32) -> Box<dyn Board> {
        let mut position = self.0.clone();
        let mut moves = Vec::new();
        for _ in 0..most_moves {
            moves.clear();
            position.for_each_search_move(|mv| moves.push(mv));
            let Some(&mv) = rng.choose(&moves) else { break };
            position.play_unchecked(mv);
        }
        Box::new(OpenBoard(position))
    }

    fn set_position(&mut self, text: &str) -> Result<(), ParsePositionError> {
        self.0 = self.0.parse_position(text)?;
        Ok(())
    }

    fn position_text(&self) -> Option<String> {
        self.0.position_text()
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.0.piece_at(x, y)
    }

    fn drawing(&self) -> String {
        self.0.drawing()
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.0, depth)
    }

    fn perft_watched(
        &self,
        depth: u32,
        watch: &mut dyn FnMut(PerftProgress) -> ControlFlow<()>,
    ) -> Option<u64> {
        perft_watched(&self.0, depth, watch)
    }

    fn divide(&self, depth: u32) -> Vec<(MoveId, u64)> {
        let below = |mv: MoveId| {
            let mut next = self.0.clone();
            next.play_unchecked(G::Move::unpack(mv));
            (mv, perft(&next, depth - 1))
        };
        Board::moves(self).into_iter().map(below).collect()
    }

    fn playouts(&self, n: u64, rng: &mut Rng, recording: Recording) -> Tally {
        let mut tally = Tally::default();
        match recording {
            Recording::Off => (0..n).for_each(|_| tally.add(self.0.playout(rng, &mut Silent))),
            Recording::On => {
                let mut marks = Marks::default();
                marks.clear(Game::n_codes(&self.0));
                for _ in 0..n {
                    marks.begin();
                    tally.add(self.0.playout(rng, &mut Marker(&mut marks)));
                }
            }
        }
        tally
    }
}
