//! Domineering as plainly as possible: rows of flags, moves as texts.

use tesuji_core::{Outcome, Side};
use tesuji_testkit::reference::Reference;

#[derive(Clone)]
pub(super) struct Slow {
    /// Whether a cell is covered, by row from the bottom, then by column.
    covered: Vec<Vec<bool>>,
    to_move: Side,
}

impl Slow {
    pub(super) fn new(width: usize, height: usize) -> Slow {
        Slow { covered: vec![vec![false; width]; height], to_move: Side::White }
    }

    /// Both cells of every domino of the side to move, (column, row) each.
    fn dominoes(&self) -> Vec<[(usize, usize); 2]> {
        let (height, width) = (self.covered.len(), self.covered[0].len());
        let mut dominoes = Vec::new();
        for y in 0..height {
            for x in 0..width {
                let second = if self.to_move == Side::White { (x, y + 1) } else { (x + 1, y) };
                let inside = second.0 < width && second.1 < height;
                if inside && !self.covered[y][x] && !self.covered[second.1][second.0] {
                    dominoes.push([(x, y), second]);
                }
            }
        }
        dominoes
    }
}

fn name([a, b]: [(usize, usize); 2]) -> String {
    let cell = |(x, y): (usize, usize)| format!("{}{}", "abcdefgh".chars().nth(x).unwrap(), y + 1);
    format!("{}-{}", cell(a), cell(b))
}

impl Reference for Slow {
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        self.dominoes().is_empty().then(|| Outcome::Win(!self.to_move))
    }

    fn legal_moves(&self) -> Vec<String> {
        self.dominoes().into_iter().map(name).collect()
    }

    fn play(&mut self, mv: &str) {
        let cells = self.dominoes().into_iter().find(|&domino| name(domino) == mv).expect("a legal move");
        for (x, y) in cells {
            self.covered[y][x] = true;
        }
        self.to_move = !self.to_move;
    }
}
