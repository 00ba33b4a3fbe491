//! Arguments that several functions have: seeds, budgets, threads, numbers.

use std::sync::Arc;

use numpy::{AllowTypeChange, PyArrayLikeDyn};
use pyo3::Borrowed;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};
use tesuji_catalog::{BudgetSpec, GameSpec, PlayerSpec};
use tesuji_core::Seed;

use crate::errors::bad_input;
use crate::game::Game;

/// An argument of the wrong kind: a `TypeError` that says what it may be.
pub(crate) fn wrong_kind(value: &Bound<'_, PyAny>, allowed: &str) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| "that".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {allowed}, not {kind}"))
}

/// A whole number that fits, or a `ValueError` (Python itself would raise an `OverflowError`).
pub(crate) fn whole<T: TryFrom<i128>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    let does_not_fit = || {
        bad_input(format!(
            "{} is not a number that is allowed here",
            value.str().map_or_else(|_| "it".to_owned(), |text| tesuji_core::shortened(&text.to_string()))
        ))
    };
    match value.extract::<i128>() {
        Ok(number) => T::try_from(number).map_err(|_| does_not_fit()),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => Err(does_not_fit()),
        Err(_) => Err(wrong_kind(value, "a whole number")),
    }
}

/// The same where nothing need be said.
pub(crate) fn whole_or_none<T: TryFrom<i128>>(value: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { whole(value).map(Some) }
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
            Err(_) if value.is_instance_of::<PyInt>() => {
                let wrong =
                    |_| bad_input(format!("a seed is a whole number from 0 to 2**64 - 1, not {}", *value));
                Ok(SeedArgument::Number(whole(&value).map_err(wrong)?))
            }
            Err(_) => Err(wrong_kind(&value, "a seed, a whole number or the 32 digits of one")),
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
            Err(_) if value.is_instance_of::<PyInt>() => value.str()?.to_string(),
            Err(_) => return Err(wrong_kind(&value, "a budget, a number of samples or a time such as '2s'")),
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

/// The player of a spec, with this budget if there is one.
pub(crate) fn player(spec: &str, budget: Option<&BudgetArgument>) -> PyResult<PlayerSpec> {
    let player: PlayerSpec = spec.parse().map_err(bad_input)?;
    Ok(match budget {
        Some(budget) => player.with_budget(budget.budget()),
        None => player,
    })
}

/// The threads to use: one for each core where nobody says how many.
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
