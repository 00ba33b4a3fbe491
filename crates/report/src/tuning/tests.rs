use std::sync::atomic::AtomicBool;

use tesuji_arena::tuning::Tuning;
use tesuji_arena::{RunSettings, Store};

use super::*;
use crate::store::{StoreFilter, StoreReport};

fn tuned(template: &str, games: u64, confirm: u64) -> (Tuning, Store) {
    let against = vec!["greedy".parse().unwrap()];
    let plain = Tuning::new("hex:3".parse().unwrap(), template.parse().unwrap(), against, games);
    let tuning = Tuning { confirm, finalists: 2, ..plain }.build(None).unwrap();
    let mut store = Store::in_memory().unwrap();
    let interrupt = AtomicBool::new(false);
    tuning.run(&RunSettings::on_threads(2), &mut store, None, &interrupt, &mut |_| {}).unwrap();
    (tuning, store)
}

#[test]
fn a_store_with_a_tuning_has_all_of_it_in_every_form() {
    let (tuning, store) = tuned("rave(bias=?1e-5..1e-1:log,amaf=?after|whole)@20", 60, 20);
    let report = StoreReport::read(&store, "my store.db", &StoreFilter::default()).unwrap();
    let results = TuningResults::read(&tuning, &store).unwrap();
    assert_eq!((results.played, results.games), (60, 60));
    assert_eq!(results.candidates.iter().map(|candidate| candidate.games).sum::<u64>(), 60);
    let expected: Vec<f64> = results.candidates.iter().map(|candidate| candidate.expected).collect();
    assert!(expected.is_sorted_by(|a, b| a >= b));
    assert_eq!(results.parameters[1].response.len(), 2);
    assert_eq!(results.cuts.len(), 2);
    let confirmed = results.confirmed.as_ref().unwrap();
    assert!(confirmed.is_complete && confirmed.finalists.iter().all(|it| it.fresh.unwrap().games == 20));
    assert_eq!(confirmed.finalists.iter().filter(|finalist| finalist.is_default).count(), 1);

    let html = report.html("here and now");
    assert!(html.contains("Fresh games, 20 of each"));
    assert!(html.contains(" --store 'my store.db'</pre>"));
    assert!(report.markdown().contains("Fresh games, 20 of each"));
    let csv = report.csv();
    let rows = csv.lines().filter(|line| line.starts_with("tuning,")).count();
    assert_eq!(rows, results.candidates.len());
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["experiments"][0]["kind"], "tuning");
    assert!(report.figures().iter().any(|figure| figure.svg.contains("bias at values of amaf")));
    assert!(figure(&results).is_some());
}

/// Then the games against the default are games against an opponent, and there is one cell of them.
#[test]
fn the_default_may_be_an_opponent() {
    let against = vec!["uct(c=0.4)@20".parse().unwrap(), "greedy".parse().unwrap()];
    let template = "uct(c=?0.01..0.02)@20".parse().unwrap();
    let plain = Tuning::new("hex:3".parse().unwrap(), template, against, 60);
    for seed in 1..6 {
        let tuning = Tuning { confirm: 40, finalists: 1, seed, ..plain.clone() }.build(None).unwrap();
        let mut store = Store::in_memory().unwrap();
        let interrupt = AtomicBool::new(false);
        tuning.run(&RunSettings::on_threads(2), &mut store, None, &interrupt, &mut |_| {}).unwrap();
        let confirmed = TuningResults::read(&tuning, &store).unwrap().confirmed.unwrap();
        assert!(confirmed.is_complete);
        let winner = &confirmed.finalists[0];
        assert_eq!(winner.fresh.unwrap().games, 40);
        assert!(!winner.is_default && confirmed.finalists[1].is_default);
        assert_eq!(confirmed.against_default.map(|it| it.games), Some(20));
    }
}

#[test]
fn a_tuning_without_games_says_so() {
    let against = vec!["greedy".parse().unwrap()];
    let plain = Tuning::new("hex:3".parse().unwrap(), "uct(c=?)@20".parse().unwrap(), against, 40);
    let tuning = plain.build(None).unwrap();
    let results = TuningResults::read(&tuning, &Store::in_memory().unwrap()).unwrap();
    assert!(results.candidates.is_empty() && results.chance.is_none() && results.confirmed.is_none());
    assert!(figure(&results).is_none());
    assert!(text(&results, &crate::Screen::default()).contains("No games yet."));
}

#[test]
fn gains_are_of_the_pairs_that_both_played() {
    let gain = gain(&[vec![1.0, 0.5, 0.5, 1.0]], &[vec![0.5, 0.0, 0.5]]).unwrap();
    assert!((gain.difference - 1.0 / 3.0).abs() < 1e-12);
    // The differences are ½, ½ and 0, with a scatter of 1/6, and two more with a variance of 1/4: 2/3 in all,
    // so the variance is 2/3 / 4, and the error √(1/6 / 3).
    assert!((gain.interval.half_width() - Z_95 / 18.0_f64.sqrt()).abs() < 1e-12);
    let all_won = fresh(&[1.0, 1.0]).unwrap();
    assert_eq!(all_won.rate, 1.0);
    assert!(all_won.interval.low < 0.61, "two pairs prove little: {:?}", all_won.interval);
}
