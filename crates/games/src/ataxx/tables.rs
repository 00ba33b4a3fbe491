//! What is near a cell, how many tuples of slots there are, and the codes of moves.
//!
//! The tables are those of the largest board. A smaller board needs none of its
//! own: its stones and empty cells are all within it.

use tesuji_core::{Code, Side};

use crate::bits::STRIDE;

/// The cells at Chebyshev distance exactly `distance` from each cell. The last
/// entry stands for no cell: a count of trailing zeros goes from 0 to 64, and a
/// table as long as that is read without a test of the index.
const fn around(distance: usize) -> [u64; 65] {
    let mut table = [0; 65];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let columns = (from % STRIDE).abs_diff(to % STRIDE);
            let rows = (from / STRIDE).abs_diff(to / STRIDE);
            let farther = if columns > rows { columns } else { rows };
            if farther == distance {
                table[from] |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    table
}

/// How many slots a playout draws from one random word.
pub(super) const SLOTS_A_WORD: u32 = 7;

/// The most slots a position has: sixteen for each of 31 own stones, and one for
/// each of 32 empty cells. Seven draws from so many just fit a word.
const MOST_SLOTS: usize = 16 * 31 + 32;

/// The numbers of tuples of slots where each of n things has `slots` of them.
/// Entries beyond the most slots are never read; they are there for indices
/// whose bound the compiler knows, and so does not test.
const fn tuples<const N: usize>(slots: usize) -> [u64; N] {
    let mut table = [0; N];
    let mut n = 0;
    while n < N && n * slots <= MOST_SLOTS {
        table[n] = ((n * slots) as u64).pow(SLOTS_A_WORD);
        n += 1;
    }
    table
}

/// What a playout looks up. It is one table since that takes one register for
/// its address, and playouts are short of registers.
struct Tables {
    adjacent: [u64; 65],
    ring: [u64; 65],
    tuples: [u64; 17 * 64 + 1],
    tuples_by_17: [u64; 65],
}

static TABLES: Tables =
    Tables { adjacent: around(1), ring: around(2), tuples: tuples(1), tuples_by_17: tuples(17) };

/// The cells next to a cell, those whose stones a move there flips.
#[inline(always)]
pub(super) fn adjacent(cell: usize) -> u64 {
    TABLES.adjacent[cell]
}

/// The cells that a stone can jump to, or be jumped to from: the way there is
/// the way back.
#[inline(always)]
pub(super) fn ring(cell: usize) -> u64 {
    TABLES.ring[cell]
}

/// The number of tuples of [`SLOTS_A_WORD`] slots.
#[inline(always)]
pub(super) fn n_tuples(n_slots: u32) -> u64 {
    TABLES.tuples[n_slots as usize]
}

/// The number of tuples of [`SLOTS_A_WORD`] slots where each cell has 17.
#[inline(always)]
pub(super) fn n_tuples_by_17(n_cells: u32) -> u64 {
    TABLES.tuples_by_17[n_cells as usize]
}

/// The cells next to any of these stones, among them stones.
#[inline(always)]
pub(super) fn neighbours(stones: u64) -> u64 {
    const FIRST_COLUMN: u64 = u64::MAX / 0xff;
    let wide = stones | (stones << 1 & !FIRST_COLUMN) | (stones >> 1 & !(FIRST_COLUMN << 7));
    wide | wide << STRIDE | wide >> STRIDE
}

const N_CLONES: usize = 2 * 64;
const N_JUMPS: usize = 2 * 64 * N_DIRECTIONS;

/// The number of directions of jumps.
pub(super) const N_DIRECTIONS: usize = 16;

/// Clones (side, to), then jumps (side, from, direction), then passes (side).
pub(super) const N_CODES: usize = N_CLONES + N_JUMPS + 2;

/// The difference of the cells of a jump by two columns and two rows, the
/// greatest there is.
const LONGEST: usize = 2 + 2 * STRIDE;

/// The numbers of the sixteen directions of jumps, by the difference of the
/// cells plus [`LONGEST`].
static DIRECTION: [u8; 64] = {
    let mut table = [0; 64];
    let mut number = 0;
    // Columns and rows from -2 to 2, counted from 0.
    let mut row = 0;
    while row < 5 {
        let mut column = 0;
        while column < 5 {
            if row % 4 == 0 || column % 4 == 0 {
                table[column + STRIDE * row] = number;
                number += 1;
            }
            column += 1;
        }
        row += 1;
    }
    table
};

/// The number of the direction of a jump: by rows from two below to two above, and within a row
/// by columns from two to the left to two to the right.
#[inline(always)]
pub(super) fn direction(from: usize, to: usize) -> usize {
    usize::from(DIRECTION[(to + LONGEST - from) % 64])
}

#[inline(always)]
pub(super) fn code_of_clone(side: Side, to: usize) -> Code {
    (side.index() * 64 + to) as Code
}

#[inline(always)]
pub(super) fn code_of_jump(side: Side, from: usize, to: usize) -> Code {
    (N_CLONES + (side.index() * 64 + from) * N_DIRECTIONS + direction(from, to)) as Code
}

#[inline(always)]
pub(super) fn code_of_pass(side: Side) -> Code {
    (N_CLONES + N_JUMPS + side.index()) as Code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::indices;

    #[test]
    fn rings_have_the_sizes_they_should() {
        let sizes: Vec<u32> = (0..4).map(|cell| TABLES.ring[cell * (STRIDE + 1)].count_ones()).collect();
        assert_eq!(sizes, [5, 7, 16, 16]);
        let sizes: Vec<u32> = (0..4).map(|cell| TABLES.adjacent[cell * (STRIDE + 1)].count_ones()).collect();
        assert_eq!(sizes, [3, 8, 8, 8]);
        for cell in 0..64 {
            assert_eq!(neighbours(1 << cell), adjacent(cell) | 1 << cell);
        }
    }

    #[test]
    fn tuples_are_counted_without_overflow() {
        for n in 0..=MOST_SLOTS as u32 {
            assert_eq!(Some(n_tuples(n)), u64::from(n).checked_pow(SLOTS_A_WORD));
        }
        for n in 0..=31 {
            assert_eq!(n_tuples_by_17(n), n_tuples(17 * n));
        }
    }

    #[test]
    fn every_move_has_a_code_of_its_own() {
        let mut seen = vec![false; N_CODES];
        let mut take = |code: Code| assert!(!std::mem::replace(&mut seen[usize::from(code)], true));
        for side in Side::BOTH {
            for from in 0..64 {
                take(code_of_clone(side, from));
                indices(ring(from)).for_each(|to| take(code_of_jump(side, from, to)));
            }
            take(code_of_pass(side));
        }
    }
}
