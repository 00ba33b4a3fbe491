//! Hex written slowly: a list of rows of cells, and a walk over neighbours.

use tesuji_core::{Outcome, Side};
use tesuji_testkit::reference::Reference;

#[derive(Clone)]
pub(super) struct SlowHex {
    rows: Vec<Vec<Option<Side>>>,
    to_move: Side,
    swap_allowed: bool,
    n_turns: u32,
}

impl SlowHex {
    pub(super) fn new(size: usize, swap_allowed: bool) -> SlowHex {
        SlowHex { rows: vec![vec![None; size]; size], to_move: Side::Black, swap_allowed, n_turns: 0 }
    }

    pub(super) fn with(mut self, x: usize, y: usize, side: Side) -> SlowHex {
        self.rows[y][x] = Some(side);
        self
    }

    pub(super) fn winner(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.connected(side))
    }

    fn name(x: usize, y: usize) -> String {
        format!("{}{}", "abcdefghijklmnopqrs".chars().nth(x).unwrap(), y + 1)
    }

    fn neighbours(&self, x: usize, y: usize) -> Vec<(usize, usize)> {
        let size = self.rows.len() as i32;
        [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
            .into_iter()
            .map(|(dx, dy)| (x as i32 + dx, y as i32 + dy))
            .filter(|&(x, y)| x >= 0 && y >= 0 && x < size && y < size)
            .map(|(x, y)| (x as usize, y as usize))
            .collect()
    }

    fn connected(&self, side: Side) -> bool {
        let last = self.rows.len() - 1;
        // How far a cell is from the side's first edge.
        let depth = |x: usize, y: usize| if side == Side::Black { y } else { x };
        let mut seen = vec![vec![false; last + 1]; last + 1];
        let mut todo = Vec::new();
        for y in 0..=last {
            for x in 0..=last {
                if depth(x, y) == 0 {
                    todo.push((x, y));
                }
            }
        }
        while let Some((x, y)) = todo.pop() {
            if self.rows[y][x] != Some(side) || seen[y][x] {
                continue;
            }
            if depth(x, y) == last {
                return true;
            }
            seen[y][x] = true;
            todo.extend(self.neighbours(x, y));
        }
        false
    }
}

impl Reference for SlowHex {
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner().map(Outcome::Win)
    }

    fn legal_moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for (y, row) in self.rows.iter().enumerate() {
            for (x, cell) in row.iter().enumerate() {
                if cell.is_none() {
                    moves.push(SlowHex::name(x, y));
                }
            }
        }
        if self.swap_allowed && self.n_turns == 1 {
            moves.push("swap".to_owned());
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        let size = self.rows.len();
        if mv == "swap" {
            let mut mirrored = vec![vec![None; size]; size];
            for (y, row) in self.rows.iter().enumerate() {
                for (x, cell) in row.iter().enumerate() {
                    mirrored[x][y] = cell.map(|_| Side::White);
                }
            }
            self.rows = mirrored;
        } else {
            let cells = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
            let (x, y) = cells.into_iter().find(|&(x, y)| SlowHex::name(x, y) == mv).unwrap();
            self.rows[y][x] = Some(self.to_move);
        }
        self.to_move = self.to_move.other();
        self.n_turns += 1;
    }
}
