//! Measuring an experiment on bandits, cell by cell.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use tesuji_bandit::testbed::{ArmsSpec, Laboratory, LaboratoryError, Row, ScoreModel};
use tesuji_core::Seed;
use thiserror::Error;

use super::{BanditCampaign, BanditEntry, BanditExperiment, PanelShape};
use crate::published::Published;
use crate::schedule::Completion;
use crate::statistics::MeanComparison;
use crate::store::{Store, StoreError};

/// The measurements of an experiment on bandits.
#[derive(Clone, Debug, Serialize)]
pub struct BanditResults {
    /// The experiment's name.
    pub name: String,
    /// The title.
    pub title: String,
    /// The paper that it repeats: authors, title, year and figure.
    pub paper: String,
    /// An introduction for readers.
    pub text: String,
    /// The number of runs of each cell.
    pub runs: u64,
    /// The number of panels in a row of the figure.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<MeasuredPanel>,
}

/// The measurements of a panel.
#[derive(Clone, Debug, Serialize)]
pub struct MeasuredPanel {
    /// The title of the panel.
    pub title: String,
    /// Whether the panel has bars, lines or a map.
    #[serde(serialize_with = "as_word")]
    pub shape: PanelShape,
    /// The label of the x axis.
    pub label: String,
    /// The cells, series by series.
    pub cells: Vec<MeasuredCell>,
}

/// The measurement of a cell.
#[derive(Clone, Debug, Serialize)]
pub struct MeasuredCell {
    /// The name of the cell's series.
    pub series: String,
    /// The cell's place on the x axis, in words.
    pub group: String,
    /// The cell's place on the x axis as a number.
    pub x: f64,
    /// The measured regret.
    #[serde(flatten)]
    pub row: Row,
    /// The published number, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
    /// The measured regret next to the published one, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<MeanComparison>,
}

fn as_word<S: serde::Serializer>(shape: &PanelShape, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match shape {
        PanelShape::Bars => "bars",
        PanelShape::Lines => "lines",
        PanelShape::Map => "map",
    })
}

/// An experiment on bandits cannot be measured.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// The laboratory refuses the settings.
    #[error(transparent)]
    Laboratory(#[from] LaboratoryError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Somebody interrupted the measurement. What was measured is stored.
    #[error("interrupted: what was measured is stored, and measuring it again goes on from there")]
    Interrupted,
    /// A measurement came back that was not given out.
    #[error("a measurement came back that was not given out: number {0}")]
    Stray(usize),
}

/// How an experiment on bandits is measured.
pub struct MeasureSettings<'a> {
    /// The number of runs of each cell.
    pub runs: u64,
    /// The version and the commit of the program. Measurements of other builds are not used,
    /// because their numbers may differ.
    pub build: &'a str,
    /// The number of threads. The results do not depend on it.
    pub threads: usize,
    /// If another thread sets it, the measurement ends soon, and the group that is being measured
    /// is not stored.
    pub interrupt: &'a AtomicBool,
    /// Called with the number of runs since the last call. Together they are
    /// [`BanditExperiment::n_runs`].
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl BanditExperiment {
    /// The number of runs that a measurement makes, given the runs of each cell.
    pub fn n_runs(&self, runs: u64) -> u64 {
        self.panels.iter().map(|panel| groups(&panel.entries).len() as u64 * runs).sum()
    }

    /// Measures every cell that the store lacks.
    pub fn run(
        &self,
        settings: &MeasureSettings<'_>,
        store: &mut Store,
    ) -> Result<BanditResults, MeasureError> {
        let campaign = BanditCampaign::open(self, &mut *store, settings.runs, settings.build)?;
        (settings.progress)(campaign.progress().done);
        while let Some(group) = campaign.next() {
            let rows = self.measure_group(group, settings)?;
            campaign.take(group, &rows)?;
        }
        drop(campaign);
        self.gather(settings.runs, |group| {
            let key = key(&self.laboratory(group, 2, 1))?;
            let rows = store.regrets(self.address(), &key, settings.runs, settings.build)?;
            Ok(rows.map(|rows| (settings.runs, rows)))
        })
        .map(|results| results.expect("every cell was measured"))
    }

    /// The stored measurements: of each cell the one with the most runs. `None` if a cell is
    /// missing.
    pub fn results(&self, store: &Store) -> Result<Option<BanditResults>, MeasureError> {
        self.gather(u64::MAX, |group| {
            let key = key(&self.laboratory(group, 2, 1))?;
            Ok(store.best_regrets(self.address(), &key)?)
        })
    }

    /// How many of the groups are stored.
    pub fn measured(&self, store: &Store) -> Result<Completion, MeasureError> {
        let mut groups_stored = Completion::default();
        for group in self.groups() {
            groups_stored.wanted += 1;
            let found = store.best_regrets(self.address(), &self.group_key(group)?)?;
            groups_stored.done += u64::from(found.is_some());
        }
        Ok(groups_stored)
    }

    /// The results with the rows that `find` returns for each group of cells, and their number of
    /// runs. The smallest number of runs is that of the whole.
    fn gather(
        &self,
        most: u64,
        mut find: impl FnMut(&[BanditEntry]) -> Result<Option<(u64, Vec<Row>)>, MeasureError>,
    ) -> Result<Option<BanditResults>, MeasureError> {
        let mut least = most;
        let mut panels = Vec::new();
        for panel in &self.panels {
            let mut cells = Vec::new();
            for group in groups(&panel.entries) {
                let Some((runs, rows)) = find(group)? else { return Ok(None) };
                least = least.min(runs);
                cells.extend(group.iter().zip(rows).map(|(entry, row)| measured(entry, row)));
            }
            let (title, label) = (panel.title.clone(), panel.label.clone());
            panels.push(MeasuredPanel { title, shape: panel.shape, label, cells });
        }
        Ok(Some(BanditResults {
            name: self.name().to_owned(),
            title: self.title.clone(),
            paper: self.paper.clone(),
            text: self.text.clone(),
            runs: least,
            columns: self.columns,
            panels,
        }))
    }

    /// The address of the experiment in a store.
    pub fn address(&self) -> Seed {
        self.seed.child("experiment").child(self.name())
    }

    fn laboratory(&self, group: &[BanditEntry], runs: u64, threads: usize) -> Laboratory {
        let first = &group[0];
        Laboratory {
            arms: first.arms.clone(),
            budgets: group.iter().map(|entry| entry.budget).collect(),
            policies: vec![first.policy.clone()],
            runs,
            seed: self.seed,
            scores: first.scores,
            until: None,
            threads,
        }
    }

    /// The groups of cells that are measured together, in their order.
    pub(super) fn groups(&self) -> Vec<&[BanditEntry]> {
        self.panels.iter().flat_map(|panel| groups(&panel.entries)).collect()
    }

    /// The key of a group in a store.
    pub(super) fn group_key(&self, group: &[BanditEntry]) -> Result<String, LaboratoryError> {
        key(&self.laboratory(group, 2, 1))
    }

    /// Measures one group of cells that a [`BanditCampaign`] gave out: one policy on one setting of
    /// arms, at all its budgets. It needs no store.
    pub fn measure_group(
        &self,
        group: usize,
        settings: &MeasureSettings<'_>,
    ) -> Result<Vec<Row>, MeasureError> {
        let entries = *self.groups().get(group).ok_or(MeasureError::Stray(group))?;
        let laboratory = self.laboratory(entries, settings.runs, settings.threads);
        let done = std::sync::atomic::AtomicU64::new(0);
        let progress = |runs: u64| {
            let before = done.fetch_max(runs, Ordering::Relaxed);
            (settings.progress)(runs.saturating_sub(before));
        };
        let rows = laboratory.run(&progress, settings.interrupt)?;
        // Rows of fewer runs would be kept under the name of all.
        if settings.interrupt.load(Ordering::Relaxed) {
            return Err(MeasureError::Interrupted);
        }
        Ok(rows)
    }
}

/// Neighbours with one policy, one setting and one kind of scores are measured
/// together: an anytime policy gives all its budgets in one run.
fn groups(entries: &[BanditEntry]) -> Vec<&[BanditEntry]> {
    let alike =
        |a: &BanditEntry, b: &BanditEntry| a.policy == b.policy && a.arms == b.arms && a.scores == b.scores;
    entries.chunk_by(alike).collect()
}

/// Everything that the numbers depend on, but for the runs and the build.
fn key(laboratory: &Laboratory) -> Result<String, LaboratoryError> {
    let Laboratory { arms, budgets, policies, seed, scores, .. } = laboratory;
    let scores = scores.map_or(String::new(), |ScoreModel { noise, slope, rate, uneven }| {
        let mut words = format!(" noise {noise}");
        words += &rate.map_or(String::new(), |rate| format!(" rate {rate}"));
        // Only what is unusual: texts of earlier results have the other words alone.
        words += &if slope == 1.0 { String::new() } else { format!(" slope {slope}") };
        words + &if uneven == 0.0 { String::new() } else { format!(" uneven {uneven}") }
    });
    // A file's name says nothing of what is in it now.
    let values = match arms {
        ArmsSpec::File(_) => {
            let mut values = Vec::new();
            arms.load()?.draw(&mut seed.rng(), &mut values);
            format!(" with {values:?}")
        }
        _ => String::new(),
    };
    Ok(format!("{} on {arms}{values} at {budgets:?} from {seed}{scores}", policies[0]))
}

fn measured(entry: &BanditEntry, row: Row) -> MeasuredCell {
    MeasuredCell {
        series: entry.series.clone(),
        group: entry.group.clone(),
        x: entry.x,
        comparison: entry.published.map(|published| MeanComparison::of_regret(&row, published)),
        row,
        published: entry.published,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Definition;
    use std::path::Path;

    const FILE: &str = "title='t'\npaper='p'\ntext='x'\nseed=1\nruns=200\nquick=100\n\
        [[panel]]\ntitle='T'\narms=['1:5']\nlines={label='n',values=[10,20]}\n\
        series=[{name='a',policy='sh'},{name='b',policy='uniform'}]";

    fn regrets(results: &BanditResults) -> Vec<f64> {
        results.panels[0].cells.iter().map(|cell| cell.row.regret).collect()
    }

    #[test]
    fn cells_that_are_known_are_not_measured_again() {
        let definition = Definition::built_in("e", FILE, &[]).unwrap();
        let experiment = BanditExperiment::parse(definition, Path::new("")).unwrap();
        let told = std::sync::atomic::AtomicU64::new(0);
        let progress = |runs: u64| {
            told.fetch_add(runs, std::sync::atomic::Ordering::Relaxed);
        };
        let interrupt = AtomicBool::new(false);
        let settings = |runs| MeasureSettings {
            runs,
            build: "one",
            threads: 2,
            interrupt: &interrupt,
            progress: &progress,
        };
        let mut store = Store::in_memory().unwrap();
        assert!(experiment.results(&store).unwrap().is_none());
        let first = experiment.run(&settings(200), &mut store).unwrap();
        assert_eq!(told.load(std::sync::atomic::Ordering::Relaxed), experiment.n_runs(200));
        assert_eq!(first.panels[0].cells.len(), 4);
        // A store that says otherwise is believed: nothing is measured.
        let group = groups(&experiment.panels[0].entries)[0];
        let key = key(&experiment.laboratory(group, 100, 1)).unwrap();
        let mut rows: Vec<Row> = first.panels[0].cells[..2].iter().map(|cell| cell.row.clone()).collect();
        rows[0].regret = 9.0;
        store.put_regrets(experiment.address(), &key, 100, "one", &rows).unwrap();
        let again = experiment.run(&settings(100), &mut store).unwrap();
        assert_eq!(regrets(&again)[0], 9.0);
        // The most runs are reported.
        assert_eq!(regrets(&experiment.results(&store).unwrap().unwrap()), regrets(&first));
    }
}
