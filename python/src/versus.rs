//! Matches: two contestants, many games.

use std::path::PathBuf;

use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tesuji_arena::statistics::Interval;
use tesuji_arena::{Contestant, Match, Openings, Rules, RulesError, RunSettings, opening_lines};
use tesuji_catalog::BudgetSpec;
use tesuji_report::Screen;
use tesuji_report::matches::{self, CellResults};
use tesuji_report::store::{GameRecord, StoreFilter};

use crate::arguments::{self, BudgetArgument, GameArgument, whole, whole_or_none, wrong_kind};
use crate::errors::bad_input;
use crate::experiment::play;
use crate::progress::ProgressArgument;
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
    pub(crate) fn read(self) -> PyResult<(Openings, Option<String>)> {
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

/// Play a match: who is better, by how much, and how sure is that?
///
/// Colours alternate. A game depends only on the seed and its number, so the games are the same
/// on any number of threads. Ctrl-C ends the match; finished games stay in the store.
///
/// Parameters
/// ----------
/// game : Game or str
///     The game, or its spec.
/// player : str
///     The player whose wins are counted: a spec, an external engine ``'gtp("COMMAND")'``, or a book
///     ``'portfolio("book.json")'``.
/// opponent : str
///     Its opponent, in the same words.
/// games : int, default: 100
///     How many games are played.
/// budget : int or str, optional
///     Samples or time for each move of a player whose spec has no budget of its own; default:
///     10,000 samples.
/// seed : int, default: 1
///     Equal seeds play equal games.
/// threads : int, optional
///     How many games are played at once; default: one for each core.
/// store : Store or path, optional
///     The file that keeps the games. The same match continues where it stopped.
/// random_plies : int, optional
///     Begin each game with this number of random moves.
/// openings : list of str or path, optional
///     Openings, or a file with one on each line. Each is played from both sides.
/// progress : bool or callable, optional
///     ``True`` shows a line on standard error. A function is called now and then with the number of
///     games so far, and of all games.
///
/// Returns
/// -------
/// MatchResult
///     Wins, the rate and the difference in Elo with their intervals, and all games.
///
/// Raises
/// ------
/// ValueError
///     If an argument is wrong; the sentence says what is allowed.
/// RuntimeError
///     If an external engine fails.
///
/// Examples
/// --------
/// >>> result = match("hex:3", "uct@100", "random", games=20, seed=2)
/// >>> result.wins + result.losses, result.rate > 0.5
/// (20, True)
/// >>> print(result)  # doctest: +ELLIPSIS
/// Results of uct@100 against random (hex:3...
/// ...
#[pyfunction(name = "match")]
#[pyo3(
    signature = (
        game, player, opponent, *, games = 100, budget = None, seed = 1, threads = None, store = None,
        random_plies = None, openings = None, progress = ProgressArgument::Nobody
    ),
    text_signature = "(game, player, opponent, *, games=100, budget=None, seed=1, threads=None, store=None, \
                      random_plies=None, openings=None, progress=None)"
)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn play_match<'py>(
    py: Python<'py>,
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
    progress: ProgressArgument,
) -> PyResult<Bound<'py, PyAny>> {
    let contestant = |text: &str| text.parse::<Contestant>().map_err(bad_input);
    let budget = budget.map_or(BudgetSpec::DEFAULT, |budget| budget.budget());
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
    play(py, &experiment, &mut store, &settings, &progress.meter(py, "games")?)?;
    let results = matches::results_of_first(&experiment, &store, games).map_err(bad_input)?;
    let choice = StoreFilter { experiment: Some(experiment.name().to_owned()), ..StoreFilter::default() };
    let mut records = records(&store, &choice).map_err(bad_input)?;
    let cell = results.grids[0].cells[0].clone();
    // A store may have more games of this match, and matches of its name by other rules.
    records.retain(|record| record.cell == cell.id && record.index < games);
    match_result(py, &cell, &records)
}

/// The result as an object of Python.
fn match_result<'py>(
    py: Python<'py>,
    cell: &CellResults,
    records: &[GameRecord],
) -> PyResult<Bound<'py, PyAny>> {
    let ends = |interval: Interval| (interval.low, interval.high);
    let fields = PyDict::new(py);
    fields.set_item("game", &cell.game)?;
    fields.set_item("player", &cell.player)?;
    fields.set_item("opponent", &cell.opponent)?;
    fields.set_item("wins", cell.count.wins)?;
    fields.set_item("losses", cell.count.losses)?;
    fields.set_item("draws", cell.count.draws)?;
    fields.set_item("rate", cell.rate)?;
    fields.set_item("interval", ends(cell.interval))?;
    fields.set_item("elo", cell.strength.map(|strength| strength.elo))?;
    fields.set_item("elo_error", cell.strength.map(|strength| strength.elo_error))?;
    fields.set_item("elo_interval", cell.strength.map(|strength| ends(strength.elo_interval)))?;
    fields.set_item("nelo", cell.strength.map(|strength| strength.nelo))?;
    fields.set_item("nelo_interval", cell.strength.map(|strength| ends(strength.nelo_interval)))?;
    fields.set_item("los", cell.strength.map(|strength| strength.los))?;
    fields.set_item("games", games_array(py, records)?)?;
    fields.set_item("text", matches::block(cell, None, &Screen::default()).trim_end())?;
    py.import("tesuji.results")?.getattr("MatchResult")?.call((), Some(&fields))
}
