//! Errors as Python has them: the same sentences as on the command line.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

/// Bad input: a `ValueError` with the error's sentence.
pub(crate) fn bad_input(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
