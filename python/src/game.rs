//! Games of the catalog.

use std::str::FromStr;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tesuji_catalog::{GameSpec, Shape};

use crate::errors::bad_input;
use crate::position::Position;

/// A game: its rules, board and options.
///
/// Parameters
/// ----------
/// spec : str
///     The game as on the command line: ``"go:9"``, ``"hex:11(swap=on)"``, ``"misere(hex:7)"`` or
///     ``"nohex:7"``, ``"phantom-go:7"``. ``games()`` lists all of them.
///
/// Raises
/// ------
/// ValueError
///     If there is no such game; the sentence says what is allowed.
///
/// Examples
/// --------
/// >>> game = Game("Hex:5")
/// >>> game
/// Game('hex:5')
/// >>> game.board, game.is_misere
/// ((5, 5), False)
/// >>> game.start().to_move
/// 'black'
#[pyclass(frozen, eq, hash, module = "tesuji", from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Game(pub(crate) Arc<GameSpec>);

#[pymethods]
impl Game {
    #[new]
    fn new(spec: &str) -> PyResult<Game> {
        Ok(Game(Arc::new(GameSpec::from_str(spec).map_err(bad_input)?)))
    }

    /// The canonical text of the game.
    #[getter]
    fn spec(&self) -> String {
        self.0.to_string()
    }

    /// The rules in a sentence or two.
    #[getter]
    fn rules(&self) -> String {
        self.0.rules()
    }

    /// The width and the height of the board.
    #[getter]
    fn board(&self) -> (usize, usize) {
        self.0.board()
    }

    /// The look of the board: ``'goban'``, ``'hexagons'`` or ``'squares'``.
    #[getter]
    fn shape(&self) -> &'static str {
        match self.0.info().shape {
            Shape::Goban => "goban",
            Shape::Hexagons => "hexagons",
            Shape::Squares => "squares",
        }
    }

    /// Whether the goal is reversed: whoever would win, loses.
    #[getter]
    fn is_misere(&self) -> bool {
        self.0.is_misere()
    }

    /// Whether the sides do not see each other's pieces (phantom games).
    #[getter]
    fn is_hidden(&self) -> bool {
        self.0.info().is_hidden
    }

    /// Return the position before the first move.
    ///
    /// Returns
    /// -------
    /// Position
    ///     The empty board, or the starting setup.
    fn start(&self) -> PyResult<Position> {
        Position::start(&self.0)
    }

    /// Return a position from its text.
    ///
    /// Parameters
    /// ----------
    /// text : str
    ///     The position in one line, as ``Position.text`` writes it.
    ///
    /// Returns
    /// -------
    /// Position
    ///     The position, without the moves that led to it.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the text is not a position of this game.
    ///
    /// Examples
    /// --------
    /// >>> position = Game("hex:3").start().play("b2")
    /// >>> Game("hex:3").position(position.text).text == position.text
    /// True
    fn position(&self, text: &str) -> PyResult<Position> {
        Position::read(&self.0, text)
    }

    fn __repr__(&self) -> String {
        format!("Game('{}')", self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().0.to_string(),))
    }
}

/// List the games.
///
/// Returns
/// -------
/// list of dict
///     For each game its ``name``, ``misere`` (the name of the misère twin), ``rules``, ``boards``
///     (the allowed sizes, in words) and ``options``.
///
/// Examples
/// --------
/// >>> [game["name"] for game in games()][:3]
/// ['atarigo', 'ataxx', 'breakthrough']
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let entry = |info: &tesuji_catalog::GameInfo| {
        let entry = PyDict::new(py);
        entry.set_item("name", info.name)?;
        let twin = info.misere.map_or_else(|| format!("misere({})", info.name), str::to_owned);
        entry.set_item("misere", (!info.is_hidden).then_some(twin))?;
        entry.set_item("rules", info.rules)?;
        entry.set_item("boards", info.board.to_string())?;
        let options: Vec<&str> = info.options.iter().map(|option| option.name).collect();
        entry.set_item("options", options)?;
        Ok(entry)
    };
    tesuji_catalog::games().iter().map(|info| entry(info)).collect()
}
