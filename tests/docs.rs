//! What the documentation quotes is what the sources say.

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
