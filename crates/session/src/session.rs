//! The board of a session: what was played, and how one goes back.

use tesuji_catalog::{AnyGame, AnyPlayer, Attempt, GameSpec, MoveNames, PlayerSpec};
use tesuji_core::{Outcome, Seed, Side, TimeControl, TimeLeft, Timekeeper};

use crate::error::SessionError;
use crate::think::Thought;

/// Who plays, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Who thinks.
    pub player: PlayerSpec,
    /// Where its random numbers come from.
    pub seed: Seed,
    /// How many threads it may use.
    pub threads: usize,
    /// It resigns a game that it expects to lose, see [`Manners`].
    pub manners: Manners,
    /// Whether it would like to think while the other side does.
    pub ponders: bool,
}

/// When a player gives a game up, and when it lets it end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Manners {
    /// It resigns when it has expected less than this share in three moves running; never
    /// where it is 0.
    pub resign_below: f64,
    /// Whether in Go it passes as soon as the game is decided, and not only when there is
    /// nothing left to play.
    pub passes_early: bool,
}

impl Manners {
    /// What suits a game: who plays Go resigns and passes; other games end by themselves.
    pub fn of(game: &GameSpec) -> Manners {
        let is_go = is_go(game);
        Manners { resign_below: if is_go { 0.08 } else { 0.0 }, passes_early: is_go }
    }
}

/// Whether this is Go itself, in which the larger area wins.
pub(crate) fn is_go(game: &GameSpec) -> bool {
    game.info().name == "go" && !game.is_misere()
}

/// A move that was played, and the position before it.
struct Past {
    before: Box<dyn AnyGame>,
    side: Side,
    mv: String,
}

/// A game in progress and a player at it.
///
/// ```
/// use tesuji_core::Side;
/// use tesuji_session::{Session, Settings};
/// let game = "go:5".parse().unwrap();
/// let mut session = Session::new(game, Settings::usual(&"go:5".parse().unwrap(), 1)).unwrap();
/// session.play(Side::Black, "C3").unwrap();
/// // In Go one may play twice running: the other side is taken to have passed.
/// session.play(Side::Black, "d3").unwrap();
/// assert!(session.play(Side::White, "c3").is_err());
/// session.undo(1).unwrap();
/// assert_eq!(session.moves().collect::<Vec<_>>(), [(Side::Black, "c3")]);
/// ```
pub struct Session {
    pub(crate) game: GameSpec,
    pub(crate) settings: Settings,
    pub(crate) position: Box<dyn AnyGame>,
    past: Vec<Past>,
    pub(crate) player: Box<dyn AnyPlayer>,
    /// By [`Side::index`].
    pub(crate) clocks: [Timekeeper; 2],
    /// For how many moves running each side has seen no hope.
    pub(crate) hopeless: [u32; 2],
    pub(crate) last: Option<Thought>,
}

impl Session {
    /// A new game.
    pub fn new(game: GameSpec, settings: Settings) -> Result<Session, SessionError> {
        let player = game.player(settings.player.config())?;
        let position = game.start()?;
        let clocks = [Timekeeper::new(TimeControl::Unlimited); 2];
        let hopeless = [0; 2];
        Ok(Session { game, settings, position, past: Vec::new(), player, clocks, hopeless, last: None })
    }

    /// What is played.
    pub fn game(&self) -> &GameSpec {
        &self.game
    }

    /// Who plays, and how.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes that from the next move on.
    pub fn set(&mut self, settings: Settings) -> Result<(), SessionError> {
        let player = self.game.player(settings.player.config())?;
        // Another player knows nothing of this game yet.
        if settings.player.config() != self.settings.player.config() {
            self.player = player;
        }
        self.settings = settings;
        Ok(())
    }

    /// Where the game stands.
    pub fn position(&self) -> &dyn AnyGame {
        &*self.position
    }

    /// The moves played, and by whom.
    pub fn moves(&self) -> impl Iterator<Item = (Side, &str)> {
        self.past.iter().map(|past| (past.side, past.mv.as_str()))
    }

    /// How many moves were played.
    pub fn ply(&self) -> usize {
        self.past.len()
    }

    /// Takes an empty board of another size.
    pub fn set_board(&mut self, width: usize, height: usize) -> Result<(), SessionError> {
        self.begin(self.game.with_board(width, height)?)
    }

    /// Begins another game, on an empty board.
    pub fn begin(&mut self, game: GameSpec) -> Result<(), SessionError> {
        let player = game.player(self.settings.player.config())?;
        (self.position, self.player) = (game.start()?, player);
        self.game = game;
        self.forget();
        Ok(())
    }

    /// Begins a new game on the same board. The clocks begin anew.
    pub fn clear(&mut self) {
        self.position = self.game.start().expect("a spec that exists can be started");
        self.forget();
    }

    fn forget(&mut self) {
        self.past.clear();
        self.player.forget();
        self.clocks = self.clocks.map(|clock| Timekeeper::new(clock.control()));
        self.hopeless = [0; 2];
        self.last = None;
    }

    /// White's compensation; nothing in a game without.
    pub fn komi(&self) -> Option<f64> {
        let has_komi = self.game.info().options.iter().any(|option| option.name == "komi");
        has_komi.then(|| self.game.number("komi"))
    }

    /// Sets it; in a game without komi that means nothing. The moves played stay.
    pub fn set_komi(&mut self, komi: f64) -> Result<(), SessionError> {
        if self.komi().is_none_or(|now| now == komi) {
            return Ok(());
        }
        let game = self.game.with_option("komi", &komi.to_string())?;
        let moves: Vec<(Side, String)> = self.past.iter().map(|past| (past.side, past.mv.clone())).collect();
        let clocks = self.clocks;
        self.begin(game)?;
        self.clocks = clocks;
        let replayed = moves.iter().try_for_each(|(side, mv)| self.play(*side, mv));
        debug_assert_eq!(replayed, Ok(()), "no rule about moves looks at komi");
        Ok(())
    }

    /// The time of a game. Both clocks begin anew.
    pub fn set_time(&mut self, control: TimeControl) {
        self.clocks = [Timekeeper::new(control); 2];
    }

    /// What is left to a side.
    pub fn set_time_left(&mut self, side: Side, left: TimeLeft) {
        self.clocks[side.index()].set_left(left);
    }

    /// The position with this side to move: as it is, or where the game allows it, as if the
    /// other side had let its turn go. A game of Go that ended by passes goes on so.
    pub(crate) fn with_to_move(&self, side: Side) -> Result<Box<dyn AnyGame>, SessionError> {
        if self.position.to_move() == side && self.position.outcome().is_none() {
            return Ok(self.position.boxed_clone());
        }
        self.position.with_to_move(side).ok_or_else(|| match self.position.outcome() {
            Some(outcome) => SessionError::Over(outcome),
            None => SessionError::Turn { game: self.game.to_string(), to_move: self.position.to_move() },
        })
    }

    /// Plays a move, where the game allows it also out of turn. A domino may be named by its
    /// first cell.
    pub fn play(&mut self, side: Side, text: &str) -> Result<(), SessionError> {
        let position = self.with_to_move(side)?;
        self.play_on(position, side, text)
    }

    /// The same on a position in which that side is to move.
    pub(crate) fn play_on(
        &mut self,
        mut position: Box<dyn AnyGame>,
        side: Side,
        text: &str,
    ) -> Result<(), SessionError> {
        let text = self.whole(&*position, text);
        let attempt = position.attempt(&text)?;
        // What went before a turn that was let go is where one goes back to.
        let before = std::mem::replace(&mut self.position, position);
        match attempt {
            Attempt::Stands { mv, .. } => {
                self.past.push(Past { before, side, mv });
                Ok(())
            }
            // The side knows more now, and is still to move.
            Attempt::Refused { mv } => Err(SessionError::Refused(mv)),
        }
    }

    /// A move's text as the game writes it.
    fn whole(&self, position: &dyn AnyGame, text: &str) -> String {
        let text = text.trim().to_lowercase();
        if self.game.info().names == MoveNames::Domino && !text.contains('-') {
            let begins = |mv: &String| mv.split('-').next() == Some(text.as_str());
            return position.moves().into_iter().find(begins).unwrap_or(text);
        }
        text
    }

    /// Takes back so many moves. The clocks go on.
    pub fn undo(&mut self, moves: u32) -> Result<(), SessionError> {
        let there = self.past.len();
        let Some(left) = there.checked_sub(moves as usize) else {
            return Err(SessionError::NothingToUndo { asked: moves, there });
        };
        if let Some(past) = self.past.drain(left..).next() {
            self.position = past.before;
            self.player.forget();
            self.hopeless = [0; 2];
            self.last = None;
        }
        Ok(())
    }

    /// Whether the side that is not to move has just passed.
    pub(crate) fn was_passed(&self) -> bool {
        self.past.last().is_some_and(|past| past.mv == "pass")
    }

    /// What was thought about the last move that was chosen.
    pub fn thought(&self) -> Option<&Thought> {
        self.last.as_ref()
    }

    /// How the game ended, by its rules.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }
}
