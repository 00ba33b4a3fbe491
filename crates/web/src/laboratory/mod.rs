//! The laboratory: stores and experiments on disk, the games in them, and bandits.
//!
//! Nothing here writes: a store that an experiment is being run into is read beside it.

mod bandits;
mod folder;
mod live;
mod stored;

use axum::extract::{Path, Query, State as Shared};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use tesuji_arena::Store;
use tesuji_report::store::{StoreFilter, StoreReport};

use crate::error::Refusal;
use crate::state::State;
use crate::stream::stream;
use folder::{LaboratoryJson, StoreFile};
use stored::{CellGames, StoredGame};

pub(crate) fn routes() -> Router<State> {
    Router::new()
        .route("/api/laboratory", get(overview))
        .route("/api/laboratory/stores/{store}", get(report))
        .route("/api/laboratory/stores/{store}/live", get(live))
        .route("/api/laboratory/stores/{store}/cells/{cell}", get(cell))
        .route("/api/laboratory/stores/{store}/games/{game}", get(game))
        .route("/api/bandits", post(bandits::begin))
}

async fn overview(Shared(state): Shared<State>) -> Result<Json<LaboratoryJson>, Refusal> {
    state.reading(|state| Ok(folder::look(state.settings()))).await.map(Json)
}

/// The store at an address, to be read.
fn open(state: &State, address: &str) -> Result<(StoreFile, Store), Refusal> {
    let file = folder::find(&state.settings().folder, address)?;
    let store = Store::open_to_read(&file.path)?;
    Ok((file, store))
}

async fn report(
    Shared(state): Shared<State>,
    Path(store): Path<String>,
) -> Result<Json<StoreReport>, Refusal> {
    let read = move |state: &State| {
        let (file, store) = open(state, &store)?;
        Ok(StoreReport::read(&store, &file.name, &StoreFilter::default())?)
    };
    state.reading(read).await.map(Json)
}

#[derive(Deserialize)]
struct From {
    #[serde(default)]
    from: usize,
}

async fn cell(
    Shared(state): Shared<State>,
    Path((store, cell)): Path<(String, String)>,
    Query(From { from }): Query<From>,
) -> Result<Json<CellGames>, Refusal> {
    let read = move |state: &State| stored::cell(&open(state, &store)?.1, &cell, from);
    state.reading(read).await.map(Json)
}

async fn game(
    Shared(state): Shared<State>,
    Path((store, game)): Path<(String, String)>,
) -> Result<Json<StoredGame>, Refusal> {
    let read = move |state: &State| {
        let (file, store) = open(state, &store)?;
        stored::game(&store, &file.name, &game)
    };
    state.reading(read).await.map(Json)
}

async fn live(Shared(state): Shared<State>, Path(store): Path<String>) -> Result<Response, Refusal> {
    let seat = std::sync::Arc::clone(state.watchers()).try_acquire_owned();
    let seat = seat.map_err(|_| Refusal::too_much("too many watch already: try again later"))?;
    let opened = state.reading(move |state| open(state, &store)).await?;
    let (teller, response) = stream(Vec::new());
    tokio::spawn(async move {
        tokio::select! {
            () = live::watch(opened.1, &teller) => {}
            () = state.ends().wait() => {}
        }
        drop(seat);
    });
    Ok(response)
}
