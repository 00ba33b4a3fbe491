//! What the referee answers to a move that was tried.

use pyo3::prelude::*;

use crate::position::Position;

/// The referee's answer to a move that ``Position.attempt`` tried. It can be pickled and compared.
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Attempt {
    /// The position afterwards. If the move was refused, the same side is to move again.
    #[pyo3(get)]
    pub(crate) position: Py<Position>,
    /// Whether the move was played. If not, the referee refused it.
    #[pyo3(get)]
    pub(crate) accepted: bool,
    /// What the referee announces to both sides; ``None`` if there is nothing to announce.
    #[pyo3(get)]
    pub(crate) announcement: Option<String>,
}

#[pymethods]
impl Attempt {
    fn __repr__(&self) -> String {
        match (self.accepted, &self.announcement) {
            (false, _) => "<Attempt: refused>".to_owned(),
            (true, None) => "<Attempt: accepted>".to_owned(),
            (true, Some(announcement)) => format!("<Attempt: accepted, {announcement}>"),
        }
    }

    fn __eq__(&self, other: &Attempt) -> bool {
        self.accepted == other.accepted
            && self.announcement == other.announcement
            && self.position.get().key() == other.position.get().key()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, AttemptState)> {
        let Attempt { position, accepted, announcement } = slf.get();
        let state = (position.clone_ref(slf.py()), *accepted, announcement.clone());
        Ok((slf.get_type().getattr("_of")?, state))
    }

    /// Make an attempt again from its pickle.
    #[staticmethod]
    fn _of(position: Py<Position>, accepted: bool, announcement: Option<String>) -> Attempt {
        Attempt { position, accepted, announcement }
    }
}

/// An attempt as it is pickled.
type AttemptState = (Py<Position>, bool, Option<String>);
