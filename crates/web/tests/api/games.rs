//! Playing.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::client::Client;

#[tokio::test]
async fn a_game_of_two_persons() {
    let client = Client::usual();
    let path = client.begin(json!({ "game": "hex:3" })).await;
    let game = client.play(&path, "B2").await;
    assert_eq!(game["to_move"], "white");
    assert_eq!(game["cells"], "....X....");
    assert_eq!(game["last"], json!(["b2"]));
    assert_eq!(game["legal"].as_array().unwrap().len(), 8);
    client.play(&path, "a1").await;
    client.play(&path, "b1").await;
    client.play(&path, "c1").await;
    let game = client.play(&path, "a3").await;
    assert_eq!(game["outcome"]["text"], "Black wins");
    assert_eq!(game["legal"], json!([]));
    let over = client.post(&format!("{path}/moves"), json!({ "move": "c3" })).await;
    assert_eq!((over.status, over.error().as_str()), (StatusCode::CONFLICT, "the game is over: Black wins"));
    let search = client.post(&format!("{path}/search"), json!({})).await;
    assert_eq!(search.status, StatusCode::CONFLICT);
    // It can be taken back.
    let game = client.post(&format!("{path}/undo"), json!({ "moves": 2 })).await.json();
    assert_eq!((&game["ply"], &game["outcome"]), (&json!(3), &Value::Null));
    let replay = client.get(&format!("{path}/replay")).await.json();
    assert_eq!(replay["frames"].as_array().unwrap().len(), 4);
    let sgf = client.get(&format!("{path}/sgf")).await;
    assert!(sgf.text.contains(";B[b2];W[a1];B[b1]"), "{}", sgf.text);
    assert_eq!(client.send("DELETE", &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(client.get(&path).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn every_game_is_shown_and_played() {
    let client = Client::usual();
    for info in tesuji_catalog::games() {
        let path = client.begin(json!({ "game": info.name })).await;
        for _ in 0..6 {
            let game = client.get(&path).await.json();
            let (width, height) = (&game["board"]["width"], &game["board"]["height"]);
            let size = width.as_u64().unwrap() * height.as_u64().unwrap();
            assert_eq!(game["cells"].as_str().unwrap().len() as u64, size, "{}", info.name);
            let mv = game["legal"][0].as_str().unwrap().to_owned();
            let played = client.post(&format!("{path}/moves"), json!({ "move": mv })).await;
            assert_eq!(played.status, StatusCode::OK, "{} {mv}", info.name);
        }
    }
}

#[tokio::test]
async fn what_is_not_possible_is_said_kindly() {
    let client = Client::usual();
    let error = async |body: Value| {
        let answer = client.post("/api/games", body).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        answer.error()
    };
    assert!(error(json!({ "game": "chess" })).await.starts_with("'chess' is not a game"));
    assert!(error(json!({ "game": "hex:99" })).await.contains("size"));
    assert!(error(json!({ "game": "hex:5", "black": "alphago" })).await.contains("alphago"));
    assert!(error(json!({ "game": "phantom-go:5", "black": "uct" })).await.contains("flat(POLICY)"));
    assert!(error(json!({ "game": "hex:5", "black": "uct@2000000" })).await.contains("1000000 at most"));
    assert!(error(json!({ "game": "hex:5", "black": "uct@2h" })).await.contains("60 s at most"));
    assert!(error(json!({ "game": "hex:5", "black": "uct+prior(sh,5000)" })).await.contains("1000 at most"));
    assert!(error(json!({ "game": "hex:5", "colour": "red" })).await.contains("colour"));
    assert!(error(json!({ "game": "hex:5", "moves": ["a1", "a1"] })).await.contains("a1"));
    assert!(error(json!({ "black": "uct" })).await.contains("game"));

    // Neither a list nor anything else passes for an object.
    assert!(error(json!(["hex:5", null, null])).await.contains("object"));
    assert!(error(json!("hex:5")).await.contains("object"));

    let path = client.begin(json!({ "game": "hex:5", "white": "sh+uct@100" })).await;
    let moves = format!("{path}/moves");
    let answer = client.post(&moves, json!({ "move": "z9" })).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    client.play(&path, "a1").await;
    let answer = client.post(&moves, json!({ "move": "a2" })).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert_eq!(answer.error(), "it is White's turn, and sh+uct@100 plays White");
    let undo = format!("{path}/undo");
    assert_eq!(client.post(&undo, json!({ "moves": 5 })).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(client.post(&undo, json!({ "moves": 0 })).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let sgf = client.begin(json!({ "game": "breakthrough:5x6" })).await;
    assert_eq!(client.get(&format!("{sgf}/sgf")).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn seats_change_and_persons_resign() {
    let client = Client::usual();
    let path = client.begin(json!({ "game": "go:5", "black": "uct@100" })).await;
    let game =
        client.send("PUT", &format!("{path}/seats"), Some(json!({ "white": "rave@200" }))).await.json();
    assert_eq!(game["black"]["player"], Value::Null);
    assert_eq!(game["white"]["player"], "rave@200");
    let game = client.play(&path, "resign").await;
    assert_eq!(game["outcome"]["text"], "White wins: Black resigns");
    assert_eq!(game["outcome"]["reason"], "resigned");
    let over = client.post(&format!("{path}/moves"), json!({ "move": "c3" })).await;
    assert_eq!(over.status, StatusCode::CONFLICT);
    let sgf = client.get(&format!("{path}/sgf")).await;
    assert!(sgf.text.contains("RE[W+R]"), "{}", sgf.text);
    // It is taken back, also before the first move, and nothing else is.
    assert_eq!(game["can_undo"], true);
    let game = client.post(&format!("{path}/undo"), json!({ "moves": 2 })).await.json();
    assert_eq!((&game["outcome"], &game["ply"]), (&Value::Null, &json!(0)));
}

#[tokio::test]
async fn moves_to_begin_with_and_points_at_the_end() {
    let client = Client::usual();
    for wrong in [json!(["a1", "?b2"]), json!(["a1", "a1"])] {
        let answer = client.post("/api/games", json!({ "game": "phantom-go:5", "moves": wrong })).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.error().contains("do not go together"), "{}", answer.error());
    }
    let misere = client.begin(json!({ "game": "misere(go:5)" })).await;
    assert!(client.get(&misere).await.json()["rules"].as_str().unwrap().contains("loses"));
    let body = json!({ "game": "go:5(komi=0.5)", "moves": ["c3", "pass", "pass"] });
    let path = client.begin(body).await;
    let game = client.get(&path).await.json();
    assert_eq!(game["outcome"]["text"], "Black wins by 24.5 points");
    assert_eq!(game["outcome"]["margin"], 24.5);
}
