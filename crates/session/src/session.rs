//! The board of a session: what was played, and how one goes back.

use tesuji_catalog::{GameSpec, MoveNames, PlayerSpec};
use tesuji_core::spec::Value;
use tesuji_core::{Outcome, Seed, Side, TimeControl, TimeLeft, Timekeeper};
use tesuji_search::{Attempt, Board, Player, Tried};

use crate::error::SessionError;
use crate::past::{Past, Ply};
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
    /// When it resigns and when it passes.
    pub manners: Manners,
    /// Whether it would like to think while the other side does.
    pub ponders: bool,
}

/// The most threads.
const MOST_THREADS: usize = 1024;
/// The greatest share below which one may resign.
const MOST_RESIGN: f64 = 0.5;

impl Settings {
    /// Whether they make sense.
    fn check(&self) -> Result<(), SessionError> {
        let Settings { threads, manners, .. } = self;
        if !(1..=MOST_THREADS).contains(threads) {
            return Err(SessionError::Setting(format!("threads go from 1 to {MOST_THREADS}, not {threads}")));
        }
        let below = manners.resign_below;
        if !(0.0..=MOST_RESIGN).contains(&below) {
            let reason = format!("the share to resign below goes from 0 to {MOST_RESIGN}, not {below}");
            return Err(SessionError::Setting(reason));
        }
        Ok(())
    }
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
    pub(crate) position: Box<dyn Board>,
    past: Past,
    /// Whether a side was given its turn since the last move.
    is_given: bool,
    /// What a referee has refused to the side to move, in this turn.
    refused: Vec<String>,
    pub(crate) player: Box<dyn Player>,
    /// The player before this one, with what it remembers: where two take turns, each comes
    /// back to its own trees.
    parked: Option<(PlayerSpec, Box<dyn Player>)>,
    /// As it was set; what is left may say otherwise.
    control: TimeControl,
    /// By [`Side::index`].
    pub(crate) clocks: [Timekeeper; 2],
    /// For how many moves running each side has seen no hope.
    pub(crate) hopeless: [u32; 2],
    pub(crate) last: Option<Thought>,
    /// The ply at which it has pondered.
    pub(crate) pondered_at: Option<usize>,
}

impl Session {
    /// A new game.
    pub fn new(game: GameSpec, settings: Settings) -> Result<Session, SessionError> {
        settings.check()?;
        let player = game.player(settings.player.config())?;
        let position = game.start()?;
        let control = TimeControl::Unlimited;
        Ok(Session {
            game,
            settings,
            position,
            past: Past::default(),
            is_given: false,
            refused: Vec::new(),
            player,
            parked: None,
            control,
            clocks: [Timekeeper::new(control); 2],
            hopeless: [0; 2],
            last: None,
            pondered_at: None,
        })
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
        settings.check()?;
        let player = self.game.player(settings.player.config())?;
        // Another player knows nothing of this game yet, unless it is the one before.
        if settings.player.config() != self.settings.player.config() {
            let comes_back = |(spec, _): &(PlayerSpec, _)| spec.config() == settings.player.config();
            let player = self.parked.take().filter(comes_back).map_or(player, |(_, player)| player);
            let before = std::mem::replace(&mut self.player, player);
            self.parked = Some((self.settings.player.clone(), before));
        }
        self.settings = settings;
        Ok(())
    }

    /// Where the game stands.
    pub fn position(&self) -> &dyn Board {
        &*self.position
    }

    /// The moves played, and by whom.
    pub fn moves(&self) -> impl Iterator<Item = (Side, &str)> {
        self.plies().map(|ply| (ply.side, ply.mv.as_str()))
    }

    /// The same with what a referee said to them.
    pub fn plies(&self) -> impl Iterator<Item = &Ply> {
        self.past.plies()
    }

    /// What a referee has refused in this turn.
    pub fn refused(&self) -> &[String] {
        &self.refused
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
        if is_go(&game) != is_go(&self.game) {
            self.settings.manners = Manners::of(&game);
        }
        self.game = game;
        self.begin_anew();
        Ok(())
    }

    /// Begins a new game on the same board. The clocks begin anew.
    pub fn clear(&mut self) {
        self.position = self.game.start().expect("a spec that exists can be started");
        self.begin_anew();
    }

    fn begin_anew(&mut self) {
        self.past.clear();
        self.refused.clear();
        self.is_given = false;
        self.clocks = [Timekeeper::new(self.control); 2];
        self.forget();
    }

    /// Forgets what earlier searches have found; the board stays.
    pub fn forget(&mut self) {
        self.player.forget();
        self.parked = None;
        self.hopeless = [0; 2];
        (self.last, self.pondered_at) = (None, None);
    }

    /// Gives the memory of this player's trees back; what else is known of the game stays, and so
    /// do the trees of another player that it takes turns with.
    pub fn forget_trees(&mut self) {
        if let Ok(player) = self.game.player(self.settings.player.config()) {
            self.player = player;
        }
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
        let game = self.game.with_option("komi", Value::Number(komi))?;
        let mut other = Session::new(game, self.settings.clone())?;
        for ply in self.plies() {
            // What a referee has refused is known in the other game too.
            ply.refused.iter().for_each(|text| drop(other.play(ply.side, text)));
            other.play(ply.side, &ply.mv)?;
        }
        // Where a side was given its turn, it keeps it.
        if other.position.to_move() != self.position.to_move() {
            other.give_turn(self.position.to_move())?;
        }
        self.take_over(other);
        Ok(())
    }

    /// Goes on with the game and the board of another session.
    pub(crate) fn take_over(&mut self, other: Session) {
        (self.game, self.position, self.past, self.player) =
            (other.game, other.position, other.past, other.player);
        (self.refused, self.is_given) = (other.refused, other.is_given);
        self.forget();
    }

    /// The time of a game. Both clocks begin anew.
    pub fn set_time(&mut self, control: TimeControl) {
        self.control = control;
        self.clocks = [Timekeeper::new(control); 2];
    }

    /// What is left to a side. Where there is no limit, nothing left means nothing.
    pub fn set_time_left(&mut self, side: Side, left: TimeLeft) {
        if self.control != TimeControl::Unlimited || !left.time.is_zero() {
            self.clocks[side.index()].set_left(left);
        }
    }

    /// The position with this side to move: as it is, or where the game allows it, as if the
    /// other side had let its turn go. A game of Go that ended by passes goes on so.
    pub(crate) fn with_to_move(&self, side: Side) -> Result<Box<dyn Board>, SessionError> {
        if self.position.to_move() == side && self.position.outcome().is_none() {
            return Ok(self.position.boxed_clone());
        }
        self.position.with_to_move(side).ok_or_else(|| match self.position.outcome() {
            Some(outcome) => SessionError::Over(outcome),
            None => SessionError::Turn { game: self.game.to_string(), to_move: self.position.to_move() },
        })
    }

    /// Gives a side the turn.
    pub(crate) fn give_turn(&mut self, side: Side) -> Result<(), SessionError> {
        self.position = self.with_to_move(side)?;
        self.is_given = true;
        Ok(())
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
        mut position: Box<dyn Board>,
        side: Side,
        text: &str,
    ) -> Result<(), SessionError> {
        let text = self.whole(&*position, text);
        let Tried { text: mv, attempt } = position.attempt_text(&text)?;
        // What went before a turn that was let go is where one goes back to.
        let before = std::mem::replace(&mut self.position, position);
        match attempt {
            Attempt::Stands { news } => {
                let refused = std::mem::take(&mut self.refused);
                let is_given = std::mem::take(&mut self.is_given);
                self.past.push(before, Ply { side, mv, refused, news }, is_given);
                Ok(())
            }
            // The side knows more now, and is still to move.
            Attempt::Refused => {
                self.refused.push(mv.clone());
                Err(SessionError::Refused(mv))
            }
        }
    }

    /// A move's text as the game writes it.
    fn whole(&self, position: &dyn Board, text: &str) -> String {
        let text = text.trim().to_lowercase();
        if self.game.info().names == MoveNames::Domino && !text.contains('-') {
            let begins = |mv: &String| mv.split('-').next() == Some(text.as_str());
            return position.legal_texts().into_iter().find(begins).unwrap_or(text);
        }
        text
    }

    /// Takes back so many moves. The clocks go on.
    pub fn undo(&mut self, moves: u32) -> Result<(), SessionError> {
        let there = self.past.len();
        let Some(left) = there.checked_sub(moves as usize) else {
            return Err(SessionError::NothingToUndo { asked: moves, there });
        };
        if left < there {
            // A turn that was given before the move is part of the position that was kept.
            self.is_given = true;
            (self.position, self.refused) = self.past.back_to(left);
            self.forget();
        }
        Ok(())
    }

    /// Whether the other side has just passed.
    pub(crate) fn was_passed(&self, side: Side) -> bool {
        self.past.plies().next_back().is_some_and(|ply| ply.side != side && ply.mv == "pass")
    }

    /// Whether a side can move now, if need be out of turn.
    pub fn check_turn(&self, side: Side) -> Result<(), SessionError> {
        self.with_to_move(side).map(drop)
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
