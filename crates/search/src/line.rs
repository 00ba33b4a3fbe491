//! What a search expects: from a node on, the most visited moves of both sides.

use std::fmt;

use crate::Sight;
use crate::tree::{NONE, NodeId, State, Tree};

/// The most moves of a line. What lies deeper has few samples.
const LONGEST: usize = 24;

/// The lines that a search expects, for a watcher: computed when they are asked for.
#[derive(Clone, Copy)]
pub struct Lines<'a>(pub(crate) &'a dyn Fn(usize) -> Vec<(String, u64)>);

impl Lines<'_> {
    /// What is expected after an arm's move: the moves of both sides in turn, each the most
    /// visited one, and their samples. Empty if the search has no tree below it.
    pub fn after(&self, arm: usize) -> Vec<(String, u64)> {
        (self.0)(arm)
    }
}

impl fmt::Debug for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lines")
    }
}

/// The most visited moves from a node on; `position` is the node's.
pub(crate) fn line(tree: &Tree, mut node: NodeId, position: &dyn Sight) -> Vec<(String, u64)> {
    let mut line = Vec::new();
    let mut position = position.boxed_clone();
    while node != NONE && line.len() < LONGEST && tree.node(node).state == State::Open {
        let edges = tree.node(node).edges();
        let visits = |edge: usize| tree.columns.visits[edge];
        // The first of equals, as at the root; a move with a single sample is expected by nobody.
        let Some(best) = edges.rev().max_by_key(|&edge| visits(edge)).filter(|&edge| visits(edge) > 1) else {
            break;
        };
        let mv = tree.columns.moves[best];
        line.push((position.move_text(mv), u64::from(visits(best))));
        position = position.after(mv);
        node = tree.columns.children[best];
    }
    line
}
