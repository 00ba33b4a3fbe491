//! Which games of a store are exported, and what is said of the others.

use std::path::PathBuf;

use tesuji_arena::record::Circumstances;
use tesuji_arena::{CellFilter, KnownGame, Match, PlayedGame, RunSettings};

use super::*;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tesuji-training-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Plays this many games of a match into a store.
fn play(store: &mut Store, game: &str, games: u64, records_policies: bool) -> tesuji_arena::MatchExperiment {
    let two = Match::new(game.parse().unwrap(), "flat(sh)@30".parse().unwrap(), "random".parse().unwrap());
    let experiment = Match { games, ..two }.experiment().unwrap();
    let settings = RunSettings { records_policies, ..RunSettings::on_threads(1) };
    experiment.run(&settings, store).unwrap();
    experiment
}

fn export(store: &Store, only: &str, name: &str) -> Result<TrainingSummary, TrainingError> {
    let patterns = if only.is_empty() { Vec::new() } else { vec![only.parse().unwrap()] };
    let filter = StoreFilter { experiment: None, only: CellFilter(patterns) };
    let options = TrainingOptions { filter, symmetries: Some(1), threads: 2 };
    export_training(store, &options, &folder(name), &mut |_, _| {})
}

#[test]
fn games_without_policies_are_counted() {
    let mut store = Store::in_memory().unwrap();
    play(&mut store, "hex:4", 2, false);
    let error = export(&store, "", "none").unwrap_err().to_string();
    assert!(error.starts_with("no game of the store has recorded policies"), "{error}");
    let error = export(&store, "hex", "none").unwrap_err().to_string();
    assert!(error.starts_with("no chosen game has recorded policies"), "{error}");
    assert!(matches!(export(&store, "go:9", "none"), Err(TrainingError::NoGames)));
    let name = format!("tesuji-training-none-{}", std::process::id());
    assert!(!std::env::temp_dir().join(name).exists(), "a refusal leaves a folder");
    let experiment = play(&mut store, "hex:4", 5, true);
    let summary = export(&store, "", "some").unwrap();
    assert_eq!((summary.games, summary.without_policies, summary.misfits), (3, 2, 0));
    let cell = &experiment.cells[0].key;
    assert_eq!(store.n_without_policies(experiment.address, cell).unwrap(), 2);
    let text = serde_json::to_value(&summary).unwrap();
    assert_eq!((text["games"].as_u64(), text.get("misfits")), (Some(3), None));
}

#[test]
fn games_without_searches_have_nothing_to_train_with() {
    let mut store = Store::in_memory().unwrap();
    let two = Match::new("hex:4".parse().unwrap(), "greedy".parse().unwrap(), "random".parse().unwrap());
    let settings = RunSettings { records_policies: true, ..RunSettings::on_threads(1) };
    Match { games: 2, ..two }.experiment().unwrap().run(&settings, &mut store).unwrap();
    let error = export(&store, "", "random").unwrap_err().to_string();
    let expected = "the recorded games have no position to train with: none of their moves was chosen by a search that \
                    values moves";
    assert_eq!(error, expected);
    let name = format!("tesuji-training-random-{}", std::process::id());
    assert!(!std::env::temp_dir().join(name).exists(), "a refusal leaves a folder");
}

#[test]
fn policies_that_do_not_fit_are_left_out() {
    let mut store = Store::in_memory().unwrap();
    let experiment = play(&mut store, "hex:4", 4, true);
    let whole = export(&store, "", "whole").unwrap();
    let again = Match {
        games: 4,
        seed: 2,
        ..Match::new("hex:4".parse().unwrap(), "flat(sh)@30".parse().unwrap(), "random".parse().unwrap())
    };
    let other = again.experiment().unwrap();
    other.note(&mut store).unwrap();
    // The policy of the first move has one move.
    let game = store.game(&experiment.game_address(&experiment.cells[0], 0)).unwrap().unwrap();
    let game = record::Game { address: other.game_address(&other.cells[0], 0), ..game };
    let policies = vec![1, 1, 0, 255, 255, 255];
    let played = PlayedGame { game, circumstances: Circumstances::default(), policies };
    store.put_played(&played, KnownGame::MustAgree).unwrap();
    let summary = export(&store, "", "fitting").unwrap();
    assert_eq!(summary, TrainingSummary { misfits: 1, ..whole });
}

#[test]
fn hidden_games_are_refused() {
    let mut store = Store::in_memory().unwrap();
    play(&mut store, "phantom-go:4", 2, true);
    let error = export(&store, "", "hidden").unwrap_err().to_string();
    assert!(error.starts_with("phantom-go:4 hides pieces"), "{error}");
}
