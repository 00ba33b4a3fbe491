//! The description, and the things that always hold.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::Value;
use tesuji_web::OPENAPI;

use crate::client::{Client, DESCRIPTION, request};

#[tokio::test]
async fn the_description_is_served() {
    let answer = Client::usual().get("/api/openapi.json").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.text, OPENAPI);
}

/// Every path and method of the description is there, and no other method of these paths.
#[tokio::test]
async fn what_is_described_is_there_and_nothing_else() {
    let client = Client::usual();
    for (template, operations) in DESCRIPTION["paths"].as_object().unwrap() {
        let path = template.replace("{id}", "none").replace("{store}", "none");
        let path = path.replace("{cell}", "none").replace("{game}", "none-1");
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
            let answer = client.send(method, &path, None).await;
            let is_there = operations.get(method.to_lowercase()).is_some();
            let is_refused = answer.status == StatusCode::METHOD_NOT_ALLOWED;
            assert_eq!(is_there, !is_refused, "{method} {template}: {} {}", answer.status, answer.text);
        }
    }
}

/// References lead somewhere, and what is described is used.
#[test]
fn the_description_hangs_together() {
    let schemas = DESCRIPTION["components"]["schemas"].as_object().unwrap();
    let referred = |name: &str| OPENAPI.contains(&format!("#/components/schemas/{name}\""));
    // These are of events, which the description names in words.
    let of_events =
        ["Begun", "ProgressEvent", "RoundEvent", "Decided", "Live", "BanditRows", "BanditProgress"];
    for name in schemas.keys() {
        assert!(referred(name) || of_events.contains(&name.as_str()), "{name} is not used");
    }
    for part in OPENAPI.split("\"#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(schemas.contains_key(name), "{name} is not described");
    }
    let ids: Vec<&Value> = DESCRIPTION["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|operations| operations.as_object().unwrap().values())
        .filter_map(|operation| operation.get("operationId"))
        .collect();
    let mut distinct: Vec<&str> = ids.iter().map(|id| id.as_str().unwrap()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), ids.len());
}

#[tokio::test]
async fn the_catalog_is_as_described() {
    let catalog = Client::usual().get("/api/catalog").await.json();
    assert_eq!(catalog["games"].as_array().unwrap().len(), tesuji_catalog::games().len());
    // Every size of the list can be played.
    let client = Client::usual();
    for game in catalog["games"].as_array().unwrap() {
        for size in game["sizes"].as_array().unwrap() {
            let spec = format!("{}:{}", game["name"].as_str().unwrap(), size.as_str().unwrap());
            client.begin(serde_json::json!({ "game": spec })).await;
        }
    }
}

#[tokio::test]
async fn the_page_is_there_and_asks_no_other_host() {
    let client = Client::usual();
    let page = client.get("/").await;
    assert_eq!((page.status, page.kind.as_str()), (StatusCode::OK, "text/html; charset=utf-8"));
    let script = client.get("/assets/page.js").await;
    assert_eq!(script.kind, "text/javascript; charset=utf-8");
    assert!(!page.text.contains("//cdn") && !page.text.contains("https://"), "{}", page.text);
    assert_eq!(client.get("/assets/none.js").await.status, StatusCode::NOT_FOUND);
    assert_eq!(client.get("/..%2f..%2fCargo.toml").await.status, StatusCode::NOT_FOUND);
    assert_eq!(client.send("POST", "/", None).await.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn every_answer_is_guarded() {
    let client = Client::usual();
    let with = |name: &str, value: &str| {
        Request::builder().uri("/api/catalog").header(name, value).header("host", "localhost")
    };
    let foreign = with("origin", "http://evil.example").body(Body::empty()).unwrap();
    assert_eq!(client.ask(foreign).await.status, StatusCode::FORBIDDEN);
    let own = with("origin", "http://localhost").body(Body::empty()).unwrap();
    assert_eq!(client.ask(own).await.status, StatusCode::OK);
    let nameless = Request::builder().uri("/api/catalog").body(Body::empty()).unwrap();
    assert_eq!(client.ask(nameless).await.status, StatusCode::FORBIDDEN);
    let not_json = Request::builder()
        .method("POST")
        .uri("/api/games")
        .header("host", "localhost")
        .body(Body::from(r#"{"game":"hex:5"}"#))
        .unwrap();
    assert_eq!(client.ask(not_json).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let long = request("POST", "/api/games", Some(Value::from("x".repeat(70_000))));
    assert_eq!(client.ask(long).await.status, StatusCode::PAYLOAD_TOO_LARGE);
}
