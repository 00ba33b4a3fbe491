//! The same bits for the same seed: whoever asks, however often, on any number
//! of threads.

use std::fmt::Write as _;

use tesuji_core::{Game, Seed};
use tesuji_games::goban::UpTo7;
use tesuji_games::{Breakthrough, Domineering, Go, GoRules};
use tesuji_search::{Limits, PriorSource};

use crate::common::{GRAVE, HYBRID, RAVE, UCT};
use crate::common::{all, counted, player, prior, puct, search, with_leaf, with_options};
use crate::solved::hex;

#[test]
fn the_same_seed_gives_the_same_report() {
    let mut searches = all();
    searches.extend([
        ("puct(leaf), playouts counted", with_leaf(search("", puct(PriorSource::Leaf)), counted("sh", 16))),
        ("uct+prior, playouts counted", with_leaf(search("", UCT), counted("uniform", 16))),
        ("shuss+uct+prior, playouts counted", with_leaf(search("shuss(t=64)", UCT), counted("sh", 16))),
    ]);
    for (name, config) in searches {
        // The reports of a player that never saw anything else.
        let other = hex(3);
        let position = hex(4);
        let limits = Limits::samples(700);
        let fresh = player(&config).search(&position, &limits, Seed::new(1), None);
        let mut used = player(&config);
        used.search(&other, &Limits::samples(301), Seed::new(5), None);
        used.search(&position, &Limits::samples(3000), Seed::new(6), None);
        used.forget();
        assert_eq!(used.search(&position, &limits, Seed::new(1), None), fresh, "{name}");
        if !config.options.reuse {
            assert_eq!(used.search(&position, &limits, Seed::new(1), None), fresh, "{name}, not forgotten");
        }
        let different = player(&config).search(&position, &limits, Seed::new(2), None);
        assert_ne!(different, fresh, "{name}: seeds make no difference");
    }
}

#[test]
fn threads_change_nothing() {
    let many = |config| with_options(config, |options| options.trees = 4);
    let searches = [
        ("flat(sh)", search("sh", tesuji_search::TreeConfig::Flat)),
        ("flat(uniform)", search("uniform", tesuji_search::TreeConfig::Flat)),
        ("sh+uct", search("sh", UCT)),
        ("sh+rave", search("sh", RAVE)),
        ("sh+grave", search("sh", GRAVE)),
        ("shuss+rave", search("shuss(t=64)", RAVE)),
        ("shuss+rave+prior", with_leaf(search("shuss(t=64)", RAVE), prior("sh", 8))),
        ("gumbel+puct", search("gumbel", puct(PriorSource::Uniform))),
        ("anytime-sh+uct", search("anytime-sh", UCT)),
        ("successive-rejects+uct", search("successive-rejects", UCT)),
        ("shot", search("", tesuji_search::TreeConfig::Shot)),
        ("h-mcts", search("", HYBRID)),
        ("sh+uct+solver", with_options(search("sh", UCT), |options| options.solver = true)),
        ("sh+uct, few nodes", with_options(search("sh", UCT), |options| options.nodes = 1000)),
        ("uct, four trees", many(search("", UCT))),
        ("rave, four trees", many(search("", RAVE))),
    ];
    for (name, config) in searches {
        threads_change_nothing_in(name, &config, &hex(5));
        threads_change_nothing_in(name, &config, &go());
    }
}

fn threads_change_nothing_in<G: Game>(name: &str, config: &tesuji_search::SearchConfig, game: &G) {
    let limits = Limits::samples(6000);
    let alone = player(config).search(game, &limits, Seed::new(1), None);
    for threads in [2, 8] {
        let mut player = player(config);
        for _ in 0..2 {
            player.forget();
            let report = player.search(game, &limits.on(threads), Seed::new(1), None);
            assert_eq!(report, alone, "{name} on {threads} threads");
        }
    }
}

fn go() -> Go<UpTo7> {
    Go::new(GoRules { size: 5, ..GoRules::default() }).unwrap()
}

/// Small searches to the letter. `UPDATE_GOLDEN=1` writes the file anew after an
/// intended change of the bits.
#[test]
fn golden_searches() {
    let mut text = String::new();
    golden("go:5", &go(), &mut text);
    golden("hex:4", &hex(4), &mut text);
    golden("domineering:4", &Domineering::new(4, 4).unwrap(), &mut text);
    golden("breakthrough:4x4", &Breakthrough::new(4, 4).unwrap(), &mut text);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/golden_searches.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(file, &text).expect("the golden file can be written");
        return;
    }
    let golden = std::fs::read_to_string(file)
        .unwrap_or_else(|error| panic!("{file}: {error}; UPDATE_GOLDEN=1 makes it"));
    for (line, (was, is)) in golden.lines().zip(text.lines()).enumerate() {
        assert_eq!(was, is, "line {} of the golden searches", line + 1);
    }
    assert_eq!(golden.lines().count(), text.lines().count(), "another length");
}

fn golden<G: Game>(board: &str, game: &G, text: &mut String) {
    for (name, config) in all() {
        let report = player(&config).search(game, &Limits::samples(200), Seed::new(1), None);
        let visits: Vec<String> = report.arms.iter().map(|arm| arm.visits.to_string()).collect();
        let chosen = report.mv().map(|mv| game.move_text(mv)).unwrap_or_default();
        let _ = writeln!(text, "{board} {name}: {chosen}; {}", visits.join(" "));
    }
}
