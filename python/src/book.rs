//! Opening books: seeds play against each other, and the best are chosen.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use numpy::PyArray2;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tesuji::BUILD;
use tesuji_arena::{Completion, Learnt, MatchExperiment, Progress, RunError, RunSettings, Store, StoreError};
use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::spec::Value;
use tesuji_core::{Seed, Side};
use tesuji_portfolio::lazy::{LazyAlgorithm, LazyGoal, PlayError, Played};
use tesuji_portfolio::seeds::{LazySeeds, SeedError, SeedGames, Symmetries};
use tesuji_portfolio::{KomiMatches, Matrix, Method};

use crate::arguments::{self, GameArgument, whole, whole_or_none};
use crate::columns::Columns;
use crate::errors::bad_input;
use crate::game::Game;
use crate::interrupt::interruptible_telling;
use crate::portfolio::{checked_exploitability, matrix_array, solved};
use crate::progress::{Meter, ProgressArgument};
use crate::store::StoreArgument;

/// The most seeds a side, as on the command line.
const MOST_SEEDS: u64 = 31_622;

/// The seeds that are to play against each other.
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
}

/// The arguments that `seed_matrix` and `Book.learn` have in common.
#[derive(Default)]
struct PlanArguments<'py> {
    seeds: u64,
    komi: Option<f64>,
    komi_games: u64,
    symmetries: bool,
    seed: u64,
    store: Option<StoreArgument<'py>>,
    threads: Option<usize>,
}

/// What can stop the games, and what shows their progress.
struct Watching<'a> {
    cancel: &'a AtomicBool,
    meter: &'a Meter,
}

impl Plan {
    fn new(game: &GameArgument, player: &str, arguments: PlanArguments<'_>) -> PyResult<Plan> {
        let PlanArguments { seeds, komi, komi_games, symmetries, seed, store, threads } = arguments;
        let has_its_komi = game.says_komi();
        let game = GameSpec::clone(&*game.spec()?);
        if komi_games < 2 {
            return Err(bad_input(format!("komi_games is at least 2, not {komi_games}")));
        }
        if komi.is_some() && !KomiMatches::has_komi(&game) {
            return Err(bad_input(format!("{game} has no komi")));
        }
        if !(1..=MOST_SEEDS).contains(&seeds) {
            return Err(bad_input(format!("seeds are from 1 to {MOST_SEEDS}, not {seeds}")));
        }
        let plan = Plan {
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
        };
        // Better now than after the komi was measured.
        plan.games(&plan.game).map_err(bad_input)?;
        Ok(plan)
    }

    /// The games of seeds, with the komi that this game has.
    fn games(&self, game: &GameSpec) -> Result<SeedGames, SeedError> {
        SeedGames::new(game, &self.player, self.seed, self.seeds, self.symmetries)
    }

    /// Plays all that the store lacks, and returns the matrix.
    fn matrix(&self, py: Python<'_>, meter: &Meter) -> PyResult<(SeedGames, Matrix)> {
        self.in_store(py, meter, |games, store, watching| {
            self.play(&games.experiment, store, None, watching)?;
            let first: Vec<usize> = (0..self.seeds as usize).collect();
            let matrix = games.matrix(store)?.and_then(|matrix| matrix.select(&first, &first).ok());
            matrix.ok_or(PlanError::Unfinished)
        })
    }

    /// Plays what an algorithm asks for, and makes a book of it.
    fn lazy_book(
        &self,
        py: Python<'_>,
        meter: &Meter,
        algorithm: LazyAlgorithm,
        goal: &LazyGoal,
    ) -> PyResult<Book> {
        let (games, (portfolio, played, gap)) = self.in_store(py, meter, |games, store, watching| {
            let source = LazySeeds::new(self.seeds as usize, |wanted: BTreeSet<u64>| {
                self.play(&games.experiment, store, Some(wanted.clone()), watching)?;
                Ok::<_, PlanError>(games.stored(store, &wanted)?)
            });
            let mut played = Played::new(source);
            let all = self.seeds * self.seeds;
            let wanted = goal.games.map_or(all, |games| games.min(all));
            let learnt = algorithm.learn(&mut played, goal, |played| {
                watching.meter.set(Completion { done: played.games(), wanted });
                watching.cancel.load(Ordering::Relaxed)
            });
            let portfolio = learnt.map_err(|error| match error {
                PlayError::Source(error) => error,
                PlayError::Count { .. } | PlayError::Reward { .. } => PlanError::Unfinished,
            })?;
            watching.meter.finish(played.games());
            let gap = played.gap_bound(&portfolio);
            Ok((portfolio, played.games(), gap))
        })?;
        // If all games are played, nothing is left to guess.
        let is_whole = played == self.seeds * self.seeds;
        let method = if is_whole { Method::Nash.to_string() } else { algorithm.to_string() };
        let learnt = Learnt {
            seeds: self.seeds,
            games: played * games.n_symmetries() as u64,
            gap: Some(gap),
            build: BUILD.fingerprint.to_owned(),
            ..Learnt::default()
        };
        Ok(Book(games.book(&portfolio, &method, learnt)))
    }

    /// Opens the store, finds the komi, and does some work on the games.
    fn in_store<T: Send>(
        &self,
        py: Python<'_>,
        meter: &Meter,
        work: impl FnOnce(&SeedGames, &mut Store, &Watching<'_>) -> Result<T, PlanError> + Send,
    ) -> PyResult<(SeedGames, T)> {
        let all = |cancel: &AtomicBool| {
            let watching = Watching { cancel, meter };
            let mut store = match &self.store {
                Some(path) => Store::open(path)?,
                None => Store::in_memory()?,
            };
            let games = self.games(&self.with_komi(&mut store, &watching)?)?;
            let done = work(&games, &mut store, &watching)?;
            Ok::<_, PlanError>((games, done))
        };
        interruptible_telling(py, all, |py| meter.tell(py))?.map_err(bad_input)
    }

    /// The game with a komi: the one asked for, its own, or a fair one.
    fn with_komi(&self, store: &mut Store, watching: &Watching<'_>) -> Result<GameSpec, PlanError> {
        if let Some(komi) = self.komi {
            let with_komi = self.game.with_option("komi", Value::Number(komi));
            return with_komi.map_err(|error| PlanError::Komi(error.to_string()));
        }
        if self.has_its_komi || !KomiMatches::has_komi(&self.game) {
            return Ok(self.game.clone());
        }
        let matches =
            KomiMatches { game: &self.game, player: &self.player, seed: self.seed, games: self.komi_games };
        let found = matches.search(store, |experiment, store| self.play(experiment, store, None, watching));
        found.map(|(game, _)| game).map_err(|error| PlanError::Komi(error.to_string()))
    }

    /// Plays these games, or all that the store lacks.
    fn play(
        &self,
        experiment: &MatchExperiment,
        store: &mut Store,
        wanted: Option<BTreeSet<u64>>,
        watching: &Watching<'_>,
    ) -> Result<(), PlanError> {
        // Of the games that an algorithm asks for it knows itself how many there are.
        let is_whole = wanted.is_none();
        let mut tell = |told: &Progress<'_>| {
            if is_whole {
                watching.meter.set(told.total());
            }
        };
        let build = BUILD.fingerprint.to_owned();
        let settings = RunSettings { build, wanted, ..RunSettings::on_threads(self.threads) };
        let summary = experiment.run_watched(&settings, store, watching.cancel, &mut tell)?;
        if summary.is_interrupted { Err(PlanError::Unfinished) } else { Ok(()) }
    }
}

/// Why the games of seeds could not be played.
#[derive(Debug, thiserror::Error)]
enum PlanError {
    #[error("not all games were played: play again to continue")]
    Unfinished,
    #[error("{0}")]
    Komi(String),
    #[error(transparent)]
    Seeds(#[from] SeedError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Play every seed of a player as Black against every seed as White.
///
/// Parameters
/// ----------
/// game : Game or str
///     The game, or its spec.
/// player : str, default: 'flat(uniform)@400'
///     The player whose seeds these are, with a budget in samples.
/// seeds : int, default: 100
///     How many seeds each side has.
/// komi : float, optional
///     Points for White. Default: the komi in the game's spec; if that has none, matches find a komi
///     with which Black wins about half.
/// komi_games : int, default: 200
///     Games for each komi that is measured.
/// symmetries : bool, default: False
///     Play each pair once for each symmetry of the board; entries are means.
/// seed : int, default: 1
///     The root from which all seeds are derived.
/// store : Store or path, optional
///     The file that keeps the games: nothing is played twice, a larger number of seeds keeps what is
///     there, and ``tesuji portfolio`` reads the same file.
/// threads : int, optional
///     How many games are played at once; default: one for each core.
/// progress : bool or callable, optional
///     ``True`` shows a line on standard error. A function is called now and then with the number of
///     games so far, and of all games. Games that find a komi are counted separately.
///
/// Returns
/// -------
/// numpy.ndarray
///     Black's rewards: a row for each of Black's seeds, a column for each of White's.
///
/// Raises
/// ------
/// ValueError
///     If an argument is wrong; the sentence says what is allowed.
///
/// Examples
/// --------
/// >>> games = seed_matrix("hex:3", "uct@20", 4)
/// >>> games.shape, set(games.ravel().tolist()) <= {0.0, 1.0}
/// ((4, 4), True)
#[pyfunction]
#[pyo3(
    signature = (
        game, player = "flat(uniform)@400", seeds = 100, *, komi = None, komi_games = 200, symmetries = false, seed = 1,
        store = None, threads = None, progress = ProgressArgument::Nobody
    ),
    text_signature = "(game, player='flat(uniform)@400', seeds=100, *, komi=None, komi_games=200, symmetries=False, \
                      seed=1, store=None, threads=None, progress=None)"
)]
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
    progress: ProgressArgument,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let arguments = PlanArguments { seeds, komi, komi_games, symmetries, seed, store, threads };
    let plan = Plan::new(&game, player, arguments)?;
    matrix_array(py, &plan.matrix(py, &progress.meter(py, "games")?)?.1)
}

/// An opening book: seeds of a player, and the probability with which each is drawn.
///
/// A saved book plays matches as ``'portfolio("book.json")'``, and ``tesuji portfolio`` shows and plays
/// it. Books can be pickled and compared.
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
    /// Play seeds against seeds and learn which to choose, as ``tesuji portfolio learn`` does.
    ///
    /// Ctrl-C ends it; finished games stay in the store.
    ///
    /// Parameters
    /// ----------
    /// game : Game or str
    ///     The game, or its spec.
    /// player : str, default: 'flat(uniform)@400'
    ///     The player whose seeds these are, with a budget in samples.
    /// seeds : int, default: 100
    ///     How many seeds each side has.
    /// method : str, default: 'nash'
    ///     ``"nash"``, ``"sparse-nash(ALPHA)"``, ``"best-seed"`` or ``"uniform"``.
    /// lazy : str, optional
    ///     Play only the games that a near-equilibrium needs: ``"double-oracle"``, ``"grigoriadis"`` or
    ///     ``"exp3"``. ``method`` must be ``"nash"`` then.
    /// exploitability : float, default: 0.05
    ///     With ``lazy``: stop once neither side is known to gain more than this on average.
    /// games : int, optional
    ///     With ``lazy``: stop after this number of pairs of seeds.
    /// komi : float, optional
    ///     Points for White. Default: the komi in the game's spec; if that has none, matches find a komi
    ///     with which Black wins about half.
    /// komi_games : int, default: 200
    ///     Games for each komi that is measured.
    /// symmetries : bool, default: False
    ///     Play each pair once for each symmetry of the board; entries are means.
    /// turn : bool, default: False
    ///     Let the book turn the board at random in every game, even if the seeds were played on unturned boards.
    /// seed : int, default: 1
    ///     The root from which all seeds are derived.
    /// store : Store or path, optional
    ///     The file that keeps the games: nothing is played twice, a larger number of seeds keeps what is
    ///     there, and ``tesuji portfolio`` reads the same file.
    /// threads : int, optional
    ///     How many games are played at once; default: one for each core.
    /// progress : bool or callable, optional
    ///     ``True`` shows a line on standard error. A function is called now and then with the number of
    ///     games so far, and of all games. Games that find a komi are counted separately.
    ///
    /// Returns
    /// -------
    /// Book
    ///     The book.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If an argument is wrong; the sentence says what is allowed.
    ///
    /// Examples
    /// --------
    /// >>> book = Book.learn("phantom-go:3(komi=2.5)", "flat(uniform)@10", 4)
    /// >>> book.learnt["games"], float(book.black["weight"].sum().round(9))
    /// (16, 1.0)
    #[staticmethod]
    #[pyo3(
        signature = (
            game, player = "flat(uniform)@400", seeds = 100, *, method = "nash", lazy = None, exploitability = 0.05,
            games = None, komi = None, komi_games = 200, symmetries = false, turn = false, seed = 1, store = None,
            threads = None, progress = ProgressArgument::Nobody
        ),
        text_signature = "(game, player='flat(uniform)@400', seeds=100, *, method='nash', lazy=None, \
                          exploitability=0.05, games=None, komi=None, komi_games=200, symmetries=False, turn=False, \
                          seed=1, store=None, threads=None, progress=None)"
    )]
    #[allow(clippy::too_many_arguments)]
    fn learn(
        py: Python<'_>,
        game: GameArgument,
        player: &str,
        #[pyo3(from_py_with = whole)] seeds: u64,
        method: &str,
        lazy: Option<&str>,
        exploitability: f64,
        #[pyo3(from_py_with = whole_or_none)] games: Option<u64>,
        komi: Option<f64>,
        #[pyo3(from_py_with = whole)] komi_games: u64,
        symmetries: bool,
        turn: bool,
        #[pyo3(from_py_with = whole)] seed: u64,
        store: Option<StoreArgument<'_>>,
        #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
        progress: ProgressArgument,
    ) -> PyResult<Book> {
        let method: Method = method.parse().map_err(bad_input)?;
        let algorithm: Option<LazyAlgorithm> = lazy.map(str::parse).transpose().map_err(bad_input)?;
        let exploitability = checked_exploitability(exploitability)?;
        if algorithm.is_some() && method != Method::Nash {
            return Err(bad_input("a lazy algorithm makes a mixture of its own: leave out method"));
        }
        if algorithm.is_none() && games.is_some() {
            return Err(bad_input("games is for lazy algorithms: without one, all seeds play each other"));
        }
        let arguments = PlanArguments { seeds, komi, komi_games, symmetries, seed, store, threads };
        let plan = Plan::new(&game, player, arguments)?;
        let meter = progress.meter(py, "games")?;
        let book = match algorithm {
            Some(algorithm) => {
                let goal = LazyGoal { exploitability, games, seed: Seed::new(seed).child("lazy") };
                plan.lazy_book(py, &meter, algorithm, &goal)?.0
            }
            None => {
                let (games, matrix) = plan.matrix(py, &meter)?;
                let equilibrium = solved(py, &matrix, ProgressArgument::Nobody)?;
                let build = BUILD.fingerprint.to_owned();
                py.detach(|| games.learn_from(&matrix, &equilibrium, method, Seed::new(seed), build))
            }
        };
        Ok(Book(if turn { book.turned() } else { book }))
    }

    /// Read a book's file.
    ///
    /// Parameters
    /// ----------
    /// path : path
    ///     The file.
    ///
    /// Returns
    /// -------
    /// Book
    ///     The book.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the file is not a book.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Book> {
        tesuji_arena::Book::read(&path).map(Book).map_err(bad_input)
    }

    /// Make a book from the text of its file.
    ///
    /// Parameters
    /// ----------
    /// text : str
    ///     The text, as ``to_json`` returns it.
    ///
    /// Returns
    /// -------
    /// Book
    ///     The book.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the text is not a book.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Book> {
        tesuji_arena::Book::from_text(text).map(Book).map_err(bad_input)
    }

    /// Write the book's file, a small JSON.
    ///
    /// Parameters
    /// ----------
    /// path : path
    ///     The file.
    ///
    /// Raises
    /// ------
    /// OSError
    ///     If the file cannot be written.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let cannot = |error| PyOSError::new_err(format!("cannot write {}: {error}", path.display()));
        std::fs::write(&path, self.0.text()).map_err(cannot)
    }

    /// The game.
    #[getter]
    fn game(&self) -> PyResult<Game> {
        Ok(Game(std::sync::Arc::new(self.0.game.parse().map_err(bad_input)?)))
    }

    /// The player whose seeds these are, with its budget.
    #[getter]
    fn player(&self) -> &str {
        &self.0.player
    }

    /// The method or the lazy algorithm that chose the seeds.
    #[getter]
    fn method(&self) -> &str {
        &self.0.method
    }

    /// Whether the book turns the board at random at the beginning of a game.
    #[getter]
    fn symmetries(&self) -> bool {
        self.0.symmetries
    }

    /// Black's seeds, the most probable first. Columns: ``number``, ``seed`` (its digits), ``weight``.
    #[getter]
    fn black<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choices(py, Side::Black)
    }

    /// White's seeds, the most probable first. Columns: ``number``, ``seed`` (its digits), ``weight``.
    #[getter]
    fn white<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choices(py, Side::White)
    }

    /// Return the first moves of each seed of a side, if no attempt is refused and nothing captured.
    ///
    /// Parameters
    /// ----------
    /// side : str
    ///     ``"black"`` or ``"white"``.
    /// moves : int, default: 3
    ///     How many moves of the side.
    ///
    /// Returns
    /// -------
    /// list of list of str
    ///     The moves of each seed, in the order of ``black`` or ``white``.
    #[pyo3(signature = (side, moves = 3))]
    fn openings(
        &self,
        py: Python<'_>,
        side: &str,
        #[pyo3(from_py_with = whole)] moves: usize,
    ) -> PyResult<Vec<Vec<String>>> {
        let side = crate::side::side(side)?;
        if !(1..=50).contains(&moves) {
            return Err(bad_input(format!("moves are from 1 to 50, not {moves}")));
        }
        Ok(py.detach(|| self.0.openings(side, moves)))
    }

    /// How the book was learnt, as a dictionary.
    ///
    /// ``seeds`` of each side, ``games``, the win rate against those seeds (``training``) and against the best
    /// answers among them (``worst``), the ``gap`` of the matrix game or a bound on it, and the ``build`` of the
    /// program. An unknown number is ``None``.
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

    /// Return the text of the book's file.
    ///
    /// Returns
    /// -------
    /// str
    ///     A small JSON.
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().0.text(),)))
    }
}
