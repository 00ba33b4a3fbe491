//! What was played, and the way back.
//!
//! A position of Go on 19x19 takes kilobytes, and a game has hundreds: only some are kept, and
//! those between are played again when somebody goes back.

use tesuji_core::Side;
use tesuji_search::Board;

/// A move that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// By whom.
    pub side: Side,
    /// Its text.
    pub mv: String,
    /// What a referee has refused before it stood.
    pub refused: Vec<String>,
    /// What both sides were told that it did, in a phantom game.
    pub news: Option<String>,
}

/// At most this many moves lie between two positions that are kept.
const EVERY: usize = 16;

/// All moves of a game.
#[derive(Default)]
pub(crate) struct Past(Vec<Step>);

struct Step {
    /// The position before the move, what was refused before it being known; the first has one.
    before: Option<Box<dyn Board>>,
    ply: Ply,
}

impl Past {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn plies(&self) -> impl DoubleEndedIterator<Item = &Ply> {
        self.0.iter().map(|step| &step.ply)
    }

    /// Whether the position before the next move must be kept.
    pub(crate) fn keeps_next(&self) -> bool {
        self.0.len().is_multiple_of(EVERY)
    }

    /// Adds a move; `before` is the position before it, if that must be kept or does not
    /// follow from the moves alone.
    pub(crate) fn push(&mut self, before: Option<Box<dyn Board>>, ply: Ply) {
        debug_assert!(before.is_some() || !self.keeps_next());
        self.0.push(Step { before, ply });
    }

    /// Returns the position after the first `left` moves, fewer than there are, with the attempts
    /// that were refused in that turn.
    pub(crate) fn position_after(&self, left: usize) -> Box<dyn Board> {
        let kept = self.0[..=left].iter().rposition(|step| step.before.is_some()).unwrap_or(0);
        let mut position = self.0[kept].before.as_ref().expect("the first one is kept").boxed_clone();
        for (step, next) in self.0[kept..left].iter().zip(&self.0[kept + 1..=left]) {
            again(&mut position, step.ply.side, &step.ply.mv);
            next.ply.refused.iter().for_each(|text| again(&mut position, next.ply.side, text));
        }
        position
    }

    /// Keeps the first `left` moves, fewer than there are. Returns the position after them and the
    /// attempts that were refused in that turn, which stay known.
    pub(crate) fn back_to(&mut self, left: usize) -> (Box<dyn Board>, Vec<String>) {
        let position = self.position_after(left);
        let refused = std::mem::take(&mut self.0[left].ply.refused);
        self.0.truncate(left);
        (position, refused)
    }
}

/// Plays a move again, which was possible before, if need be out of turn.
fn again(position: &mut Box<dyn Board>, side: Side, text: &str) {
    if (position.to_move() != side || position.outcome().is_some())
        && let Some(turned) = position.with_to_move(side)
    {
        *position = turned;
    }
    let attempt = position.attempt_text(text);
    debug_assert!(attempt.is_ok(), "{text} was played before: {attempt:?}");
}
