//! Ataxx in text: moves, positions, drawings.

use tesuji_core::{Game, ParseMoveError, ParsePositionError, Side, parse_legal_move};

use super::{Ataxx, AtaxxMove};
use crate::bits::{bit, cell};
use crate::grid::{Columns, Grid, RowOne, mark};

impl Ataxx {
    fn grid(&self) -> Grid {
        Grid {
            width: self.rules.size,
            height: self.rules.size,
            columns: Columns::AllLetters,
            row_one: RowOne::Bottom,
        }
    }

    /// `g2` for a clone, `a1-c3` for a jump, `pass`.
    pub(super) fn text_of_move(&self, mv: AtaxxMove) -> String {
        let name = |index: u8| self.grid().name(cell(index.into()));
        match mv {
            AtaxxMove::Clone { to } => name(to),
            AtaxxMove::Jump { from, to } => format!("{}-{}", name(from), name(to)),
            AtaxxMove::Pass => "pass".to_owned(),
        }
    }

    /// Reads such a text in upper or lower case.
    pub(super) fn parse_text_of_move(&self, text: &str) -> Result<AtaxxMove, ParseMoveError> {
        let index = |name| self.grid().cell(name).map(|cell| bit(cell).trailing_zeros() as u8);
        let named = match text.trim().split_once('-') {
            None => index(text.trim()).map(|to| AtaxxMove::Clone { to }),
            Some((from, to)) => index(from).and_then(|from| index(to).map(|to| AtaxxMove::Jump { from, to })),
        };
        match named {
            Some(mv) if self.is_legal(mv) => Ok(mv),
            // A pass, or else the error that lists what is legal.
            _ => parse_legal_move(self, text),
        }
    }

    /// The position in one line, the ply number last: `b5w/8/8/8/8/8/8/w6b w 0`.
    pub(super) fn line(&self) -> String {
        let rows = self.grid().rows_text(|x, y| self.owner(bit((x, y))));
        format!("{rows} {} {}", self.to_move().letter(), self.plies)
    }

    pub(super) fn owner(&self, cell: u64) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.stones[side.index()] & cell != 0)
    }

    /// Reads such a line. Refuses what counting shows to be impossible; whether
    /// some game leads to the position is not asked beyond that.
    pub(super) fn parse_line(&self, text: &str) -> Result<Ataxx, ParsePositionError> {
        let error = |reason: String| Err(ParsePositionError::new(text, reason));
        let mut stones = [0; 2];
        let (to_move, fields) =
            self.grid().parse(text, 1, |x, y, side: Side| stones[side.index()] |= bit((x, y)))?;
        let cap = self.rules.ply_cap;
        let digits = fields[0].bytes().all(|digit| digit.is_ascii_digit());
        let plies = match fields[0].parse::<u32>() {
            Ok(plies) if digits && plies <= cap => plies,
            _ => return error(format!("the ply number goes from 0 to {cap}, and is not '{}'", fields[0])),
        };
        let position = Ataxx { stones, plies, ..self.clone() };
        if to_move != position.to_move() {
            return error(format!("at ply {plies} {} is to move, not {to_move}", position.to_move()));
        }
        // A ply adds one stone or none.
        let n_stones = u64::from((stones[0] | stones[1]).count_ones());
        let most = 4 + u64::from(plies);
        if !(4..=most).contains(&n_stones) {
            let range = if most == 4 { "4".to_owned() } else { format!("4 to {most}") };
            return error(format!("at ply {plies} there are {range} stones, not {n_stones}"));
        }
        // Who has just moved has a stone there, and who passes has stones too.
        if stones[(!to_move).index()] == 0 {
            return error(format!("{} has just moved and so has at least one stone", !to_move));
        }
        if plies == 0 && stones[to_move.index()] == 0 {
            return error(format!("at ply 0 both sides have stones, and {to_move} has none"));
        }
        Ok(Ataxx { hash: position.recomputed_hash(), ..position })
    }

    /// The board, X for Black and O for White.
    pub(super) fn board_drawing(&self) -> String {
        self.grid().drawing(0, |x, y| mark(self.owner(bit((x, y)))))
    }
}
