//! The result of a search.

use std::time::Duration;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use tesuji_core::{Calibration, Game, Outcome, Ranked, Round};
use tesuji_report::search as tables;
use tesuji_report::{Screen, Viewer};
use tesuji_search::{Amaf, ArmReport, Focused, Memory, Report};

use crate::columns::Columns;
use crate::errors::bad_input;
use crate::own_game::OwnGame;
use crate::position::Position;
use crate::rounds::rounds_array;
use crate::side::outcome_of;
use crate::stop::{read_stop, stop_object};

/// Moves that are shown if a decision is printed.
const TOP: usize = 12;

/// The result of a search: the chosen move, and the statistics of all moves.
///
/// Printed, it is the tables of ``tesuji search``; a notebook shows the board with the move, and
/// the moves as a table. It can be pickled and copied. Two decisions are equal if their
/// positions and statistics are equal; time and memory do not count.
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Decision {
    report: Report<String>,
    /// The moves themselves, if they are not texts.
    moves: Option<Vec<Py<PyAny>>>,
    position: Py<PyAny>,
    seconds: f64,
    arms: PyOnceLock<Py<PyAny>>,
    rounds: PyOnceLock<Py<PyAny>>,
}

impl Decision {
    pub(crate) fn of_ours(report: Report<String>, position: Bound<'_, Position>, time: Duration) -> Decision {
        Decision::new(report, None, position.into_any().unbind(), time.as_secs_f64())
    }

    pub(crate) fn of_own(
        report: Report<u32>,
        position: &Bound<'_, PyAny>,
        game: &OwnGame,
        time: Duration,
    ) -> Decision {
        let moves = report.arms.iter().map(|arm| game.table().mv(position.py(), arm.mv)).collect();
        let report = report.map(|mv| game.move_text(mv));
        Decision::new(report, Some(moves), position.clone().unbind(), time.as_secs_f64())
    }

    fn new(
        report: Report<String>,
        moves: Option<Vec<Py<PyAny>>>,
        position: Py<PyAny>,
        seconds: f64,
    ) -> Decision {
        Decision { report, moves, position, seconds, arms: PyOnceLock::new(), rounds: PyOnceLock::new() }
    }

    /// Bytes of the search's memory.
    pub(crate) fn bytes(&self) -> usize {
        self.report.memory.bytes
    }

    /// Samples left for the next move.
    pub(crate) fn carried(&self) -> u64 {
        self.report.carried
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
            .numbers("policy", number(|arm| arm.policy))?
            .column("proof", "U5", arms.iter().map(|arm| arm.proof.map_or("", Outcome::word)))?
            .array()
    }

    fn rounds_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rounds_array(py, &self.report.rounds, |columns, arms| {
            self.moves_column(py, columns, arms.into_iter())
        })
    }

    /// What a notebook shows of the position: its own picture, or its text.
    fn board(&self, py: Python<'_>) -> PyResult<String> {
        let position = self.position.bind(py);
        if let Ok(position) = position.cast::<Position>() {
            let chosen = self.report.chosen.map(|arm| self.report.arms[arm].mv.as_str());
            return Ok(position.get().picture(Viewer::Spectator, chosen));
        }
        for name in ["_repr_svg_", "_repr_html_"] {
            if position.hasattr(name)? {
                return position.call_method0(name)?.extract();
            }
        }
        let text = py.import("html")?.call_method1("escape", (position.str()?,))?;
        Ok(format!("<pre>{text}</pre>"))
    }
}

#[pymethods]
impl Decision {
    /// The chosen move; ``None`` if the game is over.
    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(arm) = self.report.chosen else { return Ok(None) };
        Ok(Some(match &self.moves {
            Some(moves) => moves[arm].bind(py).clone(),
            None => self.report.arms[arm].mv.as_str().into_pyobject(py)?.into_any(),
        }))
    }

    /// The position that was searched.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.position.bind(py).clone()
    }

    /// The number of the chosen move's row in ``arms``; ``None`` if the game is over.
    #[getter]
    fn chosen(&self) -> Option<usize> {
        self.report.chosen
    }

    /// The moves that were searched, as a table with a row for each, in the position's order.
    ///
    /// Columns: ``move``; ``visits``; ``mean`` (reward of the side to move, from 0 to 1) and its
    /// ``standard_error``; ``amaf_count`` and ``amaf_mean``; ``score``; ``q`` (the value it was last ranked
    /// by); ``policy`` (see ``Decision.policy``); ``proof`` (the proved outcome after it, or empty). A
    /// number that the search does not know is nan.
    #[getter]
    fn arms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let arms = self.arms.get_or_try_init(py, || self.arms_array(py).map(Bound::unbind))?;
        Ok(arms.bind(py).clone())
    }

    /// The rounds of a root that halves, as a table with a row for each move of each round, best
    /// first. Other roots have no rows.
    ///
    /// Columns: ``round`` (from 1); ``arm`` (the row in ``arms``); ``move``; ``samples_each`` (its samples in
    /// this round); ``q``; ``mean``; ``bonus``; ``kept`` (whether it goes on to the next round).
    #[getter]
    fn rounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rounds = self.rounds.get_or_try_init(py, || self.rounds_array(py).map(Bound::unbind))?;
        Ok(rounds.bind(py).clone())
    }

    /// Return everything as a dictionary.
    ///
    /// Returns
    /// -------
    /// dict
    ///     What ``tesuji search --json`` writes as ``report``; ``docs/json.md`` describes it.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = serde_json::to_string(&self.report).map_err(bad_input)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Return the arms in the order in which they should be tried if a move may be refused.
    ///
    /// Returns
    /// -------
    /// list of int
    ///     Rows of ``arms``, the chosen one first.
    fn ranking(&self) -> Vec<usize> {
        self.report.ranking()
    }

    /// Return the arms as a pandas frame.
    ///
    /// Returns
    /// -------
    /// pandas.DataFrame
    ///     A row for each move.
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     If pandas is not installed.
    ///
    /// Examples
    /// --------
    /// >>> frame = search("hex:3", "uct", 100).to_frame()
    /// >>> len(frame), int(frame.visits.sum())
    /// (9, 100)
    fn to_frame<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arms(py)?.call_method0("to_frame")
    }

    /// The number of samples that the search had.
    #[getter]
    fn budget(&self) -> u64 {
        self.report.budget
    }

    /// The number of samples that the search took.
    #[getter]
    fn spent(&self) -> u64 {
        self.report.spent
    }

    /// The moves that got more samples after the search, with the number of those samples.
    #[getter]
    fn focused<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, PyAny>, u64)>> {
        let mv = |arm: usize| match &self.moves {
            Some(moves) => Ok(moves[arm].bind(py).clone()),
            None => Ok::<_, PyErr>(self.report.arms[arm].mv.as_str().into_pyobject(py)?.into_any()),
        };
        self.report.focused.iter().map(|focused| Ok((mv(focused.arm)?, focused.samples))).collect()
    }

    /// The improved policy of a Gumbel root with a network: the probability of each row of ``arms``, to
    /// train a network with. ``None`` if the search has none.
    ///
    /// Its source is Danihelka et al., "Policy improvement by planning with Gumbel" (2022), section 4.
    #[getter]
    fn policy<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        let policy: Option<Vec<f64>> = self.report.arms.iter().map(|arm| arm.policy).collect();
        policy.filter(|policy| !policy.is_empty()).map(|policy| PyArray1::from_vec(py, policy))
    }

    /// Why the search stopped before its budget was spent (a ``Stop``); ``None`` if it did not.
    #[getter]
    fn stop<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.report.stop.map(|stop| stop_object(py, stop)).transpose()
    }

    /// The chance that the chosen move is the best, or within ``within`` of the best; ``None`` without
    /// samples. It is about the values that the samples estimate.
    #[getter]
    fn confidence(&self) -> Option<f64> {
        self.report.confidence
    }

    /// The duration of the search, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The number of positions that the search kept in memory.
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

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        // A notebook does not have our styles.
        let moves = tables::arms(&self.report, TOP).html().into_string();
        let moves = moves.replace("class=\"number\"", "style=\"text-align:right\"");
        Ok(format!(
            "<div style=\"display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start\"><div>{}</div>{moves}</div>",
            self.board(py)?
        ))
    }

    fn __eq__(&self, py: Python<'_>, other: &Decision) -> PyResult<bool> {
        // Equal searches may find themselves with different memory.
        let said = |report: &Report<String>| Report { memory: Memory::default(), ..report.clone() };
        let have_equal_moves = match (&self.moves, &other.moves) {
            (Some(own), Some(others)) => {
                own.len() == others.len()
                    && own.iter().zip(others).try_fold(true, |is_equal, (mv, other)| {
                        Ok::<_, PyErr>(is_equal && mv.bind(py).eq(other)?)
                    })?
            }
            (own, others) => own.is_none() && others.is_none(),
        };
        Ok(said(&self.report) == said(&other.report)
            && have_equal_moves
            && self.position.bind(py).eq(&other.position)?)
    }

    #[classmethod]
    fn __class_getitem__<'py>(
        class: &Bound<'py, PyType>,
        item: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.py().import("types")?.getattr("GenericAlias")?.call1((class, item))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyDict>,))> {
        let (py, decision) = (slf.py(), slf.get());
        let Report { chosen, arms, rounds, budget, spent, carried, stop: _, confidence, memory, focused } =
            &decision.report;
        let arms: Vec<ArmState> = arms
            .iter()
            .map(|arm| {
                let amaf = arm.amaf.map(|amaf| (amaf.count, amaf.mean));
                let proof = arm.proof.map(|outcome| outcome.word().to_owned());
                (arm.mv.clone(), arm.visits, arm.mean, amaf, arm.score, arm.q, proof)
            })
            .collect();
        let ranked = |ranked: &Ranked| (ranked.arm, ranked.q, ranked.mean, ranked.bonus);
        let rounds: Vec<RoundState> = rounds
            .iter()
            .map(|round| {
                let Round { samples_each, kept, comebacks, ref ranking, calibration } = *round;
                let learnt =
                    calibration.map(|one| [one.slope, one.residual, one.weight, one.spread, one.correlation]);
                (samples_each, kept, ranking.iter().map(ranked).collect(), comebacks, learnt)
            })
            .collect();
        let state = PyDict::new(py);
        state.set_item("position", &decision.position)?;
        state.set_item("moves", &decision.moves)?;
        state.set_item("chosen", chosen)?;
        state.set_item("arms", arms)?;
        state.set_item("rounds", rounds)?;
        let policy: Vec<Option<f64>> = decision.report.arms.iter().map(|arm| arm.policy).collect();
        state.set_item("policy", policy)?;
        let variance: Vec<Option<f64>> = decision.report.arms.iter().map(|arm| arm.variance).collect();
        state.set_item("variance", variance)?;
        state.set_item("samples", (budget, spent, carried))?;
        state.set_item("stop", decision.stop(py)?)?;
        let focused: Vec<(usize, u64)> =
            focused.iter().map(|focused| (focused.arm, focused.samples)).collect();
        state.set_item("focused", focused)?;
        state.set_item("confidence", confidence)?;
        state.set_item("memory", (memory.nodes, memory.edges, memory.bytes))?;
        state.set_item("seconds", decision.seconds)?;
        Ok((slf.get_type().getattr("_of")?, (state,)))
    }

    /// Make a decision again from its pickle.
    #[classmethod]
    fn _of(_class: &Bound<'_, PyType>, state: &Bound<'_, PyDict>) -> PyResult<Decision> {
        let item = |name: &str| state.as_any().get_item(name);
        let arm = |(mv, visits, mean, amaf, score, q, proof): ArmState| {
            let wrong = || bad_input("this is not a decision that was pickled");
            Ok(ArmReport {
                mv,
                visits,
                mean,
                variance: None,
                amaf: amaf.map(|(count, mean)| Amaf { count, mean }),
                score,
                q,
                proof: proof.map(|word| outcome_of(&word).ok_or_else(wrong)).transpose()?,
                policy: None,
            })
        };
        let ranked = |(arm, q, mean, bonus)| Ranked { arm, q, mean, bonus };
        let round = |(samples_each, kept, ranking, comebacks, calibration): RoundState| Round {
            samples_each,
            kept,
            comebacks,
            ranking: ranking.into_iter().map(ranked).collect(),
            calibration: calibration.map(|[slope, residual, weight, spread, correlation]| Calibration {
                slope,
                residual,
                weight,
                spread,
                correlation,
            }),
        };
        let (budget, spent, carried) = item("samples")?.extract()?;
        let (nodes, edges, bytes) = item("memory")?.extract()?;
        let stop = item("stop")?;
        let focused: Vec<(usize, u64)> = item("focused")?.extract()?;
        let mut arms: Vec<ArmReport<String>> =
            item("arms")?.extract::<Vec<ArmState>>()?.into_iter().map(arm).collect::<PyResult<_>>()?;
        // Decisions of earlier versions have none.
        if let Some(policy) = state.get_item("policy")? {
            let policy: Vec<Option<f64>> = policy.extract()?;
            arms.iter_mut().zip(policy).for_each(|(arm, policy)| arm.policy = policy);
        }
        if let Some(variance) = state.get_item("variance")? {
            let variance: Vec<Option<f64>> = variance.extract()?;
            arms.iter_mut().zip(variance).for_each(|(arm, variance)| arm.variance = variance);
        }
        let report = Report {
            chosen: item("chosen")?.extract()?,
            arms,
            rounds: item("rounds")?.extract::<Vec<RoundState>>()?.into_iter().map(round).collect(),
            budget,
            spent,
            carried,
            stop: if stop.is_none() { None } else { Some(read_stop(&stop)?) },
            confidence: item("confidence")?.extract()?,
            memory: Memory { nodes, edges, bytes },
            focused: focused.into_iter().map(|(arm, samples)| Focused { arm, samples }).collect(),
        };
        let (moves, position) = (item("moves")?.extract()?, item("position")?.unbind());
        Ok(Decision::new(report, moves, position, item("seconds")?.extract()?))
    }
}

/// An arm as it is pickled: move, visits, mean, AMAF count and mean, score, q, proof.
type ArmState = (String, u64, Option<f64>, Option<(u64, f64)>, Option<f64>, Option<f64>, Option<String>);

/// A round as it is pickled: samples each, kept, and the ranking by arm, q, mean and bonus.
type RoundState = (u64, usize, Vec<(usize, f64, f64, f64)>, usize, Option<[f64; 5]>);
