//! Domineering in text: moves, positions, drawings.

use tesuji_core::{Game, ParseMoveError, ParsePositionError, Side, drawing, parse_legal_move};

use super::{Domineering, Domino};
use crate::bits::{bit, cell, indices};
use crate::grid::{Columns, Grid, RowOne};

impl Domineering {
    fn grid(&self) -> Grid {
        Grid {
            width: self.width(),
            height: self.height(),
            columns: Columns::AllLetters,
            row_one: RowOne::Bottom,
        }
    }

    /// Both cells, the lower or left one first: `d4-d5`, `d4-e4`.
    pub(super) fn domino_text(&self, domino: Domino) -> String {
        let names = indices(self.cells(domino)).map(|index| self.grid().name(cell(index)));
        names.collect::<Vec<_>>().join("-")
    }

    /// Takes the two cells in either order. One cell alone would leave open
    /// which of the two it is, so it is refused.
    pub(super) fn parse_domino(&self, text: &str) -> Result<Domino, ParseMoveError> {
        let pair = text.trim().split_once('-');
        let cells = pair.and_then(|(a, b)| Some([self.grid().cell(a)?, self.grid().cell(b)?]));
        if let Some(cells) = cells {
            let [a, b] = cells.map(bit);
            let domino = Domino { first: (a | b).trailing_zeros() as u8 };
            if self.is_legal(domino) && self.cells(domino) == a | b {
                return Ok(domino);
            }
        }
        // The texts of all moves were tried above: this one explains.
        parse_legal_move(self, text)
    }

    /// The position in one line: `8/8/8/3w4/3w4/8/8/8 b`.
    pub(super) fn line(&self) -> String {
        let rows = self.grid().rows_text(|x, y| self.owner(bit((x, y))));
        format!("{rows} {}", self.to_move.letter())
    }

    pub(super) fn owner(&self, cell: u64) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.covered[side.index()] & cell != 0)
    }

    /// Reads such a line. Accepts exactly the positions that can occur: a side's
    /// cells must cut into its dominoes and their numbers fit the side to move,
    /// and then the dominoes, laid in turn in any order, were legal moves.
    pub(super) fn parse_line(&self, text: &str) -> Result<Domineering, ParsePositionError> {
        let error = |reason: String| Err(ParsePositionError::new(text, reason));
        let mut covered = [0_u64; 2];
        let (to_move, _) = self.grid().parse(text, 0, |x, y, side| {
            covered[side.index()] |= bit((x, y));
        })?;
        for side in Side::BOTH {
            if first_ends(side, covered[side.index()]).is_none() {
                let (line, way) = match side {
                    Side::White => ("column", "vertical"),
                    Side::Black => ("row", "horizontal"),
                };
                return error(format!("{side}'s cells in a {line} do not make {way} dominoes"));
            }
        }
        let [black, white] = covered.map(|cells| cells.count_ones() / 2);
        let (ahead, wanted) = match to_move {
            Side::White => (0, "as many dominoes as"),
            Side::Black => (1, "one domino more than"),
        };
        if white != black + ahead {
            return error(format!(
                "with {to_move} to move, White has laid {wanted} Black, not {white} against {black}"
            ));
        }
        let mut position = Domineering { to_move, covered, ..self.clone() };
        position.hash = position.recomputed_hash();
        Ok(position)
    }

    /// The board with `∩` over `∪` for a vertical domino and `⊂ ⊃` for a
    /// horizontal one.
    pub(super) fn board_drawing(&self) -> String {
        let firsts = Side::BOTH.map(|side| {
            first_ends(side, self.covered[side.index()]).expect("a position is made of dominoes")
        });
        self.grid().drawing(0, |x, y| {
            let cell = bit((x, y));
            match self.owner(cell).map(|side| (side, firsts[side.index()] & cell != 0)) {
                None => drawing::EMPTY,
                Some((Side::White, true)) => '∪',
                Some((Side::White, false)) => '∩',
                Some((Side::Black, true)) => '⊂',
                Some((Side::Black, false)) => '⊃',
            }
        })
    }
}

/// The first cells of the dominoes that these cells of `side` are made of, or
/// `None` if they are not made of dominoes. There is only one way to cut them:
/// the lowest cell must be the first of its domino, and so on upwards.
fn first_ends(side: Side, mut cells: u64) -> Option<u64> {
    let mut firsts = 0;
    while cells != 0 {
        let first = cells.trailing_zeros();
        let domino = super::places(side, cells) & 1 << first;
        if domino == 0 {
            return None;
        }
        firsts |= domino;
        cells &= !(super::shape(side) << first);
    }
    Some(firsts)
}
