//! Matrix games and portfolios: how often each seed is played.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLikeDyn, PyArrayMethods};
use pyo3::prelude::*;
use tesuji_arena::Completion;
use tesuji_portfolio::{Evaluation, Matrix, Method, Rates};

use crate::arguments::{self, SeedArgument, numbers, whole, whole_or_none, wholes};
use crate::columns::Columns;
use crate::errors::bad_input;
use crate::interrupt::interruptible_telling;
use crate::progress::ProgressArgument;

/// A matrix game: anything that numpy can turn into an array of two dimensions.
pub(crate) fn matrix(object: &Bound<'_, PyAny>) -> PyResult<Matrix> {
    let array: PyArrayLikeDyn<'_, f64, AllowTypeChange> = object.extract()?;
    let array = array.as_array();
    let &[rows, columns] = array.shape() else {
        return Err(bad_input(format!("a matrix has 2 dimensions, not {}", array.ndim())));
    };
    Matrix::new(rows, columns, array.iter().copied().collect()).map_err(bad_input)
}

/// A matrix as an array of numpy.
pub(crate) fn matrix_array<'py>(py: Python<'py>, matrix: &Matrix) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_slice(py, matrix.entries()).reshape([matrix.rows(), matrix.columns()])
}

/// An equilibrium of a matrix game: neither side gains by playing otherwise.
///
/// It can be pickled and compared.
#[pyclass(frozen, eq, module = "tesuji.portfolio")]
#[derive(PartialEq)]
pub(crate) struct Equilibrium(tesuji_portfolio::Equilibrium);

#[pymethods]
impl Equilibrium {
    /// Black's reward. It differs from the true value of the game by at most half of ``gap``.
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

    /// The certificate: how much both sides together could gain by their best answers. It is computed
    /// only from the probabilities and the matrix.
    #[getter]
    fn gap(&self) -> f64 {
        self.0.gap
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = (self.0.black.len(), self.0.white.len());
        format!("<Equilibrium of {rows} x {columns}: value {:.4}, gap {:.1e}>", self.0.value, self.0.gap)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, EquilibriumState)> {
        let tesuji_portfolio::Equilibrium { value, black, white, gap } = slf.get().0.clone();
        Ok((slf.get_type().getattr("_of")?, (value, black, white, gap)))
    }

    /// Make an equilibrium again from its pickle.
    #[staticmethod]
    fn _of(value: f64, black: Vec<f64>, white: Vec<f64>, gap: f64) -> Equilibrium {
        Equilibrium(tesuji_portfolio::Equilibrium { value, black, white, gap })
    }
}

/// An equilibrium as it is pickled.
type EquilibriumState = (f64, Vec<f64>, Vec<f64>, f64);

/// The probability of each seed, for both colours.
///
/// ``learn`` makes one. It can be pickled and compared.
///
/// Parameters
/// ----------
/// black : array of float
///     Black's probability of each row; their sum is 1.
/// white : array of float
///     White's probability of each column; their sum is 1.
///
/// Raises
/// ------
/// ValueError
///     If these are not probabilities.
///
/// Examples
/// --------
/// >>> Portfolio([0.5, 0.5], [1.0, 0.0]).rate([[1, 0], [0, 1]])
/// 0.5
#[pyclass(frozen, eq, module = "tesuji.portfolio")]
#[derive(PartialEq)]
pub(crate) struct Portfolio(pub(crate) tesuji_portfolio::Portfolio);

/// Numbers that are probabilities.
fn probabilities(side: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let weights = numbers(object)?;
    let sum: f64 = weights.iter().sum();
    if weights.iter().all(|weight| *weight >= 0.0) && (sum - 1.0).abs() < 1e-6 {
        return Ok(weights);
    }
    Err(bad_input(format!("{side}'s probabilities are not negative and their sum is 1, not {sum}")))
}

/// An exploitability that may be asked for.
pub(crate) fn checked_exploitability(share: f64) -> PyResult<f64> {
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    Err(bad_input(format!("exploitability is from 0 to 1, not {share}")))
}

/// Solves with progress; Ctrl-C breaks it off.
fn watched<T: Send>(
    py: Python<'_>,
    progress: ProgressArgument,
    solve: impl FnOnce(&mut dyn FnMut(u64) -> ControlFlow<()>) -> Option<T> + Send,
) -> PyResult<T> {
    let meter = progress.meter(py, "pivots")?;
    let work = |cancel: &AtomicBool| {
        let mut pivots = 0;
        let solved = solve(&mut |pivot| {
            pivots = pivot;
            meter.set_done(pivot);
            if cancel.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        meter.finish(pivots);
        solved
    };
    let solved = interruptible_telling(py, work, |py| meter.tell(py))?;
    Ok(solved.expect("what breaks off raises"))
}

/// Solves a matrix game with progress; Ctrl-C breaks it off.
pub(crate) fn solved(
    py: Python<'_>,
    matrix: &Matrix,
    progress: ProgressArgument,
) -> PyResult<tesuji_portfolio::Equilibrium> {
    watched(py, progress, |watch| tesuji_portfolio::solve_watched(matrix, watch))
}

impl Portfolio {
    /// The matrix, if it has a row and a column for each weight.
    fn of_size(&self, object: &Bound<'_, PyAny>) -> PyResult<Matrix> {
        let matrix = matrix(object)?;
        let (given, wanted) = ((matrix.rows(), matrix.columns()), (self.0.black.len(), self.0.white.len()));
        if given == wanted {
            return Ok(matrix);
        }
        let text = |(rows, columns)| format!("{rows} x {columns}");
        Err(bad_input(format!(
            "the matrix is {}, but the portfolio is for a matrix of {}",
            text(given),
            text(wanted)
        )))
    }
}

#[pymethods]
impl Portfolio {
    #[new]
    fn new(black: &Bound<'_, PyAny>, white: &Bound<'_, PyAny>) -> PyResult<Portfolio> {
        let (black, white) = (probabilities("Black", black)?, probabilities("White", white)?);
        Ok(Portfolio(tesuji_portfolio::Portfolio { black, white }))
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

    /// Return the win rate against the average seed of a matrix.
    ///
    /// Parameters
    /// ----------
    /// matrix : array of float
    ///     Black's rewards: a row for each of Black's choices, a column for each of White's.
    ///
    /// Returns
    /// -------
    /// float
    ///     The mean of the win rates as Black and as White.
    fn rate(&self, matrix: &Bound<'_, PyAny>) -> PyResult<f64> {
        Ok(self.0.rate(&self.of_size(matrix)?))
    }

    /// Return the win rate against the best answers of a matrix.
    ///
    /// Parameters
    /// ----------
    /// matrix : array of float
    ///     Black's rewards: a row for each of Black's choices, a column for each of White's.
    ///
    /// Returns
    /// -------
    /// float
    ///     The mean of the win rates as Black and as White, each against the best answer.
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (Vec<f64>, Vec<f64>)) {
        let tesuji_portfolio::Portfolio { black, white } = slf.get().0.clone();
        (slf.get_type().into_any(), (black, white))
    }
}

/// Solve a matrix game: find an equilibrium, exact up to rounding, with its certificate.
///
/// Parameters
/// ----------
/// matrix : array of float
///     Black's rewards, from 0 to 1: a row for each of Black's choices, a column for each of
///     White's.
/// progress : bool or callable, optional
///     ``True`` shows a line on standard error. A function is called now and then with the number of
///     pivots so far, and ``None``: the total is unknown.
///
/// Returns
/// -------
/// Equilibrium
///     The probabilities of both sides, the value and the gap.
///
/// Raises
/// ------
/// ValueError
///     If it is not a matrix of rewards.
/// KeyboardInterrupt
///     If you press Ctrl-C.
///
/// Examples
/// --------
/// >>> rock_paper_scissors = [[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]
/// >>> equilibrium = solve(rock_paper_scissors)
/// >>> round(equilibrium.value, 9), equilibrium.black.round(3).tolist()
/// (0.5, [0.333, 0.333, 0.333])
/// >>> equilibrium.gap < 1e-9
/// True
#[pyfunction]
#[pyo3(signature = (matrix, *, progress = ProgressArgument::Nobody), text_signature = "(matrix, *, progress=None)")]
pub(crate) fn solve(
    py: Python<'_>,
    matrix: &Bound<'_, PyAny>,
    progress: ProgressArgument,
) -> PyResult<Equilibrium> {
    Ok(Equilibrium(solved(py, &self::matrix(matrix)?, progress)?))
}

/// Make a portfolio from a matrix of games.
///
/// Parameters
/// ----------
/// matrix : array of float
///     Black's rewards, from 0 to 1: a row for each of Black's seeds, a column for each of White's.
/// method : str, default: 'nash'
///     ``"nash"``, ``"sparse-nash(ALPHA)"``, ``"best-seed"``, ``"uniform"`` or ``"baseline"``.
/// seed : int or str, default: 1
///     For the choice among equally good seeds.
/// progress : bool or callable, optional
///     ``True`` shows a line on standard error. A function is called now and then with the number of
///     pivots so far, and ``None``: the total is unknown.
///
/// Returns
/// -------
/// Portfolio
///     The probability of each seed, for both colours.
///
/// Raises
/// ------
/// ValueError
///     If an argument is wrong; the sentence says what is allowed.
/// KeyboardInterrupt
///     If you press Ctrl-C.
///
/// Examples
/// --------
/// >>> portfolio = learn([[1, 0, 1], [0, 1, 1], [0, 0, 0]], "best-seed", seed=3)
/// >>> portfolio.black.tolist()[2], sorted(portfolio.black.tolist())
/// (0.0, [0.0, 0.0, 1.0])
#[pyfunction]
#[pyo3(
    signature = (matrix, method = "nash", *, seed = SeedArgument::Number(1), progress = ProgressArgument::Nobody),
    text_signature = "(matrix, method='nash', *, seed=1, progress=None)"
)]
pub(crate) fn learn(
    py: Python<'_>,
    matrix: &Bound<'_, PyAny>,
    method: &str,
    seed: SeedArgument,
    progress: ProgressArgument,
) -> PyResult<Portfolio> {
    let matrix = self::matrix(matrix)?;
    let method: Method = method.parse().map_err(bad_input)?;
    let mut rng = seed.seed()?.child("ties").rng();
    Ok(Portfolio(watched(py, progress, |watch| method.learn_watched(&matrix, &mut rng, watch))?))
}

/// Measure the win rates of portfolios against seeds that they have not seen.
///
/// It is ``tesuji portfolio test``. Each repetition draws some rows and columns and learns from
/// them. Then an opponent chooses the best of some other seeds. Equal seeds lead to equal numbers
/// on any number of threads. Ctrl-C ends it.
///
/// Parameters
/// ----------
/// matrix : array of float
///     Black's rewards, from 0 to 1: a row for each of Black's seeds, a column for each of White's.
/// methods : list of str, optional
///     The methods of ``learn``; default: the methods of the paper's Table I.
/// training : int, optional
///     The number of rows and of columns to learn from; default: 19 of 20, or fewer if the opponent
///     needs more seeds.
/// opponents : list of int, default: (1, 2, 4, 8, 16)
///     The numbers of seeds that the opponent chooses from.
/// repetitions : int, default: 1000
///     The number of repetitions.
/// seed : int or str, default: 1
///     A whole number, or the 32 digits of a seed.
/// threads : int, optional
///     How many threads work; default: one for each core.
/// progress : bool or callable, optional
///     ``True`` shows a line on standard error. A function is called now and then with the number of
///     repetitions so far, and of all repetitions.
///
/// Returns
/// -------
/// Table
///     A row for each method and number of opponent's seeds: ``method``, ``training``, ``training_rate``
///     (against the seeds learnt from) and ``training_se``, ``opponents``, ``rate`` (against the best of these)
///     and ``rate_se``. Rates are means over both colours.
///
/// Raises
/// ------
/// ValueError
///     If an argument is wrong, or the matrix is too small.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> games = np.random.default_rng(1).integers(0, 2, (30, 30))
/// >>> table = evaluate(games, ["best-seed", "nash"], opponents=[1, 4], repetitions=20)
/// >>> table[["method", "training", "opponents"]].tolist()
/// [('best-seed', 26, 1), ('best-seed', 26, 4), ('nash', 26, 1), ('nash', 26, 4)]
#[pyfunction]
#[pyo3(
    signature = (
        matrix, methods = None, *, training = None, opponents = vec![1, 2, 4, 8, 16], repetitions = 1000,
        seed = SeedArgument::Number(1), threads = None, progress = ProgressArgument::Nobody
    ),
    text_signature = "(matrix, methods=None, *, training=None, opponents=(1, 2, 4, 8, 16), repetitions=1000, seed=1, \
                      threads=None, progress=None)"
)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    matrix: &Bound<'py, PyAny>,
    methods: Option<Vec<String>>,
    #[pyo3(from_py_with = whole_or_none)] training: Option<usize>,
    #[pyo3(from_py_with = wholes)] opponents: Vec<usize>,
    #[pyo3(from_py_with = whole)] repetitions: u64,
    seed: SeedArgument,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    progress: ProgressArgument,
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
    let meter = progress.meter(py, "repetitions")?;
    let done = |done| meter.set(Completion { done, wanted: repetitions });
    let work = |cancel: &AtomicBool| evaluation.run_unless(&matrix, &done, cancel);
    let rates = interruptible_telling(py, work, |py| meter.tell(py))?.map_err(bad_input)?;
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
