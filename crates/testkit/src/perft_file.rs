//! Perft files: counts of move sequences, one board a line.
//!
//! ```text
//! # Anything after a # is a comment: say where the counts come from.
//! 8 : 22 484 11132        the board's size, then the counts at depth 1, 2, 3, …
//! 3x4 : 5 20 0            ends with 0 where every game has ended
//! ```

use tesuji_core::{Game, perft};

use crate::reference::{Reference, perft_by_reference};

/// One line of a perft file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The board's size as written, such as `8` or `3x4`.
    pub size: String,
    /// The counts at depth 1, 2, 3, …
    pub counts: Vec<u64>,
}

/// Reads a perft file; panics at a line that is none.
pub fn entries(file: &str) -> Vec<Entry> {
    let lines = file.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    lines
        .filter(|line| !line.is_empty())
        .map(|line| {
            let (size, counts) =
                line.split_once(':').unwrap_or_else(|| panic!("no colon in perft line '{line}'"));
            let counts: Vec<u64> =
                counts.split_whitespace().map(|count| count.parse().expect("a count")).collect();
            assert!(!counts.is_empty(), "no counts in perft line '{line}'");
            Entry { size: size.trim().to_owned(), counts }
        })
        .collect()
}

/// Asks that the fast rules give every count of the file, and that the slow
/// ones give those whose count is at most `slow_limit`.
pub fn check<G: Game, R: Reference>(file: &str, slow_limit: u64, mut board: impl FnMut(&str) -> (G, R)) {
    let entries = entries(file);
    assert!(!entries.is_empty(), "the perft file is empty");
    for Entry { size, counts } in entries {
        let (fast, slow) = board(&size);
        for (&count, depth) in counts.iter().zip(1..) {
            assert_eq!(perft(&fast, depth), count, "size {size}, depth {depth}");
            if count <= slow_limit {
                assert_eq!(perft_by_reference(&slow, depth), count, "reference: size {size}, depth {depth}");
            }
        }
    }
}
