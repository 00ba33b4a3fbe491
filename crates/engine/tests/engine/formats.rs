//! The lines of an analysis, read as graphical boards read them: by a reader that was written
//! from the documented formats alone.

use std::collections::BTreeMap;

use crate::engine;

/// Samples of a search in these tests.
const BUDGET: f64 = 90.0;
/// Three stones on a board of nine cells; White is to move.
const THREE_MOVES: &str = "b a1 w b2 b c1";

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

/// The reports in the answer of a player to a command, after some moves in Hex.
fn reports_of(player: &str, moves: &str, command: &str) -> Vec<Report> {
    let mut engine = engine("hex:3", player);
    engine.answer(&format!("gogui-play_sequence {moves}")).unwrap();
    let answer = engine.answer(command).unwrap();
    let lines = answer.strip_prefix("=\n").and_then(|answer| answer.strip_suffix("\n\n"));
    let lines = lines.unwrap_or_else(|| panic!("{answer}")).lines();
    lines.filter(|line| !line.starts_with("play ")).map(read).collect()
}

/// The reports of a search that halves six moves.
fn reports(command: &str) -> Vec<Report> {
    reports_of(&format!("sh+uct@{BUDGET}"), THREE_MOVES, command)
}

fn check_moves(report: &Report, keys: &[&str], shares: std::ops::RangeInclusive<f64>) {
    assert!(!report.moves.is_empty());
    for (order, info) in report.moves.iter().enumerate() {
        assert_eq!(info.numbers.keys().map(String::as_str).collect::<Vec<_>>(), keys);
        assert_eq!(info.numbers["order"], order as f64);
        assert_eq!(info.line.first(), Some(&info.mv));
        assert!(["winrate", "prior", "lcb"].iter().all(|key| shares.contains(&info.numbers[*key])));
        assert!(info.numbers["visits"] > 0.0);
        assert!(info.numbers["lcb"] <= info.numbers["winrate"]);
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
            assert_eq!(report.moves.len(), 6, "{command}");
            assert!(report.moves.iter().any(|info| info.numbers["winrate"] > 1.0));
        }
    }
}

#[test]
fn katago_counts_to_one() {
    let options = "10 rootInfo true ownership true pvVisits true";
    for command in ["kata-analyze", "kata-genmove_analyze"] {
        for (side, moves, own) in [("b", "b a1 w b2", 1.0), ("w", THREE_MOVES, -1.0)] {
            let player = format!("sh+uct@{BUDGET}");
            let reports = reports_of(&player, moves, &format!("{command} {side} {options}"));
            for report in &reports {
                check_moves(report, &["lcb", "order", "prior", "utility", "visits", "winrate"], 0.0..=1.0);
                let [first, second] = [&report.moves[0], &report.moves[1]];
                assert!((first.numbers["utility"] - (2.0 * first.numbers["winrate"] - 1.0)).abs() < 2e-6);
                assert!(first.numbers["winrate"] >= second.numbers["winrate"]);
                assert_eq!(first.line_visits.len(), first.line.len());
                assert_eq!(report.root["winrate"], first.numbers["winrate"]);
                assert!(report.root["visits"] >= first.numbers["visits"]);
                // Rows from the top: stones in Hex stay, White's on b2 and Black's on a1.
                assert_eq!(report.ownership.len(), 9);
                assert_eq!((report.ownership[4], report.ownership[6]), (-own, own));
                let is_open = |value: f64| value.abs() < 1.0;
                assert!([0, 1, 2, 3, 5, 7].iter().all(|&cell| is_open(report.ownership[cell])));
            }
            let spent = reports.last().unwrap().root["visits"];
            assert!(if command == "kata-analyze" { spent < BUDGET } else { spent == BUDGET }, "{spent}");
        }
    }
}

#[test]
fn only_as_many_moves_as_wanted() {
    // Three of six moves have a sample each.
    let reports =
        |options: &str| reports_of("uct@3", THREE_MOVES, &format!("lz-genmove_analyze 0 {options}"));
    for (options, n_moves) in
        [("", 3), ("maxmoves 2", 2), ("minmoves 5", 5), ("minmoves 5 maxmoves 2", 2), ("minmoves 99", 6)]
    {
        assert_eq!(reports(options)[0].moves.len(), n_moves, "{options}");
    }
}

#[test]
fn a_move_is_reported_on_at_the_end_or_now_and_then() {
    assert_eq!(reports("lz-genmove_analyze w 0").len(), 1);
    assert!(reports("lz-genmove_analyze w 1").len() > 1);
    assert_eq!(reports("lz-analyze w 1").len(), 1);
}
