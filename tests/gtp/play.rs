//! `tesuji play`: it sits at a session, so it ends games as the page does, and engines can sit
//! at it too.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs `tesuji play` with these arguments and lines typed at its prompt.
fn played(arguments: &[&str], typed: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .arg("play")
        .args(arguments)
        .args(["-j", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_engine_plays_hears_and_goes_back() {
    let program = env!("CARGO_BIN_EXE_tesuji");
    let engine = format!("gtp(\"'{program}' gtp --game hex:3 --player greedy\")");
    let text = played(&["hex:3", "--white", &engine], "b2\nhint\nundo\na1\nquit\n");
    assert!(text.starts_with("hex:3: Black is human, White is gtp("), "{text}");
    assert_eq!(text.matches("White plays ").count(), 2, "{text}");
    assert!(text.contains("an external engine gives no hints"), "{text}");
    // It is told that b2 was taken back: a1 is Black's only stone.
    let last = text.rsplit("White plays ").next().unwrap();
    assert_eq!((last.matches(" X").count(), last.matches(" O").count()), (1, 1), "{text}");
}

#[test]
fn a_game_of_go_ends_when_it_is_decided() {
    let text = played(&["go:4", "--black", "rave@300", "--white", "rave@300"], "");
    let end = text.trim_end().lines().last().unwrap();
    assert!(end.starts_with("The game is over: "), "{text}");
    assert!(text.contains(": the count is won\n") || end.contains("has resigned"), "{text}");
}

#[test]
fn a_person_may_resign_and_take_it_back() {
    let text = played(&["hex:3", "--white", "random"], "resign\na1\nundo\na1\nresign\nquit\n");
    assert_eq!(text.matches("White wins: Black has resigned.").count(), 2, "{text}");
    assert!(text.contains("The game is over: Black has resigned. You may undo or quit."), "{text}");
    assert_eq!(text.matches("White plays ").count(), 1, "{text}");
}
