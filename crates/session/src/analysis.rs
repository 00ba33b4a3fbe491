//! Many positions searched side by side, for programs that ask.
//!
//! Queries wait in the order in which they came; workers take one each, search, and tell
//! whoever asked. A query depends on itself alone: a player is made for it and gone after
//! it, so its answer is the same beside any others, on any number of workers.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tesuji_catalog::{GameSpec, PlayerSpec, SpecError};
use tesuji_core::{Round, Seed};
use tesuji_search::{
    Board, Budget, Event, Limits, Memory, NetworkFailure, Report, SearchStop, Standing, Steering,
};
use thiserror::Error;

/// A position to be searched, and how.
pub struct Query {
    game: GameSpec,
    position: Box<dyn Board>,
    player: PlayerSpec,
    /// How much to think.
    pub budget: Budget,
    /// Where its random numbers come from.
    pub seed: Seed,
    /// The threads of this one search.
    pub threads: usize,
    /// How often to report its progress, as far as the player can; `None` for never.
    pub every: Option<Duration>,
    /// The moves that the search may choose, and those that get more samples after it.
    pub steering: Steering,
    /// How much to think about each move that gets more samples; `None` for as much as the search.
    pub focus_budget: Option<Budget>,
    /// How much room it takes while it waits: 1 for a usual one, see [`Analysis::has_room`].
    pub weight: usize,
}

impl Query {
    /// This player at this position of the game, on one thread; an error where it does not
    /// play the game.
    pub fn new(
        game: GameSpec,
        position: Box<dyn Board>,
        player: PlayerSpec,
        budget: Budget,
    ) -> Result<Query, SpecError> {
        game.check_player(player.config())?;
        Ok(Query {
            game,
            position,
            player,
            budget,
            seed: Seed::new(1),
            threads: 1,
            every: None,
            steering: Steering::default(),
            focus_budget: None,
            weight: 1,
        })
    }

    /// The game.
    pub fn game(&self) -> &GameSpec {
        &self.game
    }

    /// The position.
    pub fn position(&self) -> &dyn Board {
        &*self.position
    }

    /// The player.
    pub fn player(&self) -> &PlayerSpec {
        &self.player
    }
}

/// What the one who asked a query is told of it.
pub enum News {
    /// How it stands while the search goes on.
    Progress(Progress),
    /// The search is over. Nothing comes after this.
    Done(Box<Found>),
    /// The player's network failed. Nothing comes after this.
    NetworkFailed(NetworkFailure),
    /// The search broke down, which none should: a fault of ours. Nothing comes after this.
    Failed,
}

/// How a search stands.
pub struct Progress {
    /// The moves, the best first.
    pub standing: Standing,
    /// The moves that the search may choose, in the order in which rounds number them.
    pub moves: Arc<[String]>,
    /// The halving rounds so far.
    pub rounds: Vec<Round>,
    /// Samples so far, in the units of the budget.
    pub spent: u64,
    /// The samples that the search has.
    pub budget: u64,
    /// Since it began.
    pub time: Duration,
}

/// What a search found.
pub struct Found {
    /// The search's own words.
    pub report: Report<String>,
    /// How its moves stood when it last told, which is at its end; nothing where it took no
    /// samples.
    pub standing: Option<Standing>,
    /// How long it took.
    pub time: Duration,
}

/// The name is that of a query that is not answered yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a query of the same id is not answered yet: wait for its answer, or give this one another id")]
pub struct Taken;

/// The weight of all waiting queries that are taken before [`Analysis::has_room`] says no.
pub const MOST_WAITING: usize = 10_000;

type Tell = Box<dyn FnMut(&Query, News) + Send>;

/// A query that waits for a worker.
struct Waiting<K> {
    key: K,
    query: Query,
    tell: Tell,
    cancel: Arc<AtomicBool>,
}

struct Desk<K> {
    waiting: VecDeque<Waiting<K>>,
    /// Their weight.
    weight: usize,
    /// Every query that is not answered yet, waiting or running, and how to end it.
    open: BTreeMap<K, Arc<AtomicBool>>,
    /// Queries that a worker is at.
    running: usize,
    is_closed: bool,
}

struct Shared<K> {
    desk: Mutex<Desk<K>>,
    /// Something waits, or the desk was closed.
    work: Condvar,
    /// A query left the desk.
    left: Condvar,
}

impl<K> Shared<K> {
    /// Nothing that can fail is done while the desk is locked.
    fn desk(&self) -> MutexGuard<'_, Desk<K>> {
        self.desk.lock().expect("nobody panics at the desk")
    }
}

/// Workers that answer queries. Each query has a key, which nobody else has until it is
/// answered.
pub struct Analysis<K> {
    shared: Arc<Shared<K>>,
    workers: Vec<JoinHandle<()>>,
}

impl<K: Ord + Clone + Send + 'static> Analysis<K> {
    /// Starts this number of workers, at least one, each on a thread of its own.
    pub fn new(workers: usize) -> Analysis<K> {
        let desk =
            Desk { waiting: VecDeque::new(), weight: 0, open: BTreeMap::new(), running: 0, is_closed: false };
        let shared = Arc::new(Shared { desk: Mutex::new(desk), work: Condvar::new(), left: Condvar::new() });
        let worker = |_| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || work(&shared))
        };
        let workers = (0..workers.max(1)).map(worker).collect();
        Analysis { shared, workers }
    }

    /// Takes a query. `tell` hears of its progress, where the query asks for that, and once of
    /// its end: from a worker, or from whoever cancels it before it began.
    pub fn submit(
        &self,
        key: K,
        query: Query,
        tell: impl FnMut(&Query, News) + Send + 'static,
    ) -> Result<(), Taken> {
        let mut desk = self.shared.desk();
        if desk.open.contains_key(&key) {
            return Err(Taken);
        }
        let cancel = Arc::new(AtomicBool::new(false));
        desk.open.insert(key.clone(), Arc::clone(&cancel));
        desk.weight += query.weight;
        desk.waiting.push_back(Waiting { key, query, tell: Box::new(tell), cancel });
        self.shared.work.notify_one();
        Ok(())
    }

    /// Ends a query at once: a search tells what it has, and one that waits tells that it
    /// never began. Whether there was such a query.
    pub fn cancel(&self, key: &K) -> bool {
        let mut desk = self.shared.desk();
        let Some(cancel) = desk.open.get(key) else { return false };
        cancel.store(true, Ordering::Relaxed);
        let place = desk.waiting.iter().position(|waiting| waiting.key == *key);
        let taken = place.and_then(|place| desk.waiting.remove(place));
        self.let_go(desk, taken.into_iter().collect());
        true
    }

    /// Ends all queries at once, and says how many there were.
    pub fn cancel_all(&self) -> usize {
        let mut desk = self.shared.desk();
        let open = desk.open.len();
        desk.open.values().for_each(|cancel| cancel.store(true, Ordering::Relaxed));
        let taken = desk.waiting.drain(..).collect();
        self.let_go(desk, taken);
        open
    }

    /// Tells those who asked for queries that were taken off the desk before they began.
    fn let_go(&self, mut desk: MutexGuard<'_, Desk<K>>, taken: Vec<Waiting<K>>) {
        for waiting in &taken {
            desk.weight -= waiting.query.weight;
            desk.open.remove(&waiting.key);
        }
        drop(desk);
        self.shared.left.notify_all();
        for Waiting { query, mut tell, .. } in taken {
            let found = Found { report: never_begun(&query), standing: None, time: Duration::ZERO };
            tell(&query, News::Done(Box::new(found)));
        }
    }

    /// Whether few enough queries wait for another to be welcome. One that is submitted all
    /// the same is taken: who reads queries from elsewhere stops reading instead.
    pub fn has_room(&self) -> bool {
        self.shared.desk().weight < MOST_WAITING
    }

    /// Waits until [`has_room`](Analysis::has_room), for so long at most, and says whether it does.
    pub fn wait_for_room(&self, most: Duration) -> bool {
        self.wait(most, |desk| desk.weight < MOST_WAITING)
    }

    /// Waits until every query is answered, for so long at most, and says whether they are.
    pub fn wait_for_all(&self, most: Duration) -> bool {
        self.wait(most, |desk| desk.waiting.is_empty() && desk.running == 0)
    }

    fn wait(&self, most: Duration, is_so: impl Fn(&Desk<K>) -> bool) -> bool {
        let desk = self.shared.desk();
        let waited = self.shared.left.wait_timeout_while(desk, most, |desk| !is_so(desk));
        !waited.expect("nobody panics at the desk").1.timed_out()
    }
}

/// What is left is answered first; cancel it all where that takes too long.
impl<K> Drop for Analysis<K> {
    fn drop(&mut self) {
        self.shared.desk().is_closed = true;
        self.shared.work.notify_all();
        for worker in self.workers.drain(..) {
            // One that panicked has no more to say.
            let _ = worker.join();
        }
    }
}

/// The report on a query that was cancelled while it waited.
fn never_begun(query: &Query) -> Report<String> {
    let budget = match query.budget {
        Budget::Samples(samples) => samples,
        Budget::Time(_) => 0,
    };
    Report {
        chosen: None,
        arms: Vec::new(),
        rounds: Vec::new(),
        budget,
        spent: 0,
        carried: 0,
        stop: Some(SearchStop::Cancelled),
        confidence: None,
        memory: Memory::default(),
        focused: Vec::new(),
    }
}

/// A worker's life.
fn work<K: Ord>(shared: &Shared<K>) {
    loop {
        let mut desk = shared.desk();
        let Waiting { key, query, mut tell, cancel } = loop {
            if let Some(waiting) = desk.waiting.pop_front() {
                break waiting;
            }
            if desk.is_closed {
                return;
            }
            desk = shared.work.wait(desk).expect("nobody panics at the desk");
        };
        desk.weight -= query.weight;
        desk.running += 1;
        drop(desk);
        shared.left.notify_all();
        let searched = catch_unwind(AssertUnwindSafe(|| search(&query, &cancel, &mut tell)));
        // Whoever hears the answer may use the key again.
        shared.desk().open.remove(&key);
        let news = match searched.map_err(NetworkFailure::of_panic) {
            Ok(found) => News::Done(Box::new(found)),
            Err(Ok(failure)) => News::NetworkFailed(failure),
            Err(Err(_)) => News::Failed,
        };
        // Somebody who cannot bear to be told is no reason for a worker to leave.
        let _ = catch_unwind(AssertUnwindSafe(|| tell(&query, news)));
        shared.desk().running -= 1;
        shared.left.notify_all();
    }
}

/// A day: who has not asked for progress is told at the end only, and a few times between.
const SELDOM: Duration = Duration::from_secs(24 * 60 * 60);

fn search(query: &Query, cancel: &AtomicBool, tell: &mut Tell) -> Found {
    let moves: Arc<[String]> = query.steering.arm_texts(&*query.position).into();
    let limits = Limits {
        cancel: Some(cancel),
        every: Some(query.every.unwrap_or(SELDOM)),
        ..Limits::of(query.budget).on(query.threads).with_confidence()
    };
    let mut player = query.game.player(query.player.config()).expect("whether it plays the game was checked");
    let mut last = None;
    let mut rounds: Vec<Round> = Vec::new();
    let begin = Instant::now();
    let mut told = begin;
    let mut watch = |event: Event<'_>| match event {
        Event::Round { index, round } => {
            // A search by the clock may begin its rounds again.
            rounds.truncate(index);
            rounds.push(round.clone());
        }
        Event::Progress { spent, budget, .. } => {
            let now = Instant::now();
            last = Standing::at(event, &moves);
            // Roots that halve speak at the end of every round, wanted or not.
            let is_due = query.every.is_some_and(|every| now - told >= every);
            if let Some(standing) = last.as_ref().filter(|_| is_due).cloned() {
                told = now;
                let (moves, rounds, time) = (Arc::clone(&moves), rounds.clone(), now - begin);
                tell(query, News::Progress(Progress { standing, moves, rounds, spent, budget, time }));
            }
        }
    };
    let sight = query.position.sight();
    let more = query.focus_budget.unwrap_or(query.budget);
    let report = query.steering.search(&mut *player, &*sight, &limits, more, query.seed, Some(&mut watch));
    let report = query.position.in_words(report);
    Found { report, standing: last, time: begin.elapsed() }
}

#[cfg(test)]
mod tests;
