//! The keys `avoid` and `allow` of an analysis: `avoid COLOUR VERTICES UNTILDEPTH`.

use tesuji_core::{MoveId, Side, shortened};
use tesuji_search::{Board, RootMoves};

use crate::arguments::{Arguments, syntax_error};
use crate::exchange::Failure;
use crate::vertices::Vertices;

/// The moves that a search may choose, as the controller says.
#[derive(Default)]
pub(crate) struct Restriction {
    allow: Option<Vec<MoveId>>,
    avoid: Vec<MoveId>,
    /// Whether each key was given, even if it has no effect.
    has_allow: bool,
    has_avoid: bool,
}

impl Restriction {
    /// Reads what follows `avoid` or `allow` in an analysis for `side` of the position `board`.
    /// Vertices at which no move is legal mean nothing. Only what holds at the root has an effect:
    /// the moves of this side, to a depth of at least one.
    pub(crate) fn read(
        &mut self,
        key: &str,
        arguments: &mut Arguments<'_>,
        side: Side,
        board: &dyn Board,
        vertices: Vertices,
    ) -> Result<(), Failure> {
        let colour = arguments.side()?;
        let list = arguments.word(&format!("a list of vertices for '{key}'"))?;
        let mut moves = Vec::new();
        for vertex in list.split(',') {
            if vertex.is_empty() {
                let problem = format!("'{}' is not a list of vertices such as D4,Q16", shortened(list));
                return Err(syntax_error(problem));
            }
            moves.extend(board.parse_move(&vertices.read(vertex)?).ok());
        }
        let depth = arguments.whole_number(&format!("the depth of '{key}'"))?;
        let is_second = if key == "allow" { self.has_allow || self.has_avoid } else { self.has_allow };
        if is_second {
            return Err(syntax_error("'allow' can be given once, and not together with 'avoid'"));
        }
        let has_effect = colour == side && depth > 0;
        match key {
            "allow" => {
                self.has_allow = true;
                self.allow = has_effect.then_some(moves);
            }
            _ => {
                self.has_avoid = true;
                self.avoid.extend(moves.into_iter().filter(|_| has_effect));
            }
        }
        Ok(())
    }

    /// The moves that the search may choose.
    pub(crate) fn moves(&self) -> RootMoves<'_> {
        match &self.allow {
            Some(moves) => RootMoves::Only(moves),
            None if self.avoid.is_empty() => RootMoves::All,
            None => RootMoves::Except(&self.avoid),
        }
    }
}
