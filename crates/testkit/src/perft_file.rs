//! Do the move counts agree with a file? See [`tesuji_core::perft_file`].

use tesuji_core::perft_file::{Entry, entries};
use tesuji_core::{Game, perft};

use crate::reference::{Reference, perft_by_reference};

/// Checks every count of the file with the fast rules, and the counts of at most
/// `slow_limit` with the slow rules too. `board` makes both for a size.
///
/// # Panics
///
/// If a count differs.
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
