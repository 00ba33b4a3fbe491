//! Runs that stop in the middle of games and go on: the games are those of an undisturbed run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_arena::record::Game;
use tesuji_arena::{Definition, MatchExperiment, RunEvent, RunSettings, Store};

const EXPERIMENT: &str = r#"
title = "Paused and continued"
seed = 3
games = 6
rules = { random_plies = 2, most_moves = 40, resign_below = 0.1, claim_above = 0.9 }

[[grid]]
game = "{game}"
player = "{player}"
opponent = "rave@100"
each = [
  { name = "game", values = ["hex:5", "nogo:5"] },
  { name = "player", values = ["shuss(t=16)+rave@100", "uct@100", "vct(stop=1e-2)+uct@100", "uct+reuse@100"] },
]

[[grid]]
game = "phantom-go:5"
player = "flat(sh)@60"
opponent = "random"
"#;

fn experiment() -> MatchExperiment {
    MatchExperiment::parse(Definition::built_in("paused", EXPERIMENT, &[]).unwrap()).unwrap()
}

fn games(experiment: &MatchExperiment, store: &Store) -> Vec<Game> {
    let of_cell = |cell: &tesuji_arena::Cell| store.games(experiment.address, &cell.key).unwrap();
    experiment.cells.iter().flat_map(of_cell).collect()
}

/// Every stored game is finished or paused, and none is both.
fn in_flight(experiment: &MatchExperiment, store: &Store) -> u64 {
    let paused = store.paused(experiment.address).unwrap();
    assert!(paused.iter().all(|paused| store.game(&paused.address).unwrap().is_none()));
    let counted: u64 = experiment.played(store).unwrap().iter().map(|cell| cell.in_flight).sum();
    assert_eq!(counted, paused.len() as u64);
    counted
}

#[test]
fn games_that_are_paused_at_the_deadline_are_those_of_an_undisturbed_run() {
    let experiment = experiment();
    let mut undisturbed = Store::in_memory().unwrap();
    experiment.run(&RunSettings::default(), &mut undisturbed).unwrap();
    for threads in [1, 3] {
        let mut store = Store::in_memory().unwrap();
        let (mut runs, mut pauses) = (0, 0);
        loop {
            // Longer and longer, so that the slowest machine comes to an end.
            let deadline = Some(Instant::now() + Duration::from_millis(1 + runs));
            let settings = RunSettings { deadline, ..RunSettings::on_threads(threads) };
            let summary = experiment.run(&settings, &mut store).unwrap();
            assert!(!summary.is_interrupted);
            assert!(summary.paused <= threads as u64, "{summary:?}");
            let in_flight = in_flight(&experiment, &store);
            assert!(summary.paused <= in_flight && in_flight <= summary.missing, "{summary:?}");
            runs += 1;
            pauses += summary.paused;
            if summary.missing == 0 {
                break;
            }
        }
        assert!(pauses >= 5, "{pauses} pauses in {runs} runs");
        assert!(games(&experiment, &store) == games(&experiment, &undisturbed), "pauses changed the games");
        assert_eq!(in_flight(&experiment, &store), 0);
    }
}

#[test]
fn an_interrupt_pauses_games_before_the_move_that_is_being_searched() {
    let experiment = experiment();
    let mut undisturbed = Store::in_memory().unwrap();
    experiment.run(&RunSettings::default(), &mut undisturbed).unwrap();
    let mut store = Store::in_memory().unwrap();
    let mut pauses = 0;
    loop {
        let interrupt = AtomicBool::new(false);
        let summary = experiment
            .run_watched(&RunSettings::on_threads(2), &mut store, &interrupt, &mut |progress| {
                if matches!(progress.event, RunEvent::Game(..)) {
                    interrupt.store(true, Ordering::Relaxed);
                }
            })
            .unwrap();
        pauses += summary.paused;
        if summary.missing == 0 {
            break;
        }
        assert!(summary.is_interrupted && summary.played > 0);
        assert!(in_flight(&experiment, &store) <= 2);
    }
    assert!(pauses > 0);
    assert!(games(&experiment, &store) == games(&experiment, &undisturbed), "interrupts changed the games");
}
