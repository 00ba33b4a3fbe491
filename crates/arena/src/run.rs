//! Playing what a store does not hold yet, on several threads.
//!
//! Workers play; one thread, the caller's, writes. A worker takes its next game from
//! the schedule when it has sent off the last, so that a thread that is slow, or a
//! game that is long, holds nobody up.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tesuji_core::Side;
use thiserror::Error;

use crate::matches::{Cell, MatchExperiment};
use crate::record::{Circumstances, Game, Void};
use crate::referee::{Ending, Fixture};
use crate::schedule::{Schedule, Shard};
use crate::seat::{Fault, Seat, timeouts};
use crate::statistics::{Count, Hypothesis, Sprt, Tally};
use crate::store::{Insertion, Kind, Store, StoreError};

/// How to play.
pub struct RunSettings<'a> {
    /// How many games at once.
    pub threads: usize,
    /// Which of the games.
    pub shard: Shard,
    /// The indices of the games that are wanted of each cell, where it is not the first ones.
    pub wanted: Option<BTreeSet<u64>>,
    /// No game begins after this.
    pub deadline: Option<Instant>,
    /// Stops an experiment of one cell as soon as this test is decided.
    pub sprt: Option<Sprt>,
    /// How long an engine may think about a move.
    pub genmove: Option<Duration>,
    /// So many void games of a cell in a row stop the run.
    pub most_voids: u32,
    /// Set by another thread, it ends the run soon; the games in flight are let go.
    pub interrupt: &'a AtomicBool,
    /// The program's version and commit, for the record.
    pub build: String,
    /// Told after every game.
    pub progress: &'a mut dyn FnMut(&Progress<'_>),
}

impl<'a> RunSettings<'a> {
    /// All games, without limits of time; a run stops after two void games in a row.
    pub fn new(
        threads: usize,
        interrupt: &'a AtomicBool,
        progress: &'a mut dyn FnMut(&Progress<'_>),
    ) -> RunSettings<'a> {
        RunSettings {
            threads,
            shard: Shard::WHOLE,
            wanted: None,
            deadline: None,
            sprt: None,
            genmove: None,
            most_voids: 2,
            interrupt,
            build: String::new(),
            progress,
        }
    }
}

/// How far along an experiment is.
pub struct Progress<'a> {
    /// The experiment.
    pub experiment: &'a MatchExperiment,
    /// What happened.
    pub news: News<'a>,
    /// For each cell what is known of it, games that are done and games that are wanted.
    pub cells: Vec<(Count, u64, u64)>,
    /// The time that is left, as far as can be told.
    pub left: Option<Duration>,
}

/// What happened.
pub enum News<'a> {
    /// Nothing yet.
    Begin,
    /// A game was played.
    Game(&'a Cell, &'a Game, &'a Circumstances),
    /// A game came to nothing.
    Void(&'a Cell, &'a Void),
}

/// What a run came to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// Games played now.
    pub played: u64,
    /// Games that came to nothing.
    pub voids: u64,
    /// Games that are still missing of those that were wanted.
    pub missing: u64,
    /// What the test decided, after how many games.
    pub decision: Option<(Hypothesis, u64)>,
    /// Whether somebody interrupted it.
    pub is_interrupted: bool,
}

/// A run cannot go on. What was played is stored.
#[derive(Debug, Error)]
pub enum RunError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An engine fails again and again.
    #[error("stopped after {voids} void games in a row of {cell}: {message}")]
    Voids {
        /// How many.
        voids: u32,
        /// The cell.
        cell: String,
        /// The last fault, in a sentence.
        message: String,
    },
}

/// How often the one that writes looks whether it is interrupted.
const GLANCE: Duration = Duration::from_millis(100);

/// A game that has come to its end.
struct Landed {
    cell: usize,
    index: u64,
    ending: Ending,
}

impl MatchExperiment {
    /// Notes the experiment and its cells in a store.
    pub fn note(&self, store: &mut Store) -> Result<(), StoreError> {
        store.put_experiment(self.address, Kind::Matches, &self.definition)?;
        store.put_cells(self.address, &self.cells)
    }

    /// Plays one game, which is a function of its address; nothing where a clock or an
    /// engine has a part in it, so that it is not.
    pub fn replay(&self, cell: &Cell, index: u64) -> Option<Game> {
        if !cell.is_reproducible() {
            return None;
        }
        let seat = |contestant| Seat::new(contestant, &cell.game, timeouts(None)).ok();
        let mut seats = [seat(&cell.player)?, seat(&cell.opponent)?];
        let fixture = Fixture { experiment: self, cell, index };
        match fixture.play(&mut seats, "", &AtomicBool::new(false)) {
            Ending::Played(played) => Some(played.0),
            Ending::Void(_) | Ending::Cancelled => None,
        }
    }

    /// Plays every game that the store does not hold.
    pub fn run(&self, settings: &mut RunSettings<'_>, store: &mut Store) -> Result<Summary, RunError> {
        self.note(store)?;
        let mut keeper = Keeper::new(self, settings, store)?;
        let schedule = Mutex::new(match &settings.wanted {
            Some(wanted) => Schedule::of_games(self.cells.len(), wanted, settings.shard),
            None => Schedule::new(self.cells.len(), self.games, settings.shard),
        });
        for cell in 0..self.cells.len() {
            keeper.catch_up(cell, &mut locked(&schedule))?;
        }
        (settings.progress)(&keeper.progress(&locked(&schedule), News::Begin, settings.threads));
        if keeper.decision.is_some() {
            locked(&schedule).stop();
        }
        keeper.limit(&mut locked(&schedule), settings.threads);
        let (cancel, news) = (AtomicBool::new(false), Condvar::new());
        let (sender, receiver) = channel::<Landed>();
        let (deadline, genmove, build) = (settings.deadline, settings.genmove, settings.build.clone());
        let done: Result<(), RunError> = std::thread::scope(|scope| {
            for _ in 0..settings.threads.max(1) {
                let worker = Worker {
                    experiment: self,
                    schedule: &schedule,
                    news: &news,
                    cancel: &cancel,
                    deadline,
                    genmove,
                    build: &build,
                };
                let sender = sender.clone();
                scope.spawn(move || worker.work(&sender));
            }
            drop(sender);
            let mut kept = Ok(());
            loop {
                match receiver.recv_timeout(GLANCE) {
                    // After an error, the games in flight are let go.
                    Ok(landed) if kept.is_ok() => kept = keeper.keep(landed, &schedule, settings),
                    Ok(_) => {}
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                keeper.summary.is_interrupted |= settings.interrupt.load(Ordering::Relaxed);
                keeper.limit(&mut locked(&schedule), settings.threads);
                if kept.is_err() || keeper.decision.is_some() || keeper.summary.is_interrupted {
                    locked(&schedule).stop();
                    cancel.store(true, Ordering::Relaxed);
                }
                news.notify_all();
            }
            kept
        });
        done?;
        let schedule = locked(&schedule);
        let missing =
            (0..self.cells.len()).map(|cell| schedule.progress(cell)).map(|(_, done, all)| all - done).sum();
        Ok(Summary { missing, decision: keeper.decision, ..keeper.summary })
    }
}

/// A lock; a thread that panicked takes the whole run with it anyway.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One of the threads that play.
struct Worker<'a> {
    experiment: &'a MatchExperiment,
    schedule: &'a Mutex<Schedule>,
    /// Told when a game was kept.
    news: &'a Condvar,
    cancel: &'a AtomicBool,
    deadline: Option<Instant>,
    genmove: Option<Duration>,
    build: &'a str,
}

impl Worker<'_> {
    fn work(&self, sender: &Sender<Landed>) {
        let _alarm = Alarm(self);
        // Engines take long to start, so seats are kept while the cell stays the same.
        let mut kept: Option<(usize, [Seat; 2])> = None;
        while let Some((cell, index)) = self.next() {
            let fixture = Fixture { experiment: self.experiment, cell: &self.experiment.cells[cell], index };
            let seats = match kept.take() {
                Some((same, seats)) if same == cell => Ok(seats),
                other => {
                    other.into_iter().flat_map(|(_, seats)| seats).for_each(Seat::leave);
                    self.sit_down(fixture.cell)
                }
            };
            let ending = match seats {
                Ok(mut seats) => {
                    let ending = fixture.play(&mut seats, self.build, self.cancel);
                    // After a void game, or one that an engine did not live to the end of, engines
                    // are started anew.
                    match ending {
                        Ending::Played(_) if seats.iter().all(Seat::can_go_on) => kept = Some((cell, seats)),
                        Ending::Played(_) => seats.into_iter().for_each(Seat::leave),
                        _ => drop(seats),
                    }
                    ending
                }
                Err((who, fault)) => Ending::Void(Box::new(fixture.void_before_it_began(who, fault))),
            };
            if sender.send(Landed { cell, index, ending }).is_err() {
                break;
            }
        }
        kept.into_iter().flat_map(|(_, seats)| seats).for_each(Seat::leave);
    }

    /// The next game. Where there is none while others are being played, it waits: they may
    /// come to nothing, and are played again then.
    fn next(&self) -> Option<(usize, u64)> {
        let mut schedule = locked(self.schedule);
        loop {
            let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if is_late || self.cancel.load(Ordering::Relaxed) {
                return None;
            }
            match schedule.next() {
                None if schedule.is_playing() => {
                    schedule = self.news.wait(schedule).unwrap_or_else(PoisonError::into_inner);
                }
                game => return game,
            }
        }
    }

    /// Both seats, or whose fault it is that there are none.
    fn sit_down(&self, cell: &Cell) -> Result<[Seat; 2], (usize, Fault)> {
        let seat = |contestant| Seat::new(contestant, &cell.game, timeouts(self.genmove));
        let player = seat(&cell.player).map_err(|fault| (0, fault))?;
        let opponent = seat(&cell.opponent).map_err(|fault| (1, fault))?;
        Ok([player, opponent])
    }
}

/// Ends the whole run when a worker panics: others would wait for its game for ever.
struct Alarm<'a>(&'a Worker<'a>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            locked(self.0.schedule).stop();
            self.0.cancel.store(true, Ordering::Relaxed);
            self.0.news.notify_all();
        }
    }
}

/// The one that writes, and knows what is written.
struct Keeper<'a> {
    experiment: &'a MatchExperiment,
    store: &'a mut Store,
    shard: Shard,
    wanted: Option<BTreeSet<u64>>,
    cells: Vec<Known>,
    sprt: Option<Sprt>,
    decision: Option<(Hypothesis, u64)>,
    /// The games that the test has looked at, all below the index `tested`.
    tally: Tally,
    tested: u64,
    summary: Summary,
}

/// What is known of a cell.
#[derive(Default)]
struct Known {
    /// The player's side and points in each game, by its index.
    games: BTreeMap<u64, (Side, f64)>,
    /// How long games took that were played now, and how many they were.
    seconds: f64,
    played: u64,
    voids_in_a_row: u32,
}

impl<'a> Keeper<'a> {
    fn new(
        experiment: &'a MatchExperiment,
        settings: &RunSettings<'_>,
        store: &'a mut Store,
    ) -> Result<Keeper<'a>, StoreError> {
        let cells = experiment.cells.iter().map(|_| Known::default()).collect();
        Ok(Keeper {
            experiment,
            store,
            shard: settings.shard,
            wanted: settings.wanted.clone(),
            cells,
            sprt: settings.sprt,
            decision: None,
            tally: Tally::default(),
            tested: 0,
            summary: Summary::default(),
        })
    }

    /// Looks up which games of a cell are stored by now.
    fn catch_up(&mut self, cell: usize, schedule: &mut Schedule) -> Result<(), StoreError> {
        let key = &self.experiment.cells[cell].key;
        let known = match &self.wanted {
            Some(wanted) => self.store.points_of(self.experiment.address, key, wanted)?,
            None => self.store.points(self.experiment.address, key)?,
        };
        for (index, side, points) in known {
            if self.cells[cell].games.insert(index, (side, points)).is_none() {
                schedule.know(cell, index, points);
            }
        }
        self.test();
        Ok(())
    }

    fn keep(
        &mut self,
        landed: Landed,
        schedule: &Mutex<Schedule>,
        settings: &mut RunSettings<'_>,
    ) -> Result<(), RunError> {
        let Landed { cell, index, ending } = landed;
        let which = &self.experiment.cells[cell];
        let threads = settings.threads;
        match ending {
            Ending::Cancelled => locked(schedule).landed(cell),
            Ending::Played(played) => {
                let (game, about) = *played;
                let insertion = self.store.put_game(&game, &about, which.is_reproducible())?;
                let schedule = &mut *locked(schedule);
                schedule.landed(cell);
                self.cells[cell].voids_in_a_row = 0;
                // Another process plays the same: what else has it done?
                if insertion == Insertion::Known {
                    self.catch_up(cell, schedule)?;
                    (settings.progress)(&self.progress(schedule, News::Game(which, &game, &about), threads));
                    return Ok(());
                }
                schedule.know(cell, index, game.points());
                let known = &mut self.cells[cell];
                known.games.insert(index, (game.side, game.points()));
                known.seconds += about.seconds;
                known.played += 1;
                self.summary.played += 1;
                self.test();
                (settings.progress)(&self.progress(schedule, News::Game(which, &game, &about), threads));
            }
            Ending::Void(void) => {
                self.store.put_void(&void)?;
                let schedule = &mut *locked(schedule);
                schedule.landed(cell);
                schedule.replay(cell, index);
                self.summary.voids += 1;
                self.cells[cell].voids_in_a_row += 1;
                (settings.progress)(&self.progress(schedule, News::Void(which, &void), threads));
                let voids = self.cells[cell].voids_in_a_row;
                if voids >= settings.most_voids {
                    return Err(RunError::Voids { voids, cell: which.key.clone(), message: void.message });
                }
            }
        }
        Ok(())
    }

    /// Looks at the games in the order of their indices, as far as there is no gap: so the
    /// test is decided by the same games on any number of threads.
    fn test(&mut self) {
        let (Some(sprt), [known]) = (&self.sprt, &self.cells[..]) else { return };
        while self.decision.is_none() && self.tested + 1 < self.experiment.games {
            let pair = [self.tested, self.tested + 1];
            self.tested += 2;
            if !self.shard.takes(pair[0]) {
                continue;
            }
            let [Some(first), Some(second)] = pair.map(|index| known.games.get(&index)) else {
                self.tested -= 2;
                return;
            };
            for (side, points) in [first, second] {
                self.tally.add(*side, *points);
            }
            self.tally.add_pair(first.1 + second.1);
            self.decision = sprt.decide(&self.tally).map(|hypothesis| (hypothesis, self.tested));
        }
    }

    /// A test is decided by the first games, so that nobody runs far ahead of it.
    fn limit(&self, schedule: &mut Schedule, threads: usize) {
        if self.sprt.is_some() {
            schedule.limit(self.tested + 2 * threads as u64 + 2);
        }
    }

    fn progress<'b>(&self, schedule: &Schedule, news: News<'b>, threads: usize) -> Progress<'b>
    where
        'a: 'b,
    {
        let cells: Vec<(Count, u64, u64)> =
            (0..self.cells.len()).map(|cell| schedule.progress(cell)).collect();
        let (seconds, played) = self
            .cells
            .iter()
            .fold((0.0, 0), |(seconds, played), known| (seconds + known.seconds, played + known.played));
        let usual = seconds / played as f64;
        let of_cell = |(known, (_, done, all)): (&Known, &(Count, u64, u64))| {
            let mean = if known.played > 0 { known.seconds / known.played as f64 } else { usual };
            (all - done) as f64 * mean
        };
        let left = self.cells.iter().zip(&cells).map(of_cell).sum::<f64>() / threads as f64;
        let left = (played > 0).then(|| Duration::try_from_secs_f64(left).unwrap_or_default());
        Progress { experiment: self.experiment, news, cells, left }
    }
}
