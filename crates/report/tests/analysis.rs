//! Games exported with what searches said of their moves: the SGF is read back, and the properties
//! have the forms that Lizzie and Sabaki read.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sgf_parse::SgfNode;
use sgf_parse::go::Prop;
use tesuji_arena::{
    AnalysisError, AnalysisSource, GameAnalysis, Match, MoveNumbers, RunSettings, Store, StoreError,
};
use tesuji_core::Side;
use tesuji_report::store::{
    AnalysedGameJson, AnalysisOptions, AnalysisSummary, GameRecord, StoreFilter, for_each_analysed_game,
};

#[derive(Debug)]
struct Failed;

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Failed {
        panic!("{error}")
    }
}

impl From<AnalysisError> for Failed {
    fn from(error: AnalysisError) -> Failed {
        panic!("{error}")
    }
}

fn add_match(store: &mut Store, game: &str, player: &str, opponent: &str, records_policies: bool) {
    let two = Match::new(game.parse().unwrap(), player.parse().unwrap(), opponent.parse().unwrap());
    let experiment = Match { games: 2, ..two }.experiment().unwrap();
    let settings = RunSettings { records_policies, ..RunSettings::on_threads(1) };
    assert_eq!(experiment.run(&settings, store).unwrap().played, 2);
}

fn analysed(
    store: &Store,
    source: AnalysisSource,
    threads: usize,
) -> (Vec<(GameRecord, GameAnalysis)>, AnalysisSummary) {
    let (filter, cancel) = (StoreFilter::default(), AtomicBool::new(false));
    let options = AnalysisOptions { filter: &filter, source, threads, cancel: &cancel };
    let (mut games, most) = (Vec::new(), AtomicU64::new(0));
    let summary = for_each_analysed_game::<Failed>(
        store,
        options,
        &|done, all| {
            assert!(done <= all);
            most.fetch_max(done, Ordering::Relaxed);
        },
        |game, analysis| {
            games.push((game.clone(), analysis.clone()));
            Ok(())
        },
    );
    let summary = summary.unwrap();
    assert_eq!(most.into_inner(), summary.games);
    (games, summary)
}

/// The value of a property that is unknown to SGF, or of a comment.
fn property(node: &SgfNode<Prop>, name: &str) -> Option<String> {
    node.properties().find_map(|prop| match prop {
        Prop::Unknown(identifier, values) if identifier == name => Some(values.join("")),
        Prop::C(comment) if name == "C" => Some(comment.text.clone()),
        _ => None,
    })
}

#[test]
fn lizzie_and_sabaki_find_their_properties() {
    let mut store = Store::in_memory().unwrap();
    add_match(&mut store, "go:7", "sh+rave@150", "uct@60", false);
    let (games, summary) = analysed(&store, AnalysisSource::Again, 2);
    assert_eq!((summary.games, summary.n_unknown, summary.without_policies), (2, 0, 0));
    for (game, analysis) in games {
        let text = game.analysed_sgf(&analysis).unwrap();
        let root = sgf_parse::parse(&text).unwrap().remove(0).into_go_node().unwrap();
        let nodes: Vec<_> = root.main_variation().collect();
        assert_eq!(nodes.len(), game.moves.len() + 1);
        assert!(analysis.moves.len() + 20 > game.moves.len());
        for one in &analysis.moves {
            assert_eq!(game.moves[one.ply], one.mv);
            assert_eq!(one.side, if one.ply % 2 == 0 { Side::Black } else { Side::White });
            let (node, mean) = (nodes[one.ply], one.mean().unwrap());
            // <program> <win rate of the side that does not move> <samples>
            let text = property(node, "LZ").unwrap();
            let (head, moves) = text.split_once('\n').unwrap();
            let head: Vec<&str> = head.split(' ').collect();
            assert_eq!(head.len(), 3, "{text}");
            assert!(head[0].starts_with("tesuji-"));
            let winrate: f64 = head[1].parse().unwrap();
            assert!((winrate - 100.0 * (1.0 - mean)).abs() < 0.051, "{text}");
            let visits: u64 = head[2].parse().unwrap();
            assert_eq!(Some(visits), one.visits());
            // move <vertex> visits <n> winrate <0 to 10000> pv <vertex>… info …
            let mut sum = 0;
            let moves: Vec<&str> = moves.split(" info ").filter(|one| !one.trim().is_empty()).collect();
            for text in &moves {
                let words: Vec<&str> = text.split(' ').collect();
                assert_eq!([words[0], words[2], words[4], words[6]], ["move", "visits", "winrate", "pv"]);
                assert_eq!(words[1], words[7]);
                sum += words[3].parse::<u64>().unwrap();
                assert!(words[5].parse::<u32>().unwrap() <= 10_000);
                let is_vertex = |word: &&str| {
                    let letter = "ABCDEFG".contains(&word[..1]);
                    *word == "pass" || letter && (1..=7).contains(&word[1..].parse().unwrap())
                };
                assert!(words[7..].iter().all(is_vertex), "{text}");
            }
            assert_eq!(sum, visits);
            // The chosen move is the first.
            let played = if one.mv == "pass" { one.mv.clone() } else { one.mv.to_uppercase() };
            assert!(moves[0].starts_with(&format!("move {played} visits ")), "{}", moves[0]);
            let black: f64 = property(node, "SBKV").unwrap().parse().unwrap();
            let expected = 100.0 * if one.side == Side::Black { mean } else { 1.0 - mean };
            assert!((black - expected).abs() < 0.0051);
            let comment = property(node, "C").unwrap();
            assert!(comment.contains(&format!("of {}; {visits} sample", one.mv)), "{comment}");
        }
    }
}

#[test]
fn hex_and_phantom_games_have_no_property_of_lizzie() {
    let mut store = Store::in_memory().unwrap();
    add_match(&mut store, "hex:4", "rave@40", "random", false);
    add_match(&mut store, "phantom-go:4", "flat(sh)@40", "random", false);
    for (game, analysis) in analysed(&store, AnalysisSource::Again, 1).0 {
        let text = game.analysed_sgf(&analysis).unwrap();
        assert!(!text.contains("LZ["), "{text}");
        // A referee may leave a player a move that its search gave no samples.
        let known = analysis.moves.iter().filter(|one| one.mean().is_some()).count();
        assert_eq!(text.matches("SBKV[").count(), known, "{text}");
        assert!(known > 2, "{text}");
        assert_eq!(text.matches(" expects ").count(), known, "{text}");
        assert!(sgf_parse::parse(&text).is_ok());
    }
}

#[test]
fn equal_numbers_on_any_number_of_threads() {
    let mut store = Store::in_memory().unwrap();
    for (game, player, opponent) in [
        ("hex:4", "shuss(t=8)+rave@80", "uct@30"),
        ("breakthrough:4x5", "vct(stop=0.05)+uct@60", "uct+reuse@40"),
        ("hex:4", "turned(1,uct@30)", "greedy"),
    ] {
        add_match(&mut store, game, player, opponent, false);
    }
    let (one, summary) = analysed(&store, AnalysisSource::Again, 1);
    let (three, same) = analysed(&store, AnalysisSource::Again, 3);
    assert_eq!(same, summary);
    for ((one_game, one), (other_game, other)) in one.iter().zip(&three) {
        assert_eq!((&one_game.id, one), (&other_game.id, other));
    }
    assert!(one.len() == 6 && summary.moves > 30 && summary.n_unknown == 0);
    for (game, analysis) in &one {
        let json = serde_json::to_value(AnalysedGameJson::new(game, analysis)).unwrap();
        let moves = json["analysis"].as_array().unwrap();
        assert_eq!(moves.len(), analysis.moves.len());
        for one in moves {
            let (report, ply) = (&one["report"], one["ply"].as_u64().unwrap() as usize);
            assert_eq!(one["source"], "again");
            assert_eq!(one["move"], game.moves[ply]);
            // The chosen move is the first, as in `analyze`.
            assert_eq!(report["arms"][0]["move"], one["move"]);
            assert_eq!(report["arms"][0]["mean"], one["mean"]);
            assert_eq!(report["arms"][0]["line"][0], one["move"]);
            assert_eq!(report["visits"], one["visits"]);
        }
    }
}

#[test]
fn recorded_policies_stand_in_for_searches_with_a_clock() {
    let mut store = Store::in_memory().unwrap();
    add_match(&mut store, "hex:4", "uct@1ms", "rave@30", true);
    let (games, summary) = analysed(&store, AnalysisSource::Again, 1);
    assert_eq!(summary.n_unknown, 0);
    for (game, analysis) in &games {
        for one in &analysis.moves {
            let is_timed = one.side == game.side;
            assert_eq!(matches!(one.numbers, MoveNumbers::Recorded(_)), is_timed);
            assert_eq!(one.visits().is_none(), is_timed);
        }
        let json = serde_json::to_value(AnalysedGameJson::new(game, analysis)).unwrap();
        let recorded = json["analysis"].as_array().unwrap().iter().find(|one| one["source"] == "recorded");
        let arms = recorded.unwrap()["arms"].as_array().unwrap();
        let total: f64 = arms.iter().map(|arm| arm["policy"].as_f64().unwrap()).sum();
        // Each share is rounded to 65,535ths.
        assert!((total - 1.0).abs() < 16.0 / 65_535.0, "{total}");
    }
    // What is recorded of a search is what the search says, rounded.
    let (recorded, summary) = analysed(&store, AnalysisSource::Recorded, 1);
    assert_eq!((summary.without_policies, summary.unplayable.len()), (0, 0));
    for ((_, again), (_, recorded)) in games.iter().zip(&recorded) {
        assert_eq!(again.moves.len(), recorded.moves.len());
        for (again, recorded) in again.moves.iter().zip(&recorded.moves) {
            assert_eq!((again.ply, &again.mv), (recorded.ply, &recorded.mv));
            assert!((again.mean().unwrap() - recorded.mean().unwrap()).abs() < 0.5 / 254.0 + 1e-6);
        }
    }
}

#[test]
fn without_a_record_a_search_with_a_clock_is_unknown() {
    let mut store = Store::in_memory().unwrap();
    add_match(&mut store, "hex:4", "uct@1ms", "rave@30", false);
    let (games, summary) = analysed(&store, AnalysisSource::Again, 1);
    for (game, analysis) in &games {
        assert!(analysis.n_unknown > 0 && !analysis.moves.is_empty());
        assert!(analysis.moves.iter().all(|one| one.side != game.side));
    }
    assert_eq!(summary.n_unknown, games.iter().map(|(_, analysis)| analysis.n_unknown).sum::<u64>());
    let (games, summary) = analysed(&store, AnalysisSource::Recorded, 1);
    assert!(games.iter().all(|(_, analysis)| analysis.moves.is_empty()));
    assert_eq!(summary.without_policies, 2);
}
