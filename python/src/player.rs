//! Players: they search a position and choose a move.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Instant;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tesuji_arena::Completion;
use tesuji_catalog::{BudgetSpec, GameSpec, PlayerSpec};
use tesuji_core::{NetworkForm, Seed};
use tesuji_search::{Budget, Event, Limits, PlayerConfig, Report, Sight, Steering, Watch};

use crate::arguments::{self, BudgetArgument, SeedArgument, whole_or_none};
use crate::decision::Decision;
use crate::errors::bad_input;
use crate::interrupt::interruptible_telling;
use crate::network::Callable;
use crate::own_game::{OwnGame, Table, raise, raising};
use crate::position::Position;
use crate::progress::{Meter, ProgressArgument};
use crate::searched::SearchedPosition;
use crate::steering::SteeredMoves;

/// The most samples of a search that runs on the caller's thread: it is over before anybody
/// could press Ctrl-C, and a thread of its own would cost some percent.
const SHORT: u64 = 2_000;

/// A player: it searches a position and chooses a move.
///
/// A player whose spec says ``+reuse`` keeps its tree from move to move. It thinks about one
/// position at a time, so every thread needs its own.
///
/// Parameters
/// ----------
/// spec : str
///     The player as on the command line, such as ``"rave"``, ``"sh+uct@10000"`` or
///     ``"hybrid-shuss(t=512)"``. ``players()`` lists the parts.
/// budget : int or str, optional
///     How much it thinks about a move: a number of samples, or a time such as ``"2s"``. A budget
///     in the spec, after an ``@``, wins. If neither the spec nor an argument has a budget: 10,000
///     samples.
/// network : callable, optional
///     The network of a spec with a ``net`` part, such as ``"puct+net"``, instead of the one that the
///     spec names. It is called with a batch of positions, an array of ``float32`` of shape (n, planes,
///     height, width), and returns ``(logits, values)`` or ``(logits, values, move_values)``: arrays of
///     shapes (n, n_logits), (n,) and (n, n_logits), or what numpy can convert to them. Values are
///     expected rewards of the side to move, from 0 to 1. Several threads of a search call it, one at
///     a time as far as it holds the GIL. What it raises ends the search and is raised unchanged.
///
/// Raises
/// ------
/// ValueError
///     If there is no such player; the sentence says what is allowed.
///
/// Examples
/// --------
/// >>> player = Player("uct@500")
/// >>> decision = player.search(Position("hex:3").play("a1", "c1"))
/// >>> decision.spent, decision.move in decision.arms["move"]
/// (500, True)
///
/// A network that knows nothing:
///
/// >>> import numpy as np
/// >>> def network(planes):
/// ...     n = len(planes)
/// ...     return np.zeros((n, 9)), np.full(n, 0.5)
/// >>> Player("sh+puct+net@100", network=network).search("hex:3").spent
/// 100
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Player {
    spec: PlayerSpec,
    network: Option<Arc<Callable>>,
    seat: Mutex<Seat>,
}

/// A player as it is pickled: spec with its budget, no other budget, network.
type PlayerState<'py> = (String, Option<String>, Option<Bound<'py, PyAny>>);

/// Who sits there, which depends on the game.
enum Seat {
    Empty,
    Ours(Arc<GameSpec>, Box<dyn tesuji_search::Player>),
    /// A game written in Python.
    Own(Arc<Table>, Box<dyn tesuji_search::Player>),
}

/// A search that was asked for.
struct Job {
    limits: Limits<'static>,
    steering: Steering,
    focus_budget: Budget,
    seed: Seed,
}

impl Job {
    fn search(
        &self,
        player: &mut dyn tesuji_search::Player,
        sight: &dyn Sight,
        limits: &Limits<'_>,
        watch: Option<&mut dyn Watch>,
    ) -> Report {
        self.steering.search(player, sight, limits, self.focus_budget, self.seed, watch)
    }

    /// Whether it is over before anybody could interrupt it.
    fn is_short(&self) -> bool {
        let is_short = |budget: Budget| matches!(budget, Budget::Samples(..=SHORT));
        is_short(self.limits.budget) && (self.steering.focus().is_empty() || is_short(self.focus_budget))
    }
}

/// Notes how many samples are taken.
fn note(meter: &Meter, event: Event<'_>) {
    if let Event::Progress { spent, budget, .. } = event {
        meter.set(Completion { done: spent, wanted: budget });
    }
}

impl Player {
    /// The seat, unless somebody thinks on it.
    fn seat(&self) -> PyResult<MutexGuard<'_, Seat>> {
        match self.seat.try_lock() {
            Ok(seat) => Ok(seat),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "this player is thinking already: one search at a time, or another player for each thread",
            )),
        }
    }

    fn search_ours(
        &self,
        py: Python<'_>,
        position: &Position,
        job: &Job,
        meter: &Meter,
    ) -> PyResult<Report<String>> {
        let mut seat = self.seat()?;
        let mut player = match std::mem::replace(&mut *seat, Seat::Empty) {
            Seat::Ours(game, player) if *game == *position.spec => player,
            _ => {
                let form = position.game.sight().network_form();
                position.spec.player(&self.config(form)).map_err(bad_input)?
            }
        };
        let mut search = |limits: &Limits<'_>| {
            let mut see = |event: Event<'_>| note(meter, event);
            let watch = meter.is_watched().then_some(&mut see as &mut dyn Watch);
            let report = job.search(&mut *player, &*position.game.sight(), limits, watch);
            meter.finish(report.spent);
            position.game.in_words(report)
        };
        // A network may need any time.
        let is_short = job.is_short() && !meter.is_watched() && !self.spec.config().has_network();
        let report = if is_short {
            py.detach(|| search(&job.limits))
        } else {
            let work = |cancel: &AtomicBool| search(&Limits { cancel: Some(cancel), ..job.limits });
            let report = interruptible_telling(py, work, |py| match &self.network {
                Some(network) if network.has_failed() => Err(bad_input("the network failed")),
                _ => meter.tell(py),
            });
            // The error itself says more.
            self.check_network()?;
            report?
        };
        *seat = Seat::Ours(position.spec.clone(), player);
        Ok(report)
    }

    fn search_own(
        &self,
        position: &Bound<'_, PyAny>,
        mut job: Job,
        steered: &SteeredMoves<'_>,
        meter: &Meter,
    ) -> PyResult<(Report<u32>, OwnGame)> {
        let mut seat = self.seat()?;
        let has_network = self.spec.config().has_network();
        let (table, player) = match std::mem::replace(&mut *seat, Seat::Empty) {
            Seat::Own(table, player) => (Some(table), Some(player)),
            _ => (None, None),
        };
        let suits = table.as_ref().is_some_and(|table| table.suits(position));
        // Only players that reuse trees must recognise positions, and only of the same game.
        let game = OwnGame::new(position, table.filter(|_| self.reuses() && suits), has_network)?;
        // A network is for positions of one form.
        let mut player = match player.filter(|_| suits || !has_network) {
            Some(player) => player,
            None => {
                let form = Sight::network_form(&game);
                let config = self.config(form.clone());
                config
                    .check_network(form.as_ref())
                    .map_err(|reason| bad_input(format!("{} cannot play this game: {reason}", self.spec)))?;
                config.player()
            }
        };
        if self.reuses() && !suits {
            player.forget();
        }
        job.steering = steered.of_own(position.py(), &game)?;
        // All of it runs on this thread, so the function can be called at once.
        let mut see = |event: Event<'_>| {
            note(meter, event);
            Python::attach(|py| meter.tell(py)).unwrap_or_else(|error| raise(error));
        };
        let watch = meter.is_watched().then_some(&mut see as &mut dyn Watch);
        let cancel = self.network.as_ref().map(|network| network.failure_flag());
        let limits = Limits { cancel, ..job.limits };
        let report = raising(|| job.search(&mut *player, &game, &limits, watch));
        self.check_network()?;
        let report = report?.typed();
        meter.finish(report.spent);
        meter.tell(position.py())?;
        *seat = Seat::Own(game.table().clone(), player);
        Ok((report, game))
    }

    /// The configuration, with its network for positions of this form.
    fn config(&self, form: Option<NetworkForm>) -> PlayerConfig {
        match (&self.network, form) {
            (Some(network), Some(form)) => network.config(self.spec.config(), form),
            _ => self.spec.config().clone(),
        }
    }

    /// Raises what the network raised.
    fn check_network(&self) -> PyResult<()> {
        self.network.as_ref().map_or(Ok(()), |network| network.check())
    }

    fn reuses(&self) -> bool {
        matches!(self.spec.config(), PlayerConfig::Search(search) if search.options.reuse)
    }
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (spec, budget = None, network = None))]
    fn new(
        spec: &str,
        budget: Option<BudgetArgument>,
        network: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Player> {
        let spec = arguments::player(spec, budget.as_ref())?;
        let network = network.map(|function| Callable::new(function, spec.config())).transpose()?;
        Ok(Player { spec, network, seat: Mutex::new(Seat::Empty) })
    }

    /// The callable that is the player's network; ``None`` if it has none, or the spec names it.
    #[getter]
    fn network<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.network.as_ref().map(|network| network.function().bind(py).clone())
    }

    /// The canonical text of the player.
    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// Whether the player plays the move with the most visits.
    ///
    /// If so, a move's share of the visits shows how good the player thinks it is. Roots that look
    /// for the best arm distribute their samples in another way.
    ///
    /// Examples
    /// --------
    /// >>> Player("rave").plays_most_visited, Player("sh+rave").plays_most_visited
    /// (True, False)
    #[getter]
    fn plays_most_visited(&self) -> bool {
        self.spec.config().plays_most_visited()
    }

    /// Search a position and choose a move.
    ///
    /// Equal seeds lead to equal decisions on any number of threads, unless the budget is a time.
    /// The GIL is released meanwhile, and Ctrl-C ends the search.
    ///
    /// Parameters
    /// ----------
    /// position : Position, Game, str or own game
    ///     A position; or a game or its spec, such as ``"hex:5"``, whose start is searched; or a
    ///     position of a game that is written in Python (see ``tesuji.OwnPosition``).
    /// budget : int or str, optional
    ///     A number of samples, or a time such as ``"2s"``. The player's own budget wins. If neither
    ///     the player nor this call has a budget: 10,000 samples.
    /// only, avoid : str or list, optional
    ///     The moves that the search may choose, and those that it may not, as ``"c3 d4"`` or a list.
    /// focus : str or list, optional
    ///     Moves that get more samples after the search, each ``focus_budget``; default: the
    ///     budget of the search. The choice changes only if such a move has a higher mean.
    /// focus_budget : int or str, optional
    ///     How much to think about each move of ``focus``.
    /// seed : int or str, default: 1
    ///     A whole number, or the 32 digits of a seed.
    /// threads : int, optional
    ///     How many threads search; default: one for each core. A game that is written in
    ///     Python is searched by one.
    /// until : float, optional
    ///     Stop before the budget is spent once the choice is right with this chance, such as 0.95. A
    ///     player with ``until(...)`` in its spec has its own.
    /// within : float, optional
    ///     A choice is right if its value is at most this far below the best; default: 0.
    /// progress : bool or callable, optional
    ///     ``True`` shows a line on standard error. A function is called now and then with the number of
    ///     samples so far, and of all samples.
    ///
    /// Returns
    /// -------
    /// Decision
    ///     The chosen move, and the statistics of all moves.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If an argument is wrong; the sentence says what is allowed.
    /// RuntimeError
    ///     If another thread is using this player.
    #[allow(clippy::too_many_arguments, reason = "Python names them")]
    #[pyo3(
        signature = (
            position, budget = None, *, only = None, avoid = None, focus = None, focus_budget = None,
            seed = SeedArgument::Number(1), threads = None, until = None, within = None,
            progress = ProgressArgument::Nobody
        ),
        text_signature = "($self, position, budget=None, *, only=None, avoid=None, focus=None, focus_budget=None, seed=1, threads=None, until=None, within=None, progress=None)"
    )]
    fn search(
        &self,
        py: Python<'_>,
        position: SearchedPosition<'_>,
        budget: Option<BudgetArgument>,
        only: Option<Bound<'_, PyAny>>,
        avoid: Option<Bound<'_, PyAny>>,
        focus: Option<Bound<'_, PyAny>>,
        focus_budget: Option<BudgetArgument>,
        seed: SeedArgument,
        #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
        until: Option<f64>,
        within: Option<f64>,
        progress: ProgressArgument,
    ) -> PyResult<Decision> {
        let steered = SteeredMoves { only, avoid, focus };
        let asked = budget.map(|budget| budget.budget());
        let budget = self.spec.budget().or(asked).unwrap_or(BudgetSpec::DEFAULT);
        if focus_budget.is_some() && steered.focus.is_none() {
            return Err(bad_input("'focus_budget' is only for searches with a 'focus'"));
        }
        let ply = match &position {
            SearchedPosition::BuiltIn(position) => position.get().ply(),
            SearchedPosition::Own(_) => 0,
        };
        let focus_budget = focus_budget.map_or(budget, |budget| budget.budget()).at_ply(ply);
        let budget = budget.at_ply(ply);
        let seed = seed.seed()?;
        // The player's own option wins.
        let until = arguments::until(until, within)?.filter(|_| self.spec.until().is_none());
        let limits =
            Limits { until, ..Limits::of(budget).on(arguments::threads(threads)?).with_confidence() };
        let meter = progress.meter(py, "samples")?;
        let begin = Instant::now();
        match position {
            SearchedPosition::BuiltIn(position) => {
                let steering = steered.of_ours(&*position.get().game)?;
                let job = Job { limits, steering, focus_budget, seed };
                let report = self.search_ours(py, position.get(), &job, &meter)?;
                Ok(Decision::of_ours(report, position, begin.elapsed()))
            }
            SearchedPosition::Own(position) => {
                // Python's code cannot run on two threads at once.
                let job = Job { limits: limits.on(1), steering: Steering::default(), focus_budget, seed };
                let (report, game) = self.search_own(&position, job, &steered, &meter)?;
                raising(|| Decision::of_own(report, &position, &game, begin.elapsed()))
            }
        }
    }

    /// Forget all trees: a new game begins.
    fn forget(&self) -> PyResult<()> {
        *self.seat()? = Seat::Empty;
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("Player('{}')", self.spec)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, PlayerState<'py>) {
        let player = slf.get();
        (slf.get_type().into_any(), (player.spec.to_string(), None, player.network(slf.py())))
    }
}

/// Search a position and choose a move.
///
/// ``search(position, player, budget)`` is ``Player(player).search(position, budget)``. Equal seeds
/// lead to equal decisions on any number of threads, unless the budget is a time. The GIL is
/// released meanwhile, and Ctrl-C ends the search.
///
/// Parameters
/// ----------
/// position : Position, Game, str or own game
///     A position; or a game or its spec, such as ``"hex:5"``, whose start is searched; or a
///     position of a game that is written in Python (see ``tesuji.OwnPosition``).
/// player : str, default: 'rave'
///     The player, as on the command line; ``players()`` lists the parts.
/// budget : int or str, optional
///     A number of samples, or a time such as ``"2s"``. A budget in the player's spec, after an ``@``,
///     wins. If neither has a budget: 10,000 samples.
/// only, avoid : str or list, optional
///     The moves that the search may choose, and those that it may not, as ``"c3 d4"`` or a list.
/// focus : str or list, optional
///     Moves that get more samples after the search, each ``focus_budget``; default: the
///     budget of the search. The choice changes only if such a move has a higher mean.
/// focus_budget : int or str, optional
///     How much to think about each move of ``focus``.
/// seed : int or str, default: 1
///     A whole number, or the 32 digits of a seed.
/// threads : int, optional
///     How many threads search; default: one for each core. A game that is written in
///     Python is searched by one.
/// until : float, optional
///     Stop before the budget is spent once the choice is right with this chance, such as 0.95. A
///     player with ``until(...)`` in its spec has its own.
/// within : float, optional
///     A choice is right if its value is at most this far below the best; default: 0.
/// progress : bool or callable, optional
///     ``True`` shows a line on standard error. A function is called now and then with the number of
///     samples so far, and of all samples.
/// network : callable, optional
///     The network of a player with a ``net`` part, as ``Player`` describes it.
///
/// Returns
/// -------
/// Decision
///     The chosen move, the statistics of all moves, and the rounds in which moves were cut.
///
/// Raises
/// ------
/// ValueError
///     If an argument is wrong; the sentence says what is allowed.
///
/// Examples
/// --------
/// >>> decision = search("hex:4", "sh+uct", 1000, seed=7)
/// >>> decision.move in Position("hex:4").legal_moves()
/// True
/// >>> decision.arms.dtype.names
/// ('move', 'visits', 'mean', 'standard_error', 'amaf_count', 'amaf_mean', 'score', 'q', 'policy', 'proof')
/// >>> int(decision.rounds["samples_each"].sum())
/// 1000
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "Python names them")]
#[pyo3(
    signature = (
        position, player = "rave", budget = None, *, only = None, avoid = None, focus = None,
        focus_budget = None, seed = SeedArgument::Number(1), threads = None, until = None, within = None,
        progress = ProgressArgument::Nobody, network = None
    ),
    text_signature = "(position, player='rave', budget=None, *, only=None, avoid=None, focus=None, focus_budget=None, seed=1, threads=None, until=None, within=None, progress=None, network=None)"
)]
pub(crate) fn search(
    py: Python<'_>,
    position: SearchedPosition<'_>,
    player: &str,
    budget: Option<BudgetArgument>,
    only: Option<Bound<'_, PyAny>>,
    avoid: Option<Bound<'_, PyAny>>,
    focus: Option<Bound<'_, PyAny>>,
    focus_budget: Option<BudgetArgument>,
    seed: SeedArgument,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    until: Option<f64>,
    within: Option<f64>,
    progress: ProgressArgument,
    network: Option<&Bound<'_, PyAny>>,
) -> PyResult<Decision> {
    let spec = arguments::player(player, None)?;
    let network = network.map(|function| Callable::new(function, spec.config())).transpose()?;
    // A player that does not reuse trees begins every search anew.
    let last = LAST.try_lock().ok().and_then(|mut last| last.take());
    let last = last.filter(|last| network.is_none() && last.spec == spec && !last.reuses());
    let player = last.unwrap_or_else(|| Player { spec, network, seat: Mutex::new(Seat::Empty) });
    let decision = player.search(
        py,
        position,
        budget,
        only,
        avoid,
        focus,
        focus_budget,
        seed,
        threads,
        until,
        within,
        progress,
    )?;
    // Games and networks written in Python keep objects alive, which this cache must not do; and samples that are
    // carried to the next move would change the next search.
    let is_kept = decision.bytes() <= MOST_KEPT
        && player.network.is_none()
        && decision.carried() == 0
        && player.seat().is_ok_and(|seat| matches!(*seat, Seat::Ours(..)));
    if let Ok(mut last) = LAST.try_lock()
        && is_kept
    {
        *last = Some(player);
    }
    Ok(decision)
}

/// The player of the last call of [`search`], for its memory alone: whoever searches again and
/// again in the same way is spared the pages of a new tree, which can take a seventh of the time.
static LAST: Mutex<Option<Player>> = Mutex::new(None);

/// No more than this is kept, in bytes.
const MOST_KEPT: usize = 256 << 20;

/// List the parts that players are made of.
///
/// Returns
/// -------
/// list of dict
///     For each part its ``name``, ``kind``, ``meaning``, ``source`` and an ``example``.
///
/// Examples
/// --------
/// >>> [part["name"] for part in players() if part["kind"] == "tree"][:3]
/// ['uct', 'rave', 'grave']
#[pyfunction]
pub(crate) fn players(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let entry = |part: &tesuji_catalog::PartInfo| {
        let entry = PyDict::new(py);
        entry.set_item("name", part.name)?;
        entry.set_item("kind", part.kind().to_string())?;
        entry.set_item("meaning", part.meaning)?;
        entry.set_item("source", part.source)?;
        entry.set_item("example", part.example)?;
        Ok(entry)
    };
    tesuji_catalog::players().iter().map(entry).collect()
}
