//! What is kept between the moves of a game.

use tesuji_core::{Game, Outcome, Seed};
use tesuji_games::goban::UpTo7;
use tesuji_games::{Go, GoRules};
use tesuji_search::{Limits, Report, SearchConfig, SearchStop, TreeConfig};
use tesuji_testkit::solve::Solved;

use crate::common::{GRAVE, HYBRID, RAVE, UCT, player, search, with_options};
use crate::solved::hex;

fn keepers() -> Vec<(&'static str, SearchConfig)> {
    let searches = [
        ("uct", search("", UCT)),
        ("rave", search("", RAVE)),
        ("grave", search("", GRAVE)),
        ("sh+uct", search("sh", UCT)),
        ("ucb+rave", search("ucb(c=0.4)", RAVE)),
        ("shot", search("", TreeConfig::Shot)),
        ("h-mcts", search("", HYBRID)),
        ("uct, two trees", with_options(search("", UCT), |options| options.trees = 2)),
        (
            "sh+uct, no transpositions",
            with_options(search("sh", UCT), |options| options.transpositions = false),
        ),
        ("uct, few nodes", with_options(search("", UCT), |options| options.nodes = 300)),
    ];
    searches.map(|(name, config)| (name, with_options(config, |options| options.reuse = true))).to_vec()
}

fn visits<M>(report: &Report<M>) -> u64 {
    report.arms.iter().map(|arm| arm.visits).sum()
}

#[test]
fn the_next_search_begins_with_what_is_known() {
    for (name, config) in keepers() {
        let mut player = player(&config);
        let mut position = hex(4);
        let limits = Limits::samples(2000);
        let first = player.search(&position, &limits, Seed::new(1), None);
        assert_eq!(visits(&first), 2000, "{name}");
        position.play_unchecked(first.mv().unwrap());
        let answer = position.search_moves()[3];
        position.play_unchecked(answer);
        let second = player.search(&position, &limits, Seed::new(2), None);
        assert_eq!((second.spent, second.budget), (2000, 2000), "{name}");
        // With few nodes the answer is not always among them.
        let least = if name.contains("few nodes") { 2000 } else { 2001 };
        assert!((least..4000).contains(&visits(&second)), "{name}: {}", visits(&second));
        // Asked about the same position again, a tree that is its own root goes on (who ponders may
        // be asked something meanwhile); trees for each move begin anew.
        let again = player.search(&position, &limits, Seed::new(2), None);
        let before = if ["uct", "rave", "grave"].iter().any(|tree| name.starts_with(tree)) {
            visits(&second)
        } else {
            0
        };
        assert_eq!(visits(&again), before + 2000, "{name}");
        // Forgotten, it is as new.
        player.forget();
        let anew = player.search(&hex(4), &limits, Seed::new(1), None);
        assert_eq!(anew, first, "{name}");
        player.forget();
        let other = player.search(&position, &limits, Seed::new(2), None);
        assert_eq!(visits(&other), 2000, "{name}");
    }
}

/// Who thinks while the other side does has searched the position one move before.
#[test]
fn what_was_pondered_is_known_too() {
    for (name, config) in keepers() {
        let mut player = player(&config);
        let mut position = hex(4);
        let limits = Limits::samples(2000);
        let pondered = player.search(&position, &limits, Seed::new(1), None);
        // The second best answer: not the one that was chosen.
        let order = pondered.ranking();
        let arm = &pondered.arms[order[1]];
        position.play_unchecked(arm.mv);
        let next = player.search(&position, &limits, Seed::new(2), None);
        let kept = visits(&next) - 2000;
        let is_certain = !name.contains("few nodes") && arm.visits > 1;
        assert!(kept > 0 || !is_certain, "{name}: nothing of {} visits is known", arm.visits);
        assert!(kept <= arm.visits, "{name}: {kept} of {}", arm.visits);
    }
}

/// Whole games, with proofs, whose every proof and proved move is right.
#[test]
fn proofs_stay_right_along_games() {
    let mut solved = Solved::default();
    for (name, config) in keepers() {
        let config = with_options(config, |options| options.solver = true);
        for seed in 0..6 {
            let mut rng = Seed::new(seed).child("answers").rng();
            let mut player = player(&config);
            let mut position = hex(3);
            while position.outcome().is_none() {
                let report = player.search(&position, &Limits::samples(300), Seed::new(seed), None);
                for arm in &report.arms {
                    if let Some(proof) = arm.proof {
                        assert_eq!(proof, solved.after(&position, arm.mv), "{name}");
                    }
                }
                if let Some(SearchStop::Proved(outcome)) = report.stop {
                    assert_eq!(outcome, solved.outcome(&position), "{name}");
                    assert_eq!(outcome, solved.after(&position, report.mv().unwrap()), "{name}");
                }
                position.play_unchecked(report.mv().unwrap());
                if let Some(&mv) = rng.choose(&position.search_moves()) {
                    position.play_unchecked(mv);
                }
            }
        }
    }
}

/// Games of Go with its repetitions, where a position's moves depend on what was
/// before: the moves in a report are always those of the position.
#[test]
fn moves_stay_legal_along_games_of_go() {
    for (name, config) in keepers() {
        for seed in 0..24 {
            let mut rng = Seed::new(seed).child("answers").rng();
            let mut player = player(&config);
            let size = if seed % 4 == 0 { 3 } else { 2 };
            let mut position = Go::<UpTo7>::new(GoRules { size, ..GoRules::default() }).unwrap();
            for _ in 0..60 {
                if position.outcome().is_some() {
                    break;
                }
                let report = player.search(&position, &Limits::samples(200), Seed::new(seed), None);
                let moves: Vec<_> = report.arms.iter().map(|arm| arm.mv).collect();
                assert_eq!(moves, position.search_moves(), "{name}");
                position.play(report.mv().unwrap()).expect("the move is legal");
                if let Some(&mv) = rng.choose(&position.search_moves()) {
                    position.play_unchecked(mv);
                }
            }
        }
    }
}

/// A proved loss at the root does not keep a search from going on next time.
#[test]
fn a_proved_position_is_searched_again() {
    let config = with_options(search("", UCT), |options| (options.reuse, options.solver) = (true, true));
    let mut player = player(&config);
    let mut position = hex(3);
    let first = player.search(&position, &Limits::samples(20_000), Seed::new(1), None);
    assert!(matches!(first.stop, Some(SearchStop::Proved(Outcome::Win(_)))), "{:?}", first.stop);
    position.play_unchecked(first.mv().unwrap());
    let answer = position.search_moves()[0];
    position.play_unchecked(answer);
    let second = player.search(&position, &Limits::samples(20_000), Seed::new(1), None);
    assert_eq!(second.stop, first.stop);
}
