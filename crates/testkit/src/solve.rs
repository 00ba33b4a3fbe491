//! What a position is worth when both sides play best, by trying everything.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

use tesuji_core::{Game, Outcome};

/// Solves positions and remembers them by their hashes. For games without
/// repetition, and by the moves worth searching, which is what a search sees.
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
    /// How the game ends if both sides play best from here.
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

    /// How it ends after this move.
    pub fn after<G: Game>(&mut self, position: &G, mv: G::Move) -> Outcome {
        let mut next = position.clone();
        next.play_unchecked(mv);
        self.outcome(&next)
    }

    /// How many positions are remembered.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether none is.
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
