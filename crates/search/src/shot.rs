//! Sequential Halving applied to trees: SHOT (Cazenave 2015), and Hybrid MCTS
//! (Pepels, Cazenave, Winands, Lanctot 2014), which leaves nodes with small
//! budgets to UCT.
//!
//! A node is given a budget and spends it on its moves by SHOT's halving; what
//! a move gets is the budget of the node below. A node that is given more later
//! goes on from where it was.

use tesuji_bandit::ShotHalving;
use tesuji_core::{Allocator, Arms, Code, Game, PackedMove, Pull, Rewards, Side};

use crate::kernel::{GameKernel, Task};
use crate::marks::MOST_DEPTH;
use crate::solver::conclude;
use crate::tree::{NONE, NodeId, State, Tree};

/// Spends budgets on nodes. Keeps the memory that each level needs.
pub(crate) struct Halver<G> {
    levels: Vec<Level<G>>,
}

impl<G> Default for Halver<G> {
    fn default() -> Halver<G> {
        Halver { levels: Vec::new() }
    }
}

/// What a node needs while its budget is spent.
struct Level<G> {
    allocator: ShotHalving,
    arms: Arms,
    child: Option<G>,
    /// The batch at hand.
    pulls: Vec<Pull>,
}

impl<G: Game> Halver<G> {
    /// Spends a budget on the first node of a tree, which is added to an empty tree; with
    /// less than `cutoff` for each move of a node, UCT takes over (never if it is 0).
    /// Returns Black's rewards.
    pub(crate) fn spend(
        &mut self,
        kernel: &mut GameKernel<G>,
        task: Task<'_>,
        position: &G,
        budget: u64,
        cutoff: u64,
    ) -> Rewards {
        let node = match task.tree.is_empty() {
            true => task.tree.find_or_add(position.hash()).map(|(node, _)| node),
            false => Some(0),
        };
        self.shot(&mut Spending { kernel, task, cutoff }, node, position, budget, 0)
    }

    fn shot(
        &mut self,
        spending: &mut Spending<'_, G>,
        node: Option<NodeId>,
        position: &G,
        budget: u64,
        depth: usize,
    ) -> Rewards {
        let Spending { kernel, task: Task { simulator, tree, rng, clock, .. }, cutoff } = spending;
        let mut rewards = Rewards::default();
        if let Some(node) = node
            && budget > 1
            && tree.node(node).state == State::New
            && !tree.is_full()
        {
            tree.open(node, position);
        }
        let state = node.map_or(State::New, |node| tree.node(node).state);
        let deep = simulator.prefix.len() + 2 >= MOST_DEPTH as usize;
        match (node, state) {
            (_, State::Known(outcome)) => {
                while rewards.count < budget && !clock.is_over(rewards.count) {
                    rewards.add(simulator.end_of_prefix(tree, outcome));
                }
                return rewards;
            }
            (Some(node), State::Open) if budget > 1 && !deep => {
                let n_moves = tree.node(node).edges().len() as u64;
                if budget < cutoff.saturating_mul(n_moves) {
                    while rewards.count < budget && !clock.is_over(rewards.count) {
                        rewards.add(kernel.simulation(simulator, tree, node, position, rng));
                    }
                    return rewards;
                }
                return self.halve(spending, node, position, budget, depth);
            }
            _ => {}
        }
        // A new position, or no room for it.
        while rewards.count < budget && !clock.is_over(rewards.count) {
            rewards.add(kernel.leaf_value(simulator, tree, node, position, rng));
        }
        rewards
    }

    /// Spends the budget of an open node on its moves.
    fn halve(
        &mut self,
        spending: &mut Spending<'_, G>,
        node: NodeId,
        position: &G,
        budget: u64,
        depth: usize,
    ) -> Rewards {
        if self.levels.len() <= depth {
            self.levels.push(Level {
                allocator: ShotHalving::default(),
                arms: Arms::default(),
                child: None,
                pulls: Vec::new(),
            });
        }
        let side = position.to_move();
        let edges = spending.task.tree.node(node).edges();
        let level = &mut self.levels[depth];
        level.arms.clear(edges.len());
        let columns = &spending.task.tree.columns;
        for (arm, edge) in edges.clone().enumerate() {
            let (count, sum) = (u64::from(columns.visits[edge]), f64::from(columns.sums[edge]));
            level.arms.record(arm, Rewards { count, sum, squares: 0.0 });
        }
        level.allocator.begin(edges.len(), budget);
        let mut child = level.child.take().unwrap_or_else(|| position.clone());
        let mut total = Rewards::default();
        let needs_codes = spending.task.simulator.needs_codes();
        loop {
            let Level { allocator, arms, pulls, .. } = &mut self.levels[depth];
            if spending.task.clock.is_over(0) {
                break;
            }
            let Some(batch) = allocator.next_batch(arms, spending.task.rng) else { break };
            pulls.clear();
            pulls.extend_from_slice(batch.pulls);
            for at in 0..self.levels[depth].pulls.len() {
                let Pull { arm, samples } = self.levels[depth].pulls[at];
                let edge = edges.start + arm;
                let tree = &mut *spending.task.tree;
                let mv = G::Move::unpack(tree.columns.moves[edge]);
                let code: Code = if needs_codes { position.code(mv) } else { 0 };
                child.clone_from(position);
                child.play_unchecked(mv);
                spending.task.simulator.prefix.push(code);
                let below = link(tree, edge, &child);
                let blacks = self.shot(spending, below, &child, samples, depth + 1);
                let Task { simulator, tree, clock, .. } = &mut spending.task;
                simulator.prefix.pop();
                let own = of_side(blacks, side);
                // The clock may have left it without any.
                if own.count > 0 {
                    tree.record(node, edge, own.count as u32, own.sum as f32, own.squares as f32);
                }
                self.levels[depth].arms.record(arm, own);
                total.count += blacks.count;
                total.sum += blacks.sum;
                total.squares += blacks.squares;
                if simulator.solves()
                    && let Some(outcome) = conclude(tree, node, edge, side)
                {
                    // The rest of the budget is as sure as the outcome.
                    while total.count < budget && !clock.is_over(total.count) {
                        total.add(simulator.end_of_prefix(tree, outcome));
                    }
                    self.levels[depth].child = Some(child);
                    return total;
                }
            }
        }
        self.levels[depth].child = Some(child);
        total
    }
}

/// What a node's budget is spent with.
struct Spending<'a, G> {
    kernel: &'a mut GameKernel<G>,
    task: Task<'a>,
    /// B: with less than this for each move, UCT takes over.
    cutoff: u64,
}

/// The node that a move leads to; `None` if there is no room for it.
fn link<G: Game>(tree: &mut Tree, edge: usize, child: &G) -> Option<NodeId> {
    if tree.columns.children[edge] == NONE
        && let Some((node, _)) = tree.find_or_add(child.hash())
    {
        tree.columns.children[edge] = node;
    }
    let node = tree.columns.children[edge];
    (node != NONE).then_some(node)
}

/// Rewards of Black's as those of this side.
pub(crate) fn of_side(blacks: Rewards, side: Side) -> Rewards {
    match side {
        Side::Black => blacks,
        // Σ(1 − r) and Σ(1 − r)².
        Side::White => Rewards {
            count: blacks.count,
            sum: blacks.count as f64 - blacks.sum,
            squares: blacks.count as f64 - 2.0 * blacks.sum + blacks.squares,
        },
    }
}
