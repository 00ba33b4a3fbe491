//! Whose is what, by random playouts to the end.
//!
//! Playouts do not fill their own eyes, so chains with two of them live in all; but in a wide
//! open area they see little, and whoever has stones there keeps them half of the time. So the
//! chains that are surely alive decide about the others: what stands alone in a region around
//! which all of those are of the other side is dead. Playouts know no seki either, in which it
//! is the next to move who loses: what stands in one is taken for alive or dead as it happens.

use std::time::{Duration, Instant};

use tesuji_catalog::GameSpec;
use tesuji_core::{Outcome, Side};
use tesuji_search::Board;

use crate::cells::Cells;
use crate::error::SessionError;
use crate::session::{Session, is_go};

/// Cells that are looked at in all: smaller boards get more playouts.
const CELLS: usize = 36_000;
/// What a chain is owned by its side, from -1 to 1, if it is surely alive: in two playouts of
/// three.
const SURE: f64 = 0.35;
/// What an open point is owned by the side that it is counted for.
const LIKELY: f64 = 0.2;
/// Fewer playouts than this say nothing.
const LEAST_PLAYOUTS: usize = 20;

/// What is alive, what is dead, and whose the rest is: lists of cells.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Status {
    /// Chains that stay.
    pub alive: Vec<Vec<usize>>,
    /// Chains that are taken.
    pub dead: Vec<Vec<usize>>,
    /// Regions of empty or dead points by owner: Black's and White's.
    pub territory: [Vec<Vec<usize>>; 2],
    /// Regions that are nobody's.
    pub dame: Vec<Vec<usize>>,
}

impl Session {
    /// Whose each cell is at the end of random games from here, from 1 (always Black's) to -1
    /// (always White's). In Go an empty point is its owner's.
    pub fn ownership(&self) -> Vec<f64> {
        self.ownership_of(self.position(), None).expect("without a limit there is an answer")
    }

    /// The same within a time; nothing where that is too short for an answer.
    fn ownership_of(&self, position: &dyn Board, within: Option<Duration>) -> Option<Vec<f64>> {
        let begun = Instant::now();
        let (width, height) = self.game().board();
        let n_cells = width * height;
        let wanted = (CELLS / n_cells).clamp(50, 1000);
        let mut sums = vec![0.0; n_cells];
        let mut rng = self.settings.seed.child("status").rng();
        // Each side begins in half of them, so that whose turn it is does not matter; and a game
        // that is over by passes is played on: what is dead is to be taken.
        let turns: Vec<_> = Side::BOTH.iter().filter_map(|side| position.with_to_move(*side)).collect();
        let mut playouts = 0;
        while playouts < wanted && within.is_none_or(|within| begun.elapsed() < within) {
            playouts += 1;
            let from = turns.get(playouts % 2).map_or(position, |turn| &**turn);
            let end = from.played_out(&mut rng, 4 * n_cells as u32 + 100);
            let cells = Cells::of(self.game(), &*end);
            let owners = if is_go(self.game()) { cells.owners() } else { cells.pieces };
            for (sum, owner) in sums.iter_mut().zip(owners) {
                *sum += match owner {
                    Some(Side::Black) => 1.0,
                    Some(Side::White) => -1.0,
                    None => 0.0,
                };
            }
        }
        let mean = |sum: f64| sum / playouts as f64;
        (playouts >= LEAST_PLAYOUTS).then(|| sums.into_iter().map(mean).collect())
    }

    /// What is alive and what is dead, in Go.
    pub fn status(&self) -> Result<Status, SessionError> {
        if !is_go(self.game()) {
            return Err(SessionError::Score(format!("{} has no dead stones", self.game())));
        }
        Ok(self.status_of(self.position(), None).expect("without a limit there is an answer").0)
    }

    /// The same of a position within a time, and by how much Black leads then.
    pub(crate) fn status_of(&self, position: &dyn Board, within: Option<Duration>) -> Option<(Status, f64)> {
        let cells = Cells::of(self.game(), position);
        let ownership = self.ownership_of(position, within)?;
        let (alive, dead) = judged(&cells, &ownership);
        let cleaned = cells.without(&dead);
        let owners = cleaned.owners();
        let mut status = Status { alive, dead, ..Status::default() };
        let mut area = 0.0;
        for region in cleaned.regions() {
            let value = |side: Side| if side == Side::Black { 1.0 } else { -1.0 };
            match owners[region[0]] {
                Some(side) => {
                    area += value(side) * region.len() as f64;
                    if cleaned.pieces[region[0]].is_none() {
                        status.territory[side.index()].push(region);
                    }
                }
                None => {
                    // Open still: each point is whose it is likely to be.
                    let likely = region.iter().map(|&cell| ownership[cell]);
                    area += likely.filter(|owned| owned.abs() >= LIKELY).map(f64::signum).sum::<f64>();
                    status.dame.push(region);
                }
            }
        }
        Some((status, area - self.komi().unwrap_or(0.0)))
    }

    /// The score as programs write it. In Go, the areas without what playouts take for dead,
    /// `B+3.5` or `0`; in other games who has won, `B+` or `W+`, once they are over.
    pub fn final_score(&self) -> Result<String, SessionError> {
        if is_go(self.game()) {
            let judged = self.status_of(self.position(), None);
            return Ok(match judged.expect("without a limit there is an answer").1 {
                0.0 => "0".to_owned(),
                margin if margin > 0.0 => format!("B+{margin}"),
                margin => format!("W+{}", -margin),
            });
        }
        match self.outcome() {
            Some(Outcome::Win(Side::Black)) => Ok("B+".to_owned()),
            Some(Outcome::Win(Side::White)) => Ok("W+".to_owned()),
            Some(Outcome::Draw) => Ok("0".to_owned()),
            None => Err(SessionError::Score(not_over(self.game()))),
        }
    }

    /// The name of a cell, as moves write it.
    pub fn cell_name(&self, cell: usize) -> String {
        let (width, _) = self.game().board();
        self.game().info().shape.cell(cell % width, cell / width)
    }
}

/// The chains that are alive, and those that are dead.
fn judged(cells: &Cells, ownership: &[f64]) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let chains: Vec<(Side, Vec<usize>)> =
        cells.regions().into_iter().filter_map(|region| Some((cells.pieces[region[0]]?, region))).collect();
    let kept = |(side, chain): &(Side, Vec<usize>)| {
        let sign = if *side == Side::Black { 1.0 } else { -1.0 };
        chain.iter().map(|&cell| sign * ownership[cell]).sum::<f64>() / chain.len() as f64
    };
    let unsure: Vec<Vec<usize>> =
        chains.iter().filter(|chain| kept(chain) < SURE).map(|(_, chain)| chain.clone()).collect();
    // Who is around each cell once only the sure ones are left.
    let around = cells.without(&unsure).owners();
    let is_dead = |chain: &(Side, Vec<usize>)| match around[chain.1[0]] {
        _ if kept(chain) >= SURE => false,
        Some(side) => side != chain.0,
        None => kept(chain) < 0.0,
    };
    let (dead, alive): (Vec<_>, Vec<_>) = chains.into_iter().partition(is_dead);
    let cells_of = |chains: Vec<(Side, Vec<usize>)>| chains.into_iter().map(|(_, chain)| chain).collect();
    (cells_of(alive), cells_of(dead))
}

fn not_over(game: &GameSpec) -> String {
    format!("the game is not over, and {game} has no score before its end")
}
