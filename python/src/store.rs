//! Stores: what was played and measured, as tables.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tesuji_arena::{CellFilter, StoreError, StoredExperiment};
use tesuji_bandit::testbed::Row;
use tesuji_core::Side;
use tesuji_report::store::{GameRecord, StoreFilter, StoreReport, for_each_game};

use crate::arguments::wrong_kind;
use crate::columns::Columns;
use crate::errors::bad_input;

/// A file with results: the games that were played, and the regrets that were measured.
///
/// Its tables are structured arrays with ``to_frame()``. A store can be read while a run writes it;
/// only ``merge`` writes.
///
/// Parameters
/// ----------
/// path : path
///     The file. It is opened when it is first needed.
///
/// Examples
/// --------
/// >>> import tempfile, pathlib
/// >>> path = pathlib.Path(tempfile.mkdtemp()) / "m.db"
/// >>> result = match("hex:3", "uct@50", "random", games=4, store=path)
/// >>> with Store(path) as store:
/// ...     games = store.games()
/// >>> games["index"].tolist(), games["opponent"][0]
/// ([0, 1, 2, 3], np.str_('random'))
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Store {
    path: PathBuf,
    /// Opened when it is first needed.
    open: Mutex<Option<tesuji_arena::Store>>,
}

/// A store, or the path of one.
pub(crate) enum StoreArgument<'py> {
    Store(Bound<'py, Store>),
    Path(PathBuf),
}

impl<'py> FromPyObject<'_, 'py> for StoreArgument<'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<StoreArgument<'py>> {
        match (value.cast::<Store>(), value.extract::<PathBuf>()) {
            (Ok(store), _) => Ok(StoreArgument::Store(store.to_owned())),
            (_, Ok(path)) => Ok(StoreArgument::Path(path)),
            _ => Err(wrong_kind(&value, "a Store, or the path of one")),
        }
    }
}

impl StoreArgument<'_> {
    pub(crate) fn path(&self) -> PathBuf {
        match self {
            StoreArgument::Store(store) => store.get().path.clone(),
            StoreArgument::Path(path) => path.clone(),
        }
    }
}

impl Store {
    fn lock(&self) -> MutexGuard<'_, Option<tesuji_arena::Store>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads something, without the GIL.
    fn read<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&tesuji_arena::Store) -> Result<T, StoreError> + Send,
    ) -> PyResult<T> {
        let work = || {
            let mut open = self.lock();
            let store = match open.take() {
                Some(store) => store,
                None => tesuji_arena::Store::open_to_read(&self.path)?,
            };
            read(open.insert(store))
        };
        py.detach(work).map_err(bad_input)
    }

    /// The experiments of this name, or all. A name that is not in the store is an error.
    fn chosen(&self, py: Python<'_>, experiment: Option<&str>) -> PyResult<Vec<StoredExperiment>> {
        let all = self.read(py, tesuji_arena::Store::experiments)?;
        let Some(name) = experiment else { return Ok(all) };
        let names: Vec<String> = all.iter().map(|stored| stored.definition.name.clone()).collect();
        let chosen: Vec<_> = all.into_iter().filter(|stored| stored.definition.name == name).collect();
        if chosen.is_empty() {
            let file = self.path.display();
            return Err(bad_input(format!(
                "{file} has no experiment '{name}': it has {}",
                if names.is_empty() { "none".to_owned() } else { names.join(", ") }
            )));
        }
        Ok(chosen)
    }
}

#[pymethods]
impl Store {
    #[new]
    fn new(path: PathBuf) -> Store {
        Store { path, open: Mutex::new(None) }
    }

    /// The path of the file.
    #[getter]
    fn path(&self) -> String {
        self.path.display().to_string()
    }

    /// Return the experiments in the store.
    ///
    /// Returns
    /// -------
    /// Table
    ///     Columns: ``name``, ``kind``, ``address``, the number of stored ``cells`` and ``games``, and the
    ///     ``definition`` (the text of the file).
    fn experiments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = self.chosen(py, None)?;
        let counts = self.read(py, |store| {
            let count = |stored: &StoredExperiment| {
                let cells = store.cells(stored.experiment)?;
                Ok((cells.len(), cells.iter().map(|cell| cell.games).sum::<u64>()))
            };
            all.iter().map(count).collect::<Result<Vec<(usize, u64)>, StoreError>>()
        })?;
        Columns::new(py)
            .texts("name", all.iter().map(|stored| stored.definition.name.clone()))?
            .column("kind", "U7", all.iter().map(|stored| stored.kind.word()))?
            .texts("address", all.iter().map(|stored| stored.experiment.to_string()))?
            .column("cells", "u8", counts.iter().map(|count| count.0))?
            .column("games", "u8", counts.iter().map(|count| count.1))?
            .column("definition", "O", all.iter().map(|stored| stored.definition.text.as_str()))?
            .array()
    }

    /// Return the cells of matches that were begun.
    ///
    /// Parameters
    /// ----------
    /// experiment : str, optional
    ///     The name of an experiment; default: all.
    ///
    /// Returns
    /// -------
    /// Table
    ///     Columns: ``experiment``, ``id``, ``key``, ``game``, ``player``, ``opponent``, and the number of stored
    ///     ``games``.
    #[pyo3(signature = (experiment = None))]
    fn cells<'py>(&self, py: Python<'py>, experiment: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let chosen = self.chosen(py, experiment)?;
        let cells = self.read(py, |store| {
            let mut cells = Vec::new();
            for stored in &chosen {
                let name = &stored.definition.name;
                cells.extend(store.cells(stored.experiment)?.into_iter().map(|cell| (name.clone(), cell)));
            }
            Ok(cells)
        })?;
        Columns::new(py)
            .texts("experiment", cells.iter().map(|(name, _)| name.clone()))?
            .texts("id", cells.iter().map(|(_, cell)| cell.id.clone()))?
            .texts("key", cells.iter().map(|(_, cell)| cell.key.clone()))?
            .texts("game", cells.iter().map(|(_, cell)| cell.game.clone()))?
            .texts("player", cells.iter().map(|(_, cell)| cell.player.clone()))?
            .texts("opponent", cells.iter().map(|(_, cell)| cell.opponent.clone()))?
            .column("games", "u8", cells.iter().map(|(_, cell)| cell.games))?
            .array()
    }

    /// Return the games, ordered by cell and index.
    ///
    /// Parameters
    /// ----------
    /// experiment : str, optional
    ///     The name of an experiment; default: all.
    ///
    /// Returns
    /// -------
    /// Table
    ///     A row for each game. ``side`` is the player's; ``winner`` is ``'black'``, ``'white'`` or ``'draw'``;
    ///     ``points`` are the player's; ``moves`` is a text with blanks between the moves.
    #[pyo3(signature = (experiment = None))]
    fn games<'py>(&self, py: Python<'py>, experiment: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        self.chosen(py, experiment)?;
        let choice = StoreFilter { experiment: experiment.map(str::to_owned), only: CellFilter::default() };
        let games = self.read(py, |store| records(store, &choice))?;
        games_array(py, &games)
    }

    /// Return the void games, in the order in which they failed.
    ///
    /// Parameters
    /// ----------
    /// experiment : str, optional
    ///     The name of an experiment; default: all.
    ///
    /// Returns
    /// -------
    /// Table
    ///     A row for each void game: who failed, how, and after which moves.
    #[pyo3(signature = (experiment = None))]
    fn voids<'py>(&self, py: Python<'py>, experiment: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let chosen = self.chosen(py, experiment)?;
        let voids = self.read(py, |store| {
            let mut voids = Vec::new();
            for stored in &chosen {
                let name = &stored.definition.name;
                voids.extend(store.voids(stored.experiment)?.into_iter().map(|void| (name.clone(), void)));
            }
            Ok(voids)
        })?;
        Columns::new(py)
            .texts("id", voids.iter().map(|(_, void)| void.address.id()))?
            .texts("experiment", voids.iter().map(|(name, _)| name.clone()))?
            .texts("cell", voids.iter().map(|(_, void)| void.address.cell.clone()))?
            .column("index", "u8", voids.iter().map(|(_, void)| void.address.index))?
            .column("at", "u8", voids.iter().map(|(_, void)| void.at))?
            .texts("contestant", voids.iter().map(|(_, void)| void.contestant.clone()))?
            .texts("kind", voids.iter().map(|(_, void)| void.kind.clone()))?
            .column("message", "O", voids.iter().map(|(_, void)| void.message.as_str()))?
            .column("moves", "O", voids.iter().map(|(_, void)| void.moves.as_str()))?
            .column("stderr", "O", voids.iter().map(|(_, void)| void.stderr.as_str()))?
            .array()
    }

    /// Return the regrets that were measured on bandits.
    ///
    /// Parameters
    /// ----------
    /// experiment : str, optional
    ///     The name of an experiment; default: all.
    ///
    /// Returns
    /// -------
    /// Table
    ///     A row for each policy, setting of arms and budget: the simple ``regret``, the probability of
    ///     a wrong choice (``p_wrong``), the ``cumulative`` regret, and the standard error of each
    ///     (``regret_se``, ``p_wrong_se``, ``cumulative_se``).
    #[pyo3(signature = (experiment = None))]
    fn regrets<'py>(&self, py: Python<'py>, experiment: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let chosen = self.chosen(py, experiment)?;
        let rows = self.read(py, |store| {
            let mut rows: Vec<(String, String, Row)> = Vec::new();
            for stored in &chosen {
                for found in store.all_regrets(stored.experiment)? {
                    let name = &stored.definition.name;
                    rows.extend(found.rows.into_iter().map(|row| (name.clone(), found.build.clone(), row)));
                }
            }
            Ok(rows)
        })?;
        let number = |value: fn(&Row) -> f64| rows.iter().map(move |(.., row)| value(row));
        Columns::new(py)
            .texts("experiment", rows.iter().map(|(name, ..)| name.clone()))?
            .texts("arms", rows.iter().map(|(.., row)| row.arms.to_string()))?
            .texts("policy", rows.iter().map(|(.., row)| row.policy.to_string()))?
            .column("budget", "u8", rows.iter().map(|(.., row)| row.budget))?
            .column("runs", "u8", rows.iter().map(|(.., row)| row.runs))?
            .column("regret", "f8", number(|row| row.regret))?
            .column("regret_se", "f8", number(|row| row.se))?
            .column("p_wrong", "f8", number(|row| row.p_wrong))?
            .column("p_wrong_se", "f8", number(|row| row.p_wrong_se))?
            .column("cumulative", "f8", number(|row| row.cumulative))?
            .column("cumulative_se", "f8", number(|row| row.cumulative_se))?
            .column("spent", "f8", number(|row| row.spent))?
            .texts("build", rows.iter().map(|(_, build, _)| build.clone()))?
            .array()
    }

    /// Return every table with rates or regrets, intervals, published numbers and verdicts.
    ///
    /// A cell with a published number has a ``comparison``: the ``difference``, its 95 % ``interval``, the
    /// ``verdict`` (agrees, off, differs or open), and ``to_decide``: the number of games or runs that
    /// would decide an open verdict, or ``None``.
    ///
    /// Parameters
    /// ----------
    /// experiment : str, optional
    ///     The name of an experiment; default: all.
    ///
    /// Returns
    /// -------
    /// dict
    ///     The object that ``tesuji show --json`` prints; ``docs/json.md`` describes it.
    #[pyo3(signature = (experiment = None))]
    fn report<'py>(&self, py: Python<'py>, experiment: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        self.chosen(py, experiment)?;
        let choice = StoreFilter { experiment: experiment.map(str::to_owned), only: CellFilter::default() };
        let report = self.read(py, |store| StoreReport::read(store, &self.path(), &choice))?;
        let text = serde_json::to_string(&report).map_err(bad_input)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Add the results of other stores to this one. A missing file is created.
    ///
    /// Parameters
    /// ----------
    /// *paths : path
    ///     The other stores.
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     For each other store the number of new ``games``, of ``known`` games, of ``paused`` games
    ///     that are new or have more moves, and of new ``regrets``.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If two stores have different games at the same address.
    #[pyo3(signature = (*paths))]
    fn merge<'py>(&self, py: Python<'py>, paths: Vec<PathBuf>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let work = || {
            // What is read later is read anew.
            *self.lock() = None;
            tesuji_arena::Store::merge_all(&self.path, &paths)
        };
        let merged = py.detach(work).map_err(bad_input)?;
        let entry = |merged: &tesuji_arena::MergeSummary| {
            let entry = PyDict::new(py);
            entry.set_item("games", merged.games)?;
            entry.set_item("known", merged.known)?;
            entry.set_item("paused", merged.paused)?;
            entry.set_item("regrets", merged.regrets)?;
            Ok(entry)
        };
        merged.iter().map(entry).collect()
    }

    /// Close the file. It is opened again if it is needed.
    fn close(&self) {
        *self.lock() = None;
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, _error: &Bound<'_, pyo3::types::PyTuple>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        format!("Store('{}')", self.path.display())
    }

    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let names = ["name", "kind", "cells", "games"];
        self.experiments(py)?.get_item(names.to_vec())?.call_method0("_repr_html_")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().path(),))
    }
}

/// All games that were chosen.
pub(crate) fn records(
    store: &tesuji_arena::Store,
    choice: &StoreFilter,
) -> Result<Vec<GameRecord>, StoreError> {
    let mut games = Vec::new();
    for_each_game(store, choice, |game| {
        games.push(game.clone());
        Ok::<(), StoreError>(())
    })?;
    Ok(games)
}

/// Games as a structured array.
pub(crate) fn games_array<'py>(py: Python<'py>, games: &[GameRecord]) -> PyResult<Bound<'py, PyAny>> {
    let text = |value: fn(&GameRecord) -> &String| games.iter().map(value).cloned();
    Columns::new(py)
        .texts("id", text(|game| &game.id))?
        .texts("experiment", text(|game| &game.experiment))?
        .texts("cell", text(|game| &game.cell))?
        .column("index", "u8", games.iter().map(|game| game.index))?
        .texts("game", text(|game| &game.game))?
        .texts("player", text(|game| &game.player))?
        .texts("opponent", text(|game| &game.opponent))?
        .column("side", "U5", games.iter().map(|game| game.side.word()))?
        .column("winner", "U5", games.iter().map(|game| game.winner.map_or("draw", Side::word)))?
        .column("points", "f8", games.iter().map(|game| game.points))?
        .column("reason", "U12", games.iter().map(|game| game.reason))?
        .column("plies", "u4", games.iter().map(|game| game.plies))?
        .column("opening", "u4", games.iter().map(|game| game.opening))?
        .column("player_samples", "u8", games.iter().map(|game| game.samples[0]))?
        .column("opponent_samples", "u8", games.iter().map(|game| game.samples[1]))?
        .column("seconds", "f8", games.iter().map(|game| game.seconds))?
        .column("player_seconds", "f8", games.iter().map(|game| game.used[0]))?
        .column("opponent_seconds", "f8", games.iter().map(|game| game.used[1]))?
        .texts("player_engine", text(|game| &game.engines[0]))?
        .texts("opponent_engine", text(|game| &game.engines[1]))?
        .texts("player_score", text(|game| &game.scores[0]))?
        .texts("opponent_score", text(|game| &game.scores[1]))?
        .texts("build", text(|game| &game.build))?
        .column("began", "u8", games.iter().map(|game| game.began))?
        .column("moves", "O", games.iter().map(|game| game.moves.join(" ")))?
        .array()
}
