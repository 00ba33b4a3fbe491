//! Thinking: a move to be played, a position to be looked at, the other side's time.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tesuji_core::{MoveId, Seed, Side};
use tesuji_search::{
    ArmReport, Board, Budget, Event, Limits, MOST_SAMPLES, NetworkFailure, Player, PlayerConfig, Recording,
    Report, Root, RootMoves, Steering, TreeConfig, Until, catch_network_failure,
};

use crate::allotment::{USUAL_LAG, allotment};
use crate::error::SessionError;
use crate::manners::Ending;
use crate::purpose::Purpose;
use crate::session::{Session, Student};
use crate::usual::usual_budget;

/// Samples that a move has at least, however it is hurried.
const LEAST_SAMPLES: u64 = 100;
/// The part of the budget that goes into the question whether to pass.
const PART_FOR_PASS: f64 = 0.1;
/// The most samples of pondering: the next search needs some too, and its sums count to
/// [`MOST_SAMPLES`].
const MOST_PONDERED: u64 = MOST_SAMPLES / 2;

/// How to think.
#[derive(Clone, Copy, Debug)]
pub struct Thinking<'a> {
    /// What for.
    pub purpose: Purpose,
    /// How often a watcher wants to hear of the moves; `None` for never.
    pub every: Option<Duration>,
    /// The moves that may be chosen. If `pass` is not among them, it does not pass early.
    pub moves: RootMoves<'a>,
    /// What a search that plays nothing does with the trees of others like it.
    pub study: Study,
    /// Set by another thread, it ends the search at once; the best move so far counts.
    pub cancel: &'a AtomicBool,
}

/// What a search with [`Purpose::Regression`] does with the trees of others like it. Searches for
/// moves that are played keep their trees as their players do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Study {
    /// Nothing: it is as if nothing had been asked before, and its trees are let go.
    #[default]
    Once,
    /// It begins anew, and its trees are kept for a [`Focus`](Study::Focus).
    Kept,
    /// This move gets a whole budget of samples in the trees that were kept. If they are not of the
    /// same position, player and moves, these are searched first.
    Focus(MoveId),
}

/// Is told what happens in a search, and what its arms are.
pub type Onlooker<'a> = dyn FnMut(Event<'_>, &[String]) + 'a;

/// What a player decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A move; `pass` is one.
    Move(String),
    /// It gives up.
    Resign,
}

/// Why.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reason {
    /// The search says so.
    Search,
    /// The other side has passed, and the count is won.
    CountIsWon,
    /// Nothing is open, the count is won and stays so.
    Settled,
    /// It saw no hope in this move and in those before.
    Hopeless,
}

/// What came of thinking about a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// Whose move.
    pub side: Side,
    /// What was decided.
    pub choice: Choice,
    /// Why.
    pub reason: Reason,
    /// What the search found; `None` if none was needed.
    pub report: Option<Report<String>>,
    /// What is expected after the move that the search chose.
    pub line: Vec<String>,
    /// The texts of the attempts that a referee refused.
    pub refused: Vec<String>,
    /// The moves of the report in the order in which they are to be tried.
    ranking: Vec<MoveId>,
    /// Whether the move was played, and not only looked at.
    pub is_played: bool,
    /// How long it took.
    pub time: Duration,
}

impl Thought {
    /// What needed no search.
    fn at_once(side: Side, mv: &str, reason: Reason) -> Thought {
        Thought {
            side,
            choice: Choice::Move(mv.to_owned()),
            reason,
            report: None,
            line: Vec::new(),
            refused: Vec::new(),
            ranking: Vec::new(),
            is_played: false,
            time: Duration::ZERO,
        }
    }

    /// What a search has found.
    fn found(side: Side, mv: String, report: Report<String>, line: Vec<String>) -> Thought {
        Thought { report: Some(report), line, ..Thought::at_once(side, &mv, Reason::Search) }
    }
}

impl Session {
    /// Chooses a move for a side, and plays it unless it is only to be said.
    pub fn choose(
        &mut self,
        side: Side,
        thinking: &Thinking<'_>,
        onlooker: &mut Onlooker<'_>,
    ) -> Result<Choice, SessionError> {
        let choice = catch_network_failure(|| self.decide(side, thinking, onlooker));
        choice.unwrap_or_else(|failure| Err(self.failed(failure)))
    }

    /// The error of a search whose network failed; what the search has left behind is forgotten.
    fn failed(&mut self, failure: NetworkFailure) -> SessionError {
        self.seat.forget();
        self.forget_study();
        failure.into()
    }

    fn decide(
        &mut self,
        side: Side,
        thinking: &Thinking<'_>,
        onlooker: &mut Onlooker<'_>,
    ) -> Result<Choice, SessionError> {
        let begun = Instant::now();
        let position = self.live.board_for(side)?;
        let limits = self.limits(&*position, side, thinking);
        check(&*position, thinking.moves)?;
        let ending = match may_pass(&*position, thinking.moves) {
            true => self.ending(&*position, side, thinking.purpose, limits.within),
            false => Ending::PlayOn,
        };
        let mut thought = match ending {
            Ending::Pass => Thought::at_once(side, "pass", Reason::CountIsWon),
            Ending::MayPass | Ending::PlayOn => {
                let limits = less(limits, begun.elapsed());
                self.search_move(&*position, side, thinking, ending, &limits, onlooker)?
            }
        };
        if thinking.purpose != Purpose::Regression {
            match thought.choice.clone() {
                Choice::Move(_) if self.game().info().is_hidden => {
                    self.attempt(side, &mut thought, &less(limits, begun.elapsed()));
                }
                Choice::Move(mv) => self.live.play(side, &mv)?,
                Choice::Resign => {}
            }
            thought.is_played = true;
            self.clocks[side.index()].spend(begun.elapsed() + USUAL_LAG);
        }
        thought.time = begun.elapsed();
        let choice = thought.choice.clone();
        self.last = Some(thought);
        Ok(choice)
    }

    /// Checks that a side may be asked for a move, and that one of these is left.
    pub fn check_moves(&self, side: Side, moves: RootMoves<'_>) -> Result<(), SessionError> {
        self.check_turn(side)?;
        check(&*self.position_for(side)?, moves)
    }

    /// The position with this side to move.
    pub fn position_for(&self, side: Side) -> Result<Box<dyn Board>, SessionError> {
        self.live.board_for(side)
    }

    /// Searches for a move, and asks whether to play it, to pass or to resign.
    fn search_move(
        &mut self,
        position: &dyn Board,
        side: Side,
        thinking: &Thinking<'_>,
        ending: Ending,
        limits: &Limits<'_>,
        onlooker: &mut Onlooker<'_>,
    ) -> Result<Thought, SessionError> {
        let purpose = thinking.purpose;
        let (own, for_pass) = match ending {
            Ending::MayPass => shared(*limits),
            Ending::Pass | Ending::PlayOn => (*limits, *limits),
        };
        let seed = self.seat.seed(side, self.ply() as u64, self.seed());
        let (report, line) = match purpose {
            Purpose::Regression => self.study(position, thinking.study, &own, seed, onlooker),
            _ => watched(self.seat.player(), position, &own, seed, onlooker),
        };
        // A position that is not over has a move.
        let Some(chosen) = report.chosen else { return Err(SessionError::NoThought) };
        let arm = &report.arms[chosen];
        let (mv, hope) = (arm.mv, expects(arm, side));
        let ranking = in_order(&report);
        let thought = Thought::found(side, position.move_text(mv), position.in_words(report), line);
        let mut thought = Thought { ranking, ..thought };
        if purpose == Purpose::Regression {
            return Ok(thought);
        }
        let pass = || Choice::Move("pass".to_owned());
        if self.is_hopeless(side, hope) {
            // A count that is won beats every hope.
            match (self.can_end_won(position, side), may_pass(position, limits.moves)) {
                (true, true) => (thought.choice, thought.reason) = (pass(), Reason::CountIsWon),
                (true, false) => {}
                (false, _) => (thought.choice, thought.reason) = (Choice::Resign, Reason::Hopeless),
            }
        } else if ending == Ending::MayPass
            && thought.choice != pass()
            && self.is_safe_to_pass(position, side, &for_pass)
        {
            (thought.choice, thought.reason) = (pass(), Reason::Settled);
        }
        Ok(thought)
    }

    /// A search that plays nothing, by a player that nobody else asks.
    fn study(
        &mut self,
        position: &dyn Board,
        study: Study,
        limits: &Limits<'_>,
        seed: Seed,
        onlooker: &mut Onlooker<'_>,
    ) -> (Report, Vec<String>) {
        let spec = &self.settings.player;
        let (hash, arms) = (position.sight().hash(), limits.moves.among(position.search_moves()));
        let is_same = |kept: &Student| kept.spec == *spec && kept.hash == hash && kept.arms == arms;
        let kept = self.student.take().filter(|kept| matches!(study, Study::Focus(_)) && is_same(kept));
        let is_kept = kept.is_some();
        let mut player = kept.map_or_else(|| spec.config().player(), |kept| kept.player);
        let mut search = |focus: Option<MoveId>| {
            watched(&mut *player, position, &Limits { focus, ..*limits }, seed, onlooker)
        };
        let found = match study {
            Study::Once | Study::Kept => search(None),
            Study::Focus(mv) => {
                // The same search again, if it is not there any more.
                if !is_kept {
                    search(None);
                }
                search(Some(mv))
            }
        };
        if study != Study::Once {
            self.student = Some(Student { spec: spec.clone(), hash, arms, player });
        }
        found
    }

    /// Has the player try its moves in a phantom game, best first, until one stands; if all
    /// are refused it thinks again, knowing that.
    fn attempt(&mut self, side: Side, thought: &mut Thought, limits: &Limits<'_>) {
        loop {
            if let Some(ply) = self.live.attempt_in_order(std::mem::take(&mut thought.ranking)) {
                thought.refused.clone_from(&ply.refused);
                thought.choice = Choice::Move(ply.mv.clone());
                return;
            }
            let seed = self.seat.seed(side, self.ply() as u64, self.seed());
            let board = self.live.board();
            // If all moves that may be chosen are refused, the others are left.
            let is_left = !limits.moves.among(board.search_moves()).is_empty();
            let moves = if is_left { limits.moves } else { RootMoves::All };
            let limits = &Limits { moves, ..*limits };
            let (report, _) = watched(self.seat.player(), board, limits, seed, &mut |_, _| {});
            thought.ranking = in_order(&report);
            thought.report = Some(board.in_words(report));
        }
    }

    /// The stream of the next move's random numbers.
    pub(crate) fn seed(&self) -> Seed {
        self.live.seed(self.game_seed())
    }

    /// What the next search may use.
    fn limits<'a>(&self, position: &dyn Board, side: Side, thinking: &Thinking<'a>) -> Limits<'a> {
        let clock = &self.clocks[side.index()];
        let within = match thinking.purpose {
            Purpose::Regression => None,
            _ => allotment(clock, self.own_moves_left(position)),
        };
        // Without a budget of its own a player uses its clock.
        let usual = || usual_budget().at_ply(self.ply() as u64);
        let budget = self.settings.player.budget_at(self.ply() as u64);
        let budget = budget.unwrap_or_else(|| within.map_or_else(usual, Budget::Time));
        // What else is to be asked is asked within a budget of time too.
        let within = match budget {
            Budget::Time(time) => Some(within.map_or(time, |within| within.min(time))),
            Budget::Samples(_) => within,
        };
        Limits {
            threads: self.settings.threads,
            cancel: Some(thinking.cancel),
            within,
            every: thinking.every,
            moves: thinking.moves,
            confidence: true,
            ..Limits::of(budget)
        }
    }

    /// How many moves a side has still to make, guessed: a game goes on for about half as
    /// long as random ones do.
    fn own_moves_left(&self, position: &dyn Board) -> f64 {
        let mut rng = self.seed().child("length").rng();
        let tally = position.playouts(20, &mut rng, Recording::Off);
        0.5 * tally.mean_length() / 2.0
    }

    /// Looks at the position as if `side` were to move, until cancelled or at the end of its
    /// budget. A tree that is its own root has none: it goes on as long as it can count.
    pub fn analyze(
        &mut self,
        side: Side,
        thinking: &Thinking<'_>,
        onlooker: &mut Onlooker<'_>,
    ) -> Result<(), SessionError> {
        let position = self.live.board_for(side)?;
        check(&*position, thinking.moves)?;
        let config = self.settings.player.config();
        let budget = match is_endless(config) {
            true => Budget::Samples(MOST_SAMPLES),
            false => self.settings.player.budget().unwrap_or(usual_budget()).at_ply(self.ply() as u64),
        };
        let limits = Limits {
            threads: self.settings.threads,
            cancel: Some(thinking.cancel),
            every: thinking.every,
            moves: thinking.moves,
            // Somebody looks on, who says when it is enough.
            until: Some(Until::NEVER),
            ..Limits::of(budget).with_confidence()
        };
        let begun = Instant::now();
        // What the one that plays knows stays as it is.
        let mut player = config.player();
        let seed = self.seed().child("analysis");
        let (report, line) =
            catch_network_failure(|| watched(&mut *player, &*position, &limits, seed, onlooker))?;
        let Some(mv) = report.mv() else { return Err(SessionError::NoThought) };
        let thought = Thought::found(side, position.move_text(mv), position.in_words(report), line);
        self.last = Some(Thought { time: begun.elapsed(), ..thought });
        Ok(())
    }

    /// Whether it would like to think now, while the other side does, and what it would find
    /// can be of use: a player that forgets its trees has nothing of it.
    pub fn wants_to_ponder(&self) -> bool {
        let keeps = match self.settings.player.config() {
            PlayerConfig::Search(search) => search.options.reuse,
            _ => false,
        };
        let has_moved = |thought: &Thought| thought.is_played && thought.side != self.position().to_move();
        // Asked again, a tree that is its own root goes on; other searches would begin anew.
        let goes_on = is_endless(self.settings.player.config()) || self.pondered_at != Some(self.ply());
        self.settings.ponders
            && keeps
            && goes_on
            && !self.game().info().is_hidden
            && self.outcome().is_none()
            && self.last.as_ref().is_some_and(has_moved)
    }

    /// Thinks about the other side's move until cancelled.
    pub fn ponder(&mut self, cancel: &AtomicBool) {
        let limits = Limits {
            threads: self.settings.threads,
            cancel: Some(cancel),
            until: Some(Until::NEVER),
            ..Limits::samples(MOST_PONDERED)
        };
        let seed = self.seed().child("ponder");
        let Session { seat, live, .. } = self;
        let search = || seat.player().search(&*live.board().sight(), &limits, seed, None);
        // The next search says that its network fails.
        if catch_network_failure(search).is_err() {
            self.seat.forget();
        }
        self.pondered_at = Some(self.ply());
    }
}

/// Searches under the eyes of an onlooker; the report, and what is expected after its move.
fn watched(
    player: &mut dyn Player,
    position: &dyn Board,
    limits: &Limits<'_>,
    seed: Seed,
    onlooker: &mut Onlooker<'_>,
) -> (Report, Vec<String>) {
    let moves = position.move_texts(&limits.moves.among(position.search_moves()));
    let sight = position.sight();
    let mut line = Vec::new();
    let mut watch = |event: Event<'_>| {
        if let Event::Progress { best, lines, .. } = event {
            line = lines.after(best).into_iter().map(|(mv, _)| mv).collect();
        }
        onlooker(event, &moves);
    };
    let mut report = player.search(&*sight, limits, seed, Some(&mut watch));
    // However it is hurried, it looks at something before it moves.
    if report.spent == 0 && report.arms.len() > 1 && report.budget > 0 {
        let least = Limits { every: limits.every, moves: limits.moves, ..Limits::samples(LEAST_SAMPLES) };
        report = player.search(&*sight, &least, seed, Some(&mut watch));
    }
    (report, line)
}

/// The moves of a report in the order in which they are to be tried.
fn in_order(report: &Report) -> Vec<MoveId> {
    report.ranking().into_iter().map(|arm| report.arms[arm].mv).collect()
}

/// Checks that a move is left that may be chosen.
fn check(position: &dyn Board, moves: RootMoves<'_>) -> Result<(), SessionError> {
    let (only, avoid): (Option<&[MoveId]>, &[MoveId]) = match moves {
        RootMoves::All => (None, &[]),
        RootMoves::Only(moves) => (Some(moves), &[]),
        RootMoves::Except(moves) => (None, moves),
    };
    Ok(Steering::new(position, only, avoid).map(|_| ())?)
}

/// Whether a pass is among the moves that may be chosen.
fn may_pass(position: &dyn Board, moves: RootMoves<'_>) -> bool {
    moves == RootMoves::All || position.parse_move("pass").is_ok_and(|pass| moves.allows(pass))
}

/// Whether a search can go on as long as one likes.
fn is_endless(config: &PlayerConfig) -> bool {
    match config {
        PlayerConfig::Search(search) => {
            search.root == Root::Tree
                && !matches!(search.tree, TreeConfig::Shot | TreeConfig::HybridMcts { .. })
        }
        PlayerConfig::Random | PlayerConfig::Greedy => false,
    }
}

/// What a side expects of a move.
pub(crate) fn expects<M>(arm: &ArmReport<M>, side: Side) -> Option<f64> {
    arm.proof.map_or(arm.mean, |outcome| Some(outcome.reward(side)))
}

/// These limits for a move, and for the question whether to pass instead.
fn shared(limits: Limits<'_>) -> (Limits<'_>, Limits<'_>) {
    (part_of(limits, 1.0 - PART_FOR_PASS), after_pass(limits))
}

/// The limits of a search of the position after a pass, which has other moves.
fn after_pass(limits: Limits<'_>) -> Limits<'_> {
    Limits { every: None, moves: RootMoves::All, ..part_of(limits, PART_FOR_PASS) }
}

/// A part of these limits.
fn part_of(limits: Limits<'_>, part: f64) -> Limits<'_> {
    let budget = match limits.budget {
        Budget::Samples(samples) => Budget::Samples(((samples as f64 * part) as u64).max(1)),
        Budget::Time(time) => Budget::Time(time.mul_f64(part)),
    };
    Limits { budget, within: limits.within.map(|time| time.mul_f64(part)), ..limits }
}

/// What is left of these limits after so much time.
fn less(limits: Limits<'_>, used: Duration) -> Limits<'_> {
    Limits { within: limits.within.map(|within| within.saturating_sub(used)), ..limits }
}
