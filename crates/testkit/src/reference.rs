//! Comparison with slow, obvious rules.
//!
//! A reference knows nothing of the fast code: its moves are texts, its boards
//! whatever was simplest to get right.

use tesuji_core::{Game, Outcome, Seed, Side};

/// A game's rules written as plainly as possible.
pub trait Reference: Clone {
    /// Whose turn it is.
    fn to_move(&self) -> Side;

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// The texts of all legal moves, in any order; none once the game is over.
    fn legal_moves(&self) -> Vec<String>;

    /// Plays a legal move.
    fn play(&mut self, mv: &str);
}

/// Plays random games of pure rules and asks, at every position, that the fast
/// and the slow rules agree on the side to move, the outcome and the moves.
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

/// [`perft`](tesuji_core::perft), by the reference.
pub fn perft_by_reference<R: Reference>(reference: &R, depth: u32) -> u64 {
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
