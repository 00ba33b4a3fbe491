//! The outcome of a position if both sides play best, by trying every move.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

use tesuji_core::{Game, Outcome};

/// A solver that remembers positions by their hashes. It is for games without
/// repetition, and tries the search moves only, as a search does.
#[derive(Debug, Default)]
pub struct Solved {
    known: HashMap<u64, Outcome, BuildHasherDefault<AsItIs>>,
}

/// A position's hash needs no more hashing.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are whole words");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl Solved {
    /// The outcome of a position if both sides play best.
    pub fn outcome<G: Game>(&mut self, position: &G) -> Outcome {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        if let Some(&outcome) = self.known.get(&position.hash()) {
            return outcome;
        }
        let side = position.to_move();
        let mut best: Option<Outcome> = None;
        let _ = position.try_for_each_search_move(|mv| {
            let outcome = self.after(position, mv);
            if best.is_none_or(|best| outcome.reward(side) > best.reward(side)) {
                best = Some(outcome);
            }
            if outcome == Outcome::Win(side) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let best = best.expect("a game that is not over has a move");
        self.known.insert(position.hash(), best);
        best
    }

    /// The outcome after a move if both sides then play best.
    pub fn after<G: Game>(&mut self, position: &G, mv: G::Move) -> Outcome {
        let mut next = position.clone();
        next.play_unchecked(mv);
        self.outcome(&next)
    }

    /// The number of positions remembered.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether no position is remembered.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::Side;

    use super::*;
    use crate::tree_game::TreeGame;

    #[test]
    fn best_play_by_hand() {
        let outcome = |text: &str| Solved::default().outcome(&TreeGame::new(text));
        assert_eq!(outcome("((W B) (B (W B)))"), Outcome::Win(Side::Black));
        assert_eq!(outcome("((W B) (W (B B)))"), Outcome::Win(Side::White));
        assert_eq!(outcome("((W B) (= (B B)))"), Outcome::Draw);
    }
}
