//! Go as people like it to be played: who has won lets the game end, who has lost gives up.

use std::sync::atomic::AtomicBool;

use tesuji_catalog::GameSpec;
use tesuji_core::{Outcome, Side};
use tesuji_session::{Choice, Purpose, Reason, Session, Settings, Thinking};

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
    let thinking = Thinking { purpose, every: None, cancel: &AtomicBool::new(false) };
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
