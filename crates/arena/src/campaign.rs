//! An experiment being played: which games are left, and what the store keeps.
//!
//! A [`Campaign`] gives out games and takes back their results; it does not play. The threads of
//! [`MatchExperiment::run`] use it, and so do programs that let other processes play, each with a
//! [`Worker`](crate::Worker). Games that never come back are [`lost`](Campaign::lost), and given
//! out again. Only the campaign writes the store.

use std::borrow::{Borrow, BorrowMut};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tesuji_search::{DeviceError, NetworkFailure};
use tesuji_session::SeatFault;
use thiserror::Error;

use crate::matches::{Cell, MatchExperiment};
use crate::paused::PausedGame;
use crate::progress::{PlannedRound, Progress, RunEvent, SprtDecision, Summary};
use crate::record::{Address, Void};
use crate::schedule::{CellProgress, GameSlot, Schedule, Shard};
use crate::settings::RunSettings;
use crate::statistics::Tally;
use crate::store::{GamePoints, Insertion, KnownGame, Store, StoreError};
use crate::tournament::Plan;
use crate::worker::{Ending, FinishedGame, PlayedGame};

/// Several games of one cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// The index of the cell in [`MatchExperiment::cells`].
    pub cell: usize,
    /// The indices of the games in the cell.
    pub indices: Vec<u64>,
}

/// A run cannot go on. The games that were played are stored.
#[derive(Debug, Error)]
pub enum RunError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An external engine cannot be started.
    #[error("{message}")]
    NotStarted {
        /// Which engine, and why.
        message: String,
    },
    /// The network of a player failed.
    #[error(transparent)]
    Network(#[from] NetworkFailure),
    /// Several consecutive games of a cell were void.
    #[error("stopped after {voids} void games in a row of {cell}: {message}")]
    Voids {
        /// The number of void games.
        voids: u32,
        /// The key of the cell.
        cell: String,
        /// What went wrong in the last game.
        message: String,
    },
    /// A part of a tournament was asked for that cannot be played on its own.
    #[error("the results decide who meets next in this tournament, so {0}")]
    Planned(&'static str),
    /// A tuning cannot go on.
    #[error("{0}")]
    Tuning(String),
    /// The device cannot play the experiment, or has stopped.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A game came back that was not given out.
    #[error("a game came back that was not given out: cell {cell}, game {index}")]
    Stray {
        /// The index of the cell.
        cell: usize,
        /// The index of the game.
        index: u64,
    },
}

/// An experiment being played. Several threads may use it at once: games are given out while
/// others are written.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use tesuji_arena::{Campaign, Match, RunSettings, Store, Worker};
///
/// let two = Match::new("hex:3".parse()?, "uct@20".parse()?, "random".parse()?);
/// let experiment = Match { games: 8, ..two }.experiment()?;
/// let campaign = Campaign::open(&experiment, Store::in_memory()?, RunSettings::default())?;
/// let mut worker = Worker::new(&experiment);
/// while let Some(chunk) = campaign.chunk(3) {
///     for index in chunk.indices {
///         campaign.take(&worker.play(chunk.cell, index, &AtomicBool::new(false)))?;
///     }
/// }
/// assert_eq!((campaign.summary().played, campaign.summary().missing), (8, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Campaign<E, S> {
    experiment: E,
    settings: RunSettings,
    /// Locked for a moment at a time, and after `ledger` if both are locked.
    schedule: Mutex<Schedule>,
    ledger: Mutex<Ledger<S>>,
    /// The games that earlier runs paused.
    paused: BTreeMap<GameSlot, PausedGame>,
}

/// The store, and the results that it contains.
struct Ledger<S> {
    store: S,
    cells: Vec<CellLedger>,
    decision: Option<SprtDecision>,
    /// The games that the test has looked at: all with an index below `tested`.
    tally: Tally,
    tested: u64,
    played: u64,
    voids: u64,
    paused: u64,
    /// Which games are wanted next, if that depends on results.
    plan: Option<Plan>,
}

/// The known results of a cell.
#[derive(Default)]
struct CellLedger {
    /// The games by their indices.
    games: BTreeMap<u64, GamePoints>,
    /// All games with an index below this number are known.
    n_first: u64,
    /// The seconds that the games of this run took, and the number of these games.
    seconds: f64,
    played: u64,
    voids_in_a_row: u32,
}

/// Checks that a tournament that plans its rounds can be played with these settings.
fn check_plan(experiment: &MatchExperiment, settings: &RunSettings) -> Result<(), RunError> {
    match () {
        () if settings.shard != Shard::WHOLE => Err(RunError::Planned("it has no shards")),
        () if settings.wanted.is_some() => Err(RunError::Planned("its games cannot be listed")),
        () if experiment.tournament.as_ref().is_some_and(|it| !it.is_whole()) => {
            Err(RunError::Planned("all its pairs are needed"))
        }
        () => Ok(()),
    }
}

/// The paused games of an experiment's cells.
fn paused_games(
    experiment: &MatchExperiment,
    store: &Store,
) -> Result<BTreeMap<GameSlot, PausedGame>, StoreError> {
    let cells: BTreeMap<&str, usize> =
        experiment.cells.iter().enumerate().map(|(place, cell)| (cell.key.as_str(), place)).collect();
    let slot = |game: PausedGame| {
        let cell = *cells.get(game.address.cell.as_str())?;
        Some((GameSlot { cell, index: game.address.index }, game))
    };
    Ok(store.paused(experiment.address)?.into_iter().filter_map(slot).collect())
}

/// A chunk of at most `most` games: one that was given out, and the next ones of its cell.
fn filled(schedule: &mut Schedule, first: GameSlot, most: usize) -> Chunk {
    let more = (1..most).map_while(|_| schedule.next_of(first.cell));
    Chunk { cell: first.cell, indices: std::iter::once(first.index).chain(more).collect() }
}

/// Locks a mutex. A thread that panicked ends the whole run anyway.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<E: Borrow<MatchExperiment>, S: BorrowMut<Store>> Campaign<E, S> {
    /// Notes the experiment in the store, and looks up which of its games are stored.
    pub fn open(experiment: E, mut store: S, settings: RunSettings) -> Result<Campaign<E, S>, RunError> {
        let what = experiment.borrow();
        let plan = Plan::of(what);
        if plan.is_some() {
            check_plan(what, &settings)?;
        }
        what.note(store.borrow_mut())?;
        let n_cells = what.cells.len();
        let is_raised = plan.is_some() || settings.quotas.is_some();
        let games = if is_raised { 0 } else { what.games };
        let mut schedule = Schedule::new(n_cells, games, &settings);
        for (cell, games) in settings.quotas.iter().flatten().enumerate() {
            schedule.raise(cell, *games);
        }
        let ledger = Ledger {
            store,
            cells: (0..n_cells).map(|_| CellLedger::default()).collect(),
            decision: None,
            tally: Tally::default(),
            tested: 0,
            played: 0,
            voids: 0,
            paused: 0,
            plan,
        };
        let paused = paused_games(what, ledger.store.borrow())?;
        let (schedule, ledger) = (Mutex::new(schedule), Mutex::new(ledger));
        let campaign = Campaign { experiment, settings, schedule, ledger, paused };
        for GameSlot { cell, index } in campaign.paused.keys() {
            locked(&campaign.schedule).note_begun(*cell, *index);
        }
        for cell in 0..n_cells {
            campaign.catch_up(&mut locked(&campaign.ledger), cell)?;
        }
        campaign.limit(&locked(&campaign.ledger));
        campaign.plan(&mut locked(&campaign.ledger));
        Ok(campaign)
    }

    /// The experiment.
    pub fn experiment(&self) -> &MatchExperiment {
        self.experiment.borrow()
    }

    /// The settings.
    pub(crate) fn settings(&self) -> &RunSettings {
        &self.settings
    }

    /// The game to be played next. `None` if all games are given out; some of them may be lost
    /// and given out again, see [`is_playing`](Campaign::is_playing).
    pub fn next(&self) -> Option<GameSlot> {
        locked(&self.schedule).next()
    }

    /// At most `most` games of one cell: the cell of the game to be played next.
    pub fn chunk(&self, most: usize) -> Option<Chunk> {
        let mut schedule = locked(&self.schedule);
        let first = schedule.next()?;
        Some(filled(&mut schedule, first, most))
    }

    /// At most `most` games of one cell that together take about `seconds`, or one game if it is
    /// not known yet how long games of the cell take. Towards the end chunks are smaller, so that
    /// all workers finish together.
    pub fn chunk_lasting(&self, seconds: f64, most: usize) -> Option<Chunk> {
        let ledger = locked(&self.ledger);
        let mut schedule = locked(&self.schedule);
        let first = schedule.next()?;
        let in_time = match ledger.cells[first.cell].usual_seconds() {
            Some(usual) => (seconds / usual.max(1e-6)) as usize,
            None => 1,
        };
        let left: u64 = (0..ledger.cells.len()).map(|cell| schedule.left(cell)).sum();
        let share = left as usize / (2 * self.settings.threads.max(1)) + 1;
        Some(filled(&mut schedule, first, in_time.min(share).min(most)))
    }

    /// Whether games that were given out are not back. They may be lost and given out again.
    pub fn is_playing(&self) -> bool {
        locked(&self.schedule).is_playing()
    }

    /// Whether the test is decided. No more games are given out then.
    pub fn is_decided(&self) -> bool {
        locked(&self.ledger).decision.is_some()
    }

    /// Gives out no more games.
    pub fn stop(&self) {
        locked(&self.schedule).stop();
    }

    /// Notes that a game that was given out will not come back. It is given out again.
    pub fn lost(&self, cell: usize, index: u64) -> Result<(), RunError> {
        let mut schedule = locked(&self.schedule);
        if !schedule.finished(cell, index) {
            return Err(RunError::Stray { cell, index });
        }
        schedule.replay(cell, index);
        Ok(())
    }

    /// The game as an earlier run paused it. `None` if it is to be played from its beginning.
    pub fn paused(&self, slot: GameSlot) -> Option<&PausedGame> {
        self.paused.get(&slot)
    }

    /// Stores games that were given out and go on, with their moves so far. If the process is
    /// killed, the next run continues them from there, and until then their cells are not judged by
    /// the games that were over. A sequential test is not misled by them, so nothing is stored then.
    pub fn note_in_flight(&self, games: &[PausedGame]) -> Result<(), RunError> {
        if self.settings.sprt.is_none() {
            let mut ledger = locked(&self.ledger);
            let store: &mut Store = ledger.store.borrow_mut();
            store.keep_paused(games)?;
        }
        Ok(())
    }

    /// Stores games that were given out and are paused. The next run continues them; this one
    /// gives them out again, from where they were before.
    pub fn keep_paused(&self, games: &[PausedGame]) -> Result<(), RunError> {
        let mut ledger = locked(&self.ledger);
        let store: &mut Store = ledger.store.borrow_mut();
        store.keep_paused(games)?;
        ledger.paused += games.len() as u64;
        drop(ledger);
        for PausedGame { address: Address { cell, index, .. }, .. } in games {
            let place = self.experiment().cells.iter().position(|other| other.key == *cell);
            let cell = place.ok_or(RunError::Stray { cell: usize::MAX, index: *index })?;
            self.lost(cell, *index)?;
        }
        Ok(())
    }

    /// Takes back the games of a chunk. Games of the chunk that are missing are lost. Games that
    /// are not of the chunk are an error, and then nothing is stored.
    pub fn take_chunk(&self, chunk: &Chunk, finished: &[FinishedGame]) -> Result<(), RunError> {
        let is_of_it = |game: &&FinishedGame| game.cell == chunk.cell && chunk.indices.contains(&game.index);
        if let Some(stray) = finished.iter().find(|game| !is_of_it(game)) {
            return Err(RunError::Stray { cell: stray.cell, index: stray.index });
        }
        let taken = finished.iter().try_for_each(|game| self.take(game));
        let is_back = |index: &&u64| finished.iter().any(|game| game.index == **index);
        let lost = chunk.indices.iter().filter(|index| !is_back(index));
        lost.map(|&index| self.lost(chunk.cell, index)).fold(taken, Result::and)
    }

    /// Takes back a game that was given out, and stores it.
    pub fn take(&self, finished: &FinishedGame) -> Result<(), RunError> {
        let FinishedGame { cell, index, ending } = finished;
        let (cell, index) = (*cell, *index);
        let stray = || RunError::Stray { cell, index };
        let which = self.experiment().cells.get(cell).ok_or_else(stray)?;
        let address = match ending {
            Ending::Played(played) => &played.game.address,
            Ending::Void(void) => &void.address,
            Ending::Paused(paused) => &paused.address,
            Ending::Cancelled => {
                return self.lost(cell, index);
            }
        };
        if *address != self.experiment().game_address(which, index) {
            return Err(stray());
        }
        if let Ending::Paused(paused) = ending {
            // A game that a decided test does not need is not continued.
            return match self.is_decided() {
                true => self.lost(cell, index),
                false => self.keep_paused(std::slice::from_ref(paused)),
            };
        }
        let ledger = &mut *locked(&self.ledger);
        match ending {
            Ending::Played(played) => self.keep(ledger, cell, index, which, played),
            Ending::Void(void) => self.note_void(ledger, cell, index, void),
            Ending::Paused(_) | Ending::Cancelled => Ok(()),
        }
    }

    fn keep(
        &self,
        ledger: &mut Ledger<S>,
        cell: usize,
        index: u64,
        which: &Cell,
        played: &PlayedGame,
    ) -> Result<(), RunError> {
        let PlayedGame { game, circumstances: about, .. } = played;
        let store: &mut Store = ledger.store.borrow_mut();
        let known = if which.is_reproducible() { KnownGame::MustAgree } else { KnownGame::MayDiffer };
        let insertion = store.put_played(played, known)?;
        if !locked(&self.schedule).is_out(cell, index) {
            return Err(RunError::Stray { cell, index });
        }
        let known = &mut ledger.cells[cell];
        known.voids_in_a_row = 0;
        match insertion {
            // Another process plays the same experiment: which other games has it stored?
            Insertion::Known => self.catch_up(ledger, cell)?,
            Insertion::New => {
                locked(&self.schedule).know(cell, index, game.points());
                let (side, points) = (game.side, game.points());
                known.games.insert(index, GamePoints { index, side, points });
                known.seconds += about.seconds;
                known.played += 1;
                ledger.played += 1;
                self.test(ledger);
            }
        }
        self.limit(ledger);
        self.plan(ledger);
        // Not earlier: a thread that finds no game while the next round is planned must wait for it.
        locked(&self.schedule).finished(cell, index);
        Ok(())
    }

    /// Wants the games of the next round once all games of the last one are known.
    fn plan(&self, ledger: &mut Ledger<S>) {
        let Some(plan) = &mut ledger.plan else { return };
        loop {
            let is_known = |(cell, wanted): (&mut CellLedger, &u64)| cell.knows_first(*wanted);
            if plan.is_over() || !ledger.cells.iter_mut().zip(plan.wanted()).all(is_known) {
                return;
            }
            plan.plan_round(|cell| ledger.cells[cell].games.values());
            let mut schedule = locked(&self.schedule);
            for (cell, wanted) in plan.wanted().iter().enumerate() {
                schedule.raise(cell, *wanted);
            }
        }
    }

    fn note_void(
        &self,
        ledger: &mut Ledger<S>,
        cell: usize,
        index: u64,
        void: &Void,
    ) -> Result<(), RunError> {
        self.lost(cell, index)?;
        // An engine that has played before may start at the next try.
        if void.kind == SeatFault::NOT_STARTED && ledger.cells[cell].played == 0 {
            return Err(RunError::NotStarted { message: void.message.clone() });
        }
        let store: &mut Store = ledger.store.borrow_mut();
        store.put_void(void)?;
        ledger.voids += 1;
        let voids = &mut ledger.cells[cell].voids_in_a_row;
        *voids += 1;
        if *voids >= self.settings.most_voids {
            let (voids, message) = (*voids, void.message.clone());
            return Err(RunError::Voids { voids, cell: void.address.cell.clone(), message });
        }
        Ok(())
    }

    /// Looks up which games of a cell are stored.
    fn catch_up(&self, ledger: &mut Ledger<S>, cell: usize) -> Result<(), StoreError> {
        let experiment = self.experiment();
        let (address, key) = (experiment.address, &experiment.cells[cell].key);
        let store: &Store = ledger.store.borrow();
        let known = match &self.settings.wanted {
            Some(wanted) => store.points_of(address, key, wanted)?,
            None => store.points(address, key)?,
        };
        let mut schedule = locked(&self.schedule);
        for game in known {
            if ledger.cells[cell].games.insert(game.index, game).is_none() {
                schedule.know(cell, game.index, game.points);
            }
        }
        drop(schedule);
        self.test(ledger);
        Ok(())
    }

    /// Runs the test over the games in the order of their indices, up to the first gap: so the
    /// same games decide it on any number of threads.
    fn test(&self, ledger: &mut Ledger<S>) {
        let (Some(sprt), [known]) = (&self.settings.sprt, &ledger.cells[..]) else { return };
        while ledger.decision.is_none() && ledger.tested + 1 < self.experiment().games {
            let pair = [ledger.tested, ledger.tested + 1];
            ledger.tested += 2;
            if !self.settings.shard.takes(pair[0]) {
                continue;
            }
            let [Some(first), Some(second)] = pair.map(|index| known.games.get(&index)) else {
                ledger.tested -= 2;
                return;
            };
            for game in [first, second] {
                ledger.tally.add(game.side, game.points);
            }
            ledger.tally.add_pair(first.points + second.points);
            let hypothesis = sprt.decide(&ledger.tally);
            ledger.decision = hypothesis.map(|hypothesis| SprtDecision { hypothesis, games: ledger.tested });
        }
        if ledger.decision.is_some() {
            self.stop();
        }
    }

    /// The first games decide a test, so games far ahead of it are not given out.
    fn limit(&self, ledger: &Ledger<S>) {
        if self.settings.sprt.is_some() {
            locked(&self.schedule).limit(ledger.tested + 2 * self.settings.threads.max(1) as u64 + 2);
        }
    }

    /// The event of a game that was taken back. `None` if the game was paused or cancelled.
    pub fn event<'b>(&'b self, finished: &'b FinishedGame) -> Option<RunEvent<'b>> {
        let cell = self.experiment().cells.get(finished.cell)?;
        match &finished.ending {
            Ending::Played(played) => Some(RunEvent::Game(cell, &played.game, &played.circumstances)),
            Ending::Void(void) => Some(RunEvent::Void(cell, void)),
            Ending::Paused(_) | Ending::Cancelled => None,
        }
    }

    /// How far along the experiment is after an event.
    pub fn progress<'b>(&'b self, event: RunEvent<'b>) -> Progress<'b> {
        let ledger = locked(&self.ledger);
        let cells = self.standing();
        let usual = ledger.usual_seconds();
        let of_cell = |(known, cell): (&CellLedger, &CellProgress)| {
            cell.games.missing() as f64 * known.usual_seconds().or(usual).unwrap_or_default()
        };
        let mut seconds = ledger.cells.iter().zip(&cells).map(of_cell).sum::<f64>();
        let round =
            ledger.plan.as_ref().map(|plan| PlannedRound { number: plan.n_rounds(), games: plan.total() });
        if let (Some(plan), Some(usual)) = (&ledger.plan, usual) {
            seconds += plan.total().saturating_sub(plan.wanted().iter().sum()) as f64 * usual;
        }
        let left = Duration::try_from_secs_f64(seconds / self.settings.threads.max(1) as f64);
        let left = usual.map(|_| left.unwrap_or_default());
        Progress { experiment: self.experiment(), event, cells, round, left }
    }

    /// The result so far. `is_interrupted` is for the caller to set.
    pub fn summary(&self) -> Summary {
        let ledger = locked(&self.ledger);
        let missing: u64 = self.standing().iter().map(|cell| cell.games.missing()).sum();
        let planned = ledger.plan.as_ref().map_or(0, |plan| plan.total() - plan.wanted().iter().sum::<u64>());
        let missing = missing + planned;
        let Ledger { played, voids, paused, decision, .. } = *ledger;
        Summary { played, voids, missing, paused, decision, is_interrupted: false }
    }

    fn standing(&self) -> Vec<CellProgress> {
        let schedule = locked(&self.schedule);
        (0..self.experiment().cells.len()).map(|cell| schedule.progress(cell)).collect()
    }
}

impl<S> Ledger<S> {
    fn usual_seconds(&self) -> Option<f64> {
        let add = |(seconds, played), known: &CellLedger| (seconds + known.seconds, played + known.played);
        let (seconds, played) = self.cells.iter().fold((0.0, 0), add);
        (played > 0).then(|| seconds / played as f64)
    }
}

impl CellLedger {
    /// Whether the first `games` games are known.
    fn knows_first(&mut self, games: u64) -> bool {
        while self.n_first < games && self.games.contains_key(&self.n_first) {
            self.n_first += 1;
        }
        self.n_first >= games
    }

    fn usual_seconds(&self) -> Option<f64> {
        (self.played > 0).then(|| self.seconds / self.played as f64)
    }
}
