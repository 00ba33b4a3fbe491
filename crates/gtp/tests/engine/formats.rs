//! The lines of an analysis, read as those read them who show them: a reader written from
//! the documented formats alone.

use std::collections::BTreeMap;

use tesuji_gtp::engine::Engine;

use crate::host::Player;

/// A move in a report.
#[derive(Clone, PartialEq, Debug, Default)]
struct Info {
    mv: String,
    numbers: BTreeMap<String, f64>,
    line: Vec<String>,
    line_visits: Vec<f64>,
}

/// A line of an analysis.
#[derive(Clone, PartialEq, Debug, Default)]
struct Report {
    moves: Vec<Info>,
    root: BTreeMap<String, f64>,
    ownership: Vec<f64>,
}

/// Whether a word is a key, and so ends a list.
fn is_key(word: &str) -> bool {
    ["info", "pv", "pvVisits", "rootInfo", "ownership"].contains(&word)
}

fn read(line: &str) -> Report {
    let mut words = line.split(' ').peekable();
    let mut report = Report::default();
    while let Some(word) = words.next() {
        let mut list = Vec::new();
        match word {
            "info" | "rootInfo" => {
                let mut info = Info::default();
                while let Some(key) = words.next_if(|word| !is_key(word)) {
                    let value = words.next().unwrap();
                    if key == "move" {
                        info.mv = value.to_owned();
                    } else {
                        let number = value.parse().unwrap_or_else(|_| panic!("{key} {value}"));
                        assert!(
                            info.numbers.insert(key.to_owned(), number).is_none(),
                            "{key} is there twice"
                        );
                    }
                }
                if word == "info" {
                    report.moves.push(info);
                } else {
                    report.root = info.numbers;
                }
            }
            "pv" | "pvVisits" | "ownership" => {
                while let Some(word) = words.next_if(|word| !is_key(word)) {
                    list.push(word.to_owned());
                }
                let numbers = || list.iter().map(|word| word.parse::<f64>().unwrap()).collect();
                match word {
                    "ownership" => report.ownership = numbers(),
                    "pvVisits" => report.moves.last_mut().unwrap().line_visits = numbers(),
                    _ => report.moves.last_mut().unwrap().line = list,
                }
            }
            other => panic!("'{other}' is no key in '{line}'"),
        }
    }
    report
}

/// The reports in the answer to a command, after some moves.
fn reports(command: &str) -> Vec<Report> {
    let mut player = Player::new();
    let mut engine = Engine::new(&mut player);
    engine.answer("gogui-play_sequence b a1 w b2").unwrap();
    let answer = engine.answer(command).unwrap();
    let lines = answer.strip_prefix("=\n").and_then(|answer| answer.strip_suffix("\n\n"));
    let lines = lines.unwrap_or_else(|| panic!("{answer}")).lines();
    lines.filter(|line| !line.starts_with("play ")).map(read).collect()
}

fn check_moves(report: &Report, keys: &[&str], shares: std::ops::RangeInclusive<f64>) {
    assert!(!report.moves.is_empty());
    for (order, info) in report.moves.iter().enumerate() {
        assert_eq!(info.numbers.keys().map(String::as_str).collect::<Vec<_>>(), keys);
        assert_eq!(info.numbers["order"], order as f64);
        assert_eq!(info.line.first(), Some(&info.mv));
        assert!(["winrate", "prior", "lcb"].iter().all(|key| shares.contains(&info.numbers[*key])));
        assert!(info.numbers["visits"] > 0.0);
    }
}

#[test]
fn leela_zero_counts_to_ten_thousand() {
    for command in ["lz-analyze w 10", "analyze w 10", "lz-genmove_analyze w 10", "genmove_analyze w"] {
        for report in reports(command) {
            check_moves(&report, &["lcb", "order", "prior", "visits", "winrate"], 0.0..=10_000.0);
            let whole = |info: &Info| info.numbers.values().all(|number| number.fract() == 0.0);
            assert!(report.moves.iter().all(whole), "{command}");
            assert!(report.root.is_empty() && report.ownership.is_empty());
            // The host has moves without samples too.
            assert_eq!(report.moves.len(), 6, "{command}");
            assert_eq!(report.moves[0].numbers["winrate"], 6000.0);
        }
    }
}

#[test]
fn katago_counts_to_one() {
    let options = "10 rootInfo true ownership true pvVisits true";
    for command in ["kata-analyze", "kata-genmove_analyze"] {
        for (side, own) in [("b", 1.0), ("w", -1.0)] {
            for report in reports(&format!("{command} {side} {options}")) {
                check_moves(&report, &["lcb", "order", "prior", "utility", "visits", "winrate"], 0.0..=1.0);
                let [first, second] = [&report.moves[0], &report.moves[1]];
                assert!((first.numbers["utility"] - (2.0 * first.numbers["winrate"] - 1.0)).abs() < 1e-6);
                assert!(first.numbers["winrate"] > second.numbers["winrate"]);
                assert_eq!(first.line_visits.len(), first.line.len());
                assert_eq!(report.root["winrate"], first.numbers["winrate"]);
                assert!(report.root["visits"] >= first.numbers["visits"]);
                // Three rows from the top: White on b2, Black on a1.
                let wanted = [0.0, 0.0, 0.0, 0.0, -own, 0.0, own, 0.0, 0.0];
                assert_eq!(report.ownership, wanted);
            }
        }
    }
}

#[test]
fn so_many_moves_as_wanted() {
    for (options, n_moves) in
        [("maxmoves 3", 3), ("minmoves 8", 8), ("minmoves 7 maxmoves 2", 2), ("minmoves 99", 8)]
    {
        assert_eq!(reports(&format!("lz-analyze 10 {options}"))[0].moves.len(), n_moves, "{options}");
    }
}

#[test]
fn a_move_is_reported_on_at_the_end_or_now_and_then() {
    assert_eq!(reports("lz-genmove_analyze w 0").len(), 1);
    assert_eq!(reports("lz-genmove_analyze w 1").len(), 2);
}
