//! Arguments that several functions have: seeds, budgets, threads, numbers.

use std::sync::Arc;

use numpy::{AllowTypeChange, PyArrayLikeDyn};
use pyo3::Borrowed;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};
use tesuji_catalog::{BudgetSpec, GameSpec, PlayerSpec};
use tesuji_core::Seed;
use tesuji_search::Until;

use crate::errors::bad_input;
use crate::game::Game;

/// An argument of the wrong kind: a `TypeError` that says what it may be.
pub(crate) fn wrong_kind(value: &Bound<'_, PyAny>, allowed: &str) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| "that".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {allowed}, not {kind}"))
}

/// A whole number that fits: an `int`, or anything with `__index__`, such as numpy's integers.
/// `True` and `False` are none. One that does not fit is a `ValueError` (Python itself would raise
/// an `OverflowError`).
pub(crate) fn whole<T: TryFrom<i128>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    let number = index(value)?.ok_or_else(|| wrong_kind(value, "a whole number"))?;
    let does_not_fit = || {
        let text = number.str().map_or_else(|_| "it".to_owned(), |text| text.to_string());
        bad_input(format!("{} is not a number that is allowed here", tesuji_core::shortened(&text)))
    };
    number.extract::<i128>().ok().and_then(|number| T::try_from(number).ok()).ok_or_else(does_not_fit)
}

/// The `int` that a whole number of any kind is; `None` if it is no whole number.
fn index<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if value.is_instance_of::<PyInt>() {
        return Ok((!value.is_instance_of::<PyBool>()).then(|| value.clone()));
    }
    if !value.hasattr(intern!(value.py(), "__index__"))? {
        return Ok(None);
    }
    match value.py().import(intern!(value.py(), "operator"))?.call_method1("index", (value,)) {
        Ok(number) => Ok(Some(number)),
        // An array has the method, and is no number for all that.
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A whole number as [`whole`] reads it, or `None`.
pub(crate) fn whole_or_none<T: TryFrom<i128>>(value: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { whole(value).map(Some) }
}

/// Whole numbers as [`whole`] reads them: one, or some in a list, an array or the like.
pub(crate) fn wholes<T: TryFrom<i128>>(value: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    match index(value)? {
        Some(number) => Ok(vec![whole(&number)?]),
        None if value.is_instance_of::<PyString>() => Err(wrong_kind(value, "whole numbers")),
        None => {
            let items = value.try_iter().map_err(|_| wrong_kind(value, "whole numbers"))?;
            items.map(|item| whole(&item?)).collect()
        }
    }
}

/// A seed: a whole number, or the 32 digits of an address.
pub(crate) enum SeedArgument {
    Number(u64),
    Text(String),
}

impl<'py> FromPyObject<'_, 'py> for SeedArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<SeedArgument> {
        match value.extract::<String>() {
            Ok(text) => Ok(SeedArgument::Text(text)),
            Err(_) => match index(&value)? {
                Some(number) => {
                    let wrong =
                        |_| bad_input(format!("a seed is a whole number from 0 to 2**64 - 1, not {number}"));
                    Ok(SeedArgument::Number(whole(&number).map_err(wrong)?))
                }
                None => Err(wrong_kind(&value, "a seed: a whole number, or its 32 digits")),
            },
        }
    }
}

impl SeedArgument {
    pub(crate) fn seed(&self) -> PyResult<Seed> {
        match self {
            SeedArgument::Number(number) => Ok(Seed::new(*number)),
            SeedArgument::Text(text) => text.parse().map_err(bad_input),
        }
    }
}

/// A budget: samples, or a time such as `"2s"`.
pub(crate) struct BudgetArgument(BudgetSpec);

impl<'py> FromPyObject<'_, 'py> for BudgetArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<BudgetArgument> {
        let text = match value.extract::<String>() {
            Ok(text) => text,
            Err(_) => match index(&value)? {
                Some(number) => number.str()?.to_string(),
                None => {
                    return Err(wrong_kind(
                        &value,
                        "a budget: a whole number of samples, or a time such as '2s'",
                    ));
                }
            },
        };
        text.parse().map(BudgetArgument).map_err(bad_input)
    }
}

impl BudgetArgument {
    pub(crate) fn budget(&self) -> BudgetSpec {
        self.0
    }
}

/// A game, or the spec of one.
pub(crate) enum GameArgument {
    Game(Game),
    Spec(String),
}

impl<'py> FromPyObject<'_, 'py> for GameArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<GameArgument> {
        match (value.extract::<String>(), value.extract::<Game>()) {
            (Ok(spec), _) => Ok(GameArgument::Spec(spec)),
            (_, Ok(game)) => Ok(GameArgument::Game(game)),
            _ => Err(wrong_kind(&value, "a Game, or its spec such as 'go:9'")),
        }
    }
}

impl GameArgument {
    pub(crate) fn spec(&self) -> PyResult<Arc<GameSpec>> {
        match self {
            GameArgument::Game(Game(spec)) => Ok(spec.clone()),
            GameArgument::Spec(text) => Ok(Arc::new(text.parse().map_err(bad_input)?)),
        }
    }

    /// Whether it says which komi: a game has one, and a spec may leave it open.
    pub(crate) fn says_komi(&self) -> bool {
        match self {
            GameArgument::Game(_) => true,
            GameArgument::Spec(text) => text.to_lowercase().contains("komi"),
        }
    }
}

/// The player of a spec. The budget is for a player whose spec has none.
pub(crate) fn player(spec: &str, budget: Option<&BudgetArgument>) -> PyResult<PlayerSpec> {
    let player: PlayerSpec = spec.parse().map_err(bad_input)?;
    Ok(match budget {
        Some(budget) => player.with_default_budget(budget.budget()),
        None => player,
    })
}

/// When a search stops before its budget is spent; `None` if nothing was asked for.
pub(crate) fn until(until: Option<f64>, within: Option<f64>) -> PyResult<Option<Until>> {
    match (until, within) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(bad_input("within is nothing without until")),
        (Some(level), within) => Until::new(level, within.unwrap_or(0.0)).map(Some).map_err(bad_input),
    }
}

/// The threads to use; default: one for each core.
pub(crate) fn threads(threads: Option<usize>) -> PyResult<usize> {
    match threads {
        Some(threads @ 1..=1024) => Ok(threads),
        Some(threads) => Err(bad_input(format!("threads are from 1 to 1024, not {threads}"))),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// A number, or all numbers of whatever numpy can make an array of, row by row.
pub(crate) fn numbers(object: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    // Single rewards come by the million, and numpy would cost more than the sample.
    if let Ok(number) = object.cast::<PyFloat>() {
        return Ok(vec![number.value()]);
    }
    let array: PyArrayLikeDyn<'_, f64, AllowTypeChange> = object.extract()?;
    Ok(array.as_array().iter().copied().collect())
}
