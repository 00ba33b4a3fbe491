//! How many games an equilibrium takes, where not all of them are played.
//!
//! An algorithm is a line of points: after so many games its mixtures are exploitable by
//! so much ([`Matrix::exploitability`](tesuji_portfolio::Matrix::exploitability), of the
//! whole matrix, which only who knows it can say). The table and the figure are two
//! views of these points. Lines need not fall everywhere: an algorithm that samples may
//! get worse again, and has reached a target when it first did.

use serde::Serialize;

use crate::Table;
use crate::figure::{Axis, Figure, Look, Marks, Panel, Point, Scale, Series};
use crate::numbers::{decimal, grouped, readable};

/// The exploitabilities that the table asks for.
const TARGETS: [f64; 4] = [0.2, 0.1, 0.05, 0.02];
/// Less is drawn as this much: an exact equilibrium is exploitable by rounding errors
/// only, and a log axis would show nothing else.
const LEAST_DRAWN: f64 = 0.005;
/// Points nearer to the last one than by this factor of games are not drawn.
const FACTOR: f64 = 1.25;
/// The axis of games reaches further than they do by this factor.
const ROOM: f64 = 1.2;

/// Algorithms for near-equilibria of one matrix of games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LazyTable {
    /// Of which matrix.
    pub title: String,
    /// How many games the whole matrix has: K².
    pub games: u64,
    /// The algorithms.
    pub lines: Vec<LazyLine>,
}

/// How an algorithm fared.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LazyLine {
    /// The algorithm's name.
    pub algorithm: String,
    /// After how many games it was how good, in the order of games.
    pub points: Vec<LazyPoint>,
}

/// How good mixtures were at some time.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct LazyPoint {
    /// The games played till then.
    pub games: u64,
    /// Half the gap of the mixtures in the whole matrix.
    pub exploitability: f64,
}

impl LazyLine {
    /// The games after which the mixtures were first exploitable by no more than this, as
    /// far as the points tell; nothing where they never were.
    pub fn games_until(&self, exploitability: f64) -> Option<u64> {
        let reached = |point: &&LazyPoint| point.exploitability <= exploitability;
        self.points.iter().find(reached).map(|point| point.games)
    }

    /// Those of the points that are drawn: the first, the last, and in between no two that
    /// markers would cover.
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
    /// The games until each exploitability, and which part of all games that is.
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

    /// A number of games, and which part of all it is.
    fn part(&self, games: u64) -> String {
        let share = 100.0 * games as f64 / self.games as f64;
        let decimals = usize::from(share < 9.95);
        format!("{} ({} %)", grouped(games), decimal(share, decimals))
    }

    /// Exploitability against games, both on log axes, with a line across where all games
    /// are played; nothing where there are no points.
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
            }],
        })
    }
}
