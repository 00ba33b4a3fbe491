//! The laboratory: policies on arms whose values are known.

use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tesuji_arena::Completion;
use tesuji_bandit::testbed::{ArmsSpec, Laboratory, Row, ScoreModel};
use tesuji_bandit::{PolicyInfo, PolicySpec};

use crate::arguments::{self, SeedArgument, numbers, whole, whole_or_none, wholes};
use crate::columns::Columns;
use crate::errors::bad_input;
use crate::interrupt::interruptible_telling;
use crate::progress::ProgressArgument;

/// The most samples and runs, as on the command line.
const MOST_SAMPLES: i64 = 1_000_000_000;
const MOST_RUNS: i64 = 1_000_000_000_000;

/// Measure the regret of policies on arms whose values are known, as ``tesuji bandit`` does.
///
/// Every combination of arms, policies and budgets is measured. All policies see the same random
/// numbers, so differences have smaller errors than the regrets themselves. Equal seeds lead to
/// equal numbers on any number of threads. Ctrl-C ends the measurement.
///
/// Parameters
/// ----------
/// arms : str, list of str, or array of float
///     Settings such as ``"N:80"``, or the values of the arms.
/// policies : str or list of str
///     The policies; ``policies()`` lists them.
/// budgets : int or list of int
///     The budgets, in samples.
/// runs : int, default: 10000
///     How many runs each combination has.
/// seed : int or str, default: 1
///     A whole number, or the 32 digits of a seed.
/// threads : int, optional
///     How many threads work; default: one for each core.
/// score_noise : float, optional
///     Add scores to the arms: their values with normal noise of this standard deviation. Default:
///     no scores.
/// score_rate : float, optional
///     Let the scores get sharper with the samples, as AMAF values do.
/// score_slope : float, default: 1.0
///     What a score grows by if the value of its arm grows by 1: below 1 scores flatten, with 0 they say
///     nothing.
/// score_uneven : float, default: 0.0
///     The standard deviation of the logarithm of the rates, if some scores get more samples than others.
/// progress : bool or callable, optional
///     ``True`` shows a line on standard error. A function is called now and then with the number of
///     runs so far, and of all runs.
///
/// Returns
/// -------
/// Table
///     A row for each combination: ``regret``, ``p_wrong`` (the probability of a wrong choice),
///     ``cumulative`` regret, ``spent`` samples, ``difference`` (regret minus that of the first policy), and
///     the standard error of each (``regret_se`` and so on). A number that a policy does not have is
///     nan.
///
/// Raises
/// ------
/// ValueError
///     If an argument is wrong; the sentence says what is allowed.
///
/// Examples
/// --------
/// >>> table = bandit("1:10", ["uniform", "sh"], [100, 1000], runs=500, threads=1)
/// >>> [str(name) for name in table["policy"]]
/// ['uniform', 'uniform', 'sh', 'sh']
/// >>> bool(table["regret"][3] < table["regret"][1])
/// True
#[pyfunction]
#[pyo3(
    signature = (
        arms, policies, budgets, *, runs = 10_000, seed = SeedArgument::Number(1), threads = None, score_noise = None,
        score_rate = None, score_slope = 1.0, score_uneven = 0.0, progress = ProgressArgument::Nobody
    ),
    text_signature = "(arms, policies, budgets, *, runs=10000, seed=1, threads=None, score_noise=None, \
                      score_rate=None, score_slope=1.0, score_uneven=0.0, progress=None)"
)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn bandit<'py>(
    py: Python<'py>,
    arms: &Bound<'py, PyAny>,
    policies: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = wholes)] budgets: Vec<i64>,
    #[pyo3(from_py_with = whole)] runs: i64,
    seed: SeedArgument,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    score_noise: Option<f64>,
    score_rate: Option<f64>,
    score_slope: f64,
    score_uneven: f64,
    progress: ProgressArgument,
) -> PyResult<Bound<'py, PyAny>> {
    let settings: Vec<ArmsSpec> = distinct(&arms_texts(arms)?)?;
    let policies: Vec<PolicySpec> = distinct(&one_or_more(policies)?)?;
    let mut budgets = budgets
        .into_iter()
        .map(|budget| within("a budget", "samples", budget, MOST_SAMPLES))
        .collect::<PyResult<Vec<u64>>>()?;
    budgets.sort_unstable();
    budgets.dedup();
    let runs = within("the number of runs", "runs", runs, MOST_RUNS)?;
    if score_rate.is_some() && score_noise.is_none() {
        return Err(bad_input("score_rate needs score_noise, which adds the scores"));
    }
    let scores = score_noise.map(|noise| ScoreModel {
        noise,
        slope: score_slope,
        rate: score_rate,
        uneven: score_uneven,
    });
    let (seed, threads) = (seed.seed()?, arguments::threads(threads)?);
    let laboratory = |arms: ArmsSpec| Laboratory {
        arms,
        budgets: budgets.clone(),
        policies: policies.clone(),
        runs,
        seed,
        scores,
        until: None,
        threads,
    };
    let mut rows: Vec<Row> = Vec::new();
    let meter = progress.meter(py, "runs")?;
    let each = runs.saturating_mul(policies.len() as u64);
    let wanted = each.saturating_mul(settings.len() as u64);
    for (before, setting) in settings.into_iter().enumerate() {
        let laboratory = laboratory(setting);
        let done = |runs: u64| meter.set(Completion { done: each * before as u64 + runs, wanted });
        let work = |cancel: &AtomicBool| laboratory.run(&done, cancel);
        rows.extend(interruptible_telling(py, work, |py| meter.tell(py))?.map_err(bad_input)?);
    }
    table(py, &rows)
}

fn table<'py>(py: Python<'py>, rows: &[Row]) -> PyResult<Bound<'py, PyAny>> {
    let number = |value: fn(&Row) -> f64| rows.iter().map(move |row| Some(value(row)));
    let optional = |value: fn(&Row) -> Option<f64>| rows.iter().map(value);
    Columns::new(py)
        .texts("arms", rows.iter().map(|row| row.arms.to_string()))?
        .texts("policy", rows.iter().map(|row| row.policy.to_string()))?
        .column("budget", "i8", rows.iter().map(|row| row.budget))?
        .column("runs", "i8", rows.iter().map(|row| row.runs))?
        .numbers("regret", number(|row| row.regret))?
        .numbers("regret_se", number(|row| row.se))?
        .numbers("p_wrong", number(|row| row.p_wrong))?
        .numbers("p_wrong_se", number(|row| row.p_wrong_se))?
        .numbers("cumulative", number(|row| row.cumulative))?
        .numbers("cumulative_se", number(|row| row.cumulative_se))?
        .numbers("spent", number(|row| row.spent))?
        .numbers("regret_most_pulled", optional(|row| row.regret_most_pulled))?
        .numbers("regret_most_pulled_se", optional(|row| row.regret_most_pulled_se))?
        .numbers("regret_best_mean", optional(|row| row.regret_best_mean))?
        .numbers("regret_best_mean_se", optional(|row| row.regret_best_mean_se))?
        .numbers("difference", optional(|row| row.difference))?
        .numbers("difference_se", optional(|row| row.difference_se))?
        .array()
}

/// A number that is allowed.
fn within(what: &str, unit: &str, number: i64, most: i64) -> PyResult<u64> {
    match number {
        1.. if number <= most => Ok(number as u64),
        _ => Err(bad_input(format!("{what} is from 1 to {most} {unit}, not {number}"))),
    }
}

/// A list of texts; a single text is a list of one.
fn one_or_more(texts: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    match texts.cast::<PyString>() {
        Ok(text) => Ok(vec![text.to_string()]),
        Err(_) => texts.extract(),
    }
}

/// Settings of arms as texts; values are a setting of their own.
fn arms_texts(arms: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(texts) = one_or_more(arms) {
        return Ok(texts);
    }
    let values: Vec<String> = numbers(arms)?.iter().map(f64::to_string).collect();
    Ok(vec![format!("[{}]", values.join(","))])
}

/// Reads specs, each different one once.
fn distinct<T: FromStr<Err: std::fmt::Display> + PartialEq>(texts: &[String]) -> PyResult<Vec<T>> {
    let mut all = Vec::new();
    for text in texts {
        let spec = text.parse().map_err(bad_input)?;
        if !all.contains(&spec) {
            all.push(spec);
        }
    }
    Ok(all)
}

/// List the policies that spend a budget of samples on arms.
///
/// Returns
/// -------
/// list of dict
///     For each policy its ``name``, ``meaning``, ``source`` and ``options``: a list of dictionaries with
///     ``name``, ``values``, ``default`` (``None`` if the option is required) and ``meaning``.
///
/// Examples
/// --------
/// >>> [policy["name"] for policy in policies()][:4]
/// ['uniform', 'sh', 'shuss', 'gumbel']
#[pyfunction]
pub(crate) fn policies(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let entry = |policy: &PolicyInfo| {
        let mut options = Vec::new();
        for parameter in policy.parameters {
            let option = PyDict::new(py);
            option.set_item("name", parameter.name)?;
            option.set_item("values", parameter.values.to_string())?;
            option.set_item("default", parameter.default)?;
            option.set_item("meaning", parameter.meaning)?;
            options.push(option);
        }
        let entry = PyDict::new(py);
        entry.set_item("name", policy.name)?;
        entry.set_item("meaning", policy.meaning)?;
        entry.set_item("source", policy.source)?;
        entry.set_item("options", options)?;
        Ok(entry)
    };
    tesuji_bandit::policies().iter().map(entry).collect()
}
