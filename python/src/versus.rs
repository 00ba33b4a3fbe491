//! Matches: two contestants, many games.

use std::path::PathBuf;

use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use tesuji_arena::{Contestant, Match, Openings, Rules, RulesError, RunSettings, opening_lines};
use tesuji_report::Screen;
use tesuji_report::matches::{self, CellResults};
use tesuji_report::store::{GameRecord, StoreFilter};

use crate::arguments::{self, BudgetArgument, GameArgument, whole, whole_or_none, wrong_kind};
use crate::errors::bad_input;
use crate::experiment::{Meter, play};
use crate::store::{StoreArgument, games_array, records};

/// Openings: a list of texts, or a file with one on each line.
pub(crate) enum OpeningsArgument {
    List(Vec<String>),
    File(PathBuf),
}

impl<'py> FromPyObject<'_, 'py> for OpeningsArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<OpeningsArgument> {
        match (value.extract::<PathBuf>(), value.extract::<Vec<String>>()) {
            (Ok(file), _) => Ok(OpeningsArgument::File(file)),
            (_, Ok(openings)) => Ok(OpeningsArgument::List(openings)),
            _ => Err(wrong_kind(&value, "a list of openings, or the path of a file with them")),
        }
    }
}

impl OpeningsArgument {
    /// The openings, and the file they are from.
    fn read(self) -> PyResult<(Openings, Option<String>)> {
        match self {
            OpeningsArgument::List(openings) => Ok((Openings::Listed(openings), None)),
            OpeningsArgument::File(path) => {
                let path = path.display().to_string();
                let text = std::fs::read_to_string(&path)
                    .map_err(|error| bad_input(format!("cannot read the openings in {path}: {error}")))?;
                Ok((Openings::Listed(opening_lines(&text)), Some(path)))
            }
        }
    }
}

/// What a match came to. Printed, it is the block of ``tesuji match``.
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct MatchResult {
    cell: CellResults,
    records: Vec<GameRecord>,
    games: PyOnceLock<Py<PyAny>>,
}

#[pymethods]
impl MatchResult {
    /// Games that the player won.
    #[getter]
    fn wins(&self) -> u64 {
        self.cell.count.wins
    }

    /// Games that the player lost.
    #[getter]
    fn losses(&self) -> u64 {
        self.cell.count.losses
    }

    /// Games that nobody won.
    #[getter]
    fn draws(&self) -> u64 {
        self.cell.count.draws
    }

    /// The player's points a game, from 0 to 1; ``None`` without games.
    #[getter]
    fn rate(&self) -> Option<f64> {
        self.cell.rate
    }

    /// Wilson's 95 % interval of the rate.
    #[getter]
    fn interval(&self) -> (f64, f64) {
        (self.cell.interval.low, self.cell.interval.high)
    }

    /// The difference in Elo: infinite where one of the two had all points.
    #[getter]
    fn elo(&self) -> Option<f64> {
        self.cell.strength.map(|strength| strength.elo)
    }

    /// Half of the 95 % interval of ``elo``; nan where all results were alike.
    #[getter]
    fn elo_error(&self) -> Option<f64> {
        self.cell.strength.map(|strength| strength.elo_error)
    }

    /// The likelihood that the player is the stronger one.
    #[getter]
    fn los(&self) -> Option<f64> {
        self.cell.strength.map(|strength| strength.los)
    }

    /// The games, as ``Store.games`` gives them.
    #[getter]
    fn games<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let games = self.games.get_or_try_init(py, || games_array(py, &self.records).map(Bound::unbind))?;
        Ok(games.bind(py).clone())
    }

    fn __str__(&self) -> String {
        matches::block(&self.cell, None, &Screen::default()).trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        let CellResults { game, player, opponent, count, .. } = &self.cell;
        let (wins, losses, draws) = (count.wins, count.losses, count.draws);
        format!("MatchResult({game}: {player} against {opponent}, +{wins} -{losses} ={draws})")
    }
}

/// Plays a match: who is better, by how much, and how sure is that?
///
/// Players are specs, or external engines: ``gtp("COMMAND")``. Colours alternate. ``budget``
/// (1000 samples where it is not said) is for players without one of their own. Games are
/// functions of the seed and their number, so they are the same on any number of threads; with
/// ``store`` they are kept there, and the same match goes on where it stopped. ``openings`` are
/// a list of texts, or a file, each played from both sides; ``random_plies`` are random moves
/// instead. ``progress(done, wanted)`` is called now and then. Ctrl-C ends it.
///
/// >>> result = match("hex:3", "uct@100", "random", games=20, seed=2)
/// >>> result.wins + result.losses, result.rate > 0.5
/// (20, True)
/// >>> print(result)  # doctest: +ELLIPSIS
/// Results of uct@100 against random (hex:3...
/// ...
#[pyfunction(name = "match")]
#[pyo3(signature = (game, player, opponent, *, games = 100, budget = None, seed = 1, threads = None, store = None,
    random_plies = None, openings = None, progress = None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn play_match(
    py: Python<'_>,
    game: GameArgument,
    player: &str,
    opponent: &str,
    #[pyo3(from_py_with = whole)] games: u64,
    budget: Option<BudgetArgument>,
    #[pyo3(from_py_with = whole)] seed: u64,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    store: Option<StoreArgument<'_>>,
    #[pyo3(from_py_with = whole_or_none)] random_plies: Option<u32>,
    openings: Option<OpeningsArgument>,
    progress: Option<Py<PyAny>>,
) -> PyResult<MatchResult> {
    let contestant = |text: &str| text.parse::<Contestant>().map_err(bad_input);
    let usual = || "1000".parse().expect("this is a budget");
    let budget = budget.map_or_else(usual, |budget| budget.budget());
    let spec = game.spec()?;
    let plain = Match::new((*spec).clone(), contestant(player)?, contestant(opponent)?).budget(budget);
    let (openings, openings_file) = match (random_plies, openings) {
        (None, None) => (Openings::None, None),
        (Some(plies), None) => (Openings::Random(plies), None),
        (None, Some(openings)) => openings.read()?,
        (Some(_), Some(_)) => return Err(bad_input(RulesError::TwoKindsOfOpenings)),
    };
    let rules = Rules { openings, ..Rules::default() };
    let experiment = Match { games, seed, rules, openings_file, ..plain }.experiment().map_err(bad_input)?;
    let mut store = match store {
        Some(store) => tesuji_arena::Store::open(&store.path()),
        None => tesuji_arena::Store::in_memory(),
    }
    .map_err(bad_input)?;
    let threads = arguments::threads(threads)?;
    let settings =
        RunSettings { build: tesuji::BUILD.fingerprint.to_owned(), ..RunSettings::on_threads(threads) };
    play(py, &experiment, &mut store, &settings, &Meter::default(), progress)?;
    let results = matches::results_of_first(&experiment, &store, games).map_err(bad_input)?;
    let choice = StoreFilter { experiment: Some(experiment.name().to_owned()), ..StoreFilter::default() };
    let mut records = records(&store, &choice).map_err(bad_input)?;
    let cell = results.grids[0].cells[0].clone();
    // A store may have more games of this match, and matches of its name by other rules.
    records.retain(|record| record.cell == cell.id && record.index < games);
    Ok(MatchResult { cell, records, games: PyOnceLock::new() })
}
