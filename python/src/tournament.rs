//! Tournaments: several players, one rating list.

use std::collections::BTreeMap;

use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping};
use tesuji_arena::ratings::Extreme;
use tesuji_arena::{
    Contestant, MatchExperiment, Openings, Rules, RulesError, RunSettings, ScheduleWords, TournamentBuilder,
    TournamentPlayer,
};
use tesuji_catalog::{BudgetSpec, GameSpec};
use tesuji_report::Screen;
use tesuji_report::matches;
use tesuji_report::tournament::{RatingList, TournamentResults};

use crate::arguments::{self, BudgetArgument, GameArgument, whole, whole_or_none, wrong_kind};
use crate::columns::Columns;
use crate::errors::bad_input;
use crate::experiment::play;
use crate::progress::ProgressArgument;
use crate::store::StoreArgument;
use crate::versus::OpeningsArgument;

/// One game or several.
pub(crate) struct GamesArgument(Vec<GameSpec>);

impl<'py> FromPyObject<'_, 'py> for GamesArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<GamesArgument> {
        // A text is one game, although Python could take its letters for several.
        if let Ok(game) = value.extract::<GameArgument>() {
            return Ok(GamesArgument(vec![(*game.spec()?).clone()]));
        }
        let games: Vec<GameArgument> =
            value.extract().map_err(|_| wrong_kind(&value, "a game, or a list of games"))?;
        let games = games.into_iter().map(|game| Ok((*game.spec()?).clone()));
        Ok(GamesArgument(games.collect::<PyResult<_>>()?))
    }
}

/// Players: a list of specs, or a dictionary of names and specs.
pub(crate) enum PlayersArgument {
    Specs(Vec<String>),
    Named(Vec<(String, String)>),
}

impl<'py> FromPyObject<'_, 'py> for PlayersArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<PlayersArgument> {
        let wrong = |_| wrong_kind(&value, "a list of players, or a dictionary of names and players");
        if let Ok(named) = value.cast::<PyMapping>() {
            return Ok(PlayersArgument::Named(named.items()?.extract().map_err(wrong)?));
        }
        if value.extract::<String>().is_ok() {
            return Err(wrong_kind(&value, "a list of players, or a dictionary of names and players"));
        }
        Ok(PlayersArgument::Specs(value.extract().map_err(wrong)?))
    }
}

impl PlayersArgument {
    fn read(self, budget: BudgetSpec) -> PyResult<Vec<TournamentPlayer>> {
        let contestant = |text: &str| -> PyResult<Contestant> {
            Ok(text.parse::<Contestant>().map_err(bad_input)?.with_default_budget(budget))
        };
        match self {
            PlayersArgument::Specs(specs) => {
                let player = |text: &String| {
                    let contestant = contestant(text)?;
                    Ok(TournamentPlayer { label: contestant.to_string(), contestant })
                };
                specs.iter().map(player).collect()
            }
            PlayersArgument::Named(named) => {
                let player = |(label, text): (String, String)| {
                    Ok(TournamentPlayer { label, contestant: contestant(&text)? })
                };
                named.into_iter().map(player).collect()
            }
        }
    }
}

/// Play a tournament: several players, one rating list with errors.
///
/// Every pair plays each opening from both sides. A game depends only on the seed, the pair and its
/// number, so the games are the same on any number of threads, and after a stop. Ctrl-C ends the
/// tournament; finished games stay in the store.
///
/// Parameters
/// ----------
/// games : Game or str, or a list of them
///     The game, or several.
/// players : list of str or dict
///     The players: specs, external engines ``'gtp("COMMAND")'`` or books ``'portfolio("book.json")'``.
///     A dictionary gives them names.
/// games_each : int, default: 100
///     How many games each pair plays on each game (with ``"swiss"``: in each round). It is even.
/// schedule : str, default: 'round-robin'
///     Who meets whom: ``"round-robin"``, ``"gauntlet"`` (the first player meets every other one),
///     ``"swiss"``, or ``"widest"`` (the next games go to the pairs that narrow the answer most).
/// rounds : int, optional
///     With ``"swiss"``: how many rounds are played.
/// total : int, optional
///     With ``"widest"``: the games of all pairs together; default: those of a round robin.
/// ask : str, optional
///     With ``"widest"``: the question, ``"list"``, ``"first"`` or ``"A > B"``; default: ``"list"``.
/// until : str, optional
///     With ``"widest"``: stop when the answer is right with this chance, such as ``"95%"``.
/// within : float, optional
///     With ``"widest"``: stop when every rating is known within this number of Elo.
/// anchor : str, optional
///     The player whose rating is fixed; default: the mean of all ratings is 0.
/// anchor_elo : float, optional
///     The rating of the anchor; default: 0.
/// budget : int or str, optional
///     Samples or time for each move of players whose specs have no budget of their own; default:
///     10,000 samples.
/// seed : int, default: 1
///     Equal seeds play equal games.
/// threads : int, optional
///     How many games are played at once; default: one for each core.
/// store : Store or path, optional
///     The file that keeps the games. The same tournament continues where it stopped.
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
/// TournamentResult
///     The rating lists, the crosstable, and how sure the order is.
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
/// >>> result = tournament("hex:3", ["uct@50", "rave@50", "random"], games_each=10, random_plies=1)
/// >>> result.ratings["label"].tolist()[-1], result.ratings["games"].tolist()
/// ('random', [20, 20, 20])
/// >>> result.superiority.shape
/// (3, 3)
#[pyfunction]
#[pyo3(
    signature = (
        games, players, *, games_each = 100, schedule = "round-robin", rounds = None, total = None, ask = None,
        until = None, within = None, anchor = None, anchor_elo = None, budget = None, seed = 1, threads = None,
        store = None, random_plies = None, openings = None, progress = ProgressArgument::Nobody
    ),
    text_signature = "(games, players, *, games_each=100, schedule='round-robin', rounds=None, total=None, \
                      ask=None, until=None, within=None, anchor=None, anchor_elo=None, budget=None, seed=1, \
                      threads=None, store=None, random_plies=None, openings=None, progress=None)"
)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn tournament<'py>(
    py: Python<'py>,
    games: GamesArgument,
    players: PlayersArgument,
    #[pyo3(from_py_with = whole)] games_each: u64,
    schedule: &str,
    #[pyo3(from_py_with = whole_or_none)] rounds: Option<u32>,
    #[pyo3(from_py_with = whole_or_none)] total: Option<u64>,
    ask: Option<&str>,
    until: Option<&str>,
    within: Option<f64>,
    anchor: Option<&str>,
    anchor_elo: Option<f64>,
    budget: Option<BudgetArgument>,
    #[pyo3(from_py_with = whole)] seed: u64,
    #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
    store: Option<StoreArgument<'_>>,
    #[pyo3(from_py_with = whole_or_none)] random_plies: Option<u32>,
    openings: Option<OpeningsArgument>,
    progress: ProgressArgument,
) -> PyResult<Bound<'py, PyAny>> {
    let budget = budget.map_or(BudgetSpec::DEFAULT, |budget| budget.budget());
    let (openings, openings_file) = match (random_plies, openings) {
        (None, None) => (Openings::None, None),
        (Some(plies), None) => (Openings::Random(plies), None),
        (None, Some(openings)) => openings.read()?,
        (Some(_), Some(_)) => return Err(bad_input(RulesError::TwoKindsOfOpenings)),
    };
    let builder = TournamentBuilder {
        players: players.read(budget)?,
        each: games_each,
        seed,
        rules: Rules { openings, ..Rules::default() },
        openings_file,
        ..TournamentBuilder::new(games.0, Vec::new())
    };
    let words = ScheduleWords { schedule: Some(schedule), rounds, total, ask, until, within };
    let experiment = builder
        .with_schedule(&words)
        .and_then(|builder| builder.with_anchor(anchor, anchor_elo))
        .and_then(TournamentBuilder::build)
        .map_err(bad_input)?;
    let mut store = match store {
        Some(store) => tesuji_arena::Store::open(&store.path()),
        None => tesuji_arena::Store::in_memory(),
    }
    .map_err(bad_input)?;
    let threads = arguments::threads(threads)?;
    let settings =
        RunSettings { build: tesuji::BUILD.fingerprint.to_owned(), ..RunSettings::on_threads(threads) };
    play(py, &experiment, &mut store, &settings, &progress.meter(py, "games")?)?;
    tournament_result(py, &experiment, &mut store)
}

/// The result as an object of Python.
fn tournament_result<'py>(
    py: Python<'py>,
    experiment: &MatchExperiment,
    store: &mut tesuji_arena::Store,
) -> PyResult<Bound<'py, PyAny>> {
    let results = py
        .detach(|| {
            // Moved as a whole: a store may be sent to another thread, and not shared.
            let store = store;
            matches::results(experiment, store)
        })
        .map_err(bad_input)?;
    let tournament = results.tournament.as_deref().expect("the experiment is a tournament");
    let TournamentResults { overall, by_game, question, .. } = tournament;
    let fields = PyDict::new(py);
    fields.set_item("games", &tournament.games)?;
    fields.set_item("schedule", &tournament.schedule)?;
    fields.set_item("played", tournament.played)?;
    fields.set_item("ratings", ratings(py, overall)?)?;
    let lists: BTreeMap<&str, Bound<'py, PyAny>> = match &by_game[..] {
        [] => std::iter::once((tournament.games[0].as_str(), ratings(py, overall)?)).collect(),
        lists => lists
            .iter()
            .map(|list| Ok((list.game.as_deref().unwrap_or_default(), ratings(py, list)?)))
            .collect::<PyResult<_>>()?,
    };
    let by_game = PyDict::new(py);
    for game in &tournament.games {
        by_game.set_item(game, &lists[game.as_str()])?;
    }
    fields.set_item("by_game", by_game)?;
    fields.set_item("advantages", advantages(py, overall)?)?;
    let scores = |value: &dyn Fn(u64, f64) -> f64| {
        matrix(py, &overall.crosstable, |score| score.map_or(0.0, |score| value(score.games, score.points)))
    };
    fields.set_item("crosstable", scores(&|_, points| points)?)?;
    fields
        .set_item("crosstable_games", scores(&|games, _| games as f64)?.call_method1("astype", ("u8",))?)?;
    fields.set_item("superiority", matrix(py, &overall.superiority, |it| it.unwrap_or(f64::NAN))?)?;
    fields.set_item("covariance", matrix(py, &overall.covariance, |it| it.unwrap_or(f64::NAN))?)?;
    let answer = question.as_ref();
    fields.set_item("answer", answer.and_then(|it| it.player.as_deref()))?;
    fields.set_item("doubt", answer.and_then(|it| it.doubt))?;
    let notes: Vec<&String> = overall.notes.iter().chain(&tournament.notes).collect();
    fields.set_item("notes", notes)?;
    fields.set_item("text", matches::text(&results, &Screen::default()).trim_end())?;
    py.import("tesuji.results")?.getattr("TournamentResult")?.call((), Some(&fields))
}

/// A rating list as a table.
fn ratings<'py>(py: Python<'py>, list: &RatingList) -> PyResult<Bound<'py, PyAny>> {
    let players = &list.players;
    let extreme = |extreme: Option<Extreme>| match extreme {
        Some(Extreme::AllWon) => "all_won".to_owned(),
        Some(Extreme::AllLost) => "all_lost".to_owned(),
        None => String::new(),
    };
    Columns::new(py)
        .column("rank", "u8", players.iter().map(|it| it.rank))?
        .texts("label", players.iter().map(|it| it.label.clone()))?
        .texts("player", players.iter().map(|it| it.player.clone()))?
        .numbers("elo", players.iter().map(|it| it.elo))?
        .numbers("error", players.iter().map(|it| it.error))?
        .numbers("low", players.iter().map(|it| it.interval.map(|ends| ends.low)))?
        .numbers("high", players.iter().map(|it| it.interval.map(|ends| ends.high)))?
        .numbers("bootstrap_low", players.iter().map(|it| it.bootstrap.map(|ends| ends.low)))?
        .numbers("bootstrap_high", players.iter().map(|it| it.bootstrap.map(|ends| ends.high)))?
        .column("games", "u8", players.iter().map(|it| it.games))?
        .numbers("points", players.iter().map(|it| Some(it.points)))?
        .numbers("score", players.iter().map(|it| it.score))?
        .numbers("opponents", players.iter().map(|it| it.opponents))?
        .numbers("los", players.iter().map(|it| it.los))?
        .column("group", "u8", players.iter().map(|it| it.group))?
        .texts("extreme", players.iter().map(|it| extreme(it.extreme)))?
        .array()
}

/// The advantages of moving first as a table.
fn advantages<'py>(py: Python<'py>, list: &RatingList) -> PyResult<Bound<'py, PyAny>> {
    let all = &list.advantages;
    Columns::new(py)
        .texts("game", all.iter().map(|it| it.game.clone()))?
        .numbers("elo", all.iter().map(|it| Some(it.advantage.elo)))?
        .numbers("error", all.iter().map(|it| Some(it.advantage.error)))?
        .column("games", "u8", all.iter().map(|it| it.advantage.games))?
        .numbers("draws", all.iter().map(|it| Some(it.advantage.draws)))?
        .array()
}

/// Numbers of players against players as an array of numpy.
fn matrix<'py, T: Copy>(
    py: Python<'py>,
    rows: &[Vec<T>],
    value: impl Fn(T) -> f64,
) -> PyResult<Bound<'py, PyAny>> {
    let row = |row: &Vec<T>| PyList::new(py, row.iter().map(|&entry| value(entry)));
    let rows = rows.iter().map(row).collect::<PyResult<Vec<_>>>()?;
    py.import("numpy")?.call_method1("array", (PyList::new(py, rows)?, "f8"))
}
