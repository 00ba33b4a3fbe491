//! What a thread needs for simulations, and the parts of one that know no game: the
//! tree's policy, AMAF statistics, what goes back up the path. It is compiled once; the
//! way down, which plays moves, is the [`kernel`](crate::kernel)'s.

use std::sync::Arc;

use tesuji_core::isa::dispatch;
use tesuji_core::{Code, MoveId, Outcome, Side};

use crate::Sight;
use crate::amaf::CountHits;
use crate::config::{AmafMoves, LeafConfig, SearchConfig};
use crate::leaf::Prior;
use crate::marks::{MOST_DEPTH, Marks};
use crate::network::NetworkLeaf;
use crate::policy::{self, TreePolicy, View, first_greatest};
use crate::tree::{Keeps, NodeId, Tree};

/// What all simulators of a search share.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) policy: Arc<dyn TreePolicy>,
    /// The statistics that its trees keep.
    keeps: Keeps,
    /// Whether wins and losses are proved.
    solver: bool,
    /// Whether AMAF statistics of the moves at the root are kept next to the tree's.
    root_amaf: bool,
}

impl Plan {
    pub(crate) fn new(config: &SearchConfig) -> Plan {
        let policy: Arc<dyn TreePolicy> = policy::policy(config).into();
        let keeps = policy.keeps();
        // The rewards of other leaves are not 0 and 1, so that sums do not tell their variance.
        let squares = keeps.squares || config.leaf != LeafConfig::Playout;
        let keeps = Keeps { squares, ..keeps };
        Plan { policy, keeps, solver: config.options.solver, root_amaf: false }
    }

    /// A plan for playouts without a tree.
    pub(crate) fn bare() -> Plan {
        Plan { policy: Arc::new(policy::Flat), keeps: Keeps::default(), solver: false, root_amaf: false }
    }

    /// Returns the plan with AMAF statistics of the moves at the root.
    pub(crate) fn with_root_amaf(self) -> Plan {
        Plan { root_amaf: true, ..self }
    }

    /// Whether AMAF statistics of the moves at the root are kept next to the tree's.
    pub(crate) fn keeps_root_amaf(&self) -> bool {
        self.root_amaf
    }

    pub(crate) fn keeps(&self) -> Keeps {
        self.keeps
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
    /// Its AMAF code, or 0 if nobody needs it.
    pub(crate) code: Code,
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

    /// Moves what another has counted to this one; the other begins anew.
    pub(crate) fn take(&mut self, other: &mut RootAmaf) {
        for arm in 0..self.codes.len() {
            self.counts[arm] += std::mem::take(&mut other.counts[arm]);
            self.sums[arm] += std::mem::take(&mut other.sums[arm]);
        }
    }
}

/// What a thread needs for simulations. It belongs to no tree.
pub(crate) struct Simulator {
    pub(crate) plan: Plan,
    /// Several playouts for a leaf; `None` if a leaf is one playout.
    pub(crate) prior: Option<Box<Prior>>,
    /// The network that values leaves; `None` if playouts do.
    pub(crate) network: Option<Box<NetworkLeaf>>,
    pub(crate) path: Vec<Step>,
    pub(crate) marks: Marks,
    values: Vec<f32>,
    /// The moves that lead from the root to where simulations begin: the move
    /// that a tree is for, and those of a halving tree above.
    pub(crate) prefix: Vec<Code>,
    pub(crate) root_amaf: RootAmaf,
    root_side: Side,
    /// The move with which every simulation of a tree begins, by its number at the root; `None`
    /// if the policy chooses it.
    pub(crate) forced: Option<usize>,
}

impl Simulator {
    pub(crate) fn new(plan: Plan, prior: Option<Prior>) -> Simulator {
        Simulator {
            plan,
            prior: prior.map(Box::new),
            network: None,
            path: Vec::new(),
            marks: Marks::default(),
            values: Vec::new(),
            prefix: Vec::new(),
            root_amaf: RootAmaf::default(),
            root_side: Side::Black,
            forced: None,
        }
    }

    /// Begins the search of a position with these moves.
    pub(crate) fn begin(&mut self, root: &dyn Sight, moves: &[MoveId]) {
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

    /// Whether the position at hand is the root of the search.
    pub(crate) fn is_at_root(&self) -> bool {
        self.prefix.is_empty() && self.path.is_empty()
    }

    #[inline]
    pub(crate) fn needs_codes(&self) -> bool {
        self.plan.root_amaf || self.plan.keeps().amaf()
    }

    /// The policy's move in an open node, by its number there.
    pub(crate) fn select(&mut self, tree: &mut Tree, node: NodeId, reference: NodeId, side: Side) -> usize {
        if let Some(arm) = self.forced
            && self.path.is_empty()
        {
            return arm;
        }
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

    /// Ends a simulation in a position whose outcome is known, and counts the AMAF samples
    /// of the moves that led there. Returns Black's reward.
    pub(crate) fn end(&mut self, tree: &mut Tree, outcome: Outcome) -> f64 {
        let value = outcome.reward(Side::Black);
        if self.needs_codes() {
            self.mark_path(None);
            self.count_amaf(tree, None, value);
        }
        value
    }

    /// Ends a simulation in a position to which only the prefix leads and whose outcome is
    /// known. Returns Black's reward.
    pub(crate) fn end_of_prefix(&mut self, tree: &mut Tree, outcome: Outcome) -> f64 {
        self.path.clear();
        self.end(tree, outcome)
    }

    /// Marks the moves from the root to here, and one more.
    pub(crate) fn mark_path(&mut self, last: Option<Code>) {
        self.marks.begin();
        let codes = self.prefix.iter().copied().chain(self.path.iter().map(|step| step.code)).chain(last);
        for (depth, code) in (0..).zip(codes) {
            self.marks.mark(code, depth);
        }
    }

    /// Adds an AMAF sample to every node on the path, and to the root.
    pub(crate) fn count_amaf(&mut self, tree: &mut Tree, last: Option<Code>, value: f64) {
        let keeps = tree.keeps();
        if keeps.code_amaf {
            self.marks.list();
        }
        let offset = self.prefix.len() as u32;
        let moves = self.plan.policy.amaf_moves();
        let whole = moves == AmafMoves::Whole;
        for (at, step) in self.path.iter().enumerate() {
            let depth = match moves {
                AmafMoves::After => offset + at as u32,
                AmafMoves::Whole => 0,
                AmafMoves::Playout => MOST_DEPTH,
            };
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
                if moves == AmafMoves::Playout {
                    continue;
                }
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
            let (marks, least) = self.marks.since(if moves == AmafMoves::Playout { MOST_DEPTH } else { 0 });
            let reward = reward(value, self.root_side);
            let RootAmaf { codes, counts, sums } = &mut self.root_amaf;
            for ((code, count), sum) in codes.iter().zip(counts).zip(sums) {
                let hit = marks.at(*code) >= least;
                *count += u32::from(hit);
                *sum += if hit { reward } else { 0.0 };
            }
        }
    }

    /// Adds the reward to every move on the path, and proves what follows from its end.
    pub(crate) fn back_up(&mut self, tree: &mut Tree, value: f64) {
        for step in &self.path {
            let reward = reward(value, step.side) as f32;
            tree.record(step.node, step.edge, 1, reward, reward * reward);
        }
        if self.plan.solver {
            crate::solver::prove(tree, &self.path);
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
