//! Nonsense by the thousand: only 4xx with a sentence, or an answer as described; never a panic.

use axum::body::Body;
use axum::http::Request;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::client::{Client, DESCRIPTION};

/// Requests of each kind.
const CASES: u32 = 10_000;

/// Any JSON, not very deep.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key(), inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

/// Texts that are nearly something, and others.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(WORDS).prop_map(str::to_owned),
        "[a-z]{0,8}[:(@+,.=0-9)-]{0,6}[a-z0-9)]{0,6}",
        ".{0,20}",
    ]
}

const WORDS: &[&str] = &[
    "hex:3",
    "go:2",
    "go:5(komi=",
    "misere(misere(hex:3))",
    "phantom-go:3",
    "domineering:2x",
    "ataxx:3",
    "hex:0",
    "hex:999999999999999999999",
    "sh+uct@50",
    "random",
    "uct@1",
    "flat(sh)@20",
    "uct@-1",
    "uct+prior(sh,",
    "uct@1e9",
    "a1",
    "?a1",
    "pass",
    "resign",
    "a1-a2",
    "b2",
    "",
    " ",
    "\u{0}",
    "N:4",
    "[0.5,0.4]",
    "file:/etc/passwd",
    "N:0",
    "sh",
    "ucb1",
    "shuss(t=1)",
    "sh(lambda=[0.3",
    "puct(",
    "trees(99999999)",
    "uct+nodes(1)@10",
    "uct+trees(1000)@10",
];

/// Names of the description, and others.
fn key() -> impl Strategy<Value = String> {
    let known = &["game", "black", "white", "moves", "seed", "move", "player", "play", "beside", "arms"];
    let bandits = &["policies", "budgets", "runs", "score_noise", "score_rate"];
    prop_oneof![
        4 => prop::sample::select(known.as_slice()).prop_map(str::to_owned),
        2 => prop::sample::select(bandits.as_slice()).prop_map(str::to_owned),
        1 => "[a-z]{1,6}",
    ]
}

/// Bodies that are nearly what is asked for.
fn nearly() -> impl Strategy<Value = Value> {
    let field = prop_oneof![
        text().prop_map(Value::from),
        any_json(),
        prop::collection::vec(text(), 0..4).prop_map(Value::from)
    ];
    prop::collection::btree_map(key(), field, 0..6).prop_map(|map| json!(map))
}

/// A path of the description with anything in its places, and what may follow.
fn path(games: Vec<String>) -> impl Strategy<Value = String> {
    let templates: Vec<String> = DESCRIPTION["paths"].as_object().unwrap().keys().cloned().collect();
    let place = prop_oneof![
        3 => prop::sample::select(games),
        1 => "[a-z0-9~%.-]{0,12}".prop_map(|text| text.replace('%', "%25")),
        1 => Just("%ff%fe".to_owned()),
        1 => Just("..%2f..%2f".to_owned()),
    ];
    let query = prop_oneof![3 => Just(String::new()), 1 => "\\?from=[0-9a-z-]{0,4}", 1 => "\\?[a-z&=]{0,8}"];
    (prop::sample::select(templates), place, query).prop_map(|(template, place, query)| {
        let mut path = template;
        for name in ["{id}", "{store}", "{cell}", "{game}"] {
            path = path.replace(name, &place);
        }
        path + &query
    })
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => nearly().prop_map(|value| value.to_string().into_bytes()),
        1 => any_json().prop_map(|value| value.to_string().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..64),
        1 => nearly().prop_map(|value| { let mut text = value.to_string(); text.pop(); text.into_bytes() }),
        1 => Just("[".repeat(5000).into_bytes()),
    ]
}

/// A client with some games, and their addresses.
async fn prepared() -> (Client, Vec<String>) {
    let client = Client::usual();
    let mut games = Vec::new();
    for game in ["hex:3", "go:3", "phantom-go:3", "breakthrough:3x5", "domineering:3", "ataxx:3"] {
        for white in [Value::Null, json!("flat(sh)@20")] {
            let path = client.begin(json!({ "game": game, "white": white })).await;
            games.push(path.rsplit('/').next().unwrap().to_owned());
        }
    }
    (client, games)
}

#[test]
fn nonsense_is_refused_in_a_sentence() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (client, games) = runtime.block_on(prepared());
    let methods = prop::sample::select(["GET", "POST", "PUT", "DELETE", "PATCH"].as_slice());
    let kinds = prop::sample::select(
        ["application/json", "application/json", "application/json", "text/plain", ""].as_slice(),
    );
    let mut config = ProptestConfig::with_cases(CASES);
    config.failure_persistence = None;
    let seeded =
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha);
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(config, seeded);
    let strategy = (methods, path(games), kinds, body());
    let outcome = runner.run(&strategy, |(method, path, kind, body)| {
        let live = path.contains("/live");
        // A game that is deleted is not there for the others; that is tested elsewhere.
        let deletes = method == "DELETE" && path.split('/').count() == 4;
        if live || deletes {
            return Ok(());
        }
        let request = Request::builder().method(method).uri(&path).header("host", "localhost");
        let request = if kind.is_empty() { request } else { request.header("content-type", kind) };
        let Ok(request) = request.body(Body::from(body)) else { return Ok(()) };
        // The client itself looks at the answer.
        runtime.block_on(client.ask(request));
        Ok(())
    });
    outcome.unwrap();
}
