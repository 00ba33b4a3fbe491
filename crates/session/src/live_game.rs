//! A game in progress: the board, what was played, what a referee refused, and the way back.
//!
//! Everybody who plays sits at this one: the arena's referee, sessions of people and of other
//! programs, the terminal and the page.

use tesuji_catalog::{GameSpec, MoveNames, SpecError};
use tesuji_core::drawing::with_last_move;
use tesuji_core::{MoveId, Outcome, Seed, Side};
use tesuji_search::{Attempt, Board};

use crate::error::SessionError;
use crate::past::{Past, Ply};

/// Marks an attempt that the referee of a phantom game refused, in lists of moves: `?c3`.
pub const REFUSED: char = '?';

/// A game in progress.
///
/// ```
/// use tesuji_core::Side;
/// use tesuji_session::LiveGame;
/// let mut game = LiveGame::new("phantom-go:5".parse().unwrap()).unwrap();
/// game.play(Side::Black, "c3").unwrap();
/// // White runs into the stone, is told so, and tries another point.
/// assert!(game.play(Side::White, "c3").is_err());
/// game.play(Side::White, "b2").unwrap();
/// assert_eq!(game.words(), ["c3", "?c3", "b2"]);
/// assert_eq!(game.drawing().lines().nth(4), Some(" 2 ·(○)· · · 2"));
/// assert_eq!(game.drawing_seen_by(Side::White).unwrap().lines().nth(3), Some(" 3 · · ◆ · · 3"));
/// game.undo(2).unwrap();
/// assert_eq!(game.board().to_move(), Side::Black);
/// ```
pub struct LiveGame {
    spec: GameSpec,
    board: Box<dyn Board>,
    /// The moves that led to where this game begins.
    opening: Vec<String>,
    past: Past,
    /// Whether a side was given its turn since the last move.
    was_turn_given: bool,
    /// What a referee has refused to the side to move, in this turn.
    refused: Vec<String>,
    /// How often all attempts of the side to move were refused, in this turn.
    n_refusals: u64,
}

impl LiveGame {
    /// A new game.
    pub fn new(spec: GameSpec) -> Result<LiveGame, SpecError> {
        let board = spec.start()?;
        Ok(LiveGame::after(spec, board, Vec::new()))
    }

    /// A game that goes on from a board to which the moves of `opening` led. These cannot be
    /// taken back.
    pub fn after(spec: GameSpec, board: Box<dyn Board>, opening: Vec<String>) -> LiveGame {
        LiveGame {
            spec,
            board,
            opening,
            past: Past::default(),
            was_turn_given: false,
            refused: Vec::new(),
            n_refusals: 0,
        }
    }

    /// What is played.
    pub fn spec(&self) -> &GameSpec {
        &self.spec
    }

    /// Where the game stands.
    pub fn board(&self) -> &dyn Board {
        &*self.board
    }

    /// Returns the board drawn for a terminal, with brackets around the last move, if one was
    /// played after the opening. Of a phantom game it is the real board.
    pub fn drawing(&self) -> String {
        let drawing = self.board.drawing();
        match self.plies().next_back() {
            Some(ply) => {
                let before = self.past.position_after(self.past.len() - 1);
                with_last_move(&before.drawing(), &drawing, ply.side)
            }
            None => drawing,
        }
    }

    /// Returns what a side sees, drawn for a terminal, with brackets around its own last move;
    /// `None` if that is the whole board.
    pub fn drawing_seen_by(&self, side: Side) -> Option<String> {
        let seen = self.board.seen_by(side)?;
        let own = self.plies().rev().position(|ply| ply.side == side);
        let before = own.and_then(|back| self.past.position_after(self.past.len() - 1 - back).seen_by(side));
        Some(before.map_or_else(|| seen.clone(), |before| with_last_move(&before, &seen, side)))
    }

    /// How the game ended by its rules; `None` if it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.board.outcome()
    }

    /// The number of moves played, the opening included.
    pub fn ply(&self) -> usize {
        self.opening.len() + self.past.len()
    }

    /// The moves played after the opening, with what a referee said to them.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = &Ply> {
        self.past.plies()
    }

    /// The moves played after the opening, and by whom.
    pub fn moves(&self) -> impl Iterator<Item = (Side, &str)> {
        self.plies().map(|ply| (ply.side, ply.mv.as_str()))
    }

    /// What a referee has refused to the side to move in this turn.
    pub fn refused(&self) -> &[String] {
        &self.refused
    }

    /// All moves and attempts as words, the opening included; refused ones have
    /// [`REFUSED`] before them.
    pub fn words(&self) -> Vec<String> {
        let refused = |text: &String| format!("{REFUSED}{text}");
        let mut words = self.opening.clone();
        for ply in self.plies() {
            words.extend(ply.refused.iter().map(refused));
            words.push(ply.mv.clone());
        }
        words.extend(self.refused.iter().map(refused));
        words
    }

    /// The random stream of the side to move: `game` is the seed of the whole game. A side
    /// all of whose attempts were refused gets another one.
    pub fn seed(&self, game: Seed) -> Seed {
        let seed = game.child(self.ply() as u64);
        if self.n_refusals == 0 { seed } else { seed.child(self.n_refusals) }
    }

    /// The board with this side to move: as it is, or if the game allows it, as if the
    /// other side had let its turn go. A game of Go that ended by passes goes on so.
    pub(crate) fn board_for(&self, side: Side) -> Result<Box<dyn Board>, SessionError> {
        Ok(self.turned_board(side)?.unwrap_or_else(|| self.board.boxed_clone()))
    }

    /// The board with the turn given to this side; `None` if it has it.
    fn turned_board(&self, side: Side) -> Result<Option<Box<dyn Board>>, SessionError> {
        if self.board.to_move() == side && self.board.outcome().is_none() {
            return Ok(None);
        }
        self.board.with_to_move(side).map(Some).ok_or_else(|| match self.board.outcome() {
            Some(outcome) => SessionError::Over(outcome),
            None => SessionError::Turn { game: self.spec.to_string(), to_move: self.board.to_move() },
        })
    }

    /// Checks that a side can move now, if need be out of turn.
    pub fn check_turn(&self, side: Side) -> Result<(), SessionError> {
        self.turned_board(side).map(drop)
    }

    /// Gives a side the turn.
    pub(crate) fn give_turn(&mut self, side: Side) -> Result<(), SessionError> {
        if let Some(board) = self.turned_board(side)? {
            self.board = board;
        }
        self.was_turn_given = true;
        Ok(())
    }

    /// Plays a move, if the game allows it also out of turn. A domino may be named by its
    /// first cell.
    pub fn play(&mut self, side: Side, text: &str) -> Result<(), SessionError> {
        let turned = self.turned_board(side)?;
        let board = turned.as_deref().unwrap_or(&*self.board);
        let mv = board.parse_move(&self.whole_text(board, text))?;
        let text = board.move_text(mv);
        match self.attempt_from(turned, mv) {
            Attempt::Stands { .. } => Ok(()),
            Attempt::Refused => Err(SessionError::Refused(text)),
        }
    }

    /// The side to move tries a move.
    pub fn attempt(&mut self, mv: MoveId) -> Attempt {
        self.attempt_from(None, mv)
    }

    /// The side to move tries these moves in their order until one stands. Returns the ply, or
    /// `None` if a referee refused all of them: the side knows more then, and can be asked again.
    pub fn attempt_in_order(&mut self, moves: impl IntoIterator<Item = MoveId>) -> Option<&Ply> {
        for mv in moves {
            if self.attempt(mv) != Attempt::Refused {
                return self.past.plies().next_back();
            }
        }
        self.n_refusals += 1;
        None
    }

    /// Plays again what [`words`](LiveGame::words) listed after the opening. `n_refusals` is how
    /// often all attempts of the side to move were refused in the last turn.
    pub fn play_again<'a>(
        &mut self,
        words: impl IntoIterator<Item = &'a str>,
        n_refusals: u64,
    ) -> Result<(), SessionError> {
        for word in words {
            let (text, was_refused) = match word.strip_prefix(REFUSED) {
                Some(text) => (text, true),
                None => (word, false),
            };
            if let Some(outcome) = self.outcome() {
                return Err(SessionError::Over(outcome));
            }
            let mv = self.board.parse_move(text)?;
            match (self.attempt(mv), was_refused) {
                (Attempt::Refused, false) => return Err(SessionError::Refused(text.to_owned())),
                (Attempt::Stands { .. }, true) => {
                    return Err(SessionError::Record(format!("the referee does not refuse {text}")));
                }
                _ => {}
            }
        }
        self.n_refusals = n_refusals;
        Ok(())
    }

    /// How often all attempts of the side to move were refused in this turn.
    pub fn n_refusals(&self) -> u64 {
        self.n_refusals
    }

    /// Tries a move on the board, or on `turned`, which is the board after a side was given
    /// its turn.
    fn attempt_from(&mut self, turned: Option<Box<dyn Board>>, mv: MoveId) -> Attempt {
        // What went before a turn that was let go is where one goes back to.
        let is_kept = self.was_turn_given || self.past.keeps_next();
        let before = match turned {
            Some(turned) => Some(std::mem::replace(&mut self.board, turned)).filter(|_| is_kept),
            None => is_kept.then(|| self.board.boxed_clone()),
        };
        let (side, text) = (self.board.to_move(), self.board.move_text(mv));
        let attempt = self.board.attempt(mv);
        match &attempt {
            Attempt::Stands { news } => {
                let refused = std::mem::take(&mut self.refused);
                (self.was_turn_given, self.n_refusals) = (false, 0);
                self.past.push(before, Ply { side, mv: text, refused, news: news.clone() });
            }
            // The side knows more now, and is still to move.
            Attempt::Refused => self.refused.push(text),
        }
        attempt
    }

    /// A move's text as the game writes it.
    fn whole_text(&self, board: &dyn Board, text: &str) -> String {
        let text = text.trim().to_lowercase();
        if self.spec.info().names == MoveNames::Domino && !text.contains('-') {
            let begins = |mv: &String| mv.split('-').next() == Some(text.as_str());
            return board.legal_texts().into_iter().find(begins).unwrap_or(text);
        }
        text
    }

    /// Takes back moves.
    pub fn undo(&mut self, moves: u32) -> Result<(), SessionError> {
        let there = self.past.len();
        let Some(left) = there.checked_sub(moves as usize) else {
            return Err(SessionError::NothingToUndo { asked: moves, there });
        };
        if left < there {
            // A turn that was given before the move is part of the position that was kept.
            (self.was_turn_given, self.n_refusals) = (true, 0);
            (self.board, self.refused) = self.past.back_to(left);
        }
        Ok(())
    }

    /// Whether the other side has just passed.
    pub(crate) fn was_passed(&self, side: Side) -> bool {
        self.plies().next_back().is_some_and(|ply| ply.side != side && ply.mv == "pass")
    }
}
