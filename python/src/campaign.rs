//! A run of an experiment by workers elsewhere: tasks go out, results come back.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use tesuji_arena::{
    BanditCampaign, BanditExperiment, Chunk, Completion, FinishedGame, GameSlot, MatchExperiment,
    MeasureSummary, PausedGame, RunEvent, RunSettings, Store,
};

use crate::arguments::whole;
use crate::errors::bad_input;
use crate::experiment::{Experiment, What, measuring, read_shard, running};
use crate::store::StoreArgument;

/// A run of an experiment by your own workers: it hands out tasks and stores the results.
///
/// Only the campaign writes the store. ``tesuji.ray`` uses it, and any other pool of workers can. A
/// task is a pair: the number of a cell, and the indices of some of its games. On bandits the
/// list of indices is empty.
///
/// Parameters
/// ----------
/// experiment : Experiment
///     The experiment.
/// store : Store or path
///     The store. A missing file is created.
/// shard : str, optional
///     A part of the games, such as ``"1/3"``.
/// workers : int, default: 1
///     The number of workers, for estimates of the remaining time.
/// most_voids : int, default: 2
///     ``take`` raises after this number of void games of one cell in a row.
///
/// Raises
/// ------
/// ValueError
///     If an argument or the store is wrong.
///
/// Examples
/// --------
/// >>> import tempfile, pathlib
/// >>> experiment = Experiment.parse('''
/// ... title = "Small"
/// ... seed = 1
/// ... games = 5
/// ... [[grid]]
/// ... game = "hex:3"
/// ... player = "uct@20"
/// ... opponent = "random"
/// ... ''', name="small")
/// >>> campaign = Campaign(experiment, pathlib.Path(tempfile.mkdtemp()) / "small.db")
/// >>> first, second = campaign.next(3), campaign.next(3)
/// >>> first, second, campaign.next(3)
/// ((0, [0, 1, 2]), (0, [3, 4]), None)
/// >>> campaign.take(first, experiment.work_on(first))
/// >>> campaign.lost(second)
/// >>> campaign.progress, campaign.next(1)
/// ((3, 5), (0, [3]))
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Campaign(Kind);

enum Kind {
    Matches(Box<tesuji_arena::Campaign<Arc<MatchExperiment>, Store>>),
    Bandits(Box<BanditCampaign<Arc<BanditExperiment>, Store>>),
}

/// A cell's place and the indices of games.
type Task = (usize, Vec<u64>);

#[pymethods]
impl Campaign {
    #[new]
    #[pyo3(signature = (experiment, store, *, shard = None, workers = 1, most_voids = 2))]
    fn new(
        experiment: &Experiment,
        store: StoreArgument,
        shard: Option<&str>,
        #[pyo3(from_py_with = whole)] workers: usize,
        #[pyo3(from_py_with = whole)] most_voids: u32,
    ) -> PyResult<Campaign> {
        let shard = read_shard(shard)?;
        let build = tesuji::BUILD.fingerprint;
        let store = Store::open(&store.path()).map_err(bad_input)?;
        Ok(Campaign(match &experiment.what {
            What::Matches(experiment) => {
                let settings = RunSettings { shard, most_voids, ..RunSettings::on_threads(workers) };
                let campaign = tesuji_arena::Campaign::open(experiment.clone(), store, settings);
                Kind::Matches(Box::new(campaign.map_err(bad_input)?))
            }
            What::Bandits(experiment, runs) => {
                if shard != tesuji_arena::Shard::WHOLE {
                    let name = experiment.name();
                    return Err(bad_input(format!("{name} is on bandits, and shard is for matches")));
                }
                let campaign = BanditCampaign::open(experiment.clone(), store, *runs, build);
                Kind::Bandits(Box::new(campaign.map_err(measuring)?))
            }
        }))
    }

    /// Return the next task.
    ///
    /// Parameters
    /// ----------
    /// most : int, default: 1
    ///     The most games of a task.
    /// seconds : float, optional
    ///     How long the task should take. It counts once a few games are back and their time is known.
    ///
    /// Returns
    /// -------
    /// tuple or None
    ///     The task; ``None`` if all games are handed out. Lost games are handed out again.
    #[pyo3(signature = (most = 1, *, seconds = None))]
    fn next(&self, #[pyo3(from_py_with = whole)] most: usize, seconds: Option<f64>) -> Option<Task> {
        match &self.0 {
            Kind::Matches(campaign) => {
                let chunk = match seconds {
                    Some(seconds) => campaign.chunk_lasting(seconds, most),
                    None => campaign.chunk(most),
                };
                chunk.map(|chunk| (chunk.cell, chunk.indices))
            }
            Kind::Bandits(campaign) => campaign.next().map(|group| (group, Vec::new())),
        }
    }

    /// Return the games of a task that an earlier run paused, for ``Experiment.work_on``.
    ///
    /// Workers that do not get them play these games from their beginnings. The results are the same.
    ///
    /// Parameters
    /// ----------
    /// task : tuple
    ///     The task.
    ///
    /// Returns
    /// -------
    /// bytes or None
    ///     The paused games; ``None`` if there are none.
    fn paused<'py>(&self, py: Python<'py>, task: Task) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Kind::Matches(campaign) = &self.0 else { return Ok(None) };
        let (cell, indices) = task;
        let paused = |index: u64| campaign.paused(GameSlot { cell, index });
        let games: Vec<&PausedGame> = indices.into_iter().filter_map(paused).collect();
        if games.is_empty() {
            return Ok(None);
        }
        let text = serde_json::to_vec(&games).map_err(bad_input)?;
        Ok(Some(PyBytes::new(py, &text)))
    }

    /// Store the results of a task. Games that are not in the results count as lost.
    ///
    /// Parameters
    /// ----------
    /// task : tuple
    ///     The task.
    /// result : bytes
    ///     What ``Experiment.work_on`` returned.
    ///
    /// Raises
    /// ------
    /// RuntimeError
    ///     If too many games in a row were void.
    fn take(&self, py: Python<'_>, task: Task, result: &[u8]) -> PyResult<()> {
        let (part, indices) = task;
        match &self.0 {
            Kind::Matches(campaign) => {
                let finished: Vec<FinishedGame> = serde_json::from_slice(result).map_err(bad_input)?;
                let chunk = Chunk { cell: part, indices };
                py.detach(|| campaign.take_chunk(&chunk, &finished)).map_err(running)
            }
            Kind::Bandits(campaign) => {
                let rows: Vec<_> = serde_json::from_slice(result).map_err(bad_input)?;
                py.detach(|| campaign.take(part, &rows)).map_err(measuring)
            }
        }
    }

    /// Report that a worker died. The games of its task are handed out again.
    ///
    /// Parameters
    /// ----------
    /// task : tuple
    ///     The task.
    fn lost(&self, task: Task) -> PyResult<()> {
        let (part, indices) = task;
        match &self.0 {
            Kind::Matches(campaign) => {
                indices.into_iter().try_for_each(|index| campaign.lost(part, index)).map_err(running)
            }
            Kind::Bandits(campaign) => {
                campaign.lost(part);
                Ok(())
            }
        }
    }

    /// The number of finished games (on bandits: runs), and of all.
    #[getter]
    fn progress(&self) -> (u64, u64) {
        let Completion { done, wanted } = match &self.0 {
            Kind::Matches(campaign) => campaign.progress(RunEvent::Begin).total(),
            Kind::Bandits(campaign) => campaign.progress(),
        };
        (done, wanted)
    }

    /// The counts so far: the dictionary that ``Experiment.run`` returns.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let summary = PyDict::new(py);
        match &self.0 {
            Kind::Matches(campaign) => {
                let came_to = campaign.summary();
                summary.set_item("played", came_to.played)?;
                summary.set_item("voids", came_to.voids)?;
                summary.set_item("missing", came_to.missing)?;
            }
            Kind::Bandits(campaign) => {
                let MeasureSummary { measured, missing } = campaign.summary();
                summary.set_item("measured", measured)?;
                summary.set_item("missing", missing)?;
            }
        }
        Ok(summary)
    }
}
