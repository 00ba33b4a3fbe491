//! A page to play on and to watch the search think, and the service behind it.
//!
//! [`app`] is the whole of it: a [`Router`] that has the page and a JSON API, described by
//! `api/openapi.json`, which it serves too. Everything is bounded ([`Bounds`]): searches at
//! the same time, samples, games, bytes. The page itself is built from `page/` and lies in
//! the program, so that nothing else is needed and nothing is asked of any other host.
//!
//! ```
//! use tesuji_web::{Settings, State, app};
//! let router = app(State::new(Settings::default()));
//! # drop(router);
//! ```
//!
//! | module | what |
//! |---|---|
//! | `guard` | who may ask: foreign origins and hosts are refused; headers; every error is JSON |
//! | `page` | the built page |
//! | `catalog` | what there is to choose from |
//! | `games` | games in progress, and their searches as server-sent events |
//! | `laboratory` | stores and experiments on disk, stored games, bandits |
//! | `threads`, `stream` | turns at the processor; events on their way to a browser |

mod body;
mod bounds;
mod catalog;
mod error;
mod games;
mod guard;
mod laboratory;
mod page;
mod player;
mod replay;
mod serve;
mod state;
mod stream;
mod threads;

pub use bounds::Bounds;
pub use guard::Hosts;
pub use serve::serve;
pub use state::{Settings, State};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;

/// The description of the API: OpenAPI 3.1, as JSON.
pub const OPENAPI: &str = include_str!("../api/openapi.json");

/// The page and the service behind it.
pub fn app(state: State) -> Router {
    let api = Router::new()
        .route("/api/catalog", get(catalog::get))
        .route("/api/openapi.json", get(openapi))
        .merge(games::routes())
        .merge(laboratory::routes());
    api.fallback(page::get)
        .method_not_allowed_fallback(guard::method_not_allowed)
        .layer(DefaultBodyLimit::max(state.bounds().body_bytes))
        .layer(from_fn_with_state(state.clone(), guard::guard))
        .with_state(state)
}

async fn openapi() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], OPENAPI)
}
