//! Who may ask, and what every answer has.
//!
//! A page of another site that a person has open could send requests to this server: the
//! browser names that site as the `Origin`, and it is refused. A site whose name is made to
//! point at this machine would have the same origin as its own pages, but a foreign `Host`:
//! that is refused too.

use std::net::IpAddr;
use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::{Request, State as Shared};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::Refusal;
use crate::state::State;

/// By which names the server may be asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hosts {
    /// Whether addresses that are not of this machine itself are allowed: where it listens to
    /// others.
    pub any_address: bool,
    /// Names beside `localhost`.
    pub names: Vec<String>,
}

impl Hosts {
    /// Whether a `Host` header may be answered.
    fn allow(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            Ok(address) => self.any_address || address.is_loopback(),
            Err(_) => {
                let is = |allowed: &str| name.eq_ignore_ascii_case(allowed);
                is("localhost") || self.names.iter().any(|allowed| is(allowed))
            }
        }
    }

    /// Whether a request may be answered.
    fn check(&self, headers: &HeaderMap, is_api: bool) -> Result<(), Refusal> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let forbidden = |sentence: &str| Err(Refusal::new(StatusCode::FORBIDDEN, sentence));
        if [HOST, ORIGIN].into_iter().any(|name| headers.get_all(name).iter().nth(1).is_some()) {
            return forbidden("one host is asked for, by one origin");
        }
        let Some(host) = text(HOST).filter(|host| self.allow(host)) else {
            return forbidden("this server is not asked for by that name: see `tesuji serve --help`, --name");
        };
        let is_own = |origin: &str| {
            let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host))
        };
        if text(ORIGIN).is_some_and(|origin| !is_own(origin)) {
            return forbidden("pages of other origins are not answered");
        }
        // Browsers that send no origin with a simple GET say so here.
        let site = text(HeaderName::from_static("sec-fetch-site"));
        if is_api && site == Some("cross-site") {
            return forbidden("pages of other sites are not answered");
        }
        Ok(())
    }
}

/// How long an answer may take to begin. Searches stream theirs, and begin at once.
const PATIENCE: Duration = Duration::from_secs(60);

/// The longest sentence of an error that is not ours.
const MOST_TEXT: usize = 1000;

/// What every answer of ours has.
const HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Looks at every request before it is answered, and at every answer.
pub(crate) async fn guard(Shared(state): Shared<State>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api");
    let mut response = match state.hosts().check(request.headers(), is_api) {
        Err(refusal) => refusal.into_response(),
        Ok(()) => match tokio::time::timeout(PATIENCE, next.run(request)).await {
            Ok(response) => in_our_words(response).await,
            Err(_) => Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long").into_response(),
        },
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if is_api {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// Every error is JSON, also those that the framework has words for.
async fn in_our_words(response: Response) -> Response {
    let (status, is_json) = (response.status(), is_json(response.headers()));
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let text = to_bytes(response.into_body(), MOST_TEXT).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let sentence = if text.is_empty() { status.canonical_reason().unwrap_or("error") } else { &text };
    Refusal::new(status, sentence).into_response()
}

fn is_json(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"application/json"))
}

/// For a method that there is not.
pub(crate) async fn method_not_allowed() -> Refusal {
    let sentence = "not by this method: /api/openapi.json says which there are";
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let header = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        pairs.iter().map(header).collect()
    }

    #[test]
    fn only_this_machine_is_answered_for() {
        let hosts = Hosts::default();
        for good in ["127.0.0.1:7788", "localhost", "localhost:80", "[::1]:7788", "127.0.0.1"] {
            assert!(hosts.check(&headers(&[("host", good)]), true).is_ok(), "{good}");
        }
        for bad in ["evil.example", "192.168.1.5:7788", "localhost.evil.example:7788", "", "127.0.0.1.nip.io"]
        {
            assert!(hosts.check(&headers(&[("host", bad)]), true).is_err(), "{bad}");
        }
        assert!(hosts.check(&HeaderMap::new(), false).is_err());
        assert!(hosts.check(&headers(&[("host", "localhost"), ("host", "localhost")]), false).is_err());
        let open = Hosts { any_address: true, names: vec!["go.example".to_owned()] };
        assert!(open.check(&headers(&[("host", "192.168.1.5:7788")]), true).is_ok());
        assert!(open.check(&headers(&[("host", "Go.example")]), true).is_ok());
        assert!(open.check(&headers(&[("host", "evil.example")]), true).is_err());
    }

    #[test]
    fn foreign_origins_are_refused() {
        let check = |pairs: &[_], is_api| Hosts::default().check(&headers(pairs), is_api).is_ok();
        let host = ("host", "localhost:7788");
        assert!(check(&[host, ("origin", "http://localhost:7788")], true));
        for origin in ["http://evil.example", "http://localhost:7789", "null", "http://127.0.0.1:7788", ""] {
            assert!(!check(&[host, ("origin", origin)], true), "{origin}");
            assert!(!check(&[host, ("origin", origin)], false), "{origin}");
        }
        assert!(!check(&[host, ("sec-fetch-site", "cross-site")], true));
        // A link from elsewhere may lead to the page.
        assert!(check(&[host, ("sec-fetch-site", "cross-site")], false));
    }
}
