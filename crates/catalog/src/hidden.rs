//! A phantom game whose type has been forgotten.
//!
//! What it answers to [`moves`](AnyGame::moves) is what the side to move may try as far
//! as it knows; drawings and counts are of the real board, for spectators.

use std::any::Any;

use tesuji_core::{
    Announced, Answer, Guess, Outcome, ParseMoveError, ParsePositionError, Phantom, Referee, Rng, Side,
    Symmetry, View,
};

use crate::any::Forgotten;
use crate::{AnyGame, Attempt, Recording, Tally};

/// A phantom game behind [`AnyGame`].
#[derive(Clone)]
pub(crate) struct Veiled<G: Phantom>(pub(crate) Referee<G>);

impl<G: Phantom> Veiled<G> {
    /// What the side to move knows.
    fn view(&self) -> &G::View {
        self.0.view(self.0.world().to_move())
    }

    /// What it may try, the last resort last.
    fn tries(&self) -> Vec<G::Move> {
        let mut moves = self.candidates();
        if self.0.outcome().is_none() {
            moves.extend(self.view().last_resort());
        }
        moves
    }

    /// What it may try before the last resort.
    fn candidates(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.0.outcome().is_none() {
            self.view().for_each_candidate(|mv| moves.push(mv));
        }
        moves
    }

    /// What is worth trying: the candidates, or the last resort where there is none.
    fn worth_trying(&self) -> Vec<G::Move> {
        let candidates = self.candidates();
        if candidates.is_empty() { self.tries() } else { candidates }
    }

    /// The real board as a game that is seen.
    fn open(&self) -> Forgotten<G> {
        Forgotten(self.0.world().clone())
    }
}

impl<G: Phantom> AnyGame for Veiled<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
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
        self.tries().len() as u64
    }

    fn moves(&self) -> Vec<String> {
        self.tries().into_iter().map(|mv| self.view().move_text(mv)).collect()
    }

    fn search_moves(&self) -> Vec<String> {
        self.worth_trying().into_iter().map(|mv| self.view().move_text(mv)).collect()
    }

    fn play(&mut self, text: &str) -> Result<String, ParseMoveError> {
        match self.attempt(text)? {
            Attempt::Stands { mv, .. } => Ok(mv),
            Attempt::Refused { .. } => Err(ParseMoveError::new(text, "the referee refuses it")),
        }
    }

    fn attempt(&mut self, text: &str) -> Result<Attempt, ParseMoveError> {
        if self.0.outcome().is_some() {
            return Err(ParseMoveError::new(text, "the game is over"));
        }
        let mv = self.view().parse_move(text)?;
        let name = self.view().move_text(mv);
        Ok(match self.0.attempt(mv) {
            Answer::Refused => Attempt::Refused { mv: name },
            Answer::Stands(news) => {
                let news = match self.0.announced() {
                    Announced::Captures => self.0.world().news_text(&news),
                    Announced::Refusals => None,
                };
                Attempt::Stands { mv: name, news }
            }
        })
    }

    fn seen_by(&self, side: Side) -> Option<String> {
        Some(self.0.view(side).drawing())
    }

    fn known_at(&self, side: Side, x: usize, y: usize) -> Option<Side> {
        self.0.view(side).piece_at(x, y)
    }

    fn imagined(&self, side: Side, rng: &mut Rng) -> Option<Box<dyn AnyGame>> {
        Some(Box::new(Forgotten(self.0.view(side).assume(None).world(rng))))
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.open().symmetries()
    }

    fn play_at_random(&mut self, rng: &mut Rng) -> Option<String> {
        loop {
            let mv = *rng.choose(&self.worth_trying())?;
            let name = self.view().move_text(mv);
            if self.0.attempt(mv) != Answer::Refused {
                return Some(name);
            }
        }
    }

    fn played_out(&self, rng: &mut Rng, most_moves: u32) -> Box<dyn AnyGame> {
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

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        self.open().divide(depth)
    }

    fn playouts(&self, n: u64, rng: &mut Rng, recording: Recording) -> Tally {
        self.open().playouts(n, rng, recording)
    }
}
