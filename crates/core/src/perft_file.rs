//! The text format of perft files: counts of move sequences, one board a line.
//!
//! ```text
//! # Anything after a # is a comment: say where the counts come from.
//! 8 : 22 484 11132        the board's size, then the counts at depth 1, 2, 3, …
//! 3x4 : 5 20 0            ends with 0 if every game has ended by then
//! 3(swap=on) : 9 81       options are written as in a spec
//! ```

/// One line of a perft file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The board's size, with options if any: `8`, `3x4`, `3(swap=on)`.
    pub size: String,
    /// The counts at depth 1, 2, 3, …
    pub counts: Vec<u64>,
}

/// Reads a perft file.
///
/// # Panics
///
/// If a line is not of this format: such files are part of the source.
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
