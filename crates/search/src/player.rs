//! What plays: a search, or something simpler.

use tesuji_core::{Game, Outcome, Seed};

use crate::config::{PlayerConfig, Root, TreeConfig};
use crate::limits::Limits;
use crate::report::{ArmReport, Memory, Report, Watch};

/// Something that chooses moves of a game.
///
/// A player may remember what it learnt between the moves of one game (where
/// its configuration says so); [`forget`](Player::forget) makes it as new. Its
/// choices depend on the positions it was shown since then, on the seeds and on
/// the budgets, and on nothing else.
pub trait Player<G: Game>: Send {
    /// Looks at a position and chooses a move. All randomness is from `seed`:
    /// another one for every move of a game.
    fn search(
        &mut self,
        position: &G,
        limits: &Limits<'_>,
        seed: Seed,
        watch: Option<&mut dyn Watch>,
    ) -> Report<G::Move>;

    /// Forgets everything: a new game begins.
    fn forget(&mut self);
}

impl PlayerConfig {
    /// The player, for some game.
    ///
    /// # Panics
    /// Where the parts do not go together, see [`check`](PlayerConfig::check).
    pub fn player<G: Game>(&self) -> Box<dyn Player<G>> {
        if let Err(reason) = self.check() {
            panic!("{reason}");
        }
        match self {
            PlayerConfig::Random => Box::new(Random),
            PlayerConfig::Greedy => Box::new(Greedy),
            PlayerConfig::Search(search) => match (&search.root, search.tree) {
                (Root::Tree, TreeConfig::Shot | TreeConfig::HybridMcts { .. }) | (Root::Policy(_), _) => {
                    Box::new(crate::arm_search::ArmSearch::new(search))
                }
                (Root::Tree, _) => Box::new(crate::tree_search::TreeSearch::new(search)),
            },
        }
    }
}

/// Plays at random.
struct Random;

impl<G: Game> Player<G> for Random {
    fn search(
        &mut self,
        position: &G,
        _: &Limits<'_>,
        seed: Seed,
        _: Option<&mut dyn Watch>,
    ) -> Report<G::Move> {
        let moves = position.search_moves();
        let all: Vec<usize> = (0..moves.len()).collect();
        without_samples(&moves, &vec![None; moves.len()], &all, seed)
    }

    fn forget(&mut self) {}
}

/// Looks one ply ahead.
struct Greedy;

impl<G: Game> Player<G> for Greedy {
    fn search(
        &mut self,
        position: &G,
        _: &Limits<'_>,
        seed: Seed,
        _: Option<&mut dyn Watch>,
    ) -> Report<G::Move> {
        let moves = position.search_moves();
        let side = position.to_move();
        let outcome = |&mv: &G::Move| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            next.outcome()
        };
        let outcomes: Vec<Option<Outcome>> = moves.iter().map(outcome).collect();
        // A win, then a game that goes on, then a draw, then a loss.
        let rank = |outcome: &Option<Outcome>| match outcome.map(|outcome| outcome.reward(side)) {
            Some(1.0) => 3,
            None => 2,
            Some(0.0) => 0,
            Some(_) => 1,
        };
        let top = outcomes.iter().map(rank).max().unwrap_or(0);
        let best: Vec<usize> = (0..moves.len()).filter(|&arm| rank(&outcomes[arm]) == top).collect();
        without_samples(&moves, &outcomes, &best, seed)
    }

    fn forget(&mut self) {}
}

/// One of the candidates at random, and the report on it.
pub(crate) fn without_samples<M: Copy>(
    moves: &[M],
    proofs: &[Option<Outcome>],
    candidates: &[usize],
    seed: Seed,
) -> Report<M> {
    let arm = |(&mv, &proof): (&M, &Option<Outcome>)| ArmReport {
        mv,
        visits: 0,
        mean: None,
        amaf: None,
        score: None,
        q: None,
        proof,
    };
    Report {
        chosen: seed.child("choice").rng().choose(candidates).copied(),
        arms: moves.iter().zip(proofs).map(arm).collect(),
        memory: Memory::default(),
        ..Report::nothing()
    }
}
