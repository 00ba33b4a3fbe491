//! An experiment on bandits being measured: which measurements are left, and what the store keeps.
//!
//! It corresponds to [`Campaign`](crate::Campaign), with measurements in place of games. A *group*
//! is one policy on one setting of arms, at all its budgets.

use std::borrow::{Borrow, BorrowMut};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tesuji_bandit::testbed::Row;

use super::{BanditExperiment, MeasureError};
use crate::schedule::Completion;
use crate::store::{ExperimentKind, Store};

/// An experiment on bandits being measured. It gives out groups by their numbers, and stores what
/// comes back.
pub struct BanditCampaign<E, S> {
    experiment: E,
    runs: u64,
    build: String,
    keys: Vec<String>,
    state: Mutex<State<S>>,
}

/// The result of measuring an experiment on bandits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeasureSummary {
    /// The number of groups that were measured now.
    pub measured: u64,
    /// The number of groups that are still missing.
    pub missing: u64,
}

struct State<S> {
    store: S,
    /// The groups that wait, and the groups that were given out.
    open: BTreeSet<usize>,
    in_flight: BTreeSet<usize>,
    measured: u64,
}

impl<E: Borrow<BanditExperiment>, S: BorrowMut<Store>> BanditCampaign<E, S> {
    /// Notes the experiment in the store, and looks up which measurements with this number of runs
    /// by this build are stored.
    pub fn open(
        experiment: E,
        mut store: S,
        runs: u64,
        build: &str,
    ) -> Result<BanditCampaign<E, S>, MeasureError> {
        let what = experiment.borrow();
        let writes: &mut Store = store.borrow_mut();
        writes.put_experiment(what.address(), ExperimentKind::Bandits, &what.definition)?;
        let keys =
            what.groups().into_iter().map(|group| what.group_key(group)).collect::<Result<Vec<_>, _>>()?;
        let mut open = BTreeSet::new();
        for (group, key) in keys.iter().enumerate() {
            // Panels may share a measurement.
            let is_first = !keys[..group].contains(key);
            if is_first && writes.regrets(what.address(), key, runs, build)?.is_none() {
                open.insert(group);
            }
        }
        let state = State { store, open, in_flight: BTreeSet::new(), measured: 0 };
        Ok(BanditCampaign { experiment, runs, build: build.to_owned(), keys, state: Mutex::new(state) })
    }

    /// The experiment.
    pub fn experiment(&self) -> &BanditExperiment {
        self.experiment.borrow()
    }

    /// The number of runs of each cell.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The group to be measured next.
    pub fn next(&self) -> Option<usize> {
        let mut state = self.state();
        let group = state.open.pop_first()?;
        state.in_flight.insert(group);
        Some(group)
    }

    /// Notes that a group that was given out will not come back. It is given out again.
    pub fn lost(&self, group: usize) {
        let mut state = self.state();
        if state.in_flight.remove(&group) {
            state.open.insert(group);
        }
    }

    /// Stores the measurement of a group that was given out.
    pub fn take(&self, group: usize, rows: &[Row]) -> Result<(), MeasureError> {
        let mut state = self.state();
        if !state.in_flight.remove(&group) {
            return Err(MeasureError::Stray(group));
        }
        let store: &mut Store = state.store.borrow_mut();
        store.put_regrets(self.experiment().address(), &self.keys[group], self.runs, &self.build, rows)?;
        state.measured += 1;
        Ok(())
    }

    /// The runs of all groups together.
    pub fn progress(&self) -> Completion {
        let state = self.state();
        let missing = state.open.len() + state.in_flight.len();
        Completion {
            done: (self.keys.len() - missing) as u64 * self.runs,
            wanted: self.keys.len() as u64 * self.runs,
        }
    }

    /// The result so far.
    pub fn summary(&self) -> MeasureSummary {
        let state = self.state();
        let missing = (state.open.len() + state.in_flight.len()) as u64;
        MeasureSummary { measured: state.measured, missing }
    }

    fn state(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
