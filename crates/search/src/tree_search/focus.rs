//! Samples of one move at the root alone: simulations that begin with it.

use super::{Kept, TreeSearch};
use crate::Sight;
use crate::limits::Limits;
use crate::report::Report;
use crate::root_moves::{LastSearch, Root};

impl TreeSearch {
    /// The last search, if this one focuses on a move of it and so continues its trees.
    pub(super) fn continued(
        &mut self,
        position: &dyn Sight,
        root: &Root,
        limits: &Limits<'_>,
    ) -> Option<LastSearch> {
        let is_same = |last: &LastSearch| limits.focus.is_some() && last.is_of(position, &root.moves);
        let last = self.last.take().filter(is_same)?;
        for grower in &mut self.growers {
            grower.spent_before = grower.spent;
        }
        Some(last)
    }

    /// Lets every simulation begin with this arm, or with what the policy chooses.
    pub(super) fn force(&mut self, arm: Option<usize>) {
        self.growers.iter_mut().for_each(|grower| grower.simulator.forced = arm);
    }

    /// Keeps what the next search may need, of a position further on or of this one, and returns
    /// the report as the focus makes it.
    pub(super) fn keep(
        &mut self,
        position: &dyn Sight,
        root: Root,
        single: Option<usize>,
        limits: &Limits<'_>,
        last: Option<LastSearch>,
        mut report: Report,
    ) -> Report {
        self.force(None);
        let mut last = last.unwrap_or_else(|| LastSearch::new(position, root.moves));
        if let Some(arm) = single {
            let before: u64 = self.growers.iter().map(|grower| grower.spent_before).sum();
            report.budget += before;
            if limits.focus.is_some() {
                last.note(arm, report.spent - before);
            }
            let side = position.to_move();
            let solver = self.config.options.solver;
            let value = |arm: usize| self.proof(arm).filter(|_| solver).map(|outcome| outcome.reward(side));
            report.chosen = Some(last.choose(&self.arms, arm, value));
            report.focused.clone_from(&last.focused);
        }
        last.chosen = report.chosen;
        let is_focused = !last.focused.is_empty();
        self.last = Some(last);
        if let Some(chosen) = report.chosen.filter(|_| self.config.options.reuse) {
            self.kept = Some(Kept { position: position.boxed_clone(), chosen, is_focused });
        }
        report
    }
}
