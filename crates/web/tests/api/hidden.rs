//! Phantom games: nobody is told what they may not know.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::client::Client;

#[tokio::test(flavor = "multi_thread")]
async fn a_person_sees_their_own_side_only() {
    let client = Client::usual();
    let body = json!({ "game": "phantom-go:5", "white": "flat(sh)@300", "moves": ["a1", "c3"] });
    let path = client.begin(body).await;
    let game = client.get(&path).await.json();
    assert_eq!(game["seen_by"], "black");
    assert_eq!(game["moves"], json!(["a1", "-"]));
    assert_eq!(game["cells"].as_str().unwrap().matches('O').count(), 0);
    assert_eq!(game["views"], Value::Null);
    assert_eq!(game["last"], json!([]));
    assert_eq!(game["calls"], json!(["Black plays a1.", "White has moved."]));
    // The person runs into the stone.
    let played = client.post(&format!("{path}/moves"), json!({ "move": "c3" })).await.json();
    assert_eq!(played["refused"], "c3");
    assert_eq!(played["game"]["tried"], json!(["c3"]));
    assert_eq!(played["game"]["to_move"], "black");
    assert_eq!(played["game"]["words"], json!(["a1", "-", "?c3"]));
    assert_eq!(played["game"]["cells"].as_str().unwrap().matches('O').count(), 1);
    assert_eq!(played["game"]["calls"][2], "Black tries c3: not legal, try another.");
    let after = client.play(&path, "b1").await;
    assert_eq!(after["legal"], json!([]), "nobody is told what White may try");
    // The program's thoughts would give its stones away.
    let events =
        client.post(&format!("{path}/search"), json!({ "play": true, "beside": "flat(ucb1)" })).await;
    for (name, data) in events.events() {
        match name.as_str() {
            "begun" => assert_eq!(data["moves"], json!([])),
            "progress" => assert_eq!((&data["visits"], &data["chosen"]), (&json!([]), &Value::Null)),
            "decided" => {
                assert_eq!((&data["report"]["arms"], &data["move"]), (&json!([]), &Value::Null));
                assert_eq!((&data["report"]["move"], &data["report"]["rounds"]), (&Value::Null, &json!([])));
                assert_eq!(data["explanation"], "");
            }
            "game" => assert_eq!(data["moves"], json!(["a1", "-", "b1", "-"])),
            other => assert_eq!(other, "end"),
        }
    }
    for what in ["replay", "sgf"] {
        assert_eq!(client.get(&format!("{path}/{what}")).await.status, StatusCode::CONFLICT, "{what}");
    }
    assert_eq!(client.post(&format!("{path}/undo"), json!({})).await.status, StatusCode::CONFLICT);
    for seats in [json!({}), json!({ "black": "random", "white": "random" }), json!({ "black": "random" })] {
        let answer = client.send("PUT", &format!("{path}/seats"), Some(seats)).await;
        assert_eq!(answer.status, StatusCode::CONFLICT);
    }
    // When it is over, everything is shown, and nobody goes back.
    let game = client.play(&path, "resign").await;
    assert_eq!(game["can_undo"], false);
    assert_eq!(client.post(&format!("{path}/undo"), json!({})).await.status, StatusCode::CONFLICT);
    assert_eq!(game["seen_by"], Value::Null);
    assert_eq!(game["moves"][1], "c3");
    assert!(game["views"]["white"].as_str().unwrap().contains('O'));
    let replay = client.get(&format!("{path}/replay")).await.json();
    let frames = replay["frames"].as_array().unwrap();
    assert_eq!(frames[3]["refused"], true);
    let belief = &frames.last().unwrap()["belief"]["black"];
    assert_eq!(belief.as_array().unwrap().len(), 25);
    // Black knows of the stone at c3.
    assert_eq!(belief[12], 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn spectators_see_everything() {
    let client = Client::usual();
    for (game, player) in [("phantom-go:5", "flat(sh)@200"), ("dark-hex:4", "flat(sh)@200")] {
        let path = client.begin(json!({ "game": game, "black": player, "white": player })).await;
        for _ in 0..4 {
            let events = client.post(&format!("{path}/search"), json!({ "play": true })).await.events();
            assert!(events.iter().any(|(name, _)| name == "round"), "{game}");
        }
        let shown = client.get(&path).await.json();
        assert_eq!(shown["ply"], 4);
        assert_ne!(shown["views"]["black"], shown["views"]["white"]);
        let replay = client.get(&format!("{path}/replay")).await.json();
        assert!(replay["frames"].as_array().unwrap().len() >= 5);
    }
}

#[tokio::test]
async fn two_persons_see_the_side_to_move() {
    let client = Client::usual();
    let path = client.begin(json!({ "game": "dark-hex:4" })).await;
    assert_eq!(client.get(&path).await.json()["seen_by"], "black");
    let game = client.play(&path, "b2").await;
    assert_eq!(game["seen_by"], "white");
    assert_eq!(game["cells"], ".".repeat(16));
}
