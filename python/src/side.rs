//! Sides in words: `black`, `white`.

use pyo3::PyResult;
use tesuji_core::Side;

use crate::errors::bad_input;

/// The side of a [word](Side::word).
pub(crate) fn side(word: &str) -> PyResult<Side> {
    match word {
        "black" => Ok(Side::Black),
        "white" => Ok(Side::White),
        _ => Err(bad_input(format!("'{}' is not a side: black, white", tesuji_core::shortened(word)))),
    }
}
