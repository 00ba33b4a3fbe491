//! When to give a game up, and when to let it end.
//!
//! A program that only searches never ends a game of Go: passing is not among the moves that
//! it searches while there are others, and a lost game goes on until the board is full. So
//! whoever plays Go here has manners. It **passes** when the other side has passed and the
//! count as it stands, all stones alive, is won, and the count without what playouts take for
//! dead is won too; it passes first when no point is open, the count is won, and a search of
//! the position after the pass says that it stays so. It **resigns** when it has seen no hope
//! in three moves running, unless passing would win by the count.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_core::{Outcome, Side};
use tesuji_search::{Board, Limits, SearchStop};

use crate::cells::Cells;
use crate::purpose::Purpose;
use crate::session::{Session, is_go};
use crate::think::expects;

/// The moves running after which what a player expects of a game counts: without hope, it
/// resigns.
pub const PATIENCE: u32 = 3;
/// The share that must be expected after a pass that ends nothing yet.
const SAFE: f64 = 0.95;
/// The part of the time of a move that may go into the question what is dead.
const PART_FOR_STATUS: f64 = 0.2;

/// What there is to say about the end of a game before a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// It is time to pass.
    Pass,
    /// It may be, if a search says so.
    MayPass,
    /// It is not.
    PlayOn,
}

impl Session {
    /// Whether to end a game of Go, within a time if there is one.
    pub(crate) fn ending(
        &self,
        position: &dyn Board,
        side: Side,
        purpose: Purpose,
        within: Option<Duration>,
    ) -> Ending {
        let has_manners = self.settings.manners.passes_early && purpose != Purpose::Regression;
        if !is_go(self.game()) || !has_manners || !self.count_is_won(position, side) {
            return Ending::PlayOn;
        }
        let is_passed = self.live.was_passed(side);
        let cells = Cells::of(self.game(), position);
        let is_closed = cells.owners().iter().all(Option::is_some);
        if !is_passed && !is_closed {
            return Ending::PlayOn;
        }
        let within = within.map(|within| within.mul_f64(PART_FOR_STATUS));
        let Some((status, margin)) = self.status_of(position, within) else {
            // There is no time to look: what the rules say has to do.
            return if is_passed { Ending::Pass } else { Ending::PlayOn };
        };
        let is_of_enemy = |chain: &Vec<usize>| cells.pieces[chain[0]] == Some(!side);
        if purpose == Purpose::CleanUp && status.dead.iter().any(is_of_enemy) {
            return Ending::PlayOn;
        }
        let is_won = if side == Side::Black { margin > 0.0 } else { margin < 0.0 };
        match (is_passed && is_won, is_closed) {
            (true, _) => Ending::Pass,
            (false, true) => Ending::MayPass,
            (false, false) => Ending::PlayOn,
        }
    }

    /// Whether a side wins if both pass now, all stones being alive.
    fn count_is_won(&self, position: &dyn Board, side: Side) -> bool {
        let mut after = position.boxed_clone();
        while after.outcome().is_none() && after.play("pass").is_ok() {}
        after.outcome() == Some(Outcome::Win(side))
    }

    /// Whether a side wins at once by passing.
    pub(crate) fn can_end_won(&self, position: &dyn Board, side: Side) -> bool {
        is_go(self.game()) && self.live.was_passed(side) && self.count_is_won(position, side)
    }

    /// Whether a game stays won if this side passes, as far as a search sees.
    pub(crate) fn is_safe_to_pass(&self, position: &dyn Board, side: Side, limits: &Limits<'_>) -> bool {
        let mut after = position.boxed_clone();
        if after.play("pass").is_err() {
            return false;
        }
        if let Some(outcome) = after.outcome() {
            return outcome == Outcome::Win(side);
        }
        let mut player = self.settings.player.config().player();
        let report = player.search(&*after.sight(), limits, self.seed().child("pass"), None);
        if report.stop == Some(SearchStop::Cancelled) {
            return false;
        }
        let answer = report.chosen.and_then(|chosen| expects(&report.arms[chosen], !side));
        answer.is_some_and(|share| 1.0 - share >= SAFE)
    }

    /// Whether a side gives up that now expects this share.
    pub(crate) fn is_hopeless(&mut self, side: Side, expects: Option<f64>) -> bool {
        let below = self.settings.manners.resign_below;
        self.hopeless[side.index()].note(expects.is_some_and(|share| share < below))
    }
}

/// Counts moves running in which something holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Streak(u32);

impl Streak {
    /// Notes whether it holds at another move. Returns whether it has now held in
    /// [`PATIENCE`] moves running.
    pub fn note(&mut self, holds: bool) -> bool {
        self.0 = if holds { self.0 + 1 } else { 0 };
        self.0 >= PATIENCE
    }
}
