//! The rules of the Go family, slow and obvious: for tests only.

use tesuji_core::{Draws, Outcome, Side};
use tesuji_testkit::reference::Reference;

use crate::go::Superko;

/// Which of the three games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Kind {
    Go { komi: f64, superko: Superko, draws: Draws },
    Atarigo,
    NoGo,
}

pub(crate) type Stones = Vec<Vec<Option<Side>>>;
type Points = Vec<(usize, usize)>;

#[derive(Clone, Debug)]
pub(crate) struct SlowGo {
    kind: Kind,
    size: usize,
    /// By row and column.
    stones: Stones,
    to_move: Side,
    passes: usize,
    captured: bool,
    /// Every board so far, with the side to move.
    seen: Vec<(Stones, Side)>,
}

impl SlowGo {
    pub(crate) fn new(kind: Kind, size: usize) -> SlowGo {
        let stones = vec![vec![None; size]; size];
        let seen = vec![(stones.clone(), Side::Black)];
        SlowGo { kind, size, stones, to_move: Side::Black, passes: 0, captured: false, seen }
    }

    /// Whether every chain of these stones, by row and column, has a liberty.
    pub(crate) fn all_breathe(stones: &Stones) -> bool {
        let board = SlowGo::new(Kind::NoGo, stones.len());
        let mut points = board.points().into_iter().filter(|&(x, y)| stones[y][x].is_some());
        points.all(|point| board.has_liberty(stones, point))
    }

    fn neighbours(&self, (x, y): (usize, usize)) -> Vec<(usize, usize)> {
        let mut points = Vec::new();
        if x > 0 {
            points.push((x - 1, y));
        }
        if y > 0 {
            points.push((x, y - 1));
        }
        if x + 1 < self.size {
            points.push((x + 1, y));
        }
        if y + 1 < self.size {
            points.push((x, y + 1));
        }
        points
    }

    /// The region of equal points around this one, and the points next to it.
    fn region(&self, stones: &Stones, start: (usize, usize)) -> (Points, Points) {
        let colour = stones[start.1][start.0];
        let (mut region, mut beside) = (vec![start], Vec::new());
        let mut next = 0;
        while next < region.len() {
            for point in self.neighbours(region[next]) {
                if stones[point.1][point.0] != colour {
                    beside.push(point);
                } else if !region.contains(&point) {
                    region.push(point);
                }
            }
            next += 1;
        }
        (region, beside)
    }

    fn has_liberty(&self, stones: &Stones, point: (usize, usize)) -> bool {
        self.region(stones, point).1.iter().any(|&(x, y)| stones[y][x].is_none())
    }

    /// The board after a stone here, and the number of stones it takes; none if it
    /// is suicide or occupied.
    fn after(&self, point: (usize, usize)) -> Option<(Stones, usize)> {
        if self.stones[point.1][point.0].is_some() {
            return None;
        }
        let mut stones = self.stones.clone();
        stones[point.1][point.0] = Some(self.to_move);
        let mut taken = 0;
        for enemy in self.neighbours(point) {
            if stones[enemy.1][enemy.0] == Some(!self.to_move) && !self.has_liberty(&stones, enemy) {
                for (x, y) in self.region(&stones, enemy).0 {
                    stones[y][x] = None;
                    taken += 1;
                }
            }
        }
        self.has_liberty(&stones, point).then_some((stones, taken))
    }

    fn is_legal(&self, point: (usize, usize)) -> bool {
        let Some((stones, taken)) = self.after(point) else { return false };
        match self.kind {
            Kind::Atarigo => true,
            Kind::NoGo => taken == 0,
            Kind::Go { superko, .. } => match superko {
                Superko::Positional => !self.seen.iter().any(|(seen, _)| *seen == stones),
                Superko::Situational => !self.seen.contains(&(stones, !self.to_move)),
                // Simple ko: the board before the other side's last move.
                Superko::Off => {
                    let before = self.seen.len().checked_sub(2).map(|index| &self.seen[index].0);
                    before != Some(&stones)
                }
            },
        }
    }

    fn area(&self, side: Side) -> f64 {
        let mut area = 0;
        for y in 0..self.size {
            for x in 0..self.size {
                let owned = match self.stones[y][x] {
                    Some(owner) => owner == side,
                    None => {
                        let beside = self.region(&self.stones, (x, y)).1;
                        !beside.is_empty() && beside.iter().all(|&(x, y)| self.stones[y][x] == Some(side))
                    }
                };
                area += usize::from(owned);
            }
        }
        area as f64
    }

    fn points(&self) -> Vec<(usize, usize)> {
        (0..self.size).flat_map(|y| (0..self.size).map(move |x| (x, y))).collect()
    }
}

const LETTERS: &str = "abcdefghjklmnopqrst";

impl Reference for SlowGo {
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.kind {
            Kind::Go { komi, draws, .. } => (self.passes == 2).then(|| {
                let margin = self.area(Side::Black) - self.area(Side::White) - komi;
                match draws {
                    Draws::Half if margin == 0.0 => Outcome::Draw,
                    _ if margin >= 0.0 => Outcome::Win(Side::Black),
                    _ => Outcome::Win(Side::White),
                }
            }),
            _ => self.legal_moves().is_empty().then_some(Outcome::Win(!self.to_move)),
        }
    }

    fn legal_moves(&self) -> Vec<String> {
        if self.captured || self.passes == 2 {
            return Vec::new();
        }
        let points = self.points().into_iter().filter(|&point| self.is_legal(point));
        let mut moves: Vec<String> =
            points.map(|(x, y)| format!("{}{}", &LETTERS[x..x + 1], y + 1)).collect();
        if matches!(self.kind, Kind::Go { .. }) {
            moves.push("pass".to_owned());
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        if mv == "pass" {
            self.passes += 1;
        } else {
            let point = (LETTERS.find(&mv[..1]).unwrap(), mv[1..].parse::<usize>().unwrap() - 1);
            let (stones, taken) = self.after(point).unwrap();
            self.captured = self.kind == Kind::Atarigo && taken > 0;
            self.stones = stones;
            self.passes = 0;
        }
        self.to_move = !self.to_move;
        self.seen.push((self.stones.clone(), self.to_move));
    }
}
