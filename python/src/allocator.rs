//! Any policy, step by step, on arms that Python samples.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use tesuji_bandit::{Trial, TrialHistory, TrialScores};
use tesuji_core::{Arms, Pull, Rewards, Seed};

use crate::arguments::{SeedArgument, numbers};
use crate::columns::Columns;
use crate::errors::bad_input;
use crate::rounds::rounds_array;

/// A policy that spends a budget of samples on arms of your own, step by step: which arm is
/// best?
///
/// Ask for a batch, take its samples in any way you like (they do not depend on one another),
/// say what came of them, and so on until there is no batch. Rewards are from 0 to 1.
/// Policies are those of ``policies()``, such as ``sh``, ``shuss(t=94)`` or ``ucb1``. The budget is
/// spent to the last sample, unless ``stop`` says why not. The seed is for the policy's own
/// choices: equal seeds and equal rewards give equal batches, in whatever order the arms of a
/// batch are observed.
///
/// It can be pickled and copied at any time, and goes on as it would have. What is kept for
/// that is at most a number for each sample.
///
/// >>> allocator = Allocator("sh", n_arms=4, budget=100)
/// >>> for batch in allocator:
/// ...     for arm, samples in batch:
/// ...         allocator.observe(arm, [arm / 4] * samples)
/// >>> allocator.recommend(), allocator.spent
/// (3, 100)
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Allocator {
    trial: Mutex<Trial>,
}

impl Allocator {
    /// The trial. Nobody waits long: no Python code runs while it is locked.
    fn trial(&self) -> MutexGuard<'_, Trial> {
        self.trial.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Allocator {
    #[new]
    #[pyo3(
        signature = (policy, n_arms, budget, *, seed = SeedArgument::Number(1)),
        text_signature = "(policy, n_arms, budget, *, seed=1)"
    )]
    fn new(policy: &str, n_arms: i64, budget: i64, seed: SeedArgument) -> PyResult<Allocator> {
        // A negative number is as wrong as none, and has a sentence of its own.
        let whole = |what: &str, number: i64| {
            u64::try_from(number).map_err(|_| bad_input(format!("{what} is at least 1, not {number}")))
        };
        let (n_arms, budget) = (whole("n_arms", n_arms)? as usize, whole("budget", budget)?);
        let policy = policy.parse().map_err(bad_input)?;
        let trial = Trial::new(policy, n_arms, budget, seed.seed()?).map_err(bad_input)?;
        Ok(Allocator { trial: Mutex::new(trial) })
    }

    /// What is to be sampled next, as a structured array of ``arm`` and ``samples``, each arm at
    /// most once; ``None`` when the policy wants no more. All samples of the last batch must
    /// have been observed; otherwise it is a ``ValueError`` that says what is missing, and
    /// ``pending`` has all of it.
    fn next_batch<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut trial = self.trial();
        let batch = trial.next_batch().map_err(bad_input)?;
        batch.map(|pulls| pulls_array(py, pulls)).transpose()
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// The next batch, until there is none.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.next_batch(py)
    }

    /// What is still missing of the last batch, as ``next_batch`` gives it.
    #[getter]
    fn pending<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pulls: Vec<Pull> = self.trial().pending().collect();
        pulls_array(py, &pulls)
    }

    /// A reward of an arm, from 0 to 1, or an array of some: no more than the last batch still
    /// lacks. Where something is wrong, nothing is taken.
    fn observe(&self, arm: i64, rewards: &Bound<'_, PyAny>) -> PyResult<()> {
        let rewards = numbers(rewards)?;
        let mut trial = self.trial();
        let wrong = || bad_input(format!("there is no arm {arm}: they are numbered from 0"));
        let arm = usize::try_from(arm).map_err(|_| wrong())?;
        trial.observe(arm, &rewards).map_err(bad_input)
    }

    /// All rewards that the last batch lacks, at once and in its order: as one array, those of
    /// its first arm first; as an array with a row for each arm; or as a list with what
    /// ``observe`` takes for each arm. Where something is wrong, nothing is taken.
    ///
    /// >>> allocator = Allocator("uniform", n_arms=2, budget=5)
    /// >>> [int(samples) for samples in allocator.next_batch()["samples"]]
    /// [3, 2]
    /// >>> allocator.observe_all([[1, 0, 1], [0, 0]])
    /// >>> allocator.spent
    /// 5
    fn observe_all(&self, rewards: &Bound<'_, PyAny>) -> PyResult<()> {
        // Rewards are read before the trial is locked: reading them may run Python code.
        let is_list = rewards.is_instance_of::<PyList>() || rewards.is_instance_of::<PyTuple>();
        let listed = is_list.then(|| {
            let items = rewards.try_iter()?;
            items.map(|item| numbers(&item?)).collect::<PyResult<Vec<_>>>()
        });
        let all = match listed.transpose()? {
            Some(listed) => {
                // A list of single numbers is one array; anything else says which arm has how many.
                let is_flat = listed.iter().all(|rewards| rewards.len() == 1);
                let lengths = listed.iter().map(|rewards| rewards.len() as u64);
                if !is_flat && !lengths.eq(self.trial().pending().map(|pull| pull.samples)) {
                    return Err(bad_input(
                        "the list has not, for each arm of the batch, as many rewards as it asks for",
                    ));
                }
                listed.concat()
            }
            None => numbers(rewards)?,
        };
        self.trial().observe_all(&all).map_err(bad_input)
    }

    /// What is thought of the arms beside their rewards, for policies that use scores: AMAF
    /// values with the ``counts`` of samples behind them, or priors, without. Policies look at
    /// them when they are asked for a batch, and for a recommendation; they may change in
    /// between.
    #[pyo3(signature = (scores, counts = None))]
    fn set_scores(&self, scores: &Bound<'_, PyAny>, counts: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let scores = numbers(scores)?;
        let counts = counts.map(numbers).transpose()?;
        self.trial().set_scores(&scores, counts.as_deref()).map_err(bad_input)
    }

    /// The arm that is best as far as is known: sound at any time.
    fn recommend(&self) -> usize {
        self.trial().recommend()
    }

    /// What is known of each arm, as a structured array: ``count``, ``mean``, ``variance`` (with
    /// divisor count − 1), ``score`` and ``score_count``. What is not known is nan.
    #[getter]
    fn arms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let arms = self.trial().arms();
        let number = |value: fn(&Arms, usize) -> Option<f64>| {
            let arms = &arms;
            (0..arms.len()).map(move |arm| value(arms, arm))
        };
        Columns::new(py)
            .column("count", "u8", (0..arms.len()).map(|arm| arms.count(arm)))?
            .numbers("mean", number(|arms, arm| (arms.count(arm) > 0).then(|| arms.mean(arm))))?
            .numbers("variance", number(Arms::variance))?
            .numbers("score", number(|arms, arm| arms.is_scored().then(|| arms.score(arm))))?
            .numbers("score_count", number(|arms, arm| arms.is_scored().then(|| arms.score_count(arm))))?
            .array()
    }

    /// The rounds that are over, for policies that have some, as a structured array with a row
    /// for each arm of each round, best first: ``round``, ``arm``, ``samples_each`` (that it got in the
    /// round), ``q``, ``mean``, ``bonus`` and ``kept`` (whether it goes on).
    #[getter]
    fn rounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rounds_array(py, self.trial().rounds(), |columns, _| Ok(columns))
    }

    /// The rewards that were observed.
    #[getter]
    fn spent(&self) -> u64 {
        self.trial().spent()
    }

    /// The samples there are to be spent.
    #[getter]
    fn budget(&self) -> u64 {
        self.trial().budget()
    }

    /// How many arms there are.
    #[getter]
    fn n_arms(&self) -> usize {
        self.trial().n_arms()
    }

    /// The canonical text of the policy.
    #[getter]
    fn policy(&self) -> String {
        self.trial().policy().to_string()
    }

    /// Why it ended before its budget, in words, or ``None``.
    #[getter]
    fn stop(&self) -> Option<String> {
        self.trial().stop().map(|stop| stop.to_string())
    }

    /// Whether ``next_batch`` has said that there is nothing more to sample.
    #[getter]
    fn is_done(&self) -> bool {
        self.trial().is_done()
    }

    fn __repr__(&self) -> String {
        let trial = self.trial();
        let (policy, n_arms) = (trial.policy(), trial.n_arms());
        format!("<Allocator '{policy}': {n_arms} arms, {} of {} samples>", trial.spent(), trial.budget())
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let trial = self.trial();
        let arguments = (trial.policy().to_string(), trial.n_arms(), trial.budget()).into_pyobject(py)?;
        let options = PyDict::new(py);
        options.set_item("seed", trial.seed().to_string())?;
        Ok((arguments, options))
    }

    fn __getstate__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let TrialHistory { asked, rewards, open, scores, counts } = self.trial().history();
        let open: Vec<(u64, f64, f64)> =
            open.iter().map(|told| (told.count, told.sum, told.squares)).collect();
        let array = |numbers| PyArray1::from_vec(py, numbers);
        let scores: Vec<_> = scores
            .into_iter()
            .map(|scored| (scored.after, array(scored.scores), array(scored.samples)))
            .collect();
        (asked, array(rewards), open, scores, PyArray1::from_vec(py, counts)).into_pyobject(py)
    }

    fn __setstate__(&self, state: State<'_>) -> PyResult<()> {
        let (asked, rewards, open, scores, counts) = state;
        let list = |array: &PyReadonlyArray1<'_, f64>| array.as_array().to_vec();
        let history = TrialHistory {
            asked,
            rewards: list(&rewards),
            open: open.into_iter().map(|(count, sum, squares)| Rewards { count, sum, squares }).collect(),
            scores: scores
                .into_iter()
                .map(|(after, scores, samples)| TrialScores {
                    after,
                    scores: list(&scores),
                    samples: list(&samples),
                })
                .collect(),
            counts: counts.as_array().to_vec(),
        };
        let mut trial = self.trial();
        let (policy, seed): (_, Seed) = (trial.policy().clone(), trial.seed());
        *trial = Trial::resume(policy, trial.n_arms(), trial.budget(), seed, &history).map_err(bad_input)?;
        Ok(())
    }
}

/// A history as it is pickled.
type State<'py> = (
    u64,
    PyReadonlyArray1<'py, f64>,
    Vec<(u64, f64, f64)>,
    Vec<(u64, PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>)>,
    PyReadonlyArray1<'py, u64>,
);

fn pulls_array<'py>(py: Python<'py>, pulls: &[Pull]) -> PyResult<Bound<'py, PyAny>> {
    Columns::new(py)
        .column("arm", "i8", pulls.iter().map(|pull| pull.arm))?
        .column("samples", "i8", pulls.iter().map(|pull| pull.samples))?
        .array()
}
