//! The arguments `only`, `avoid` and `focus` of a search.

use pyo3::prelude::*;
use pyo3::types::PyString;
use tesuji_core::{MoveId, PackedMove};
use tesuji_search::{Board, Sight, Steering};

use crate::errors::bad_input;
use crate::own_game::{OwnGame, raising};

/// The moves as they were given.
pub(crate) struct SteeredMoves<'py> {
    pub(crate) only: Option<Bound<'py, PyAny>>,
    pub(crate) avoid: Option<Bound<'py, PyAny>>,
    pub(crate) focus: Option<Bound<'py, PyAny>>,
}

impl SteeredMoves<'_> {
    /// Reads them as moves of a built-in game: texts.
    pub(crate) fn of_ours(&self, board: &dyn Board) -> PyResult<Steering> {
        let only = self.only.as_ref().map(|moves| texts("only", moves)).transpose()?;
        let list = |name, moves: &Option<Bound<'_, PyAny>>| -> PyResult<Vec<String>> {
            moves.as_ref().map_or(Ok(Vec::new()), |moves| texts(name, moves))
        };
        let (avoid, focus) = (list("avoid", &self.avoid)?, list("focus", &self.focus)?);
        Steering::read(board, only.as_deref(), &avoid, &focus).map_err(bad_input)
    }

    /// Reads them as moves of a game that is written in Python: lists of its own moves.
    pub(crate) fn of_own(&self, py: Python<'_>, game: &OwnGame) -> PyResult<Steering> {
        if self.only.is_none() && self.avoid.is_none() && self.focus.is_none() {
            return Ok(Steering::default());
        }
        let all = raising(|| Sight::search_moves(game))?;
        let list = |moves: &Option<Bound<'_, PyAny>>| -> PyResult<Vec<MoveId>> {
            let Some(moves) = moves else { return Ok(Vec::new()) };
            moves.try_iter()?.map(|mv| number(py, game, &all, &mv?)).collect()
        };
        let only = self.only.is_some().then(|| list(&self.only)).transpose()?;
        let steering = Steering::among(all.clone(), only.as_deref(), &list(&self.avoid)?);
        let steering = steering.map_err(bad_input)?;
        let focus = list(&self.focus)?;
        if let Some(&mv) = focus.iter().find(|&&mv| !steering.moves().allows(mv)) {
            let text = raising(|| Sight::move_text(game, mv))?;
            return Err(bad_input(format!(
                "'{text}' cannot be focused on, because the search may not choose it"
            )));
        }
        Ok(steering.with_focus(focus))
    }
}

/// One text with blanks or commas, or a list of texts.
fn texts(name: &str, moves: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(text) = moves.cast::<PyString>() {
        let text = text.to_string();
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        return Ok(words.map(str::to_owned).collect());
    }
    let kind = moves.get_type().name()?;
    let wrong = || bad_input(format!("'{name}' is a text or a list of texts, not {kind}"));
    moves.extract().map_err(|_: PyErr| wrong())
}

/// The number of a move among those of a position.
fn number(py: Python<'_>, game: &OwnGame, all: &[MoveId], mv: &Bound<'_, PyAny>) -> PyResult<MoveId> {
    for &id in all {
        if game.table().mv(py, u32::unpack(id)).bind(py).eq(mv)? {
            return Ok(id);
        }
    }
    Err(bad_input(format!("{} is not a move of this position", mv.repr()?)))
}
