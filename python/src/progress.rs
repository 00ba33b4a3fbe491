//! Progress of long calls: the working thread counts, and the caller's thread shows it to Python.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::PyBool;
use tesuji_arena::Completion;

use crate::arguments::wrong_kind;

/// Where progress is shown: nowhere, in a line on standard error, or by a function.
#[derive(Default)]
pub(crate) enum ProgressArgument {
    #[default]
    Nobody,
    Line,
    Function(Py<PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for ProgressArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<ProgressArgument> {
        if value.is_none() {
            return Ok(ProgressArgument::Nobody);
        }
        match value.cast::<PyBool>() {
            Ok(flag) if flag.is_true() => Ok(ProgressArgument::Line),
            Ok(_) => Ok(ProgressArgument::Nobody),
            Err(_) if value.is_callable() => Ok(ProgressArgument::Function(value.to_owned().unbind())),
            Err(_) => Err(wrong_kind(&value, "True, False, or a function of what is done and the total")),
        }
    }
}

impl ProgressArgument {
    /// The meter of a call that counts these things, such as `games`.
    pub(crate) fn meter(self, py: Python<'_>, unit: &str) -> PyResult<Meter> {
        let function = match self {
            ProgressArgument::Nobody => None,
            ProgressArgument::Line => {
                let line = py.import("tesuji.progress")?.getattr("ProgressLine")?.call1((unit,))?;
                Some(line.unbind())
            }
            ProgressArgument::Function(function) => Some(function),
        };
        Ok(Meter { function, ..Meter::default() })
    }
}

/// No number yet, or none that is known.
const UNKNOWN: u64 = u64::MAX;

/// How far along a call is.
pub(crate) struct Meter {
    function: Option<Py<PyAny>>,
    /// What was done when the call began.
    first: AtomicU64,
    done: AtomicU64,
    total: AtomicU64,
    /// The last arguments of the function: done and total.
    last: Mutex<Option<(u64, u64)>>,
}

impl Default for Meter {
    fn default() -> Meter {
        let unknown = || AtomicU64::new(UNKNOWN);
        Meter { function: None, first: unknown(), done: unknown(), total: unknown(), last: Mutex::new(None) }
    }
}

impl Meter {
    /// Whether there is a function to call.
    pub(crate) fn is_watched(&self) -> bool {
        self.function.is_some()
    }

    pub(crate) fn set(&self, Completion { done, wanted }: Completion) {
        let _ = self.first.compare_exchange(UNKNOWN, done, Ordering::Relaxed, Ordering::Relaxed);
        self.total.store(wanted, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    /// Progress of work whose length is unknown.
    pub(crate) fn set_done(&self, done: u64) {
        self.set(Completion { done, wanted: UNKNOWN });
    }

    /// The work is done, and this is all of it.
    pub(crate) fn finish(&self, total: u64) {
        self.set(Completion { done: total, wanted: total });
    }

    /// The work is done, all of the total that was known.
    pub(crate) fn finish_all(&self) {
        self.done.store(self.total.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Calls the function if there is something new.
    pub(crate) fn tell(&self, py: Python<'_>) -> PyResult<()> {
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        let Some(function) = self.function.as_ref().filter(|_| done != UNKNOWN) else { return Ok(()) };
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).replace((done, total));
        let known = (total != UNKNOWN).then_some(total);
        let first = self.first.load(Ordering::Relaxed);
        if last.is_none() && first < done {
            function.call1(py, (first, known))?;
        }
        if last != Some((done, total)) {
            function.call1(py, (done, known))?;
        }
        Ok(())
    }
}
