//! Searches and their events.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tesuji_web::{Bounds, Settings, State, app};
use tower::ServiceExt;

use crate::client::{Client, request};

fn named<'a>(events: &'a [(String, Value)], name: &'a str) -> impl Iterator<Item = &'a Value> {
    events.iter().filter(move |(event, _)| event == name).map(|(_, data)| data)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_halving_search_is_told_round_by_round() {
    let client = Client::usual();
    let path = client.begin(json!({ "game": "hex:5", "white": "sh+uct@1000", "moves": ["c3"] })).await;
    let order = json!({ "play": true, "beside": "uct" });
    let answer = client.post(&format!("{path}/search"), order).await;
    assert_eq!(answer.status, StatusCode::OK);
    let events = answer.events();
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names[0], *names.last().unwrap()), ("begun", "end"));
    let begun: Vec<&Value> = named(&events, "begun").collect();
    assert_eq!(begun.len(), 2);
    assert_eq!(begun[0]["moves"].as_array().unwrap().len(), 24);
    assert_eq!((&begun[0]["player"], &begun[1]["player"]), (&json!("sh+uct@1000"), &json!("uct@1000")));
    // Who is cut does not come back, and who is kept does.
    let rounds: Vec<&Value> = named(&events, "round").collect();
    assert!(rounds.len() >= 4);
    for pair in rounds.windows(2) {
        let moves = |round: &Value| -> Vec<String> {
            let ranking = round["ranking"].as_array().unwrap();
            ranking.iter().map(|ranked| ranked["move"].as_str().unwrap().to_owned()).collect()
        };
        let kept = pair[0]["kept"].as_u64().unwrap() as usize;
        let (mut kept, mut next) = (moves(pair[0])[..kept].to_vec(), moves(pair[1]));
        kept.sort_unstable();
        next.sort_unstable();
        assert_eq!(kept, next);
    }
    for ranked in rounds.iter().flat_map(|round| round["ranking"].as_array().unwrap()) {
        let number = |key: &str| ranked[key].as_f64().unwrap();
        assert!((number("q") - number("mean") - number("bonus")).abs() < 1e-9);
    }
    let decided: Vec<&Value> = named(&events, "decided").collect();
    assert_eq!(
        (&decided[0]["report"]["spent"], &decided[1]["report"]["spent"]),
        (&json!(1000), &json!(1000))
    );
    let game = named(&events, "game").next().unwrap();
    assert_eq!(game["moves"][1], decided[0]["move"]);
    assert_eq!(game["searching"], false);
    // There is progress to look at, of both.
    for who in ["player", "beside"] {
        assert!(named(&events, "progress").filter(|data| data["who"] == who).count() >= 5, "{who}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_search_is_the_same_on_one_and_two_threads() {
    let mut all = Vec::new();
    for threads in [1, 2] {
        let client = Client::new(Settings { bounds: Bounds::of(threads), ..Settings::default() });
        let path =
            client.begin(json!({ "game": "go:5", "black": "hybrid-shuss(t=64)@2000", "seed": 7 })).await;
        let events = client.post(&format!("{path}/search"), json!({ "play": true })).await.events();
        let decided = named(&events, "decided").next().unwrap().clone();
        all.push((decided["report"]["arms"].clone(), decided["move"].clone()));
    }
    assert_eq!(all[0], all[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_plays_nothing() {
    let client = Client::usual();
    let path = client.begin(json!({ "game": "breakthrough:5x6" })).await;
    let events = client.post(&format!("{path}/search"), json!({ "player": "sh+uct@300" })).await.events();
    assert!(named(&events, "game").next().is_none());
    assert_eq!(client.get(&path).await.json()["ply"], 0);
    // A person may be helped by the usual player too.
    let events = client.post(&format!("{path}/search"), json!({})).await.events();
    assert!(named(&events, "decided").next().is_some());
}

/// Moves are left out, and one gets more samples in the trees that are there.
#[tokio::test(flavor = "multi_thread")]
async fn a_look_is_steered() {
    let client = Client::usual();
    let path = client.begin(json!({ "game": "hex:4", "white": "sh+uct@20000x9,5000" })).await;
    let search = format!("{path}/search");
    let look = |order: Value| {
        let (client, search) = (&client, &search);
        async move {
            let events = client.post(search, order).await.events();
            (
                named(&events, "begun").next().unwrap().clone(),
                named(&events, "decided").next().unwrap().clone(),
            )
        }
    };
    for player in ["sh+uct@300x1,5", "rave@300"] {
        let avoid = json!(["a1", "b2"]);
        let (begun, first) = look(json!({ "player": player, "avoid": avoid })).await;
        assert_eq!((begun["moves"].as_array().unwrap().len(), &begun["budget"]), (14, &json!("300")));
        assert_eq!(first["report"]["visits"], 300);
        assert_eq!(first["report"].get("focused"), None);
        for times in 1..3 {
            let order = json!({ "player": player, "avoid": avoid, "focus": "c3" });
            let (_, more) = look(order).await;
            assert_eq!(more["report"]["visits"], 300 + 300 * times);
            assert_eq!(more["report"]["focused"], json!([{ "move": "c3", "samples": 300 * times }]));
        }
        // Of another search there are no trees: it is searched first.
        let (begun, other) = look(json!({ "player": player, "focus": "c3" })).await;
        assert_eq!((begun["moves"].as_array().unwrap().len(), &other["report"]["visits"]), (16, &json!(600)));
        assert_eq!(other["report"]["focused"], json!([{ "move": "c3", "samples": 300 }]));
        let (begun, _) = look(json!({ "player": player, "only": ["c3", "d4"], "beside": "uct" })).await;
        assert_eq!(begun["moves"], json!(["c3", "d4"]));
    }
    for (order, sentence) in [
        (json!({ "only": [] }), "no move is left to search: all 16 moves of this position are excluded"),
        (json!({ "avoid": ["z9"] }), "'z9' is not a legal move"),
        (json!({ "focus": "a1", "avoid": ["a1"] }), "'a1' cannot be focused on"),
        (json!({ "focus": "a1", "play": true }), "'focus' is for searches that play nothing"),
    ] {
        let answer = client.post(&search, order).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.json()["error"].as_str().unwrap().starts_with(sentence), "{}", answer.json());
    }
    assert_eq!(client.get(&path).await.json()["ply"], 0);
    // A move that is played is one of those, too.
    let events =
        client.post(&search, json!({ "play": true, "player": "uct@50", "only": ["d1"] })).await.events();
    assert_eq!(named(&events, "game").next().unwrap()["moves"], json!(["d1"]));
}

/// Who plays a phantom game is told nothing by what the program may not choose.
#[tokio::test(flavor = "multi_thread")]
async fn hidden_thoughts_are_not_steered() {
    let client = Client::usual();
    let body = json!({ "game": "phantom-go:5", "white": "flat(sh)@50", "moves": ["c3"] });
    let path = client.begin(body).await;
    let answer = client.post(&format!("{path}/search"), json!({ "avoid": ["c3"] })).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.json()["error"].as_str().unwrap().contains("hidden"));
}

#[tokio::test(flavor = "multi_thread")]
async fn players_without_a_search_move_too() {
    let client = Client::usual();
    for player in ["random", "greedy"] {
        let path = client.begin(json!({ "game": "hex:5", "black": player })).await;
        let order = json!({ "play": true, "beside": "uct" });
        let events = client.post(&format!("{path}/search"), order).await.events();
        assert_eq!(named(&events, "game").next().unwrap()["ply"], 1, "{player}");
    }
}

/// Programs play a whole game, and one that is lost is resigned or lost.
#[tokio::test(flavor = "multi_thread")]
async fn two_programs_play_to_the_end() {
    let client = Client::usual();
    let body = json!({ "game": "go:5", "black": "sh+uct@400", "white": "rave(bias=0.001)+reuse@400" });
    let path = client.begin(body).await;
    for _ in 0..200 {
        let events = client.post(&format!("{path}/search"), json!({ "play": true })).await.events();
        let game = named(&events, "game").next().unwrap();
        if game["outcome"] != Value::Null {
            let replay = client.get(&format!("{path}/replay")).await.json();
            assert_eq!(replay["outcome"], game["outcome"]);
            return;
        }
    }
    panic!("the game does not end");
}

/// Longer than a busy machine may stall, and much shorter than the searches here.
const A_STALL: Duration = Duration::from_secs(5);

/// Waits until a search runs.
async fn runs(client: &Client, path: &str) {
    let begun = Instant::now();
    while client.get(path).await.json()["searching"] == false {
        assert!(begun.elapsed() < Duration::from_secs(10), "no search begins");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_search_stops_at_once_and_moves() {
    let client = Client::usual();
    let path = client.begin(json!({ "game": "go:9", "black": "uct@60s" })).await;
    let searching = tokio::spawn({
        let (client, path) = (client.clone(), path.clone());
        async move { client.post(&format!("{path}/search"), json!({ "play": true })).await.events() }
    });
    runs(&client, &path).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    // Meanwhile nothing else can be done with the game.
    for (method, what, body) in [
        ("POST", "moves", json!({ "move": "e5" })),
        ("POST", "undo", json!({})),
        ("PUT", "seats", json!({})),
        ("POST", "search", json!({})),
        ("GET", "replay", Value::Null),
    ] {
        let body = (!body.is_null()).then_some(body);
        let answer = client.send(method, &format!("{path}/{what}"), body).await;
        assert_eq!(answer.status, StatusCode::CONFLICT, "{what}: {}", answer.text);
    }
    let stopped = Instant::now();
    assert_eq!(client.send("DELETE", &format!("{path}/search"), None).await.status, StatusCode::NO_CONTENT);
    let events = searching.await.unwrap();
    assert!(stopped.elapsed() < A_STALL, "{:?}", stopped.elapsed());
    assert_eq!(named(&events, "game").next().unwrap()["ply"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_goes_away_stops_the_search() {
    let router = app(State::new(Settings::default()));
    let client = Client::new(Settings::default());
    drop(client);
    let begin = request("POST", "/api/games", Some(json!({ "game": "go:9", "black": "uct@60s" })));
    let begun = router.clone().oneshot(begin).await.unwrap().into_body().collect().await.unwrap().to_bytes();
    let id = serde_json::from_slice::<Value>(&begun).unwrap()["id"].as_str().unwrap().to_owned();
    let search = request("POST", &format!("/api/games/{id}/search"), Some(json!({ "play": true })));
    let mut response = router.clone().oneshot(search).await.unwrap().into_body();
    response.frame().await.unwrap().unwrap();
    drop(response);
    let gone = Instant::now();
    loop {
        let look = request("GET", &format!("/api/games/{id}"), None);
        let look =
            router.clone().oneshot(look).await.unwrap().into_body().collect().await.unwrap().to_bytes();
        let game = serde_json::from_slice::<Value>(&look).unwrap();
        if game["searching"] == false {
            // Nobody asked for a hasty move.
            assert_eq!(game["ply"], 0);
            break;
        }
        assert!(gone.elapsed() < A_STALL, "it goes on");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A search that waits for its turn is stopped like any other.
#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_stopped_before_it_begins() {
    let client = Client::usual();
    let mut paths = Vec::new();
    for _ in 0..3 {
        paths.push(client.begin(json!({ "game": "go:9", "black": "uct@20s" })).await);
    }
    let searches: Vec<_> = paths
        .iter()
        .map(|path| {
            let (client, path) = (client.clone(), format!("{path}/search"));
            tokio::spawn(async move { client.post(&path, json!({ "play": true })).await.events() })
        })
        .collect();
    for path in &paths {
        runs(&client, path).await;
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    // Two have their turn, and one of the three waits: stop them all.
    let begun = Instant::now();
    for path in &paths {
        client.send("DELETE", &format!("{path}/search"), None).await;
    }
    let mut played = 0;
    for search in searches {
        let events = search.await.unwrap();
        assert_eq!(events.last().unwrap().0, "end");
        played += named(&events, "game").count();
    }
    assert!(begun.elapsed() < A_STALL, "{:?}", begun.elapsed());
    assert_eq!(played, 2);
}

/// Whoever reads slowly misses rounds, and never what was decided.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_hears_the_end() {
    let router = app(State::new(Settings::default()));
    let begin = json!({ "game": "go:19", "black": "flat(sh(lambda=0.999))@3000" });
    let begun = router.clone().oneshot(request("POST", "/api/games", Some(begin))).await.unwrap();
    let begun = begun.into_body().collect().await.unwrap().to_bytes();
    let id = serde_json::from_slice::<Value>(&begun).unwrap()["id"].as_str().unwrap().to_owned();
    let order = json!({ "play": true, "beside": "flat(sh(lambda=0.999))" });
    let search = request("POST", &format!("/api/games/{id}/search"), Some(order));
    let body = router.oneshot(search).await.unwrap().into_body();
    tokio::time::sleep(Duration::from_secs(3)).await;
    let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
    for (event, times) in [("decided", 2), ("game", 1), ("end", 1)] {
        assert_eq!(text.matches(&format!("event: {event}\n")).count(), times, "{event}");
    }
}

/// More searches than turns: they wait, and all end.
#[tokio::test(flavor = "multi_thread")]
async fn searches_take_turns() {
    let client = Client::usual();
    let mut all = Vec::new();
    for _ in 0..20 {
        let client = client.clone();
        all.push(tokio::spawn(async move {
            let path = client.begin(json!({ "game": "hex:5", "black": "sh+uct@2000" })).await;
            client.post(&format!("{path}/search"), json!({ "play": true })).await.events().pop().unwrap().0
        }));
    }
    for one in all {
        assert_eq!(one.await.unwrap(), "end");
    }
}
