//! Many positions searched side by side.
//!
//! Each search has a thread of its own, without the GIL. A network written in Python is asked about the
//! leaves of all searches in one batch ([`Shared`]). Only the thread that called `search_all` calls it:
//! libraries such as PyTorch keep settings, memory and threads for each thread that calls them. So the
//! thread that evaluates a batch sends it there as a [`Question`] and waits for the answer.
//!
//! It cannot deadlock: threads that search never attach to Python, and they hold no lock while they wait.
//! The caller's thread holds the GIL only while it answers, and then waits for no search.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyString;
use tesuji_arena::Completion;
use tesuji_catalog::BudgetSpec;
use tesuji_core::{NetworkForm, Seed};
use tesuji_net::{Evaluations, Evaluator, NetError, Shared};
use tesuji_search::{Limits, PlayerConfig, Report};

use super::Player;
use crate::arguments::{self, SeedArgument, wrong_kind};
use crate::decision::Decision;
use crate::errors::bad_input;
use crate::game::Game;
use crate::interrupt::interruptible_asking;
use crate::network::{CallableEvaluator, fill_blank, with_evaluator};
use crate::position::Position;
use crate::progress::Meter;

/// The most positions of one batch.
const MOST_IN_BATCH: usize = 1024;

/// The most searches at the same time.
const MOST_TOGETHER: usize = 1024;

/// A position that is to be searched.
struct Job<'a> {
    position: &'a Position,
    limits: Limits<'static>,
    seed: Seed,
}

/// What a search found, and how long it took.
type Found = (Report<String>, Duration);

impl Job<'_> {
    fn new(position: &Position, budget: BudgetSpec, seed: Seed) -> Job<'_> {
        let limits = Limits::of(budget.at_ply(position.ply())).with_confidence();
        Job { position, limits, seed }
    }

    /// Searches with a new player, so that no search depends on those before it.
    fn search(&self, config: &PlayerConfig, cancel: &AtomicBool) -> Found {
        let begin = Instant::now();
        let limits = Limits { cancel: Some(cancel), ..self.limits };
        let game = &*self.position.game;
        let report = config.player().search(&*game.sight(), &limits, self.seed, None);
        (game.in_words(report), begin.elapsed())
    }
}

/// A batch of positions for a callable, which the thread that called `search_all` answers.
struct Question {
    planes: Vec<f32>,
    /// Memory for the answer.
    evaluations: Evaluations,
    answer: SyncSender<Evaluations>,
}

/// The callable, as the threads that search see it.
struct AskingEvaluator {
    form: NetworkForm,
    has_move_values: bool,
    questions: Sender<Question>,
}

impl Evaluator for AskingEvaluator {
    fn form(&self) -> &NetworkForm {
        &self.form
    }

    fn evaluate(&self, planes: &[f32], evaluations: &mut Evaluations) -> Result<(), NetError> {
        let (answer, answered) = sync_channel(1);
        let question = Question { planes: planes.to_vec(), evaluations: std::mem::take(evaluations), answer };
        let nobody = |_| NetError("nobody answers for the network any more".to_owned());
        self.questions.send(question).map_err(nobody)?;
        match answered.recv() {
            Ok(found) => *evaluations = found,
            // The callable raised, or somebody interrupted us.
            Err(_) => fill_blank(evaluations, &self.form, planes.len() / self.form.size()),
        }
        if !self.has_move_values {
            evaluations.move_values.clear();
        }
        Ok(())
    }

    fn has_move_values(&self) -> bool {
        self.has_move_values
    }

    /// Libraries may add up in another order for another size of the batch.
    fn is_exact(&self) -> bool {
        false
    }
}

impl Player {
    /// Searches the positions on at most this number of threads, in this order.
    pub(super) fn search_side_by_side<'py>(
        &self,
        py: Python<'py>,
        positions: Vec<Bound<'py, Position>>,
        budget: BudgetSpec,
        seeds: &[Seed],
        together: usize,
        meter: &Meter,
    ) -> PyResult<Vec<Decision>> {
        let form = positions.first().and_then(|position| position.get().game.sight().network_form());
        if let Some(position) = positions.first() {
            position.get().spec.check_player(&self.config(form.clone())).map_err(bad_input)?;
        }
        let callable = self.network.as_ref().zip(form);
        let callable = callable.map(|(network, form)| network.evaluator(self.spec.config(), form));
        // Without a callable, batches gain nothing.
        let most = if callable.is_some() { together } else { together.min(arguments::threads(None)?) };
        let jobs = positions.iter().zip(seeds);
        let jobs: Vec<Job<'_>> =
            jobs.map(|(position, &seed)| Job::new(position.get(), budget, seed)).collect();
        let n_done = AtomicU64::new(0);
        let work = |cancel: &AtomicBool, questions: Sender<Question>| {
            let config = match &callable {
                Some(callable) => shared_config(self.spec.config(), callable, questions),
                None => self.spec.config().clone(),
            };
            search_jobs(&jobs, &config, most, cancel, &n_done)
        };
        let answer = |py: Python<'_>, Question { planes, mut evaluations, answer }: Question| {
            let callable = callable.as_ref().expect("only searches with a callable ask");
            callable.ask(py, &planes, &mut evaluations)?;
            // It waits until it has the answer.
            let _ = answer.send(evaluations);
            Ok(())
        };
        let tell = |py: Python<'_>| {
            meter.set(Completion { done: n_done.load(Ordering::Relaxed), wanted: jobs.len() as u64 });
            meter.tell(py)
        };
        let found = interruptible_asking(py, work, answer, tell)?;
        let decision = |(position, (report, time))| Decision::of_ours(report, position, time);
        Ok(positions.into_iter().zip(found).map(decision).collect())
    }
}

/// The configuration with a network whose batches are shared by all players that are made of it.
fn shared_config(
    config: &PlayerConfig,
    callable: &CallableEvaluator,
    questions: Sender<Question>,
) -> PlayerConfig {
    let form = callable.form().clone();
    let inner = AskingEvaluator { form, has_move_values: callable.wants_move_values(), questions };
    with_evaluator(config, Arc::new(Shared::new(Arc::new(inner), MOST_IN_BATCH)))
}

/// Searches all positions, on at most this number of threads. Returns fewer than all if it is cancelled.
fn search_jobs(
    jobs: &[Job<'_>],
    config: &PlayerConfig,
    most: usize,
    cancel: &AtomicBool,
    n_done: &AtomicU64,
) -> Vec<Found> {
    let next = AtomicUsize::new(0);
    let search_some = || {
        let mut found = Vec::new();
        while !cancel.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(index) else { break };
            found.push((index, job.search(config, cancel)));
            n_done.fetch_add(1, Ordering::Relaxed);
        }
        found
    };
    let work = || {
        let done = catch_unwind(AssertUnwindSafe(search_some));
        // A panic is a fault of ours; the other searches must not go on for hours before anybody hears of it.
        cancel.fetch_or(done.is_err(), Ordering::Relaxed);
        done
    };
    let mut found: Vec<(usize, Found)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..most.min(jobs.len())).map(|_| scope.spawn(work)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, thread::Result<Vec<_>>>| {
            worker.join().flatten().unwrap_or_else(|panic| resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    });
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, found)| found).collect()
}

/// Reads positions of one built-in game.
pub(super) fn read_positions<'py>(positions: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, Position>>> {
    let wrong = || wrong_kind(positions, "positions of a built-in game, as a list or another iterable");
    // Text is an iterable too, of letters.
    if positions.is_instance_of::<PyString>() || !positions.hasattr("__iter__")? {
        return Err(wrong());
    }
    let mut read: Vec<Bound<'py, Position>> = Vec::new();
    for (index, position) in positions.try_iter()?.enumerate() {
        let position = position?;
        let Ok(position) = position.cast::<Position>() else {
            return Err(wrong_position(&position, index));
        };
        let spec = &position.get().spec;
        if let Some(first) = read.first().map(|first| &first.get().spec)
            && first != spec
        {
            return Err(bad_input(format!(
                "the positions are of one game, and position {index} is of {spec}, not of {first}"
            )));
        }
        read.push(position.clone());
    }
    Ok(read)
}

/// What is not a position of a built-in game.
fn wrong_position(value: &Bound<'_, PyAny>, index: usize) -> PyErr {
    if value.is_instance_of::<PyString>() || value.is_instance_of::<Game>() {
        return wrong_kind(value, &format!("a Position as position {index}"));
    }
    let allowed = format!(
        "a Position of a built-in game as position {index}, since games written in Python are searched one \
         position at a time"
    );
    wrong_kind(value, &allowed)
}

/// Reads the seeds of `n` positions: one for all, or one for each.
pub(super) fn read_seeds(
    seed: Option<SeedArgument>,
    seeds: Option<&Bound<'_, PyAny>>,
    n: usize,
) -> PyResult<Vec<Seed>> {
    let Some(seeds) = seeds else {
        let seed = seed.unwrap_or(SeedArgument::Number(1)).seed()?;
        return Ok(vec![seed; n]);
    };
    if seed.is_some() {
        return Err(bad_input("searches have 'seed' or 'seeds', not both"));
    }
    if seeds.is_instance_of::<PyString>() || !seeds.hasattr("__iter__")? {
        return Err(wrong_kind(seeds, "seeds, one for each position, as a list or another iterable"));
    }
    // There may be no end of them.
    let seeds = seeds.try_iter()?.take(n + 1).map(|seed| seed?.extract::<SeedArgument>()?.seed());
    let seeds: Vec<Seed> = seeds.collect::<PyResult<_>>()?;
    if seeds.len() != n {
        let relation = if seeds.len() > n { "more seeds" } else { "fewer seeds" };
        return Err(bad_input(format!(
            "every position has one seed, and there are {relation} than {n} positions"
        )));
    }
    Ok(seeds)
}

/// Reads how many positions are searched at the same time.
pub(super) fn read_together(together: usize) -> PyResult<usize> {
    match together {
        1..=MOST_TOGETHER => Ok(together),
        _ => Err(bad_input(format!("together is from 1 to {MOST_TOGETHER}, not {together}"))),
    }
}
