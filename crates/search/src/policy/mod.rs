//! Tree policies: which move a simulation takes in a position of the tree.
//!
//! A policy gives every move of a node a value; the greatest is taken, the
//! first of equals. It is called once a level, on plain columns of numbers that
//! say nothing of the game, so it is a trait object: its loops are compiled once
//! and not for every game, and are too long for the call to count.

mod argmax;
mod gumbel;
mod puct;
mod rave;
#[cfg(test)]
mod tests;
mod ucb;
mod voi;

use tesuji_core::{Code, Side};

use crate::config::{AmafMoves, SearchConfig, TreeConfig};
use crate::tree::{Keeps, NodeId, Tree};

pub(crate) use argmax::first_greatest;
pub(crate) use puct::softmax;
pub(crate) use ucb::root_of_log;

/// An open node as a policy sees it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    /// The sum of its moves' visits.
    pub(crate) visits: u32,
    /// What a network says that the position is worth to the side to move; ½ without one.
    pub(crate) value: f32,
    /// The side to move.
    pub(crate) side: Side,
    /// Of each move: its visits.
    pub(crate) counts: &'a [u32],
    /// The sum of its rewards.
    pub(crate) sums: &'a [f32],
    /// Of its squared rewards, where they are kept.
    pub(crate) squares: &'a [f32],
    /// Its mean and the root of its share of visits, where they are kept.
    pub(crate) means: &'a [f32],
    pub(crate) roots: &'a [f32],
    /// Its code, where AMAF statistics are kept.
    pub(crate) codes: &'a [Code],
    /// Its AMAF samples and their rewards, where each move has its own.
    pub(crate) amaf_counts: &'a [u32],
    pub(crate) amaf_sums: &'a [f32],
    /// Its prior, where there is one.
    pub(crate) priors: &'a [f32],
    /// AMAF samples and Black's rewards by code, of the node that the policy refers to.
    pub(crate) table_counts: &'a [u32],
    pub(crate) table_sums: &'a [f32],
}

impl<'a> View<'a> {
    /// The node, with the AMAF table of a node above it or its own.
    #[inline]
    pub(crate) fn of(tree: &'a Tree, node: NodeId, reference: NodeId, side: Side) -> View<'a> {
        fn part<T>(column: &[T], range: std::ops::Range<usize>, kept: bool) -> &[T] {
            if kept { &column[range] } else { &[] }
        }
        let keeps = tree.keeps();
        let (visits, edges) = (tree.node(node).visits, tree.node(node).edges());
        let columns = &tree.columns;
        let table = if keeps.code_amaf { tree.table(reference) } else { 0..0 };
        View {
            visits,
            value: tree.node(node).value,
            side,
            counts: &columns.visits[edges.clone()],
            sums: &columns.sums[edges.clone()],
            squares: part(&columns.squares, edges.clone(), keeps.squares),
            means: part(&columns.means, edges.clone(), keeps.bounds),
            roots: part(&columns.roots, edges.clone(), keeps.bounds),
            codes: part(&columns.codes, edges.clone(), keeps.amaf()),
            amaf_counts: part(&columns.amaf_counts, edges.clone(), keeps.move_amaf),
            amaf_sums: part(&columns.amaf_sums, edges.clone(), keeps.move_amaf),
            priors: part(&columns.priors, edges, keeps.priors),
            table_counts: &tree.table_counts[table.clone()],
            table_sums: &tree.table_sums[table],
        }
    }
}

/// Which move is taken.
pub(crate) trait TreePolicy: Send + Sync {
    /// The statistics it needs.
    fn keeps(&self) -> Keeps;

    /// Whether every move is visited once, in order, before values count.
    fn tries_each_first(&self) -> bool {
        false
    }

    /// Fills in the value of each move, greatest best; infinite for a move that comes first.
    /// Where [`tries_each_first`](TreePolicy::tries_each_first), every move has
    /// visits when the search asks, but not when a report does.
    fn fill(&self, node: &View<'_>, values: &mut [f32]);

    /// The move with the greatest value, the first of equals; `values` is for
    /// writing on. A policy that can do both at once does it here.
    fn select(&self, node: &View<'_>, values: &mut [f32]) -> usize {
        self.fill(node, values);
        first_greatest(values)
    }

    /// GRAVE: visits above which a node's own AMAF table is used.
    fn reference(&self) -> u32 {
        0
    }

    /// PUCT: whether a node with so many visits gets new priors before a move is chosen.
    fn renews_priors(&self, _visits: u32) -> bool {
        false
    }

    /// Fills in the prior of each move.
    fn fill_priors(&self, _node: &View<'_>, _priors: &mut [f32]) {}

    /// Which moves count as AMAF samples of a node.
    fn amaf_moves(&self) -> AmafMoves {
        AmafMoves::After
    }
}

/// No tree: nothing is ever chosen.
pub(crate) struct Flat;

impl TreePolicy for Flat {
    fn keeps(&self) -> Keeps {
        Keeps::default()
    }

    fn fill(&self, _: &View<'_>, _: &mut [f32]) {}
}

/// The policy that a configuration asks for.
pub(crate) fn policy(config: &SearchConfig) -> Box<dyn TreePolicy> {
    match config.tree {
        TreeConfig::Flat | TreeConfig::Shot => Box::new(Flat),
        TreeConfig::Uct { c } | TreeConfig::HybridMcts { c, .. } => Box::new(ucb::UcbPolicy::new(c)),
        TreeConfig::Rave { bias, amaf } => Box::new(rave::RavePolicy::new(bias, amaf)),
        TreeConfig::Grave { reference, bias, amaf } => {
            Box::new(rave::GravePolicy::new(reference, bias, amaf))
        }
        TreeConfig::Puct { c, prior, temperature } => {
            let (prior, temperature) = (config.prior_source(prior), config.temperature(temperature));
            Box::new(puct::PuctPolicy::new(config.puct_constant(c), prior, temperature))
        }
        TreeConfig::Gumbel { visit, scale } => Box::new(gumbel::GumbelPolicy::new(visit, scale)),
        TreeConfig::Voi { bound } => Box::new(voi::VoiPolicy::new(bound)),
    }
}
