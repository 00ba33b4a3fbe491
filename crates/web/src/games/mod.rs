//! Games in progress.
//!
//! A table is a game, those who sit at it, and perhaps a search. One search at a time has the
//! game's session for itself; meanwhile the table shows what it showed before.

mod events;
mod search;
mod seats;
mod shown;
mod table;

pub(crate) use shown::{BoardJson, OutcomeJson, ShapeJson, ViewsJson, board, cells, cells_of_move, shape};
pub(crate) use table::Tables;

use axum::extract::{Path, State as Shared};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::{get, post, put};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tesuji_core::Seed;
use tesuji_report::sgf::{Ending, Sgf};

use crate::body::Body;
use crate::error::Refusal;
use crate::replay::{ReplayJson, replay};
use crate::state::State;
use shown::GameJson;
use table::Begin;

pub(crate) fn routes() -> Router<State> {
    Router::new()
        .route("/api/games", post(begin))
        .route("/api/games/{id}", get(look).delete(leave))
        .route("/api/games/{id}/moves", post(play))
        .route("/api/games/{id}/undo", post(undo))
        .route("/api/games/{id}/seats", put(seat))
        .route("/api/games/{id}/search", post(search::begin).delete(stop))
        .route("/api/games/{id}/replay", get(replayed))
        .route("/api/games/{id}/sgf", get(sgf))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewGame {
    game: String,
    black: Option<String>,
    white: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    seed: Option<u32>,
}

async fn begin(
    Shared(state): Shared<State>,
    Body(order): Body<NewGame>,
) -> Result<impl IntoResponse, Refusal> {
    let begin = Begin {
        game: &order.game,
        players: [order.black.as_deref(), order.white.as_deref()],
        words: &order.moves,
        seed: Seed::new(u64::from(order.seed.unwrap_or(1))),
    };
    let table = state.tables().begin(&begin, state.bounds())?;
    Ok((StatusCode::CREATED, Json(table.shown())))
}

async fn look(Shared(state): Shared<State>, Path(id): Path<String>) -> Result<Json<GameJson>, Refusal> {
    Ok(Json(state.tables().find(&id)?.shown()))
}

async fn leave(Shared(state): Shared<State>, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    state.tables().forget(&id)?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Move {
    r#move: String,
}

#[derive(Serialize)]
struct Played {
    game: GameJson,
    refused: Option<String>,
}

async fn play(
    Shared(state): Shared<State>,
    Path(id): Path<String>,
    Body(order): Body<Move>,
) -> Result<Json<Played>, Refusal> {
    let table = state.tables().find(&id)?;
    let refused = table.play(&order.r#move, state.bounds())?;
    Ok(Json(Played { game: table.shown(), refused }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Undo {
    #[serde(default = "one")]
    moves: u32,
}

fn one() -> u32 {
    1
}

async fn undo(
    Shared(state): Shared<State>,
    Path(id): Path<String>,
    Body(order): Body<Undo>,
) -> Result<Json<GameJson>, Refusal> {
    let table = state.tables().find(&id)?;
    table.undo(order.moves)?;
    Ok(Json(table.shown()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seats {
    black: Option<String>,
    white: Option<String>,
}

async fn seat(
    Shared(state): Shared<State>,
    Path(id): Path<String>,
    Body(order): Body<Seats>,
) -> Result<Json<GameJson>, Refusal> {
    let table = state.tables().find(&id)?;
    table.seat([order.black.as_deref(), order.white.as_deref()], state.bounds())?;
    Ok(Json(table.shown()))
}

async fn stop(Shared(state): Shared<State>, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    state.tables().find(&id)?.stop();
    Ok(StatusCode::NO_CONTENT)
}

async fn replayed(Shared(state): Shared<State>, Path(id): Path<String>) -> Result<Json<ReplayJson>, Refusal> {
    let table = state.tables().find(&id)?;
    let record = table.record()?;
    let (game, words) = (table.game().clone(), record.words);
    // Drawing what the sides believed takes a moment.
    let frames = state.reading(move |_| replay(&game, &words)).await?;
    Ok(Json(ReplayJson::new(table.game(), record.names, record.outcome, frames)))
}

async fn sgf(Shared(state): Shared<State>, Path(id): Path<String>) -> Result<impl IntoResponse, Refusal> {
    let table = state.tables().find(&id)?;
    let record = table.record()?;
    let [black, white] = &record.names;
    let ending = match (record.resigned, record.ended) {
        (Some(side), _) => Ending::Resignation(!side),
        (None, Some((tesuji_core::Outcome::Win(side), margin))) => Ending::Win(side, margin.map(f64::abs)),
        (None, Some((tesuji_core::Outcome::Draw, _))) => Ending::Draw,
        (None, None) => Ending::Unknown,
    };
    let text = Sgf::new(table.game(), black, white, &record.words, ending).text();
    let text = text.map_err(|error| Refusal::impossible(error.to_string()))?;
    let name = format!("attachment; filename=\"{}.sgf\"", table.id());
    Ok(([(CONTENT_TYPE, "application/x-go-sgf".to_owned()), (CONTENT_DISPOSITION, name)], text))
}
