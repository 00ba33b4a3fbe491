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
    assert_eq!((last.matches('●').count(), last.matches('○').count()), (1, 1), "{text}");
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
    let may = "You may undo, save FILE.sgf or FILE.jsonl, or quit.";
    assert!(text.contains(&format!("The game is over: Black has resigned. {may}")), "{text}");
    assert_eq!(text.matches("White plays ").count(), 1, "{text}");
}

#[test]
fn games_are_saved() {
    let folder = std::env::temp_dir().join(format!("tesuji-play-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();

    // What is not over is saved when it is asked for, and what is left when one leaves.
    let typed = format!("b2\nsave {}\nsave {}\nquit\n", path("now.sgf"), path("now.jsonl"));
    let text = played(&["hex:3", "--white", "random", "--save", &path("left.sgf")], &typed);
    assert_eq!(text.matches("The game is saved in ").count(), 3, "{text}");
    assert!(read("now.sgf").contains("PB[human]PW[random]RE[?]"), "{}", read("now.sgf"));
    assert!(read("now.sgf").contains(";B[b2];W["), "{}", read("now.sgf"));
    assert_eq!(read("now.sgf"), read("left.sgf"));
    let line: serde_json::Value = serde_json::from_str(&read("now.jsonl")).unwrap();
    assert_eq!((&line["points"], &line["reason"]), (&serde_json::Value::Null, &"not over".into()));

    // A phantom game is nobody's to see before its end.
    let typed = format!("save {}\nresign\nquit\n", path("early.sgf"));
    let arguments = ["phantom-go:3", "--white", "random", "--save", &path("phantom.jsonl")];
    let text = played(&arguments, &typed);
    assert!(text.contains("A phantom game can be saved when it is over"), "{text}");
    assert!(!folder.join("early.sgf").exists());
    let line: serde_json::Value = serde_json::from_str(&read("phantom.jsonl")).unwrap();
    assert_eq!((&line["winner"], &line["reason"]), (&"white".into(), &"resigned".into()));

    // An engine loses by an illegal move, which becomes a comment.
    let script = r#"while read id x; do case $x in genmove*) echo =$id a9;; *) echo =$id;; esac; echo; done"#;
    let engine = format!("gtp(\"sh -c '{script}'\")");
    let text = played(&["hex:3", "--white", &engine, "--save", &path("lost.sgf")], "b2\nquit\n");
    assert!(text.contains("White has played a9, which is illegal"), "{text}");
    assert!(
        read("lost.sgf").contains("RE[B+F]") && read("lost.sgf").contains(";B[b2])"),
        "{}",
        read("lost.sgf")
    );
    std::fs::remove_dir_all(&folder).unwrap();
}
