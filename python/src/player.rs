//! Players: what is shown a position and chooses a move.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Instant;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::Seed;
use tesuji_search::{Budget, Limits, PlayerConfig, Report};

use crate::arguments::{self, BudgetArgument, SeedArgument, whole_or_none};
use crate::decision::Decision;
use crate::errors::bad_input;
use crate::interrupt::interruptible;
use crate::own_game::{OwnGame, Table, raising};
use crate::position::Position;

/// What a search is given where neither the call nor the player says it.
const BUDGET: Budget = Budget::Samples(10_000);

/// Searches of so many samples run on the caller's thread: they are over before anybody
/// could press Ctrl-C, and a thread of their own would cost them some percent.
const SHORT: u64 = 2_000;

/// Somebody who chooses moves: a spec as on the command line, such as ``rave``,
/// ``sh+uct@10000`` or ``hybrid-shuss(t=512)`` (``players()`` lists the parts).
///
/// A player remembers what it learnt between the moves of one game where its spec says
/// ``+reuse``; otherwise every search begins anew.
///
/// >>> player = Player("uct@500")
/// >>> decision = player.search(Position("hex:3").play("a1", "c1"))
/// >>> decision.spent, decision.move in decision.arms["move"]
/// (500, True)
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Player {
    spec: PlayerSpec,
    seat: Mutex<Seat>,
}

/// Who sits there, which depends on the game.
enum Seat {
    Empty,
    Ours(Arc<GameSpec>, Box<dyn tesuji_search::Player>),
    /// A game written in Python.
    Own(Arc<Table>, Box<dyn tesuji_search::Player>),
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
        limits: Limits<'_>,
        seed: Seed,
    ) -> PyResult<Report<String>> {
        let mut seat = self.seat()?;
        let mut player = match std::mem::replace(&mut *seat, Seat::Empty) {
            Seat::Ours(game, player) if *game == *position.spec => player,
            _ => position.spec.player(self.spec.config()).map_err(bad_input)?,
        };
        let mut search = |limits: &Limits<'_>| {
            position.game.in_words(player.search(&*position.game.sight(), limits, seed, None))
        };
        let report = if matches!(limits.budget, Budget::Samples(..=SHORT)) {
            py.detach(|| search(&limits))
        } else {
            interruptible(py, |cancel: &AtomicBool| search(&Limits { cancel: Some(cancel), ..limits }))?
        };
        *seat = Seat::Ours(position.spec.clone(), player);
        Ok(report)
    }

    fn search_own(
        &self,
        position: &Bound<'_, PyAny>,
        limits: &Limits<'_>,
        seed: Seed,
    ) -> PyResult<(Report<u32>, OwnGame)> {
        let mut seat = self.seat()?;
        let (table, mut player) = match std::mem::replace(&mut *seat, Seat::Empty) {
            Seat::Own(table, player) => (Some(table), player),
            _ => (None, self.spec.config().player()),
        };
        // Only who reuses trees must know positions again, and only those of the same game.
        let mut table = table.filter(|_| self.reuses());
        if let Some(other) = table.take_if(|table| !table.suits(position)) {
            player.forget();
            drop(other);
        }
        let game = OwnGame::new(position, table)?;
        let report = raising(|| player.search(&game, limits, seed, None))?.typed();
        *seat = Seat::Own(game.table().clone(), player);
        Ok((report, game))
    }

    fn reuses(&self) -> bool {
        matches!(self.spec.config(), PlayerConfig::Search(search) if search.options.reuse)
    }
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (spec, budget = None))]
    fn new(spec: &str, budget: Option<BudgetArgument>) -> PyResult<Player> {
        let spec = arguments::player(spec, budget.as_ref())?;
        Ok(Player { spec, seat: Mutex::new(Seat::Empty) })
    }

    /// The canonical text of the player.
    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// Whether the move with the most visits is played, so that the share of visits says how
    /// much the player believes in a move. Roots that look for the best arm spend their
    /// samples otherwise.
    ///
    /// >>> Player("rave").plays_most_visited, Player("sh+rave").plays_most_visited
    /// (True, False)
    #[getter]
    fn plays_most_visited(&self) -> bool {
        self.spec.config().plays_most_visited()
    }

    /// Looks at a position and chooses a move. The position is one of ours, or of a game
    /// that is written in Python. The budget is a number of samples, or a time such as
    /// ``"2s"``; without it, the player's own or 10,000 samples. The same seed gives the same
    /// decision on any number of threads, unless the budget is a time.
    #[pyo3(
        signature = (position, budget = None, *, seed = SeedArgument::Number(1), threads = None),
        text_signature = "($self, position, budget=None, *, seed=1, threads=None)"
    )]
    fn search(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        budget: Option<BudgetArgument>,
        seed: SeedArgument,
        #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    ) -> PyResult<Decision> {
        let budget = match &budget {
            Some(budget) => budget.budget().budget(),
            None => self.spec.budget().unwrap_or(BUDGET),
        };
        let seed = seed.seed()?;
        let limits = Limits::of(budget).on(arguments::threads(threads)?);
        let begin = Instant::now();
        if let Ok(position) = position.cast::<Position>() {
            let report = self.search_ours(py, position.get(), limits, seed)?;
            return Ok(Decision::of_ours(report, begin.elapsed()));
        }
        // Python's code cannot run on two threads at once.
        let (report, game) = self.search_own(position, &limits.on(1), seed)?;
        raising(|| Decision::of_own(py, report, &game, begin.elapsed()))
    }

    /// Forgets everything: a new game begins.
    fn forget(&self) -> PyResult<()> {
        *self.seat()? = Seat::Empty;
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("Player('{}')", self.spec)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().spec.to_string(),))
    }
}

/// Searches a position: the chosen move, what is known of the others, who was cut when.
///
/// ``search(position, player, budget)`` is ``Player(player).search(position, budget)``.
///
/// >>> decision = search(Position("hex:4"), "sh+uct", 1000, seed=7)
/// >>> decision.move in Position("hex:4").legal_moves()
/// True
/// >>> decision.arms.dtype.names
/// ('move', 'visits', 'mean', 'standard_error', 'amaf_count', 'amaf_mean', 'score', 'q', 'proof')
/// >>> int(decision.rounds["samples_each"].sum())
/// 1000
#[pyfunction]
#[pyo3(
    signature = (position, player = "rave", budget = None, *, seed = SeedArgument::Number(1), threads = None),
    text_signature = "(position, player='rave', budget=None, *, seed=1, threads=None)"
)]
pub(crate) fn search(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    player: &str,
    budget: Option<BudgetArgument>,
    seed: SeedArgument,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
) -> PyResult<Decision> {
    let spec = arguments::player(player, None)?;
    // Who does not reuse trees begins every search anew.
    let last = LAST.try_lock().ok().and_then(|mut last| last.take());
    let last = last.filter(|last| last.spec == spec && !last.reuses());
    let player = last.unwrap_or_else(|| Player { spec, seat: Mutex::new(Seat::Empty) });
    let decision = player.search(py, position, budget, seed, threads)?;
    // Games written in Python keep objects alive, which are not ours to keep.
    let is_kept =
        decision.bytes() <= MOST_KEPT && player.seat().is_ok_and(|seat| matches!(*seat, Seat::Ours(..)));
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

/// The parts of players, each as a dictionary: ``name``, ``kind``, ``meaning``, ``source`` and
/// an ``example``.
///
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
