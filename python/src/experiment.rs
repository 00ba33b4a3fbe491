//! Experiments: read them, run them here, or let workers elsewhere play a few games at a time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pyo3::Borrowed;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use tesuji::BUILD;
use tesuji_arena::{
    BanditExperiment, CellFilter, Completion, Definition, ExperimentPart, ExperimentSize, MatchExperiment,
    MeasureError, MeasureSettings, PausedGame, Progress, RunError, RunSettings, Shard, Store, Worker,
};

use crate::arguments::{self, whole_or_none, wrong_kind};
use crate::columns::Columns;
use crate::errors::bad_input;
use crate::interrupt::{interruptible, interruptible_telling};
use crate::progress::{Meter, ProgressArgument};
use crate::store::StoreArgument;

/// An experiment: matches between players, or regrets of policies on bandits.
///
/// ``Experiment.read`` reads its file, and ``docs/experiments.md`` describes such files. Results go
/// into a store as they come in, so a run that was stopped continues there. An experiment can be
/// pickled: its text and the published numbers travel with it; files of arms and portfolios must
/// be at the same path everywhere.
///
/// Examples
/// --------
/// >>> experiment = Experiment.parse('''
/// ... title = "Small"
/// ... seed = 1
/// ... games = 6
/// ... [[grid]]
/// ... game = "hex:3"
/// ... player = "uct@{budget}"
/// ... opponent = "random"
/// ... each = [{ name = "budget", values = [20, 40] }]
/// ... ''', name="small")
/// >>> experiment
/// Experiment('small', 2 cells, 6 games each)
/// >>> import tempfile, pathlib
/// >>> store = pathlib.Path(tempfile.mkdtemp()) / "small.db"
/// >>> experiment.run(store, threads=1)["played"]
/// 12
/// >>> experiment.run(store)["played"]
/// 0
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Experiment {
    pub(crate) what: What,
    source: Source,
}

/// An experiment of either kind, with the part of it that was asked for.
#[derive(Clone)]
pub(crate) enum What {
    Matches(Arc<MatchExperiment>),
    Bandits(Arc<BanditExperiment>, u64),
}

/// What an experiment can be made again from.
#[derive(Clone)]
struct Source {
    definition: Definition,
    folder: PathBuf,
    part: ExperimentPart,
}

/// The part of an experiment that the arguments ask for.
fn chosen_part(
    quick: bool,
    only: Option<OnlyArgument>,
    games: Option<u64>,
    runs: Option<u64>,
) -> PyResult<ExperimentPart> {
    let wrong = |sentence: &str| Err(bad_input(sentence));
    match (games, runs) {
        (Some(_), _) | (_, Some(_)) if quick => {
            return wrong("quick sets the number of games or runs: leave out one or the other");
        }
        (Some(0 | 1_000_000_001..), _) => return wrong("games are from 1 to 1,000,000,000"),
        (_, Some(0..2 | 1_000_000_000_001..)) => return wrong("runs are from 2 to 1,000,000,000,000"),
        _ => {}
    }
    let OnlyArgument(words) = only.unwrap_or_default();
    let patterns = words.iter().map(|words| words.parse()).collect::<Result<Vec<_>, _>>();
    Ok(ExperimentPart {
        size: if quick { ExperimentSize::Quick } else { ExperimentSize::Full },
        games,
        runs,
        cells: CellFilter(patterns.map_err(bad_input)?),
    })
}

/// Words that choose cells: one text, or several of which one is enough.
#[derive(Default)]
pub(crate) struct OnlyArgument(Vec<String>);

impl<'py> FromPyObject<'_, 'py> for OnlyArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<OnlyArgument> {
        match (value.extract::<String>(), value.extract::<Vec<String>>()) {
            (Ok(words), _) => Ok(OnlyArgument(vec![words])),
            (_, Ok(several)) => Ok(OnlyArgument(several)),
            _ => Err(wrong_kind(&value, "words that cells have, or a list of such texts")),
        }
    }
}

impl Experiment {
    fn of(source: Source) -> PyResult<Experiment> {
        let experiment =
            tesuji_arena::Experiment::parse(source.definition.clone(), &source.folder).map_err(bad_input)?;
        let what = match experiment {
            tesuji_arena::Experiment::Matches(experiment) => {
                What::Matches(Arc::new(source.part.of_matches(experiment).map_err(bad_input)?))
            }
            tesuji_arena::Experiment::Tuning(tuning) => {
                let sentence = format!("{} is a tuning: the command tesuji tune plays it", tuning.name());
                return Err(bad_input(sentence));
            }
            tesuji_arena::Experiment::Bandits(experiment) => {
                let runs = source.part.runs_of(&experiment).map_err(bad_input)?;
                What::Bandits(Arc::new(experiment), runs)
            }
        };
        Ok(Experiment { what, source })
    }

    /// The result of a task, computed without the GIL. `paused` has the games of it that continue.
    fn work(&self, py: Python<'_>, part: usize, indices: &[u64], paused: &[PausedGame]) -> PyResult<String> {
        let build = BUILD.fingerprint;
        match &self.what {
            What::Matches(experiment) => {
                if part >= experiment.cells.len() {
                    return Err(bad_input(format!(
                        "there is no cell {part}: there are {}",
                        experiment.cells.len()
                    )));
                }
                let landed = interruptible(py, |cancel| {
                    let mut worker = Worker::new(experiment).of_build(build);
                    let play = |index: &u64| {
                        let paused = paused.iter().find(|game| game.address.index == *index);
                        worker.play_on(part, *index, paused, cancel)
                    };
                    indices
                        .iter()
                        .map(play)
                        .take_while(|_| !cancel.load(Ordering::Relaxed))
                        .collect::<Vec<_>>()
                })?;
                serde_json::to_string(&landed).map_err(|error| PyRuntimeError::new_err(error.to_string()))
            }
            What::Bandits(experiment, runs) => {
                let rows = interruptible(py, |cancel| {
                    let settings = MeasureSettings {
                        runs: *runs,
                        build,
                        threads: 1,
                        interrupt: cancel,
                        progress: &|_| {},
                    };
                    experiment.measure_group(part, &settings)
                })?;
                let rows = rows.map_err(measuring)?;
                serde_json::to_string(&rows).map_err(|error| PyRuntimeError::new_err(error.to_string()))
            }
        }
    }
}

#[pymethods]
impl Experiment {
    /// Read an experiment's file.
    ///
    /// Parameters
    /// ----------
    /// path : path
    ///     The TOML file, or the name of a built-in experiment of the papers, such as
    ///     ``"shuss-table1"``.
    /// quick : bool, default: False
    ///     Take the smaller version that the file defines.
    /// only : str or list of str, optional
    ///     Take only cells that have these words. Blanks between words mean *and*, ``|`` means *or*.
    /// games : int, optional
    ///     Games of each cell, instead of what the file says.
    /// runs : int, optional
    ///     Runs of each cell on bandits, instead of what the file says.
    ///
    /// Returns
    /// -------
    /// Experiment
    ///     The experiment, or the part that was asked for.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the file is not an experiment; the sentence names the line.
    #[staticmethod]
    #[pyo3(signature = (path, *, quick = false, only = None, games = None, runs = None))]
    fn read(
        path: PathBuf,
        quick: bool,
        only: Option<OnlyArgument>,
        #[pyo3(from_py_with = whole_or_none)] games: Option<u64>,
        #[pyo3(from_py_with = whole_or_none)] runs: Option<u64>,
    ) -> PyResult<Experiment> {
        let part = chosen_part(quick, only, games, runs)?;
        if let Some((name, text)) = tesuji::papers::experiment(&path.to_string_lossy())
            && !path.exists()
        {
            let definition =
                Definition::built_in(name, text, &tesuji::papers::PUBLISHED).map_err(bad_input)?;
            return Experiment::of(Source { definition, folder: PathBuf::new(), part });
        }
        let experiment = tesuji_arena::Experiment::read(&path).map_err(bad_input)?;
        let definition = match experiment {
            tesuji_arena::Experiment::Matches(experiment) => experiment.definition,
            tesuji_arena::Experiment::Bandits(experiment) => experiment.definition,
            tesuji_arena::Experiment::Tuning(tuning) => tuning.definition,
        };
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Experiment::of(Source { definition, folder, part })
    }

    /// Read an experiment's text.
    ///
    /// Parameters
    /// ----------
    /// text : str
    ///     The text of a TOML file.
    /// name : str, default: 'experiment'
    ///     The name. Experiments with different names have different random numbers.
    /// quick : bool, default: False
    ///     Take the smaller version that the text defines.
    /// only : str or list of str, optional
    ///     Take only cells that have these words. Blanks between words mean *and*, ``|`` means *or*.
    /// games : int, optional
    ///     Games of each cell, instead of what the text says.
    /// runs : int, optional
    ///     Runs of each cell on bandits, instead of what the text says.
    ///
    /// Returns
    /// -------
    /// Experiment
    ///     The experiment, or the part that was asked for.
    #[staticmethod]
    #[pyo3(signature = (text, name = "experiment", *, quick = false, only = None, games = None, runs = None))]
    fn parse(
        text: &str,
        name: &str,
        quick: bool,
        only: Option<OnlyArgument>,
        #[pyo3(from_py_with = whole_or_none)] games: Option<u64>,
        #[pyo3(from_py_with = whole_or_none)] runs: Option<u64>,
    ) -> PyResult<Experiment> {
        let part = chosen_part(quick, only, games, runs)?;
        let definition = Definition::built_in(name, text, &[]).map_err(bad_input)?;
        Experiment::of(Source { definition, folder: PathBuf::new(), part })
    }

    /// Make an experiment again from its pickle.
    #[staticmethod]
    fn _again(
        name: String,
        text: String,
        beside: BTreeMap<String, String>,
        folder: PathBuf,
        part: PartValues,
    ) -> PyResult<Experiment> {
        let (quick, only, games, runs) = part;
        let part = chosen_part(quick, Some(OnlyArgument(only)), games, runs)?;
        Experiment::of(Source { definition: Definition { name, text, beside }, folder, part })
    }

    /// The experiment's name: that of its file.
    #[getter]
    fn name(&self) -> &str {
        &self.source.definition.name
    }

    /// The title, for people.
    #[getter]
    fn title(&self) -> &str {
        match &self.what {
            What::Matches(experiment) => &experiment.title,
            What::Bandits(experiment, _) => &experiment.title,
        }
    }

    /// The kind of experiment: ``'matches'`` or ``'bandits'``.
    #[getter]
    fn kind(&self) -> &'static str {
        match &self.what {
            What::Matches(_) => "matches",
            What::Bandits(..) => "bandits",
        }
    }

    /// The address in stores: 32 digits, computed from everything that the games depend on.
    #[getter]
    fn address(&self) -> String {
        match &self.what {
            What::Matches(experiment) => experiment.address.to_string(),
            What::Bandits(experiment, _) => experiment.address().to_string(),
        }
    }

    /// The number of games of each cell; on bandits, of runs.
    #[getter]
    fn games(&self) -> u64 {
        match &self.what {
            What::Matches(experiment) => experiment.games,
            What::Bandits(_, runs) => *runs,
        }
    }

    /// The text of the file.
    #[getter]
    fn text(&self) -> &str {
        &self.source.definition.text
    }

    /// The cells as a table.
    ///
    /// Columns of matches: ``id``, ``key``, ``game``, ``player``, ``opponent``. Columns on bandits:
    /// ``panel``, ``series``, ``group``, ``arms``, ``policy``, ``budget``.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.what {
            What::Matches(experiment) => {
                let cells = &experiment.cells;
                Columns::new(py)
                    .texts("id", cells.iter().map(|cell| cell.id.clone()))?
                    .texts("key", cells.iter().map(|cell| cell.key.clone()))?
                    .texts("game", cells.iter().map(|cell| cell.game.to_string()))?
                    .texts("player", cells.iter().map(|cell| cell.player.to_string()))?
                    .texts("opponent", cells.iter().map(|cell| cell.opponent.to_string()))?
                    .array()
            }
            What::Bandits(experiment, _) => {
                let panels = experiment.panels.iter();
                let cells: Vec<_> = panels
                    .flat_map(|panel| panel.entries.iter().map(move |entry| (&panel.title, entry)))
                    .collect();
                Columns::new(py)
                    .texts("panel", cells.iter().map(|(title, _)| (*title).clone()))?
                    .texts("series", cells.iter().map(|(_, entry)| entry.series.clone()))?
                    .texts("group", cells.iter().map(|(_, entry)| entry.group.clone()))?
                    .texts("arms", cells.iter().map(|(_, entry)| entry.arms.to_string()))?
                    .texts("policy", cells.iter().map(|(_, entry)| entry.policy.to_string()))?
                    .column("budget", "u8", cells.iter().map(|(_, entry)| entry.budget))?
                    .array()
            }
        }
    }

    /// Play the missing games, or on bandits measure the missing cells.
    ///
    /// Ctrl-C ends the run; the results so far are in the store, and the same call continues.
    ///
    /// Parameters
    /// ----------
    /// store : Store or path
    ///     The store. A missing file is created.
    /// threads : int, optional
    ///     How many threads work; default: one for each core.
    /// shard : str, optional
    ///     A part of the games, such as ``"1/3"``. ``Store.merge`` joins the parts.
    /// time : float, optional
    ///     No game begins after this number of seconds.
    /// progress : bool or callable, optional
    ///     ``True`` shows a line on standard error. A function is called now and then with the number
    ///     of finished games (on bandits: runs), and of all.
    ///
    /// Returns
    /// -------
    /// dict
    ///     For matches: how many games were ``played`` now, how many of them were ``voids``, and how
    ///     many are still ``missing``. On bandits: how many cells were ``measured``, and are ``missing``.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If an argument or the store is wrong.
    /// RuntimeError
    ///     If an external engine fails.
    #[pyo3(
        signature = (
            store, *, threads = None, shard = None, time = None, progress = ProgressArgument::Nobody
        ),
        text_signature = "($self, store, *, threads=None, shard=None, time=None, progress=None)"
    )]
    fn run<'py>(
        &self,
        py: Python<'py>,
        store: StoreArgument,
        #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
        shard: Option<&str>,
        time: Option<f64>,
        progress: ProgressArgument,
    ) -> PyResult<Bound<'py, PyDict>> {
        let threads = arguments::threads(threads)?;
        let shard = read_shard(shard)?;
        let time = time.map(Duration::try_from_secs_f64).transpose().map_err(bad_input)?;
        let mut store = Store::open(&store.path()).map_err(bad_input)?;
        let build = BUILD.fingerprint;
        let summary = PyDict::new(py);
        match &self.what {
            What::Matches(experiment) => {
                let settings = RunSettings {
                    shard,
                    deadline: time.and_then(|time| Instant::now().checked_add(time)),
                    build: build.to_owned(),
                    ..RunSettings::on_threads(threads)
                };
                let meter = progress.meter(py, "games")?;
                let played = play(py, experiment, &mut store, &settings, &meter)?;
                summary.set_item("played", played.played)?;
                summary.set_item("voids", played.voids)?;
                summary.set_item("missing", played.missing)?;
            }
            What::Bandits(experiment, runs) => {
                if shard != Shard::WHOLE || time.is_some() {
                    let name = experiment.name();
                    return Err(bad_input(format!(
                        "{name} is on bandits, and shard and time are for matches"
                    )));
                }
                let measured = missing(experiment, &mut store, *runs, build)?;
                let meter = progress.meter(py, "runs")?;
                let (done, wanted) = (AtomicU64::new(0), experiment.n_runs(*runs));
                let work = |interrupt: &_| {
                    let tell = |more| {
                        let done = done.fetch_add(more, Ordering::Relaxed) + more;
                        meter.set(Completion { done, wanted });
                    };
                    let settings =
                        MeasureSettings { runs: *runs, build, threads, interrupt, progress: &tell };
                    experiment.run(&settings, &mut store)
                };
                interruptible_telling(py, work, |py| meter.tell(py))?.map_err(measuring)?;
                summary.set_item("measured", measured)?;
                summary.set_item("missing", 0)?;
            }
        }
        Ok(summary)
    }

    /// Do one task of a ``Campaign``, on one thread and without a store. Workers call it.
    ///
    /// Parameters
    /// ----------
    /// task : tuple
    ///     The task, as ``Campaign.next`` returned it.
    /// paused : bytes, optional
    ///     What ``Campaign.paused`` returned: these games are continued.
    ///
    /// Returns
    /// -------
    /// bytes
    ///     The results, for ``Campaign.take``.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no such cell, or ``paused`` cannot be read.
    #[pyo3(signature = (task, paused = None))]
    fn work_on<'py>(
        &self,
        py: Python<'py>,
        task: (usize, Vec<u64>),
        paused: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let paused: Vec<PausedGame> = match paused {
            Some(text) => serde_json::from_slice(text)
                .map_err(|error| bad_input(format!("paused is what Campaign.paused returns: {error}")))?,
            None => Vec::new(),
        };
        let text = self.work(py, task.0, &task.1, &paused)?;
        Ok(PyBytes::new(py, text.as_bytes()))
    }

    fn __repr__(&self) -> String {
        let (name, games) = (self.name(), self.games());
        match &self.what {
            What::Matches(experiment) => {
                format!("Experiment('{name}', {} cells, {games} games each)", experiment.cells.len())
            }
            What::Bandits(experiment, _) => {
                let cells: usize = experiment.panels.iter().map(|panel| panel.entries.len()).sum();
                format!("Experiment('{name}', {cells} cells, {games} runs each)")
            }
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Again)> {
        let Source { definition, folder, part } = slf.get().source.clone();
        let Definition { name, text, beside } = definition;
        let folder = folder.to_string_lossy().into_owned();
        let ExperimentPart { size, games, runs, cells } = part;
        let only = cells.0.iter().map(ToString::to_string).collect();
        let part = (size == ExperimentSize::Quick, only, games, runs);
        Ok((slf.get_type().getattr("_again")?, (name, text, beside, folder, part)))
    }
}

/// The arguments of `_again`.
type Again = (String, String, BTreeMap<String, String>, String, PartValues);

/// The arguments `quick`, `only`, `games` and `runs`, for pickle.
type PartValues = (bool, Vec<String>, Option<u64>, Option<u64>);

/// How many measurements a store does not hold.
fn missing(experiment: &Arc<BanditExperiment>, store: &mut Store, runs: u64, build: &str) -> PyResult<u64> {
    let experiment: &BanditExperiment = experiment;
    let campaign = tesuji_arena::BanditCampaign::open(experiment, store, runs, build).map_err(measuring)?;
    Ok(campaign.summary().missing)
}

/// Plays what a store does not hold.
pub(crate) fn play(
    py: Python<'_>,
    experiment: &MatchExperiment,
    store: &mut Store,
    settings: &RunSettings,
    meter: &Meter,
) -> PyResult<tesuji_arena::Summary> {
    let work = |interrupt: &_| {
        let mut tell = |told: &Progress<'_>| meter.set(told.total());
        experiment.run_watched(settings, store, interrupt, &mut tell)
    };
    interruptible_telling(py, work, |py| meter.tell(py))?.map_err(running)
}

/// A part of the games, or the whole.
pub(crate) fn read_shard(shard: Option<&str>) -> PyResult<Shard> {
    shard.map_or(Ok(Shard::WHOLE), |text| text.parse().map_err(bad_input))
}

/// What stops a run: bad files and networks are a `ValueError`, engines that fail a `RuntimeError`.
pub(crate) fn running(error: RunError) -> PyErr {
    match error {
        RunError::Store(_) | RunError::Stray { .. } | RunError::Network(_) | RunError::Planned(_) => {
            bad_input(error)
        }
        other => PyRuntimeError::new_err(other.to_string()),
    }
}

/// The same of measurements.
pub(crate) fn measuring(error: MeasureError) -> PyErr {
    match error {
        MeasureError::Laboratory(_) | MeasureError::Store(_) => bad_input(error),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}
