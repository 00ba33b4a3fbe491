//! The board of a phantom game, as its referee has it.

use std::ops::ControlFlow;

use tesuji_core::{
    Announced, Answer, Call, Guess, MoveId, Outcome, PackedMove, ParseMoveError, ParsePositionError,
    PerftProgress, Phantom, Referee, Rng, Side, Symmetry, View,
};

use super::{Attempt, Board, OpenBoard, Recording, Tally};
use crate::{Seen, Sight, SightRef};

/// The board of a phantom game. What it answers to [`moves`](Board::moves) is what the side
/// to move may try as far as it knows; drawings and counts are of the real board, for
/// spectators.
#[derive(Clone)]
pub struct PhantomBoard<G: Phantom>(pub Referee<G>);

impl<G: Phantom> PhantomBoard<G> {
    /// What the side to move knows.
    fn view(&self) -> &G::View {
        self.0.view(self.0.world().to_move())
    }

    /// The last resort of the side to move, unless the game is over.
    fn last_resort(&self) -> Option<MoveId> {
        self.view().last_resort().filter(|_| self.0.outcome().is_none()).map(PackedMove::pack)
    }

    /// What the side to move may try before the last resort.
    fn candidates(&self) -> Vec<MoveId> {
        let mut moves = Vec::new();
        if self.0.outcome().is_none() {
            self.view().for_each_candidate(|mv| moves.push(mv.pack()));
        }
        moves
    }

    /// The real board as a game that is seen.
    fn open(&self) -> OpenBoard<G> {
        OpenBoard(self.0.world().clone())
    }
}

impl<G: Phantom> Board for PhantomBoard<G> {
    fn boxed_clone(&self) -> Box<dyn Board> {
        Box::new(self.clone())
    }

    fn sight(&self) -> SightRef<'_> {
        SightRef::Own(Box::new(Seen::new(self.view().clone())))
    }

    fn to_move(&self) -> Side {
        self.0.world().to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn margin(&self) -> Option<f64> {
        self.0.world().margin()
    }

    fn n_moves(&self) -> u64 {
        self.moves().len() as u64
    }

    fn moves(&self) -> Vec<MoveId> {
        self.candidates().into_iter().chain(self.last_resort()).collect()
    }

    fn search_moves(&self) -> Vec<MoveId> {
        let candidates = self.candidates();
        if candidates.is_empty() { self.moves() } else { candidates }
    }

    fn move_text(&self, mv: MoveId) -> String {
        self.view().move_text(G::Move::unpack(mv))
    }

    fn parse_move(&self, text: &str) -> Result<MoveId, ParseMoveError> {
        if self.0.outcome().is_some() {
            return Err(ParseMoveError::new(text, "the game is over"));
        }
        self.view().parse_move(text).map(PackedMove::pack)
    }

    fn attempt(&mut self, mv: MoveId) -> Attempt {
        match self.0.attempt(G::Move::unpack(mv)) {
            Answer::Refused => Attempt::Refused,
            Answer::Stands(news) => Attempt::Stands {
                news: match self.0.announced() {
                    Announced::Captures => self.0.world().news_text(&news),
                    Announced::Refusals => None,
                },
            },
        }
    }

    fn seen_by(&self, side: Side) -> Option<String> {
        Some(self.0.view(side).drawing())
    }

    fn known_at(&self, side: Side, x: usize, y: usize) -> Option<Side> {
        self.0.view(side).piece_at(x, y)
    }

    fn imagined(&self, side: Side, rng: &mut Rng) -> Option<Box<dyn Board>> {
        Some(Box::new(OpenBoard(self.0.view(side).assume(None).world(rng))))
    }

    fn quiet_sight(&self, side: Side, own: &[MoveId]) -> Option<Box<dyn Sight>> {
        let mut view = self.0.view(side).clone();
        let nothing = || Some(G::News::default());
        let mut own = own.iter();
        loop {
            if view.to_move() != side {
                view.hear(&Call::EnemyMoved(nothing()));
            } else if let Some(&mv) = own.next() {
                view.hear(&Call::Stands(G::Move::unpack(mv), nothing()));
            } else {
                return Some(Box::new(Seen::new(view)));
            }
        }
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.open().symmetries()
    }

    fn play_at_random(&mut self, rng: &mut Rng) -> Option<String> {
        loop {
            let mv = *rng.choose(&self.search_moves())?;
            let text = self.move_text(mv);
            if self.attempt(mv) != Attempt::Refused {
                return Some(text);
            }
        }
    }

    fn played_out(&self, rng: &mut Rng, most_moves: u32) -> Box<dyn Board> {
        self.open().played_out(rng, most_moves)
    }

    fn set_position(&mut self, text: &str) -> Result<(), ParsePositionError> {
        Err(ParsePositionError::new(text, "what the sides know of a phantom game has no text form"))
    }

    fn position_text(&self) -> Option<String> {
        None
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.0.world().piece_at(x, y)
    }

    fn drawing(&self) -> String {
        self.0.world().drawing()
    }

    fn perft(&self, depth: u32) -> u64 {
        self.open().perft(depth)
    }

    fn perft_watched(
        &self,
        depth: u32,
        watch: &mut dyn FnMut(PerftProgress) -> ControlFlow<()>,
    ) -> Option<u64> {
        self.open().perft_watched(depth, watch)
    }

    fn divide(&self, depth: u32) -> Vec<(MoveId, u64)> {
        self.open().divide(depth)
    }

    fn playouts(&self, n: u64, rng: &mut Rng, recording: Recording) -> Tally {
        self.open().playouts(n, rng, recording)
    }
}
