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
    let cases: [(&[&str], &str); 13] = [
        (&["search", "hex:3", "--player", "shuss(t=8)+rave", "--budget", "60", "--json"], ""),
        (&["search", "hex:2", "--player", "uct+solver", "--json"], ""),
        (&["search", "hex:3", "--player", "ect(stop=1e-1)+uct", "--json"], ""),
        (&["analyze"], query),
        (
            &["match", "hex:3", "uct@10", "random", "--games", "4", "--sprt", "elo0=0", "elo1=50", "--json"],
            "",
        ),
        (
            &[
                "bandit", "--arms", "N:5", "--budget", "20", "--policy", "ucb1", "--policy", "sh", "--runs",
                "10", "--json",
            ],
            "",
        ),
        (&["games", "--json"], ""),
        (&["players", "--json"], ""),
        (&["players", "uct(c=0.3)@100", "--json"], ""),
        (&["policies", "--json"], ""),
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

/// Examples are what the program prints, but for its times.
#[test]
fn examples_of_json_are_real() {
    let page = include_str!("../docs/json.md");
    let examples: Vec<(&str, &str)> = page
        .split("```console\n$ tesuji ")
        .skip(1)
        .map(|block| block.split("```").next().unwrap_or_default().split_once('\n').unwrap())
        .collect();
    assert!(examples.len() >= 4);
    for (command, expected) in examples {
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
