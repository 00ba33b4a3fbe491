//! Positions of the catalog's games. They never change: playing a move gives another one,
//! so going back is keeping the old one.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use numpy::{PyArray3, ndarray::Array3};
use pyo3::prelude::*;
use pyo3::types::PyType;
use tesuji_catalog::GameSpec;
use tesuji_core::{Outcome, Seed};
use tesuji_search::{Attempt as Answer, Board, Tried};

use crate::arguments::{GameArgument, whole};
use crate::errors::bad_input;
use crate::game::Game;
use crate::side::side;

/// Stands before an attempt that a referee refused, as in the store.
const REFUSED: char = '?';

/// A position of one of our games. It never changes: ``play`` gives the next one.
///
/// >>> start = Position("hex:3")
/// >>> after = start.play("b2")
/// >>> start.moves, after.moves
/// ([], ['b2'])
/// >>> len(start.legal_moves()), len(after.legal_moves())
/// (9, 8)
///
/// It has what a game that is written in Python must have (``to_move``, ``legal_moves``,
/// ``play``, ``outcome``), can be pickled, and is equal to another of the same game in
/// which the same moves were played.
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Position {
    pub(crate) spec: Arc<GameSpec>,
    pub(crate) game: Box<dyn Board>,
    /// The text of the position that the moves were played from; nothing for the start.
    from: Option<Arc<str>>,
    /// The moves since, refused attempts too.
    moves: Vec<Arc<str>>,
}

/// What came of trying a move where the enemy is hidden.
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Attempt {
    /// The position after it: that of the one who tried, once more, where it was refused.
    #[pyo3(get)]
    position: Py<Position>,
    /// Whether the move is played; else the referee refuses it, and the same side tries again.
    #[pyo3(get)]
    stands: bool,
    /// What both sides are told that it did, if anything.
    #[pyo3(get)]
    news: Option<String>,
}

impl Position {
    pub(crate) fn start(spec: &Arc<GameSpec>) -> PyResult<Position> {
        let game = spec.start().map_err(bad_input)?;
        Ok(Position { spec: spec.clone(), game, from: None, moves: Vec::new() })
    }

    pub(crate) fn read(spec: &Arc<GameSpec>, text: &str) -> PyResult<Position> {
        let mut position = Position::start(spec)?;
        position.game.set_position(text).map_err(bad_input)?;
        position.from = position.game.position_text().map(Into::into);
        Ok(position)
    }

    fn copied(&self) -> Position {
        Position {
            spec: self.spec.clone(),
            game: self.game.boxed_clone(),
            from: self.from.clone(),
            moves: self.moves.clone(),
        }
    }

    /// Tries a move: whether it stands, and what both sides are told of it.
    fn try_move(&mut self, mv: &str) -> PyResult<(bool, Option<String>)> {
        let Tried { text, attempt } = self.game.attempt_text(mv).map_err(bad_input)?;
        let (stands, mv, news) = match attempt {
            Answer::Stands { news } => (true, text, news),
            Answer::Refused => (false, format!("{REFUSED}{text}"), None),
        };
        self.moves.push(mv.into());
        Ok((stands, news))
    }

    /// What tells it from others: the game, where it began and what was played since.
    fn key(&self) -> (&GameSpec, Option<&str>, &[Arc<str>]) {
        (&self.spec, self.from.as_deref(), &self.moves)
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (game, moves = ""))]
    fn new(game: GameArgument, moves: &str) -> PyResult<Position> {
        let mut position = Position::start(&game.spec()?)?;
        for mv in moves.split_whitespace() {
            position.moves.push(position.game.play(mv).map_err(bad_input)?.into());
        }
        Ok(position)
    }

    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game(self.spec.clone())
    }

    /// Whose turn it is: ``'black'`` or ``'white'``.
    #[getter]
    fn to_move(&self) -> &'static str {
        self.game.to_move().word()
    }

    /// The moves that were played, refused attempts of phantom games with a ``?`` before
    /// them.
    #[getter]
    fn moves(&self) -> Vec<&str> {
        self.moves.iter().map(|mv| &**mv).collect()
    }

    /// The position in one line, or ``None`` where the game has no such form.
    ///
    /// >>> Position("breakthrough:4").text
    /// 'bbbb/bbbb/wwww/wwww w'
    #[getter]
    fn text(&self) -> Option<String> {
        self.game.position_text()
    }

    /// By how many points Black has won a game that was counted, else ``None``.
    #[getter]
    fn margin(&self) -> Option<f64> {
        self.game.margin()
    }

    /// How the game ended: ``'black'`` or ``'white'`` has won, ``'draw'``, or ``None`` while it
    /// goes on.
    fn outcome(&self) -> Option<&'static str> {
        self.game.outcome().map(Outcome::word)
    }

    /// All legal moves. Where the enemy is hidden: all that the side to move may try.
    ///
    /// >>> Position("domineering:2").legal_moves()
    /// ['a1-a2', 'b1-b2']
    fn legal_moves(&self) -> Vec<String> {
        self.game.legal_texts()
    }

    /// The moves worth searching: the arms of a search, in their order. In Go that leaves out
    /// filling one's own eyes, and passing while there is another move.
    fn search_moves(&self) -> Vec<String> {
        self.game.arm_texts()
    }

    /// The position after some moves; this one stays as it is. A move that is not legal is a
    /// ``ValueError``.
    ///
    /// >>> Position("go:5").play("c3", "c2").moves
    /// ['c3', 'c2']
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: Vec<String>) -> PyResult<Position> {
        let mut next = self.copied();
        for mv in moves {
            next.moves.push(next.game.play(&mv).map_err(bad_input)?.into());
        }
        Ok(next)
    }

    /// Tries a move: in a phantom game the referee may refuse it, and the same side tries
    /// another.
    ///
    /// >>> white = Position("phantom-go:5").play("c3")
    /// >>> answer = white.attempt("c3")
    /// >>> answer.stands, answer.position.to_move, answer.position.moves
    /// (False, 'white', ['c3', '?c3'])
    fn attempt(&self, py: Python<'_>, r#move: &str) -> PyResult<Attempt> {
        let mut next = self.copied();
        let (stands, news) = next.try_move(r#move)?;
        Ok(Attempt { position: Py::new(py, next)?, stands, news })
    }

    /// The position with random moves to the end of the game.
    ///
    /// >>> Position("hex:5").played_out(seed=1).outcome() in ("black", "white")
    /// True
    #[pyo3(signature = (*, seed = 1))]
    fn played_out(&self, #[pyo3(from_py_with = whole)] seed: u64) -> PyResult<Position> {
        let mut rng = Seed::new(seed).rng();
        let mut next = self.copied();
        // Attempts that are refused tell something, so they belong to what was played.
        while next.game.outcome().is_none() {
            let moves = next.game.arm_texts();
            let Some(mv) = rng.choose(&moves) else { break };
            next.try_move(mv)?;
        }
        Ok(next)
    }

    /// The board as numbers for a network: an array of shape (3, height, width) of ``float32``,
    /// row 1 first. The planes are the pieces of one side, those of the other as far as the
    /// first knows them, and ones where the first side is Black. Without a side it is the one to
    /// move: in a phantom game nothing is told that it does not know.
    ///
    /// >>> planes = Position("hex:3").play("b1").planes()
    /// >>> planes.shape, planes[1, 0].tolist(), planes[2].max()
    /// ((3, 3, 3), [0.0, 1.0, 0.0], np.float32(0.0))
    #[pyo3(signature = (side = None))]
    fn planes<'py>(&self, py: Python<'py>, side: Option<&str>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let own = match side {
            Some(word) => self::side(word)?,
            None => self.game.to_move(),
        };
        let (width, height) = self.spec.board();
        let planes = Array3::from_shape_fn((3, height, width), |(plane, y, x)| {
            f32::from(u8::from(match plane {
                0 => self.game.known_at(own, x, y) == Some(own),
                1 => self.game.known_at(own, x, y) == Some(own.other()),
                _ => own == tesuji_core::Side::Black,
            }))
        });
        Ok(PyArray3::from_owned_array(py, planes))
    }

    /// What one side sees, drawn for a terminal: the whole board, but in phantom games.
    fn seen_by(&self, side: &str) -> PyResult<String> {
        Ok(self.game.seen_by(self::side(side)?).unwrap_or_else(|| self.game.drawing()))
    }

    /// The number of sequences of so many legal moves.
    ///
    /// >>> Position("breakthrough").perft(3)
    /// 11132
    fn perft(&self, py: Python<'_>, #[pyo3(from_py_with = whole)] depth: u32) -> u64 {
        py.detach(|| self.game.perft(depth))
    }

    /// Itself: positions never change.
    fn copy(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __eq__(&self, other: &Position) -> bool {
        self.key() == other.key()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let from = self.from.as_ref().map_or(String::new(), |text| format!(" from '{text}'"));
        format!("<Position of {}{from} after '{}'>", self.spec, self.moves().join(" "))
    }

    fn __str__(&self) -> String {
        self.game.drawing()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let position = slf.get();
        let moves = position.moves().into_iter().map(str::to_owned).collect();
        let from = position.from.as_deref().map(str::to_owned);
        Ok((slf.get_type().getattr("_of")?, (position.spec.to_string(), from, moves)))
    }

    /// What a pickled position is made of.
    #[classmethod]
    fn _of(
        _class: &Bound<'_, PyType>,
        spec: &str,
        from: Option<&str>,
        moves: Vec<String>,
    ) -> PyResult<Position> {
        let spec = Arc::new(spec.parse().map_err(bad_input)?);
        let mut position = match from {
            Some(text) => Position::read(&spec, text)?,
            None => Position::start(&spec)?,
        };
        for mv in moves {
            position.try_move(mv.trim_start_matches(REFUSED))?;
        }
        Ok(position)
    }
}

/// A function, and what it is called with to make the position again.
type Pickled<'py> = (Bound<'py, PyAny>, (String, Option<String>, Vec<String>));

#[pymethods]
impl Attempt {
    fn __repr__(&self) -> String {
        match (self.stands, &self.news) {
            (false, _) => "<Attempt: refused>".to_owned(),
            (true, None) => "<Attempt: stands>".to_owned(),
            (true, Some(news)) => format!("<Attempt: stands, {news}>"),
        }
    }
}
