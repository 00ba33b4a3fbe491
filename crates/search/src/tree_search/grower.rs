//! A tree of a [`TreeSearch`](super::TreeSearch) and who grows it.

use tesuji_core::Rng;

use super::Kept;
use crate::Sight;
use crate::arm_search::node_after;
use crate::kernel::{KernelSlot, Proved, Task};
use crate::limits::Clock;
use crate::root_moves::Root;
use crate::simulator::Simulator;
use crate::tree::{NONE, NodeId, State, Tree};

/// A tree and who grows it. Its root is node 0.
pub(super) struct Grower {
    pub(super) tree: Tree,
    /// Where a part of the tree is copied to when the game goes on.
    pub(super) spare: Tree,
    pub(super) simulator: Simulator,
    pub(super) kernel: KernelSlot,
    pub(super) rng: Rng,
    /// The budget it was given, in what the search counts; how far it goes for
    /// now, until somebody is told; and what it has spent.
    pub(super) share: u64,
    pub(super) target: u64,
    pub(super) spent: u64,
    /// What it had spent before, in the search that this one continues.
    pub(super) spent_before: u64,
}

impl Grower {
    /// Takes samples until its target is reached. Each costs `cost` of the budget; the last
    /// one of a share has to do with what is left.
    pub(super) fn grow(&mut self, position: &dyn Sight, cost: u64, clock: &Clock<'_>) {
        if self.is_new() {
            // A root that is opened now gets no priors later, when it has something to do.
            if self.spent >= self.target || clock.is_over(0) {
                return;
            }
            self.value_root(position, cost, clock);
            self.open(position);
        }
        let whole = (self.target.saturating_sub(self.spent)).div_ceil(cost);
        let whole = whole.min((self.share - self.spent) / cost);
        self.set_playouts(cost, cost);
        let taken = self.simulate(position, whole, clock);
        self.spent += taken * cost;
        let left = self.share - self.spent;
        if taken == whole && self.spent < self.target && left < cost {
            self.set_playouts(cost, left);
            self.spent += left * self.simulate(position, 1, clock);
        }
    }

    /// Values the root as a leaf, as every other position is valued first if priors come from the
    /// leaf.
    pub(super) fn value_root(&mut self, position: &dyn Sight, cost: u64, clock: &Clock<'_>) {
        let left = self.share - self.spent;
        self.set_playouts(cost, left);
        let Grower { simulator, tree, rng, kernel, .. } = self;
        kernel.get().value(Task { simulator, tree, root: 0, rng, clock }, Some(0), position);
        self.spent += cost.min(left);
    }

    /// Takes up to `samples` samples, and returns how many they were.
    pub(super) fn simulate(&mut self, position: &dyn Sight, samples: u64, clock: &Clock<'_>) -> u64 {
        let Grower { simulator, tree, rng, kernel, .. } = self;
        kernel
            .get()
            .simulate(Task { simulator, tree, root: 0, rng, clock }, position, samples, Proved::Ends)
            .count
    }

    /// Gives the next leaves as many playouts as can be paid for, if playouts are what a
    /// sample of this cost is paid in.
    pub(super) fn set_playouts(&mut self, cost: u64, affordable: u64) {
        if cost > 1
            && let Some(prior) = &mut self.simulator.prior
        {
            prior.playouts = cost.min(affordable);
        }
    }

    /// Lists the moves of the root, unless they are.
    pub(super) fn open(&mut self, position: &dyn Sight) {
        if self.is_new() {
            self.kernel.get().open(&mut self.tree, 0, position);
        }
    }

    /// Whether the moves of the root are not listed yet.
    pub(super) fn is_new(&self) -> bool {
        self.tree.node(0).state == State::New
    }

    /// Whether it has spent what it may for now, or needs no more.
    pub(super) fn has_paused(&self) -> bool {
        self.spent >= self.target || self.has_ended()
    }

    /// Whether it has spent its share, or needs no more: a tree that is proved grows no further.
    pub(super) fn has_ended(&self) -> bool {
        self.spent >= self.share || matches!(self.tree.node(0).state, State::Known(_))
    }

    /// Keeps the part of the tree below the position, which is the one before (who ponders may
    /// be asked something meanwhile), one of those after a move of it (that ponderer's next
    /// own move), or the one after the move chosen and its answer.
    pub(super) fn keep(
        &mut self,
        kept: Option<&Kept>,
        position: &dyn Sight,
        root: &Root,
        limit: usize,
    ) -> bool {
        let Some(kept) = kept else { return false };
        let Some(node) = self.find(&*kept.position, kept.chosen, position) else { return false };
        // Visits that the policy did not give say nothing of the moves.
        if node == 0 && kept.is_focused {
            return false;
        }
        let listed = &self.tree.columns.moves[self.tree.node(node).edges()];
        let is_whole = listed == root.all();
        match self.tree.node(node).state {
            State::Known(_) => return false,
            // Where moves depend on what was before, as in Go, the tree may have
            // come to the same position in another way.
            State::Open if !is_whole && listed != root.moves => return false,
            State::Open | State::New => {}
        }
        if node != 0 {
            self.tree.close_restricted_root();
        }
        self.spare.clear(limit, position.n_codes());
        self.tree.copy_subtree(node, &mut self.spare);
        std::mem::swap(&mut self.tree, &mut self.spare);
        if is_whole && root.is_restricted() {
            self.tree.keep_root_moves(&root.moves);
        }
        true
    }

    /// The node of a position that is `before`, or one move after it, or one move after that
    /// chosen there.
    fn find(&self, before: &dyn Sight, chosen: usize, position: &dyn Sight) -> Option<NodeId> {
        if before.hash() == position.hash() {
            return Some(0);
        }
        if let Some(node) = node_after(&self.tree, 0, before, position) {
            return Some(node);
        }
        let edge = self.tree.node(0).edges().start + chosen;
        let first = self.tree.columns.children[edge];
        if first == NONE {
            return None;
        }
        let after_own = before.after(self.tree.columns.moves[edge]);
        node_after(&self.tree, first, &*after_own, position)
    }
}
