//! Sides and outcomes in words: `black`, `white`, `draw`.

use pyo3::PyResult;
use tesuji_core::{Outcome, Side};

use crate::errors::bad_input;

/// A side as Python writes it.
pub(crate) const fn side_word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

/// The inverse of [`side_word`].
pub(crate) fn side(word: &str) -> PyResult<Side> {
    match word {
        "black" => Ok(Side::Black),
        "white" => Ok(Side::White),
        _ => Err(bad_input(format!("'{}' is not a side: black, white", tesuji_core::shortened(word)))),
    }
}

/// How a game ended, as Python writes it: the winner, or `draw`.
pub(crate) const fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(side) => side_word(side),
        Outcome::Draw => "draw",
    }
}
