//! The games of a store.

use serde::Serialize;
use tesuji_arena::record::{Game, Reason};
use tesuji_arena::{Store, StoredCell, StoredExperiment};
use tesuji_catalog::GameSpec;
use tesuji_core::in_shell;
use tesuji_core::{Outcome, Side};

use crate::error::Refusal;
use crate::games::OutcomeJson;
use crate::replay::{ReplayJson, replay};

/// Games of one answer.
const PAGE: usize = 100;

/// The games of a cell.
#[derive(Serialize)]
pub(super) struct CellGames {
    id: String,
    game: String,
    player: String,
    opponent: String,
    total: usize,
    from: usize,
    games: Vec<GameLine>,
}

#[derive(Serialize)]
struct GameLine {
    id: String,
    index: u64,
    side: Side,
    winner: Option<Side>,
    points: f64,
    reason: &'static str,
    plies: u32,
    seconds: f64,
}

/// A stored game.
#[derive(Serialize)]
pub(super) struct StoredGame {
    id: String,
    experiment: String,
    cell: String,
    index: u64,
    reason: &'static str,
    samples: [u64; 2],
    build: String,
    command: String,
    replay: ReplayJson,
}

/// The cell with this id.
fn find(store: &Store, id: &str) -> Result<(StoredExperiment, StoredCell), Refusal> {
    for experiment in store.experiments()? {
        if let Some(cell) = store.cells(experiment.experiment)?.into_iter().find(|cell| cell.id == id) {
            return Ok((experiment, cell));
        }
    }
    Err(Refusal::unknown("there is no such cell in this store"))
}

/// The games of a cell, from one on.
pub(super) fn cell(store: &Store, id: &str, from: usize) -> Result<CellGames, Refusal> {
    let (experiment, cell) = find(store, id)?;
    let all = store.games(experiment.experiment, &cell.key)?;
    let total = all.len();
    let mut games = Vec::new();
    for game in all.into_iter().skip(from).take(PAGE) {
        let about = store.circumstances(&game.address)?.unwrap_or_default();
        games.push(GameLine {
            id: format!("{}-{}", cell.id, game.address.index),
            index: game.address.index,
            side: game.side,
            winner: game.outcome.winner(),
            points: game.points(),
            reason: game.reason.word(),
            plies: game.plies,
            seconds: about.seconds,
        });
    }
    let StoredCell { id, game, player, opponent, .. } = cell;
    Ok(CellGames { id, game, player, opponent, total, from, games })
}

/// A game with all its boards; `file` is the store as people name it.
pub(super) fn game(store: &Store, file: &str, id: &str) -> Result<StoredGame, Refusal> {
    let unknown = || Refusal::unknown("there is no such game in this store");
    let (cell, index) = id.rsplit_once('-').ok_or_else(unknown)?;
    let index: u64 = index.parse().map_err(|_| unknown())?;
    let (experiment, cell) = find(store, cell)?;
    let address =
        tesuji_arena::record::Address { experiment: experiment.experiment, cell: cell.key.clone(), index };
    let game = store.game(&address)?.ok_or_else(unknown)?;
    let about = store.circumstances(&address)?.unwrap_or_default();
    let spec: GameSpec = cell.game.parse()?;
    let words: Vec<String> = game.moves.split_whitespace().map(str::to_owned).collect();
    let frames = replay(&spec, &words)?;
    let (names, samples) = match game.side {
        Side::Black => ([cell.player, cell.opponent], game.samples),
        Side::White => ([cell.opponent, cell.player], [game.samples[1], game.samples[0]]),
    };
    Ok(StoredGame {
        id: id.to_owned(),
        experiment: experiment.definition.name,
        cell: cell.id,
        index,
        reason: game.reason.word(),
        samples,
        build: about.build,
        command: format!("tesuji replay {id} --store {}", in_shell(file)),
        replay: ReplayJson::new(&spec, names, Some(outcome(&spec, &game, &words)), frames),
    })
}

fn outcome(spec: &GameSpec, game: &Game, words: &[String]) -> OutcomeJson {
    match (game.reason, game.outcome) {
        (Reason::Resigned, Outcome::Win(side)) => OutcomeJson::resigned(!side),
        (Reason::Rules, outcome) => OutcomeJson::by_rules(outcome, tesuji_report::store::margin(spec, words)),
        (_, outcome) => OutcomeJson::by_rules(outcome, None),
    }
}
