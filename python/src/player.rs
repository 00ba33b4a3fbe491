//! Players: they search a position and choose a move.

pub(crate) mod functions;
mod side_by_side;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Instant;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tesuji_arena::Completion;
use tesuji_catalog::{BudgetSpec, GameSpec, PlayerSpec};
use tesuji_core::{NetworkForm, Seed};
use tesuji_search::{Budget, Event, Limits, PlayerConfig, Report, Sight, Steering, Watch};

use self::side_by_side::{read_positions, read_seeds, read_together};
use crate::arguments::{self, BudgetArgument, SeedArgument, whole, whole_or_none};
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
/// A player whose spec says ``+reuse`` keeps its tree from move to move. ``search`` thinks about one
/// position at a time, so every thread needs its own player; ``search_all`` searches many positions
/// side by side.
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

    /// Search many positions side by side.
    ///
    /// Each search has a thread of its own, and all of them ask a callable network together. A tree
    /// alone, such as ``"puct+net"``, asks about one position at a time; side by side, a batch has about
    /// half of ``together`` positions, because the other searches fill the next one meanwhile. GPUs need
    /// such batches.
    ///
    /// A decision is that of ``search`` with a new player and the same seed, unless the budget is a time or
    /// the network's answer for a position depends on the others in its batch. So ``+reuse`` changes nothing
    /// here, and the tree that this player keeps stays as it is.
    ///
    /// The thread that called this method calls the network, with at most 1024 positions at a time. What
    /// it raises ends all searches and is raised unchanged. Otherwise the GIL is released, and Ctrl-C ends
    /// the searches.
    ///
    /// Parameters
    /// ----------
    /// positions : iterable of Position
    ///     Positions of one built-in game. Games that are written in Python have ``search`` only.
    /// budget : int or str, optional
    ///     How much to think about each position, as in ``search``.
    /// seed : int or str, default: 1
    ///     The seed of each search, as in a loop of ``search(position, seed=seed)``. Equal positions
    ///     then have equal decisions.
    /// seeds : iterable of int or str, optional
    ///     Instead of ``seed``, one for each position. Games that are played side by side need it, or
    ///     they may all be the same.
    /// together : int, default: 64
    ///     The most searches at the same time, at most 1024. Without a callable network, there is at
    ///     most one for each core: more would gain nothing.
    /// progress : bool or callable, optional
    ///     ``True`` shows a line on standard error. A function is called now and then with the number of
    ///     positions that are done, and of all positions.
    ///
    /// Returns
    /// -------
    /// list of Decision
    ///     The decisions, in the order of the positions.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If an argument is wrong; the sentence says what is allowed.
    /// TypeError
    ///     If something is not a ``Position``.
    ///
    /// Examples
    /// --------
    /// >>> start = Position("hex:3")
    /// >>> positions = [start.play(move) for move in start.legal_moves()]
    /// >>> decisions = Player("uct@500").search_all(positions)
    /// >>> decisions[3] == Player("uct@500").search(positions[3])
    /// True
    ///
    /// The first moves of nine games, with a network that knows nothing:
    ///
    /// >>> import numpy as np
    /// >>> def network(planes):
    /// ...     n = len(planes)
    /// ...     return np.zeros((n, 9)), np.full(n, 0.5)
    /// >>> player = Player("gumbel+gumbel-tree+net@50", network=network)
    /// >>> [decision.spent for decision in player.search_all([start] * 9, seeds=range(9))]
    /// [50, 50, 50, 50, 50, 50, 50, 50, 50]
    #[allow(clippy::too_many_arguments, reason = "Python names them")]
    #[pyo3(
        signature = (
            positions, budget = None, *, seed = None, seeds = None, together = 64,
            progress = ProgressArgument::Nobody
        ),
        text_signature = "($self, positions, budget=None, *, seed=1, seeds=None, together=64, progress=None)"
    )]
    fn search_all(
        &self,
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        budget: Option<BudgetArgument>,
        seed: Option<SeedArgument>,
        seeds: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = whole)] together: usize,
        progress: ProgressArgument,
    ) -> PyResult<Vec<Decision>> {
        let asked = budget.map(|budget| budget.budget());
        let budget = self.spec.budget().or(asked).unwrap_or(BudgetSpec::DEFAULT);
        let together = read_together(together)?;
        let positions = read_positions(positions)?;
        let seeds = read_seeds(seed, seeds, positions.len())?;
        let meter = progress.meter(py, "positions")?;
        self.search_side_by_side(py, positions, budget, &seeds, together, &meter)
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
