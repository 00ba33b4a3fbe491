//! Whose is what, by random playouts to the end.
//!
//! Playouts do not fill their own eyes, so chains with two of them live in all. They know no
//! seki, in which it is the next to move who loses: what stands in one is taken for alive or
//! dead as it happens more often.

use tesuji_catalog::{AnyGame, GameSpec};
use tesuji_core::{Outcome, Side};

use crate::cells::Cells;
use crate::error::SessionError;
use crate::session::{Session, is_go};

/// Cells that are looked at in all: smaller boards get more playouts.
const CELLS: usize = 36_000;

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
    /// (always White's). In the Go family an empty point is its owner's.
    pub fn ownership(&self) -> Vec<f64> {
        self.ownership_of(&*self.position)
    }

    fn ownership_of(&self, position: &dyn AnyGame) -> Vec<f64> {
        let (width, height) = self.game.board();
        let n_cells = width * height;
        let playouts = (CELLS / n_cells).clamp(50, 1000);
        let mut sums = vec![0.0; n_cells];
        let mut rng = self.settings.seed.child("status").child(self.ply() as u64).rng();
        // A game that is over by passes is played on: what is dead is to be taken.
        let reopened = position.with_to_move(position.to_move());
        let from = reopened.as_deref().unwrap_or(position);
        for _ in 0..playouts {
            let end = from.played_out(&mut rng, 4 * n_cells as u32 + 100);
            let cells = Cells::of(&self.game, &*end);
            let owners = if is_go(&self.game) { cells.owners() } else { cells.pieces };
            for (sum, owner) in sums.iter_mut().zip(owners) {
                *sum += match owner {
                    Some(Side::Black) => 1.0,
                    Some(Side::White) => -1.0,
                    None => 0.0,
                };
            }
        }
        sums.into_iter().map(|sum| sum / playouts as f64).collect()
    }

    /// What is alive and what is dead, in Go.
    pub fn status(&self) -> Result<Status, SessionError> {
        if !is_go(&self.game) {
            return Err(SessionError::Score(format!("in {} nothing is alive or dead", self.game)));
        }
        Ok(self.status_of(&*self.position))
    }

    fn status_of(&self, position: &dyn AnyGame) -> Status {
        let cells = Cells::of(&self.game, position);
        let ownership = self.ownership_of(position);
        let mut status = Status::default();
        for chain in cells.regions() {
            let Some(side) = cells.pieces[chain[0]] else { continue };
            let sign = if side == Side::Black { 1.0 } else { -1.0 };
            let mean = chain.iter().map(|&cell| sign * ownership[cell]).sum::<f64>() / chain.len() as f64;
            if mean < 0.0 { &mut status.dead } else { &mut status.alive }.push(chain);
        }
        let cleaned = cells.without(&status.dead);
        let owners = cleaned.owners();
        for region in cleaned.regions().into_iter().filter(|region| cleaned.pieces[region[0]].is_none()) {
            match owners[region[0]] {
                Some(side) => status.territory[side.index()].push(region),
                None => status.dame.push(region),
            }
        }
        status
    }

    /// The dead chains of the other side.
    pub(crate) fn enemies_dead(&self, position: &dyn AnyGame, side: Side) -> Vec<Vec<usize>> {
        let cells = Cells::of(&self.game, position);
        let dead = self.status_of(position).dead;
        dead.into_iter().filter(|chain| cells.pieces[chain[0]] == Some(!side)).collect()
    }

    /// Whether a side has more, once what is dead is taken off the board.
    pub(crate) fn count_is_won_without_dead(&self, position: &dyn AnyGame, side: Side) -> bool {
        let margin = self.margin_without_dead(position);
        if side == Side::Black { margin > 0.0 } else { margin < 0.0 }
    }

    fn margin_without_dead(&self, position: &dyn AnyGame) -> f64 {
        let cells = Cells::of(&self.game, position);
        let area = cells.without(&self.status_of(position).dead).area_difference();
        area as f64 - self.komi().unwrap_or(0.0)
    }

    /// The score as programs write it. In Go, the areas without what playouts take for dead,
    /// `B+3.5` or `0`; in other games who has won, `B+` or `W+`, once they are over.
    pub fn final_score(&self) -> Result<String, SessionError> {
        if is_go(&self.game) {
            return Ok(match self.margin_without_dead(&*self.position) {
                0.0 => "0".to_owned(),
                margin if margin > 0.0 => format!("B+{margin}"),
                margin => format!("W+{}", -margin),
            });
        }
        match self.position.outcome() {
            Some(Outcome::Win(Side::Black)) => Ok("B+".to_owned()),
            Some(Outcome::Win(Side::White)) => Ok("W+".to_owned()),
            Some(Outcome::Draw) => Ok("0".to_owned()),
            None => Err(SessionError::Score(not_over(&self.game))),
        }
    }

    /// The name of a cell, as moves write it.
    pub fn cell_name(&self, cell: usize) -> String {
        let (width, _) = self.game.board();
        self.game.info().shape.cell(cell % width, cell / width)
    }
}

fn not_over(game: &GameSpec) -> String {
    format!("this game of {game} is not over, and it has no score before")
}
