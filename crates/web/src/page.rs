//! The built page, which lies in the program.

use std::hash::{DefaultHasher, Hasher};

use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::error::Refusal;

/// A file of the built page.
struct File {
    /// The path below `dist`.
    name: &'static str,
    bytes: &'static [u8],
}

macro_rules! files {
    ($($name:literal)*) => {
        &[$(File { name: $name, bytes: include_bytes!(concat!("../dist/", $name)) }),*]
    };
}

/// Everything in `dist`, which `npm run build` makes of `page/`.
const FILES: &[File] = files!["assets/index.css" "assets/page.js" "icon.svg" "index.html" "licences.txt"];

/// A file of the page; everything that is neither there nor of the API is not found.
pub(crate) async fn get(request: Request) -> Response {
    let path = request.uri().path();
    let name = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
    let Some(file) = FILES.iter().find(|file| file.name == name) else {
        return Refusal::unknown(
            "there is nothing here: the page is at /, and /api/openapi.json lists the rest",
        )
        .into_response();
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return crate::guard::method_not_allowed().await.into_response();
    }
    // Files keep their names from version to version: browsers ask whether theirs is the same.
    let mut hasher = DefaultHasher::new();
    hasher.write(file.bytes);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let headers =
        [(CONTENT_TYPE, kind(name).to_owned()), (ETAG, tag.clone()), (CACHE_CONTROL, "no-cache".to_owned())];
    if request.headers().get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, file.bytes).into_response()
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn names_below(folder: &Path, prefix: &str, names: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                names_below(&entry.path(), &format!("{name}/"), names);
            } else {
                names.push(name);
            }
        }
    }

    #[test]
    fn every_file_of_the_built_page_is_in_the_program() {
        let mut names = Vec::new();
        names_below(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/dist")), "", &mut names);
        names.sort();
        assert_eq!(names, FILES.iter().map(|file| file.name).collect::<Vec<_>>());
    }
}
