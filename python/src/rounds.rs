//! Rounds of halving as a table.

use pyo3::prelude::*;
use tesuji_core::{Ranked, Round};

use crate::columns::Columns;

/// A row for each arm of each round, best first. Rounds count from 1. `named` adds a column with the arms' names,
/// if they have names.
pub(crate) fn rounds_array<'py>(
    py: Python<'py>,
    rounds: &[Round],
    named: impl FnOnce(Columns<'py>, Vec<usize>) -> PyResult<Columns<'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let places: Vec<(usize, &Round, usize, &Ranked)> = rounds
        .iter()
        .enumerate()
        .flat_map(|(index, round)| {
            round.ranking.iter().enumerate().map(move |(place, ranked)| (index, round, place, ranked))
        })
        .collect();
    let number = |value: fn(&Ranked) -> f64| places.iter().map(move |(.., ranked)| Some(value(ranked)));
    let columns = Columns::new(py)
        .column("round", "u4", places.iter().map(|(index, ..)| index + 1))?
        .column("arm", "u4", places.iter().map(|(.., ranked)| ranked.arm))?;
    named(columns, places.iter().map(|(.., ranked)| ranked.arm).collect())?
        .column("samples_each", "u8", places.iter().map(|(_, round, ..)| round.samples_each))?
        .numbers("q", number(|ranked| ranked.q))?
        .numbers("mean", number(|ranked| ranked.mean))?
        .numbers("bonus", number(|ranked| ranked.bonus))?
        .column("kept", "?", places.iter().map(|(_, round, place, _)| *place < round.kept))?
        .array()
}
