//! Stores on disk, read while they are written.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use axum::http::StatusCode;
use http_body_util::BodyExt;
use serde_json::json;
use tesuji_arena::{Experiment, RunSettings, Store};
use tesuji_web::{Settings, State, app};
use tower::ServiceExt;

use crate::client::{Client, request, validate};

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tesuji-web-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("experiments")).unwrap();
        Folder(path)
    }

    fn client(&self) -> Client {
        Client::new(Settings { folder: self.0.clone(), ..Settings::default() })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const TINY: &str = r#"
title = "Tiny"
paper = "none"
text = "A test."
seed = 1
games = 6

[[grid]]
title = "Both"
label = "player"
game = "{game}"
player = "flat(sh)@20"
opponent = "random"
row = "{game}"
column = "halving"
each = [{ name = "game", values = ["hex:3", "phantom-go:3"] }]
"#;

fn play(folder: &Path) {
    let file = folder.join("experiments/tiny.toml");
    std::fs::write(&file, TINY).unwrap();
    let Experiment::Matches(experiment) = Experiment::read(&file).unwrap() else { panic!("of matches") };
    std::fs::create_dir_all(folder.join("results/today")).unwrap();
    let mut store = Store::open(&folder.join("results/today/tiny.db")).unwrap();
    experiment.run(&RunSettings::default(), &mut store).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_its_cells_and_its_games() {
    let folder = Folder::new("store");
    play(&folder.0);
    std::fs::write(folder.0.join("broken.db"), "SQLite format 3\0 and nothing").unwrap();
    std::fs::write(folder.0.join("other.db"), "nothing of ours").unwrap();
    let client = folder.client();
    let overview = client.get("/api/laboratory").await.json();
    let stores = overview["stores"].as_array().unwrap();
    assert_eq!(stores.len(), 2, "{overview}");
    assert!(stores[0]["problem"].is_string());
    assert_eq!((&stores[1]["store"], &stores[1]["games"]), (&json!("results~1today~1tiny.db"), &json!(12)));
    assert_eq!(overview["experiments"][0]["name"], "tiny");
    assert_eq!(overview["experiments"][0]["stores"], json!(["results~1today~1tiny.db"]));

    let path = "/api/laboratory/stores/results~1today~1tiny.db";
    let report = client.get(path).await.json();
    let cells = report["experiments"][0]["whole"]["grids"][0]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    for cell in cells {
        let id = cell["id"].as_str().unwrap();
        let games = client.get(&format!("{path}/cells/{id}")).await.json();
        assert_eq!(games["total"], 6);
        let rest = client.get(&format!("{path}/cells/{id}?from=4")).await.json();
        assert_eq!(rest["games"].as_array().unwrap().len(), 2);
        for game in games["games"].as_array().unwrap() {
            let game = client.get(&format!("{path}/games/{}", game["id"].as_str().unwrap())).await.json();
            let frames = game["replay"]["frames"].as_array().unwrap();
            assert!(frames.len() > 3);
            let is_hidden = game["replay"]["hidden"] == true;
            assert_eq!(frames[1].get("belief").is_some(), is_hidden);
        }
        assert_eq!(client.get(&format!("{path}/cells/{id}?from=-1")).await.status, StatusCode::BAD_REQUEST);
        assert_eq!(client.get(&format!("{path}/games/{id}-99")).await.status, StatusCode::NOT_FOUND);
    }
    assert_eq!(client.get(&format!("{path}/cells/none")).await.status, StatusCode::NOT_FOUND);
    assert_eq!(client.get(&format!("{path}/games/none")).await.status, StatusCode::NOT_FOUND);
    let broken = client.get("/api/laboratory/stores/broken.db").await;
    assert_eq!(broken.status, StatusCode::UNPROCESSABLE_ENTITY);
    for outside in ["..~1..~1etc~1passwd", "none.db", "other.db", "%2e%2e%2fx.db"] {
        let answer = client.get(&format!("/api/laboratory/stores/{outside}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{outside}");
    }
}

/// A store that is being written is watched: what comes in is told.
#[tokio::test(flavor = "multi_thread")]
async fn a_running_experiment_is_seen_to_grow() {
    let folder = Folder::new("live");
    play(&folder.0);
    let file = folder.0.join("experiments/tiny.toml");
    let Experiment::Matches(mut experiment) = Experiment::read(&file).unwrap() else { panic!("of matches") };
    let router = app(State::new(Settings { folder: folder.0.clone(), ..Settings::default() }));
    let live = request("GET", "/api/laboratory/stores/results~1today~1tiny.db/live", None);
    let mut body = router.oneshot(live).await.unwrap().into_body();
    let mut next = async || {
        let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
        let text = String::from_utf8(frame.to_vec()).unwrap();
        let data = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
        let live: serde_json::Value = serde_json::from_str(data).unwrap();
        validate("Live", &live);
        live
    };
    let first = next().await;
    assert_eq!(first["experiments"][0]["done"], 12);
    assert_eq!((&first["experiments"][0]["wanted"], &first["rate"]), (&json!(12), &json!(null)));
    experiment.games = 10;
    let mut store = Store::open(&folder.0.join("results/today/tiny.db")).unwrap();
    experiment.run(&RunSettings::default(), &mut store).unwrap();
    let second = next().await;
    assert!(second["experiments"][0]["done"].as_u64().unwrap() > 12);
    assert!(second["rate"].as_f64().unwrap() > 0.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn bandits_are_measured_and_told() {
    let client = Client::usual();
    let form = json!({ "arms": "N:20", "policies": ["sh", "ucb1", "sh"], "budgets": [64, 32], "runs": 200 });
    let answer = client.post("/api/bandits", form).await;
    assert_eq!(answer.status, StatusCode::OK);
    let events = answer.events();
    let rows: Vec<_> = events.iter().filter(|(name, _)| name == "rows").map(|(_, data)| data).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["rows"].as_array().unwrap().len(), 2);
    assert_eq!((&rows[0]["rows"][0]["budget"], &rows[1]["rows"][1]["policy"]), (&json!(32), &json!("ucb1")));
    assert_eq!(events.last().unwrap().0, "end");
}

/// The client checks every answer against the description.
#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_has_rating_lists_and_counts_the_games_of_all_rounds() {
    let folder = Folder::new("tournament");
    let file = folder.0.join("experiments/swiss.toml");
    let text = "title = 'Swiss'\nseed = 1\ngames = 2\n[tournament]\ngame = ['hex:3', 'breakthrough:2x4']\n\
        players = ['random', 'greedy', 'uct@10', 'rave@10']\nschedule = 'swiss'\nrounds = 2";
    std::fs::write(&file, text).unwrap();
    let Experiment::Matches(experiment) = Experiment::read(&file).unwrap() else { panic!("of matches") };
    let mut store = Store::open(&folder.0.join("swiss.db")).unwrap();
    experiment.run(&RunSettings::default(), &mut store).unwrap();
    let client = folder.client();
    let report = client.get("/api/laboratory/stores/swiss.db").await.json();
    let tournament = &report["experiments"][0]["whole"]["tournament"];
    validate("Tournament", tournament);
    assert_eq!((&tournament["wanted"], &tournament["rounds"]), (&json!(16), &json!(2)));
    assert_eq!(tournament["by_game"].as_array().unwrap().len(), 2);
    assert_eq!(tournament["overall"]["players"].as_array().unwrap().len(), 4);

    let state = State::new(Settings { folder: folder.0.clone(), ..Settings::default() });
    let path = "/api/laboratory/stores/swiss.db/live";
    let response = app(state).oneshot(request("GET", path, None)).await.unwrap();
    let first = response.into_body().frame().await.unwrap().unwrap().into_data().unwrap();
    let first = String::from_utf8_lossy(&first).into_owned();
    assert!(first.contains("\"done\":16,\"wanted\":16"), "{first}");
}

/// Forty games of candidates, and the fresh games of the finalists, are reported and counted apart.
#[tokio::test(flavor = "multi_thread")]
async fn a_tuning_has_candidates_curves_and_fresh_games() {
    let folder = Folder::new("tuning");
    let file = folder.0.join("experiments/tuned.toml");
    let text = "title = 'Tuned'\nseed = 1\ngames = 40\n[tune]\ngame = 'hex:3'\n\
        player = 'uct(c=?0.1..2:log)@20'\nagainst = ['greedy', 'random']\nconfirm = 8\nfinalists = 2";
    std::fs::write(&file, text).unwrap();
    let Experiment::Tuning(tuning) = Experiment::read(&file).unwrap() else { panic!("a tuning") };
    let mut store = Store::open(&folder.0.join("tuned.db")).unwrap();
    let never = AtomicBool::new(false);
    tuning.run(&RunSettings::default(), &mut store, None, &never, &mut |_| ()).unwrap();
    let client = folder.client();

    let overview = client.get("/api/laboratory").await.json();
    let listed = &overview["experiments"][0];
    assert_eq!((&listed["kind"], &listed["games"]), (&json!("tuning"), &json!(40)));
    assert_eq!(listed["stores"], json!(["tuned.db"]));

    let report = client.get("/api/laboratory/stores/tuned.db").await.json();
    let experiments = report["experiments"].as_array().unwrap();
    let tuned = experiments.iter().find(|experiment| experiment["kind"] == "tuning").unwrap();
    validate("Tuning", tuned);
    assert_eq!((&tuned["games"], &tuned["played"]), (&json!(40), &json!(40)));
    let candidates = tuned["candidates"].as_array().unwrap();
    let games: u64 = candidates.iter().map(|candidate| candidate["games"].as_u64().unwrap()).sum();
    assert_eq!(games, 40);
    assert_eq!(candidates.iter().filter(|candidate| candidate["is_default"] == true).count(), 1);
    let [parameter] = &tuned["parameters"].as_array().unwrap()[..] else { panic!("one parameter") };
    assert_eq!((&parameter["name"], &parameter["is_logarithmic"]), (&json!("c"), &json!(true)));
    assert!(parameter["response"].as_array().unwrap().len() > 10);
    let confirmed = &tuned["confirmed"];
    assert_eq!((&confirmed["games"], &confirmed["is_complete"]), (&json!(8), &json!(true)));
    assert!(confirmed["finalists"].as_array().unwrap().len() >= 2);

    let state = State::new(Settings { folder: folder.0.clone(), ..Settings::default() });
    let live = request("GET", "/api/laboratory/stores/tuned.db/live", None);
    let response = app(state).oneshot(live).await.unwrap();
    let first = response.into_body().frame().await.unwrap().unwrap().into_data().unwrap();
    let first = String::from_utf8_lossy(&first).into_owned();
    assert!(first.contains("\"name\":\"tuned\",\"done\":40,\"wanted\":40"), "{first}");
}

/// A store that was begun and has no games of a tuning yet has no candidates, and nothing is confirmed.
#[tokio::test(flavor = "multi_thread")]
async fn a_tuning_without_games_wants_them() {
    let folder = Folder::new("untuned");
    let file = folder.0.join("experiments/tuned.toml");
    let text = "title = 'Tuned'\nseed = 1\ngames = 40\n[tune]\ngame = 'hex:3'\n\
        player = 'uct(c=?0.1..2:log)@20'\nagainst = ['greedy']";
    std::fs::write(&file, text).unwrap();
    let Experiment::Tuning(tuning) = Experiment::read(&file).unwrap() else { panic!("a tuning") };
    let mut store = Store::open(&folder.0.join("tuned.db")).unwrap();
    let now = AtomicBool::new(true);
    tuning.run(&RunSettings::default(), &mut store, None, &now, &mut |_| ()).unwrap();
    let report = folder.client().get("/api/laboratory/stores/tuned.db").await.json();
    let tuned = &report["experiments"][0];
    validate("Tuning", tuned);
    assert_eq!((&tuned["candidates"], &tuned["chance"]), (&json!([]), &json!(null)));
    assert_eq!((&tuned["confirmed"], &tuned["stopped"]), (&json!(null), &json!(null)));
}
