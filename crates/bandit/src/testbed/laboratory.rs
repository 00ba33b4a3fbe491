//! Many runs of many policies: the table that says which is best at which budget.
//!
//! Runs are done in chunks of a fixed size, each by whichever thread is free, and
//! merged in the order of their numbers, so the table has the same bits on any
//! number of threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tesuji_core::Seed;
use thiserror::Error;

use super::arms_spec::{ArmsError, ArmsSpec};
use super::run::{Contender, Workbench};
use super::scores::{ScoreModel, ScoreModelError};
use super::tally::{Cell, ChunkCell, Row};
use super::values::ArmValues;
use crate::confidence::Until;
use crate::policy::{FinalChoice, PolicySpec};

/// The runs of a chunk: enough that handing it in costs nothing, few enough that
/// a thousand runs keep eight threads busy. Published results depend on it, in
/// their last bits.
const CHUNK: u64 = 100;

/// An experiment of the testbed: the regret of policies on arms with known values.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use tesuji_bandit::testbed::Laboratory;
/// use tesuji_core::Seed;
///
/// let laboratory = Laboratory {
///     arms: "1:4".parse()?,
///     budgets: vec![40, 400],
///     policies: vec!["uniform".parse()?],
///     runs: 200,
///     seed: Seed::new(1),
///     scores: None,
///     until: None,
///     threads: 1,
/// };
/// let rows = laboratory.run(&|_| {}, &AtomicBool::new(false))?;
/// assert!(rows[0].regret > rows[1].regret);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Laboratory {
    /// The setting of the arms.
    pub arms: ArmsSpec,
    /// The budgets, in samples: at least one, each at least 1.
    pub budgets: Vec<u64>,
    /// The policies, at least one. The others' regrets are compared with the first's.
    pub policies: Vec<PolicySpec>,
    /// The number of runs, at least 1.
    pub runs: u64,
    /// The address of all random numbers.
    pub seed: Seed,
    /// The source of scores. Default: all scores are 0.
    pub scores: Option<ScoreModel>,
    /// When a run is sure enough to stop before its budget is spent. Default: never.
    pub until: Option<Until>,
    /// The number of threads, at least 1. The result does not depend on it.
    pub threads: usize,
}

/// The experiment is impossible.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum LaboratoryError {
    /// There is no policy.
    #[error("there is no policy: give at least one")]
    NoPolicy,
    /// There is no budget.
    #[error("there is no budget: give at least one number of samples")]
    NoBudget,
    /// A budget is 0.
    #[error("a budget of 0 samples decides nothing: give at least 1")]
    EmptyBudget,
    /// The number of runs is 0.
    #[error("0 runs measure nothing: give at least 1")]
    NoRuns,
    /// The number of threads is 0.
    #[error("0 threads do nothing: give at least 1")]
    NoThreads,
    /// A policy wants scores of a kind that this testbed does not have.
    #[error("{policy} needs {wanted} scores, and there are {there}")]
    NoSuchScore {
        /// The policy.
        policy: String,
        /// The kind of score that it requires.
        wanted: &'static str,
        /// The kind of score that the testbed has.
        there: &'static str,
    },
    /// The values of the arms cannot be read.
    #[error(transparent)]
    Arms(#[from] ArmsError),
    /// The score model is not allowed.
    #[error(transparent)]
    Scores(#[from] ScoreModelError),
}

impl Laboratory {
    /// Does the runs, and returns a row for each policy and, within it, each budget,
    /// in the order given.
    ///
    /// `progress` is called again and again with the number of runs done so far, counting
    /// each policy: `runs · policies` is all. Once `cancel` is true, no more runs begin, and
    /// the rows are those of the runs before, as if [`runs`](Laboratory::runs) had been
    /// smaller: see [`Row::runs`]. If it is cancelled before the first hundred runs are done,
    /// there are no rows.
    pub fn run(
        &self,
        progress: &(dyn Fn(u64) + Sync),
        cancel: &AtomicBool,
    ) -> Result<Vec<Row>, LaboratoryError> {
        self.check()?;
        let values = self.arms.load()?;
        let contenders: Vec<Contender<'_>> = self.policies.iter().map(contender).collect();
        let plan = self.plan(&values, &contenders);
        let cells = plan.cells(self.threads, progress, cancel);
        if cells[0].runs() == 0 {
            return Ok(Vec::new());
        }
        let row = |policy: usize, budget: u64| {
            let column = plan.budgets.binary_search(&budget).expect("sorted from these");
            cells[policy * plan.budgets.len() + column].row(
                &self.arms,
                &self.policies[policy],
                budget,
                self.until,
            )
        };
        let policies = 0..self.policies.len();
        Ok(policies.flat_map(|policy| self.budgets.iter().map(move |&budget| row(policy, budget))).collect())
    }

    /// Checks that the experiment is possible, without reading the values of the arms.
    pub fn check(&self) -> Result<(), LaboratoryError> {
        if self.policies.is_empty() {
            return Err(LaboratoryError::NoPolicy);
        }
        if self.budgets.is_empty() {
            return Err(LaboratoryError::NoBudget);
        }
        if self.budgets.contains(&0) {
            return Err(LaboratoryError::EmptyBudget);
        }
        if self.runs == 0 {
            return Err(LaboratoryError::NoRuns);
        }
        if self.threads == 0 {
            return Err(LaboratoryError::NoThreads);
        }
        let (kind, there) = match self.scores {
            None => ("", "none"),
            Some(ScoreModel { rate: None, .. }) => ("prior", "priors, which do not sharpen"),
            Some(ScoreModel { rate: Some(_), .. }) => ("amaf", "scores that sharpen like AMAF"),
        };
        for policy in &self.policies {
            let wanted = if policy.prunes() { Some("prior") } else { policy.score() };
            if let Some(wanted) = wanted.filter(|wanted| *wanted != kind) {
                return Err(LaboratoryError::NoSuchScore { policy: policy.to_string(), wanted, there });
            }
        }
        self.scores.map_or(Ok(()), |model| Ok(model.check()?))
    }

    fn plan<'a>(&self, values: &'a ArmValues, contenders: &'a [Contender<'a>]) -> Plan<'a> {
        let mut budgets = self.budgets.clone();
        budgets.sort_unstable();
        budgets.dedup();
        Plan {
            values,
            budgets,
            contenders,
            runs: self.runs,
            seed: self.seed,
            scores: self.scores,
            until: self.until,
        }
    }
}

fn contender(policy: &PolicySpec) -> Contender<'_> {
    Contender {
        make: Box::new(|| policy.allocator()),
        anytime: policy.is_anytime(),
        most_sampled_too: policy.info().final_choice == FinalChoice::OwnOrMostSampled,
    }
}

/// A laboratory with its values at hand and its policies as makers of allocators.
struct Plan<'a> {
    values: &'a ArmValues,
    /// In ascending order, each once.
    budgets: Vec<u64>,
    contenders: &'a [Contender<'a>],
    runs: u64,
    seed: Seed,
    scores: Option<ScoreModel>,
    until: Option<Until>,
}

impl Plan<'_> {
    /// The tallies, policy by policy and within it budget by budget.
    fn cells(&self, threads: usize, progress: &(dyn Fn(u64) + Sync), cancel: &AtomicBool) -> Vec<Cell> {
        let n_chunks = self.runs.div_ceil(CHUNK);
        let counter = AtomicU64::new(0);
        let merger = Mutex::new(ChunkMerger::new(self.contenders.len() * self.budgets.len()));
        let work = || {
            let Plan { seed, values, contenders, scores, until, .. } = *self;
            let mut workbench = Workbench::new(seed, values, &self.budgets, contenders, scores, until);
            loop {
                let chunk = counter.fetch_add(1, Ordering::Relaxed);
                if chunk >= n_chunks {
                    return;
                }
                let mut cells = lock(&merger).blank();
                let runs = chunk * CHUNK..self.runs.min((chunk + 1) * CHUNK);
                let n_runs = runs.end - runs.start;
                for run in runs {
                    if cancel.load(Ordering::Relaxed) {
                        return;
                    }
                    workbench.run(run, &mut cells);
                }
                let mut merger = lock(&merger);
                merger.hand_in(chunk, cells);
                merger.done += n_runs * self.contenders.len() as u64;
                // Called with the lock still held, so that the numbers only grow.
                progress(merger.done);
            }
        };
        // The caller is a worker too: with one thread there is no other.
        std::thread::scope(|scope| {
            for _ in 1..threads.min(usize::try_from(n_chunks).unwrap_or(usize::MAX)) {
                scope.spawn(work);
            }
            work();
        });
        merger.into_inner().unwrap_or_else(PoisonError::into_inner).cells
    }
}

/// Where chunks are handed in, in any order, and merged in theirs.
struct ChunkMerger {
    cells: Vec<Cell>,
    /// The chunk to be merged next.
    next: u64,
    /// Chunks that came before their turn.
    early: Vec<(u64, Vec<ChunkCell>)>,
    /// Merged chunks, to be used again.
    blanks: Vec<Vec<ChunkCell>>,
    /// Runs handed in, counting each policy.
    done: u64,
}

/// A panic of another worker ends the whole experiment soon; what the merger
/// holds is not looked at any more.
fn lock(merger: &Mutex<ChunkMerger>) -> MutexGuard<'_, ChunkMerger> {
    merger.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ChunkMerger {
    fn new(n_cells: usize) -> ChunkMerger {
        ChunkMerger {
            cells: vec![Cell::default(); n_cells],
            next: 0,
            early: Vec::new(),
            blanks: Vec::new(),
            done: 0,
        }
    }

    /// Cells for a chunk, with nothing in them.
    fn blank(&mut self) -> Vec<ChunkCell> {
        let mut cells = self.blanks.pop().unwrap_or_default();
        cells.clear();
        cells.resize(self.cells.len(), ChunkCell::default());
        cells
    }

    fn hand_in(&mut self, chunk: u64, cells: Vec<ChunkCell>) {
        self.early.push((chunk, cells));
        while let Some(at) = self.early.iter().position(|(chunk, _)| *chunk == self.next) {
            let (_, cells) = self.early.swap_remove(at);
            for (cell, chunk) in self.cells.iter_mut().zip(&cells) {
                cell.merge(chunk);
            }
            self.blanks.push(cells);
            self.next += 1;
        }
    }
}

#[cfg(test)]
mod tests;
