//! Portfolios from few games: an algorithm asks for entries of a matrix, and Python plays them.

use numpy::PyArray1;
use pyo3::prelude::*;
use tesuji_arena::Completion;
use tesuji_portfolio::lazy::{Entries, LazyAlgorithm, LazyGoal, PlayError, Played};

use crate::arguments::{SeedArgument, numbers, whole, whole_or_none};
use crate::errors::bad_input;
use crate::portfolio::{Portfolio, checked_exploitability};
use crate::progress::ProgressArgument;

/// A portfolio that was learnt from some of the games. It can be pickled and compared.
#[pyclass(frozen, eq, module = "tesuji.portfolio")]
#[derive(Clone, PartialEq)]
pub(crate) struct LazyPortfolio {
    portfolio: tesuji_portfolio::Portfolio,
    games: u64,
    gap: f64,
}

#[pymethods]
impl LazyPortfolio {
    /// The probabilities of rows and columns.
    #[getter]
    fn portfolio(&self) -> Portfolio {
        Portfolio(self.portfolio.clone())
    }

    /// The number of entries that were played.
    #[getter]
    fn games(&self) -> u64 {
        self.games
    }

    /// The most that both sides together can gain by their best answers, whatever the results of the
    /// missing games are. Half of it is the exploitability.
    #[getter]
    fn gap(&self) -> f64 {
        self.gap
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = (self.portfolio.black.len(), self.portfolio.white.len());
        format!("<LazyPortfolio of {rows} x {columns}: {} games, gap at most {:.3}>", self.games, self.gap)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Portfolio, u64, f64))> {
        let LazyPortfolio { games, gap, .. } = slf.get();
        Ok((slf.get_type().getattr("_of")?, (slf.get().portfolio(), *games, *gap)))
    }

    /// Make the result again from its pickle.
    #[staticmethod]
    fn _of(portfolio: &Portfolio, games: u64, gap: f64) -> LazyPortfolio {
        LazyPortfolio { portfolio: portfolio.0.clone(), games, gap }
    }
}

/// A matrix whose entries Python plays.
struct OwnEntries<'a, 'py> {
    play: &'a Bound<'py, PyAny>,
    size: (usize, usize),
}

impl Entries for OwnEntries<'_, '_> {
    type Error = PyErr;

    fn size(&self) -> (usize, usize) {
        self.size
    }

    fn play(&mut self, wanted: &[(usize, usize)], rewards: &mut Vec<f64>) -> PyResult<()> {
        let py = self.play.py();
        py.check_signals()?;
        let column = |values: Vec<i64>| PyArray1::from_vec(py, values);
        let rows = column(wanted.iter().map(|&(row, _)| row as i64).collect());
        let columns = column(wanted.iter().map(|&(_, column)| column as i64).collect());
        rewards.extend(numbers(&self.play.call1((rows, columns))?)?);
        if rewards.len() != wanted.len() {
            return Err(bad_input(format!(
                "play(rows, columns) must return a reward for each of the {} pairs, and returned {}",
                wanted.len(),
                rewards.len()
            )));
        }
        Ok(())
    }
}

/// Learn a near-equilibrium of a matrix game of which only some entries are played.
///
/// Use it if an entry is expensive, such as a game of two seeds: the algorithm asks for the
/// entries that it needs. How much that saves depends on the matrix; if some choices are clearly
/// better than others, it is most of the games.
///
/// Parameters
/// ----------
/// play : callable
///     ``play(rows, columns)`` gets two arrays of equal length, and returns Black's reward, from 0 to 1,
///     for each pair. No pair is asked twice.
/// n_rows : int
///     The number of Black's choices.
/// n_columns : int
///     The number of White's choices.
/// algorithm : str, default: 'double-oracle'
///     ``"double-oracle"`` (restricted games and best answers to them), ``"grigoriadis"`` (a row and a
///     column at a time; Grigoriadis, Khachiyan 1995) or ``"exp3"`` (both sides are bandits).
/// exploitability : float, default: 0.05
///     Stop once neither side is known to gain more than this on average.
/// games : int, optional
///     Stop after this number of entries.
/// seed : int or str, default: 1
///     A whole number, or the 32 digits of a seed.
/// progress : bool or callable, optional
///     ``True`` shows a line on standard error. A function is called after each step with the number
///     of played entries, and the largest number that can be played.
///
/// Returns
/// -------
/// LazyPortfolio
///     The probabilities of both sides, the number of entries that were played, and a bound on the
///     gap.
///
/// Raises
/// ------
/// ValueError
///     If an argument is wrong, or ``play`` does not return a reward for each pair.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> rewards = np.full((60, 60), 0.2)
/// >>> rewards[7] = 0.8
/// >>> learnt = learn_lazily(lambda rows, columns: rewards[rows, columns], 60, 60)
/// >>> int(learnt.portfolio.black.argmax()), learnt.games < 3600, learnt.gap <= 0.1
/// (7, True, True)
#[pyfunction]
#[pyo3(
    signature = (
        play, n_rows, n_columns, algorithm = "double-oracle", *, exploitability = 0.05, games = None,
        seed = SeedArgument::Number(1), progress = ProgressArgument::Nobody
    ),
    text_signature = "(play, n_rows, n_columns, algorithm='double-oracle', *, exploitability=0.05, games=None, seed=1, \
                      progress=None)"
)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn learn_lazily(
    play: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = whole)] n_rows: usize,
    #[pyo3(from_py_with = whole)] n_columns: usize,
    algorithm: &str,
    exploitability: f64,
    #[pyo3(from_py_with = whole_or_none)] games: Option<u64>,
    seed: SeedArgument,
    progress: ProgressArgument,
) -> PyResult<LazyPortfolio> {
    let py = play.py();
    let algorithm: LazyAlgorithm = algorithm.parse().map_err(bad_input)?;
    let exploitability = checked_exploitability(exploitability)?;
    for (name, number) in [("n_rows", n_rows), ("n_columns", n_columns)] {
        if !(1..=100_000).contains(&number) {
            return Err(bad_input(format!("{name} is from 1 to 100,000, not {number}")));
        }
    }
    let goal = LazyGoal { exploitability, games, seed: seed.seed()?.child("lazy") };
    let meter = progress.meter(py, "games")?;
    let wanted = (n_rows as u64 * n_columns as u64).min(games.unwrap_or(u64::MAX));
    let mut played = Played::new(OwnEntries { play, size: (n_rows, n_columns) });
    let mut raised = None;
    let learnt = algorithm.learn(&mut played, &goal, |played| {
        meter.set(Completion { done: played.games(), wanted });
        raised = meter.tell(py).and_then(|()| py.check_signals()).err();
        raised.is_some()
    });
    if let Some(error) = raised {
        return Err(error);
    }
    let portfolio = learnt.map_err(|error| match error {
        PlayError::Source(error) => error,
        other => bad_input(other),
    })?;
    meter.finish(played.games());
    meter.tell(py)?;
    Ok(LazyPortfolio { gap: played.gap_bound(&portfolio), games: played.games(), portfolio })
}
