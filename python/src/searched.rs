//! Positions as searches and counts take them: of a built-in game, or of one that is written in Python.

use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments::{GameArgument, whole, wrong_kind};
use crate::game::Game;
use crate::position::Position;
use crate::progress::ProgressArgument;

/// What can be searched: a position of a built-in game, or of a game that is written in Python.
pub(crate) enum SearchedPosition<'py> {
    BuiltIn(Bound<'py, Position>),
    Own(Bound<'py, PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for SearchedPosition<'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<SearchedPosition<'py>> {
        if let Ok(position) = value.cast::<Position>() {
            return Ok(SearchedPosition::BuiltIn(position.to_owned()));
        }
        if value.is_instance_of::<PyString>() || value.is_instance_of::<Game>() {
            let start = Position::start(&value.extract::<GameArgument>()?.spec()?)?;
            return Ok(SearchedPosition::BuiltIn(Bound::new(value.py(), start)?));
        }
        Ok(SearchedPosition::Own(value.to_owned()))
    }
}

/// Count the sequences of legal moves.
///
/// Parameters
/// ----------
/// position : Position, Game or str
///     A position; or a game or its spec, such as ``"hex:5"``, whose start is counted.
/// depth : int
///     The number of moves in a sequence.
/// progress : bool or callable, optional
///     ``True`` shows a line on standard error. A function is called now and then with the number of
///     first moves that are counted, and the number of all first moves.
///
/// Returns
/// -------
/// int
///     How many sequences of exactly ``depth`` moves there are.
///
/// Raises
/// ------
/// ValueError
///     If there is no such game.
/// KeyboardInterrupt
///     If you press Ctrl-C.
///
/// Examples
/// --------
/// >>> perft("breakthrough", 3)
/// 11132
#[pyfunction]
#[pyo3(
    signature = (position, depth, *, progress = ProgressArgument::Nobody),
    text_signature = "(position, depth, *, progress=None)"
)]
pub(crate) fn perft(
    py: Python<'_>,
    position: SearchedPosition<'_>,
    #[pyo3(from_py_with = whole)] depth: u32,
    progress: ProgressArgument,
) -> PyResult<u64> {
    match position {
        SearchedPosition::BuiltIn(position) => position.get().perft(py, depth, progress),
        SearchedPosition::Own(other) => {
            Err(wrong_kind(&other, "a Position, a Game, or its spec such as 'go:9'"))
        }
    }
}
