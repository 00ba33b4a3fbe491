//! Tunings: the same games after stops and on any number of threads, and what is confirmed.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_arena::tuning::{Tuning, sureness};
use tesuji_arena::{Experiment, RunSettings, Store};

fn tuning(against: &[&str], games: u64) -> Tuning {
    let template = "uct(c=?0.05..2:log)@40".parse().unwrap();
    let against = against.iter().map(|opponent| opponent.parse().unwrap()).collect();
    let plain = Tuning::new("hex:4".parse().unwrap(), template, against, games);
    Tuning { confirm: 20, finalists: 2, ..plain }.build(None).unwrap()
}

/// All games of a store, with their moves.
fn games(store: &Store) -> Vec<(String, u64, String)> {
    let mut all = Vec::new();
    for experiment in store.experiments().unwrap() {
        for cell in store.cells(experiment.experiment).unwrap() {
            let games = store.games(experiment.experiment, &cell.key).unwrap();
            all.extend(games.into_iter().map(|game| (cell.key.clone(), game.address.index, game.moves)));
        }
    }
    all
}

fn run(tuning: &Tuning, threads: usize) -> Store {
    let mut store = Store::in_memory().unwrap();
    let settings = RunSettings::on_threads(threads);
    let interrupt = AtomicBool::new(false);
    let mut last = (0, 0);
    let summary = tuning
        .run(&settings, &mut store, None, &interrupt, &mut |progress| {
            assert!(progress.done >= last.0 && progress.done <= progress.wanted);
            last = (progress.done, progress.wanted);
        })
        .unwrap();
    assert_eq!((summary.missing, last.0), (0, last.1));
    store
}

#[test]
fn a_tuning_spends_its_games_and_confirms_its_finalists() {
    let tuning = tuning(&["random", "greedy"], 120);
    let store = run(&tuning, 2);
    let tuned = tuning.tuned(&store).unwrap();
    assert_eq!(tuned.tuner.spent(), 60);
    assert!(tuned.stopped.is_some());
    let confirmation = tuned.confirmation.unwrap();
    assert_eq!(confirmation.games, 10);
    // Each finalist and the default against both, and the winner against the default.
    let n_players = tuned.finalists.len() + usize::from(tuned.default.is_some());
    assert_eq!(confirmation.cells.len(), 2 * n_players + usize::from(tuned.default.is_some()));
    assert_eq!(games(&store).len() as u64, 120 + confirmation.games * confirmation.cells.len() as u64);
}

#[test]
fn the_same_games_after_stops_and_on_any_number_of_threads() {
    let tuning = tuning(&["greedy"], 100);
    let all = games(&run(&tuning, 1));
    assert_eq!(all, games(&run(&tuning, 4)));
    let mut store = Store::in_memory().unwrap();
    let mut runs = 0;
    loop {
        runs += 1;
        let interrupt = AtomicBool::new(false);
        let mut n_games = 0;
        let summary = tuning
            .run(&RunSettings::on_threads(2), &mut store, None, &interrupt, &mut |_| {
                n_games += 1;
                interrupt.store(n_games > 13, Ordering::Relaxed);
            })
            .unwrap();
        if summary.missing == 0 {
            break;
        }
        // What is told at any time agrees with what was played.
        let told = tuning.tuned(&store).unwrap();
        assert!(told.tuner.spent() <= 50);
    }
    assert!(runs > 3);
    assert_eq!(all, games(&store));
}

#[test]
fn candidates_play_the_same_openings() {
    let template = "uct(c=?0.05..2:log)@10".parse().unwrap();
    let plain = Tuning::new("hex:4".parse().unwrap(), template, vec!["random".parse().unwrap()], 40);
    let rules = tesuji_arena::Rules { openings: tesuji_arena::Openings::Random(2), ..plain.rules.clone() };
    let tuning = Tuning { rules, confirm: 0, ..plain }.build(None).unwrap();
    let store = run(&tuning, 2);
    let first: Vec<String> =
        games(&store).into_iter().filter(|game| game.1 == 0).map(|game| game.2).collect();
    let opening = |moves: &String| moves.split(' ').take(2).map(str::to_owned).collect::<Vec<_>>();
    assert!(first.len() > 3);
    assert!(first.iter().all(|moves| opening(moves) == opening(&first[0])), "{first:?}");
}

#[test]
fn a_tuning_reads_its_own_definition() {
    let tuning = tuning(&["random", "greedy"], 120);
    let tuning = Tuning {
        settings: tesuji_arena::tuning::TunerSettings {
            until: sureness(Some("90%"), Some(0.02)).unwrap(),
            generations: Some(3),
            ..tuning.settings.clone()
        },
        budget: Some("30".parse().unwrap()),
        ..tuning
    }
    .build(None)
    .unwrap();
    let Experiment::Tuning(again) = Experiment::parse(tuning.definition.clone(), Path::new("")).unwrap()
    else {
        panic!("a tuning")
    };
    assert_eq!(again.definition, tuning.definition);
    assert_eq!((again.seed, again.confirm, again.finalists), (tuning.seed, tuning.confirm, tuning.finalists));
    assert_eq!((&again.rules, again.budget), (&tuning.rules, tuning.budget));
    assert_eq!(format!("{:?}", again.settings), format!("{:?}", tuning.settings));
    assert_eq!(
        (again.template.to_string(), again.command.clone()),
        (tuning.template.to_string(), tuning.command)
    );
}

#[test]
fn wrong_tunings_are_refused_in_a_sentence() {
    let error = |text: &str| {
        let text = format!("title='T'\nseed=1\ngames=100\n[tune]\ngame='hex:5'\n{text}");
        let definition = tesuji_arena::Definition::built_in("t", &text, &[]).unwrap();
        Experiment::parse(definition, Path::new("")).unwrap_err().to_string()
    };
    for (text, part) in [
        ("player='uct(c=?)@10'\nagainst=[]", "tuning needs an opponent"),
        ("player='uct(c=?)@10'\nagainst=['random']\nconfirm=5", "5 games are no pairs"),
        ("player='uct(c=?)@10'\nagainst=['random']\nuntil='95'", "'95' is not a confidence"),
        ("player='uct(c=?)@10'\nagainst=['random']\nwithin=0.1", "within needs until"),
        ("player='uct@10'\nagainst=['random']", "?"),
        ("player='uct(c=?5..1)@10'\nagainst=['random']", "5..1"),
    ] {
        assert!(error(text).contains(part), "{}", error(text));
    }
}
