//! What networks want to know of a game that is written in Python: its planes, and its moves' numbers
//! among the logits.

use numpy::{AllowTypeChange, PyArrayLikeDyn};
use pyo3::intern;
use pyo3::prelude::*;
use tesuji_core::NetworkForm;

use crate::errors::bad_input;
use crate::network::shape_text;

/// The most logits that a network may have.
const MOST_LOGITS: usize = 1 << 20;

/// How networks see the positions of a game, by one of them.
pub(crate) fn form_of(position: &Bound<'_, PyAny>) -> PyResult<NetworkForm> {
    let class = position.get_type().name()?;
    for name in ["network_planes", "logit", "n_logits"] {
        if !position.hasattr(name)? {
            return Err(bad_input(format!(
                "networks cannot see {class}: that needs network_planes(), logit(move) and n_logits, and {name} is \
                 missing"
            )));
        }
    }
    let n_logits = position.getattr(intern!(position.py(), "n_logits"))?;
    let n_logits = crate::arguments::whole::<usize>(&n_logits).ok().filter(|n| (1..=MOST_LOGITS).contains(n));
    let n_logits = n_logits
        .ok_or_else(|| bad_input(format!("n_logits of a game is a whole number from 1 to {MOST_LOGITS}")))?;
    let planes = planes_of(position)?;
    match *planes.as_array().shape() {
        [planes, height, width] if planes * height * width > 0 => {
            Ok(NetworkForm { encoding: class.to_string(), planes, height, width, n_logits })
        }
        ref shape => Err(bad_input(format!(
            "network_planes() of a game is an array of shape (planes, height, width), and this one has shape {}",
            shape_text(shape)
        ))),
    }
}

/// What `network_planes()` returns, as an array.
fn planes_of<'py>(position: &Bound<'py, PyAny>) -> PyResult<PyArrayLikeDyn<'py, f32, AllowTypeChange>> {
    let planes = position.call_method0(intern!(position.py(), "network_planes"))?;
    planes.extract().map_err(|_: PyErr| {
        let kind = planes.get_type().name().map_or_else(|_| "that".to_owned(), |name| name.to_string());
        bad_input(format!(
            "network_planes() of a game is an array of shape (planes, height, width), and numpy cannot convert this {kind}"
        ))
    })
}

/// Writes a position as networks see it.
pub(crate) fn write_planes_of(
    position: &Bound<'_, PyAny>,
    form: &NetworkForm,
    written: &mut [f32],
) -> PyResult<()> {
    position.py().check_signals()?;
    let planes = planes_of(position)?;
    let (planes, wanted) = (planes.as_array(), [form.planes, form.height, form.width]);
    if planes.shape() != wanted {
        return Err(bad_input(format!(
            "network_planes() of all positions of a game have one shape, and one has {} and another {}",
            shape_text(&wanted),
            shape_text(planes.shape())
        )));
    }
    written.iter_mut().zip(planes.iter()).for_each(|(written, &number)| *written = number);
    Ok(())
}

/// The number of a move among the logits.
pub(crate) fn logit_of(position: &Bound<'_, PyAny>, mv: Py<PyAny>, n_logits: usize) -> PyResult<usize> {
    let logit = position.call_method1(intern!(position.py(), "logit"), (mv,))?;
    crate::arguments::whole::<usize>(&logit).ok().filter(|&logit| logit < n_logits).ok_or_else(|| {
        let came = logit.repr().map_or_else(|_| "that".to_owned(), |text| text.to_string());
        bad_input(format!(
            "logit(move) of a game is a whole number below n_logits, which is {n_logits}, not {}",
            tesuji_core::shortened(&came)
        ))
    })
}
