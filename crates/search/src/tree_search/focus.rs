//! Samples of one move at the root alone: simulations that begin with it.

use tesuji_core::Side;

use super::{Kept, TreeSearch};
use crate::Sight;
use crate::limits::Limits;
use crate::report::Report;
use crate::root_moves::{LastSearch, Root};

impl TreeSearch {
    /// Whether this search focuses on a move of the last one, and so continues its trees.
    pub(super) fn continues(&mut self, position: &dyn Sight, root: &Root, limits: &Limits<'_>) -> bool {
        let is_same = |last: &LastSearch| limits.focus.is_some() && last.is_of(position, &root.moves);
        let continues = self.last.as_ref().is_some_and(is_same);
        if continues {
            self.growers.iter_mut().for_each(|grower| grower.spent_before = grower.spent);
        }
        continues
    }

    /// What was spent in the search that this one continues.
    pub(super) fn spent_before(&self) -> u64 {
        self.growers.iter().map(|grower| grower.spent_before).sum()
    }

    /// Lets every simulation begin with this arm, or with what the policy chooses.
    pub(super) fn force(&mut self, arm: Option<usize>, position: &dyn Sight, root: &Root) {
        self.growers.iter_mut().for_each(|grower| grower.simulator.forced = arm);
        if self.last.is_none() {
            self.last = Some(LastSearch::new(position, root.moves.clone()));
        }
    }

    /// The move to be played if this arm got all samples of this search.
    pub(super) fn choose_after_focus(&self, arm: usize, side: Side) -> usize {
        let solver = self.config.options.solver;
        let value = |arm: usize| self.proof(arm).filter(|_| solver).map(|outcome| outcome.reward(side));
        self.last.as_ref().map_or(arm, |last| last.choose(&self.arms, arm, value))
    }

    /// Keeps what the next search may need, of a position further on or of this one, and returns
    /// the report as the focus makes it.
    pub(super) fn keep(
        &mut self,
        position: &dyn Sight,
        single: Option<usize>,
        limits: &Limits<'_>,
        mut report: Report,
    ) -> Report {
        self.growers.iter_mut().for_each(|grower| grower.simulator.forced = None);
        let before = self.spent_before();
        let Some(last) = &mut self.last else { return report };
        if let Some(arm) = single {
            report.budget += before;
            if limits.focus.is_some() {
                last.note(arm, report.spent - before);
            }
            report.focused.clone_from(&last.focused);
        }
        last.chosen = report.chosen;
        let is_focused = !last.focused.is_empty();
        if let Some(chosen) = report.chosen.filter(|_| self.config.options.reuse) {
            self.kept = Some(Kept { position: position.boxed_clone(), chosen, is_focused });
        }
        report
    }
}
