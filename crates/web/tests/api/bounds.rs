//! Everything has a bound, and whoever runs into one is told.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use tesuji_web::{Bounds, Settings};

use crate::client::Client;

fn bounded(change: impl FnOnce(&mut Bounds)) -> Client {
    let mut bounds = Bounds::of(1);
    change(&mut bounds);
    Client::new(Settings { bounds, ..Settings::default() })
}

#[tokio::test]
async fn there_are_so_many_games_and_idle_ones_are_forgotten() {
    let client = bounded(|bounds| (bounds.games, bounds.idle_seconds) = (2, 3));
    let first = client.begin(json!({ "game": "hex:3" })).await;
    client.begin(json!({ "game": "hex:3" })).await;
    let third = client.post("/api/games", json!({ "game": "hex:3" })).await;
    assert_eq!(third.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(third.error().contains("2 games already"));
    tokio::time::sleep(Duration::from_millis(3100)).await;
    client.begin(json!({ "game": "hex:3" })).await;
    assert_eq!(client.get(&first).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_game_has_so_many_moves_and_attempts() {
    let client = bounded(|bounds| bounds.moves = 3);
    let path = client.begin(json!({ "game": "phantom-go:5", "moves": ["a1", "?a1", "b2"] })).await;
    let answer = client.post(&format!("{path}/moves"), json!({ "move": "c3" })).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.error().contains("3 moves and attempts"));
    let long = json!({ "game": "hex:5", "moves": ["a1", "a2", "a3", "a4"] });
    assert_eq!(client.post("/api/games", long).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_has_so_much_time() {
    let client = bounded(|bounds| bounds.seconds = 0.3);
    let path = client.begin(json!({ "game": "go:19", "black": "uct@1000000" })).await;
    let begun = std::time::Instant::now();
    let events = client.post(&format!("{path}/search"), json!({ "play": true })).await.events();
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    let (_, decided) = events.iter().find(|(name, _)| name == "decided").unwrap();
    assert!(decided["report"]["spent"].as_u64().unwrap() < 1_000_000);
    assert!(decided["report"]["stop"]["text"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_beside_has_no_more_time() {
    let client = bounded(|bounds| bounds.seconds = 0.3);
    let path = client.begin(json!({ "game": "go:9", "black": "uct@100000" })).await;
    let begun = std::time::Instant::now();
    let order = json!({ "play": true, "beside": "uct+prior(sh,1000)" });
    let events = client.post(&format!("{path}/search"), order).await.events();
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert_eq!(events.iter().filter(|(name, _)| name == "decided").count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn bandits_have_bounds_too() {
    let client = Client::usual();
    let form = |arms: &str, policies: &[&str], budgets: &[u64], runs: u64| json!({ "arms": arms, "policies": policies, "budgets": budgets, "runs": runs });
    for (form, words) in [
        (form("N:20", &[], &[32], 100), "policies"),
        (form("N:20", &["sh"], &[], 100), "budgets"),
        (form("N:20", &["sh"], &[0], 100), "budgets"),
        (form("N:20", &["sh"], &[32], 0), "runs"),
        (form("N:20", &["sh"], &[1_000_000_000], 1_000_000_000_000), "budget"),
        (form("N:20", &["sh"], &[1000], u64::MAX), "samples"),
        (form("N:5000", &["sh"], &[32], 100), "arms"),
        (form("file:/etc/passwd", &["sh"], &[32], 100), "files"),
        (form("N:20", &["nonsense"], &[32], 100), "nonsense"),
        (form("N:20", &["shuss(t=10,score=amaf)"], &[32], 100), "scores"),
    ] {
        let answer = client.post("/api/bandits", form.clone()).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{form}");
        assert!(answer.error().contains(words), "{}", answer.error());
    }
}

/// Parsing a spec reads the file that it names, so the service refuses such specs before.
#[tokio::test]
async fn nobody_reads_files_through_the_name_of_a_network() {
    let client = Client::usual();
    const SENTENCE: &str =
        "the page reads no files: a network here is one that ships with the program, as in puct+net";
    let path = client.begin(json!({ "game": "hex:7" })).await;
    for text in [
        "puct+net(\"/etc/passwd\")@10",
        "puct+net(\"/etc/passwd\",0123abcd)@10",
        "PUCT + NET ( \"a.onnx\" , mix=0.5 )",
        "flat(sh)+net(\"",
    ] {
        let answer = client.post("/api/games", json!({ "game": "hex:7", "black": text })).await;
        assert_eq!(
            (answer.status, answer.error().as_str()),
            (StatusCode::UNPROCESSABLE_ENTITY, SENTENCE),
            "{text}"
        );
        for order in [json!({ "player": text }), json!({ "beside": text })] {
            let answer = client.post(&format!("{path}/search"), order).await;
            assert_eq!(
                (answer.status, answer.error().as_str()),
                (StatusCode::UNPROCESSABLE_ENTITY, SENTENCE),
                "{text}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn networks_that_ship_play() {
    let client = Client::usual();
    for player in ["puct+net@20", "shuss(score=logits)+puct+net@20", "gumbel(noise=off)+gumbel-tree+net@20"] {
        let path = client.begin(json!({ "game": "hex:7", "black": player })).await;
        let events = client.post(&format!("{path}/search"), json!({ "play": true })).await.events();
        let (_, decided) = events.iter().find(|(name, _)| name == "decided").unwrap();
        let has_policy = decided["report"]["arms"][0]["policy"].is_number();
        assert_eq!(has_policy, player.starts_with("gumbel"), "{player}");
    }
    let answer = client.post("/api/games", json!({ "game": "hex:5", "black": "puct+net@20" })).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.error().contains("only for hex:7"), "{}", answer.error());
}
