//! What is asked, read from JSON.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Refusal;

/// A request's body as JSON; what is wrong with it is said in one sentence.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Refusal> {
        match Json::<Value>::from_request(request, state).await {
            // A list would pass for an object whose fields have its values.
            Ok(Json(body)) if !body.is_object() => {
                Err(Refusal::impossible("the body must be a JSON object: /api/openapi.json says which"))
            }
            Ok(Json(body)) => serde_json::from_value(body)
                .map(Body)
                .map_err(|error| Refusal::impossible(format!("the body is not as it must be: {error}"))),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body must be JSON, with the header content-type: application/json",
            )),
            Err(JsonRejection::JsonSyntaxError(error)) => {
                let sentence = format!("the body is not JSON: {}", cause(&error));
                Err(Refusal::new(StatusCode::BAD_REQUEST, sentence))
            }
            Err(other) => Err(Refusal::new(other.status(), other.body_text())),
        }
    }
}

/// The innermost reason, which is the one that names the field or the place.
fn cause(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
