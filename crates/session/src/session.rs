//! A session: a game in progress, and a player at it with a clock and manners.

use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::spec::Value;
use tesuji_core::{MoveId, Outcome, Seed, Side, TimeControl, TimeLeft, Timekeeper};
use tesuji_search::{Board, Player};

use crate::error::SessionError;
use crate::live_game::LiveGame;
use crate::manners::Streak;
use crate::past::Ply;
use crate::seat::PlayerSeat;
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

/// The seed of a session's games.
fn game_seed(settings: &Settings) -> Seed {
    settings.seed.child("session")
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
            return Err(SessionError::Setting(format!(
                "threads is a whole number from 1 to {MOST_THREADS}, not {threads}"
            )));
        }
        let below = manners.resign_below;
        if !(0.0..=MOST_RESIGN).contains(&below) {
            let reason = format!("the share to resign below is from 0 to {MOST_RESIGN}, not {below}");
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

/// Who searched a position without playing, and what.
pub(crate) struct Student {
    pub(crate) spec: PlayerSpec,
    /// The position's hash.
    pub(crate) hash: u64,
    /// The moves that could be chosen.
    pub(crate) arms: Vec<MoveId>,
    /// The player, with its trees.
    pub(crate) player: Box<dyn Player>,
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
    pub(crate) live: LiveGame,
    pub(crate) settings: Settings,
    /// The seed of the whole game, from which moves and books have theirs.
    game_seed: Seed,
    /// Who thinks.
    pub(crate) seat: PlayerSeat,
    /// Who thought before, with what it remembers: if two take turns, each comes back to its
    /// own trees.
    parked: Option<PlayerSeat>,
    /// As it was set; what is left may say otherwise.
    control: TimeControl,
    /// By [`Side::index`].
    pub(crate) clocks: [Timekeeper; 2],
    /// The moves running in which each side has seen no hope, by [`Side::index`].
    pub(crate) hopeless: [Streak; 2],
    /// Who searched the position last without playing, if its trees are kept.
    pub(crate) student: Option<Student>,
    pub(crate) last: Option<Thought>,
    /// The ply at which it has pondered.
    pub(crate) pondered_at: Option<usize>,
}

impl Session {
    /// A new game.
    pub fn new(game: GameSpec, settings: Settings) -> Result<Session, SessionError> {
        Session::at(LiveGame::new(game)?, settings)
    }

    /// A session that goes on with a game.
    pub fn at(live: LiveGame, settings: Settings) -> Result<Session, SessionError> {
        settings.check()?;
        let seat = PlayerSeat::new(&settings.player, live.spec())?;
        let control = TimeControl::Unlimited;
        Ok(Session {
            live,
            game_seed: game_seed(&settings),
            settings,
            seat,
            parked: None,
            control,
            clocks: [Timekeeper::new(control); 2],
            hopeless: Default::default(),
            student: None,
            last: None,
            pondered_at: None,
        })
    }

    /// Returns the session with this seed of its game instead of one made from its settings.
    #[must_use]
    pub fn with_game_seed(self, seed: Seed) -> Session {
        Session { game_seed: seed, ..self }
    }

    /// The seed of the whole game, from which moves and books have theirs.
    pub fn game_seed(&self) -> Seed {
        self.game_seed
    }

    /// What is played.
    pub fn game(&self) -> &GameSpec {
        self.live.spec()
    }

    /// Who plays, and how.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes that from the next move on.
    pub fn set(&mut self, settings: Settings) -> Result<(), SessionError> {
        settings.check()?;
        let seat = PlayerSeat::new(&settings.player, self.game())?;
        // Another player knows nothing of this game yet, unless it is the one before.
        if settings.player.config() != self.settings.player.config() {
            let comes_back = |seat: &PlayerSeat| seat.spec().config() == settings.player.config();
            let seat = self.parked.take().filter(comes_back).unwrap_or(seat);
            self.parked = Some(std::mem::replace(&mut self.seat, seat));
        }
        if settings.seed != self.settings.seed {
            self.game_seed = game_seed(&settings);
        }
        self.settings = settings;
        Ok(())
    }

    /// Lets another player think from the next move on, with what it remembers; the one that
    /// thought is left in its place.
    pub fn swap_seat(&mut self, seat: &mut PlayerSeat) {
        std::mem::swap(&mut self.seat, seat);
        self.settings.player = self.seat.spec().clone();
    }

    /// Where the game stands.
    pub fn position(&self) -> &dyn Board {
        self.live.board()
    }

    /// The game in progress.
    pub fn live(&self) -> &LiveGame {
        &self.live
    }

    /// The moves played, and by whom.
    pub fn moves(&self) -> impl Iterator<Item = (Side, &str)> {
        self.live.moves()
    }

    /// The moves played, with what a referee said to them.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = &Ply> {
        self.live.plies()
    }

    /// What a referee has refused in this turn.
    pub fn refused(&self) -> &[String] {
        self.live.refused()
    }

    /// How many moves were played.
    pub fn ply(&self) -> usize {
        self.live.ply()
    }

    /// Takes an empty board of another size.
    pub fn set_board(&mut self, width: usize, height: usize) -> Result<(), SessionError> {
        self.begin(self.game().with_board(width, height)?)
    }

    /// Begins another game, on an empty board.
    pub fn begin(&mut self, game: GameSpec) -> Result<(), SessionError> {
        let seat = PlayerSeat::new(&self.settings.player, &game)?;
        if is_go(&game) != is_go(self.game()) {
            self.settings.manners = Manners::of(&game);
        }
        (self.live, self.seat) = (LiveGame::new(game)?, seat);
        self.begin_anew();
        Ok(())
    }

    /// Begins a new game on the same board. The clocks begin anew.
    pub fn clear(&mut self) {
        self.live = LiveGame::new(self.game().clone()).expect("a spec that exists can be started");
        self.begin_anew();
    }

    fn begin_anew(&mut self) {
        self.clocks = [Timekeeper::new(self.control); 2];
        self.forget();
    }

    /// Forgets what earlier searches have found; the board stays.
    pub fn forget(&mut self) {
        self.seat.forget();
        self.parked = None;
        self.hopeless = Default::default();
        (self.last, self.pondered_at) = (None, None);
    }

    /// Gives the memory of this player's trees back; what else is known of the game stays, and so
    /// do the trees of another player that it takes turns with.
    pub fn forget_trees(&mut self) {
        if let Ok(seat) = PlayerSeat::new(&self.settings.player, self.game()) {
            self.seat = seat;
        }
    }

    /// Lets go what was kept for a [`Study::Focus`](crate::Study::Focus).
    pub fn forget_study(&mut self) {
        self.student = None;
    }

    /// White's compensation; `None` in a game without komi.
    pub fn komi(&self) -> Option<f64> {
        let has_komi = self.game().info().options.iter().any(|option| option.name == "komi");
        has_komi.then(|| self.game().number("komi"))
    }

    /// Sets White's compensation; in a game without komi that does nothing. The moves played stay.
    pub fn set_komi(&mut self, komi: f64) -> Result<(), SessionError> {
        if self.komi().is_none_or(|now| now == komi) {
            return Ok(());
        }
        let game = self.game().with_option("komi", Value::Number(komi))?;
        let mut other = Session::new(game, self.settings.clone())?;
        for ply in self.plies() {
            // What a referee has refused is known in the other game too.
            ply.refused.iter().for_each(|text| drop(other.play(ply.side, text)));
            other.play(ply.side, &ply.mv)?;
        }
        // Where a side was given its turn, it keeps it.
        let to_move = self.position().to_move();
        if other.position().to_move() != to_move {
            other.give_turn(to_move)?;
        }
        self.take_over(other);
        Ok(())
    }

    /// Goes on with the game and the board of another session.
    pub(crate) fn take_over(&mut self, other: Session) {
        (self.live, self.seat) = (other.live, other.seat);
        self.forget();
    }

    /// The time of a game. Both clocks begin anew.
    pub fn set_time(&mut self, control: TimeControl) {
        self.control = control;
        self.clocks = [Timekeeper::new(control); 2];
    }

    /// Sets what is left to a side. Without a limit, no time left means nothing.
    pub fn set_time_left(&mut self, side: Side, left: TimeLeft) {
        if self.control != TimeControl::Unlimited || !left.time.is_zero() {
            self.clocks[side.index()].set_left(left);
        }
    }

    /// Gives a side the turn.
    pub(crate) fn give_turn(&mut self, side: Side) -> Result<(), SessionError> {
        self.live.give_turn(side)
    }

    /// Plays a move, if the game allows it also out of turn. A domino may be named by its
    /// first cell.
    pub fn play(&mut self, side: Side, text: &str) -> Result<(), SessionError> {
        self.live.play(side, text)
    }

    /// Takes back moves. The clocks go on.
    pub fn undo(&mut self, moves: u32) -> Result<(), SessionError> {
        self.live.undo(moves)?;
        if moves > 0 {
            self.forget();
        }
        Ok(())
    }

    /// Checks that a side can move now, if need be out of turn.
    pub fn check_turn(&self, side: Side) -> Result<(), SessionError> {
        self.live.check_turn(side)
    }

    /// What was thought about the last move that was chosen.
    pub fn thought(&self) -> Option<&Thought> {
        self.last.as_ref()
    }

    /// How the game ended, by its rules.
    pub fn outcome(&self) -> Option<Outcome> {
        self.live.outcome()
    }
}
