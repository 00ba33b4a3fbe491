//! Networks that are written in Python: a callable that values positions, as searches want it.
//!
//! Searches run without the GIL, some of them on several threads, so the evaluator attaches to
//! Python itself for every batch. Searches return no errors from an evaluator: what the callable
//! raises is kept, all later positions are answered at once without it, the search is cancelled,
//! and the border raises the error unchanged. Searches side by side ask in another way
//! (`side_by_side`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use numpy::ndarray::ArrayView4;
use numpy::{AllowTypeChange, PyArray4, PyArrayLikeDyn, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use tesuji_core::NetworkForm;
use tesuji_net::{Evaluations, Evaluator, NetError, NetworkSource};
use tesuji_search::{PlayerConfig, ScoreSource};

use crate::arguments::wrong_kind;
use crate::errors::bad_input;

/// How far a value may be beyond 0 or 1: sums of probabilities are not exact.
const TOLERANCE: f32 = 1e-3;

/// A callable that values positions.
pub(crate) struct Callable {
    function: Py<PyAny>,
    /// What it raised, or what was wrong with its answer.
    error: Mutex<Option<PyErr>>,
    has_failed: AtomicBool,
}

impl Callable {
    /// The network of a player with this configuration.
    pub(crate) fn new(function: &Bound<'_, PyAny>, config: &PlayerConfig) -> PyResult<Arc<Callable>> {
        if !function.is_callable() {
            return Err(wrong_kind(function, "a network: a callable that values a batch of positions"));
        }
        if !config.has_network() {
            return Err(bad_input("a network is only for players whose spec has one, such as 'puct+net'"));
        }
        Ok(Arc::new(Callable {
            function: function.clone().unbind(),
            error: Mutex::new(None),
            has_failed: AtomicBool::new(false),
        }))
    }

    pub(crate) fn function(&self) -> &Py<PyAny> {
        &self.function
    }

    /// What asks it about positions of a form, for a player with this configuration.
    pub(crate) fn evaluator(
        self: &Arc<Callable>,
        config: &PlayerConfig,
        form: NetworkForm,
    ) -> CallableEvaluator {
        let wants_move_values = matches!(
            config,
            PlayerConfig::Search(search) if search.score_source() == ScoreSource::MoveValues
        );
        CallableEvaluator { callable: Arc::clone(self), form, wants_move_values }
    }

    /// The configuration with this network, for positions of a form.
    pub(crate) fn config(self: &Arc<Callable>, config: &PlayerConfig, form: NetworkForm) -> PlayerConfig {
        with_evaluator(config, Arc::new(self.evaluator(config, form)))
    }

    /// Set once the callable has failed, so that the search ends.
    pub(crate) fn failure_flag(&self) -> &AtomicBool {
        &self.has_failed
    }

    /// Raises what the callable raised during the last search.
    pub(crate) fn check(&self) -> PyResult<()> {
        let error = self.error.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.has_failed.store(false, Ordering::Relaxed);
        error.map_or(Ok(()), Err)
    }

    /// Whether the callable has failed during this search; the error is kept.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Keeps the first error.
    fn fail(&self, error: PyErr) {
        let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(error);
        self.has_failed.store(true, Ordering::Relaxed);
    }
}

/// The configuration with an evaluator that asks a callable.
pub(crate) fn with_evaluator(config: &PlayerConfig, evaluator: Arc<dyn Evaluator>) -> PlayerConfig {
    config.clone().with_network(NetworkSource::Given { name: "a callable".to_owned(), evaluator })
}

/// A callable for positions of one form.
pub(crate) struct CallableEvaluator {
    callable: Arc<Callable>,
    form: NetworkForm,
    /// Whether the search cannot do without the values of moves.
    wants_move_values: bool,
}

impl CallableEvaluator {
    pub(crate) fn wants_move_values(&self) -> bool {
        self.wants_move_values
    }

    /// Calls the callable with a batch, and reads what it returns.
    pub(crate) fn ask(&self, py: Python<'_>, planes: &[f32], evaluations: &mut Evaluations) -> PyResult<()> {
        let NetworkForm { planes: depth, height, width, n_logits, .. } = self.form;
        let n = planes.len() / self.form.size();
        let batch = ArrayView4::from_shape((n, depth, height, width), planes).map_err(bad_input)?;
        let batch: Bound<'_, PyArray4<f32>> = batch.to_pyarray(py);
        let answer = self.callable.function.bind(py).call1((batch,))?;
        let parts = parts(&answer)?;
        read("logits", &parts[0], &[n, n_logits], &mut evaluations.logits)?;
        read("values", &parts[1], &[n], &mut evaluations.values)?;
        check_rewards("values", &evaluations.values)?;
        evaluations.move_values.clear();
        match parts.get(2).filter(|part| !part.is_none()) {
            Some(part) => {
                read("move values", part, &[n, n_logits], &mut evaluations.move_values)?;
                check_rewards("move values", &evaluations.move_values)
            }
            None if self.wants_move_values => Err(bad_input(
                "the network returned logits and values only, and score=q needs the values of moves too",
            )),
            None => Ok(()),
        }
    }
}

impl Evaluator for CallableEvaluator {
    fn form(&self) -> &NetworkForm {
        &self.form
    }

    fn evaluate(&self, planes: &[f32], evaluations: &mut Evaluations) -> Result<(), NetError> {
        if !self.callable.has_failed() {
            match Python::attach(|py| self.ask(py, planes, evaluations)) {
                Ok(()) => return Ok(()),
                Err(error) => self.callable.fail(error),
            }
        }
        fill_blank(evaluations, &self.form, planes.len() / self.form.size());
        Ok(())
    }

    /// Only an answer can show it; [`ask`](CallableEvaluator::ask) refuses one without them if
    /// they are needed.
    fn has_move_values(&self) -> bool {
        true
    }

    /// Libraries may add up in another order for another size of the batch.
    fn is_exact(&self) -> bool {
        false
    }
}

/// Fills in an answer to `n` positions for a search that is about to end: nobody will see what it found.
pub(crate) fn fill_blank(evaluations: &mut Evaluations, form: &NetworkForm, n: usize) {
    let Evaluations { logits, values, move_values, .. } = evaluations;
    for (numbers, n) in [(logits, n * form.n_logits), (values, n), (move_values, n * form.n_logits)] {
        numbers.clear();
        numbers.resize(n, 0.5);
    }
}

/// The two or three parts of an answer.
fn parts<'py>(answer: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let parts: Option<Vec<Bound<'py, PyAny>>> = match (answer.cast::<PyTuple>(), answer.cast::<PyList>()) {
        (Ok(tuple), _) => Some(tuple.iter().collect()),
        (_, Ok(list)) => Some(list.iter().collect()),
        _ => None,
    };
    let came = match &parts {
        Some(parts) if (2..=3).contains(&parts.len()) => return Ok(parts.clone()),
        Some(parts) => format!("{} of {}", answer.get_type().name()?, parts.len()),
        None => answer.get_type().name()?.to_string(),
    };
    Err(bad_input(format!(
        "a network returns (logits, values) or (logits, values, move_values), and this one returned a {came}"
    )))
}

/// Reads an array of this shape, row by row.
fn read(name: &str, part: &Bound<'_, PyAny>, shape: &[usize], numbers: &mut Vec<f32>) -> PyResult<()> {
    let array: PyArrayLikeDyn<'_, f32, AllowTypeChange> = part.extract().map_err(|error: PyErr| {
        let kind = part.get_type().name().map_or_else(|_| "that".to_owned(), |name| name.to_string());
        let reason = error.value(part.py()).to_string();
        bad_input(format!(
            "the network's {name} are an array of shape {}, and numpy cannot convert its {kind}: {}",
            shape_text(shape),
            tesuji_core::shortened(&reason)
        ))
    })?;
    let array = array.as_array();
    if array.shape() != shape {
        return Err(bad_input(format!(
            "the network's {name} are an array of shape {}, and this one has shape {}",
            shape_text(shape),
            shape_text(array.shape())
        )));
    }
    numbers.clear();
    match array.as_slice() {
        Some(slice) => numbers.extend_from_slice(slice),
        None => numbers.extend(array.iter()),
    }
    match numbers.iter().any(|number| number.is_nan()) {
        true => Err(bad_input(format!("the network's {name} are numbers, and one of them is nan"))),
        false => Ok(()),
    }
}

/// Rewards are from 0 to 1: networks with values from -1 to 1 are common elsewhere.
fn check_rewards(name: &str, rewards: &[f32]) -> PyResult<()> {
    match rewards.iter().find(|reward| !(-TOLERANCE..=1.0 + TOLERANCE).contains(*reward)) {
        Some(wrong) => Err(bad_input(format!(
            "the network's {name} are expected rewards of the side to move, from 0 to 1, and one of them is {wrong}"
        ))),
        None => Ok(()),
    }
}

/// A shape as Python writes it.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    match &sizes[..] {
        [one] => format!("({one},)"),
        _ => format!("({})", sizes.join(", ")),
    }
}

/// A form as it is pickled: encoding, planes, height, width, logits.
type FormState = (String, usize, usize, usize, usize);

/// How networks see the positions of a game, and number its moves.
///
/// Networks belong to one form: a file for another game, size or version of the encoding is refused.
#[pyclass(name = "NetworkForm", frozen, eq, hash, get_all, module = "tesuji")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Form {
    /// The name and the version of the encoding, such as ``'hex/1'``.
    encoding: String,
    /// The number of planes.
    planes: usize,
    /// The number of rows of a plane.
    height: usize,
    /// The number of cells of a row.
    width: usize,
    /// The number of logits. The number of every move is below it.
    n_logits: usize,
}

impl From<NetworkForm> for Form {
    fn from(form: NetworkForm) -> Form {
        let NetworkForm { encoding, planes, height, width, n_logits } = form;
        Form { encoding, planes, height, width, n_logits }
    }
}

#[pymethods]
impl Form {
    fn __repr__(&self) -> String {
        let Form { encoding, planes, height, width, n_logits } = self;
        format!(
            "<NetworkForm: {encoding}, {planes} planes of {height} rows and {width} columns, {n_logits} logits>"
        )
    }

    #[staticmethod]
    fn _of(encoding: String, planes: usize, height: usize, width: usize, n_logits: usize) -> Form {
        Form { encoding, planes, height, width, n_logits }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, FormState)> {
        let Form { encoding, planes, height, width, n_logits } = slf.get();
        let state = (encoding.clone(), *planes, *height, *width, *n_logits);
        Ok((slf.get_type().getattr("_of")?, state))
    }
}
