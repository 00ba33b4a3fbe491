//! An experiment being played: what is left of it, and what is kept.
//!
//! A [`Campaign`] gives out games and takes back what came of them; it does not play. The
//! threads of [`MatchExperiment::run`] are one user of it. Another is whoever lets other
//! processes play, each with a [`Worker`](crate::Worker): games that never come back are
//! [`lost`](Campaign::lost), and given out again. Only the campaign writes the store.

use std::borrow::{Borrow, BorrowMut};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tesuji_core::Side;
use thiserror::Error;

use crate::matches::{Cell, MatchExperiment};
use crate::record::{Circumstances, Game, Void};
use crate::schedule::{Schedule, Shard};
use crate::statistics::{Count, Hypothesis, Sprt, Tally};
use crate::store::{Insertion, Store, StoreError};
use crate::worker::{Ending, Landed};

/// What is to be played, and how many do.
#[derive(Clone, Debug)]
pub struct CampaignSettings {
    /// Which of the games.
    pub shard: Shard,
    /// The indices of the games that are wanted of each cell, where it is not the first ones.
    pub wanted: Option<BTreeSet<u64>>,
    /// Stops an experiment of one cell as soon as this test is decided.
    pub sprt: Option<Sprt>,
    /// So many void games of a cell in a row are an error.
    pub most_voids: u32,
    /// How many games are played at once, as far as is known: the time that is left depends
    /// on it, and how far games may run ahead of a test.
    pub hands: usize,
}

impl Default for CampaignSettings {
    /// All games, by one; two void games in a row are an error.
    fn default() -> CampaignSettings {
        CampaignSettings { shard: Shard::WHOLE, wanted: None, sprt: None, most_voids: 2, hands: 1 }
    }
}

/// Games of one cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// The cell's place in [`MatchExperiment::cells`].
    pub cell: usize,
    /// Which games of the cell.
    pub indices: Vec<u64>,
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

impl Progress<'_> {
    /// The games of all cells that are done and that are wanted.
    pub fn total(&self) -> (u64, u64) {
        self.cells.iter().fold((0, 0), |(done, all), cell| (done + cell.1, all + cell.2))
    }
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
    /// What came back is no game of this experiment.
    #[error("a game came back that was not given out: cell {cell}, game {index}")]
    Stray {
        /// The place of the cell that it says.
        cell: usize,
        /// Which game.
        index: u64,
    },
}

/// An experiment being played. Many threads may use it at once: games are given out while
/// others are written.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use tesuji_arena::{Campaign, CampaignSettings, Definition, MatchExperiment, Store, Worker};
///
/// let text = "title='t'\nseed=1\ngames=8\n[[grid]]\ngame='hex:3'\nplayer='uct@20'\nopponent='random'";
/// let experiment = MatchExperiment::parse(Definition::built_in("e", text, &[])?)?;
/// let campaign = Campaign::open(&experiment, Store::in_memory()?, CampaignSettings::default())?;
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
    settings: CampaignSettings,
    /// Locked for a moment at a time, and after `keeper` where both are.
    schedule: Mutex<Schedule>,
    keeper: Mutex<Keeper<S>>,
}

/// The one that writes, and knows what is written.
struct Keeper<S> {
    store: S,
    cells: Vec<Known>,
    decision: Option<(Hypothesis, u64)>,
    /// The games that the test has looked at, all below the index `tested`.
    tally: Tally,
    tested: u64,
    played: u64,
    voids: u64,
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

/// A chunk with its first game given out, and more of the cell up to so many.
fn filled(schedule: &mut Schedule, cell: usize, first: u64, most: usize) -> Chunk {
    let more = (1..most).map_while(|_| schedule.next_of(cell));
    Chunk { cell, indices: std::iter::once(first).chain(more).collect() }
}

/// A lock; a thread that panicked takes the whole run with it anyway.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<E: Borrow<MatchExperiment>, S: BorrowMut<Store>> Campaign<E, S> {
    /// Notes the experiment in the store, and looks up what is there of it.
    pub fn open(
        experiment: E,
        mut store: S,
        settings: CampaignSettings,
    ) -> Result<Campaign<E, S>, StoreError> {
        let what = experiment.borrow();
        what.note(store.borrow_mut())?;
        let n_cells = what.cells.len();
        let schedule = match &settings.wanted {
            Some(wanted) => Schedule::of_games(n_cells, wanted, settings.shard),
            None => Schedule::new(n_cells, what.games, settings.shard),
        };
        let keeper = Keeper {
            store,
            cells: (0..n_cells).map(|_| Known::default()).collect(),
            decision: None,
            tally: Tally::default(),
            tested: 0,
            played: 0,
            voids: 0,
        };
        let (schedule, keeper) = (Mutex::new(schedule), Mutex::new(keeper));
        let campaign = Campaign { experiment, settings, schedule, keeper };
        for cell in 0..n_cells {
            campaign.catch_up(&mut locked(&campaign.keeper), cell)?;
        }
        campaign.limit(&locked(&campaign.keeper));
        Ok(campaign)
    }

    /// The experiment.
    pub fn experiment(&self) -> &MatchExperiment {
        self.experiment.borrow()
    }

    /// The game to be played next, if there is one: a cell's place and an index. While games
    /// that were given out are not back there may be more later: see
    /// [`is_playing`](Campaign::is_playing).
    pub fn next(&self) -> Option<(usize, u64)> {
        locked(&self.schedule).next()
    }

    /// Up to so many games of one cell, that of the game to be played next.
    pub fn chunk(&self, most: usize) -> Option<Chunk> {
        let mut schedule = locked(&self.schedule);
        let (cell, first) = schedule.next()?;
        Some(filled(&mut schedule, cell, first, most))
    }

    /// The same, so many games that they take about `seconds` once it is known how long games
    /// of the cell take; before that, one. Towards the end chunks are smaller, so that all
    /// hands are done together.
    pub fn chunk_lasting(&self, seconds: f64, most: usize) -> Option<Chunk> {
        let keeper = locked(&self.keeper);
        let mut schedule = locked(&self.schedule);
        let (cell, first) = schedule.next()?;
        let in_time = match keeper.cells[cell].usual_seconds() {
            Some(usual) => (seconds / usual.max(1e-6)) as usize,
            None => 1,
        };
        let left: u64 = (0..keeper.cells.len()).map(|cell| schedule.left(cell)).sum();
        let share = left as usize / (2 * self.settings.hands) + 1;
        Some(filled(&mut schedule, cell, first, in_time.min(share).min(most)))
    }

    /// Whether a game that was given out is not back, and may have to be played again.
    pub fn is_playing(&self) -> bool {
        locked(&self.schedule).is_playing()
    }

    /// Whether its test is decided, so that no more games are given out.
    pub fn is_decided(&self) -> bool {
        locked(&self.keeper).decision.is_some()
    }

    /// Gives out no more games.
    pub fn stop(&self) {
        locked(&self.schedule).stop();
    }

    /// A game that was given out will not come back: it is given out again.
    pub fn lost(&self, cell: usize, index: u64) -> Result<(), RunError> {
        let mut schedule = locked(&self.schedule);
        if !schedule.landed(cell, index) {
            return Err(RunError::Stray { cell, index });
        }
        schedule.replay(cell, index);
        Ok(())
    }

    /// Takes back what came of a chunk: its games that are not there are lost. Games that
    /// are not the chunk's are an error, and nothing is taken then.
    pub fn take_chunk(&self, chunk: &Chunk, landed: &[Landed]) -> Result<(), RunError> {
        let is_of_it = |game: &&Landed| game.cell == chunk.cell && chunk.indices.contains(&game.index);
        if let Some(stray) = landed.iter().find(|game| !is_of_it(game)) {
            return Err(RunError::Stray { cell: stray.cell, index: stray.index });
        }
        let taken = landed.iter().try_for_each(|game| self.take(game));
        let is_back = |index: &&u64| landed.iter().any(|game| game.index == **index);
        let lost = chunk.indices.iter().filter(|index| !is_back(index));
        lost.map(|&index| self.lost(chunk.cell, index)).fold(taken, Result::and)
    }

    /// Takes a game back that was given out, and stores it.
    pub fn take(&self, landed: &Landed) -> Result<(), RunError> {
        let Landed { cell, index, ending } = landed;
        let (cell, index) = (*cell, *index);
        let stray = || RunError::Stray { cell, index };
        let which = self.experiment().cells.get(cell).ok_or_else(stray)?;
        let address = match ending {
            Ending::Played(played) => &played.0.address,
            Ending::Void(void) => &void.address,
            Ending::Cancelled => {
                return self.lost(cell, index);
            }
        };
        if *address != self.experiment().game_address(which, index) {
            return Err(stray());
        }
        let keeper = &mut *locked(&self.keeper);
        match ending {
            Ending::Played(played) => self.keep(keeper, cell, index, which, &played.0, &played.1),
            Ending::Void(void) => self.note_void(keeper, cell, index, void),
            Ending::Cancelled => Ok(()),
        }
    }

    fn keep(
        &self,
        keeper: &mut Keeper<S>,
        cell: usize,
        index: u64,
        which: &Cell,
        game: &Game,
        about: &Circumstances,
    ) -> Result<(), RunError> {
        let store: &mut Store = keeper.store.borrow_mut();
        let insertion = store.put_game(game, about, which.is_reproducible())?;
        if !locked(&self.schedule).landed(cell, index) {
            return Err(RunError::Stray { cell, index });
        }
        let known = &mut keeper.cells[cell];
        known.voids_in_a_row = 0;
        match insertion {
            // Another process plays the same: what else has it done?
            Insertion::Known => self.catch_up(keeper, cell)?,
            Insertion::New => {
                locked(&self.schedule).know(cell, index, game.points());
                known.games.insert(index, (game.side, game.points()));
                known.seconds += about.seconds;
                known.played += 1;
                keeper.played += 1;
                self.test(keeper);
            }
        }
        self.limit(keeper);
        Ok(())
    }

    fn note_void(
        &self,
        keeper: &mut Keeper<S>,
        cell: usize,
        index: u64,
        void: &Void,
    ) -> Result<(), RunError> {
        let store: &mut Store = keeper.store.borrow_mut();
        store.put_void(void)?;
        self.lost(cell, index)?;
        keeper.voids += 1;
        let voids = &mut keeper.cells[cell].voids_in_a_row;
        *voids += 1;
        if *voids >= self.settings.most_voids {
            let (voids, message) = (*voids, void.message.clone());
            return Err(RunError::Voids { voids, cell: void.address.cell.clone(), message });
        }
        Ok(())
    }

    /// Looks up which games of a cell are stored by now.
    fn catch_up(&self, keeper: &mut Keeper<S>, cell: usize) -> Result<(), StoreError> {
        let experiment = self.experiment();
        let (address, key) = (experiment.address, &experiment.cells[cell].key);
        let store: &Store = keeper.store.borrow();
        let known = match &self.settings.wanted {
            Some(wanted) => store.points_of(address, key, wanted)?,
            None => store.points(address, key)?,
        };
        let mut schedule = locked(&self.schedule);
        for (index, side, points) in known {
            if keeper.cells[cell].games.insert(index, (side, points)).is_none() {
                schedule.know(cell, index, points);
            }
        }
        drop(schedule);
        self.test(keeper);
        Ok(())
    }

    /// Looks at the games in the order of their indices, as far as there is no gap: so the
    /// test is decided by the same games on any number of threads.
    fn test(&self, keeper: &mut Keeper<S>) {
        let (Some(sprt), [known]) = (&self.settings.sprt, &keeper.cells[..]) else { return };
        while keeper.decision.is_none() && keeper.tested + 1 < self.experiment().games {
            let pair = [keeper.tested, keeper.tested + 1];
            keeper.tested += 2;
            if !self.settings.shard.takes(pair[0]) {
                continue;
            }
            let [Some(first), Some(second)] = pair.map(|index| known.games.get(&index)) else {
                keeper.tested -= 2;
                return;
            };
            for (side, points) in [first, second] {
                keeper.tally.add(*side, *points);
            }
            keeper.tally.add_pair(first.1 + second.1);
            keeper.decision = sprt.decide(&keeper.tally).map(|hypothesis| (hypothesis, keeper.tested));
        }
        if keeper.decision.is_some() {
            self.stop();
        }
    }

    /// A test is decided by the first games, so that nobody runs far ahead of it.
    fn limit(&self, keeper: &Keeper<S>) {
        if self.settings.sprt.is_some() {
            locked(&self.schedule).limit(keeper.tested + 2 * self.settings.hands as u64 + 2);
        }
    }

    /// What there is to tell of a game that was taken back.
    pub fn news<'b>(&'b self, landed: &'b Landed) -> Option<News<'b>> {
        let cell = self.experiment().cells.get(landed.cell)?;
        match &landed.ending {
            Ending::Played(played) => Some(News::Game(cell, &played.0, &played.1)),
            Ending::Void(void) => Some(News::Void(cell, void)),
            Ending::Cancelled => None,
        }
    }

    /// Where it stands.
    pub fn progress<'b>(&'b self, news: News<'b>) -> Progress<'b> {
        let keeper = locked(&self.keeper);
        let cells = self.standing();
        let usual = keeper.usual_seconds();
        let of_cell = |(known, (_, done, all)): (&Known, &(Count, u64, u64))| {
            (all - done) as f64 * known.usual_seconds().or(usual).unwrap_or_default()
        };
        let left = keeper.cells.iter().zip(&cells).map(of_cell).sum::<f64>() / self.settings.hands as f64;
        let left = usual.map(|_| Duration::try_from_secs_f64(left).unwrap_or_default());
        Progress { experiment: self.experiment(), news, cells, left }
    }

    /// What it came to so far. Who interrupted it knows that.
    pub fn summary(&self) -> Summary {
        let keeper = locked(&self.keeper);
        let missing = self.standing().iter().map(|(_, done, all)| all - done).sum();
        let Keeper { played, voids, decision, .. } = *keeper;
        Summary { played, voids, missing, decision, is_interrupted: false }
    }

    fn standing(&self) -> Vec<(Count, u64, u64)> {
        let schedule = locked(&self.schedule);
        (0..self.experiment().cells.len()).map(|cell| schedule.progress(cell)).collect()
    }
}

impl<S> Keeper<S> {
    fn usual_seconds(&self) -> Option<f64> {
        let add = |(seconds, played), known: &Known| (seconds + known.seconds, played + known.played);
        let (seconds, played) = self.cells.iter().fold((0.0, 0), add);
        (played > 0).then(|| seconds / played as f64)
    }
}

impl Known {
    fn usual_seconds(&self) -> Option<f64> {
        (self.played > 0).then(|| self.seconds / self.played as f64)
    }
}
