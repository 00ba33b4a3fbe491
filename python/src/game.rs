//! Games of the catalog.

use std::str::FromStr;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tesuji_catalog::{GameSpec, Shape};

use crate::errors::bad_input;
use crate::position::Position;

/// A game: rules, board and options, by its spec.
///
/// Specs are those of the command line: ``go:9``, ``hex:11(swap=on)``, ``misere(hex:7)``
/// or ``nohex:7``, ``phantom-go:7``. ``games()`` lists what there is.
///
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

    /// The board's width and height.
    #[getter]
    fn board(&self) -> (usize, usize) {
        self.0.board()
    }

    /// What the board looks like: ``goban``, ``hexagons`` or ``squares``.
    #[getter]
    fn shape(&self) -> &'static str {
        match self.0.info().shape {
            Shape::Goban => "goban",
            Shape::Hexagons => "hexagons",
            Shape::Squares => "squares",
        }
    }

    /// Whether whoever would win, loses.
    #[getter]
    fn is_misere(&self) -> bool {
        self.0.is_misere()
    }

    /// Whether the sides do not see each other's pieces.
    #[getter]
    fn is_hidden(&self) -> bool {
        self.0.info().is_hidden
    }

    /// The position before the first move.
    fn start(&self) -> PyResult<Position> {
        Position::start(&self.0)
    }

    /// A position from its text, as ``Position.text`` gives it.
    ///
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

/// The games there are, each as a dictionary: ``name``, ``misere`` (the misère twin's name),
/// ``rules``, ``boards`` (which there are, in words) and ``options``.
///
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
