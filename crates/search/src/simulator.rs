//! One simulation: down the tree, a leaf, and back.
//!
//! As in the baseline programs of the papers: a simulation goes down by the
//! tree's policy until it comes to a position that is not in the tree, adds it,
//! values it, and adds the reward to every move on its way. A position's moves
//! have statistics from its second visit on.

use std::sync::Arc;

use tesuji_core::isa::dispatch;
use tesuji_core::{Code, Game, Outcome, Rng, Side, Silent};

use crate::amaf::CountHits;
use crate::config::{AmafMoves, SearchConfig};
use crate::leaf::Leaf;
use crate::marks::{MOST_DEPTH, Marker, Marks};
use crate::policy::{self, TreePolicy, View, first_greatest};
use crate::tree::{Keeps, NONE, NodeId, State, Tree};

/// What is shared by all simulators of a search.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) policy: Arc<dyn TreePolicy>,
    /// Whether wins and losses are proved.
    solver: bool,
    /// Whether AMAF statistics of the moves at the root are kept beside the tree's.
    root_amaf: bool,
}

impl Plan {
    pub(crate) fn new(config: &SearchConfig, root_amaf: bool) -> Plan {
        Plan { policy: policy::policy(config).into(), solver: config.options.solver, root_amaf }
    }

    pub(crate) fn keeps(&self) -> Keeps {
        self.policy.keeps()
    }
}

/// A move on the way down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) node: NodeId,
    /// Its place in the columns.
    pub(crate) edge: usize,
    /// Who makes it.
    pub(crate) side: Side,
    /// Its AMAF code, where somebody needs it.
    code: Code,
}

/// AMAF statistics of the moves at the root, in samples and rewards of the side
/// to move there. Rewards are wins and draws, so sums are exact and can be
/// added up in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootAmaf {
    pub(crate) codes: Vec<Code>,
    pub(crate) counts: Vec<u32>,
    pub(crate) sums: Vec<f64>,
}

impl RootAmaf {
    pub(crate) fn clear(&mut self, codes: impl Iterator<Item = Code>) {
        self.codes.clear();
        self.codes.extend(codes);
        self.counts.clear();
        self.counts.resize(self.codes.len(), 0);
        self.sums.clear();
        self.sums.resize(self.codes.len(), 0.0);
    }

    /// Takes over what another has counted, which begins anew.
    pub(crate) fn take(&mut self, other: &mut RootAmaf) {
        for arm in 0..self.codes.len() {
            self.counts[arm] += std::mem::take(&mut other.counts[arm]);
            self.sums[arm] += std::mem::take(&mut other.sums[arm]);
        }
    }
}

/// What a thread needs for simulations. It belongs to no tree.
pub(crate) struct Simulator<G: Game> {
    plan: Plan,
    pub(crate) leaf: Leaf<G>,
    /// The position a simulation has come to.
    position: Option<G>,
    path: Vec<Step>,
    marks: Marks,
    values: Vec<f32>,
    /// The moves that lead from the root to where simulations begin: the move
    /// that a tree is for, and those of a halving tree above.
    pub(crate) prefix: Vec<Code>,
    pub(crate) root_amaf: RootAmaf,
    root_side: Side,
}

impl<G: Game> Simulator<G> {
    pub(crate) fn new(plan: Plan, leaf: Leaf<G>) -> Simulator<G> {
        Simulator {
            plan,
            leaf,
            position: None,
            path: Vec::new(),
            marks: Marks::default(),
            values: Vec::new(),
            prefix: Vec::new(),
            root_amaf: RootAmaf::default(),
            root_side: Side::Black,
        }
    }

    /// Begins the search of a position with these moves.
    pub(crate) fn begin(&mut self, root: &G, moves: &[G::Move]) {
        self.marks.clear(root.n_codes());
        self.root_side = root.to_move();
        self.prefix.clear();
        let codes = if self.plan.root_amaf { moves } else { &[] };
        self.root_amaf.clear(codes.iter().map(|&mv| root.code(mv)));
    }

    /// Whether wins and losses are proved.
    pub(crate) fn solves(&self) -> bool {
        self.plan.solver
    }

    /// The side to move at the root.
    pub(crate) fn root_side(&self) -> Side {
        self.root_side
    }

    pub(crate) fn needs_codes(&self) -> bool {
        self.plan.root_amaf || self.plan.keeps().amaf()
    }

    /// Simulates once from a node whose position is `from`, in a tree that has
    /// it; in an empty tree the position is added and valued. Gives Black's reward.
    pub(crate) fn simulate(
        &mut self,
        tree: &mut Tree<G::Move>,
        root: NodeId,
        from: &G,
        rng: &mut Rng,
    ) -> f64 {
        self.path.clear();
        let mut position = match self.position.take() {
            Some(mut position) => {
                position.clone_from(from);
                position
            }
            None => from.clone(),
        };
        let value = self.descend(tree, root, &mut position, rng);
        self.position = Some(position);
        self.back_up(tree, value);
        if self.plan.solver {
            crate::solver::prove(tree, &self.path);
        }
        value
    }

    /// Goes down until a reward is found, Black's.
    fn descend(&mut self, tree: &mut Tree<G::Move>, root: NodeId, position: &mut G, rng: &mut Rng) -> f64 {
        if tree.is_empty() {
            let added = tree.find_or_add(position.hash()).map(|(node, _)| node);
            return self.evaluate(tree, added, position, rng);
        }
        let needs_codes = self.needs_codes();
        let has_tables = tree.keeps().code_amaf;
        let stamp = tree.next_stamp();
        let (mut node, mut reference) = (root, root);
        loop {
            let is_new = tree.node(node).state == State::New;
            let is_deep = self.prefix.len() + self.path.len() + 2 >= MOST_DEPTH as usize;
            if is_deep || (is_new && tree.is_full()) {
                return self.evaluate(tree, None, position, rng);
            }
            if is_new {
                tree.open(node, position);
            }
            if let State::Known(outcome) = tree.node(node).state {
                return self.end(tree, outcome);
            }
            tree.node_mut(node).stamp = stamp;
            if has_tables && (tree.node(node).visits > self.plan.policy.reference()) {
                reference = node;
            }
            let side = position.to_move();
            let edge = tree.node(node).edges().start + self.select(tree, node, reference, side);
            let mv = tree.columns.moves[edge];
            let code = if needs_codes { position.code(mv) } else { 0 };
            self.path.push(Step { node, edge, side, code });
            position.play_unchecked(mv);
            let mut child = tree.columns.children[edge];
            if child == NONE {
                match tree.find_or_add(position.hash()) {
                    None => return self.evaluate(tree, None, position, rng),
                    Some((added, true)) => {
                        tree.columns.children[edge] = added;
                        return self.evaluate(tree, Some(added), position, rng);
                    }
                    Some((known, false)) => {
                        tree.columns.children[edge] = known;
                        child = known;
                    }
                }
            }
            // Round in a circle: play on at random from here.
            if tree.node(child).stamp == stamp {
                return self.evaluate(tree, None, position, rng);
            }
            node = child;
        }
    }

    /// The policy's move in an open node, by its number there.
    fn select(&mut self, tree: &mut Tree<G::Move>, node: NodeId, reference: NodeId, side: Side) -> usize {
        let policy = &*self.plan.policy;
        let (n_moves, tried, visits) = {
            let node = tree.node(node);
            (node.edges().len(), usize::from(node.tried), node.visits)
        };
        if policy.tries_each_first() && tried < n_moves {
            return tried;
        }
        if self.values.len() < n_moves {
            self.values.resize(n_moves, 0.0);
        }
        let values = &mut self.values[..n_moves];
        if policy.renews_priors(visits) {
            policy.fill_priors(&View::of(tree, node, reference, side), values);
            let edges = tree.node(node).edges();
            tree.columns.priors[edges].copy_from_slice(values);
        }
        let view = View::of(tree, node, reference, side);
        if !self.plan.solver {
            return policy.select(&view, values);
        }
        policy.fill(&view, values);
        crate::solver::skip_losses(tree, node, side, values);
        first_greatest(values)
    }

    /// Values a position as a leaf that nothing leads to but the prefix; Black's reward.
    pub(crate) fn value(
        &mut self,
        tree: &mut Tree<G::Move>,
        node: Option<NodeId>,
        position: &G,
        rng: &mut Rng,
    ) -> f64 {
        self.path.clear();
        self.evaluate(tree, node, position, rng)
    }

    /// Values the position the simulation has come to; Black's reward.
    fn evaluate(
        &mut self,
        tree: &mut Tree<G::Move>,
        node: Option<NodeId>,
        position: &G,
        rng: &mut Rng,
    ) -> f64 {
        // The leaf is taken out for as long as it uses the rest.
        if let Some(mut prior) = self.leaf.prior.take() {
            let value = prior.evaluate(self, tree, node, position, rng);
            self.leaf.prior = Some(prior);
            return value;
        }
        let playout = self.playout(tree, position, None, rng);
        if let (0, Some(node)) = (playout.plies, node) {
            tree.node_mut(node).state = State::Known(playout.outcome);
        }
        playout.outcome.reward(Side::Black)
    }

    /// One playout from a position at the end of the path, or one move further,
    /// and its AMAF samples.
    pub(crate) fn playout(
        &mut self,
        tree: &mut Tree<G::Move>,
        position: &G,
        last: Option<Code>,
        rng: &mut Rng,
    ) -> tesuji_core::Playout {
        if !self.needs_codes() {
            return position.playout(rng, &mut Silent);
        }
        self.mark_path(last);
        let playout = position.playout(rng, &mut Marker(&mut self.marks));
        self.count_amaf(tree, last, playout.outcome.reward(Side::Black));
        playout
    }

    /// The end of a simulation in a position whose outcome is known, and the
    /// AMAF samples of the moves that led there; Black's reward.
    pub(crate) fn end(&mut self, tree: &mut Tree<G::Move>, outcome: Outcome) -> f64 {
        let value = outcome.reward(Side::Black);
        if self.needs_codes() {
            self.mark_path(None);
            self.count_amaf(tree, None, value);
        }
        value
    }

    /// The same where nothing leads to the position but the prefix.
    pub(crate) fn end_of_prefix(&mut self, tree: &mut Tree<G::Move>, outcome: Outcome) -> f64 {
        self.path.clear();
        self.end(tree, outcome)
    }

    /// Marks the moves from the root to here, and one more.
    fn mark_path(&mut self, last: Option<Code>) {
        self.marks.begin();
        let codes = self.prefix.iter().copied().chain(self.path.iter().map(|step| step.code)).chain(last);
        for (depth, code) in (0..).zip(codes) {
            self.marks.mark(code, depth);
        }
    }

    /// Adds an AMAF sample to every node on the path, and to the root.
    fn count_amaf(&mut self, tree: &mut Tree<G::Move>, last: Option<Code>, value: f64) {
        let keeps = tree.keeps();
        if keeps.code_amaf {
            self.marks.list();
        }
        let offset = self.prefix.len() as u32;
        let whole = self.plan.policy.amaf_moves() == AmafMoves::Whole;
        for (at, step) in self.path.iter().enumerate() {
            let depth = if whole { 0 } else { offset + at as u32 };
            if keeps.move_amaf {
                let edges = tree.node(step.node).edges();
                let columns = &mut tree.columns;
                let (marks, least) = self.marks.since(depth);
                let reward = reward(value, step.side) as f32;
                dispatch(CountHits {
                    marks,
                    least,
                    reward,
                    codes: &columns.codes[edges.clone()],
                    counts: &mut columns.amaf_counts[edges.clone()],
                    sums: &mut columns.amaf_sums[edges],
                });
            }
            if keeps.code_amaf {
                let table = tree.table(step.node);
                let counts = &mut tree.table_counts[table.clone()];
                let sums = &mut tree.table_sums[table];
                let mut count = |code: Code| {
                    counts[code as usize] += 1;
                    sums[code as usize] += value as f32;
                };
                self.marks.listed().iter().for_each(|&code| count(code));
                let from = if whole { 0 } else { at };
                let before = if whole { &self.prefix[..] } else { &[] };
                let rest = self.path[from..].iter().map(|step| step.code).chain(last);
                for (depth, code) in (depth..).zip(before.iter().copied().chain(rest)) {
                    if self.marks.is_last(code, depth) {
                        count(code);
                    }
                }
            }
        }
        if self.plan.root_amaf {
            let (marks, least) = self.marks.since(0);
            let reward = reward(value, self.root_side);
            let RootAmaf { codes, counts, sums } = &mut self.root_amaf;
            for ((code, count), sum) in codes.iter().zip(counts).zip(sums) {
                let hit = marks.at(*code) >= least;
                *count += u32::from(hit);
                *sum += if hit { reward } else { 0.0 };
            }
        }
    }

    /// Adds the reward to every move on the path.
    fn back_up(&mut self, tree: &mut Tree<G::Move>, value: f64) {
        for step in &self.path {
            let reward = reward(value, step.side) as f32;
            tree.record(step.node, step.edge, 1, reward, reward * reward);
        }
    }
}

/// A reward in [0, 1] of Black's as this side's.
#[inline]
pub(crate) fn reward(blacks: f64, side: Side) -> f64 {
    match side {
        Side::Black => blacks,
        Side::White => 1.0 - blacks,
    }
}
#[cfg(test)]
mod tests;
