//! What all policies that sample one arm at a time share: the budget that is
//! left, the first sample of every arm, and the pulls of the last batch.

use tesuji_core::{Arms, Batch, Pull};

/// A run that samples one arm at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    n_arms: usize,
    left: u64,
    /// How many samples every arm is known to have, as far as the opening saw to it.
    level: u64,
    pulls: Vec<Pull>,
}

/// What is left to do when an allocator is asked for a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RunState {
    /// The budget is spent.
    Spent,
    /// The batch is ready: see [`Steps::batch`].
    BatchReady,
    /// The policy must choose an arm.
    ToChoose,
}

impl Steps {
    /// Starts anew. The memory is kept.
    pub(crate) fn begin(&mut self, n_arms: usize, budget: u64) {
        (self.n_arms, self.left, self.level) = (n_arms, budget, 0);
        self.pulls.clear();
        // One allocation for runs of this size, whatever their batches.
        self.pulls.reserve(n_arms);
    }

    /// The samples that are left of the budget.
    #[inline]
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// How many arms there are.
    #[inline]
    pub(crate) fn n_arms(&self) -> usize {
        self.n_arms
    }

    /// The opening: until every arm has `level` samples, batches of one sample
    /// for each that has the fewest, in index order and as far as the budget
    /// goes. One batch a level, so that a run with a smaller budget is the
    /// beginning of this one. A single arm gets the whole budget at once.
    #[inline]
    pub(crate) fn open(&mut self, arms: &Arms, level: u64) -> RunState {
        if self.left == 0 {
            RunState::Spent
        } else if self.level < level || self.n_arms == 1 {
            self.open_slowly(arms, level)
        } else {
            RunState::ToChoose
        }
    }

    #[cold]
    fn open_slowly(&mut self, arms: &Arms, level: u64) -> RunState {
        debug_assert_eq!(arms.len(), self.n_arms, "the arms are those of the run");
        if self.n_arms == 1 {
            self.pull(0, self.left);
            return RunState::BatchReady;
        }
        let fewest = (0..self.n_arms).map(|arm| arms.count(arm)).min().unwrap_or(level);
        self.level = level.min(fewest + 1);
        if fewest >= level {
            return RunState::ToChoose;
        }
        let behind = (0..self.n_arms).filter(|&arm| arms.count(arm) == fewest);
        let affordable = usize::try_from(self.left).unwrap_or(usize::MAX);
        self.pulls.clear();
        self.pulls.extend(behind.take(affordable).map(|arm| Pull { arm, samples: 1 }));
        self.left -= self.pulls.len() as u64;
        RunState::BatchReady
    }

    /// Makes a batch of one arm: `samples` of it, or as many as are left.
    #[inline]
    pub(crate) fn pull(&mut self, arm: usize, samples: u64) {
        let samples = samples.min(self.left);
        self.left -= samples;
        self.pulls.clear();
        self.pulls.push(Pull { arm, samples });
    }

    /// The batch that was made last.
    #[inline]
    pub(crate) fn batch(&self) -> Batch<'_> {
        Batch { round: 0, pulls: &self.pulls }
    }

    /// The arms of the batch that was made last: those whose statistics changed.
    #[inline]
    pub(crate) fn last(&self) -> &[Pull] {
        &self.pulls
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::Rewards;

    use super::*;

    fn opening(counts: &[u64], level: u64, budget: u64) -> Vec<Vec<usize>> {
        let mut arms = Arms::new(counts.len());
        for (arm, &count) in counts.iter().enumerate() {
            arms.record(arm, Rewards::wins(count, 0));
        }
        let mut steps = Steps::default();
        steps.begin(counts.len(), budget);
        let mut batches = Vec::new();
        while steps.open(&arms, level) == RunState::BatchReady {
            batches.push(steps.batch().pulls.iter().map(|pull| pull.arm).collect());
            for pull in steps.batch().pulls {
                arms.record(pull.arm, Rewards::wins(pull.samples, 0));
            }
        }
        batches
    }

    #[test]
    fn the_arms_without_samples_come_first_in_index_order() {
        assert_eq!(opening(&[0, 0, 0], 1, 9), [[0, 1, 2]]);
        assert_eq!(opening(&[0, 5, 0], 1, 9), [[0, 2]]);
        assert_eq!(opening(&[0, 0, 0], 1, 2), [[0, 1]]);
        assert_eq!(opening(&[1, 5, 2], 1, 9), [[0; 0]; 0]);
        assert_eq!(opening(&[0, 0, 0], 1, 0), [[0; 0]; 0]);
        assert_eq!(opening(&[0], 1, 7), [[0]]);
    }

    #[test]
    fn deeper_openings_go_level_by_level() {
        assert_eq!(opening(&[0, 2, 0], 3, 99), [vec![0, 2], vec![0, 2], vec![0, 1, 2]]);
        assert_eq!(opening(&[0, 2, 0], 3, 5), [vec![0, 2], vec![0, 2], vec![0]]);
    }
}
