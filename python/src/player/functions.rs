//! The functions `search` and `players`.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Player, Seat};
use crate::arguments::{self, BudgetArgument, SeedArgument, whole_or_none};
use crate::decision::Decision;
use crate::network::Callable;
use crate::progress::ProgressArgument;
use crate::searched::SearchedPosition;

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
