//! The number of games that an equilibrium needs if not all games are played.
//!
//! Each point of an algorithm has a number of games and the exploitability of its mixtures after
//! them ([`Matrix::exploitability`](tesuji_portfolio::Matrix::exploitability) of the whole
//! matrix). The table and the figure are two views of these points. Exploitability may rise
//! again, because some algorithms sample; a target counts as reached when it first is.

use serde::Serialize;

use crate::Table;
use crate::figure::{Axis, Figure, Look, Marks, Panel, Point, Scale, Series};
use crate::numbers::{decimal, grouped, readable};

/// The exploitabilities that are columns of the table.
const TARGETS: [f64; 4] = [0.2, 0.1, 0.05, 0.02];
/// Smaller exploitabilities are drawn at this one: that of an exact equilibrium is a rounding
/// error, and a log axis would show little else.
const LEAST_DRAWN: f64 = 0.005;
/// The smallest factor of games between two points that are drawn.
const FACTOR: f64 = 1.25;
/// The factor by which the axis of games is longer than the data.
const ROOM: f64 = 1.2;

/// Algorithms for near-equilibria of one matrix of games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LazyTable {
    /// The name of the matrix.
    pub title: String,
    /// The number of games in the whole matrix, K².
    pub games: u64,
    /// The algorithms.
    pub lines: Vec<LazyLine>,
}

/// The exploitability that one algorithm reached.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LazyLine {
    /// The algorithm's name.
    pub algorithm: String,
    /// The exploitability after each number of games, in the order of games.
    pub points: Vec<LazyPoint>,
}

/// The exploitability of an algorithm's mixtures after a number of games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct LazyPoint {
    /// The number of games played.
    pub games: u64,
    /// Half the gap of the mixtures in the whole matrix.
    pub exploitability: f64,
}

impl LazyLine {
    /// Returns the first number of games with at most this exploitability. `None` if it was never
    /// reached.
    fn games_until(&self, exploitability: f64) -> Option<u64> {
        let reached = |point: &&LazyPoint| point.exploitability <= exploitability;
        self.points.iter().find(reached).map(|point| point.games)
    }

    /// Returns the points that are drawn: the first, the last, and between them points whose
    /// markers do not cover each other.
    fn drawn(&self) -> Vec<LazyPoint> {
        let mut drawn: Vec<LazyPoint> = Vec::new();
        let last = self.points.len().saturating_sub(1);
        for (index, point) in self.points.iter().enumerate() {
            let is_apart =
                drawn.last().is_none_or(|before| point.games as f64 >= before.games as f64 * FACTOR);
            if point.games > 0 && (is_apart || index == last) {
                drawn.push(*point);
            }
        }
        drawn
    }
}

impl LazyTable {
    /// Returns the number of games until each exploitability, with its share of all games.
    pub fn table(&self) -> Table {
        let mut columns = vec!["algorithm".to_owned()];
        columns.extend(TARGETS.iter().map(|target| format!("#{}", readable(*target))));
        let title = format!("{}: games until exploitability, of {} games", self.title, grouped(self.games));
        let mut table = Table::new(title, columns);
        for line in &self.lines {
            let mut row = vec![line.algorithm.clone()];
            row.extend(TARGETS.iter().map(|target| {
                line.games_until(*target).map_or_else(|| "—".to_owned(), |games| self.part(games))
            }));
            table.row(row);
        }
        table
    }

    /// Returns a number of games with its share of all games.
    fn part(&self, games: u64) -> String {
        let share = 100.0 * games as f64 / self.games as f64;
        let decimals = usize::from(share < 9.95);
        format!("{} ({} %)", grouped(games), decimal(share, decimals))
    }

    /// Returns exploitability against games, both on log axes, with a line at the number of all
    /// games. Returns `None` if there are no points.
    pub fn figure(&self) -> Option<Figure> {
        let series = |line: &LazyLine| {
            let point = |point: LazyPoint| Point {
                x: point.games as f64,
                y: point.exploitability.max(LEAST_DRAWN),
                ..Point::default()
            };
            let points: Vec<Point> = line.drawn().into_iter().map(point).collect();
            let name = line.algorithm.clone();
            (!points.is_empty()).then_some(Series { name, colour: None, look: Look::Measured, points })
        };
        let lines: Vec<Series> = self.lines.iter().filter_map(series).collect();
        if lines.is_empty() {
            return None;
        }
        let across = || lines.iter().flat_map(|line| &line.points).map(|point| point.x);
        let (least, most) = across()
            .fold((self.games as f64, self.games as f64), |(least, most), x| (least.min(x), most.max(x)));
        let is_cut = lines.iter().flat_map(|line| &line.points).any(|point| point.y <= LEAST_DRAWN);
        let mut caption = format!(
            "Exploitability is what a best answer gains against the mixtures, in the mean of both colours. \
             The dotted line is at all {} games.",
            grouped(self.games)
        );
        if is_cut {
            caption += &format!(" Less than {LEAST_DRAWN} is drawn at {LEAST_DRAWN}.");
        }
        Some(Figure {
            title: self.title.clone(),
            caption,
            columns: 1,
            panels: vec![Panel {
                title: String::new(),
                x: Axis {
                    label: "games played".to_owned(),
                    scale: Scale::Log,
                    // From the first games to all of them, wherever lines end.
                    range: Some((least / ROOM, most * ROOM)),
                    reference: Some(self.games as f64),
                    ..Axis::default()
                },
                y: Axis { label: "exploitability".to_owned(), scale: Scale::Log, ..Axis::default() },
                marks: Marks::Lines(lines),
                ..Panel::default()
            }],
            ..Figure::default()
        })
    }
}
