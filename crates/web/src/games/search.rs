//! A search of a game, told while it runs.

use std::time::{Duration, Instant};

use axum::extract::{Path, State as Shared};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tesuji_catalog::{BudgetSpec, GameSpec, PlayerSpec};
use tesuji_core::Seed;
use tesuji_search::{Board, Event, Limits, PlayerConfig, Report, RootMoves, Steering, catch_network_failure};
use tesuji_session::{Choice, Purpose, Reason, SessionError, Settings, Study, Thinking, Thought};

use super::events::{Begun, Decided, SearchTeller, Who, in_words};
use super::table::Lent;
use crate::body::Body;
use crate::bounds::Bounds;
use crate::error::Refusal;
use crate::player::{player, with_samples};
use crate::state::State;
use crate::stream::{Stop, Teller, stream};

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    player: Option<String>,
    #[serde(default)]
    play: bool,
    beside: Option<String>,
    only: Option<Vec<String>>,
    #[serde(default)]
    avoid: Vec<String>,
    focus: Option<String>,
}

impl Order {
    /// The moves that the search may choose, and the one that all its samples go to.
    fn steering(&self, lent: &mut Lent) -> Result<Steering, Refusal> {
        let Order { play, only, avoid, focus, .. } = self;
        if only.is_none() && avoid.is_empty() && focus.is_none() {
            return Ok(Steering::default());
        }
        if lent.is_hidden {
            // What is refused would tell where the hidden stones are.
            return Err(Refusal::impossible(
                "the moves of a player whose thoughts are hidden cannot be chosen",
            ));
        }
        if *play && focus.is_some() {
            return Err(Refusal::impossible("'focus' is for searches that play nothing"));
        }
        let focus: Vec<&str> = focus.iter().map(String::as_str).collect();
        let avoid: Vec<&str> = avoid.iter().map(String::as_str).collect();
        let only: Option<Vec<&str>> = only.as_ref().map(|only| only.iter().map(String::as_str).collect());
        let steering = Steering::read(lent.session().position(), only.as_deref(), &avoid, &focus);
        steering.map_err(|error| Refusal::impossible(error.to_string()))
    }
}

/// A search of fewer samples tells its progress by samples, so that there is something to
/// see; a longer one by the clock.
const SHORT: u64 = 20_000;
/// How often that is.
const EVERY: Duration = Duration::from_millis(100);

/// A search to be done.
struct Job {
    lent: Lent,
    purpose: Purpose,
    /// The moves that it may choose, and the one that all its samples go to.
    steering: Steering,
    beside: Option<PlayerSpec>,
    stop: Stop,
    /// Stops the search beside.
    stop_beside: Stop,
    bounds: Bounds,
}

/// Begins a search, and answers with its events.
pub(super) async fn begin(
    Shared(state): Shared<State>,
    Path(id): Path<String>,
    Body(order): Body<Order>,
) -> Result<Response, Refusal> {
    let table = state.tables().find(&id)?;
    let bounds = state.bounds();
    let read =
        |text: &Option<String>| text.as_deref().map(|text| player(text, table.game(), bounds)).transpose();
    let (asked, beside) = (read(&order.player)?, read(&order.beside)?);
    let stop = Stop::default();
    let mut lent = table.lend(asked, &stop, bounds)?;
    let steering = order.steering(&mut lent)?;
    let purpose = if order.play { Purpose::Play } else { Purpose::Regression };
    let stop_beside = Stop::default();
    let (teller, response) = stream(vec![stop.clone(), stop_beside.clone()]);
    let job = Job { lent, purpose, steering, beside, stop, stop_beside, bounds: bounds.clone() };
    tokio::spawn(turn(state, job, teller));
    Ok(response)
}

/// Waits for a turn, and thinks.
async fn turn(state: State, job: Job, teller: Teller) {
    let turn = tokio::select! {
        turn = state.threads().turn() => turn,
        // It was stopped before it began, or nobody waits for it any more: the session goes back
        // as it is.
        () = job.stop.wait() => {
            drop(job);
            return teller.tell("end", &End {});
        }
    };
    let watchdog = tokio::spawn({
        let (stop, time) = (job.stop.clone(), job.bounds.time());
        async move {
            tokio::time::sleep(time).await;
            stop.set();
        }
    });
    let threads = turn.threads;
    let thinking = tokio::task::spawn_blocking({
        let teller = teller.clone();
        move || think(job, threads, &teller)
    });
    match thinking.await {
        Ok(Ok(())) => teller.tell("end", &End {}),
        Ok(Err(refusal)) => teller.fail(&refusal),
        Err(_) => teller.fail(&Refusal::broken()),
    }
    watchdog.abort();
    drop(turn);
}

#[derive(Serialize)]
struct End {}

/// The search itself, and the one beside it.
fn think(mut job: Job, threads: usize, teller: &Teller) -> Result<(), Refusal> {
    let (player, is_hidden) = (job.lent.player.clone(), job.lent.is_hidden);
    let table = std::sync::Arc::clone(job.lent.table());
    let session = job.lent.session();
    session.set(Settings { player: player.clone(), threads, ..session.settings().clone() })?;
    let searched = Searched {
        position: session.position().boxed_clone(),
        ply: session.ply(),
        seed: session.settings().seed,
    };
    let side = searched.position.to_move();
    let mut told = searched.begun(Who::Player, &player, job.steering.moves(), teller, is_hidden);
    let study = match job.steering.focus() {
        [mv, ..] => Study::Focus(*mv),
        [] => Study::Kept,
    };
    let thinking = Thinking {
        purpose: job.purpose,
        every: pace(&player),
        moves: job.steering.moves(),
        study,
        cancel: job.stop.flag(),
    };
    let choice = session.choose(side, &thinking, &mut |event, _| told.see(event))?;
    let thought = session.thought().cloned();
    if let Some(thought) = &thought {
        teller.tell("decided", &decided(thought, session.explanation()?, is_hidden));
    }
    let report = thought.and_then(|thought| thought.report);
    let keeps = matches!(player.config(), PlayerConfig::Search(search) if search.options.reuse);
    let is_small = report.as_ref().is_some_and(|report| report.memory.bytes <= job.bounds.kept_bytes);
    if !keeps || !is_small {
        session.forget_trees();
    }
    let is_kept = report.as_ref().is_some_and(|report| report.memory.bytes <= job.bounds.study_bytes);
    if !is_kept {
        session.forget_study();
    }
    // Whoever has gone away did not ask for a hasty move. (What a referee has said stays said.)
    let is_left = teller.is_closed() && job.purpose == Purpose::Play && !table.game().info().is_hidden;
    let resigned = (choice == Choice::Resign && job.purpose == Purpose::Play && !is_left).then_some(side);
    if is_left && matches!(choice, Choice::Move(_)) {
        session.undo(1)?;
    }
    let spent = report.map_or(0, |report| report.spent);
    let beside =
        job.beside.filter(|beside| !is_hidden && spent > 0 && beside.is_search() && !teller.is_closed());
    job.lent.give_back(resigned, beside.is_some().then(|| job.stop_beside.clone()));
    if job.purpose == Purpose::Play {
        teller.tell("game", &table.shown());
    }
    if let Some(beside) = beside {
        searched.compare(
            &with_samples(beside, spent),
            job.steering.moves(),
            table.game(),
            &job.stop_beside,
            job.bounds.time(),
            teller,
        )?;
    }
    Ok(())
}

/// How often a search tells its progress.
fn pace(player: &PlayerSpec) -> Option<Duration> {
    match player.budget().and_then(BudgetSpec::most_samples) {
        Some(samples) if samples <= SHORT => None,
        _ => Some(EVERY),
    }
}

/// What is searched.
struct Searched {
    position: Box<dyn Board>,
    ply: usize,
    seed: Seed,
}

impl Searched {
    /// Tells that a search begins, and gives who tells the rest.
    fn begun<'a>(
        &self,
        who: Who,
        player: &PlayerSpec,
        allowed: RootMoves<'_>,
        teller: &'a Teller,
        is_hidden: bool,
    ) -> SearchTeller<'a> {
        let moves =
            (!is_hidden).then(|| self.position.move_texts(&allowed.among(self.position.search_moves())));
        let budget = player.budget().map(|budget| budget.fixed_at_ply(self.ply as u64));
        let begun = Begun {
            who,
            player: player.to_string(),
            budget: budget.map_or_else(String::new, |budget| budget.to_string()),
            to_move: self.position.to_move(),
            ply: self.ply,
            moves: moves.clone().unwrap_or_default(),
        };
        teller.tell("begun", &begun);
        SearchTeller { who, teller, moves, spent: 0, last: None }
    }

    /// What another player would have done with as many samples.
    fn compare(
        &self,
        player: &PlayerSpec,
        allowed: RootMoves<'_>,
        game: &GameSpec,
        stop: &Stop,
        time: Duration,
        teller: &Teller,
    ) -> Result<(), Refusal> {
        let begun = Instant::now();
        let mut told = self.begun(Who::Beside, player, allowed, teller, false);
        let budget = player.budget().unwrap_or(BudgetSpec::DEFAULT).at_ply(self.ply as u64);
        let (cancel, within) = (Some(stop.flag()), Some(time));
        let limits = Limits {
            cancel,
            within,
            every: pace(player),
            moves: allowed,
            ..Limits::of(budget).with_confidence()
        };
        let seed = self.seed.child("beside").child(self.ply as u64);
        let mut watch = |event: Event<'_>| told.see(event);
        let mut player = game.player(player.config())?;
        let search = || player.search(&*self.position.sight(), &limits, seed, Some(&mut watch));
        let report = catch_network_failure(search).map_err(SessionError::from)?;
        let report = self.position.in_words(report);
        let mv = report.mv();
        let decided = Decided {
            who: Who::Beside,
            choice: "move",
            reason: "the search says so",
            seconds: begun.elapsed().as_secs_f64(),
            line: mv.iter().cloned().collect(),
            refused: Vec::new(),
            explanation: in_words(&report),
            r#move: mv,
            report: Some(Report { rounds: Vec::new(), ..report }),
        };
        teller.tell("decided", &decided);
        Ok(())
    }
}

/// What came of it, as far as it may be seen.
fn decided(thought: &Thought, explanation: String, is_hidden: bool) -> Decided {
    let report = thought.report.as_ref();
    let mv = match &thought.choice {
        Choice::Move(mv) => Some(mv.clone()),
        Choice::Resign => None,
    };
    let reason = match thought.reason {
        Reason::Search => "the search says so",
        Reason::CountIsWon => "the other side has passed, and the count is won",
        Reason::Settled => "nothing is open, and the count is won",
        Reason::Hopeless => "it has seen no hope for three moves running",
    };
    let choice = if mv.is_some() { "move" } else { "resign" };
    let seconds = thought.time.as_secs_f64();
    // Its rounds were told when they ended.
    let seen = |report: &Report<String>| Report { rounds: Vec::new(), ..report.clone() };
    if is_hidden {
        let unseen = |report: &Report<String>| Report {
            chosen: None,
            arms: Vec::new(),
            confidence: None,
            ..seen(report)
        };
        return Decided {
            who: Who::Player,
            choice,
            r#move: None,
            reason,
            seconds,
            line: Vec::new(),
            refused: Vec::new(),
            explanation: String::new(),
            report: report.map(unseen),
        };
    }
    Decided {
        who: Who::Player,
        choice,
        line: mv.iter().chain(&thought.line).cloned().collect(),
        r#move: mv,
        reason,
        seconds,
        refused: thought.refused.clone(),
        explanation,
        report: report.map(seen),
    }
}
