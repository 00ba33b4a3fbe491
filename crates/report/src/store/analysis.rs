//! The games of a store with what searches said of their moves, for other programs.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use serde::Serialize;
use tesuji_arena::record::Game;
use tesuji_arena::{
    AnalysisError, AnalysisSource, Cell, Experiment, GameAnalysis, MatchExperiment, MoveAnalysis,
    MoveNumbers, Store, StoreError,
};
use tesuji_core::Side;

use super::{GameRecord, StoreFilter};
use crate::search::{AnalysisJson, analysed};

/// Which games are analysed, and how.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisOptions<'a> {
    /// The part of the store.
    pub filter: &'a StoreFilter,
    /// Where the numbers come from.
    pub source: AnalysisSource,
    /// The number of threads. It changes no number.
    pub threads: usize,
    /// Set by another thread, it stops the analysis with [`AnalysisError::Cancelled`].
    pub cancel: &'a AtomicBool,
}

/// What an analysis of a store left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AnalysisSummary {
    /// The number of games.
    pub games: u64,
    /// The number of moves with numbers.
    pub moves: u64,
    /// The number of moves of external engines, and of players with a clock whose policies were
    /// not recorded.
    pub n_unknown: u64,
    /// The number of games without recorded policies, if the numbers come from these alone.
    pub without_policies: u64,
    /// Games that cannot be played any more and have no recorded policies, by the reason.
    pub unplayable: BTreeMap<String, u64>,
}

/// The games of a block are analysed side by side; the number of games for each thread.
const BLOCK: usize = 8;

/// A stored game to analyse.
struct Task {
    game: Game,
    policies: Option<Vec<u8>>,
}

/// Calls `with` for every game of a part of a store with its analysis, in the order of
/// [`for_each_game`](super::for_each_game). `progress` is called with the games done and all games,
/// from any thread. Stops at the first error.
pub fn for_each_analysed_game<E: From<StoreError> + From<AnalysisError>>(
    store: &Store,
    options: AnalysisOptions<'_>,
    progress: &(dyn Fn(u64, u64) + Sync),
    mut with: impl FnMut(&GameRecord, &GameAnalysis) -> Result<(), E>,
) -> Result<AnalysisSummary, E> {
    let AnalysisOptions { filter, source, threads, .. } = options;
    let mut parts = Vec::new();
    for stored in store.experiments()? {
        if filter.takes_experiment(&stored.definition.name) {
            let cells = store.cells(stored.experiment)?.into_iter();
            let cells: Vec<_> = cells.filter(|cell| filter.only.takes(cell.name())).collect();
            parts.push((stored, cells));
        }
    }
    let all = parts.iter().flat_map(|(_, cells)| cells).map(|cell| cell.games).sum();
    let mut summary = AnalysisSummary::default();
    progress(0, all);
    for (stored, cells) in &parts {
        let experiment = match stored.read() {
            Ok(Experiment::Matches(mut experiment)) => {
                experiment.cells.clear();
                Ok(experiment)
            }
            Ok(Experiment::Tuning(tuning)) => tuning.without_cells().map_err(|error| error.to_string()),
            Ok(Experiment::Bandits(_)) => continue,
            Err(error) => Err(error.to_string()),
        };
        for stored_cell in cells {
            let games = store.games(stored.experiment, &stored_cell.key)?;
            let Some(first) = games.first() else { continue };
            let cell = store.cell(&first.address).map_err(|error| error.to_string());
            let played = match (&experiment, &cell) {
                (Ok(experiment), Ok(cell)) => Ok((experiment, cell)),
                (Err(reason), _) | (_, Err(reason)) => Err(reason),
            };
            for block in games.chunks(BLOCK * threads.max(1)) {
                let task =
                    |game: &Game| Ok(Task { game: game.clone(), policies: store.policies(&game.address)? });
                let tasks = block.iter().map(task).collect::<Result<Vec<Task>, StoreError>>()?;
                let analyses = match played {
                    Ok((experiment, cell)) => {
                        let (done, begun) = (AtomicU64::new(0), summary.games);
                        let one_more = || progress(begun + 1 + done.fetch_add(1, Ordering::Relaxed), all);
                        analyse_all(experiment, cell, &tasks, options, &one_more)
                    }
                    Err(reason) => tasks.iter().map(|_| Ok(Err(reason.clone()))).collect(),
                };
                for (Task { game, policies }, analysis) in tasks.into_iter().zip(analyses) {
                    let analysis = analysis?.unwrap_or_else(|reason| {
                        *summary.unplayable.entry(reason).or_default() += 1;
                        GameAnalysis::default()
                    });
                    summary.games += 1;
                    summary.moves += analysis.moves.len() as u64;
                    summary.n_unknown += analysis.n_unknown;
                    let is_without = source == AnalysisSource::Recorded && policies.is_none();
                    summary.without_policies += u64::from(is_without);
                    let about = store.circumstances(&game.address)?.unwrap_or_default();
                    let name = &stored.definition.name;
                    with(&GameRecord::new(name, stored_cell, game, about), &analysis)?;
                }
                progress(summary.games, all);
            }
        }
    }
    Ok(summary)
}

/// The analysis of a game, or why it cannot be played any more.
type Analysed = Result<Result<GameAnalysis, String>, AnalysisError>;

/// Analyses games of one cell on several threads, and calls `one_more` after each. After an error no
/// more games are begun, so results may be fewer than games; one of them is the error.
fn analyse_all(
    experiment: &MatchExperiment,
    cell: &Cell,
    tasks: &[Task],
    options: AnalysisOptions<'_>,
    one_more: &(dyn Fn() + Sync),
) -> Vec<Analysed> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done: Vec<(usize, Analysed)> = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(index) else { break done };
            let analysed = analyse(experiment, cell, task, options);
            if analysed.is_err() {
                // No more games are begun.
                next.fetch_max(tasks.len(), Ordering::Relaxed);
            }
            done.push((index, analysed));
            one_more();
        }
    };
    let mut done: Vec<(usize, Analysed)> = std::thread::scope(|scope| {
        let n_threads = options.threads.clamp(1, tasks.len());
        let workers: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, analysed)| analysed).collect()
}

fn analyse(
    experiment: &MatchExperiment,
    cell: &Cell,
    task: &Task,
    AnalysisOptions { source, cancel, .. }: AnalysisOptions<'_>,
) -> Analysed {
    if cancel.load(Ordering::Relaxed) {
        return Err(AnalysisError::Cancelled);
    }
    let policies = task.policies.as_deref();
    match experiment.analyse(cell, &task.game, policies, source, cancel) {
        Ok(analysis) => Ok(Ok(analysis)),
        Err(AnalysisError::Unplayable(_)) if policies.is_some() => {
            experiment.analyse(cell, &task.game, policies, AnalysisSource::Recorded, cancel).map(Ok)
        }
        Err(AnalysisError::Unplayable(reason)) => Ok(Err(reason.to_string())),
        Err(error) => Err(error),
    }
}

/// A game with its analysis as JSON.
#[derive(Serialize, Debug)]
pub struct AnalysedGameJson<'a> {
    #[serde(flatten)]
    game: &'a GameRecord,
    analysis: Vec<MoveAnalysisJson<'a>>,
}

impl<'a> AnalysedGameJson<'a> {
    /// The JSON of a game and its analysis.
    pub fn new(game: &'a GameRecord, analysis: &'a GameAnalysis) -> AnalysedGameJson<'a> {
        AnalysedGameJson { game, analysis: analysis.moves.iter().map(MoveAnalysisJson::new).collect() }
    }
}

/// What a search said that chose a move.
#[derive(Serialize, Debug)]
struct MoveAnalysisJson<'a> {
    ply: usize,
    side: Side,
    #[serde(rename = "move")]
    mv: &'a str,
    source: &'static str,
    mean: Option<f64>,
    mean_of_black: Option<f64>,
    visits: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<AnalysisJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arms: Option<Vec<RecordedArmJson<'a>>>,
}

/// What was recorded of a move.
#[derive(Serialize, Debug)]
struct RecordedArmJson<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    policy: f32,
    mean: Option<f32>,
}

impl<'a> MoveAnalysisJson<'a> {
    fn new(analysis: &'a MoveAnalysis) -> MoveAnalysisJson<'a> {
        let (source, report, arms) = match &analysis.numbers {
            MoveNumbers::Searched(searched) => {
                let report = analysed(&searched.report, searched.standing.as_ref(), usize::MAX);
                ("again", Some(report), None)
            }
            MoveNumbers::Recorded(moves) => {
                let arm = |one: &'a tesuji_arena::RecordedMove| RecordedArmJson {
                    mv: &one.mv,
                    policy: one.share,
                    mean: one.mean,
                };
                ("recorded", None, Some(moves.iter().map(arm).collect()))
            }
        };
        MoveAnalysisJson {
            ply: analysis.ply,
            side: analysis.side,
            mv: &analysis.mv,
            source,
            mean: analysis.mean(),
            mean_of_black: analysis.mean_of_black(),
            visits: analysis.visits(),
            report,
            arms,
        }
    }
}
