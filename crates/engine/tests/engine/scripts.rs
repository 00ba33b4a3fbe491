//! Scripts with every command, right and wrong: `scripts/*.gtp`.
//!
//! The first line names the game and the player. A line that begins with `> ` is what the
//! controller writes; the answer follows it. Other lines that begin with `#` are comments for
//! the reader. `UPDATE_GOLDEN=1 cargo test` writes the answers anew; read the diff.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::{commands, engine};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine/scripts")
}

/// A script with the answers that are given now. Paths of files start at the crate's folder, in
/// which tests run.
fn with_answers(script: &str) -> String {
    let first = script.lines().next().unwrap_or_default();
    let words: Vec<&str> = first.split(' ').collect();
    let ["#", game, player] = words[..] else { panic!("'{first}' is not '# GAME PLAYER'") };
    let mut engine = engine(game, player);
    let mut text = String::new();
    for line in script.lines().filter(|line| line.starts_with(['#', '>'])) {
        text.push_str(&format!("{line}\n"));
        let Some(command) = line.strip_prefix("> ") else { continue };
        let answer = engine.answer(command).unwrap_or_default();
        for line in answer.lines() {
            text.push_str(&format!("{}\n", without_times(command, line.trim_end())));
        }
    }
    text
}

/// An answer with times replaced by `TIME`, since they differ from run to run.
fn without_times(command: &str, line: &str) -> String {
    let seconds =
        line.strip_prefix("= ").filter(|_| command.ends_with("cputime") || command.ends_with("cpu_time"));
    if let Some(seconds) = seconds {
        let (whole, thousandths) = seconds.split_once('.').unwrap();
        assert!(whole.parse::<u32>().is_ok() && thousandths.len() == 3, "{line}");
        return "= TIME".to_owned();
    }
    match line.split_once(" of them new, in ").and_then(|(head, rest)| Some((head, rest.split_once(" s")?.1)))
    {
        Some((head, rest)) => format!("{head} of them new, in TIME{rest}"),
        None => line.to_owned(),
    }
}

fn check(name: &str) {
    let file = folder().join(name).with_extension("gtp");
    let script = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let now = with_answers(&script);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, now).unwrap();
    } else {
        assert_eq!(now, script, "{name}; UPDATE_GOLDEN=1 writes it anew");
    }
}

#[test]
fn standard() {
    check("standard");
}

#[test]
fn board() {
    check("board");
}

#[test]
fn tournament() {
    check("tournament");
}

#[test]
fn clock() {
    check("clock");
}

#[test]
fn gogui() {
    check("gogui");
}

#[test]
fn columns() {
    check("columns");
}

#[test]
fn analysis() {
    check("analysis");
}

#[test]
fn steering() {
    check("steering");
}

#[test]
fn gomill() {
    check("gomill");
}

#[test]
fn parameters() {
    check("parameters");
}

/// Every command occurs in a script, and is answered there with a success.
#[test]
fn no_command_is_left_out() {
    let mut succeeded = BTreeSet::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "gtp") {
            continue;
        }
        let script = std::fs::read_to_string(path).unwrap();
        let lines: Vec<&str> = script.lines().collect();
        for pair in lines.windows(2).filter(|pair| pair[1].starts_with('=')) {
            let words = pair[0].trim_start_matches("> ").split_whitespace();
            let name = words.into_iter().find(|word| word.parse::<u32>().is_err());
            succeeded.extend(name.map(str::to_owned));
        }
    }
    let missing: Vec<String> = commands().into_iter().filter(|name| !succeeded.contains(name)).collect();
    assert_eq!(missing, [""; 0]);
}
