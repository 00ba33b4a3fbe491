//! Who is connected, by flooding four rows (or three) at a time.
//!
//! A board is a few words, each of some rows from top to bottom, each row in a
//! lane of bits with at least one free bit above it: for x = 0 the least bit.
//! One step of the flood takes a word's cells to all six neighbours in the word,
//! and to the right along whole runs, because there an addition's carry does it.
//! Rows that the flood enters from below, as it winds back up, cost nothing
//! extra inside a word, and between words it rarely goes back.
//!
//! One question answers all others: on a full board one side is connected, so
//! White joins left and right exactly when the cells that are not White's do not
//! join top and bottom.

/// Whether these cells join the top row with the bottom row of a board of this
/// size. No cell is outside of the board.
#[inline(always)]
pub(super) fn joins_top_and_bottom<const WORDS: usize, const ROWS: usize>(
    cells: &[u64; WORDS],
    size: usize,
) -> bool {
    let lane = 64 / ROWS;
    let last_lane = lane * (ROWS - 1);
    let bottom_word = (size - 1) / ROWS;
    let bottom_lane = (size - 1) % ROWS * lane;
    let mut reached = [0; WORDS];
    reached[0] = cells[0] & ((1 << lane) - 1);
    let mut at = 0;
    loop {
        // Words above `at` are flooded and hold all that they lead to.
        let here = flooded::<ROWS>(reached[at], cells[at]);
        reached[at] = here;
        if at == bottom_word && here >> bottom_lane != 0 {
            return true;
        }
        if at > 0 {
            let back = (here << last_lane | here << (last_lane + 1)) & cells[at - 1];
            if back & !reached[at - 1] != 0 {
                reached[at - 1] |= back;
                at -= 1;
                continue;
            }
        }
        if at == bottom_word {
            return false;
        }
        at += 1;
        let lowest = here >> last_lane;
        reached[at] |= (lowest | lowest >> 1) & cells[at];
        if reached[at] == 0 {
            return false;
        }
    }
}

/// All cells of one word that are connected, within it, with the `reached` ones.
#[inline(always)]
fn flooded<const ROWS: usize>(mut reached: u64, cells: u64) -> u64 {
    let lane = 64 / ROWS;
    loop {
        let before = reached;
        let below = reached << lane | reached << (lane - 1);
        let above = reached >> lane | reached >> (lane - 1);
        reached |= (below | above | reached >> 1) & cells;
        // Each run of cells is a run of ones. Adding a one inside clears all
        // above it, up to the zero that ends the run and takes the carry.
        reached |= cells & !cells.wrapping_add(reached);
        if reached == before {
            return reached;
        }
    }
}
