//! Proofs: a position is won once one of its moves is, and lost once all are
//! (MCTS-Solver: Winands, Björnsson, Saito 2008). Draws are between the two.
//!
//! What is proved is the game as it is searched: by its search moves. In Go,
//! where superko makes a position's worth depend on how it was reached, and in
//! Ataxx next to its cap on plies, a proof in a tree with transpositions is not strict.

use tesuji_core::{Outcome, Side};

use crate::simulator::Step;
use crate::tree::{NONE, NodeId, State, Tree};

/// What is known of the position that a move leads to.
pub(crate) fn known(tree: &Tree, edge: usize) -> Option<Outcome> {
    let child = tree.columns.children[edge];
    if child == NONE {
        return None;
    }
    match tree.node(child).state {
        State::Known(outcome) => Some(outcome),
        _ => None,
    }
}

/// Draws conclusions from what is known at the end of a path, upwards.
pub(crate) fn prove(tree: &mut Tree, path: &[Step]) {
    for step in path.iter().rev() {
        if conclude(tree, step.node, step.edge, step.side).is_none() {
            return;
        }
    }
}

/// What follows for a node from what is known of one of its moves, if anything does.
pub(crate) fn conclude(tree: &mut Tree, node: NodeId, edge: usize, side: Side) -> Option<Outcome> {
    let outcome = known(tree, edge)?;
    let conclusion = if outcome == Outcome::Win(side) { outcome } else { best(tree, node, side)? };
    tree.node_mut(node).state = State::Known(conclusion);
    Some(conclusion)
}

/// The best outcome of a node all of whose moves are known.
fn best(tree: &Tree, node: NodeId, side: Side) -> Option<Outcome> {
    let mut best: Option<Outcome> = None;
    for edge in tree.node(node).edges() {
        let outcome = known(tree, edge)?;
        if best.is_none_or(|best| outcome.reward(side) > best.reward(side)) {
            best = Some(outcome);
        }
    }
    best
}

/// Puts moves that are known to lose behind all others.
pub(crate) fn skip_losses(tree: &Tree, node: NodeId, side: Side, values: &mut [f32]) {
    for (edge, value) in tree.node(node).edges().zip(values) {
        if known(tree, edge) == Some(Outcome::Win(!side)) {
            *value = f32::NEG_INFINITY;
        }
    }
}
