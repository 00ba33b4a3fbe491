//! What a new position is worth: one playout, or several spread over its moves
//! (Liu, Tsuruoka 2015).

use tesuji_bandit::PolicySpec;
use tesuji_core::{Allocator, Arms, Batch, Game, Outcome, Pull, Rewards, Rng, Seed, Side, Stop, allocate};

use crate::config::{LeafConfig, PriorPolicy, PriorSource, SearchConfig, TreeConfig};
use crate::policy::softmax;
use crate::simulator::Simulator;
use crate::tree::{NodeId, State, Tree};

/// A leaf evaluator and the memory it needs.
pub(crate) struct Leaf<G: Game> {
    /// Several playouts; nothing for one.
    pub(crate) prior: Option<Box<Prior<G>>>,
}

/// Several playouts for a position, spread over its moves.
pub(crate) struct Prior<G: Game> {
    allocator: Box<dyn Allocator>,
    /// How many.
    pub(crate) playouts: u64,
    /// What they said of each move of the last position.
    pub(crate) arms: Arms,
    moves: Vec<G::Move>,
    child: Option<G>,
    /// PUCT's temperature, where their means become its priors.
    temperature: Option<f32>,
    scores: Vec<f32>,
}

impl<G: Game> Leaf<G> {
    pub(crate) fn playout() -> Leaf<G> {
        Leaf { prior: None }
    }

    pub(crate) fn new(config: &SearchConfig) -> Leaf<G> {
        let LeafConfig::Prior { policy, playouts, .. } = &config.leaf else { return Leaf::playout() };
        let allocator: Box<dyn Allocator> = match policy {
            PriorPolicy::Literal => Box::new(LiteralHalving::default()),
            PriorPolicy::Allocator(policy) => with_least(policy).allocator(),
        };
        let temperature = match config.tree {
            TreeConfig::Puct { prior: PriorSource::Leaf, temperature, .. } => Some(temperature as f32),
            _ => None,
        };
        let prior = Prior {
            allocator,
            playouts: *playouts,
            arms: Arms::default(),
            moves: Vec::new(),
            child: None,
            temperature,
            scores: Vec::new(),
        };
        Leaf { prior: Some(Box::new(prior)) }
    }

    /// Several playouts, where there are several.
    pub(crate) fn prior_mut(&mut self) -> Option<&mut Prior<G>> {
        self.prior.as_deref_mut()
    }
}

/// `sh` at a leaf is at least one playout a move while they last: without that,
/// a budget below the number of moves goes to the last few of a blind draw.
fn with_least(policy: &PolicySpec) -> PolicySpec {
    let text = policy.to_string();
    let changed = match text.strip_prefix("sh") {
        Some("") => "sh(least=1)".to_owned(),
        Some(rest) if rest.starts_with('(') && !rest.contains("least=") => {
            format!("sh{},least=1)", rest.trim_end_matches(')'))
        }
        _ => return policy.clone(),
    };
    changed.parse().unwrap_or_else(|_| policy.clone())
}

impl<G: Game> Prior<G> {
    /// What the playouts said of all moves together, as the reward of the side to move.
    pub(crate) fn mean(&self) -> f64 {
        (0..self.arms.len()).map(|arm| self.arms.sum(arm)).sum::<f64>() / self.arms.total().max(1) as f64
    }

    /// Values a position at the end of the simulator's path; Black's reward.
    pub(crate) fn evaluate(
        &mut self,
        simulator: &mut Simulator<G>,
        tree: &mut Tree<G::Move>,
        node: Option<NodeId>,
        position: &G,
        rng: &mut Rng,
    ) -> f64 {
        if let Some(outcome) = position.outcome() {
            if let Some(node) = node {
                tree.node_mut(node).state = State::Known(outcome);
            }
            return simulator.end(tree, outcome);
        }
        self.moves.clear();
        position.for_each_search_move(|mv| self.moves.push(mv));
        self.arms.clear(self.moves.len());
        let side = position.to_move();
        // The allocator's own choices get a stream of their own, for the
        // rewards are drawn between them.
        let mut choices = Seed::new(rng.bits()).rng();
        let Prior { allocator, playouts, arms, moves, child, .. } = self;
        let child = child.get_or_insert_with(|| position.clone());
        let mut blacks = 0.0;
        let mut sample = |arm: usize, samples: u64, arms: &mut Arms| {
            let mut rewards = Rewards::default();
            for _ in 0..samples {
                child.clone_from(position);
                let code = position.code(moves[arm]);
                child.play_unchecked(moves[arm]);
                let outcome: Outcome = simulator.playout(tree, child, Some(code), rng).outcome;
                rewards.add(outcome.reward(side));
                blacks += outcome.reward(Side::Black);
            }
            arms.record(arm, rewards);
        };
        if moves.len() == 1 {
            sample(0, *playouts, arms);
        } else {
            let _ = allocate(&mut **allocator, *playouts, arms, &mut choices, |batch, arms| {
                batch.pulls.iter().for_each(|pull| sample(pull.arm, pull.samples, arms));
            });
        }
        let value = if arms.total() == 0 { 0.5 } else { blacks / arms.total() as f64 };
        if let (Some(temperature), Some(node)) = (self.temperature, node)
            && !tree.is_full()
        {
            self.fill_priors(tree, node, position, temperature);
        }
        value
    }

    /// Lists the moves at once, with what the playouts said of them as priors.
    fn fill_priors(&mut self, tree: &mut Tree<G::Move>, node: NodeId, position: &G, temperature: f32) {
        tree.open(node, position);
        let mean = self.mean();
        let Prior { arms, scores, .. } = self;
        scores.clear();
        scores.extend(
            (0..arms.len()).map(|arm| if arms.count(arm) == 0 { mean } else { arms.mean(arm) } as f32),
        );
        softmax(scores, temperature);
        let edges = tree.node(node).edges();
        tree.columns.priors[edges].copy_from_slice(scores);
    }
}

/// Halving as Liu and Tsuruoka print it (their Algorithm 1): every round gives
/// each arm that is left ⌊B/(|S|·⌈log2 n⌉)⌋ samples of the whole budget B and
/// keeps the better half. Rounds with more arms than samples only cut, at
/// random, and what the floors leave is not spent.
#[derive(Default)]
pub(crate) struct LiteralHalving {
    budget: u64,
    /// ⌈log2 n⌉
    rounds: u64,
    left: Vec<Entrant>,
    round: u32,
    pulls: Vec<Pull>,
    is_shuffled: bool,
    spent: u64,
}

/// An arm, and what it was ranked by: its mean, then its place before.
#[derive(Clone, Copy)]
struct Entrant {
    arm: usize,
    mean: f64,
    place: usize,
}

impl Allocator for LiteralHalving {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        self.budget = budget;
        self.rounds = u64::from(n_arms.next_power_of_two().trailing_zeros());
        self.left.clear();
        self.left.extend((0..n_arms).map(|arm| Entrant { arm, mean: 0.0, place: arm }));
        self.pulls.clear();
        (self.round, self.spent, self.is_shuffled) = (0, 0, false);
    }

    fn next_batch(&mut self, arms: &Arms, rng: &mut Rng) -> Option<Batch<'_>> {
        if !self.is_shuffled {
            rng.shuffle(&mut self.left);
            self.is_shuffled = true;
        } else {
            self.keep_better_half(arms);
        }
        while self.left.len() > 1 {
            let each = self.budget / (self.left.len() as u64 * self.rounds);
            if each > 0 {
                self.pulls.clear();
                self.pulls.extend(self.left.iter().map(|entrant| Pull { arm: entrant.arm, samples: each }));
                self.spent += each * self.left.len() as u64;
                let round = self.round;
                self.round += 1;
                return Some(Batch { round, pulls: &self.pulls });
            }
            self.keep_better_half(arms);
        }
        None
    }

    fn recommend(&self, arms: &Arms) -> usize {
        let left = self.left.iter().map(|entrant| entrant.arm);
        left.max_by(|&a, &b| arms.mean(a).total_cmp(&arms.mean(b))).unwrap_or(0)
    }

    fn stop(&self) -> Option<Stop> {
        (self.left.len() <= 1 && self.spent < self.budget).then_some(Stop::Floors)
    }
}

impl LiteralHalving {
    /// Equals keep their order, which was drawn.
    fn keep_better_half(&mut self, arms: &Arms) {
        for (place, entrant) in self.left.iter_mut().enumerate() {
            *entrant = Entrant { mean: arms.mean(entrant.arm), place, ..*entrant };
        }
        // The sort that keeps equals in order would allocate.
        self.left.sort_unstable_by(|a, b| b.mean.total_cmp(&a.mean).then(a.place.cmp(&b.place)));
        self.left.truncate(self.left.len().div_ceil(2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_floor_looks_at_six_of_81_moves() {
        let mut halving = LiteralHalving::default();
        let (mut arms, mut rng) = (Arms::new(81), Seed::new(1).rng());
        let mut batches = Vec::new();
        let decision = allocate(&mut halving, 64, &mut arms, &mut rng, |batch, arms| {
            batches.push((batch.pulls.len(), batch.pulls[0].samples));
            batch.pulls.iter().for_each(|pull| arms.record(pull.arm, Rewards::wins(pull.samples, 0)));
        });
        // 81, 41, 21 and 11 moves get none; 64/(6·7), 64/(3·7), 64/(2·7).
        assert_eq!(batches, [(6, 1), (3, 3), (2, 4)]);
        assert_eq!((decision.spent, decision.stop), (23, Some(Stop::Floors)));
    }

    #[test]
    fn halving_at_a_leaf_tries_every_move_it_can() {
        let with = |text: &str| with_least(&text.parse().unwrap()).to_string();
        assert_eq!(with("sh"), "sh(least=1)");
        assert_eq!(with("sh(lambda=0.7)"), "sh(lambda=0.7,least=1)");
        assert_eq!(with("sh(least=2)"), "sh(least=2)");
        assert_eq!(with("uniform"), "uniform");
        assert_eq!(with("shuss(t=8)"), "shuss(t=8)");
    }
}
