//! Why a search ended early: `tesuji.Stop` in Python, the same fields as in JSON.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tesuji_core::Stop;
use tesuji_search::SearchStop;

use crate::errors::bad_input;
use crate::side::outcome_of;

/// The stop as an object of Python.
pub(crate) fn stop_object<'py>(py: Python<'py>, stop: SearchStop) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(&stop).map_err(bad_input)?;
    let fields = py.import("json")?.call_method1("loads", (text,))?;
    let class = py.import("tesuji.results")?.getattr("Stop")?;
    class.call((), Some(fields.cast::<PyDict>()?))
}

/// Reads the stop from an object of Python.
pub(crate) fn read_stop(stop: &Bound<'_, PyAny>) -> PyResult<SearchStop> {
    let number = |name: &str| stop.getattr(name)?.extract::<f64>();
    let reason: String = stop.getattr("reason")?.extract()?;
    Ok(match reason.as_str() {
        "one_arm" => SearchStop::Allocator(Stop::OneArm),
        "not_worth_it" => {
            SearchStop::Allocator(Stop::NotWorthIt { value: number("value")?, cost: number("cost")? })
        }
        "certain" => SearchStop::Allocator(Stop::Certain),
        "floors" => SearchStop::Allocator(Stop::Floors),
        "one_move" => SearchStop::OneMove,
        "proved" => {
            let word: String = stop.getattr("outcome")?.extract()?;
            SearchStop::Proved(outcome_of(&word).ok_or_else(|| bad_input("there is no such outcome"))?)
        }
        "cancelled" => SearchStop::Cancelled,
        "time" => SearchStop::Time,
        "sure" => SearchStop::Sure { confidence: number("confidence")? },
        _ => return Err(bad_input(format!("'{reason}' is not a reason to stop"))),
    })
}
