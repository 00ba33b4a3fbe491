//! A game that is written in Python, as searches want it.
//!
//! A position of such a game is any object with `to_move`, `legal_moves()`, `play(move)` and
//! `outcome()` that never changes: `play` returns another one. Moves are any objects that can
//! be hashed. Searches number moves in the order in which they first see them, and
//! compare positions by Python's own `==`, if they can be hashed too.
//!
//! Python's code needs most of the time, so its answers are kept: a position that is left for
//! the second time keeps the positions after it. A search that comes there again, down the tree
//! or in a playout, calls no Python at all.
//!
//! All of this runs on the thread that called the search, with the GIL: Python's code could
//! not run on two threads at once anyway. Searches return no errors from a game; what the
//! Python code raises unwinds the search as a panic that nobody hears of, and is raised
//! again by [`raising`] at the border.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};
use tesuji_core::{Code, Game, NetworkForm, Outcome, Playout, Record, Rng, Side, mix};
use tesuji_search::NetworkFailure;

use crate::errors::bad_input;
use crate::own_planes::{form_of, logit_of, write_planes_of};
use crate::side;

/// Different moves of a game whose class does not say how many there can be.
const USUAL_MOVES: usize = 512;

/// The most moves that codes can distinguish.
const MOST_MOVES: usize = Code::MAX as usize / 2;

/// The most positions that are kept for whoever comes there again.
const MOST_KEPT: usize = 250_000;

/// What the Python code raised, on its way to the border.
struct Raised(PyErr);

/// Lets the search end at once with what Python raised.
pub(crate) fn raise(error: PyErr) -> ! {
    resume_unwind(Box::new(Raised(error)))
}

/// Runs a search; what the game's code raises comes out as an error, and so does a network that fails.
pub(crate) fn raising<T>(search: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(search)).map_err(|panic| match panic.downcast::<Raised>() {
        Ok(raised) => raised.0,
        Err(panic) => bad_input(NetworkFailure::of_panic(panic).unwrap_or_else(|panic| resume_unwind(panic))),
    })
}

/// What all positions of a game that is searched have in common.
pub(crate) struct Table {
    names: Mutex<Names>,
    /// What the positions are objects of.
    class: Py<PyType>,
    /// The number of moves of each side that have codes.
    n_moves: usize,
    /// Whether the class has moves worth searching, and playouts, of its own.
    has_search_moves: bool,
    has_playout: bool,
    /// Positions that others keep as the ones after them.
    n_kept: AtomicUsize,
    /// How a network sees the positions, if one is asked about them.
    form: Option<NetworkForm>,
}

/// Moves and positions by their numbers. The lock is only ever held for a moment, and
/// never while the game's code runs: looking something up may call its `__eq__`, so that
/// happens outside.
struct Names {
    numbers: Py<PyDict>,
    moves: Vec<Py<PyAny>>,
    positions: Py<PyDict>,
    n_positions: u64,
}

/// A position of a game written in Python.
#[derive(Clone)]
pub(crate) struct OwnGame {
    table: Arc<Table>,
    at: Arc<At>,
}

struct At {
    position: Py<PyAny>,
    outcome: Option<Outcome>,
    to_move: OnceLock<Side>,
    moves: OnceLock<Vec<u32>>,
    number: OnceLock<u64>,
    /// Whether somebody has been here and moved on.
    was_left: AtomicBool,
    /// The positions after each of the moves, as far as they are known.
    after: OnceLock<Box<[OnceLock<Arc<At>>]>>,
}

impl Table {
    /// The table for games like this one.
    fn new(position: &Bound<'_, PyAny>, wants_network: bool) -> PyResult<Table> {
        let py = position.py();
        let class = position.get_type();
        for method in ["legal_moves", "play", "outcome", "to_move"] {
            if !position.hasattr(method)? {
                return Err(bad_input(format!(
                    "{} is not a game: a position has to_move, legal_moves(), play(move) and outcome(), and \
                     {method} is missing",
                    class.name()?
                )));
            }
        }
        let n_moves = n_moves(position)?;
        let names = Names {
            numbers: PyDict::new(py).unbind(),
            moves: Vec::new(),
            positions: PyDict::new(py).unbind(),
            n_positions: 0,
        };
        Ok(Table {
            names: Mutex::new(names),
            class: class.unbind(),
            n_moves,
            has_search_moves: position.hasattr(intern!(py, "search_moves"))?,
            has_playout: position.hasattr(intern!(py, "playout"))?,
            n_kept: AtomicUsize::new(0),
            form: wants_network.then(|| form_of(position)).transpose()?,
        })
    }

    /// Whether it can be used for this position too: it is of the same game.
    pub(crate) fn suits(&self, position: &Bound<'_, PyAny>) -> bool {
        let is_of_this_form = |form: &NetworkForm| form_of(position).is_ok_and(|other| other == *form);
        position.get_type().is(&self.class)
            && n_moves(position).is_ok_and(|n_moves| n_moves == self.n_moves)
            && self.form.as_ref().is_none_or(is_of_this_form)
    }

    fn names(&self) -> MutexGuard<'_, Names> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The move with this number.
    pub(crate) fn mv(&self, py: Python<'_>, number: u32) -> Py<PyAny> {
        self.names().moves[number as usize].clone_ref(py)
    }

    /// The number of a move.
    fn number(&self, mv: &Bound<'_, PyAny>) -> PyResult<u32> {
        let py = mv.py();
        let numbers = self.names().numbers.clone_ref(py);
        let numbers = numbers.bind(py);
        if let Some(number) = numbers.get_item(mv)? {
            return number.extract();
        }
        let number = {
            let mut names = self.names();
            names.moves.push(mv.clone().unbind());
            names.moves.len() as u32 - 1
        };
        numbers.set_item(mv, number)?;
        Ok(number)
    }

    /// The code of a side's move.
    fn code(&self, side: Side, number: u32) -> PyResult<Code> {
        if number as usize >= self.n_moves {
            return Err(bad_input(format!(
                "the game has more than {} different moves, which AMAF statistics must distinguish: say how many \
                 there can be as n_moves of its class, at most {MOST_MOVES}",
                self.n_moves
            )));
        }
        Ok((side.index() * self.n_moves + number as usize) as Code)
    }

    /// A number for the position: the same for equal positions, if they can be hashed.
    fn position(&self, position: &Bound<'_, PyAny>) -> PyResult<u64> {
        let py = position.py();
        let positions = self.names().positions.clone_ref(py);
        let positions = positions.bind(py);
        let can_be_hashed = match position.hash() {
            Ok(_) => true,
            Err(error) if error.is_instance_of::<PyTypeError>(py) => false,
            Err(error) => return Err(error),
        };
        if can_be_hashed && let Some(number) = positions.get_item(position)? {
            return number.extract();
        }
        let number = {
            let mut names = self.names();
            names.n_positions += 1;
            names.n_positions
        };
        if can_be_hashed {
            positions.set_item(position, number)?;
        }
        Ok(number)
    }

    /// What may be searched in a position: a list or a tuple.
    fn moves<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Moves<'py>> {
        let py = position.py();
        let name =
            if self.has_search_moves { intern!(py, "search_moves") } else { intern!(py, "legal_moves") };
        let moves = position.call_method0(name)?;
        let moves = match moves.cast_into::<PyList>() {
            Ok(list) => Moves::List(list),
            Err(other) => match other.into_inner().cast_into::<PyTuple>() {
                Ok(tuple) => Moves::Tuple(tuple),
                Err(other) => {
                    let all = other.into_inner().try_iter()?.collect::<PyResult<Vec<_>>>()?;
                    Moves::List(PyList::new(py, all)?)
                }
            },
        };
        if moves.len() == 0 {
            return Err(bad_input("a game that is not over has a legal move, and this one has none"));
        }
        Ok(moves)
    }
}

/// How many different moves the game can have.
fn n_moves(position: &Bound<'_, PyAny>) -> PyResult<usize> {
    let n_moves = match position.getattr_opt(intern!(position.py(), "n_moves"))? {
        Some(n_moves) => {
            crate::arguments::whole::<usize>(&n_moves).ok().filter(|n| (1..=MOST_MOVES).contains(n))
        }
        None => Some(USUAL_MOVES),
    };
    n_moves.ok_or_else(|| bad_input(format!("n_moves of a game is a whole number from 1 to {MOST_MOVES}")))
}

enum Moves<'py> {
    List(Bound<'py, PyList>),
    Tuple(Bound<'py, PyTuple>),
}

impl<'py> Moves<'py> {
    fn len(&self) -> usize {
        match self {
            Moves::List(list) => list.len(),
            Moves::Tuple(tuple) => tuple.len(),
        }
    }

    fn get(&self, index: usize) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Moves::List(list) => list.get_item(index),
            Moves::Tuple(tuple) => tuple.get_item(index),
        }
    }
}

fn side_to_move(position: &Bound<'_, PyAny>) -> PyResult<Side> {
    let word = position.getattr(intern!(position.py(), "to_move"))?;
    let word: &str = word
        .extract()
        .map_err(|_| bad_input("to_move of a position is 'black' or 'white' (not a method: a property)"))?;
    side::side(word)
}

/// How a game ended, as its `outcome()` says it.
fn read_outcome(outcome: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
    if outcome.is_none() {
        return Ok(None);
    }
    match outcome.extract::<&str>().ok().and_then(side::outcome_of) {
        Some(outcome) => Ok(Some(outcome)),
        None => Err(bad_input(format!(
            "an outcome is 'black', 'white', 'draw', or None while the game goes on, not {}",
            tesuji_core::shortened(&outcome.repr()?.to_string())
        ))),
    }
}

fn outcome_of(position: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
    read_outcome(&position.call_method0(intern!(position.py(), "outcome"))?)
}

fn played<'py>(position: &Bound<'py, PyAny>, mv: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let next = position.call_method1(intern!(position.py(), "play"), (mv,))?;
    if next.is_none() || next.is(position) {
        let returned = if next.is_none() { "None" } else { "the same object again" };
        return Err(bad_input(format!(
            "play(move) must return the next position and leave this one as it is; it returned {returned}"
        )));
    }
    Ok(next)
}

impl OwnGame {
    /// The position that a search begins with. Positions of one search, and of all searches
    /// of a player that reuses what it learnt, share a table. If a network is wanted, the class must
    /// have what networks need.
    pub(crate) fn new(
        position: &Bound<'_, PyAny>,
        table: Option<Arc<Table>>,
        wants_network: bool,
    ) -> PyResult<OwnGame> {
        let table = match table {
            Some(table) => table,
            None => Arc::new(Table::new(position, wants_network)?),
        };
        Ok(OwnGame { at: Arc::new(At::new(position)?), table })
    }

    pub(crate) fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// A playout by the class's own method. It returns the outcome; the outcome and the moves, if
    /// the sides take turns; or the outcome, the moves and the side of each move.
    fn own_playout<R: Record>(&self, py: Python<'_>, rng: &mut Rng, record: &mut R) -> PyResult<Playout> {
        let position = self.at.position.bind(py);
        // Seeds that every language can hold: 63 bits.
        let answer = position.call_method1(intern!(py, "playout"), (rng.bits() >> 1, R::KEEPS))?;
        let parts: Vec<Bound<'_, PyAny>> = match answer.cast::<PyTuple>() {
            Ok(parts) => parts.iter().collect(),
            Err(_) => vec![answer],
        };
        let [outcome, rest @ ..] = &parts[..] else {
            return Err(bad_input(
                "playout(seed, wants_moves) must return an outcome; it returned an empty tuple",
            ));
        };
        let outcome =
            read_outcome(outcome)?.ok_or_else(|| bad_input("a playout goes on until the game is over"))?;
        let [moves, sides @ ..] = rest else {
            if R::KEEPS {
                return Err(bad_input(
                    "this search needs the moves of playouts: playout(seed, wants_moves) must return the outcome and the list of moves",
                ));
            }
            return Ok(Playout { outcome, plies: 1 });
        };
        let plies = moves.len()?;
        if R::KEEPS {
            let mut sides = sides.first().map(|sides| sides.try_iter()).transpose()?;
            let mut side = self.at.to_move(py)?;
            for mv in moves.try_iter()? {
                if let Some(word) = sides.as_mut().and_then(Iterator::next) {
                    side = side::side(word?.extract()?)?;
                }
                record.push(self.table.code(side, self.table.number(&mv?)?)?);
                side = side.other();
            }
        }
        Ok(Playout { outcome, plies: plies as u32 })
    }

    /// A playout move by move.
    fn random_playout<R: Record>(&self, py: Python<'_>, rng: &mut Rng, record: &mut R) -> PyResult<Playout> {
        let mut at = self.at.clone();
        let mut plies = 0;
        loop {
            if let Some(outcome) = at.outcome {
                return Ok(Playout { outcome, plies });
            }
            at = self.table.random_step(py, &at, rng, record)?;
            plies += 1;
            // A game that never ends must not lock its user out.
            if plies % 256 == 0 {
                py.check_signals()?;
            }
        }
    }
}

impl Table {
    /// The numbers of the moves worth searching in a position.
    fn numbers<'a>(&self, py: Python<'_>, at: &'a At) -> PyResult<&'a [u32]> {
        if let Some(numbers) = at.moves.get() {
            return Ok(numbers);
        }
        let numbers = if at.outcome.is_some() {
            Vec::new()
        } else {
            let moves = self.moves(at.position.bind(py))?;
            (0..moves.len()).map(|index| self.number(&moves.get(index)?)).collect::<PyResult<Vec<u32>>>()?
        };
        Ok(at.moves.get_or_init(|| numbers))
    }

    /// The position after the move at this place among the numbers of a position's moves.
    fn after(&self, py: Python<'_>, at: &At, place: usize) -> PyResult<Arc<At>> {
        let numbers = self.numbers(py, at)?;
        let play = || {
            let mv = self.mv(py, numbers[place]);
            At::new(&played(at.position.bind(py), mv.bind(py))?).map(Arc::new)
        };
        if let Some(known) = at.after.get().and_then(|after| after[place].get()) {
            return Ok(known.clone());
        }
        let next = play()?;
        if at.was_left.swap(true, Ordering::Relaxed) && self.n_kept.load(Ordering::Relaxed) < MOST_KEPT {
            let after = at.after.get_or_init(|| numbers.iter().map(|_| OnceLock::new()).collect());
            self.n_kept.fetch_add(1, Ordering::Relaxed);
            return Ok(after[place].get_or_init(|| next).clone());
        }
        Ok(next)
    }

    /// A random move from a position that is not over.
    fn random_step<R: Record>(
        &self,
        py: Python<'_>,
        at: &At,
        rng: &mut Rng,
        record: &mut R,
    ) -> PyResult<Arc<At>> {
        if at.was_left.load(Ordering::Relaxed) {
            let numbers = self.numbers(py, at)?;
            let place = rng.below(numbers.len() as u32) as usize;
            if R::KEEPS {
                record.push(self.code(at.to_move(py)?, numbers[place])?);
            }
            return self.after(py, at, place);
        }
        // Most playouts come to a position for the first and last time: its other moves are
        // not numbered.
        at.was_left.store(true, Ordering::Relaxed);
        let position = at.position.bind(py);
        let moves = self.moves(position)?;
        let mv = moves.get(rng.below(moves.len() as u32) as usize)?;
        if R::KEEPS {
            record.push(self.code(at.to_move(py)?, self.number(&mv)?)?);
        }
        At::new(&played(position, &mv)?).map(Arc::new)
    }
}

impl At {
    fn new(position: &Bound<'_, PyAny>) -> PyResult<At> {
        Ok(At {
            position: position.clone().unbind(),
            outcome: outcome_of(position)?,
            to_move: OnceLock::new(),
            moves: OnceLock::new(),
            number: OnceLock::new(),
            was_left: AtomicBool::new(false),
            after: OnceLock::new(),
        })
    }

    fn to_move(&self, py: Python<'_>) -> PyResult<Side> {
        match self.to_move.get() {
            Some(side) => Ok(*side),
            None => {
                let side = side_to_move(self.position.bind(py))?;
                Ok(*self.to_move.get_or_init(|| side))
            }
        }
    }
}

impl Game for OwnGame {
    type Move = u32;

    fn to_move(&self) -> Side {
        Python::attach(|py| self.at.to_move(py)).unwrap_or_else(|error| raise(error))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.at.outcome
    }

    fn try_for_each_move<B>(&self, mut visit: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let numbers = Python::attach(|py| self.table.numbers(py, &self.at));
        numbers.unwrap_or_else(|error| raise(error)).iter().try_for_each(|&number| visit(number))
    }

    fn play_unchecked(&mut self, number: u32) {
        let next = |py: Python<'_>| {
            let numbers = self.table.numbers(py, &self.at)?;
            match numbers.iter().position(|&other| other == number) {
                Some(place) => self.table.after(py, &self.at, place),
                // Nobody plays a move that is not legal here; whoever does gets what Python says.
                None => {
                    let mv = self.table.mv(py, number);
                    At::new(&played(self.at.position.bind(py), mv.bind(py))?).map(Arc::new)
                }
            }
        };
        self.at = Python::attach(next).unwrap_or_else(|error| raise(error));
    }

    fn hash(&self) -> u64 {
        let number = || {
            Python::attach(|py| self.table.position(self.at.position.bind(py)))
                .unwrap_or_else(|error| raise(error))
        };
        mix(*self.at.number.get_or_init(number))
    }

    fn n_codes(&self) -> usize {
        2 * self.table.n_moves
    }

    fn code(&self, number: u32) -> Code {
        self.table.code(self.to_move(), number).unwrap_or_else(|error| raise(error))
    }

    fn network_form(&self) -> Option<NetworkForm> {
        self.table.form.clone()
    }

    fn write_planes(&self, planes: &mut [f32]) {
        let Some(form) = &self.table.form else { return };
        let write = |py: Python<'_>| write_planes_of(self.at.position.bind(py), form, planes);
        Python::attach(write).unwrap_or_else(|error| raise(error));
    }

    fn logit(&self, number: u32) -> usize {
        let n_logits = self.table.form.as_ref().map_or(0, |form| form.n_logits);
        let logit = |py: Python<'_>| logit_of(self.at.position.bind(py), self.table.mv(py, number), n_logits);
        Python::attach(logit).unwrap_or_else(|error| raise(error))
    }

    fn move_text(&self, number: u32) -> String {
        let text = |py: Python<'_>| Ok(self.table.mv(py, number).bind(py).str()?.to_string());
        Python::attach(text).unwrap_or_else(|error: PyErr| raise(error))
    }

    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        let play = |py: Python<'_>| {
            py.check_signals()?;
            if self.table.has_playout && self.at.outcome.is_none() {
                self.own_playout(py, rng, record)
            } else {
                self.random_playout(py, rng, record)
            }
        };
        Python::attach(play).unwrap_or_else(|error| raise(error))
    }
}
