//! Positions of the catalog's games. They never change: playing a move returns another position,
//! so going back means keeping the old one.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use numpy::{PyArray1, PyArray3, ndarray::Array3};
use pyo3::prelude::*;
use pyo3::types::PyType;
use tesuji_arena::Completion;
use tesuji_catalog::GameSpec;
use tesuji_core::{NetworkForm, Outcome, PerftProgress, Seed};
use tesuji_report::{BoardPicture, Viewer};
use tesuji_search::{Attempt as Answer, Board, Tried};

use crate::arguments::{GameArgument, whole};
use crate::attempt::Attempt;
use crate::errors::bad_input;
use crate::game::Game;
use crate::interrupt::interruptible_telling;
use crate::network::Form;
use crate::progress::ProgressArgument;
use crate::side::side;

/// Stands before an attempt that a referee refused, as in the store.
const REFUSED: char = '?';

/// A position of a built-in game.
///
/// Positions never change: ``play`` returns the next one, and to go back you keep the old one.
/// Two positions are equal if they are of the same game and the same moves were played. They
/// can be hashed and pickled, and draw themselves in notebooks.
///
/// Parameters
/// ----------
/// game : Game or str
///     The game, or its spec such as ``"go:9"``.
/// moves : str, default: ''
///     Moves to play from the start, with blanks between them.
///
/// Raises
/// ------
/// ValueError
///     If there is no such game, or a move is not legal.
///
/// Examples
/// --------
/// >>> start = Position("hex:3")
/// >>> after = start.play("b2")
/// >>> start.moves, after.moves
/// ([], ['b2'])
/// >>> len(start.legal_moves()), len(after.legal_moves())
/// (9, 8)
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Position {
    pub(crate) spec: Arc<GameSpec>,
    pub(crate) game: Box<dyn Board>,
    /// The text of the position that the moves were played from; `None` for the start.
    from: Option<Arc<str>>,
    /// The moves since, refused attempts too.
    moves: Vec<Arc<str>>,
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

    /// The number of moves that were played, refused attempts too.
    pub(crate) fn ply(&self) -> u64 {
        self.moves.len() as u64
    }

    fn copied(&self) -> Position {
        Position {
            spec: self.spec.clone(),
            game: self.game.boxed_clone(),
            from: self.from.clone(),
            moves: self.moves.clone(),
        }
    }

    /// Tries a move. Returns whether it was accepted, and what is announced to both sides.
    fn try_move(&mut self, mv: &str) -> PyResult<(bool, Option<String>)> {
        let Tried { text, attempt } = self.game.attempt_text(mv).map_err(bad_input)?;
        let (accepted, mv, announcement) = match attempt {
            Answer::Stands { news } => (true, text, news),
            Answer::Refused => (false, format!("{REFUSED}{text}"), None),
        };
        self.moves.push(mv.into());
        Ok((accepted, announcement))
    }

    /// The board as SVG. Whoever sees one side of a phantom game is not shown the last move.
    pub(crate) fn picture(&self, viewer: Viewer, proposed: Option<&str>) -> String {
        let is_shown = viewer == Viewer::Spectator || !self.spec.info().is_hidden;
        let last = self.moves.iter().rev().find(|mv| !mv.starts_with(REFUSED)).filter(|_| is_shown);
        let (spec, board) = (&*self.spec, &*self.game);
        BoardPicture { spec, board, viewer, last: last.map(|mv| &**mv), proposed }.svg()
    }

    /// The form in which networks see the game, or a sentence.
    fn form(&self) -> PyResult<NetworkForm> {
        let form = self.game.sight().network_form();
        form.ok_or_else(|| bad_input(format!("networks cannot see positions of {}", self.spec)))
    }

    /// What makes two positions equal: the game, the first position and the moves since.
    pub(crate) fn key(&self) -> (&GameSpec, Option<&str>, &[Arc<str>]) {
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

    /// The side whose turn it is: ``'black'`` or ``'white'``.
    #[getter]
    fn to_move(&self) -> &'static str {
        self.game.to_move().word()
    }

    /// The moves that were played. In phantom games, refused attempts have a ``?`` before them.
    #[getter]
    fn moves(&self) -> Vec<&str> {
        self.moves.iter().map(|mv| &**mv).collect()
    }

    /// The position in one line; ``None`` if the game has no such form.
    ///
    /// Examples
    /// --------
    /// >>> Position("breakthrough:4").text
    /// 'bbbb/bbbb/wwww/wwww w'
    #[getter]
    fn text(&self) -> Option<String> {
        self.game.position_text()
    }

    /// By how many points Black won; ``None`` if points are not counted, or the game goes on.
    #[getter]
    fn margin(&self) -> Option<f64> {
        self.game.margin()
    }

    /// Return how the game ended.
    ///
    /// Returns
    /// -------
    /// str or None
    ///     ``'black'`` or ``'white'`` for the winner, ``'draw'``, or ``None`` while the game goes on.
    fn outcome(&self) -> Option<&'static str> {
        self.game.outcome().map(Outcome::word)
    }

    /// Return the legal moves.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     All legal moves. In a phantom game: all moves that the side to move may try.
    ///
    /// Examples
    /// --------
    /// >>> Position("domineering:2").legal_moves()
    /// ['a1-a2', 'b1-b2']
    fn legal_moves(&self) -> Vec<String> {
        self.game.legal_texts()
    }

    /// Return the moves that a search considers, in the order of its arms.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     The legal moves. In Go, moves that fill an own eye are left out, and so is the pass unless
    ///     it is the only move.
    fn search_moves(&self) -> Vec<String> {
        self.game.arm_texts()
    }

    /// Play some moves.
    ///
    /// Parameters
    /// ----------
    /// *moves : str
    ///     The moves, in order.
    ///
    /// Returns
    /// -------
    /// Position
    ///     The position after the moves. This one stays as it is.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a move is not legal.
    ///
    /// Examples
    /// --------
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

    /// Try a move. In a phantom game the referee may refuse it, and the same side tries another.
    ///
    /// Parameters
    /// ----------
    /// move : str
    ///     The move.
    ///
    /// Returns
    /// -------
    /// Attempt
    ///     Whether the referee accepted the move, and the position afterwards.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the side to move knows that the move is not legal.
    ///
    /// Examples
    /// --------
    /// >>> white = Position("phantom-go:5").play("c3")
    /// >>> answer = white.attempt("c3")
    /// >>> answer.accepted, answer.position.to_move, answer.position.moves
    /// (False, 'white', ['c3', '?c3'])
    fn attempt(&self, py: Python<'_>, r#move: &str) -> PyResult<Attempt> {
        let mut next = self.copied();
        let (accepted, announcement) = next.try_move(r#move)?;
        Ok(Attempt { position: Py::new(py, next)?, accepted, announcement })
    }

    /// Play random moves to the end of the game.
    ///
    /// Parameters
    /// ----------
    /// seed : int, default: 1
    ///     Equal seeds play equal moves.
    ///
    /// Returns
    /// -------
    /// Position
    ///     A position in which the game is over.
    ///
    /// Examples
    /// --------
    /// >>> Position("hex:5").played_out(seed=1).outcome() in ("black", "white")
    /// True
    #[pyo3(signature = (*, seed = 1))]
    fn played_out(&self, #[pyo3(from_py_with = whole)] seed: u64) -> PyResult<Position> {
        let mut rng = Seed::new(seed).rng();
        let mut next = self.copied();
        // Refused attempts reveal something, so they are part of what was played.
        while next.game.outcome().is_none() {
            let moves = next.game.arm_texts();
            let Some(mv) = rng.choose(&moves) else { break };
            next.try_move(mv)?;
        }
        Ok(next)
    }

    /// Return the board as numbers for a network.
    ///
    /// In a phantom game the planes contain only what the side knows.
    ///
    /// Parameters
    /// ----------
    /// side : str, optional
    ///     The point of view, ``"black"`` or ``"white"``; default: the side to move.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray
    ///     An array of ``float32`` of shape (3, height, width), row 1 first: the pieces of the side,
    ///     the pieces of its enemy, and ones everywhere if the side is Black.
    ///
    /// Examples
    /// --------
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

    /// Return how networks see the positions of this game, and number its moves.
    ///
    /// Returns
    /// -------
    /// NetworkForm or None
    ///     ``encoding``, ``planes``, ``height``, ``width`` and ``n_logits``; ``None`` if networks cannot
    ///     see the game.
    ///
    /// Examples
    /// --------
    /// >>> form = Position("hex:5").network_form()
    /// >>> form.height, form.width, form.n_logits
    /// (5, 5, 25)
    fn network_form(&self) -> Option<Form> {
        self.game.sight().network_form().map(Form::from)
    }

    /// Return the position as networks see it.
    ///
    /// Parameters
    /// ----------
    /// seed : int, default: 1
    ///     In a phantom game, networks see a whole board that agrees with what the side to move
    ///     knows: the seed chooses which.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray
    ///     An array of ``float32`` of shape (planes, height, width), from the point of view of the side
    ///     to move. ``docs/networks.md`` describes the planes of every game.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If networks cannot see the game.
    ///
    /// Examples
    /// --------
    /// >>> position = Position("hex:5").play("c3")
    /// >>> form = position.network_form()
    /// >>> position.network_planes().shape == (form.planes, form.height, form.width)
    /// True
    #[pyo3(signature = (*, seed = 1))]
    fn network_planes<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole)] seed: u64,
    ) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let form = self.form()?;
        let mut planes = vec![0.0; form.size()];
        self.game.sight().write_guessed_planes(&mut planes, &mut Seed::new(seed).rng());
        let planes = Array3::from_shape_vec((form.planes, form.height, form.width), planes);
        Ok(PyArray3::from_owned_array(py, planes.map_err(bad_input)?))
    }

    /// Return the number of a move among the logits of a network.
    ///
    /// Parameters
    /// ----------
    /// move : str
    ///     A legal move.
    ///
    /// Returns
    /// -------
    /// int
    ///     A number below ``network_form().n_logits``.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the move is not legal, or networks cannot see the game.
    ///
    /// Examples
    /// --------
    /// >>> Position("hex:5").logit("b1")
    /// 1
    fn logit(&self, r#move: &str) -> PyResult<usize> {
        self.form()?;
        let mv = self.game.parse_move(r#move).map_err(bad_input)?;
        Ok(self.game.sight().logit(mv))
    }

    /// Return the numbers of the moves of ``search_moves()`` among the logits of a network.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray
    ///     An array of ``int64`` in the order of ``search_moves()``, and so of the rows of a decision's
    ///     ``arms``.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If networks cannot see the game.
    ///
    /// Examples
    /// --------
    /// >>> Position("hex:2").play("a1").search_logits().shape
    /// (3,)
    fn search_logits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        self.form()?;
        let sight = self.game.sight();
        let numbers = sight.search_moves().into_iter().map(|mv| sight.logit(mv) as i64).collect();
        Ok(PyArray1::from_vec(py, numbers))
    }

    /// Return what one side sees, drawn for a terminal.
    ///
    /// Parameters
    /// ----------
    /// side : str
    ///     ``"black"`` or ``"white"``.
    ///
    /// Returns
    /// -------
    /// str
    ///     In a phantom game, what the side knows; otherwise the whole board.
    fn seen_by(&self, side: &str) -> PyResult<String> {
        Ok(self.game.seen_by(self::side(side)?).unwrap_or_else(|| self.game.drawing()))
    }

    /// Draw the position as SVG. Notebooks do so by themselves.
    ///
    /// Parameters
    /// ----------
    /// side : str, optional
    ///     In a phantom game, draw what ``"black"`` or ``"white"`` knows. If it is left out, all
    ///     stones are drawn.
    /// proposed : str, optional
    ///     A move of the side to move that is marked and not played.
    ///
    /// Returns
    /// -------
    /// str
    ///     The text of an SVG file.
    ///
    /// Examples
    /// --------
    /// >>> Position("go:5", "c3").svg()[:4]
    /// '<svg'
    #[pyo3(signature = (side = None, *, proposed = None))]
    fn svg(&self, side: Option<&str>, proposed: Option<&str>) -> PyResult<String> {
        let viewer = match side {
            Some(word) => Viewer::Side(self::side(word)?),
            None => Viewer::Spectator,
        };
        Ok(self.picture(viewer, proposed))
    }

    fn _repr_svg_(&self) -> String {
        self.picture(Viewer::Spectator, None)
    }

    /// Count the sequences of legal moves.
    ///
    /// Parameters
    /// ----------
    /// depth : int
    ///     The number of moves in a sequence.
    /// progress : bool or callable, optional
    ///     ``True`` shows a line on standard error. A function is called now and then with the number
    ///     of first moves that are counted, and the number of all first moves.
    ///
    /// Returns
    /// -------
    /// int
    ///     How many sequences of exactly ``depth`` moves there are.
    ///
    /// Raises
    /// ------
    /// KeyboardInterrupt
    ///     If you press Ctrl-C.
    ///
    /// Examples
    /// --------
    /// >>> Position("breakthrough").perft(3)
    /// 11132
    #[pyo3(signature = (depth, *, progress = ProgressArgument::Nobody), text_signature = "($self, depth, *, progress=None)")]
    pub(crate) fn perft(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] depth: u32,
        progress: ProgressArgument,
    ) -> PyResult<u64> {
        let meter = progress.meter(py, "first moves")?;
        let work = |cancel: &AtomicBool| {
            let count = self.game.perft_watched(depth, &mut |PerftProgress { done, total }| {
                meter.set(Completion { done, wanted: total });
                if cancel.load(Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            meter.finish_all();
            count
        };
        let count = interruptible_telling(py, work, |py| meter.tell(py))?;
        Ok(count.expect("what breaks off raises"))
    }

    /// Return the position itself: positions never change.
    ///
    /// Returns
    /// -------
    /// Position
    ///     This object.
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

    /// Make a position again from its pickle.
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
