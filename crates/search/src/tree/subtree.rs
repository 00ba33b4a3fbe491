//! A part of a tree as a tree of its own: what is kept when the game goes on.

use super::{NONE, NodeId, State, Tree};

impl Tree {
    /// Copies a node and all that can be reached from it into an empty tree
    /// that keeps the same columns. The node becomes its first. Nothing is
    /// copied beyond the other tree's limit: moves lead nowhere there.
    pub(crate) fn copy_subtree(&self, node: NodeId, into: &mut Tree) {
        debug_assert!(into.is_empty() && into.keeps == self.keeps);
        let mut places = vec![NONE; self.nodes.len()];
        // Nodes in the order of their new places; those before `done` are complete.
        let mut order = vec![node];
        places[node as usize] = 0;
        let mut done = 0;
        while let Some(&old) = order.get(done) {
            done += 1;
            let mut copy = self.nodes[old as usize];
            copy.stamp = 0;
            let from = copy.edges();
            if !from.is_empty() {
                copy.first = into.columns.moves.len() as u32;
                into.columns.extend(&self.columns, from.clone());
                for child in &mut into.columns.children[copy.first as usize..] {
                    if *child == NONE {
                        continue;
                    }
                    let place = &mut places[*child as usize];
                    if *place == NONE && order.len() < into.limit {
                        *place = order.len() as NodeId;
                        order.push(*child);
                    }
                    *child = *place;
                }
            }
            if copy.table != NONE {
                let table = self.table(old);
                copy.table = (into.table_counts.len() / self.n_codes) as u32;
                into.table_counts.extend_from_slice(&self.table_counts[table.clone()]);
                into.table_sums.extend_from_slice(&self.table_sums[table]);
            }
            into.nodes.push(copy);
        }
        if let (Some(index), Some(into)) = (&self.index, &mut into.index) {
            for (hash, old) in index.iter() {
                if places[old as usize] != NONE {
                    into.get_or_insert(hash, places[old as usize]);
                }
            }
        }
        debug_assert!(into.nodes.iter().all(|node| node.state != State::Open || node.n_moves > 0));
    }
}

impl super::Columns {
    /// Adds a stretch of another's moves.
    fn extend(&mut self, other: &super::Columns, range: std::ops::Range<usize>) {
        fn column<T: Copy>(into: &mut Vec<T>, from: &[T], range: std::ops::Range<usize>) {
            if !from.is_empty() {
                into.extend_from_slice(&from[range]);
            }
        }
        column(&mut self.moves, &other.moves, range.clone());
        column(&mut self.visits, &other.visits, range.clone());
        column(&mut self.sums, &other.sums, range.clone());
        column(&mut self.children, &other.children, range.clone());
        column(&mut self.codes, &other.codes, range.clone());
        column(&mut self.amaf_counts, &other.amaf_counts, range.clone());
        column(&mut self.amaf_sums, &other.amaf_sums, range.clone());
        column(&mut self.priors, &other.priors, range.clone());
        column(&mut self.squares, &other.squares, range.clone());
        column(&mut self.means, &other.means, range.clone());
        column(&mut self.roots, &other.roots, range);
    }
}
