//! Which moves of the root a search may choose.

use tesuji_core::{Arms, MoveId};

use crate::Sight;
use crate::report::Focused;
use crate::standing::lower_bound;

/// Which moves of the root a search may choose. Moves that are no search moves of the position
/// are ignored. A search that may choose no move at all returns a report without arms; see
/// [`Steering`](crate::Steering) for one that says so beforehand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RootMoves<'a> {
    /// Every search move.
    #[default]
    All,
    /// These and no others.
    Only(&'a [MoveId]),
    /// Every search move but these.
    Except(&'a [MoveId]),
}

impl RootMoves<'_> {
    /// Whether the search may choose a move.
    pub fn allows(self, mv: MoveId) -> bool {
        match self {
            RootMoves::All => true,
            RootMoves::Only(moves) => moves.contains(&mv),
            RootMoves::Except(moves) => !moves.contains(&mv),
        }
    }

    /// Returns those of the given moves that the search may choose, in their order.
    pub fn among(self, mut moves: Vec<MoveId>) -> Vec<MoveId> {
        moves.retain(|&mv| self.allows(mv));
        moves
    }

    /// The arms of a search of this position.
    pub(crate) fn of(self, position: &dyn Sight) -> Root {
        let all = position.search_moves();
        if self == RootMoves::All {
            return Root { moves: all, all: None };
        }
        let moves = self.among(all.clone());
        let is_restricted = moves.len() < all.len();
        Root { moves, all: is_restricted.then_some(all) }
    }

    /// The same for a position that is seen otherwise: `there` has what is written there for a
    /// move here. The moves are written to `list`.
    pub(crate) fn seen_otherwise(
        self,
        there: impl Fn(MoveId) -> MoveId,
        list: &mut Vec<MoveId>,
    ) -> RootMoves<'_> {
        match self {
            RootMoves::All => RootMoves::All,
            RootMoves::Only(moves) => {
                list.extend(moves.iter().map(|&mv| there(mv)));
                RootMoves::Only(list)
            }
            RootMoves::Except(moves) => {
                list.extend(moves.iter().map(|&mv| there(mv)));
                RootMoves::Except(list)
            }
        }
    }
}

/// The arms of a search.
pub(crate) struct Root {
    /// The moves that it may choose, in the order of the position's search moves.
    pub(crate) moves: Vec<MoveId>,
    /// Every search move of the position; `None` if the search may choose each.
    all: Option<Vec<MoveId>>,
}

impl Root {
    /// Whether there are search moves that it may not choose.
    pub(crate) fn is_restricted(&self) -> bool {
        self.all.is_some()
    }

    /// Every search move of the position.
    pub(crate) fn all(&self) -> &[MoveId] {
        self.all.as_deref().unwrap_or(&self.moves)
    }

    /// The arm that all samples go to: the one that is focused on, or the only one that is left
    /// of several. An error if the search is to focus on a move that it may not choose.
    pub(crate) fn single(&self, focus: Option<MoveId>) -> Result<Option<usize>, NotAnArm> {
        match focus {
            Some(mv) => self.moves.iter().position(|&arm| arm == mv).map(Some).ok_or(NotAnArm),
            None => Ok((self.is_restricted() && self.moves.len() == 1).then_some(0)),
        }
    }
}

/// A search is to focus on a move that it may not choose.
pub(crate) struct NotAnArm;

/// What a search leaves for those who focus on one of its moves.
pub(crate) struct LastSearch {
    /// The position. Its hash is computed only if somebody focuses: a game written in Python may
    /// have none.
    position: Box<dyn Sight>,
    moves: Vec<MoveId>,
    /// The arm that it chose; `None` if it has not chosen yet.
    pub(crate) chosen: Option<usize>,
    /// The moves that got more samples since.
    pub(crate) focused: Vec<Focused>,
}

impl LastSearch {
    /// A search of this position that has chosen nothing yet.
    pub(crate) fn new(position: &dyn Sight, moves: Vec<MoveId>) -> LastSearch {
        LastSearch { position: position.boxed_clone(), moves, chosen: None, focused: Vec::new() }
    }

    /// Whether it was a search of this position with these arms.
    pub(crate) fn is_of(&self, position: &dyn Sight, moves: &[MoveId]) -> bool {
        self.moves == moves
            && self.position.as_any().type_id() == position.as_any().type_id()
            && self.position.hash() == position.hash()
    }

    /// Notes that an arm got more samples.
    pub(crate) fn note(&mut self, arm: usize, samples: u64) {
        match self.focused.iter_mut().find(|focused| focused.arm == arm) {
            Some(focused) => focused.samples += samples,
            None => self.focused.push(Focused { arm, samples }),
        }
    }

    /// The arm to be chosen after the focused arm got more samples. The choice of the search
    /// stands unless the focused arm has a higher mean; if it is the focused arm itself, unless
    /// the lower bound of another arm is above its mean. `value` is the reward that is proved of
    /// an arm. A proved win is chosen before all.
    pub(crate) fn choose(&self, arms: &Arms, focused: usize, value: impl Fn(usize) -> Option<f64>) -> usize {
        if let Some(win) = (0..arms.len()).find(|&arm| value(arm) == Some(1.0)) {
            return win;
        }
        let mean = |arm: usize| match arms.count(arm) {
            0 => -1.0,
            _ => arms.mean(arm),
        };
        let worth = |arm: usize| value(arm).unwrap_or_else(|| mean(arm));
        let Some(before) = self.chosen else { return focused };
        if before != focused {
            return if worth(focused) > worth(before) { focused } else { before };
        }
        let bound = |arm: usize| match arms.count(arm) {
            0 => value(arm).unwrap_or(-1.0),
            count => value(arm).unwrap_or_else(|| lower_bound(count, arms.mean(arm))),
        };
        let others = (0..arms.len()).filter(|&arm| arm != before && bound(arm) > worth(before));
        others.reduce(|best, arm| if bound(arm) > bound(best) { arm } else { best }).unwrap_or(before)
    }
}
