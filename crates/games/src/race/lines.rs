//! The lines along which pieces step, as shifts and masks.

use std::marker::PhantomData;

use tesuji_core::{Code, Side};

use super::{LONGEST, Piece};
use crate::Codes;

/// No piece steps in more ways. With sixteen pieces a side has at most 64
/// moves, so that the number of a move is the number of a bit in a word.
pub(super) const MOST_STEPS: usize = 4;

/// One way for a piece to step, as White sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Columns to the right; negative to the left.
    pub(crate) right: i32,
    /// Rows up, at least one.
    pub(crate) up: u32,
    /// Whether it may end on an enemy.
    pub(crate) captures: bool,
}

impl Step {
    /// The distance in bits, from the lower square to the upper one.
    #[inline(always)]
    pub(super) const fn shift(self) -> u32 {
        (8 * self.up).wrapping_add_signed(self.right)
    }
}

/// Kinds of moves: for each line those that capture nothing, then, where it
/// may capture, those that do.
pub(super) struct Kinds<P>(PhantomData<P>);

impl<P: Piece> Kinds<P> {
    /// The number of the first kind of each line, and then of all kinds. A
    /// constant, so that no playout ever adds it up.
    pub(super) const FIRST: [u32; MOST_STEPS + 1] = {
        let mut first = [0; MOST_STEPS + 1];
        let mut line = 0;
        while line < MOST_STEPS {
            let more = if line < P::STEPS.len() { 1 + P::STEPS[line].captures as u32 } else { 0 };
            first[line + 1] = first[line] + more;
            line += 1;
        }
        first
    };

    /// The number of kinds.
    pub(super) const ALL: u32 = Self::FIRST[MOST_STEPS];
}

/// The lines of one board.
pub(super) struct Lines {
    /// For each line, the squares that are the lower end of one with both ends
    /// on the board.
    on_board: [u64; MOST_STEPS],
    cells: u32,
    /// How many bits of each row lie off the board.
    margin: u32,
}

impl Lines {
    #[inline(always)]
    pub(super) fn new<P: Piece>(width: u8, height: u8) -> Lines {
        let mut on_board = [0; MOST_STEPS];
        for (squares, step) in on_board.iter_mut().zip(P::STEPS) {
            let board = first_rows(u32::from(height) - step.up);
            let columns = COLUMNS[usize::from(width) % 8];
            *squares = board & columns[(step.right + 2) as usize % 8];
        }
        Lines {
            on_board,
            cells: u32::from(width) * u32::from(height),
            margin: LONGEST as u32 - u32::from(width),
        }
    }

    /// The lower squares of the moves along each line that `side` could make if
    /// nobody had arrived.
    #[inline(always)]
    pub(super) fn lowers<P: Piece>(&self, side: Side, black: u64, white: u64) -> [u64; MOST_STEPS] {
        let mut lowers = [0; MOST_STEPS];
        for (line, step) in P::STEPS.iter().enumerate() {
            let shift = step.shift();
            let own = if side == Side::White { white } else { black };
            let blocked = if step.captures { own } else { black | white };
            let free = match side {
                Side::White => white & !(blocked >> shift),
                Side::Black => (black >> shift) & !blocked,
            };
            // A straight step upwards leaves the board only from a far row, and
            // there the game is over.
            let straight = step.right == 0 && step.up == 1;
            lowers[line] = if straight { free } else { free & self.on_board[line] };
        }
        lowers
    }

    /// The AMAF code of a move of this kind.
    #[inline(always)]
    pub(super) fn code<P: Piece>(&self, side: Side, from: u32, kind: u32) -> Code {
        // Squares are numbered without the margin, so that codes are dense.
        let cell = from - (from >> 3) * self.margin;
        let cells = self.cells * side.index() as u32 + cell;
        (cells * Kinds::<P>::ALL + kind) as Code
    }

    /// The code that stands for all moves that are one to `codes`, by the [`code`](Lines::code)
    /// of one of them.
    pub(super) fn coarse_code<P: Piece>(&self, codes: Codes, code: Code) -> Code {
        let kinds = Kinds::<P>::ALL;
        let (cells, kind) = (u32::from(code) / kinds, u32::from(code) % kinds);
        let line = (0..P::STEPS.len()).rfind(|&line| Kinds::<P>::FIRST[line] <= kind).unwrap_or(0);
        let coarse = match codes {
            Codes::Full => return code,
            Codes::Squares => cells * kinds + Kinds::<P>::FIRST[line],
            Codes::To => {
                let step = P::STEPS[line];
                let width = LONGEST as u32 - self.margin;
                let distance = (width * step.up).wrapping_add_signed(step.right);
                let is_white = cells >= self.cells;
                kinds * if is_white { cells + distance } else { cells - distance }
            }
        };
        coarse as Code
    }
}

/// The squares of the first `n` rows, of all eight columns; `n` is at least 1.
#[inline(always)]
const fn first_rows(n: u32) -> u64 {
    u64::MAX >> (64 - 8 * n)
}

/// For each width, and each step to the right from -2 to 2, the columns from
/// which it stays on the board. Eight by eight entries, so that an index cut
/// to three bits needs no check.
const COLUMNS: [[u64; 8]; 8] = {
    let mut table = [[0; 8]; 8];
    let mut width = 1;
    while width <= 8 {
        let mut step = 0;
        while step <= 4 {
            let mut x = 0;
            while x < width {
                let end = x + step;
                if end >= 2 && end < width + 2 {
                    table[width % 8][step] |= 0x0101_0101_0101_0101 << x;
                }
                x += 1;
            }
            step += 1;
        }
        width += 1;
    }
    table
};
