//! Scripts with real games and searches: `scripts/*.gtp`, in the form of those in
//! `crates/engine/tests/engine/scripts`. The first line has the engine's arguments.

use std::path::Path;

use crate::Engine;

/// A script with the answers that are given now.
fn with_answers(script: &str) -> String {
    let mut lines = script.lines();
    let head = lines.next().unwrap();
    let arguments = head.strip_prefix("# tesuji gtp ").expect("the first line has the arguments");
    let mut engine = Engine::start(&arguments.split(' ').collect::<Vec<_>>());
    let mut text = format!("{head}\n");
    for line in lines.filter(|line| line.starts_with(['#', '>'])) {
        text.push_str(&format!("{line}\n"));
        let Some(command) = line.strip_prefix("> ") else { continue };
        for line in engine.ask(command) {
            text.push_str(&format!("{}\n", without_times(line.trim_end())));
        }
        text.push('\n');
    }
    text
}

/// How long something took is another each time.
fn without_times(line: &str) -> String {
    match line.split_once(" of them new, in ").and_then(|(head, rest)| Some((head, rest.split_once(" s")?.1)))
    {
        Some((head, rest)) => format!("{head} of them new, in some time{rest}"),
        None => line.to_owned(),
    }
}

#[test]
fn scripts_are_answered_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gtp/scripts");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "gtp"));
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let script = std::fs::read_to_string(&file).unwrap();
        let now = with_answers(&script);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&file, now).unwrap();
        } else {
            assert_eq!(now, script, "{}; UPDATE_GOLDEN=1 writes it anew", file.display());
        }
    }
}
