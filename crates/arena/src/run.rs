//! Measuring an experiment, cell by cell.

use std::sync::atomic::AtomicBool;

use serde::Serialize;
use tesuji_bandit::testbed::{ArmsSpec, Laboratory, LaboratoryError, Row};
use thiserror::Error;

use crate::experiment::{Entry, Experiment, Shape};
use crate::ledger::{Ledger, LedgerError};
use crate::published::Published;

/// An experiment as measured.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// The experiment's name.
    pub name: String,
    /// What is shown.
    pub title: String,
    /// Authors, work, year and figure.
    pub paper: String,
    /// What a reader must know.
    pub text: String,
    /// Runs of each cell.
    pub runs: u64,
    /// Panels side by side.
    pub columns: usize,
    /// Row by row.
    pub panels: Vec<MeasuredPanel>,
}

/// A panel as measured.
#[derive(Clone, Debug, Serialize)]
pub struct MeasuredPanel {
    /// Above it.
    pub title: String,
    /// Whether it has lines over the budget, or bars.
    #[serde(serialize_with = "as_word")]
    pub shape: Shape,
    /// Under the x axis.
    pub label: String,
    /// Series by series.
    pub cells: Vec<Measured>,
}

/// A cell as measured.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The series it belongs to.
    pub series: String,
    /// Its place on the x axis, in words.
    pub group: String,
    /// The same as a number.
    pub x: f64,
    /// What was found.
    #[serde(flatten)]
    pub row: Row,
    /// What was published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
}

fn as_word<S: serde::Serializer>(shape: &Shape, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match shape {
        Shape::Bars => "bars",
        Shape::Lines => "lines",
    })
}

/// The experiment cannot be measured, or what was found not be kept.
#[derive(Debug, Error)]
pub enum RunError {
    /// The laboratory refuses.
    #[error(transparent)]
    Laboratory(#[from] LaboratoryError),
    /// The ledger cannot be written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// How to measure.
pub struct Settings<'a> {
    /// Runs of each cell.
    pub runs: u64,
    /// Threads to use; the numbers are the same with any.
    pub threads: usize,
    /// Told how many runs were done since it was last told; [`Experiment::n_runs`] is all.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl Experiment {
    /// The runs of all cells that one measurement does.
    pub fn n_runs(&self, runs: u64) -> u64 {
        self.panels.iter().map(|panel| groups(&panel.entries).len() as u64 * runs).sum()
    }

    /// Measures every cell that the ledger does not hold.
    pub fn run(&self, settings: &Settings<'_>, ledger: &mut Ledger) -> Result<Results, RunError> {
        let mut panels = Vec::new();
        for panel in &self.panels {
            let mut cells = Vec::new();
            for group in groups(&panel.entries) {
                let rows = self.measure(group, settings, ledger)?;
                cells.extend(group.iter().zip(rows).map(|(entry, row)| measured(entry, row)));
            }
            let (title, label) = (panel.title.clone(), panel.label.clone());
            panels.push(MeasuredPanel { title, shape: panel.shape, label, cells });
        }
        Ok(Results {
            name: self.name.clone(),
            title: self.title.clone(),
            paper: self.paper.clone(),
            text: self.text.clone(),
            runs: settings.runs,
            columns: self.columns,
            panels,
        })
    }

    /// One policy on one setting of arms, at all its budgets.
    fn measure(
        &self,
        group: &[Entry],
        settings: &Settings<'_>,
        ledger: &mut Ledger,
    ) -> Result<Vec<Row>, RunError> {
        let first = &group[0];
        let laboratory = Laboratory {
            arms: first.arms.clone(),
            budgets: group.iter().map(|entry| entry.budget).collect(),
            policies: vec![first.policy.clone()],
            runs: settings.runs,
            seed: self.seed,
            scores: first.scores,
            threads: settings.threads,
        };
        let key = key(&laboratory)?;
        if let Some(rows) = ledger.get(&key) {
            (settings.progress)(settings.runs);
            return Ok(rows.to_vec());
        }
        let done = std::sync::atomic::AtomicU64::new(0);
        let progress = |runs: u64| {
            let before = done.fetch_max(runs, std::sync::atomic::Ordering::Relaxed);
            (settings.progress)(runs.saturating_sub(before));
        };
        let rows = laboratory.run(&progress, &AtomicBool::new(false))?;
        ledger.put(key, rows.clone())?;
        Ok(rows)
    }
}

/// Neighbours with one policy, one setting and one kind of scores are measured
/// together: an anytime policy gives all its budgets in one run.
fn groups(entries: &[Entry]) -> Vec<&[Entry]> {
    let alike = |a: &Entry, b: &Entry| a.policy == b.policy && a.arms == b.arms && a.scores == b.scores;
    entries.chunk_by(alike).collect()
}

/// Everything that the numbers depend on, but for the build.
fn key(laboratory: &Laboratory) -> Result<String, LaboratoryError> {
    let Laboratory { arms, budgets, policies, runs, seed, scores, .. } = laboratory;
    let scores = scores.map_or(String::new(), |model| match model.rate {
        Some(rate) => format!(" noise {} rate {rate}", model.noise),
        None => format!(" noise {}", model.noise),
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
    Ok(format!("{} on {arms}{values} at {budgets:?}, {runs} runs from {seed}{scores}", policies[0]))
}

fn measured(entry: &Entry, row: Row) -> Measured {
    Measured {
        series: entry.series.clone(),
        group: entry.group.clone(),
        x: entry.x,
        row,
        published: entry.published,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "title='t'\npaper='p'\ntext='x'\nseed=1\nruns=200\nquick=100\n\
        [[panel]]\ntitle='T'\narms=['1:5']\nlines={label='n',values=[10,20]}\n\
        series=[{name='a',policy='sh'},{name='b',policy='uniform'}]";

    fn regrets(results: &Results) -> Vec<f64> {
        results.panels[0].cells.iter().map(|cell| cell.row.regret).collect()
    }

    #[test]
    fn cells_that_are_known_are_not_measured_again() {
        let experiment = Experiment::parse("e", FILE, |_| Err(String::new())).unwrap();
        let told = std::sync::atomic::AtomicU64::new(0);
        let progress = |runs: u64| {
            told.fetch_add(runs, std::sync::atomic::Ordering::Relaxed);
        };
        let settings = Settings { runs: 200, threads: 2, progress: &progress };
        let mut ledger = Ledger::new();
        let first = experiment.run(&settings, &mut ledger).unwrap();
        assert_eq!(told.load(std::sync::atomic::Ordering::Relaxed), experiment.n_runs(200));
        assert_eq!(first.panels[0].cells.len(), 4);
        // A ledger that says otherwise is believed: nothing is measured.
        let policy = "sh on 1:5";
        let known: Vec<String> = ledger.keys().filter(|key| key.starts_with(policy)).cloned().collect();
        let mut rows = ledger.get(&known[0]).unwrap().to_vec();
        rows[0].regret = 9.0;
        ledger.put(known[0].clone(), rows).unwrap();
        let again = experiment.run(&settings, &mut ledger).unwrap();
        assert_eq!(regrets(&again)[0], 9.0);
        assert_eq!(regrets(&again)[1..], regrets(&first)[1..]);
    }
}
