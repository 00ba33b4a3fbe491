//! What is kept when the game goes on: the tree of the move that was played,
//! and in it the answer's part, taken apart into trees for the next moves.

use tesuji_core::Rewards;

use super::{Arm, ArmSearch, RootList};
use crate::Sight;
use crate::tree::{NONE, NodeId, State, Tree};

/// The node in a tree for a position one move after that of its first node.
pub(crate) fn node_after(
    tree: &Tree,
    first: NodeId,
    before: &dyn Sight,
    after: &dyn Sight,
) -> Option<NodeId> {
    let node = tree.node(first);
    if node.state == State::New {
        return None;
    }
    let mut position = None;
    node.edges().find_map(|edge| {
        let child = tree.columns.children[edge];
        if child == NONE {
            return None;
        }
        before.play_into(tree.columns.moves[edge], &mut position);
        (position.as_ref()?.hash() == after.hash()).then_some(child)
    })
}

impl ArmSearch {
    /// The arm whose tree has a position, and its node there: the position after the arm's
    /// move, or the one after the chosen move and its answer.
    fn find(&self, chosen: usize, position: &dyn Sight) -> Option<(&Arm, NodeId)> {
        let is_after = |arm: &&Arm| {
            !arm.tree.is_empty() && arm.position.as_ref().is_some_and(|after| after.hash() == position.hash())
        };
        if let Some(arm) = self.roots.iter().find(is_after) {
            return Some((arm, 0));
        }
        let arm = self.roots.get(chosen).filter(|arm| !arm.tree.is_empty())?;
        let node = node_after(&arm.tree, 0, arm.position.as_deref()?, position)?;
        Some((arm, node))
    }

    /// The trees of the moves in a position as far as the last search knew them,
    /// and the samples that went into each; empty if it did not.
    pub(super) fn subtrees(&mut self, position: &dyn Sight, root: &RootList) -> Vec<(Tree, Rewards)> {
        let Some(chosen) = self.kept.take() else { return Vec::new() };
        let Some((arm, node)) = self.find(chosen, position) else { return Vec::new() };
        let node = arm.tree.node(node);
        if node.state == State::New || arm.tree.columns.moves[node.edges()] != *root.all() {
            return Vec::new();
        }
        let limit = self.limit(root.moves.len());
        let subtree = |edge: usize| {
            let columns = &arm.tree.columns;
            let mut tree = Tree::new(self.plan.keeps(), self.config.options.transpositions());
            tree.clear(limit, position.n_codes());
            if columns.children[edge] != NONE {
                arm.tree.copy_subtree(columns.children[edge], &mut tree);
            }
            let (count, sum) = (u64::from(columns.visits[edge]), f64::from(columns.sums[edge]));
            // Rewards of 0 and 1 are their own squares; of others this is the most it can be.
            let squares = columns.squares.get(edge).map_or(sum, |&squares| f64::from(squares));
            (tree, Rewards { count, sum, squares })
        };
        let is_allowed = |edge: &usize| root.moves.contains(&arm.tree.columns.moves[*edge]);
        match root.is_restricted() {
            true => node.edges().filter(is_allowed).map(subtree).collect(),
            false => node.edges().map(subtree).collect(),
        }
    }
}
