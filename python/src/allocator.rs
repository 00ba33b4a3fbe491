//! Any policy, step by step, on arms that Python samples.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use tesuji_bandit::{Trial, TrialHistory, TrialScores};
use tesuji_core::{Arms, Pull, Rewards, Seed};
use tesuji_search::SearchStop;

use crate::arguments::{self, SeedArgument, numbers, whole};
use crate::columns::Columns;
use crate::errors::bad_input;
use crate::rounds::rounds_array;
use crate::stop::stop_object;

/// A policy that finds the best of your own arms, step by step.
///
/// Ask for a batch, take its samples in any way you like (they do not depend on each other),
/// report the rewards, and repeat until there is no batch. Rewards are from 0 to 1. The policy
/// spends its budget exactly, unless ``stop`` says why not.
///
/// An allocator can be pickled and copied at any moment, and continues where it was.
///
/// Parameters
/// ----------
/// policy : str
///     The policy, such as ``"sh"``, ``"shuss(t=94)"`` or ``"ucb1"``; ``policies()`` lists them.
/// n_arms : int
///     How many arms there are.
/// budget : int
///     How many samples may be taken.
/// seed : int or str, default: 1
///     For the policy's own random choices. Equal seeds and equal rewards lead to equal batches.
///
/// Raises
/// ------
/// ValueError
///     If an argument is wrong; the sentence says what is allowed.
///
/// Examples
/// --------
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
    fn new(
        policy: &str,
        #[pyo3(from_py_with = whole)] n_arms: i64,
        #[pyo3(from_py_with = whole)] budget: i64,
        seed: SeedArgument,
    ) -> PyResult<Allocator> {
        // A negative number is as wrong as none, and has a sentence of its own.
        let at_least_one = |what: &str, number: i64| {
            u64::try_from(number).map_err(|_| bad_input(format!("{what} is at least 1, not {number}")))
        };
        let (n_arms, budget) = (at_least_one("n_arms", n_arms)? as usize, at_least_one("budget", budget)?);
        let policy = policy.parse().map_err(bad_input)?;
        let trial = Trial::new(policy, n_arms, budget, seed.seed()?).map_err(bad_input)?;
        Ok(Allocator { trial: Mutex::new(trial) })
    }

    /// Return the samples to take next.
    ///
    /// Returns
    /// -------
    /// Table or None
    ///     Columns ``arm`` and ``samples``, each arm at most once; ``None`` if the policy wants no more.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If rewards of the last batch are missing; ``pending`` lists them.
    fn next_batch<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut trial = self.trial();
        let batch = trial.next_batch().map_err(bad_input)?;
        batch.map(|pulls| pulls_array(py, pulls)).transpose()
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Return the next batch, until there is none.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.next_batch(py)
    }

    /// The samples of the last batch whose rewards are missing, with the columns of ``next_batch``.
    #[getter]
    fn pending<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pulls: Vec<Pull> = self.trial().pending().collect();
        pulls_array(py, &pulls)
    }

    /// Report rewards of one arm.
    ///
    /// Parameters
    /// ----------
    /// arm : int
    ///     The arm, from 0.
    /// rewards : float or array of float
    ///     A reward from 0 to 1, or several; not more than the last batch still lacks.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If something is wrong; then nothing is recorded.
    fn observe(&self, #[pyo3(from_py_with = whole)] arm: i64, rewards: &Bound<'_, PyAny>) -> PyResult<()> {
        let rewards = numbers(rewards)?;
        let mut trial = self.trial();
        let wrong = || bad_input(format!("there is no arm {arm}: they are numbered from 0"));
        let arm = usize::try_from(arm).map_err(|_| wrong())?;
        trial.observe(arm, &rewards).map_err(bad_input)
    }

    /// Report all rewards that the last batch lacks, in its order.
    ///
    /// Parameters
    /// ----------
    /// rewards : array of float, or list
    ///     One array with the rewards of the first arm first; an array with a row for each arm; or a
    ///     list with the rewards of each arm.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If something is wrong; then nothing is recorded.
    ///
    /// Examples
    /// --------
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
                        "the list must have, for each arm of the batch, as many rewards as the batch asks for",
                    ));
                }
                listed.concat()
            }
            None => numbers(rewards)?,
        };
        self.trial().observe_all(&all).map_err(bad_input)
    }

    /// Set the scores of the arms, for policies that use scores.
    ///
    /// A policy reads them when it is asked for a batch or a recommendation. They may change at any
    /// time.
    ///
    /// Parameters
    /// ----------
    /// scores : array of float
    ///     A score for each arm: an AMAF value, or a prior.
    /// counts : array of float, optional
    ///     The number of samples behind each score; leave it out for priors.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is not one number for each arm.
    #[pyo3(signature = (scores, counts = None))]
    fn set_scores(&self, scores: &Bound<'_, PyAny>, counts: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let scores = numbers(scores)?;
        let counts = counts.map(numbers).transpose()?;
        self.trial().set_scores(&scores, counts.as_deref()).map_err(bad_input)
    }

    /// Return the best arm as far as is known. You may ask at any time.
    ///
    /// Returns
    /// -------
    /// int
    ///     The arm, from 0.
    fn recommend(&self) -> usize {
        self.trial().recommend()
    }

    /// Return how sure it is of the recommended arm. You may ask at any time.
    ///
    /// Parameters
    /// ----------
    /// within : float, default: 0.0
    ///     How far below the best arm a right choice may be.
    ///
    /// Returns
    /// -------
    /// float or None
    ///     The chance that the arm is the best, or within ``within`` of the best; ``None`` if it has no samples.
    #[pyo3(signature = (within = 0.0), text_signature = "($self, within=0.0)")]
    fn confidence(&self, within: f64) -> PyResult<Option<f64>> {
        arguments::until(Some(0.95), Some(within))?;
        Ok(self.trial().confidence(within))
    }

    /// The arms as a table with a row for each.
    ///
    /// Columns: ``count``, ``mean``, ``variance`` (with divisor count − 1), ``score``, ``score_count``. An unknown
    /// number is nan.
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

    /// The finished rounds of a policy that halves, as a table with a row for each arm of each
    /// round, best first. Other policies have no rows.
    ///
    /// Columns: ``round`` (from 1), ``arm``, ``samples_each`` (its samples in this round), ``q``, ``mean``,
    /// ``bonus``, ``kept`` (whether it goes on to the next round).
    #[getter]
    fn rounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rounds_array(py, self.trial().rounds(), |columns, _| Ok(columns))
    }

    /// The number of rewards that were reported.
    #[getter]
    fn spent(&self) -> u64 {
        self.trial().spent()
    }

    /// The number of samples that may be taken.
    #[getter]
    fn budget(&self) -> u64 {
        self.trial().budget()
    }

    /// The number of arms.
    #[getter]
    fn n_arms(&self) -> usize {
        self.trial().n_arms()
    }

    /// The canonical text of the policy.
    #[getter]
    fn policy(&self) -> String {
        self.trial().policy().to_string()
    }

    /// Why the policy stopped before its budget was spent (a ``Stop``); ``None`` if it did not.
    #[getter]
    fn stop<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let stop = self.trial().stop();
        stop.map(|stop| stop_object(py, SearchStop::Allocator(stop))).transpose()
    }

    /// Whether ``next_batch`` has returned ``None``: there is nothing more to sample.
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
