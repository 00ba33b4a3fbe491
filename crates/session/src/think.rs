//! Thinking: a move to be played, a position to be looked at, the other side's time.
//!
//! In Go a program that only searches never ends a game: passing is not among the moves that
//! it searches while there are others, and a lost game goes on until the board is full. So
//! whoever plays Go here has manners. It **passes** when the other side has passed and the
//! count as it stands, all stones alive, is won, and the count without what playouts take
//! for dead is won too; it passes first when no point is open, the count is won, and a search
//! of the position after the pass says that it stays so. It **resigns** when it has seen no
//! hope in three moves running, unless passing would win by the count.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tesuji_catalog::{AnyGame, Attempt};
use tesuji_core::{Outcome, Seed, Side};
use tesuji_search::{
    ArmReport, Budget, Event, Limits, MOST_SAMPLES, PlayerConfig, Report, Root, SearchStop, TreeConfig,
};

use crate::allotment::allotment;
use crate::cells::Cells;
use crate::error::SessionError;
use crate::session::{Session, is_go};
use crate::usual::usual_budget;

/// Moves running without hope after which a game is given up.
const PATIENCE: u32 = 3;
/// The share that must be expected after a pass that ends nothing yet.
const SAFE: f64 = 0.95;
/// The part of the budget that goes into the question whether to pass.
const PART_FOR_PASS: f64 = 0.1;

/// What a move is chosen for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To play it, on the clock.
    Play,
    /// To end a game in which the other side has passed: what is dead is to be taken first.
    CleanUp,
    /// Only to say it: no clock, no manners, nothing remembered, nothing played.
    Regression,
}

/// How to think.
#[derive(Clone, Copy, Debug)]
pub struct Thinking<'a> {
    /// What for.
    pub purpose: Purpose,
    /// How often those who watch want to hear of the moves, where they do.
    pub every: Option<Duration>,
    /// Set by another thread, it ends the search at once; the best move so far counts.
    pub cancel: &'a AtomicBool,
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
    /// What the search found; nothing where none was needed.
    pub report: Option<Report<String>>,
    /// What is expected after the move that the search chose.
    pub line: Vec<String>,
    /// The texts of the attempts that a referee refused.
    pub refused: Vec<String>,
    /// How long it took.
    pub time: Duration,
}

impl Session {
    /// Chooses a move for a side, and plays it unless it is only to be said.
    pub fn choose(
        &mut self,
        side: Side,
        thinking: &Thinking<'_>,
        onlooker: &mut Onlooker<'_>,
    ) -> Result<Choice, SessionError> {
        let begun = Instant::now();
        let position = self.with_to_move(side)?;
        let is_played = thinking.purpose != Purpose::Regression;
        let mut thought = match self.passes_at_once(&*position, side, thinking.purpose) {
            true => Thought {
                side,
                choice: Choice::Move("pass".to_owned()),
                reason: Reason::CountIsWon,
                report: None,
                line: Vec::new(),
                refused: Vec::new(),
                time: Duration::ZERO,
            },
            false => self.search_move(&*position, side, thinking, onlooker)?,
        };
        if is_played {
            match thought.choice.clone() {
                Choice::Move(_) if self.game.info().is_hidden => {
                    self.attempt(side, &mut thought, thinking)?
                }
                Choice::Move(mv) => self.play_on(position, side, &mv)?,
                Choice::Resign => {}
            }
            self.clocks[side.index()].spend(begun.elapsed());
        }
        thought.time = begun.elapsed();
        let choice = thought.choice.clone();
        self.last = Some(thought);
        Ok(choice)
    }

    /// Searches for a move, and asks whether to play it, to pass or to resign.
    fn search_move(
        &mut self,
        position: &dyn AnyGame,
        side: Side,
        thinking: &Thinking<'_>,
        onlooker: &mut Onlooker<'_>,
    ) -> Result<Thought, SessionError> {
        let has_manners = thinking.purpose != Purpose::Regression && is_go(&self.game);
        let may_pass = has_manners
            && self.settings.manners.passes_early
            && self.is_closed(position, side)
            && (thinking.purpose != Purpose::CleanUp || self.enemies_dead(position, side).is_empty());
        let mut limits = self.limits(position, side, thinking);
        let share = if may_pass { 1.0 - PART_FOR_PASS } else { 1.0 };
        limits = part_of(limits, share);
        let moves = position.search_moves();
        let mut line = Vec::new();
        let mut watch = |event: Event<'_>| {
            if let Event::Progress { best, lines, .. } = event {
                line = lines.after(best).into_iter().map(|(mv, _)| mv).collect();
            }
            onlooker(event, &moves);
        };
        let seed = self.seed();
        let report = match thinking.purpose {
            // As if nothing had been asked before.
            Purpose::Regression => {
                let mut player = self.game.player(self.settings.player.config())?;
                player.search(position, &limits, seed, Some(&mut watch))
            }
            _ => self.player.search(position, &limits, seed, Some(&mut watch)),
        };
        let Some(chosen) = report.chosen else {
            // A position that is not over has a move.
            return Err(SessionError::NoThought);
        };
        let arm = &report.arms[chosen];
        let (mut choice, mut reason) = (Choice::Move(arm.mv.clone()), Reason::Search);
        if thinking.purpose != Purpose::Regression && self.is_hopeless(side, expects(arm, side)) {
            // A count that is won beats every hope.
            (choice, reason) = match self.was_passed() && self.count_is_won(position, side) {
                true => (Choice::Move("pass".to_owned()), Reason::CountIsWon),
                false => (Choice::Resign, Reason::Hopeless),
            };
        } else if may_pass && arm.mv != "pass" && self.is_safe_to_pass(position, side, &limits, share) {
            (choice, reason) = (Choice::Move("pass".to_owned()), Reason::Settled);
        }
        let report = Some(report);
        Ok(Thought { side, choice, reason, report, line, refused: Vec::new(), time: Duration::ZERO })
    }

    /// A player's attempts in a phantom game, best first, until one stands; where all are
    /// refused it thinks again, knowing that.
    fn attempt(
        &mut self,
        side: Side,
        thought: &mut Thought,
        thinking: &Thinking<'_>,
    ) -> Result<(), SessionError> {
        loop {
            let ranked = thought.report.iter().flat_map(|report| {
                report.ranking().into_iter().map(|arm| report.arms[arm].mv.clone()).collect::<Vec<_>>()
            });
            let texts: Vec<String> = ranked.collect();
            for text in texts {
                let mut position = self.position.boxed_clone();
                match position.attempt(&text)? {
                    Attempt::Stands { mv, .. } => {
                        self.play(side, &mv)?;
                        thought.choice = Choice::Move(mv);
                        return Ok(());
                    }
                    Attempt::Refused { mv } => {
                        self.position = position;
                        thought.refused.push(mv);
                    }
                }
            }
            let position = self.position.boxed_clone();
            thought.report = self.search_move(&*position, side, thinking, &mut |_, _| {})?.report;
        }
    }

    /// The stream of the next move's random numbers.
    fn seed(&self) -> Seed {
        self.settings.seed.child("session").child(self.ply() as u64)
    }

    /// What the next search may use.
    fn limits<'a>(&self, position: &dyn AnyGame, side: Side, thinking: &Thinking<'a>) -> Limits<'a> {
        let clock = &self.clocks[side.index()];
        let within = match thinking.purpose {
            Purpose::Regression => None,
            _ => allotment(clock, self.own_moves_left(position)),
        };
        // Without a budget of its own a player uses its clock.
        let budget =
            self.settings.player.budget().unwrap_or(within.map_or(usual_budget().budget(), Budget::Time));
        Limits {
            budget,
            threads: self.settings.threads,
            cancel: Some(thinking.cancel),
            within,
            every: thinking.every,
        }
    }

    /// How many moves a side has still to make, guessed: a game goes on for about half as
    /// long as random ones do.
    fn own_moves_left(&self, position: &dyn AnyGame) -> f64 {
        let mut rng = self.seed().child("length").rng();
        let tally = position.playouts(20, &mut rng, tesuji_catalog::Recording::Off);
        0.5 * tally.mean_length() / 2.0
    }

    /// Whether a side gives up that now expects this share.
    fn is_hopeless(&mut self, side: Side, expects: Option<f64>) -> bool {
        let below = self.settings.manners.resign_below;
        let count = &mut self.hopeless[side.index()];
        *count = if expects.is_some_and(|share| share < below) { *count + 1 } else { 0 };
        *count >= PATIENCE
    }

    // Passing, in Go.

    /// Whether to pass without a search: the other side has, and the game is won.
    fn passes_at_once(&self, position: &dyn AnyGame, side: Side, purpose: Purpose) -> bool {
        is_go(&self.game)
            && purpose != Purpose::Regression
            && self.settings.manners.passes_early
            && self.was_passed()
            && self.count_is_won(position, side)
            && self.count_is_won_without_dead(position, side)
            && (purpose == Purpose::Play || self.enemies_dead(position, side).is_empty())
    }

    /// Whether a side wins if both pass now, all stones being alive.
    fn count_is_won(&self, position: &dyn AnyGame, side: Side) -> bool {
        let mut after = position.boxed_clone();
        while after.outcome().is_none() && after.play("pass").is_ok() {}
        after.outcome() == Some(Outcome::Win(side))
    }

    /// Whether a side wins by the count, and no point is open any more.
    fn is_closed(&self, position: &dyn AnyGame, side: Side) -> bool {
        self.count_is_won(position, side)
            && Cells::of(&self.game, position).owners().iter().all(Option::is_some)
    }

    /// Whether a game stays won if this side passes, as far as a search sees.
    fn is_safe_to_pass(&self, position: &dyn AnyGame, side: Side, limits: &Limits<'_>, share: f64) -> bool {
        let mut after = position.boxed_clone();
        if after.play("pass").is_err() {
            return false;
        }
        if let Some(outcome) = after.outcome() {
            return outcome == Outcome::Win(side);
        }
        let Ok(mut player) = self.game.player(self.settings.player.config()) else { return false };
        let limits = Limits { every: None, ..part_of(*limits, (1.0 - share) / share) };
        let report = player.search(&*after, &limits, self.seed().child("pass"), None);
        if report.stop == Some(SearchStop::Cancelled) {
            return false;
        }
        let answer = report.chosen.and_then(|chosen| expects(&report.arms[chosen], !side));
        answer.is_some_and(|share| 1.0 - share >= SAFE)
    }

    // Looking, and the other side's time.

    /// Looks at the position as if `side` were to move, until cancelled or at the end of its
    /// budget. A tree that is its own root has none: it goes on as long as it can count.
    pub fn analyze(
        &mut self,
        side: Side,
        thinking: &Thinking<'_>,
        onlooker: &mut Onlooker<'_>,
    ) -> Result<(), SessionError> {
        let position = self.with_to_move(side)?;
        let config = self.settings.player.config();
        let budget = match is_endless(config) {
            true => Budget::Samples(MOST_SAMPLES),
            false => self.settings.player.budget().unwrap_or(usual_budget().budget()),
        };
        let limits = Limits {
            threads: self.settings.threads,
            cancel: Some(thinking.cancel),
            every: thinking.every,
            ..Limits::of(budget)
        };
        let moves = position.search_moves();
        let mut line = Vec::new();
        let mut watch = |event: Event<'_>| {
            if let Event::Progress { best, lines, .. } = event {
                line = lines.after(best).into_iter().map(|(mv, _)| mv).collect();
            }
            onlooker(event, &moves);
        };
        let begun = Instant::now();
        // What the one that plays knows stays as it is.
        let mut player = self.game.player(config)?;
        let report = player.search(&*position, &limits, self.seed().child("analysis"), Some(&mut watch));
        let Some(mv) = report.mv() else { return Err(SessionError::NoThought) };
        self.last = Some(Thought {
            side,
            choice: Choice::Move(mv),
            reason: Reason::Search,
            report: Some(report),
            line,
            refused: Vec::new(),
            time: begun.elapsed(),
        });
        Ok(())
    }

    /// Whether it would like to think now, while the other side does, and what it would find
    /// can be of use: a player that forgets its trees has nothing of it.
    pub fn wants_to_ponder(&self) -> bool {
        let keeps = match self.settings.player.config() {
            PlayerConfig::Search(search) => search.options.reuse,
            _ => false,
        };
        let has_moved = |thought: &Thought| thought.side != self.position.to_move();
        self.settings.ponders
            && keeps
            && !self.game.info().is_hidden
            && self.position.outcome().is_none()
            && self.last.as_ref().is_some_and(has_moved)
    }

    /// Thinks about the other side's move until cancelled.
    pub fn ponder(&mut self, cancel: &AtomicBool) {
        let limits =
            Limits { threads: self.settings.threads, cancel: Some(cancel), ..Limits::samples(MOST_SAMPLES) };
        self.player.search(&*self.position, &limits, self.seed().child("ponder"), None);
    }
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
pub(crate) fn expects(arm: &ArmReport<String>, side: Side) -> Option<f64> {
    arm.proof.map_or(arm.mean, |outcome| Some(outcome.reward(side)))
}

/// A part of these limits.
fn part_of(limits: Limits<'_>, part: f64) -> Limits<'_> {
    let budget = match limits.budget {
        Budget::Samples(samples) => Budget::Samples(((samples as f64 * part) as u64).max(1)),
        Budget::Time(time) => Budget::Time(time.mul_f64(part)),
    };
    Limits { budget, within: limits.within.map(|time| time.mul_f64(part)), ..limits }
}
