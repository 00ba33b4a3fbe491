//! Arguments that several functions have: seeds, budgets, threads, numbers.

use numpy::{AllowTypeChange, PyArrayLikeDyn};
use pyo3::prelude::*;
use pyo3::types::PyFloat;
use tesuji_catalog::{BudgetSpec, PlayerSpec};
use tesuji_core::Seed;

use crate::errors::bad_input;

/// A seed: a whole number, or the 32 digits of an address.
#[derive(FromPyObject)]
pub(crate) enum SeedArgument {
    Number(u64),
    Text(String),
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
#[derive(FromPyObject)]
pub(crate) enum BudgetArgument {
    Samples(i128),
    Text(String),
}

impl BudgetArgument {
    pub(crate) fn budget(&self) -> PyResult<BudgetSpec> {
        let text = match self {
            BudgetArgument::Samples(samples) => &samples.to_string(),
            BudgetArgument::Text(text) => text,
        };
        text.parse().map_err(bad_input)
    }
}

/// The player of a spec, with this budget if there is one.
pub(crate) fn player(spec: &str, budget: Option<&BudgetArgument>) -> PyResult<PlayerSpec> {
    let player: PlayerSpec = spec.parse().map_err(bad_input)?;
    Ok(match budget {
        Some(budget) => player.with_budget(budget.budget()?),
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
