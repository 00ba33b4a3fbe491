//! Do the move counts agree with a file? See [`tesuji_core::perft_file`].

use tesuji_core::perft_file::{Entry, entries};
use tesuji_core::{Game, perft};

use crate::reference::{Reference, perft_by_reference};

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
