//! Searches that stop when they are sure of their choice.

use tesuji_core::Seed;
use tesuji_search::{Event, Limits, SearchStop, Until};
use tesuji_testkit::tree_game::TreeGame;

use crate::common::{RAVE, UCT, all, player, search, with_options};
use crate::solved::hex;

/// One move wins whatever follows, the others are even.
fn easy() -> TreeGame {
    TreeGame::new("((B B) ((W B) (B W)) ((W B) (B W)))")
}

const UNTIL: Until = Until { level: 0.9, within: 0.02 };

fn sure(samples: u64) -> Limits<'static> {
    Limits { until: Some(UNTIL), ..Limits::samples(samples) }
}

#[test]
fn an_easy_choice_is_made_early_and_a_hard_one_never() {
    for (name, config) in all() {
        let report = player(&config).search(&easy(), &sure(100_000), Seed::new(1), None);
        if let Some(SearchStop::Sure { confidence }) = report.stop {
            assert_eq!(report.chosen, Some(0), "{name}");
            assert!(confidence >= 0.9 && report.spent < 100_000, "{name}: {confidence}");
            assert_eq!(report.confidence, Some(confidence), "{name}");
            // Nothing is saved for later.
            assert_eq!(report.carried, 0, "{name}");
        } else {
            // Those that prove it, and those whose other moves get next to no samples.
            assert!(report.stop.is_some() || report.spent == report.budget, "{name}: {:?}", report.stop);
        }
        let even = TreeGame::new("((W B) (B W) (W B))");
        let report = player(&config).search(&even, &sure(300), Seed::new(1), None);
        assert!(report.confidence.is_some_and(|sure| sure > 0.0 && sure <= 1.0), "{name}");
    }
    for (root, tree) in [("sh", UCT), ("uniform", UCT), ("sh(lambda=0.7)", RAVE), ("ucb1", UCT)] {
        let report = player(&search(root, tree)).search(&easy(), &sure(100_000), Seed::new(1), None);
        assert!(matches!(report.stop, Some(SearchStop::Sure { .. })), "{root}: {:?}", report.stop);
    }
}

#[test]
fn it_stops_at_the_same_sample_whoever_watches_on_any_number_of_threads() {
    let hex = hex(3);
    for (name, config) in all() {
        let limits = sure(5003);
        let alone = player(&config).search(&hex, &limits, Seed::new(1), None);
        let parallel = player(&config).search(&hex, &limits.on(3), Seed::new(1), None);
        assert_eq!(alone, parallel, "{name}");
        let mut watch = |_: Event<'_>| {};
        let watched = player(&config).search(&hex, &limits, Seed::new(1), Some(&mut watch));
        assert_eq!(alone, watched, "{name}");
        let often = Limits { every: Some(std::time::Duration::from_micros(300)), ..limits };
        let watched = player(&config).search(&hex, &often, Seed::new(1), Some(&mut watch));
        assert_eq!(alone, watched, "{name}");
    }
}

/// Looking at the decision changes nothing else.
#[test]
fn a_search_that_is_never_sure_is_the_same_search() {
    let hex = hex(3);
    for (name, config) in all() {
        let plain =
            player(&config).search(&hex, &Limits::samples(1501).with_confidence(), Seed::new(1), None);
        let never = Limits { until: Some(Until::NEVER), ..Limits::samples(1501) };
        assert_eq!(player(&config).search(&hex, &never, Seed::new(1), None), plain, "{name}");
    }
}

#[test]
fn the_option_of_a_player_is_its_own() {
    let config = with_options(search("sh", UCT), |options| options.until = Some(UNTIL));
    let own = player(&config).search(&easy(), &Limits::samples(100_000), Seed::new(1), None);
    assert!(matches!(own.stop, Some(SearchStop::Sure { .. })), "{:?}", own.stop);
    let never = Limits { until: Some(Until::NEVER), ..Limits::samples(1000) };
    assert_eq!(player(&config).search(&easy(), &never, Seed::new(1), None).stop, None);
}

#[test]
fn what_is_proved_is_certain() {
    let config = with_options(search("", UCT), |options| options.solver = true);
    let limits = Limits::samples(1000).with_confidence();
    let report = player(&config).search(&easy(), &limits, Seed::new(1), None);
    assert!(matches!(report.stop, Some(SearchStop::Proved(_))), "{:?}", report.stop);
    assert_eq!(report.confidence, Some(1.0));
    let one_move = player(&config).search(&TreeGame::new("((W B))"), &limits, Seed::new(1), None);
    assert_eq!(one_move.confidence, Some(1.0));
    // Nobody has asked.
    let silent = player(&config).search(&easy(), &Limits::samples(1000), Seed::new(1), None);
    assert_eq!(silent.confidence, None);
}

#[test]
fn it_stops_under_a_clock_too() {
    for root in ["", "sh", "ucb1"] {
        let limits = Limits { until: Some(UNTIL), ..Limits::time(std::time::Duration::from_secs(60)) };
        let config = with_options(search(root, UCT), |_| {});
        let report = player(&config).search(&easy(), &limits, Seed::new(1), None);
        let is_sure = matches!(report.stop, Some(SearchStop::Sure { .. }));
        assert!(is_sure || root.is_empty(), "{root}: {:?}", report.stop);
    }
}
