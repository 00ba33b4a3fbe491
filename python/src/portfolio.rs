//! Matrix games and portfolios: which seeds shall be played, how often.

use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLikeDyn, PyArrayMethods};
use pyo3::prelude::*;
use tesuji_portfolio::{Evaluation, Matrix, Method, Rates};

use crate::arguments::{self, SeedArgument, whole, whole_or_none};
use crate::columns::Columns;
use crate::errors::bad_input;
use crate::interrupt::interruptible;

/// A matrix game: whatever numpy can make an array of two dimensions of.
pub(crate) fn matrix(object: &Bound<'_, PyAny>) -> PyResult<Matrix> {
    let array: PyArrayLikeDyn<'_, f64, AllowTypeChange> = object.extract()?;
    let array = array.as_array();
    let &[rows, columns] = array.shape() else {
        return Err(bad_input(format!("a matrix has 2 dimensions, not {}", array.ndim())));
    };
    Matrix::new(rows, columns, array.iter().copied().collect()).map_err(bad_input)
}

/// A matrix as numpy has it.
pub(crate) fn matrix_array<'py>(py: Python<'py>, matrix: &Matrix) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_slice(py, matrix.entries()).reshape([matrix.rows(), matrix.columns()])
}

/// Mixtures of both sides from which neither has a reason to turn.
#[pyclass(frozen, module = "tesuji.portfolio")]
pub(crate) struct Equilibrium(tesuji_portfolio::Equilibrium);

#[pymethods]
impl Equilibrium {
    /// Black's reward, within half the gap of the true value of the game.
    #[getter]
    fn value(&self) -> f64 {
        self.0.value
    }

    /// Black's probability of each row.
    #[getter]
    fn black<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.black)
    }

    /// White's probability of each column.
    #[getter]
    fn white<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.white)
    }

    /// What both sides together could gain by best answers, computed from the mixtures and the
    /// matrix alone: it certifies them.
    #[getter]
    fn gap(&self) -> f64 {
        self.0.gap
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = (self.0.black.len(), self.0.white.len());
        format!("<Equilibrium of {rows} x {columns}: value {:.4}, gap {:.1e}>", self.0.value, self.0.gap)
    }
}

/// The probability of each seed, for both colours.
#[pyclass(frozen, module = "tesuji.portfolio")]
pub(crate) struct Portfolio(tesuji_portfolio::Portfolio);

impl Portfolio {
    /// The matrix, where it has a row and a column for each weight.
    fn of_size(&self, object: &Bound<'_, PyAny>) -> PyResult<Matrix> {
        let matrix = matrix(object)?;
        let (given, wanted) = ((matrix.rows(), matrix.columns()), (self.0.black.len(), self.0.white.len()));
        if given == wanted {
            return Ok(matrix);
        }
        let text = |(rows, columns)| format!("{rows} x {columns}");
        Err(bad_input(format!("the matrix is of {}, and the portfolio of {}", text(given), text(wanted))))
    }
}

#[pymethods]
impl Portfolio {
    /// Black's probability of each row.
    #[getter]
    fn black<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.black)
    }

    /// White's probability of each column.
    #[getter]
    fn white<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.white)
    }

    /// The mean of its win rates as Black and as White against all seeds of a matrix alike.
    fn rate(&self, matrix: &Bound<'_, PyAny>) -> PyResult<f64> {
        Ok(self.0.rate(&self.of_size(matrix)?))
    }

    /// The same against the best answer to each of its mixtures.
    fn worst_rate(&self, matrix: &Bound<'_, PyAny>) -> PyResult<f64> {
        Ok(self.0.worst_rate(&self.of_size(matrix)?))
    }

    fn __repr__(&self) -> String {
        let used = |weights: &[f64]| weights.iter().filter(|weight| **weight > 0.0).count();
        let (black, white) = (&self.0.black, &self.0.white);
        format!(
            "<Portfolio: {} of {} seeds for Black, {} of {} for White>",
            used(black),
            black.len(),
            used(white),
            white.len()
        )
    }
}

/// An equilibrium of a matrix game, exact up to rounding, with its certificate. Rows are
/// Black's choices, columns White's, and an entry is Black's reward, from 0 to 1.
///
/// >>> rock_paper_scissors = [[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]
/// >>> equilibrium = solve(rock_paper_scissors)
/// >>> round(equilibrium.value, 9), equilibrium.black.round(3).tolist()
/// (0.5, [0.333, 0.333, 0.333])
/// >>> equilibrium.gap < 1e-9
/// True
#[pyfunction]
#[pyo3(signature = (matrix))]
pub(crate) fn solve(py: Python<'_>, matrix: &Bound<'_, PyAny>) -> PyResult<Equilibrium> {
    let matrix = self::matrix(matrix)?;
    Ok(Equilibrium(py.detach(|| tesuji_portfolio::solve(&matrix))))
}

/// Makes a portfolio of a matrix of games: ``nash``, ``sparse-nash(ALPHA)``, ``best-seed``,
/// ``uniform`` or ``baseline``. The seed is for the choice among equals.
///
/// >>> portfolio = learn([[1, 0, 1], [0, 1, 1], [0, 0, 0]], "best-seed", seed=3)
/// >>> portfolio.black.tolist()[2], sorted(portfolio.black.tolist())
/// (0.0, [0.0, 0.0, 1.0])
#[pyfunction]
#[pyo3(
    signature = (matrix, method = "nash", *, seed = SeedArgument::Number(1)),
    text_signature = "(matrix, method='nash', *, seed=1)"
)]
pub(crate) fn learn(
    py: Python<'_>,
    matrix: &Bound<'_, PyAny>,
    method: &str,
    seed: SeedArgument,
) -> PyResult<Portfolio> {
    let matrix = self::matrix(matrix)?;
    let method: Method = method.parse().map_err(bad_input)?;
    let mut rng = seed.seed()?.child("ties").rng();
    Ok(Portfolio(py.detach(|| method.learn(&matrix, &mut rng))))
}

/// How portfolios fare against seeds that they were not made from, as ``tesuji portfolio test``
/// measures it.
///
/// Again and again, ``training`` rows and columns are drawn to learn from (19 of 20 where it is
/// not said, fewer where the opponent needs more), and an opponent chooses the best of
/// ``opponents`` others. Without ``methods``, they are those of the paper's Table I.
///
/// The result is a structured array with a row for each method and number of opponent's seeds:
/// ``method``, ``training``, ``training_rate`` (against the seeds learnt from) and its ``training_se``,
/// ``opponents``, ``rate`` (against the best of these) and its ``rate_se``. Rates are means of both
/// colours. Equal seeds give equal numbers, on any number of threads.
///
/// >>> import numpy as np
/// >>> games = np.random.default_rng(1).integers(0, 2, (30, 30))
/// >>> table = evaluate(games, ["best-seed", "nash"], opponents=[1, 4], repetitions=20)
/// >>> table[["method", "training", "opponents"]].tolist()
/// [('best-seed', 26, 1), ('best-seed', 26, 4), ('nash', 26, 1), ('nash', 26, 4)]
#[pyfunction]
#[pyo3(
    signature = (
        matrix, methods = None, *, training = None, opponents = vec![1, 2, 4, 8, 16], repetitions = 1000,
        seed = SeedArgument::Number(1), threads = None
    ),
    text_signature = "(matrix, methods=None, *, training=None, opponents=(1, 2, 4, 8, 16), repetitions=1000, seed=1, \
                      threads=None)"
)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    matrix: &Bound<'py, PyAny>,
    methods: Option<Vec<String>>,
    #[pyo3(from_py_with = whole_or_none)] training: Option<usize>,
    opponents: Vec<usize>,
    #[pyo3(from_py_with = whole)] repetitions: u64,
    seed: SeedArgument,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let matrix = self::matrix(matrix)?;
    let methods = match methods {
        Some(texts) => texts.iter().map(|text| text.parse().map_err(bad_input)).collect::<PyResult<_>>()?,
        None => Method::TABLE.to_vec(),
    };
    let most = opponents.iter().copied().max().unwrap_or(1);
    let seeds = matrix.rows().min(matrix.columns());
    let evaluation = Evaluation {
        methods,
        training: training.unwrap_or_else(|| Evaluation::usual_training(seeds, most)),
        opponent_seeds: opponents,
        repetitions,
        seed: seed.seed()?.child("test"),
        threads: arguments::threads(threads)?,
    };
    let rates = interruptible(py, |cancel| evaluation.run_unless(&matrix, cancel))?.map_err(bad_input)?;
    rates_array(py, &rates.unwrap_or_default())
}

fn rates_array<'py>(py: Python<'py>, rates: &[Rates]) -> PyResult<Bound<'py, PyAny>> {
    let lines: Vec<_> =
        rates.iter().flat_map(|rates| rates.held_out.iter().map(move |held_out| (rates, held_out))).collect();
    Columns::new(py)
        .texts("method", lines.iter().map(|(rates, _)| rates.method.to_string()))?
        .column("training", "i8", lines.iter().map(|(rates, _)| rates.training))?
        .column("training_rate", "f8", lines.iter().map(|(rates, _)| rates.training_rate.mean))?
        .column("training_se", "f8", lines.iter().map(|(rates, _)| rates.training_rate.standard_error))?
        .column("opponents", "i8", lines.iter().map(|(_, (seeds, _))| *seeds))?
        .column("rate", "f8", lines.iter().map(|(_, (_, rate))| rate.mean))?
        .column("rate_se", "f8", lines.iter().map(|(_, (_, rate))| rate.standard_error))?
        .array()
}
