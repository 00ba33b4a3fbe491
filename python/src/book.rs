//! Opening books: seeds that play against each other, and those that are chosen.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use numpy::PyArray2;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tesuji::BUILD;
use tesuji_arena::{Completion, Learnt, MatchExperiment, Progress, RunSettings, Store};
use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::spec::Value;
use tesuji_core::{Seed, Side};
use tesuji_portfolio::seeds::{SeedGames, Symmetries};
use tesuji_portfolio::{KomiMatches, Matrix, Method};

use crate::arguments::{self, GameArgument, whole, whole_or_none};
use crate::columns::Columns;
use crate::errors::bad_input;
use crate::game::Game;
use crate::interrupt::interruptible;
use crate::portfolio::matrix_array;
use crate::store::StoreArgument;

/// The most seeds a side, as on the command line.
const MOST_SEEDS: u64 = 31_622;

/// Seeds that are to play against each other.
struct Plan {
    game: GameSpec,
    has_its_komi: bool,
    player: PlayerSpec,
    komi: Option<f64>,
    komi_games: u64,
    seeds: u64,
    symmetries: Symmetries,
    seed: u64,
    store: Option<PathBuf>,
    threads: usize,
    progress: Option<Py<PyAny>>,
}

impl Plan {
    /// The games of seeds, with the komi that this game has.
    fn games(&self, game: &GameSpec) -> Result<SeedGames, String> {
        SeedGames::new(game, &self.player, self.seed, self.seeds, self.symmetries)
            .map_err(|error| error.to_string())
    }

    /// Plays all that the store lacks, and gives the matrix.
    fn play(&self, py: Python<'_>) -> PyResult<(SeedGames, Matrix)> {
        if !(1..=MOST_SEEDS).contains(&self.seeds) {
            return Err(bad_input(format!("seeds are from 1 to {MOST_SEEDS}, not {}", self.seeds)));
        }
        // Better now than after the komi was measured.
        self.games(&self.game).map_err(bad_input)?;
        let raised: Mutex<Option<PyErr>> = Mutex::new(None);
        let played = interruptible(py, |cancel| self.play_until(cancel, &raised))?;
        if let Some(error) = raised.into_inner().unwrap_or_default() {
            return Err(error);
        }
        played.map_err(bad_input)
    }

    fn play_until(
        &self,
        cancel: &AtomicBool,
        raised: &Mutex<Option<PyErr>>,
    ) -> Result<(SeedGames, Matrix), String> {
        let mut store = match &self.store {
            Some(path) => Store::open(path),
            None => Store::in_memory(),
        }
        .map_err(|error| error.to_string())?;
        let game = self.with_komi(&mut store, cancel, raised)?;
        let games = self.games(&game)?;
        self.play_all(&games.experiment, &mut store, cancel, raised)?;
        let matrix = games.matrix(&store).map_err(|error| error.to_string())?;
        let first: Vec<usize> = (0..self.seeds as usize).collect();
        let matrix = matrix.and_then(|matrix| matrix.select(&first, &first).ok());
        Ok((games, matrix.ok_or("not all games were played: play again to go on")?))
    }

    /// The game with a komi: the one asked for, its own, or a fair one.
    fn with_komi(
        &self,
        store: &mut Store,
        cancel: &AtomicBool,
        raised: &Mutex<Option<PyErr>>,
    ) -> Result<GameSpec, String> {
        if let Some(komi) = self.komi {
            return self.game.with_option("komi", Value::Number(komi)).map_err(|error| error.to_string());
        }
        if self.has_its_komi || !KomiMatches::has_komi(&self.game) {
            return Ok(self.game.clone());
        }
        let matches =
            KomiMatches { game: &self.game, player: &self.player, seed: self.seed, games: self.komi_games };
        let found =
            matches.search(store, |experiment, store| self.play_all(experiment, store, cancel, raised));
        found.map(|(game, _)| game).map_err(|error| error.to_string())
    }

    fn play_all(
        &self,
        experiment: &MatchExperiment,
        store: &mut Store,
        cancel: &AtomicBool,
        raised: &Mutex<Option<PyErr>>,
    ) -> Result<(), String> {
        let mut tell = |told: &Progress<'_>| {
            let Some(progress) = &self.progress else { return };
            let Completion { done, wanted } = told.total();
            if let Err(error) = Python::attach(|py| progress.call1(py, (done, wanted))) {
                cancel.store(true, Ordering::Relaxed);
                raised.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(error);
            }
        };
        let settings =
            RunSettings { build: BUILD.fingerprint.to_owned(), ..RunSettings::on_threads(self.threads) };
        let summary =
            experiment.run_watched(&settings, store, cancel, &mut tell).map_err(|error| error.to_string())?;
        if summary.is_interrupted { Err("interrupted".to_owned()) } else { Ok(()) }
    }
}

/// Plays every seed of a player as Black against every seed as White, and gives the matrix of
/// Black's rewards: rows are Black's seeds, columns White's.
///
/// The player is a spec with a budget in samples. Where the game has a komi, and neither its
/// text nor ``komi`` says which, matches find the one with which Black wins about half. With
/// ``symmetries``, each pair plays once for every symmetry of the board, and entries are means.
/// Games are kept in the file ``store``, where one is given: what is there is not played
/// again, a larger number of seeds keeps all of it, and ``tesuji portfolio`` reads the same
/// files. ``progress(done, wanted)`` is called after every game; those that find a komi count
/// apart.
///
/// >>> games = seed_matrix("hex:3", "uct@20", 4)
/// >>> games.shape, set(games.ravel().tolist()) <= {0.0, 1.0}
/// ((4, 4), True)
#[pyfunction]
#[pyo3(signature = (game, player = "flat(uniform)@400", seeds = 100, *, komi = None, komi_games = 200, symmetries = false, seed = 1, store = None, threads = None, progress = None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn seed_matrix<'py>(
    py: Python<'py>,
    game: GameArgument,
    player: &str,
    #[pyo3(from_py_with = whole)] seeds: u64,
    komi: Option<f64>,
    #[pyo3(from_py_with = whole)] komi_games: u64,
    symmetries: bool,
    #[pyo3(from_py_with = whole)] seed: u64,
    store: Option<StoreArgument<'_>>,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let plan = plan(game, player, seeds, komi, komi_games, symmetries, seed, store, threads, progress)?;
    matrix_array(py, &plan.play(py)?.1)
}

#[allow(clippy::too_many_arguments)]
fn plan(
    game: GameArgument,
    player: &str,
    seeds: u64,
    komi: Option<f64>,
    komi_games: u64,
    symmetries: bool,
    seed: u64,
    store: Option<StoreArgument<'_>>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Plan> {
    let has_its_komi = game.says_komi();
    let game = GameSpec::clone(&*game.spec()?);
    if komi_games < 2 {
        return Err(bad_input(format!("komi_games is at least 2, not {komi_games}")));
    }
    if komi.is_some() && !KomiMatches::has_komi(&game) {
        return Err(bad_input(format!("{game} has no komi")));
    }
    Ok(Plan {
        game,
        has_its_komi,
        player: arguments::player(player, None)?,
        komi,
        komi_games,
        seeds,
        symmetries: if symmetries { Symmetries::On } else { Symmetries::Off },
        seed,
        store: store.map(|store| store.path()),
        threads: arguments::threads(threads)?,
        progress,
    })
}

/// A learnt opening book: seeds of a player with the chances with which they are drawn.
///
/// Saved, it is a contestant of matches, ``portfolio("book.json")``, and what ``tesuji portfolio``
/// shows and plays.
#[pyclass(frozen, eq, module = "tesuji.portfolio")]
#[derive(PartialEq)]
pub(crate) struct Book(tesuji_arena::Book);

impl Book {
    fn choices<'py>(&self, py: Python<'py>, side: Side) -> PyResult<Bound<'py, PyAny>> {
        let choices = self.0.of_side(side);
        Columns::new(py)
            .column("number", "i8", choices.iter().map(|choice| choice.number))?
            .texts("seed", choices.iter().map(|choice| choice.seed.clone()))?
            .column("weight", "f8", choices.iter().map(|choice| choice.weight))?
            .array()
    }
}

#[pymethods]
impl Book {
    /// Plays seeds against seeds and learns which to choose, as ``tesuji portfolio learn`` does.
    ///
    /// Arguments are those of ``seed_matrix``, and ``method``: ``nash``, ``sparse-nash(ALPHA)``,
    /// ``best-seed`` or ``uniform``. With ``turn``, the book turns the board at random in every
    /// game, also where the seeds did not play so.
    ///
    /// >>> book = Book.learn("phantom-go:3(komi=2.5)", "flat(uniform)@10", 4)
    /// >>> book.learnt["games"], float(book.black["weight"].sum().round(9))
    /// (16, 1.0)
    #[staticmethod]
    #[pyo3(signature = (game, player = "flat(uniform)@400", seeds = 100, *, method = "nash", komi = None, komi_games = 200, symmetries = false, turn = false, seed = 1, store = None, threads = None, progress = None))]
    #[allow(clippy::too_many_arguments)]
    fn learn(
        py: Python<'_>,
        game: GameArgument,
        player: &str,
        #[pyo3(from_py_with = whole)] seeds: u64,
        method: &str,
        komi: Option<f64>,
        #[pyo3(from_py_with = whole)] komi_games: u64,
        symmetries: bool,
        turn: bool,
        #[pyo3(from_py_with = whole)] seed: u64,
        store: Option<StoreArgument<'_>>,
        #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Book> {
        let method: Method = method.parse().map_err(bad_input)?;
        let plan = plan(game, player, seeds, komi, komi_games, symmetries, seed, store, threads, progress)?;
        let (games, matrix) = plan.play(py)?;
        let (book, _) =
            py.detach(|| games.learn(&matrix, method, Seed::new(seed), BUILD.fingerprint.to_owned()));
        Ok(Book(if turn { book.turned() } else { book }))
    }

    /// Reads a book's file.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Book> {
        tesuji_arena::Book::read(&path).map(Book).map_err(bad_input)
    }

    /// Writes the book's file, a small JSON.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let cannot = |error| PyOSError::new_err(format!("cannot write {}: {error}", path.display()));
        std::fs::write(&path, self.0.text()).map_err(cannot)
    }

    /// The game it was learnt in.
    #[getter]
    fn game(&self) -> PyResult<Game> {
        Ok(Game(std::sync::Arc::new(self.0.game.parse().map_err(bad_input)?)))
    }

    /// Whose seeds these are, with the budget.
    #[getter]
    fn player(&self) -> &str {
        &self.0.player
    }

    /// How it was learnt.
    #[getter]
    fn method(&self) -> &str {
        &self.0.method
    }

    /// Whether the board is turned at random at the beginning of a game.
    #[getter]
    fn symmetries(&self) -> bool {
        self.0.symmetries
    }

    /// Black's seeds, the most probable first, as a structured array: ``number``, ``seed`` (its
    /// digits) and ``weight``.
    #[getter]
    fn black<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choices(py, Side::Black)
    }

    /// White's seeds, likewise.
    #[getter]
    fn white<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choices(py, Side::White)
    }

    /// What each of a side's seeds plays as long as nothing happens to it: none of its attempts
    /// is refused, and it hears of no capture. In the order of ``black`` or ``white``.
    #[pyo3(signature = (side, moves = 3))]
    fn openings(&self, py: Python<'_>, side: &str, moves: usize) -> PyResult<Vec<Vec<String>>> {
        let side = crate::side::side(side)?;
        if !(1..=50).contains(&moves) {
            return Err(bad_input(format!("moves are from 1 to 50, not {moves}")));
        }
        Ok(py.detach(|| self.0.openings(side, moves)))
    }

    /// What is known of it: ``seeds`` a side that were tried, ``games`` that were played, its win
    /// rate against those seeds (``training``) and against the best answers among them
    /// (``worst``), the ``gap`` of the matrix game, and the ``build`` that learnt it. What is not
    /// known is ``None``.
    #[getter]
    fn learnt<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Learnt { seeds, games, training, worst, gap, build } = &self.0.learnt;
        let learnt = PyDict::new(py);
        learnt.set_item("seeds", seeds)?;
        learnt.set_item("games", games)?;
        learnt.set_item("training", training)?;
        learnt.set_item("worst", worst)?;
        learnt.set_item("gap", gap)?;
        learnt.set_item("build", build)?;
        Ok(learnt)
    }

    /// The file's text.
    fn to_json(&self) -> String {
        self.0.text()
    }

    fn __repr__(&self) -> String {
        let tesuji_arena::Book { game, player, method, black, white, .. } = &self.0;
        format!(
            "<Book of {game}: {player}, {method}, {} seeds for Black, {} for White>",
            black.len(),
            white.len()
        )
    }
}
