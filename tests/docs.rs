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
