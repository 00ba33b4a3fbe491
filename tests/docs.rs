//! What the documentation quotes is what the sources say, and what the program prints.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Every block of Rust in the walk-through is part of the example, to the letter.
#[test]
fn adding_a_game_quotes_its_example() {
    let page = include_str!("../docs/adding-a-game.md");
    let example = include_str!("../examples/nim.rs");
    let blocks: Vec<&str> = page.split("```rust,ignore\n").skip(1).collect();
    assert!(blocks.len() >= 5);
    for block in blocks {
        let quoted = block.split("```").next().unwrap_or_default();
        assert!(
            example.contains(quoted),
            "docs/adding-a-game.md quotes what examples/nim.rs does not say:\n{quoted}"
        );
    }
}

/// What stands in backticks on these lines.
fn quoted<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    lines.flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn every_part_of_players_has_its_section_with_all_options() {
    let page = include_str!("../docs/players.md");
    for info in tesuji::catalog::players() {
        let heading = format!("\n### `{}`\n", info.name);
        let section = page.split(&heading).nth(1).and_then(|rest| rest.split("\n#").next());
        let section = section.unwrap_or_else(|| panic!("docs/players.md has no section {}", info.name));
        for option in info.parameters {
            let written = match option.default {
                Some(default) => format!("`{}={default}`", option.name),
                None => format!("`{}`", option.name),
            };
            assert!(section.contains(&written), "docs/players.md does not say {written} of {}", info.name);
        }
    }
}

#[test]
fn every_player_in_the_tables_is_one() {
    use tesuji::catalog::PlayerSpec;
    let page = include_str!("../docs/players.md");
    let specs = quoted(page.lines().filter(|line| line.starts_with('|')));
    assert!(specs.len() >= 30);
    for text in specs {
        let spec: Result<PlayerSpec, _> = text.parse();
        assert!(spec.is_ok(), "docs/players.md: {}", spec.unwrap_err());
    }
    let aliases = page.lines().filter(|line| line.starts_with("| `hybrid-shuss("));
    for pair in aliases.map(|line| quoted(std::iter::once(line))).filter(|pair| pair.len() == 2) {
        let alias: PlayerSpec = pair[0].parse().unwrap();
        assert_eq!(alias.to_string(), pair[1]);
    }
}

/// The names of all fields in a value.
fn names(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                found.insert(name.clone());
                names(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| names(value, found)),
        _ => {}
    }
}

/// What the program prints, with this on its standard input.
fn printed(arguments: &[&str], input: &str) -> Value {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

#[test]
fn every_field_of_json_is_described_and_every_object_has_the_version() {
    let page = include_str!("../docs/json.md");
    let described: BTreeSet<&str> = quoted(page.lines()).into_iter().collect();
    let query = r#"{"id":1,"game":"hex:3","player":"sh+rave","budget":50}"#;
    let cases: [(&[&str], &str); 17] = [
        (&["search", "hex:3", "--player", "shuss(t=8)+rave", "--budget", "60", "--json"], ""),
        (&["search", "hex:2", "--player", "uct+solver", "--json"], ""),
        (&["search", "hex:3", "--player", "ect(stop=1e-1)+uct", "--json"], ""),
        (&["search", "hex:3", "--player", "sh+uct+until(80%,within=0.1)", "--json"], ""),
        (&["analyze"], query),
        (
            &["match", "hex:3", "uct@10", "random", "--games", "4", "--sprt", "elo0=0", "elo1=50", "--json"],
            "",
        ),
        (
            &[
                "bandit", "--arms", "N:5", "--budget", "20", "--policy", "ucb1", "--policy", "sh", "--runs",
                "10", "--until", "95%", "--json",
            ],
            "",
        ),
        (
            &[
                "tournament",
                "hex:3,hex:2",
                "uct@10",
                "random",
                "--games",
                "4",
                "--anchor",
                "random",
                "--json",
            ],
            "",
        ),
        (
            &[
                "tournament",
                "hex:3",
                "uct@10",
                "random",
                "--schedule",
                "widest",
                "--ask",
                "first",
                "--total",
                "20",
                "--json",
            ],
            "",
        ),
        (&["games", "--json"], ""),
        (&["players", "--json"], ""),
        (&["players", "uct(c=0.3)@100", "--json"], ""),
        (&["policies", "--json"], ""),
        (&["policies", "ucb", "--json"], ""),
        (&["perft", "hex:3", "--depth", "1", "--divide", "--json"], ""),
        (&["bench", "hex:11", "--playouts", "10", "--json"], ""),
        (&["bench", "hex:11", "--player", "uct@100", "--playouts", "100", "--json"], ""),
    ];
    for (arguments, input) in cases {
        let value = printed(arguments, input);
        assert_eq!(value["version"], 1, "{arguments:?}");
        let mut found = BTreeSet::new();
        names(&value, &mut found);
        for name in found {
            // The standard error of a field that is described.
            let name = name.strip_suffix("_se").unwrap_or(&name);
            assert!(described.contains(name), "docs/json.md does not describe {name} of {arguments:?}");
        }
    }
}

#[test]
fn every_field_of_exported_games_is_described() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported-fields");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let store = folder.join("m.db").display().to_string();
    let players = ["match", "hex:3", "shuss(t=8)+rave@60", "uct@1ms", "--games", "1", "--record-policies"];
    printed(&[&players[..], &["--store", &store, "--json"]].concat(), "");
    let value = printed(&["export", &store, "--analysis"], "");
    assert_eq!(value["version"], 1);
    let sources: BTreeSet<&str> =
        value["analysis"].as_array().unwrap().iter().map(|one| one["source"].as_str().unwrap()).collect();
    assert_eq!(sources, BTreeSet::from(["again", "recorded"]));
    let page = include_str!("../docs/json.md");
    let described: BTreeSet<&str> = quoted(page.lines()).into_iter().collect();
    let mut found = BTreeSet::new();
    names(&value, &mut found);
    for name in found {
        assert!(described.contains(&name[..]), "docs/json.md does not describe {name}");
    }
}

/// Examples are what the program prints, but for its times.
#[test]
fn examples_of_json_are_real() {
    let page = include_str!("../docs/json.md");
    let examples = console_blocks(page);
    assert!(examples.len() >= 4);
    for (command, expected) in examples {
        let command = command.strip_prefix("tesuji ").unwrap_or_else(|| panic!("{command}"));
        let (words, input) = match command.split_once(" <<< ") {
            Some((words, input)) => (words, input.trim_matches('\'')),
            None => (command, ""),
        };
        let words: Vec<&str> = words.split(' ').map(|word| word.trim_matches('\'')).collect();
        let (mut found, mut expected) =
            (printed(&words, input), serde_json::from_str::<Value>(expected).expect(command));
        for value in [&mut found, &mut expected] {
            without_times(value);
        }
        assert_eq!(found, expected, "{command}");
    }
}

/// Removes what depends on the machine and on the moment.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !name.contains("seconds") && name != "mean_used" && name != "builds");
            fields.values_mut().for_each(without_times);
        }
        Value::Array(values) => values.iter_mut().for_each(without_times),
        _ => {}
    }
}

/// The command and the output of every `console` block.
fn console_blocks(page: &str) -> Vec<(&str, &str)> {
    page.split("```console\n$ ")
        .skip(1)
        .map(|block| block.split("```").next().unwrap_or_default().split_once('\n').unwrap())
        .collect()
}

/// Whether a line is what a pattern describes, in which `[..]` stands for any characters.
fn line_matches(pattern: &str, line: &str) -> bool {
    let Some((start, rest)) = pattern.split_once("[..]") else { return pattern == line };
    let Some(line) = line.strip_prefix(start) else { return false };
    line.char_indices()
        .map(|(at, _)| &line[at..])
        .chain(std::iter::once(""))
        .any(|line| line_matches(rest, line))
}

/// Whether lines are what patterns describe, in which `...` stands for any lines.
fn lines_match(patterns: &[&str], lines: &[&str]) -> bool {
    match patterns {
        [] => lines.is_empty(),
        ["...", rest @ ..] => (0..=lines.len()).any(|skipped| lines_match(rest, &lines[skipped..])),
        [pattern, rest @ ..] => lines
            .split_first()
            .is_some_and(|(line, lines)| line_matches(pattern, line) && lines_match(rest, lines)),
    }
}

#[test]
fn wildcards_match_what_they_stand_for() {
    assert!(line_matches("[..] ms, [..] per second", "4.5 ms, 223,000 per second"));
    assert!(!line_matches("[..] ms, [..] per second", "4.5 ms, 223,000 a second"));
    assert!(line_matches("from[..]", "from") && !line_matches("exact", "exactly"));
    assert!(lines_match(&["a", "...", "d"], &["a", "b", "c", "d"]));
    assert!(!lines_match(&["a", "...", "d"], &["a", "b", "c"]));
}

/// The README shows real output. `tests/cmd/readme.trycmd` has the same commands, and is held
/// against the program with the other commands; this holds the README against that file.
/// `UPDATE_GOLDEN=1 cargo test --release --test docs` writes what the program prints into the README.
#[test]
fn readme_shows_what_its_tested_commands_print() {
    let readme = include_str!("../README.md");
    let shown = console_blocks(readme);
    assert!(shown.len() >= 4);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let mut renewed = readme.to_owned();
        for (command, output) in shown {
            let old = format!("$ {command}\n{output}```");
            renewed = renewed.replace(&old, &format!("$ {command}\n{}```", printed_by_shell(command)));
        }
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"), renewed).unwrap();
        return;
    }
    let tested = console_blocks(include_str!("cmd/readme.trycmd"));
    for (command, output) in shown {
        assert!(!output.contains("[..]") && !output.contains("\n...\n"), "README.md, wildcards: {command}");
        let expected = tested.iter().find(|(name, _)| *name == command);
        let (_, expected) =
            expected.unwrap_or_else(|| panic!("tests/cmd/readme.trycmd does not have: {command}"));
        let patterns: Vec<&str> = expected.trim_end().lines().collect();
        let lines: Vec<&str> = output.trim_end().lines().collect();
        assert!(lines_match(&patterns, &lines), "README.md is not as in readme.trycmd: {command}\n{output}");
    }
}

/// What a command line prints to standard output.
fn printed_by_shell(command: &str) -> String {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_tesuji")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh").args(["-c", command]).env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{command}");
    String::from_utf8(output.stdout).unwrap()
}

/// Every page of the repository: its path from the root, and its text.
fn pages() -> Vec<(std::path::PathBuf, String)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<_> = ["", "docs", "python"].map(|name| root.join(name)).into();
    folders.extend(std::fs::read_dir(root.join("results")).unwrap().map(|entry| entry.unwrap().path()));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    files
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect()
}

/// The text of a page without its blocks of code.
fn prose(text: &str) -> String {
    text.split("\n```").step_by(2).collect::<Vec<_>>().join("\n")
}

/// The anchor that GitHub gives a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
}

#[test]
fn links_between_pages_lead_somewhere() {
    let pages = pages();
    assert!(pages.len() >= 20);
    let mut broken = Vec::new();
    for (path, text) in &pages {
        let words = prose(text);
        let targets = words.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
            let linked = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let is_there = match fragment {
                "" => linked.exists(),
                fragment => std::fs::read_to_string(&linked).is_ok_and(|text| {
                    let lines = prose(&text);
                    let mut headings = lines.lines().filter(|line| line.starts_with('#'));
                    headings.any(|line| anchor(line.trim_start_matches('#').trim()) == fragment)
                }),
            };
            if !is_there {
                broken.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}
