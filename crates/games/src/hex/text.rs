//! Positions of Hex as text and as drawings.

use std::fmt::Write as _;

use tesuji_core::{ParsePositionError, Side, drawing};

use super::{Hex, HexRules, Swap};
use crate::grid::{Columns, Grid, RowOne, mark};

impl<const WORDS: usize, const ROWS: usize> Hex<WORDS, ROWS> {
    pub(super) fn grid(&self) -> Grid {
        let size = self.size();
        Grid { width: size, height: size, columns: Columns::AllLetters, row_one: RowOne::Top }
    }

    /// Such as `3/1b1/3 w`. Whether White may swap need not be written: it may
    /// where the rules have it and Black's first stone is alone on the board.
    pub(super) fn text(&self) -> String {
        let rows = self.grid().rows_text(|x, y| self.stone(x, y));
        format!("{rows} {}", self.to_move.letter())
    }

    pub(super) fn read(&self, text: &str) -> Result<Self, ParsePositionError> {
        let error = |reason: &str| ParsePositionError::new(text, reason);
        let rules = HexRules { size: self.size(), swap: self.swap };
        let mut game = Hex::new(rules).map_err(|size| error(&size.to_string()))?;
        let (to_move, _) = self.grid().parse(text, 0, |x, y, side| game.put(side, x, y))?;
        if to_move == Side::White {
            game.pass_the_turn();
        }
        game.check_counts().map_err(|reason| error(&reason))?;
        game.find_winner().map_err(|reason| error(&reason))?;
        Ok(game)
    }

    /// Whether these numbers of stones are possible. Each side plays one stone a turn, and
    /// a swap turns the first stone, Black's, into one of White's.
    fn check_counts(&self) -> Result<(), String> {
        let (black, white) = (self.n_stones(Side::Black), self.n_stones(Side::White));
        let swapped = self.swap == Swap::On;
        let (possible, rule) = match self.to_move {
            Side::Black => {
                (black == white || swapped && black + 1 == white, "as many Black stones as White ones")
            }
            Side::White => (
                black == white + 1 || swapped && black == white && white > 0,
                "one Black stone more than White ones",
            ),
        };
        if possible {
            return Ok(());
        }
        let or_swapped = if swapped { ", or one fewer after a swap" } else { "" };
        Err(format!(
            "with {} to move there must be {rule}{or_swapped}, not {black} Black and {white} White",
            self.to_move
        ))
    }

    /// Remembers who is connected, if somebody is: never both, since each chain
    /// cuts the board in two.
    fn find_winner(&mut self) -> Result<(), String> {
        let Some(winner) = Side::BOTH.into_iter().find(|&side| self.is_connected(side)) else {
            return Ok(());
        };
        if winner == self.to_move {
            return Err(format!("{winner} is connected, so it cannot be {winner}'s turn"));
        }
        if !self.one_stone_decides(winner) {
            return Err(format!("{winner} was connected before the last stone already"));
        }
        self.winner = Some(winner);
        Ok(())
    }

    /// Whether some stone of the connected side could have been the last one:
    /// without it, the side is not connected.
    fn one_stone_decides(&self, winner: Side) -> bool {
        let cells = (0..self.size()).flat_map(|y| (0..self.size()).map(move |x| (x, y)));
        cells.filter(|&(x, y)| self.stone(x, y) == Some(winner)).any(|(x, y)| {
            let (word, shift) = Self::place(x, y);
            let mut without = self.clone();
            without.stones[winner.index()][word] &= !(1 << shift);
            without.empty[word] |= 1 << shift;
            !without.is_connected(winner)
        })
    }

    /// The board slanting to the right, so that neighbours in the drawing are
    /// neighbours on the board, within a frame of small symbols: an edge marked •
    /// is one of Black's, one marked ◦ of White's.
    pub(super) fn drawn(&self) -> String {
        let (grid, size) = (self.grid(), self.size());
        // A row's number, frame and cells begin at 0, 3 and 5; every row above
        // begins one column further left, every row below one further right.
        let line = |indent: usize, marks: Vec<String>| format!("{:indent$}{}\n", "", marks.join(" "));
        let letters = || (0..size).map(|x| grid.letter(x).to_string()).collect();
        let frame = || vec![drawing::edge(Side::Black).to_string(); size + 1];
        let mut text = line(3, letters());
        text += &line(4, frame());
        for y in 0..size {
            let edge = drawing::edge(Side::White);
            let _ = write!(text, "{:y$}{:2} {edge}", "", y + 1);
            for x in 0..size {
                let _ = write!(text, " {}", mark(self.stone(x, y)));
            }
            let _ = writeln!(text, " {edge} {}", y + 1);
        }
        text += &line(3 + size, frame());
        text += &line(6 + size, letters());
        text
    }
}
