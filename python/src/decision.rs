//! What came of a search.

use std::time::Duration;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use tesuji_core::{Game, Outcome};
use tesuji_report::Screen;
use tesuji_report::search as tables;
use tesuji_search::{ArmReport, Report};

use crate::columns::Columns;
use crate::errors::bad_input;
use crate::own_game::OwnGame;
use crate::rounds::rounds_array;

/// Moves that are shown where a decision is printed.
const TOP: usize = 12;

/// What a search came to: the move, and everything that is known of the others. Printed,
/// it is the tables of ``tesuji search``.
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Decision {
    report: Report<String>,
    /// The moves themselves, where they are not texts.
    moves: Option<Vec<Py<PyAny>>>,
    seconds: f64,
    arms: PyOnceLock<Py<PyAny>>,
    rounds: PyOnceLock<Py<PyAny>>,
}

impl Decision {
    pub(crate) fn of_ours(report: Report<String>, time: Duration) -> Decision {
        Decision::new(report, None, time)
    }

    pub(crate) fn of_own(py: Python<'_>, report: Report<u32>, game: &OwnGame, time: Duration) -> Decision {
        let moves = report.arms.iter().map(|arm| game.table().mv(py, arm.mv)).collect();
        Decision::new(report.map(|mv| game.move_text(mv)), Some(moves), time)
    }

    fn new(report: Report<String>, moves: Option<Vec<Py<PyAny>>>, time: Duration) -> Decision {
        let seconds = time.as_secs_f64();
        Decision { report, moves, seconds, arms: PyOnceLock::new(), rounds: PyOnceLock::new() }
    }

    /// Bytes of the search's memory.
    pub(crate) fn bytes(&self) -> usize {
        self.report.memory.bytes
    }

    /// Some of the moves as a column: texts, or the objects themselves.
    fn moves_column<'py>(
        &self,
        py: Python<'py>,
        columns: Columns<'py>,
        arms: impl Iterator<Item = usize>,
    ) -> PyResult<Columns<'py>> {
        match &self.moves {
            Some(moves) => {
                let moves: Vec<Py<PyAny>> = arms.map(|arm| moves[arm].clone_ref(py)).collect();
                columns.column("move", "O", moves)
            }
            None => columns.texts("move", arms.map(|arm| self.report.arms[arm].mv.clone())),
        }
    }

    fn arms_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let arms = &self.report.arms;
        let number = |value: fn(&ArmReport<String>) -> Option<f64>| arms.iter().map(value);
        self.moves_column(py, Columns::new(py), 0..arms.len())?
            .column("visits", "u8", arms.iter().map(|arm| arm.visits))?
            .numbers("mean", number(|arm| arm.mean))?
            .numbers("standard_error", number(ArmReport::standard_error))?
            .column("amaf_count", "u8", arms.iter().map(|arm| arm.amaf.map_or(0, |amaf| amaf.count)))?
            .numbers("amaf_mean", number(|arm| arm.amaf.filter(|amaf| amaf.count > 0).map(|amaf| amaf.mean)))?
            .numbers("score", number(|arm| arm.score))?
            .numbers("q", number(|arm| arm.q))?
            .column("proof", "U5", arms.iter().map(|arm| arm.proof.map_or("", Outcome::word)))?
            .array()
    }

    fn rounds_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rounds_array(py, &self.report.rounds, |columns, arms| {
            self.moves_column(py, columns, arms.into_iter())
        })
    }
}

#[pymethods]
impl Decision {
    /// The chosen move, or ``None`` once the game is over.
    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(arm) = self.report.chosen else { return Ok(None) };
        Ok(Some(match &self.moves {
            Some(moves) => moves[arm].bind(py).clone(),
            None => self.report.arms[arm].mv.as_str().into_pyobject(py)?.into_any(),
        }))
    }

    /// The chosen move's place among the arms.
    #[getter]
    fn chosen(&self) -> Option<usize> {
        self.report.chosen
    }

    /// Every move worth searching, in the position's order, as a structured array: ``move``,
    /// ``visits``, ``mean`` (reward of the side to move, from 0 to 1), ``standard_error``,
    /// ``amaf_count`` and ``amaf_mean``, ``score``, ``q`` (what it was last ranked by) and ``proof``
    /// (who wins after it, if that is proved). What a search does not know is nan.
    #[getter]
    fn arms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let arms = self.arms.get_or_try_init(py, || self.arms_array(py).map(Bound::unbind))?;
        Ok(arms.bind(py).clone())
    }

    /// The rounds of halving, if the root halves, as a structured array with a row for each
    /// arm of each round, best first: ``round``, ``arm``, ``move``, ``samples_each`` (that it got
    /// in the round), ``q``, ``mean``, ``bonus`` and ``kept`` (whether it goes on).
    #[getter]
    fn rounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rounds = self.rounds.get_or_try_init(py, || self.rounds_array(py).map(Bound::unbind))?;
        Ok(rounds.bind(py).clone())
    }

    /// All of this as a dictionary, the same as ``report`` in ``tesuji search --json``.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = serde_json::to_string(&self.report).map_err(bad_input)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The arms in the order in which they should be tried where a move may be refused.
    fn ranking(&self) -> Vec<usize> {
        self.report.ranking()
    }

    /// The samples that the search had.
    #[getter]
    fn budget(&self) -> u64 {
        self.report.budget
    }

    /// The samples that it took.
    #[getter]
    fn spent(&self) -> u64 {
        self.report.spent
    }

    /// Why it ended before its budget, in words, or ``None``.
    #[getter]
    fn stop(&self) -> Option<String> {
        self.report.stop.map(|stop| stop.to_string())
    }

    /// How long it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Positions that it kept in memory.
    #[getter]
    fn nodes(&self) -> usize {
        self.report.memory.nodes
    }

    fn __str__(&self) -> String {
        let mut text = tables::arms(&self.report, TOP).text(&Screen::default());
        if let Some(bracket) = tables::bracket(&self.report, TOP, &Screen::default()) {
            text += &format!("\n{}", bracket.text(&Screen::default()));
        }
        text + &tables::legend(&self.report)
    }

    fn __repr__(&self) -> String {
        let chosen = self.report.chosen.map(|arm| &self.report.arms[arm]);
        let Some(arm) = chosen else { return "<Decision: the game is over>".to_owned() };
        let mean = arm.mean.map_or(String::new(), |mean| format!(", mean {mean:.4}"));
        format!("<Decision: {}{mean}, {} samples>", arm.mv, self.report.spent)
    }
}
