//! A game that is written in Python, as searches want it.
//!
//! A position of such a game is any object with `to_move`, `legal_moves()`, `play(move)` and
//! `outcome()` that never changes: `play` gives another one. Moves are any objects that can
//! be hashed. Searches number moves in the order in which they first see them, and tell
//! positions apart by Python's own `==`, where they can be hashed too.
//!
//! All of this runs on the thread that called the search, with the GIL: Python's code could
//! not run on two threads at once anyway. Searches return no errors from a game; what the
//! Python code raises unwinds the search as a panic that nobody hears of, and is raised
//! again by [`raising`] at the border.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use tesuji_core::{Code, Game, Outcome, Playout, Record, Rng, Side, mix};

use crate::errors::bad_input;
use crate::side;

/// Different moves of a game whose class does not say how many there can be.
const USUAL_MOVES: usize = 512;

/// The most moves that codes can tell apart.
const MOST_MOVES: usize = Code::MAX as usize / 2;

/// What the Python code raised, on its way to the border.
struct Raised(PyErr);

/// Lets the search end at once with what Python raised.
fn raise(error: PyErr) -> ! {
    resume_unwind(Box::new(Raised(error)))
}

/// Runs a search; what the game's code raises comes out as an error.
pub(crate) fn raising<T>(search: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(search)).map_err(|panic| match panic.downcast::<Raised>() {
        Ok(raised) => raised.0,
        Err(panic) => resume_unwind(panic),
    })
}

/// What all positions of a game that is searched have in common.
pub(crate) struct Table {
    names: Mutex<Names>,
    /// Codes are for so many moves of each side.
    n_moves: usize,
    /// Whether the class has moves worth searching, and playouts, of its own.
    has_search_moves: bool,
    has_playout: bool,
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
    to_move: Side,
    outcome: Option<Outcome>,
    moves: OnceLock<Vec<u32>>,
    number: OnceLock<u64>,
}

impl Table {
    /// The table for games like this one.
    fn new(position: &Bound<'_, PyAny>) -> PyResult<Table> {
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
        let n_moves = match position.getattr_opt(intern!(py, "n_moves"))? {
            Some(n_moves) => n_moves.extract::<usize>().ok().filter(|n| (1..=MOST_MOVES).contains(n)),
            None => Some(USUAL_MOVES),
        };
        let n_moves = n_moves.ok_or_else(|| {
            bad_input(format!("n_moves of a game is a whole number from 1 to {MOST_MOVES}"))
        })?;
        let names = Names {
            numbers: PyDict::new(py).unbind(),
            moves: Vec::new(),
            positions: PyDict::new(py).unbind(),
            n_positions: 0,
        };
        Ok(Table {
            names: Mutex::new(names),
            n_moves,
            has_search_moves: position.hasattr(intern!(py, "search_moves"))?,
            has_playout: position.hasattr(intern!(py, "playout"))?,
        })
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
                "the game has more than {} different moves, which AMAF statistics must tell apart: say how many \
                 there can be as n_moves of its class, at most {MOST_MOVES}",
                self.n_moves
            )));
        }
        Ok((side.index() * self.n_moves + number as usize) as Code)
    }

    /// A number for the position: the same for equal ones, where they can be hashed.
    fn position(&self, position: &Bound<'_, PyAny>) -> PyResult<u64> {
        let py = position.py();
        let positions = self.names().positions.clone_ref(py);
        let positions = positions.bind(py);
        let can_be_hashed = position.hash().is_ok();
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
    match outcome.extract::<&str>() {
        Ok("black") => Ok(Some(Outcome::Win(Side::Black))),
        Ok("white") => Ok(Some(Outcome::Win(Side::White))),
        Ok("draw") => Ok(Some(Outcome::Draw)),
        _ => Err(bad_input(format!(
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
    if next.is_none() {
        return Err(bad_input(
            "play(move) of a position gives the next position and leaves this one as it is; it gave None",
        ));
    }
    Ok(next)
}

impl OwnGame {
    /// The position that a search begins with. Positions of one search, and of all searches
    /// of a player that reuses what it learnt, share a table.
    pub(crate) fn new(position: &Bound<'_, PyAny>, table: Option<Arc<Table>>) -> PyResult<OwnGame> {
        let table = match table {
            Some(table) => table,
            None => Arc::new(Table::new(position)?),
        };
        Ok(OwnGame { at: Arc::new(At::new(position)?), table })
    }

    pub(crate) fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// The numbers of the moves worth searching.
    fn numbers(&self) -> &[u32] {
        self.at.moves.get_or_init(|| {
            if self.at.outcome.is_some() {
                return Vec::new();
            }
            let read = |py: Python<'_>| {
                let moves = self.table.moves(self.at.position.bind(py))?;
                (0..moves.len())
                    .map(|index| self.table.number(&moves.get(index)?))
                    .collect::<PyResult<Vec<u32>>>()
            };
            Python::attach(read).unwrap_or_else(|error| raise(error))
        })
    }

    /// A playout by the class's own method: an outcome; or an outcome and the moves, which
    /// take turns; or those and whose moves they are.
    fn own_playout<R: Record>(&self, py: Python<'_>, rng: &mut Rng, record: &mut R) -> PyResult<Playout> {
        let position = self.at.position.bind(py);
        // Seeds that every language can hold: 63 bits.
        let answer = position.call_method1(intern!(py, "playout"), (rng.bits() >> 1,))?;
        let parts: Vec<Bound<'_, PyAny>> = match answer.cast::<PyTuple>() {
            Ok(parts) => parts.iter().collect(),
            Err(_) => vec![answer],
        };
        let [outcome, rest @ ..] = &parts[..] else {
            return Err(bad_input("playout(seed) gives an outcome, and not nothing"));
        };
        let outcome =
            read_outcome(outcome)?.ok_or_else(|| bad_input("a playout goes on until the game is over"))?;
        let [moves, sides @ ..] = rest else {
            if R::KEEPS {
                return Err(bad_input(
                    "this search needs the moves of playouts: playout(seed) gives the outcome and a list of them",
                ));
            }
            return Ok(Playout { outcome, plies: 1 });
        };
        let plies = moves.len()?;
        if R::KEEPS {
            let mut sides = sides.first().map(|sides| sides.try_iter()).transpose()?;
            let mut side = self.at.to_move;
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
        let mut position = self.at.position.bind(py).clone();
        let (mut side, mut outcome, mut plies) = (self.at.to_move, self.at.outcome, 0);
        loop {
            if let Some(outcome) = outcome {
                return Ok(Playout { outcome, plies });
            }
            let moves = self.table.moves(&position)?;
            let mv = moves.get(rng.below(moves.len() as u32) as usize)?;
            if R::KEEPS {
                record.push(self.table.code(side, self.table.number(&mv)?)?);
            }
            position = played(&position, &mv)?;
            outcome = outcome_of(&position)?;
            plies += 1;
            if R::KEEPS && outcome.is_none() {
                side = side_to_move(&position)?;
            }
            // A game that never ends must not lock its user out.
            if plies % 256 == 0 {
                py.check_signals()?;
            }
        }
    }
}

impl At {
    fn new(position: &Bound<'_, PyAny>) -> PyResult<At> {
        Ok(At {
            position: position.clone().unbind(),
            to_move: side_to_move(position)?,
            outcome: outcome_of(position)?,
            moves: OnceLock::new(),
            number: OnceLock::new(),
        })
    }
}

impl Game for OwnGame {
    type Move = u32;

    fn to_move(&self) -> Side {
        self.at.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        self.at.outcome
    }

    fn try_for_each_move<B>(&self, mut visit: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.numbers().iter().try_for_each(|&number| visit(number))
    }

    fn play_unchecked(&mut self, number: u32) {
        let next = |py: Python<'_>| {
            let mv = self.table.mv(py, number);
            At::new(&played(self.at.position.bind(py), mv.bind(py))?)
        };
        self.at = Arc::new(Python::attach(next).unwrap_or_else(|error| raise(error)));
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
        self.table.code(self.at.to_move, number).unwrap_or_else(|error| raise(error))
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
