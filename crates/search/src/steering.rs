//! A search as people steer it: only these moves, none of those, more samples for that one.

use tesuji_core::{MoveId, ParseMoveError, Seed};
use thiserror::Error;

use crate::board::Board;
use crate::limits::{Budget, Limits};
use crate::player::Player;
use crate::report::{Report, Watch};
use crate::root_moves::RootMoves;
use crate::sight::Sight;

/// The moves at the root that a search may choose, and those that get more samples afterwards.
/// Made for a position, and good there: at least one move may be chosen.
///
/// ```
/// use tesuji_core::Seed;
/// use tesuji_games::Domineering;
/// use tesuji_search::{Board, Limits, OpenBoard, PlayerConfig, Steering};
///
/// let board = OpenBoard(Domineering::new(3, 3)?);
/// let texts = (&board as &dyn Board).arm_texts();
/// let steering = Steering::read(&board, None, &texts[2..], &texts[..1])?;
/// let mut player = PlayerConfig::Random.player();
/// let limits = Limits::samples(100);
/// let report = steering.search(&mut *player, &*board.sight(), &limits, limits.budget, Seed::new(1), None);
/// assert_eq!(report.arms.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Steering {
    /// The moves that may be chosen; `None` for all.
    only: Option<Vec<MoveId>>,
    /// The moves that get more samples after the search, in this order.
    focus: Vec<MoveId>,
}

/// The moves by which somebody wants to steer a search do not fit the position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SteeringError {
    /// A text is no legal move.
    #[error(transparent)]
    Move(#[from] ParseMoveError),
    /// A legal move that searches leave out.
    #[error(
        "searches do not look at '{text}' in this position, so it can be neither the only move nor focused on"
    )]
    NotSearched {
        /// The move.
        text: String,
    },
    /// No move is left.
    #[error("no move is left to search: all {n_moves} moves of this position are excluded")]
    NothingLeft {
        /// The number of the position's search moves.
        n_moves: usize,
    },
    /// The search may not choose the move that it is to focus on.
    #[error("'{text}' cannot be focused on, because the search may not choose it")]
    FocusExcluded {
        /// The move.
        text: String,
    },
}

impl Steering {
    /// Reads moves as texts: `only` these may be chosen (`None` for all), and none to `avoid`;
    /// the moves to `focus` on get more samples.
    pub fn read<S: AsRef<str>>(
        board: &dyn Board,
        only: Option<&[S]>,
        avoid: &[S],
        focus: &[S],
    ) -> Result<Steering, SteeringError> {
        let read = |texts: &[S]| -> Result<Vec<MoveId>, SteeringError> {
            texts.iter().map(|text| Ok(board.parse_move(text.as_ref())?)).collect()
        };
        let all = board.search_moves();
        let searched = |texts: &[S]| -> Result<Vec<MoveId>, SteeringError> {
            let moves = read(texts)?;
            let left_out = moves.iter().find(|mv| !all.contains(mv));
            left_out.map_or(Ok(()), |&mv| Err(SteeringError::NotSearched { text: board.move_text(mv) }))?;
            Ok(moves)
        };
        let only = only.map(searched).transpose()?;
        let steering = Steering::new(board, only.as_deref(), &read(avoid)?)?;
        let mut focus = searched(focus)?;
        let mut seen = Vec::new();
        focus.retain(|mv| {
            !seen.contains(mv) && {
                seen.push(*mv);
                true
            }
        });
        if let Some(&mv) = focus.iter().find(|&&mv| !steering.moves().allows(mv)) {
            return Err(SteeringError::FocusExcluded { text: board.move_text(mv) });
        }
        Ok(Steering { focus, ..steering })
    }

    /// Of the position's search moves, `only` these may be chosen (`None` for all), and none to
    /// `avoid`. Other moves mean nothing. An error if none is left of a position that has some.
    pub fn new(
        board: &dyn Board,
        only: Option<&[MoveId]>,
        avoid: &[MoveId],
    ) -> Result<Steering, SteeringError> {
        match only.is_none() && avoid.is_empty() {
            true => Ok(Steering::default()),
            false => Steering::among(board.search_moves(), only, avoid),
        }
    }

    /// The same for a position with these search moves.
    pub fn among(
        all: Vec<MoveId>,
        only: Option<&[MoveId]>,
        avoid: &[MoveId],
    ) -> Result<Steering, SteeringError> {
        let n_moves = all.len();
        let left = RootMoves::Except(avoid).among(only.map_or(RootMoves::All, RootMoves::Only).among(all));
        if left.is_empty() && n_moves > 0 {
            return Err(SteeringError::NothingLeft { n_moves });
        }
        Ok(Steering { only: (left.len() < n_moves).then_some(left), focus: Vec::new() })
    }

    /// Returns the same with these moves to focus on, as far as they may be chosen.
    #[must_use]
    pub fn with_focus(self, focus: Vec<MoveId>) -> Steering {
        let focus = self.moves().among(focus);
        Steering { focus, ..self }
    }

    /// The moves that may be chosen.
    pub fn moves(&self) -> RootMoves<'_> {
        self.only.as_deref().map_or(RootMoves::All, RootMoves::Only)
    }

    /// The moves that get more samples after the search, in this order.
    pub fn focus(&self) -> &[MoveId] {
        &self.focus
    }

    /// Returns the texts of a search's arms, in their order.
    pub fn arm_texts(&self, board: &dyn Board) -> Vec<String> {
        board.move_texts(&self.moves().among(board.search_moves()))
    }

    /// Searches the position that this was made for, with `limits`, and then spends
    /// `focus_budget` on each move to focus on. The report is that of the whole. A search that is
    /// cancelled focuses on nothing.
    pub fn search(
        &self,
        player: &mut dyn Player,
        position: &dyn Sight,
        limits: &Limits<'_>,
        focus_budget: Budget,
        seed: Seed,
        mut watch: Option<&mut dyn Watch>,
    ) -> Report {
        let limits = Limits { moves: self.moves(), ..*limits };
        let mut report = player.search(position, &limits, seed, again(&mut watch));
        for &mv in &self.focus {
            if limits.is_cancelled() {
                break;
            }
            let limits = Limits { budget: focus_budget, focus: Some(mv), ..limits };
            report = player.search(position, &limits, seed, again(&mut watch));
        }
        report
    }
}

/// A watcher, lent for one of several searches.
fn again<'a>(watch: &'a mut Option<&mut dyn Watch>) -> Option<&'a mut dyn Watch> {
    match watch {
        Some(watch) => Some(&mut **watch),
        None => None,
    }
}
