//! Scripts with every command, right and wrong: `scripts/*.gtp`.
//!
//! A line with `> ` is what the controller writes; the answer stands below it. Lines with
//! `#` are for the reader. `UPDATE_GOLDEN=1 cargo test` writes the answers anew; read the
//! diff.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tesuji_gtp::engine::Engine;

use crate::host::Player;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine/scripts")
}

/// A script with the answers that are given now. Files are named from the crate's folder, where
/// tests run.
fn with_answers(script: &str) -> String {
    let mut player = Player::new();
    let mut engine = Engine::new(&mut player);
    let mut text = String::new();
    for line in script.lines().filter(|line| line.starts_with(['#', '>'])) {
        text.push_str(&format!("{line}\n"));
        let Some(command) = line.strip_prefix("> ") else { continue };
        let answer = engine.answer(command).unwrap_or_default();
        for line in answer.lines() {
            text.push_str(&format!("{}\n", line.trim_end()));
        }
    }
    text
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
    let mut player = Player::new();
    let listed = Engine::new(&mut player).answer("list_commands").unwrap();
    let missing: Vec<&str> =
        listed.trim_start_matches('=').split_whitespace().filter(|name| !succeeded.contains(*name)).collect();
    assert_eq!(missing, [""; 0]);
}
