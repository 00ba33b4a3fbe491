//! Ataxx as plainly as possible: rows of cells, moves as texts.

use tesuji_core::{Draws, Outcome, Side};
use tesuji_testkit::reference::Reference;

#[derive(Clone)]
pub(super) struct Slow {
    /// By row from the bottom, then by column.
    cells: Vec<Vec<Option<Side>>>,
    to_move: Side,
    plies: u32,
    draws: Draws,
    ply_cap: u32,
}

impl Slow {
    pub(super) fn new(size: usize, draws: Draws, ply_cap: u32) -> Slow {
        let mut cells = vec![vec![None; size]; size];
        cells[0][0] = Some(Side::White);
        cells[size - 1][size - 1] = Some(Side::White);
        cells[0][size - 1] = Some(Side::Black);
        cells[size - 1][0] = Some(Side::Black);
        Slow { cells, to_move: Side::White, plies: 0, draws, ply_cap }
    }

    fn count(&self, wanted: Option<Side>) -> usize {
        self.cells.iter().flatten().filter(|&&cell| cell == wanted).count()
    }

    /// All (x, y) at this distance: the greater of the differences of columns
    /// and of rows.
    fn at_distance(&self, (x, y): (usize, usize), distance: usize) -> Vec<(usize, usize)> {
        let size = self.cells.len();
        let all = (0..size).flat_map(|v| (0..size).map(move |u| (u, v)));
        all.filter(|&(u, v)| x.abs_diff(u).max(y.abs_diff(v)) == distance).collect()
    }

    /// The moves of a side other than passing.
    fn real_moves(&self, side: Side) -> Vec<String> {
        let size = self.cells.len();
        let mut moves = Vec::new();
        for y in 0..size {
            for x in 0..size {
                if self.cells[y][x].is_some() {
                    continue;
                }
                let own = |&(u, v): &(usize, usize)| self.cells[v][u] == Some(side);
                if self.at_distance((x, y), 1).iter().any(own) {
                    moves.push(name((x, y)));
                }
                for from in self.at_distance((x, y), 2).into_iter().filter(own) {
                    moves.push(format!("{}-{}", name(from), name((x, y))));
                }
            }
        }
        moves
    }

    fn is_over(&self) -> bool {
        self.count(None) == 0
            || self.count(Some(Side::Black)) == 0
            || self.count(Some(Side::White)) == 0
            || Side::BOTH.iter().all(|&side| self.real_moves(side).is_empty())
            || self.plies >= self.ply_cap
    }
}

fn name((x, y): (usize, usize)) -> String {
    format!("{}{}", "abcdefgh".chars().nth(x).unwrap(), y + 1)
}

fn cell(name: &str) -> (usize, usize) {
    let x = "abcdefgh".find(&name[..1]).unwrap();
    (x, name[1..].parse::<usize>().unwrap() - 1)
}

impl Reference for Slow {
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        let (black, white) = (self.count(Some(Side::Black)), self.count(Some(Side::White)));
        Some(if black > white {
            Outcome::Win(Side::Black)
        } else if white > black {
            Outcome::Win(Side::White)
        } else if self.draws == Draws::Black {
            Outcome::Win(Side::Black)
        } else {
            Outcome::Draw
        })
    }

    fn legal_moves(&self) -> Vec<String> {
        if self.is_over() {
            return Vec::new();
        }
        let moves = self.real_moves(self.to_move);
        if moves.is_empty() { vec!["pass".to_owned()] } else { moves }
    }

    fn play(&mut self, mv: &str) {
        if mv != "pass" {
            let to = mv.split('-').next_back().unwrap();
            if let Some((from, _)) = mv.split_once('-') {
                let (x, y) = cell(from);
                self.cells[y][x] = None;
            }
            let (x, y) = cell(to);
            self.cells[y][x] = Some(self.to_move);
            for (u, v) in self.at_distance((x, y), 1) {
                if self.cells[v][u].is_some() {
                    self.cells[v][u] = Some(self.to_move);
                }
            }
        }
        self.to_move = !self.to_move;
        self.plies += 1;
    }
}
