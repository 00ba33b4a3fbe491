//! A search that ends when it is sure of its choice.

use tesuji_bandit::Until;
use tesuji_core::Side;

use super::run::Run;
use super::{ArmSearch, ScoreSource};

impl ArmSearch {
    /// Takes the samples of [`pulls`](ArmSearch::pulls) in parts, and looks at the decision
    /// between them: at numbers of samples that depend on nothing else. Where every arm has its
    /// own tree and its own random numbers, the parts together are what the whole would be. Returns
    /// how sure the choice is if that is enough.
    pub(super) fn sample_until(&mut self, until: Until, run: &mut Run<'_, '_>) -> Option<f64> {
        // Trees that are halved depend on the size of a batch, a common one on its order.
        let is_whole = self.workers[0].halving_cutoff.is_some() || self.config.options.one_table;
        self.rest.clear();
        self.rest.append(&mut self.pulls);
        while !self.rest.is_empty() {
            let taken = self.arms.total() - run.before;
            if is_whole {
                std::mem::swap(&mut self.rest, &mut self.pulls);
            } else {
                run.checks.cut(taken, &mut self.rest, &mut self.pulls);
            }
            self.sample(run.threads, &run.clock);
            self.pulls.clear();
            if run.clock.is_over(0) {
                break;
            }
            if !run.checks.is_due(self.arms.total() - run.before) || self.spent(run) >= run.budget {
                continue;
            }
            if self.scores == ScoreSource::Amaf {
                self.amaf_scores.fill(&self.amaf, &mut self.arms);
            }
            let chosen = self.choose(run.side);
            let ArmSearch { confidence, arms, roots, config, .. } = self;
            let known = |arm: usize| super::proved(roots, arm, run.side).filter(|_| config.options.solver);
            let sure = confidence.reached(arms, chosen, until, known);
            if sure.is_some() {
                return sure;
            }
        }
        None
    }

    /// How sure the choice is; `None` if nothing is known of it.
    pub(super) fn sureness(&mut self, chosen: usize, side: Side, within: f64) -> Option<f64> {
        let ArmSearch { confidence, arms, roots, config, .. } = self;
        let known = |arm: usize| super::proved(roots, arm, side).filter(|_| config.options.solver);
        let has_grounds = arms.count(chosen) > 0 || arms.len() == 1 || known(chosen).is_some();
        has_grounds.then(|| confidence.of_known(arms, chosen, within, known))
    }
}
