//! The laboratory: policies on arms whose values are known.

use std::str::FromStr;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tesuji_bandit::testbed::{ArmsSpec, Laboratory, Row, ScoreModel};
use tesuji_bandit::{PolicyInfo, PolicySpec};

use crate::arguments::{self, SeedArgument, numbers, whole_or_none};
use crate::columns::Columns;
use crate::errors::bad_input;
use crate::interrupt::interruptible;

/// The most samples and runs, as on the command line.
const MOST_SAMPLES: i64 = 1_000_000_000;
const MOST_RUNS: i64 = 1_000_000_000_000;

/// Measures the regret of policies on arms whose values are known, as ``tesuji bandit`` does.
///
/// Every combination of ``arms``, ``policies`` and ``budgets`` is tried, in ``runs`` runs; each is
/// one or a list. Arms are a setting such as ``"N:80"``, or an array of values. With
/// ``score_noise`` arms have scores: their values with normal noise; with ``score_rate`` these
/// sharpen with the samples, as AMAF does. All see the same luck, so that ``difference``, the
/// regret less that of the first policy, is known better than the regrets themselves. Equal
/// seeds give equal numbers, on any number of threads.
///
/// The result is a structured array with a row for each combination; ``pandas.DataFrame`` takes
/// it as it is. Each mean has its standard error beside it (``se`` is that of ``regret``), and what
/// a policy does not have is nan.
///
/// >>> table = bandit("1:10", ["uniform", "sh"], [100, 1000], runs=500, threads=1)
/// >>> [str(name) for name in table["policy"]]
/// ['uniform', 'uniform', 'sh', 'sh']
/// >>> bool(table["regret"][3] < table["regret"][1])
/// True
#[pyfunction]
#[pyo3(
    signature = (
        arms, policies, budgets, *, runs = 10_000, seed = SeedArgument::Number(1), threads = None, score_noise = None,
        score_rate = None
    ),
    text_signature = "(arms, policies, budgets, *, runs=10000, seed=1, threads=None, score_noise=None, \
                      score_rate=None)"
)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn bandit<'py>(
    py: Python<'py>,
    arms: &Bound<'py, PyAny>,
    policies: &Bound<'py, PyAny>,
    budgets: &Bound<'py, PyAny>,
    runs: i64,
    seed: SeedArgument,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    score_noise: Option<f64>,
    score_rate: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let settings: Vec<ArmsSpec> = distinct(&arms_texts(arms)?)?;
    let policies: Vec<PolicySpec> = distinct(&one_or_more(policies)?)?;
    let budgets = budgets.extract::<i64>().map(|budget| vec![budget]).or_else(|_| budgets.extract())?;
    let mut budgets = budgets
        .into_iter()
        .map(|budget| within("a budget", "samples", budget, MOST_SAMPLES))
        .collect::<PyResult<Vec<u64>>>()?;
    budgets.sort_unstable();
    budgets.dedup();
    let runs = within("the number of runs", "runs", runs, MOST_RUNS)?;
    if score_rate.is_some() && score_noise.is_none() {
        return Err(bad_input("score_rate needs score_noise: there are no scores without it"));
    }
    let scores = score_noise.map(|noise| ScoreModel { noise, rate: score_rate });
    let (seed, threads) = (seed.seed()?, arguments::threads(threads)?);
    let laboratory = |arms: ArmsSpec| Laboratory {
        arms,
        budgets: budgets.clone(),
        policies: policies.clone(),
        runs,
        seed,
        scores,
        threads,
    };
    let mut rows: Vec<Row> = Vec::new();
    for setting in settings {
        let laboratory = laboratory(setting);
        rows.extend(interruptible(py, |cancel| laboratory.run(&|_| {}, cancel))?.map_err(bad_input)?);
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
        .numbers("se", number(|row| row.se))?
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

/// Texts where one stands for a list of one.
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

/// Reads specs; one that is given again is the same.
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

/// The policies for spending samples, each as a dictionary: ``name``, ``meaning``, ``source`` and
/// ``options``, a list of dictionaries with ``name``, ``values``, ``default`` (``None`` where the
/// option must be given) and ``meaning``.
///
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
