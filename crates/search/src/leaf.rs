//! What a new position is worth: one playout, or several spread over its moves
//! (Liu, Tsuruoka 2015).

use tesuji_core::{Allocator, Arms, Batch, MoveId, Pull, Rng, Stop};

use crate::config::{LeafConfig, PriorPolicy, PriorSource, SearchConfig, TreeConfig};
use crate::policy::softmax;
use crate::tree::{NodeId, Tree};

/// Several playouts for a position, spread over its moves.
pub(crate) struct Prior {
    pub(crate) allocator: Box<dyn Allocator>,
    /// How many.
    pub(crate) playouts: u64,
    /// What they said of each move of the last position.
    pub(crate) arms: Arms,
    /// The moves of the last position.
    pub(crate) moves: Vec<MoveId>,
    /// PUCT's temperature, if the means of the playouts become its priors.
    pub(crate) temperature: Option<f32>,
    scores: Vec<f32>,
}

impl Prior {
    /// The playouts that a configuration asks for; `None` if a leaf is one playout.
    pub(crate) fn new(config: &SearchConfig) -> Option<Prior> {
        let LeafConfig::Prior { policy, playouts, .. } = &config.leaf else { return None };
        let allocator: Box<dyn Allocator> = match policy {
            PriorPolicy::Literal => Box::new(LiteralHalving::default()),
            // With at least one playout a move while they last: a budget below the number of moves
            // would go to the last few of a blind draw.
            PriorPolicy::Allocator(policy) => policy.for_small_budgets().allocator(),
        };
        let temperature = match config.tree {
            TreeConfig::Puct { prior: PriorSource::Leaf, temperature, .. } => {
                Some(config.temperature(temperature) as f32)
            }
            _ => None,
        };
        Some(Prior {
            allocator,
            playouts: *playouts,
            arms: Arms::default(),
            moves: Vec::new(),
            temperature,
            scores: Vec::new(),
        })
    }

    /// What the playouts said of all moves together, as the reward of the side to move.
    pub(crate) fn mean(&self) -> f64 {
        (0..self.arms.len()).map(|arm| self.arms.sum(arm)).sum::<f64>() / self.arms.total().max(1) as f64
    }

    /// Makes what the playouts said of the moves of an open node its priors.
    pub(crate) fn fill_priors(&mut self, tree: &mut Tree, node: NodeId) {
        let Some(temperature) = self.temperature else { return };
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
    use tesuji_core::{Rewards, Seed, allocate};

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
}
