//! Exactly the samples that were asked for, and the limit on memory.

use proptest::prelude::*;
use tesuji_core::{Game, Seed};
use tesuji_games::{Breakthrough, Domineering};
use tesuji_search::{Limits, Report, SearchConfig, SearchStop, TreeConfig};
use tesuji_testkit::tree_game::TreeGame;

use crate::common::{GRAVE, HYBRID, RAVE, UCT, all, counted, player, prior, search, with_leaf, with_options};
use crate::solved::hex;

/// A position some random moves into a game.
fn walked<G: Game>(start: &G, plies: u32, seed: u64) -> G {
    let mut rng = Seed::new(seed).rng();
    let mut position = start.clone();
    for _ in 0..plies {
        if let Some(&mv) = rng.choose(&position.search_moves()) {
            position.play_unchecked(mv);
        }
    }
    position
}

/// Whether the root was valued as a leaf, which counts as a sample of no arm.
fn values_its_root(name: &str) -> bool {
    matches!(name, "shuss+rave+prior" | "puct(leaf)")
}

fn is_exact<G: Game>(name: &str, config: &SearchConfig, position: &G, budget: u64, seed: u64) {
    let report = player(config).search(position, &Limits::samples(budget), Seed::new(seed), None);
    if position.outcome().is_some() {
        assert_eq!(report.chosen, None);
        return;
    }
    let visits: u64 = report.arms.iter().map(|arm| arm.visits).sum();
    match report.stop {
        None => assert_eq!((report.spent, report.budget), (budget, budget), "{name}"),
        Some(SearchStop::OneMove) => assert_eq!(report.spent, 0, "{name}"),
        // A proof may come with the last sample.
        Some(SearchStop::Proved(_)) => assert!(report.spent <= budget, "{name}: {report:?}"),
        Some(_) => assert!(report.spent < budget, "{name}: {report:?}"),
    }
    let of_no_arm = u64::from(values_its_root(name) && report.spent > 0);
    assert_eq!(visits + of_no_arm, report.spent, "{name}: {report:?}");
    makes_sense(name, &report);
}

fn makes_sense<M: Copy + std::fmt::Debug>(name: &str, report: &Report<M>) {
    assert!(report.chosen.unwrap() < report.arms.len(), "{name}");
    for arm in &report.arms {
        assert_eq!(arm.mean.is_some(), arm.visits > 0, "{name}");
        assert!(arm.mean.is_none_or(|mean| (0.0..=1.0).contains(&mean)), "{name}: {arm:?}");
        if let Some(amaf) = arm.amaf {
            assert!((0.0..=1.0).contains(&amaf.mean), "{name}: {arm:?}");
            // Every simulation that begins with a move has played it.
            assert!(amaf.count >= arm.visits, "{name}: {arm:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn budgets_are_exact(budget in 1_u64..3000, plies in 0_u32..12, seed in 0_u64..1000, part in 0_usize..4) {
        // A quarter of the searches at a time, so that there can be more cases.
        for (name, config) in all().into_iter().skip(part).step_by(4) {
            is_exact(name, &config, &walked(&hex(4), plies, seed), budget, seed);
            is_exact(name, &config, &walked(&Domineering::new(4, 4).unwrap(), plies / 2, seed), budget, seed);
            is_exact(name, &config, &walked(&Breakthrough::new(3, 5).unwrap(), plies, seed), budget, seed);
        }
    }

    #[test]
    fn budgets_of_playouts_are_exact(budget in 1_u64..2000, playouts in 2_u64..20, seed in 0_u64..1000) {
        let game = hex(4);
        // In a tree the last leaf has to do with what is left.
        let config = with_leaf(search("", UCT), counted("uniform", playouts));
        let report = player(&config).search(&game, &Limits::samples(budget), Seed::new(seed), None);
        prop_assert_eq!((report.spent, report.budget), (budget, budget));
        let visits: u64 = report.arms.iter().map(|arm| arm.visits).sum();
        prop_assert_eq!(visits, budget.div_ceil(playouts));
        // An allocator is given whole samples.
        let config = with_leaf(search("sh", UCT), counted("uniform", playouts));
        let report = player(&config).search(&game, &Limits::samples(budget), Seed::new(seed), None);
        let whole = budget / playouts * playouts;
        prop_assert_eq!((report.spent, report.budget), (whole, whole));
    }
}

#[test]
fn tiny_budgets_are_exact() {
    for (name, config) in all() {
        for budget in 1..20 {
            is_exact(name, &config, &hex(3), budget, budget);
            is_exact(name, &config, &TreeGame::new("((W B =) (B (W B)) (W W))"), budget, budget);
        }
    }
}

#[test]
fn nodes_are_limited() {
    let start = hex(4);
    for (name, config) in all() {
        for nodes in [1, 5, 40, 400] {
            let config = with_options(config.clone(), |options| options.nodes = nodes);
            let mut player = player(&config);
            for seed in 0..2 {
                let report = player.search(&start, &Limits::samples(3000), Seed::new(seed), None);
                // Every tree has its first node, however few there may be.
                let most = (nodes as usize).max(if name.contains("trees") { 3 } else { 16 });
                assert!(report.memory.nodes <= most, "{name}, {nodes} nodes: {:?}", report.memory);
                assert_eq!(report.spent, 3000, "{name}, {nodes} nodes");
            }
        }
    }
}

#[test]
fn a_full_tree_finds_immediate_wins() {
    let game = TreeGame::new("((W B) (B W) (W W B) B (W B))");
    for (name, config) in all() {
        let config = with_options(config, |options| options.nodes = 3);
        let report = player(&config).search(&game, &Limits::samples(1500), Seed::new(3), None);
        assert_eq!(report.chosen, Some(3), "{name}: {report:?}");
    }
}

/// Memory that one arm does not use is there for the others.
#[test]
fn nodes_are_used_up() {
    let start = hex(4);
    for config in [
        search("", UCT),
        search("sh", RAVE),
        search("ucb(c=0.4)", UCT),
        search("sh", GRAVE),
        search("", HYBRID),
        with_leaf(search("", TreeConfig::Shot), prior("uniform", 4)),
    ] {
        let config = with_options(config, |options| options.nodes = 500);
        let report = player(&config).search(&start, &Limits::samples(5000), Seed::new(1), None);
        assert!(report.memory.nodes > 400, "{config:?}: {:?}", report.memory);
    }
}
