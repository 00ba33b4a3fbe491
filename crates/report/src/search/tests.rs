use tesuji_core::{Outcome, Ranked, Round, Side, Stop};
use tesuji_search::{Amaf, ArmReport, Memory, Report, SearchStop};

use super::{arms, bracket, legend, order, summary};
use crate::Screen;

fn arm(mv: &str, visits: u64, mean: f64) -> ArmReport<String> {
    let mean = (visits > 0).then_some(mean);
    let mv = mv.to_owned();
    ArmReport {
        mv,
        visits,
        mean,
        variance: None,
        amaf: None,
        score: None,
        q: mean,
        proof: None,
        policy: None,
    }
}

fn report(chosen: Option<usize>, arms: Vec<ArmReport<String>>) -> Report<String> {
    let spent = arms.iter().map(|arm| arm.visits).sum();
    let memory = Memory::default();
    Report {
        chosen,
        arms,
        rounds: Vec::new(),
        budget: spent,
        spent,
        carried: 0,
        stop: None,
        confidence: None,
        memory,
        focused: Vec::new(),
    }
}

/// A round in which the arms rank as given, by a mean and a bonus.
fn round(ranking: &[(usize, f64, f64)], kept: usize) -> Round {
    let ranked = |&(arm, mean, bonus)| Ranked { arm, q: mean + bonus, mean, bonus };
    Round {
        samples_each: 10,
        ranking: ranking.iter().map(ranked).collect(),
        kept,
        comebacks: 0,
        calibration: None,
    }
}

/// Three moves, of which the first is cut at once and the last is played.
fn halved() -> Report<String> {
    let mut report = report(Some(2), vec![arm("a1", 10, 0.2), arm("b1", 40, 0.5), arm("pass", 1_040, 0.75)]);
    report.rounds = vec![
        round(&[(1, 0.6, 0.0), (2, 0.5, 0.0), (0, 0.2, 0.0)], 2),
        round(&[(2, 0.75, 0.0), (1, 0.5, 0.0)], 1),
    ];
    report
}

/// The rows of a table, without its title, heads and rules.
fn rows(text: &str) -> Vec<&str> {
    let rows = text.lines().skip_while(|line| !line.starts_with('═')).skip(1);
    rows.take_while(|line| !line.starts_with('─')).collect()
}

/// The lines of a table without those that are only drawn.
fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with(['─', '═'])).collect()
}

#[test]
fn moves_are_shown_by_interest_and_columns_only_where_they_say_something() {
    let report = halved();
    assert_eq!(order(&report), [2, 1, 0]);
    assert_eq!(
        lines(&arms(&report, 10).text(&Screen::default())),
        [
            "Moves",
            " move     visits     mean        ±",
            " pass ◀    1,040   0.7500   0.0134",
            " b1           40   0.5000   0.0801",
            " a1           10   0.2000   0.1333",
        ]
    );
    let first = arms(&report, 2).text(&Screen::default());
    assert_eq!(lines(&first)[0], "Moves: the first 2 of 3");
    assert_eq!(lines(&first).len(), 4);
    assert_eq!(legend(&report).lines().count(), 1);
}

#[test]
fn what_is_known_beside_the_samples_has_columns_and_a_legend() {
    let mut report = report(Some(0), vec![arm("a1", 2, 0.5), arm("b1", 0, 0.0)]);
    report.arms[0].amaf = Some(Amaf { count: 12, mean: 0.25 });
    report.arms[1].amaf = Some(Amaf { count: 0, mean: 0.0 });
    report.arms[0].score = Some(0.125);
    report.arms[0].q = Some(1.5);
    report.arms[1].proof = Some(Outcome::Win(Side::Black));
    assert_eq!(
        lines(&arms(&report, 10).text(&Screen::default())),
        [
            "Moves",
            " move   visits     mean        ±     AMAF   AMAF n    score        q   proved",
            " a1 ◀        2   0.5000   0.5000   0.2500       12   0.1250   1.5000",
            " b1          0                                   0                     Black wins",
        ]
    );
    let names: Vec<String> =
        legend(&report).lines().map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(names, ["mean", "AMAF", "score", "q"]);
    assert!(legend(&report).lines().all(|line| line.chars().count() <= 80));
    // A score that is the AMAF mean is not shown twice.
    report.arms[0].score = Some(0.25);
    assert!(!arms(&report, 10).text(&Screen::default()).contains("score"));
}

#[test]
fn players_without_samples_have_a_list_of_moves() {
    let report = report(Some(1), vec![arm("a1", 0, 0.0), arm("b1", 0, 0.0)]);
    assert_eq!(lines(&arms(&report, 10).text(&Screen::default())), ["Moves", " move", " b1 ◀", " a1"]);
    assert_eq!(legend(&report), "");
    assert!(bracket(&report, 10, &Screen::default()).is_none());
}

/// A network's scores are what is known of moves that it has not looked at.
#[test]
fn moves_without_samples_are_ordered_by_their_scores() {
    let scored = |mv, visits, score| ArmReport { score, ..arm(mv, visits, 0.5) };
    let arms = vec![
        scored("a1", 0, None),
        scored("b1", 0, Some(-3.0)),
        scored("c1", 0, Some(-2.0)),
        scored("d1", 1, None),
    ];
    assert_eq!(order(&report(Some(1), arms)), [1, 3, 2, 0]);
}

#[test]
fn errors_need_two_samples() {
    assert_eq!(arm("a1", 1, 1.0).standard_error(), None);
    assert_eq!(arm("a1", 2, 0.5).standard_error(), Some(0.5));
    assert_eq!(arm("a1", 9, 1.0).standard_error(), Some(0.0));
}

#[test]
fn the_bracket_says_who_was_cut_when() {
    let table = bracket(&halved(), 10, &Screen::default()).unwrap().text(&Screen::default());
    assert_eq!(
        lines(&table),
        [
            "Rounds, 3→2→1: the value that ranked each move, until cut (×) or played (◀)",
            " move    1: of 3    2: of 2",
            " pass   0.5000     0.7500 ◀",
            " b1     0.6000     0.5000 ×",
            " a1     0.2000 ×",
        ]
    );
    let first = bracket(&halved(), 1, &Screen::default()).unwrap().text(&Screen::default());
    assert_eq!(lines(&first).len(), 3);
}

#[test]
fn a_bonus_is_part_of_q_and_is_explained() {
    let mut report = halved();
    report.rounds[0].ranking[2].bonus = 3.0;
    report.rounds[0].ranking[2].q = 3.2;
    report.arms[0].q = Some(3.2);
    assert!(
        bracket(&report, 10, &Screen::default())
            .unwrap()
            .text(&Screen::default())
            .contains(" a1     3.2000 ×")
    );
    assert!(
        legend(&report)
            .contains("q: the mean plus a bonus for the score; the move's last round ranked it by q")
    );
}

#[test]
fn a_halving_that_was_cut_off_still_marks_the_move() {
    let mut report = halved();
    report.rounds.pop();
    assert!(
        bracket(&report, 10, &Screen::default())
            .unwrap()
            .text(&Screen::default())
            .contains(" pass   0.5000 ◀\n")
    );
}

#[test]
fn a_round_without_samples_has_no_values() {
    let mut report = halved();
    report.rounds[0] = round(&[(1, 0.0, 0.0), (2, 0.0, 0.0), (0, 0.0, 0.0)], 2);
    report.rounds[0].samples_each = 0;
    let table = bracket(&report, 10, &Screen::default()).unwrap().text(&Screen::default());
    assert_eq!(
        lines(&table)[2..],
        [" pass       –     0.7500 ◀", " b1         –     0.5000 ×", " a1         – ×"]
    );
}

/// A bracket in which every round cuts so many moves, with large values at first.
fn long(n_moves: usize, cut: fn(usize) -> usize) -> Report<String> {
    let arms = (0..n_moves).map(|index| arm(&format!("a{index}-b{index}"), 10, 0.5)).collect();
    let mut report = report(Some(0), arms);
    let mut left = n_moves;
    while left > 1 {
        let kept = left - cut(left);
        let ranking: Vec<(usize, f64, f64)> = (0..left).map(|arm| (arm, 0.5, left as f64 / 10.0)).collect();
        report.rounds.push(round(&ranking, kept));
        left = kept;
    }
    report
}

#[test]
fn brackets_are_no_wider_than_other_tables() {
    for (n_moves, cut) in
        [(400, (|left| left / 2) as fn(usize) -> usize), (400, |left| (left / 4).max(1)), (100, |_| 1)]
    {
        for most in [1, 12, 400] {
            let report = long(n_moves, cut);
            let text = bracket(&report, most, &Screen::default()).unwrap().text(&Screen::default());
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= 112, "{widest} columns:\n{text}");
            assert_eq!(rows(&text).len(), most.min(n_moves), "a row was broken:\n{text}");
        }
    }
}

#[test]
fn numbers_of_a_round_stand_under_each_other() {
    for cut in [(|left| left / 2) as fn(usize) -> usize, |left| (left / 4).max(1)] {
        let text = bracket(&long(100, cut), 30, &Screen::default()).unwrap().text(&Screen::default());
        let rows: Vec<Vec<char>> = rows(&text).iter().map(|line| line.chars().collect()).collect();
        let points = |row: &[char]| -> Vec<usize> { (0..row.len()).filter(|&at| row[at] == '.').collect() };
        let first = points(&rows[0]);
        for row in &rows {
            assert!(first.starts_with(&points(row)), "{text}");
        }
    }
}

#[test]
fn rounds_that_have_no_room_are_left_out_in_the_middle() {
    let text = bracket(&long(100, |_| 1), 3, &Screen::default()).unwrap().text(&Screen::default());
    let head = lines(&text).into_iter().find(|line| line.starts_with(" move")).unwrap();
    let words: Vec<&str> = head.split_whitespace().collect();
    assert!(
        words.starts_with(&["move", "of", "100", "…"]) && words.ends_with(&["of", "3", "of", "2"]),
        "{text}"
    );
    assert!(text.starts_with("Rounds, 100→…→") && lines(&text)[0].contains("→3→2→1: "), "{text}");
}

#[test]
fn summaries_say_what_was_spent_and_why_not_more() {
    let mut report = halved();
    assert_eq!(summary(&report), "1,090 samples.");
    report.memory = Memory { nodes: 1_000, edges: 20_000, bytes: 2_345_678 };
    assert_eq!(summary(&report), "1,090 samples; 1,000 positions and 20,000 moves in memory, 2.3 MB.");
    report.memory = Memory { nodes: 1, edges: 1, bytes: 805 };
    assert_eq!(summary(&report), "1,090 samples; 1 position and 1 move in memory, 805 bytes.");
    report.memory = Memory::default();
    report.budget = 2_000;
    report.carried = 910;
    report.stop = Some(SearchStop::Allocator(Stop::Certain));
    assert_eq!(
        summary(&report),
        "1,090 of 2,000 samples.\nIt stopped early: the leading arm is certain enough.\n910 samples are left for the next move."
    );
    report.carried = 0;
    report.stop = Some(SearchStop::Allocator(Stop::NotWorthIt { value: 0.0, cost: 1e-4 }));
    assert_eq!(
        summary(&report).lines().last(),
        Some("It stopped early: no sample is worth its cost, 10⁻⁴; the most valuable is worth 0.")
    );
    report.stop = Some(SearchStop::Proved(Outcome::Win(Side::White)));
    assert_eq!(summary(&report).lines().last(), Some("It stopped early: White wins, proved."));
    report.stop = Some(SearchStop::Time);
    assert_eq!(summary(&report), "1,090 samples in its time.");
    report.confidence = Some(0.8199);
    assert_eq!(
        summary(&report),
        "1,090 samples in its time.\nBy its samples, its choice is right with a chance of at least 81%."
    );
    report.stop = Some(SearchStop::Sure { confidence: 0.9513 });
    assert_eq!(
        summary(&report),
        "1,090 of 2,000 samples.\nIt stopped early: it is 95.1% sure of its choice."
    );
}
