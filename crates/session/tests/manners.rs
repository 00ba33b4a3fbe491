//! Go as people like it to be played: who has won lets the game end, who has lost gives up.

use std::sync::atomic::AtomicBool;

use tesuji_catalog::GameSpec;
use tesuji_core::{Outcome, Side};
use tesuji_search::RootMoves;
use tesuji_session::{Choice, Purpose, Reason, Session, Settings, Study, Thinking};

fn session(game: &str, player: &str) -> Session {
    let game: GameSpec = game.parse().unwrap();
    let settings = Settings { player: player.parse().unwrap(), ..Settings::usual(&game, 1) };
    Session::new(game, settings).unwrap()
}

/// Sets stones up from a picture, X for Black and O for White, row 1 the lowest.
fn set_up(session: &mut Session, rows: &[&str]) {
    let shape = session.game().info().shape;
    for (y, row) in rows.iter().rev().enumerate() {
        for (x, mark) in row.chars().enumerate() {
            let side = match mark {
                'X' => Side::Black,
                'O' => Side::White,
                _ => continue,
            };
            session.play(side, &shape.cell(x, y)).unwrap();
        }
    }
}

fn choose(session: &mut Session, side: Side, purpose: Purpose) -> (Choice, Reason) {
    let thinking = Thinking {
        purpose,
        every: None,
        moves: RootMoves::All,
        study: Study::Once,
        cancel: &AtomicBool::new(false),
    };
    let choice = session.choose(side, &thinking, &mut |_, _| {}).unwrap();
    (choice, session.thought().unwrap().reason)
}

fn pass() -> Choice {
    Choice::Move("pass".to_owned())
}

/// Black has the left three columns, White the right two; nothing is open.
const SETTLED: [&str; 5] = ["..XO.", ".XXOO", "..XO.", ".XXOO", "X.XO."];

#[test]
fn who_has_won_passes_first() {
    let mut session = session("go:5(komi=0.5)", "rave@2000");
    set_up(&mut session, &SETTLED);
    // Black has 15 points, White 10.
    assert_eq!(choose(&mut session, Side::Black, Purpose::Play), (pass(), Reason::Settled));
    assert_eq!(session.outcome(), None);
    session.play(Side::White, "pass").unwrap();
    assert_eq!(session.outcome(), Some(Outcome::Win(Side::Black)));
    assert_eq!(session.final_score().unwrap(), "B+4.5");
}

#[test]
fn who_has_won_answers_a_pass_by_a_pass() {
    let mut session = session("go:5(komi=0.5)", "rave@2000");
    set_up(&mut session, &SETTLED);
    session.play(Side::White, "pass").unwrap();
    assert_eq!(choose(&mut session, Side::Black, Purpose::Play), (pass(), Reason::CountIsWon));
    assert_eq!(session.outcome(), Some(Outcome::Win(Side::Black)));
}

/// A pass that may not be chosen is not chosen, and neither is any other move.
#[test]
fn who_may_not_pass_plays_on() {
    let mut session = session("go:5(komi=0.5)", "rave@2000");
    set_up(&mut session, &SETTLED);
    session.play(Side::White, "pass").unwrap();
    let board = session.position_for(Side::Black).unwrap();
    let moves = ["a5", "b5"].map(|text| board.parse_move(text).unwrap());
    let cancel = AtomicBool::new(false);
    let (purpose, moves) = (Purpose::Play, RootMoves::Only(&moves));
    let thinking = Thinking { purpose, every: None, moves, study: Study::Once, cancel: &cancel };
    let choice = session.choose(Side::Black, &thinking, &mut |_, moves| assert_eq!(moves, ["a5", "b5"]));
    assert!([Ok("a5"), Ok("b5")].map(|mv| mv.map(|mv| Choice::Move(mv.to_owned()))).contains(&choice));
    let none = Thinking { moves: RootMoves::Only(&[]), ..thinking };
    let error = session.choose(Side::White, &none, &mut |_, _| {}).unwrap_err().to_string();
    assert!(error.starts_with("no move is left to search: all"), "{error}");
}

#[test]
fn who_would_lose_does_not_pass_while_there_is_something_to_play() {
    let mut session = session("go:5(komi=0.5)", "rave@2000");
    set_up(&mut session, &SETTLED);
    session.play(Side::Black, "pass").unwrap();
    let (choice, reason) = choose(&mut session, Side::White, Purpose::Play);
    assert_ne!(choice, pass());
    assert_eq!(reason, Reason::Search);
}

#[test]
fn a_lost_game_is_given_up_after_three_moves() {
    let mut session = session("go:5(komi=0.5)", "rave@2000");
    set_up(&mut session, &["..XO.", ".XXOO", "..XO.", ".XX.X", "XXXXX"]);
    let mut moves = 0;
    loop {
        let (choice, reason) = choose(&mut session, Side::White, Purpose::Play);
        if choice == Choice::Resign {
            assert_eq!(reason, Reason::Hopeless);
            break;
        }
        moves += 1;
        // White moves again and again in vain: Black passes.
        session.play(Side::Black, "pass").unwrap();
        assert!(moves < 3, "White plays on in a lost game");
    }
    assert_eq!(moves, 2);
}

#[test]
fn dead_stones_are_taken_where_the_count_needs_them() {
    // White's stone in Black's corner is dead, but while it stands there the points around it are
    // nobody's. Black, who has not won the count so, plays on.
    let rows = [".X.O.", "O.XOO", "..XO.", "X.XOO", ".XXO."];
    let mut session = session("go:5(komi=6.5)", "rave@2000");
    set_up(&mut session, &rows);
    session.play(Side::White, "pass").unwrap();
    let (choice, _) = choose(&mut session, Side::Black, Purpose::Play);
    assert_ne!(choice, pass());
    let status = session.status().unwrap();
    let dead: Vec<String> = status.dead.iter().flatten().map(|&cell| session.cell_name(cell)).collect();
    assert_eq!(dead, ["a4"]);
}

#[test]
fn whole_games_end() {
    for (game, most) in [("go:5", 120), ("go:7", 200)] {
        let mut session = session(game, "rave@300");
        let mut side = Side::Black;
        let mut moves = 0;
        loop {
            let (choice, _) = choose(&mut session, side, Purpose::Play);
            if choice == Choice::Resign || session.outcome().is_some() {
                break;
            }
            side = !side;
            moves += 1;
            assert!(moves < most, "{game} goes on and on");
        }
    }
}

#[test]
fn what_is_only_said_changes_nothing() {
    let mut session = session("go:5", "rave@500");
    set_up(&mut session, &SETTLED);
    let before = session.ply();
    let first = choose(&mut session, Side::White, Purpose::Regression);
    let second = choose(&mut session, Side::White, Purpose::Regression);
    assert_eq!(first, second);
    assert_eq!(session.ply(), before);
}

#[test]
fn a_phantom_game_is_played_to_its_end() {
    let mut session = session("phantom-go:3", "flat(sh)@100");
    let mut side = Side::Black;
    for _ in 0..200 {
        if session.outcome().is_some() {
            return;
        }
        choose(&mut session, side, Purpose::Play);
        side = !side;
    }
    panic!("it goes on and on");
}

/// Two open territories with stones in them that everybody calls dead, though random playouts
/// keep them half of the time.
const OPEN: [&str; 9] = [
    "....XO...",
    "....XO...",
    "..O.XO.X.",
    "..O.XO...",
    "....XO...",
    "....XO...",
    "....XO.X.",
    ".O..XO...",
    "....XO...",
];

#[test]
fn dead_stones_in_open_territory_are_seen() {
    for seed in 1..=5 {
        let mut session = session("go:9", "rave@500");
        let settings = Settings { seed: tesuji_core::Seed::new(seed), ..session.settings().clone() };
        session.set(settings).unwrap();
        set_up(&mut session, &OPEN);
        // Black has five columns of nine points, White four: 45 - 36 - 7.5.
        assert_eq!(session.final_score().unwrap(), "B+1.5", "seed {seed}");
        assert_eq!(session.status().unwrap().dead.len(), 4);
        // So White, to whom the plain count gives more, does not let the game end.
        session.play(Side::Black, "pass").unwrap();
        assert_ne!(choose(&mut session, Side::White, Purpose::Play).0, pass(), "seed {seed}");
    }
}

#[test]
fn ones_own_pass_is_not_the_other_sides() {
    let mut session = session("go:5(komi=-20)", "rave@500");
    session.play(Side::Black, "c3").unwrap();
    session.play(Side::Black, "pass").unwrap();
    assert_ne!(choose(&mut session, Side::Black, Purpose::Play).0, pass());
}

#[test]
fn however_it_is_hurried_it_looks_at_the_board() {
    let mut session = session("go:9", "rave");
    let thinking = Thinking {
        purpose: Purpose::Play,
        every: None,
        moves: RootMoves::All,
        study: Study::Once,
        cancel: &AtomicBool::new(true),
    };
    session.choose(Side::Black, &thinking, &mut |_, _| {}).unwrap();
    assert!(session.thought().unwrap().report.as_ref().unwrap().spent >= 100);
}

#[test]
fn another_game_has_its_own_manners() {
    let mut session = session("hex:5", "rave@50");
    assert_eq!(session.settings().manners.resign_below, 0.0);
    session.begin("go:5".parse().unwrap()).unwrap();
    assert!(session.settings().manners.resign_below > 0.0 && session.settings().manners.passes_early);
}

#[test]
fn a_handicap_that_fails_leaves_the_clock_alone() {
    let mut session = session("go:9", "rave");
    session.set_time("1h".parse().unwrap());
    let left = tesuji_core::TimeLeft { time: std::time::Duration::from_millis(100), overtime: 0 };
    session.set_time_left(Side::Black, left);
    session.set_handicap(&["d4".to_owned(), "d4".to_owned()]).unwrap_err();
    assert_eq!(session.ply(), 0);
    let begun = std::time::Instant::now();
    choose(&mut session, Side::Black, Purpose::Play);
    // With an hour it would think for much longer than a machine stalls.
    assert!(begun.elapsed() < std::time::Duration::from_secs(5));
}

#[test]
fn what_was_pondered_outlasts_questions() {
    let mut session = session("go:5", "rave+reuse@500");
    session.set(Settings { ponders: true, ..session.settings().clone() }).unwrap();
    choose(&mut session, Side::Black, Purpose::Play);
    let answer = session.thought().unwrap().line[0].clone();
    for _ in 0..2 {
        assert!(session.wants_to_ponder());
        let cancel = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(50));
                cancel.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            session.ponder(&cancel);
        });
    }
    session.play(Side::White, &answer).unwrap();
    assert!(!session.wants_to_ponder(), "it is its own move");
    choose(&mut session, Side::Black, Purpose::Play);
    let report = session.thought().unwrap().report.clone().unwrap();
    let visits: u64 = report.arms.iter().map(|arm| arm.visits).sum();
    assert!(visits > report.spent, "nothing of the pondering is left");
}
