//! What the service says when it does not do what it was asked: one sentence, as JSON.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tesuji_arena::StoreError;
use tesuji_catalog::{PlayerError, SpecError};
use tesuji_session::SessionError;

/// Why something is not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    sentence: String,
}

/// How it is written.
#[derive(Serialize)]
pub(crate) struct ErrorJson<'a> {
    error: &'a str,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, sentence: impl Into<String>) -> Refusal {
        Refusal { status, sentence: sentence.into() }
    }

    /// There is no such thing.
    pub(crate) fn unknown(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, sentence)
    }

    /// It may be done at another time.
    pub(crate) fn not_now(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, sentence)
    }

    /// It is understood, and not possible.
    pub(crate) fn impossible(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
    }

    /// There is too much of it already.
    pub(crate) fn too_much(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, sentence)
    }

    /// Our own fault.
    pub(crate) fn broken() -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the server has a fault and could not do that")
    }

    /// The sentence as JSON.
    pub(crate) fn json(&self) -> ErrorJson<'_> {
        ErrorJson { error: &self.sentence }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.json())).into_response()
    }
}

impl From<SessionError> for Refusal {
    fn from(error: SessionError) -> Refusal {
        match error {
            SessionError::Turn { .. } | SessionError::Over(_) => Refusal::not_now(error.to_string()),
            other => Refusal::impossible(other.to_string()),
        }
    }
}

impl From<SpecError> for Refusal {
    fn from(error: SpecError) -> Refusal {
        Refusal::impossible(error.to_string())
    }
}

impl From<PlayerError> for Refusal {
    fn from(error: PlayerError) -> Refusal {
        Refusal::impossible(error.to_string())
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        match error {
            StoreError::Missing { .. } => Refusal::unknown("the store has gone from the disk"),
            other => Refusal::impossible(other.to_string()),
        }
    }
}
