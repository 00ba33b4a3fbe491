//! Searches that are stopped: by the clock, or by somebody. In a binary of its
//! own, so that no other test is in the way.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_core::{Game, PackedMove, Seed};
use tesuji_games::goban::UpTo10;
use tesuji_games::{Go, GoMove, GoRules};
use tesuji_search::{
    AmafMoves, LeafConfig, Limits, MOST_SAMPLES, Options, PlayerConfig, Root, SearchConfig, SearchStop,
    TreeConfig,
};

fn search(root: &str, tree: TreeConfig, options: Options) -> PlayerConfig {
    let root = match root {
        "" => Root::Tree,
        policy => Root::Policy(policy.parse().unwrap()),
    };
    PlayerConfig::Search(Box::new(SearchConfig { root, tree, leaf: LeafConfig::Playout, options }))
}

fn searches() -> Vec<(&'static str, PlayerConfig)> {
    let uct = TreeConfig::Uct { c: 0.4 };
    let rave = TreeConfig::Rave { bias: 1e-7, amaf: AmafMoves::After };
    let few = Options { nodes: 100, ..Options::default() };
    vec![
        ("uct", search("", uct, Options::default())),
        ("uct, two trees", search("", uct, Options { trees: 2, ..Options::default() })),
        ("sh+rave", search("sh", rave, Options::default())),
        ("ucb+uct", search("ucb(c=0.4)", uct, Options::default())),
        ("flat(sh)", search("sh", TreeConfig::Flat, Options::default())),
        ("shot", search("", TreeConfig::Shot, Options::default())),
        // Most of its budgets are spent where there is no room for another node.
        ("shot, few nodes", search("", TreeConfig::Shot, few)),
        ("h-mcts", search("", TreeConfig::HybridMcts { cutoff: 10, c: 0.4 }, Options::default())),
    ]
}

fn go() -> Go<UpTo10> {
    Go::new(GoRules::default()).unwrap()
}

/// The best of a few attempts: other processes may take the processor away.
fn best_of_five(mut attempt: impl FnMut(u64) -> Duration) -> Duration {
    (0..5).map(&mut attempt).min().unwrap()
}

fn cancelled_searches_end_at_once() {
    let game = go();
    for (name, config) in searches() {
        for threads in [1, 2] {
            let took = best_of_five(|seed| {
                let cancel = AtomicBool::new(false);
                let limits = Limits { cancel: Some(&cancel), ..Limits::samples(MOST_SAMPLES).on(threads) };
                let (report, ended) = std::thread::scope(|scope| {
                    let searching = scope.spawn(|| {
                        let report = config.player().search(&game, &limits, Seed::new(seed), None);
                        (report, Instant::now())
                    });
                    std::thread::sleep(Duration::from_millis(30));
                    cancel.store(true, Ordering::Relaxed);
                    let set = Instant::now();
                    let (report, end) = searching.join().unwrap();
                    (report, end.saturating_duration_since(set))
                });
                assert_eq!(report.stop, Some(SearchStop::Cancelled), "{name}");
                // On a busy machine it may be cancelled before its first sample.
                assert!(report.spent < MOST_SAMPLES, "{name}");
                assert!(game.is_legal(GoMove::unpack(report.mv().unwrap())), "{name}");
                assert_eq!(report.arms.iter().map(|arm| arm.visits).sum::<u64>(), report.spent, "{name}");
                ended
            });
            assert!(took < Duration::from_millis(50), "{name} on {threads} threads took {took:?} to end");
        }
    }
}

fn searches_take_their_time() {
    let game = go();
    let time = Duration::from_millis(50);
    for (name, config) in searches() {
        let mut longest = Duration::ZERO;
        let took = best_of_five(|seed| {
            let begin = Instant::now();
            let report = config.player().search(&game, &Limits::time(time), Seed::new(seed), None);
            let took = begin.elapsed();
            assert!(game.is_legal(GoMove::unpack(report.mv().unwrap())), "{name}");
            assert!(report.spent > 0, "{name}");
            longest = longest.max(took);
            took
        });
        // Searches that can stop at any time use all of it; halving plans ahead,
        // from the speed of its first samples and with something kept back.
        let least = if ["uct", "uct, two trees", "ucb+uct"].contains(&name) { time } else { time / 2 };
        assert!(longest >= least, "{name} took only {longest:?}");
        assert!(took < Duration::from_millis(100), "{name} took {took:?}");
    }
}

/// The clock of a game ends a search of samples too.
fn samples_end_within_the_time_given() {
    let game = go();
    for (name, config) in searches() {
        let limits = Limits { within: Some(Duration::from_millis(30)), ..Limits::samples(MOST_SAMPLES) };
        let took = best_of_five(|seed| {
            let begin = Instant::now();
            let report = config.player().search(&game, &limits, Seed::new(seed), None);
            assert_eq!(report.stop, Some(SearchStop::Time), "{name}");
            assert!(game.is_legal(GoMove::unpack(report.mv().unwrap())), "{name}");
            begin.elapsed()
        });
        assert!(took < Duration::from_millis(80), "{name} took {took:?}");
    }
}

/// With next to no time a move is chosen all the same, and from this position:
/// one with many moves comes before one with few.
fn no_time_at_all_is_enough_for_a_move() {
    let policies = ["sh", "shuss(t=8)", "successive-rejects", "gumbel", "ocba", "ttts", "anytime-sh", "shot"];
    for policy in policies {
        let config = search(policy, TreeConfig::Uct { c: 0.4 }, Options::default());
        let mut player = config.player();
        let (mut game, mut rng) = (go(), Seed::new(1).rng());
        for seed in 0..3 {
            let report = player.search(&game, &Limits::time(Duration::from_nanos(1)), Seed::new(seed), None);
            assert!(game.is_legal(GoMove::unpack(report.mv().unwrap())), "{policy}");
            for _ in 0..30 {
                let moves = game.search_moves();
                game.play_unchecked(*rng.choose(&moves).unwrap());
            }
        }
    }
}

/// One after the other, so that they do not disturb each other.
#[test]
fn searches_end_in_time() {
    cancelled_searches_end_at_once();
    searches_take_their_time();
    samples_end_within_the_time_given();
    no_time_at_all_is_enough_for_a_move();
}
