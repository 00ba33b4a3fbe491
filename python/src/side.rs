//! Sides and outcomes in words: `black`, `white`, `draw`.

use pyo3::PyResult;
use tesuji_core::{Outcome, Side};

use crate::errors::bad_input;

/// The side of a [word](Side::word).
pub(crate) fn side(word: &str) -> PyResult<Side> {
    match word {
        "black" => Ok(Side::Black),
        "white" => Ok(Side::White),
        _ => Err(bad_input(format!("'{}' is not a side: black, white", tesuji_core::shortened(word)))),
    }
}

/// The outcome of a [word](Outcome::word).
pub(crate) fn outcome_of(word: &str) -> Option<Outcome> {
    match word {
        "black" => Some(Outcome::Win(Side::Black)),
        "white" => Some(Outcome::Win(Side::White)),
        "draw" => Some(Outcome::Draw),
        _ => None,
    }
}
