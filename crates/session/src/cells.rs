//! A board as a list of cells, and what Go sees in it: chains and areas.

use tesuji_catalog::GameSpec;
use tesuji_core::Side;
use tesuji_search::Board;

/// Whose piece stands where. Cell (x, y) has the number `x + width·y`; row 0 is the one that
/// moves call 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cells {
    /// The number of columns.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
    /// The pieces.
    pub pieces: Vec<Option<Side>>,
}

impl Cells {
    /// Those of a position.
    pub fn of(spec: &GameSpec, position: &dyn Board) -> Cells {
        let (width, height) = spec.board();
        let pieces = (0..width * height).map(|cell| position.piece_at(cell % width, cell / width));
        Cells { width, height, pieces: pieces.collect() }
    }

    /// The neighbours of a cell.
    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (width, height) = (self.width, self.height);
        let (x, y) = (cell % width, cell / width);
        let left = (x > 0).then(|| cell - 1);
        let right = (x + 1 < width).then(|| cell + 1);
        let below = (y > 0).then(|| cell - width);
        let above = (y + 1 < height).then(|| cell + width);
        [left, right, below, above].into_iter().flatten()
    }

    /// The chains of pieces and the regions without any: each a list of cells, in the order
    /// of their first.
    pub fn regions(&self) -> Vec<Vec<usize>> {
        let mut is_seen = vec![false; self.pieces.len()];
        let mut regions = Vec::new();
        for first in 0..self.pieces.len() {
            if std::mem::replace(&mut is_seen[first], true) {
                continue;
            }
            let mut region = vec![first];
            let mut next = 0;
            while let Some(&cell) = region.get(next) {
                next += 1;
                for beside in self.neighbours(cell) {
                    if self.pieces[beside] == self.pieces[first]
                        && !std::mem::replace(&mut is_seen[beside], true)
                    {
                        region.push(beside);
                    }
                }
            }
            regions.push(region);
        }
        regions
    }

    /// Whose each cell is when areas are counted: a stone's its side's, an empty one's that
    /// of the only side whose stones are around its region.
    pub fn owners(&self) -> Vec<Option<Side>> {
        let mut owners = self.pieces.clone();
        for region in self.regions().into_iter().filter(|region| self.pieces[region[0]].is_none()) {
            let around = region.iter().flat_map(|&cell| self.neighbours(cell));
            let mut sides: Vec<Side> = around.filter_map(|cell| self.pieces[cell]).collect();
            sides.dedup();
            let owner = match sides.first() {
                Some(&side) if sides.iter().all(|&other| other == side) => Some(side),
                _ => None,
            };
            region.iter().for_each(|&cell| owners[cell] = owner);
        }
        owners
    }

    /// Black's area less White's.
    pub fn area_difference(&self) -> i64 {
        let value = |owner: &Option<Side>| match owner {
            Some(Side::Black) => 1,
            Some(Side::White) => -1,
            None => 0,
        };
        self.owners().iter().map(value).sum()
    }

    /// The board without some of its pieces.
    #[must_use]
    pub fn without(&self, dead: &[Vec<usize>]) -> Cells {
        let mut cells = self.clone();
        dead.iter().flatten().for_each(|&cell| cells.pieces[cell] = None);
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(rows: &[&str]) -> Cells {
        let piece = |mark: char| match mark {
            'X' => Some(Side::Black),
            'O' => Some(Side::White),
            _ => None,
        };
        // Drawn with row 1 at the bottom.
        let pieces = rows.iter().rev().flat_map(|row| row.chars().map(piece)).collect();
        Cells { width: rows[0].len(), height: rows.len(), pieces }
    }

    #[test]
    fn areas_are_counted() {
        let board = cells(&[".XO.", "XXOO", ".X.O", "XXXO"]);
        // The point between the chains is nobody's.
        assert_eq!(board.owners().iter().filter(|owner| owner.is_none()).count(), 1);
        assert_eq!(board.area_difference(), 9 - 6);
        assert_eq!(board.regions().len(), 6);
        let white = board.regions().into_iter().find(|region| board.pieces[region[0]] == Some(Side::White));
        assert_eq!(board.without(&[white.unwrap()]).area_difference(), 16);
    }

    #[test]
    fn an_empty_board_is_nobodys() {
        assert_eq!(cells(&["..", ".."]).area_difference(), 0);
    }
}
