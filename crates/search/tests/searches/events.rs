//! Those who watch a search: they are told everything once, and change nothing.

use tesuji_core::{Game, Round, Seed};
use tesuji_search::{Event, Limits, PriorSource, Watch};
use tesuji_testkit::tree_game::TreeGame;

use crate::common::{UCT, all, counted, player, prior, puct, search, with_leaf, with_options};
use crate::solved::hex;

#[derive(Default)]
struct Seen {
    rounds: Vec<Round>,
    progress: Vec<(u64, u64)>,
}

impl Watch for Seen {
    fn see(&mut self, event: Event<'_>) {
        match event {
            Event::Round { index, round } => {
                assert_eq!(index, self.rounds.len(), "each round once and in order");
                self.rounds.push(round.clone());
            }
            Event::Progress { spent, budget, arms, best, .. } => {
                assert!(best < arms.len());
                assert!(spent <= budget);
                self.progress.push((spent, budget));
            }
        }
    }
}

#[test]
fn watching_changes_nothing() {
    let mut searches = all();
    searches.extend([
        // Budgets that are no multiples of what a leaf costs.
        ("uct, playouts counted", with_leaf(search("", UCT), counted("uniform", 7))),
        ("puct(leaf), playouts counted", with_leaf(search("", puct(PriorSource::Leaf)), counted("sh", 7))),
        (
            "solver, two trees",
            with_options(search("", UCT), |options| (options.solver, options.trees) = (true, 2)),
        ),
    ]);
    let hex = hex(3);
    for (name, config) in searches {
        for budget in [50, 1003] {
            let limits = Limits::samples(budget);
            let mut seen = Seen::default();
            let mut player = player(&config);
            let alone = player.search(&hex, &limits, Seed::new(1), None);
            player.forget();
            let watched = player.search(&hex, &limits, Seed::new(1), Some(&mut seen));
            player.forget();
            let again = player.search(&hex, &limits, Seed::new(1), None);
            assert_eq!(watched, alone, "{name}, {budget} samples");
            assert_eq!(again, alone, "{name}, {budget} samples, after it was watched");
            assert_eq!(seen.rounds, watched.rounds, "{name}");
            let &last = seen.progress.last().unwrap();
            assert_eq!(last, (watched.spent, watched.budget), "{name}");
            assert!(seen.progress.is_sorted(), "{name}");
        }
    }
}

/// A watched search is cut into slices, in which some trees have nothing to do.
#[test]
fn watching_a_few_samples_changes_nothing() {
    let leaf = || search("", puct(PriorSource::Leaf));
    let with_trees = |config, n| with_options(config, |options| options.trees = n);
    let mut searches = all();
    searches.extend([
        ("puct(leaf), playouts counted", with_leaf(leaf(), counted("sh", 7))),
        ("puct(leaf), five trees", with_trees(with_leaf(leaf(), prior("sh", 8)), 5)),
        ("puct(leaf), playouts counted, three trees", with_trees(with_leaf(leaf(), counted("sh", 4)), 3)),
    ]);
    let hex = hex(3);
    for (name, config) in searches {
        for budget in (1..=60).chain([130]) {
            let limits = Limits::samples(budget);
            let alone = player(&config).search(&hex, &limits, Seed::new(1), None);
            let mut seen = Seen::default();
            let watched = player(&config).search(&hex, &limits, Seed::new(1), Some(&mut seen));
            assert_eq!(watched, alone, "{name}, {budget} samples");
        }
    }
}

#[test]
fn halving_tells_its_rounds() {
    for (root, n_rounds) in [("sh", 4), ("shuss(t=64)", 4), ("shot", 0)] {
        let config = search(root, UCT);
        let mut seen = Seen::default();
        let report = player(&config).search(&hex(4), &Limits::samples(2000), Seed::new(1), Some(&mut seen));
        assert!(seen.rounds.len() >= n_rounds, "{root}: {:?}", seen.rounds);
        // The arms of a round are those that the round before kept.
        for pair in seen.rounds.windows(2) {
            assert_eq!(pair[0].kept, pair[1].ranking.len(), "{root}");
        }
        assert_eq!(seen.rounds[0].ranking.len(), 16, "{root}");
        let last = seen.rounds.last().unwrap();
        assert_eq!(Some(last.ranking[0].arm), report.chosen, "{root}");
        // An arm's value is the one of its last round.
        for ranked in &last.ranking {
            assert_eq!(report.arms[ranked.arm].q, Some(ranked.q), "{root}");
        }
    }
}

#[test]
fn progress_is_told_now_and_then() {
    for (name, config) in all() {
        let mut seen = Seen::default();
        let game = TreeGame::new("((W B (W B)) (B (W B) W) ((W B) (B W)))");
        player(&config).search(&game, &Limits::samples(2000), Seed::new(1), Some(&mut seen));
        assert!((1..=150).contains(&seen.progress.len()), "{name}: {}", seen.progress.len());
    }
}

/// Told by the clock, a search of samples gives the same result, and lines can be played.
#[test]
fn told_every_so_often_it_gives_the_same_result() {
    let hex = hex(3);
    for (name, config) in all() {
        let limits = Limits { every: Some(std::time::Duration::from_micros(300)), ..Limits::samples(2003) };
        let mut lines = 0;
        let mut watch = |event: Event<'_>| {
            let Event::Progress { lines: expected, .. } = event else { return };
            for (arm, mv) in hex.search_moves().into_iter().enumerate() {
                let mut position = hex.clone();
                position.play(mv).unwrap();
                for (text, visits) in expected.after(arm) {
                    position.play(position.parse_move(&text).unwrap()).unwrap();
                    assert!(visits > 0, "{name}");
                    lines += 1;
                }
            }
        };
        let watched = player(&config).search(&hex, &limits, Seed::new(1), Some(&mut watch));
        let alone = player(&config).search(&hex, &Limits::samples(2003), Seed::new(1), None);
        assert_eq!(watched, alone, "{name}");
        assert!(lines > 0 || name.starts_with("flat"), "{name} expects nothing");
    }
}
