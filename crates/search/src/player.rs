//! What plays: a search, or something simpler.

use tesuji_core::{MoveId, Outcome, Seed, Symmetry};

use crate::Sight;
use crate::arm_search::ArmSearch;
use crate::config::{LeafConfig, PlayerConfig, Root, TreeConfig};
use crate::limits::Limits;
use crate::report::{ArmReport, Report, Watch};
use crate::tree_search::TreeSearch;

/// Something that chooses moves of any game.
///
/// A player may remember what it learnt between the moves of one game, if its
/// configuration says so; [`forget`](Player::forget) makes it as new. Its
/// choices depend on the positions it was shown since then, on the seeds and on
/// the budgets, and on nothing else.
pub trait Player: Send {
    /// Looks at a position and chooses a move. All randomness is from `seed`:
    /// use another one for every move of a game. If a move may be refused, as in phantom
    /// games, the next ones to try are in [`Report::ranking`]; if all are refused, ask again.
    fn search(
        &mut self,
        position: &dyn Sight,
        limits: &Limits<'_>,
        seed: Seed,
        watch: Option<&mut dyn Watch>,
    ) -> Report;

    /// Forgets everything: a new game begins.
    fn forget(&mut self);

    /// Sets the samples that earlier moves of the game left, the `carried` of the last report, for
    /// a player that continues a game. Players that save no samples ignore it.
    fn set_carried(&mut self, _samples: u64) {}
}

impl PlayerConfig {
    /// Returns the player. It plays every game, but for phantom games if
    /// [`check_hidden`](PlayerConfig::check_hidden) says no.
    ///
    /// # Panics
    /// If the parts do not go together, see [`check`](PlayerConfig::check).
    pub fn player(&self) -> Box<dyn Player> {
        if let Err(reason) = self.check() {
            panic!("{reason}");
        }
        match self {
            PlayerConfig::Random => Box::new(Random),
            PlayerConfig::Greedy => Box::new(Greedy),
            PlayerConfig::Search(search) => match (&search.root, search.tree) {
                (Root::Tree, TreeConfig::Shot | TreeConfig::HybridMcts { .. }) | (Root::Policy(_), _) => {
                    Box::new(ArmSearch::new(search))
                }
                (Root::Tree, _) => Box::new(TreeSearch::new(search)),
            },
        }
    }

    /// Checks that the player can play phantom games: an error that says why not.
    pub fn check_hidden(&self) -> Result<(), String> {
        let fits = match self {
            PlayerConfig::Random => true,
            PlayerConfig::Greedy => false,
            PlayerConfig::Search(search) => {
                search.tree == TreeConfig::Flat && !matches!(search.leaf, LeafConfig::Prior { .. })
            }
        };
        match fits {
            true => self.check(),
            false => Err("only random and flat(POLICY) play games in which the enemy is hidden, such as \
                          flat(uniform) or flat(sh)"
                .to_owned()),
        }
    }
}

/// Plays at random.
struct Random;

impl Player for Random {
    fn search(
        &mut self,
        position: &dyn Sight,
        limits: &Limits<'_>,
        seed: Seed,
        _: Option<&mut dyn Watch>,
    ) -> Report {
        let mut moves = limits.moves.of(position).moves;
        let mut candidates: Vec<usize> = (0..moves.len()).collect();
        if position.hides_pieces() {
            // In a random order, so that the moves to try next are as random as the first.
            seed.child("order").rng().shuffle(&mut moves);
            candidates.truncate(1);
        }
        without_samples(&moves, &vec![None; moves.len()], &candidates, seed)
    }

    fn forget(&mut self) {}
}

/// Looks one ply ahead.
struct Greedy;

impl Player for Greedy {
    fn search(
        &mut self,
        position: &dyn Sight,
        limits: &Limits<'_>,
        seed: Seed,
        _: Option<&mut dyn Watch>,
    ) -> Report {
        let moves = limits.moves.of(position).moves;
        let side = position.to_move();
        let outcomes: Vec<Option<Outcome>> = moves.iter().map(|&mv| position.after(mv).outcome()).collect();
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

/// A player that looks at every position through a symmetry of the board.
pub struct TurnedPlayer {
    player: Box<dyn Player>,
    symmetry: Symmetry,
}

impl TurnedPlayer {
    /// Has `player` look through a symmetry that keeps the rules of the game it plays.
    pub fn new(player: Box<dyn Player>, symmetry: Symmetry) -> TurnedPlayer {
        TurnedPlayer { player, symmetry }
    }

    /// Looks through another symmetry from now on.
    pub fn turn(&mut self, symmetry: Symmetry) {
        self.symmetry = symmetry;
    }

    /// The symmetry through which it looks.
    pub fn symmetry(&self) -> Symmetry {
        self.symmetry
    }
}

impl Player for TurnedPlayer {
    fn search(
        &mut self,
        position: &dyn Sight,
        limits: &Limits<'_>,
        seed: Seed,
        watch: Option<&mut dyn Watch>,
    ) -> Report {
        if self.symmetry == Symmetry::IDENTITY {
            return self.player.search(position, limits, seed, watch);
        }
        let turned = position.transformed(self.symmetry);
        let there = |mv| position.transformed_move(mv, self.symmetry);
        let mut list = Vec::new();
        let limits = &Limits {
            moves: limits.moves.seen_otherwise(there, &mut list),
            focus: limits.focus.map(there),
            ..*limits
        };
        let back = |mv| turned.transformed_move(mv, self.symmetry.inverse());
        self.player.search(&*turned, limits, seed, watch).map(back)
    }

    fn forget(&mut self) {
        self.player.forget();
    }

    fn set_carried(&mut self, samples: u64) {
        self.player.set_carried(samples);
    }
}

/// One of the candidates at random, and the report on it.
fn without_samples(moves: &[MoveId], proofs: &[Option<Outcome>], candidates: &[usize], seed: Seed) -> Report {
    let arm = |(&mv, &proof): (&MoveId, &Option<Outcome>)| ArmReport {
        mv,
        visits: 0,
        mean: None,
        variance: None,
        amaf: None,
        score: None,
        q: None,
        proof,
        policy: None,
    };
    Report {
        chosen: seed.child("choice").rng().choose(candidates).copied(),
        arms: moves.iter().zip(proofs).map(arm).collect(),
        ..Report::nothing()
    }
}
