//! A first node of whose moves only some may be chosen.

use tesuji_core::MoveId;

use super::{Columns, Node, State, Tree};
use crate::root_moves::Root;

impl Tree {
    /// Lists only the moves that may be chosen when the first node is opened.
    pub(crate) fn restrict_root(&mut self, root: &Root) {
        self.root_moves.clear();
        if root.is_restricted() {
            self.root_moves.extend_from_slice(&root.moves);
        }
    }

    /// The moves of the first node that may be chosen; empty for all.
    #[inline]
    pub(crate) fn root_moves(&self) -> &[MoveId] {
        &self.root_moves
    }

    /// Leaves out the moves of the first node that may not be chosen, with their statistics.
    pub(crate) fn keep_root_moves(&mut self, moves: &[MoveId]) {
        let edges = self.node(0).edges();
        let mut end = edges.start;
        for at in edges.clone() {
            if moves.get(end - edges.start) == Some(&self.columns.moves[at]) {
                self.columns.copy_move(at, end);
                end += 1;
            }
        }
        let visits = &self.columns.visits[edges.start..end];
        let (sum, tried) = (visits.iter().sum(), visits.iter().filter(|&&visits| visits > 0).count());
        let n_moves = (end - edges.start) as u16;
        *self.node_mut(0) = Node { n_moves, tried: tried as u16, visits: sum, ..*self.node(0) };
    }

    /// Forgets the moves of the first node if only some of them may be chosen: a position further
    /// down that leads back to it has them all.
    pub(crate) fn close_restricted_root(&mut self) {
        if !self.root_moves.is_empty() && self.node(0).state != State::New {
            *self.node_mut(0) = Node::NEW;
        }
    }
}

impl Columns {
    /// Copies all numbers of a move to another place.
    fn copy_move(&mut self, from: usize, to: usize) {
        fn copy<T: Copy>(column: &mut [T], from: usize, to: usize) {
            if !column.is_empty() {
                column[to] = column[from];
            }
        }
        copy(&mut self.moves, from, to);
        copy(&mut self.visits, from, to);
        copy(&mut self.sums, from, to);
        copy(&mut self.children, from, to);
        copy(&mut self.codes, from, to);
        copy(&mut self.amaf_counts, from, to);
        copy(&mut self.amaf_sums, from, to);
        copy(&mut self.priors, from, to);
        copy(&mut self.squares, from, to);
        copy(&mut self.means, from, to);
        copy(&mut self.roots, from, to);
    }
}
