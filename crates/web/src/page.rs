//! The built page, which lies in the program.

use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;

use crate::error::Refusal;

/// What `npm run build` makes of `page/`.
#[derive(Embed)]
#[folder = "dist"]
struct Built;

/// A file of the page; everything that is neither there nor of the API is not found.
pub(crate) async fn get(request: Request) -> Response {
    let path = request.uri().path();
    let name = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
    let Some(file) = Built::get(name).filter(|_| !path.starts_with("/api")) else {
        return Refusal::unknown(
            "there is nothing here: the page is at /, and /api/openapi.json lists the rest",
        )
        .into_response();
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return crate::guard::method_not_allowed().await.into_response();
    }
    // Files keep their names from version to version: browsers ask whether theirs is the same.
    let hash = file.metadata.sha256_hash();
    let tag = format!("\"{}\"", hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect::<String>());
    let headers =
        [(CONTENT_TYPE, kind(name).to_owned()), (ETAG, tag.clone()), (CACHE_CONTROL, "no-cache".to_owned())];
    if request.headers().get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, file.data.into_owned()).into_response()
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}
