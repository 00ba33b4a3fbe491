//! Names, text and drawings of rectangular boards, the same for all games.
//!
//! A position's text is one line: the rows from top to bottom, `/` between
//! them, a letter for each piece (`b`, `w`) and a number for each run of empty
//! cells, then the side to move and whatever else the game needs, with blanks
//! between: `bb1/3/ww1 w`.

use std::fmt::Write as _;

use tesuji_core::{ParsePositionError, Side, drawing};

/// How columns are lettered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Columns {
    /// a, b, c, …
    AllLetters,
    /// The same without i, as Go has it.
    SkipI,
}

/// Which row is called 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RowOne {
    Bottom,
    Top,
}

/// A board's shape and the names of its cells. Cells are (x, y) pairs; y = 0 is
/// the row named 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) columns: Columns,
    pub(crate) row_one: RowOne,
}

impl Grid {
    /// The name of a cell, such as `c4`.
    pub(crate) fn name(&self, (x, y): (usize, usize)) -> String {
        format!("{}{}", self.letter(x), y + 1)
    }

    /// The cell with this name, in upper or lower case.
    pub(crate) fn cell(&self, name: &str) -> Option<(usize, usize)> {
        let mut chars = name.chars();
        let letter = chars.next()?.to_ascii_lowercase();
        let digits = chars.as_str();
        // Refuses "+1", "01" and the like, which `parse` would take.
        if !digits.bytes().all(|digit| digit.is_ascii_digit()) || digits.starts_with('0') {
            return None;
        }
        let x = (0..self.width).find(|&x| self.letter(x) == letter)?;
        let row: usize = digits.parse().ok()?;
        (1..=self.height).contains(&row).then(|| (x, row - 1))
    }

    /// Whether a text has the form of a cell's name, on this board or not.
    pub(crate) fn looks_like_a_cell(&self, text: &str) -> bool {
        let mut chars = text.chars();
        chars.next().is_some_and(|letter| letter.is_ascii_alphabetic())
            && !chars.as_str().is_empty()
            && chars.all(|digit| digit.is_ascii_digit())
    }

    /// Which cells there are.
    pub(crate) fn cells_in_words(&self) -> String {
        let without = if self.columns == Columns::SkipI && self.width > 8 { " without i" } else { "" };
        let (last, height) = (self.letter(self.width - 1), self.height);
        format!("the board has columns a to {last}{without} and rows 1 to {height}")
    }

    /// The letter of a column.
    pub(crate) fn letter(&self, x: usize) -> char {
        let skipped = usize::from(self.columns == Columns::SkipI && x >= 8);
        (b'a' + (x + skipped) as u8) as char
    }

    /// The rows from top to bottom, as y.
    fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        let (height, row_one) = (self.height, self.row_one);
        (0..height).map(move |row| match row_one {
            RowOne::Bottom => height - 1 - row,
            RowOne::Top => row,
        })
    }

    /// The rows part of a position's text.
    pub(crate) fn rows_text(&self, cell: impl Fn(usize, usize) -> Option<Side>) -> String {
        let mut text = String::new();
        for (row, y) in self.rows().enumerate() {
            if row > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for x in 0..self.width {
                match cell(x, y) {
                    None => empty += 1,
                    Some(side) => {
                        if empty > 0 {
                            let _ = write!(text, "{empty}");
                        }
                        empty = 0;
                        text.push(side.letter());
                    }
                }
            }
            if empty > 0 {
                let _ = write!(text, "{empty}");
            }
        }
        text
    }

    /// Reads a position's text: its cells go to `place`, the side to move and the
    /// further fields come back. There must be exactly `n_fields` of the latter.
    pub(crate) fn parse<'a>(
        &self,
        text: &'a str,
        n_fields: usize,
        mut place: impl FnMut(usize, usize, Side),
    ) -> Result<(Side, Vec<&'a str>), ParsePositionError> {
        let error = |reason: String| ParsePositionError::new(text, reason);
        let mut fields = text.split_whitespace();
        let rows: Vec<&str> = fields.next().unwrap_or_default().split('/').collect();
        if rows.len() != self.height {
            let found = if rows.len() == 1 { "1 row".to_owned() } else { format!("{} rows", rows.len()) };
            return Err(error(format!("it has {found}; this board has {} rows", self.height)));
        }
        for (row, y) in rows.iter().zip(self.rows()) {
            self.parse_row(row, |x, side| place(x, y, side)).map_err(error)?;
        }
        let side = match fields.next() {
            Some("b") => Side::Black,
            Some("w") => Side::White,
            other => {
                let found = other.map_or("nothing".to_owned(), |word| format!("'{word}'"));
                return Err(error(format!("after the rows comes the side to move, b or w, not {found}")));
            }
        };
        let rest: Vec<&str> = fields.collect();
        if rest.len() != n_fields {
            let n = rest.len();
            return Err(error(format!("after the side to move come {n_fields} more fields, not {n}")));
        }
        Ok((side, rest))
    }

    fn parse_row(&self, row: &str, mut place: impl FnMut(usize, Side)) -> Result<(), String> {
        let mut x = 0;
        let mut run: Option<usize> = None;
        for letter in row.chars() {
            if let Some(digit) = letter.to_digit(10) {
                run = Some(run.unwrap_or(0) * 10 + digit as usize);
                if run > Some(self.width) {
                    break;
                }
                continue;
            }
            x += run.take().unwrap_or(0);
            match Side::from_letter(letter) {
                Some(side) if x < self.width => place(x, side),
                Some(_) => {}
                None => return Err(format!("a row holds b, w and numbers of empty cells, not '{letter}'")),
            }
            x += 1;
        }
        x += run.unwrap_or(0);
        if x != self.width {
            return Err(format!("row '{row}' does not have {} cells", self.width));
        }
        Ok(())
    }

    /// The board with its coordinates, one character a cell, each row shifted
    /// right by `slant` columns more than the row above it.
    pub(crate) fn drawing(&self, slant: usize, cell: impl Fn(usize, usize) -> char) -> String {
        let mut text = String::new();
        let letters = |indent: usize| {
            let letters: Vec<String> = (0..self.width).map(|x| self.letter(x).to_string()).collect();
            format!("{:indent$}{}\n", "", letters.join(" "))
        };
        text.push_str(&letters(3));
        for (row, y) in self.rows().enumerate() {
            let indent = row * slant;
            let _ = write!(text, "{:indent$}{:2}", "", y + 1);
            for x in 0..self.width {
                let _ = write!(text, " {}", cell(x, y));
            }
            let _ = writeln!(text, " {}", y + 1);
        }
        text.push_str(&letters(3 + self.height * slant));
        text
    }
}

/// Returns the symbol of a cell with a stone or without one.
pub(crate) fn mark(cell: Option<Side>) -> char {
    cell.map_or(drawing::EMPTY, drawing::stone)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GO: Grid = Grid { width: 9, height: 9, columns: Columns::SkipI, row_one: RowOne::Bottom };

    #[test]
    fn cells_have_names() {
        assert_eq!(GO.name((8, 0)), "j1");
        assert_eq!(GO.cell("J1"), Some((8, 0)));
        for bad in
            ["", "i1", "k1", "a0", "a10", "a+1", "a01", "a", "1a", "é1", "a1 ", "a99999999999999999999"]
        {
            assert_eq!(GO.cell(bad), None, "{bad}");
        }
    }

    #[test]
    fn rows_are_read_as_written() {
        let grid = Grid { width: 12, height: 2, columns: Columns::AllLetters, row_one: RowOne::Top };
        let text = "b10w/12 w 3";
        let mut cells = Vec::new();
        let (side, rest) = grid.parse(text, 1, |x, y, side| cells.push((x, y, side))).unwrap();
        assert_eq!((side, rest), (Side::White, vec!["3"]));
        assert_eq!(cells, [(0, 0, Side::Black), (11, 0, Side::White)]);
        let find = |x, y| cells.iter().find(|cell| (cell.0, cell.1) == (x, y)).map(|cell| cell.2);
        assert_eq!(grid.rows_text(find), "b10w/12");
        for bad in [
            "",
            "12",
            "12/12",
            "12/12 x 3",
            "12/12 b",
            "13/12 b 3",
            "11/12 b 3",
            "12/12/12 b 3",
            "b12/12 b 3",
        ] {
            assert!(grid.parse(bad, 1, |_, _, _| {}).is_err(), "{bad}");
        }
    }
}
