//! Races by slow, obvious rules: a table of squares, and moves as texts.

use tesuji_core::{Outcome, Side};
use tesuji_testkit::reference::Reference;

/// How a piece may go: so many columns aside (to both sides), so many rows
/// forward, and onto what.
#[derive(Clone, Copy)]
struct Way {
    aside: i32,
    forward: i32,
    onto_empty: bool,
    onto_enemy: bool,
}

const STRAIGHT: Way = Way { aside: 0, forward: 1, onto_empty: true, onto_enemy: false };
const DIAGONAL: Way = Way { aside: 1, forward: 1, onto_empty: true, onto_enemy: true };
const WIDE_JUMP: Way = Way { aside: 2, forward: 1, onto_empty: true, onto_enemy: true };
const HIGH_JUMP: Way = Way { aside: 1, forward: 2, onto_empty: true, onto_enemy: true };

#[derive(Clone)]
pub(crate) struct SlowRace {
    /// Rows from the bottom up.
    rows: Vec<Vec<Option<Side>>>,
    to_move: Side,
    ways: Vec<Way>,
}

impl SlowRace {
    pub(crate) fn breakthrough(width: usize, height: usize) -> SlowRace {
        SlowRace::start(width, height, vec![STRAIGHT, DIAGONAL])
    }

    pub(crate) fn knightthrough(width: usize, height: usize) -> SlowRace {
        SlowRace::start(width, height, vec![WIDE_JUMP, HIGH_JUMP])
    }

    fn start(width: usize, height: usize, ways: Vec<Way>) -> SlowRace {
        let mut rows = vec![vec![None; width]; height];
        for row in [0, 1] {
            rows[row].fill(Some(Side::White));
        }
        for row in [height - 2, height - 1] {
            rows[row].fill(Some(Side::Black));
        }
        SlowRace { rows, to_move: Side::White, ways }
    }

    fn at(&self, x: i32, y: i32) -> Option<Option<Side>> {
        self.rows.get(usize::try_from(y).ok()?)?.get(usize::try_from(x).ok()?).copied()
    }

    fn arrived(&self) -> Option<Side> {
        let top = &self.rows[self.rows.len() - 1];
        if top.contains(&Some(Side::White)) {
            return Some(Side::White);
        }
        self.rows[0].contains(&Some(Side::Black)).then_some(Side::Black)
    }
}

fn name(x: i32, y: i32) -> String {
    format!("{}{}", ["a", "b", "c", "d", "e", "f", "g", "h"][x as usize], y + 1)
}

fn square(name: &str) -> (usize, usize) {
    let column = "abcdefgh".find(&name[..1]).expect("a column");
    (column, name[1..].parse::<usize>().expect("a row") - 1)
}

impl Reference for SlowRace {
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        if let Some(winner) = self.arrived() {
            return Some(Outcome::Win(winner));
        }
        self.legal_moves().is_empty().then_some(Outcome::Win(!self.to_move))
    }

    fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.arrived().is_some() {
            return moves;
        }
        let up = if self.to_move == Side::White { 1 } else { -1 };
        for y in 0..self.rows.len() as i32 {
            for x in 0..self.rows[0].len() as i32 {
                if self.at(x, y) != Some(Some(self.to_move)) {
                    continue;
                }
                for way in &self.ways {
                    let mut columns = vec![x - way.aside, x + way.aside];
                    columns.dedup();
                    for column in columns {
                        let row = y + up * way.forward;
                        let mark = match self.at(column, row) {
                            Some(None) if way.onto_empty => '-',
                            Some(Some(side)) if way.onto_enemy && side != self.to_move => 'x',
                            _ => continue,
                        };
                        moves.push(format!("{}{mark}{}", name(x, y), name(column, row)));
                    }
                }
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        let (from, to) = (square(&mv[..2]), square(&mv[3..]));
        self.rows[from.1][from.0] = None;
        self.rows[to.1][to.0] = Some(self.to_move);
        self.to_move = !self.to_move;
    }
}
