//! Comparison with slow, obvious rules.
//!
//! A reference shares nothing with the fast code: its moves are texts, its boards
//! whatever is simplest to get right.

use tesuji_core::{Game, Outcome, Seed, Side};

/// A game's rules written as plainly as possible.
pub trait Reference: Clone {
    /// The side to move.
    fn to_move(&self) -> Side;

    /// The outcome; `None` if the game is not over.
    fn outcome(&self) -> Option<Outcome>;

    /// The texts of all legal moves, in any order; empty if the game is over.
    fn legal_moves(&self) -> Vec<String>;

    /// Plays a legal move.
    fn play(&mut self, mv: &str);
}

/// Plays `n_games` random games and checks at every position that the fast and the
/// slow rules agree on the side to move, the outcome and the moves.
///
/// # Panics
///
/// If they disagree.
pub fn agrees_along_random_games<G: Game, R: Reference>(game: &G, reference: &R, n_games: u64, longest: u32) {
    for index in 0..n_games {
        let mut rng = Seed::new(0).child("reference").child(index).rng();
        let (mut fast, mut slow) = (game.clone(), reference.clone());
        for _ in 0..longest {
            agree(&fast, &slow);
            let Some(&mv) = rng.choose(&fast.moves()) else { break };
            slow.play(&fast.move_text(mv));
            fast.play(mv).expect("a listed move is legal");
        }
    }
}

fn agree<G: Game, R: Reference>(fast: &G, slow: &R) {
    let here = || fast.position_text().unwrap_or_default();
    assert_eq!(fast.to_move(), slow.to_move(), "side to move at {}", here());
    assert_eq!(fast.outcome(), slow.outcome(), "outcome at {}\n{}", here(), fast.drawing());
    let mut fast_moves: Vec<String> = fast.moves().iter().map(|&mv| fast.move_text(mv)).collect();
    let mut slow_moves = slow.legal_moves();
    fast_moves.sort();
    slow_moves.sort();
    assert_eq!(fast_moves, slow_moves, "moves at {}\n{}", here(), fast.drawing());
}

/// The number of move sequences of length `depth` by the reference, as
/// [`perft`](tesuji_core::perft) counts them by the fast rules.
pub(crate) fn perft_by_reference<R: Reference>(reference: &R, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = reference.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .iter()
        .map(|mv| {
            let mut next = reference.clone();
            next.play(mv);
            perft_by_reference(&next, depth - 1)
        })
        .sum()
}
