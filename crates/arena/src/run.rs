//! Playing the games that a store lacks, on several threads.
//!
//! Workers play; the caller's thread writes. A worker asks the campaign for its next game when it
//! has sent the last one, so that a slow thread or a long game delays nobody.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use tesuji_search::catch_network_failure;

use crate::campaign::{Campaign, RunError};
use crate::matches::{Cell, MatchExperiment};
use crate::progress::{Progress, RunEvent, Summary};
use crate::record::Game;
use crate::schedule::GameSlot;
use crate::settings::RunSettings;
use crate::store::{ExperimentKind, Store, StoreError};
use crate::worker::{Ending, FinishedGame, Worker};

/// How often the thread that writes looks whether it is interrupted.
pub(crate) const GLANCE: Duration = Duration::from_millis(100);

/// The campaign that the threads of a run share.
pub(crate) type LocalCampaign<'a> = Campaign<&'a MatchExperiment, &'a mut Store>;

impl MatchExperiment {
    /// Notes the experiment and its cells in a store.
    pub fn note(&self, store: &mut Store) -> Result<(), StoreError> {
        store.put_experiment(self.address, ExperimentKind::Matches, &self.definition)?;
        store.put_cells(self.address, &self.cells)
    }

    /// Plays one game, which is a function of its address. `None` if it depends on a clock or an
    /// engine, and therefore is not.
    pub fn replay(&self, cell: &Cell, index: u64) -> Option<Game> {
        if !cell.is_reproducible() {
            return None;
        }
        let alone = MatchExperiment { cells: vec![cell.clone()], ..self.clone() };
        match Worker::new(&alone).play(0, index, &AtomicBool::new(false)).ending {
            Ending::Played(played) => Some(played.game),
            Ending::Void(_) | Ending::Paused(_) | Ending::Cancelled => None,
        }
    }

    /// Plays every game that the settings ask for and the store lacks.
    pub fn run(&self, settings: &RunSettings, store: &mut Store) -> Result<Summary, RunError> {
        self.run_watched(settings, store, &AtomicBool::new(false), &mut |_| {})
    }

    /// Plays every game that the settings ask for and the store lacks. `progress` is called at the
    /// beginning and after every game. If another thread sets `interrupt`, the run ends soon.
    ///
    /// Then, and at the deadline of the settings, the games that are being played are stored as
    /// paused games, and the next run continues them. Only games with a clock, an engine or a
    /// player that reuses its trees are different: they are played to their end at the deadline, and dropped at an interrupt.
    pub fn run_watched(
        &self,
        settings: &RunSettings,
        store: &mut Store,
        interrupt: &AtomicBool,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Summary, RunError> {
        let campaign = Campaign::open(self, store, settings.clone())?;
        progress(&campaign.progress(RunEvent::Begin));
        let pool = WorkerPool {
            campaign: &campaign,
            turn: Mutex::new(()),
            game_stored: Condvar::new(),
            cancel: AtomicBool::new(false),
        };
        let mut is_interrupted = false;
        let (sender, receiver) = channel::<FinishedGame>();
        let done: Result<(), RunError> = std::thread::scope(|scope| {
            let start = |_| {
                let (sender, pool) = (sender.clone(), &pool);
                scope.spawn(move || pool.work(&sender))
            };
            let workers: Vec<_> = (0..settings.threads.max(1)).map(start).collect();
            drop(sender);
            let mut kept = Ok(());
            loop {
                match receiver.recv_timeout(GLANCE) {
                    // After an error, the games that are being played are not stored.
                    Ok(finished) if kept.is_ok() => {
                        kept = campaign.take(&finished);
                        let is_kept = !matches!(kept, Err(RunError::Store(_) | RunError::NotStarted { .. }));
                        if let (true, Some(event)) = (is_kept, campaign.event(&finished)) {
                            progress(&campaign.progress(event));
                        }
                    }
                    Ok(_) => {}
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                is_interrupted |= interrupt.load(Ordering::Relaxed);
                if kept.is_err() || is_interrupted || campaign.is_decided() {
                    pool.cancel();
                }
                pool.wake();
            }
            // All of them: several may have failed, and a scope panics for one that nobody joined.
            let join =
                |worker: ScopedJoinHandle<'_, ()>| worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            let joined = workers.into_iter().map(|worker| catch_network_failure(|| join(worker)));
            joined.fold(Ok(()), Result::and)?;
            kept
        });
        done?;
        Ok(Summary { is_interrupted, ..campaign.summary() })
    }
}

/// What the threads that play share.
struct WorkerPool<'a> {
    campaign: &'a LocalCampaign<'a>,
    /// Held while a thread looks for a game, so that none misses a wake-up.
    turn: Mutex<()>,
    /// Notified when a game was stored.
    game_stored: Condvar,
    cancel: AtomicBool,
}

impl WorkerPool<'_> {
    /// Plays until there is nothing more to play.
    fn work(&self, sender: &Sender<FinishedGame>) {
        let _guard = PanicGuard(self);
        let RunSettings { build, engine_timeout, deadline, .. } = self.campaign.settings();
        let mut worker = Worker::new(self.campaign.experiment())
            .recording_policies(self.campaign.settings().records_policies)
            .of_build(build)
            .with_patience(*engine_timeout)
            .pausing_at(*deadline);
        while let Some(slot) = self.next() {
            let paused = self.campaign.paused(slot);
            let GameSlot { cell, index } = slot;
            if sender.send(worker.play_on(cell, index, paused, &self.cancel)).is_err() {
                break;
            }
        }
    }

    /// The next game. If there is none while others are being played, it waits, because a void
    /// game is played again.
    fn next(&self) -> Option<GameSlot> {
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let deadline = self.campaign.settings().deadline;
            let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if is_late || self.cancel.load(Ordering::Relaxed) {
                return None;
            }
            match self.campaign.next() {
                None if self.campaign.is_playing() => {
                    turn = self.game_stored.wait(turn).unwrap_or_else(PoisonError::into_inner);
                }
                game => return game,
            }
        }
    }

    /// Ends the run. Games that are being played stop.
    fn cancel(&self) {
        self.campaign.stop();
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Makes waiting threads look for a game again.
    fn wake(&self) {
        drop(self.turn.lock());
        self.game_stored.notify_all();
    }
}

/// Ends the whole run if a worker panics. Other workers would wait for its game for ever.
struct PanicGuard<'a, 'b>(&'a WorkerPool<'b>);

impl Drop for PanicGuard<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.cancel();
            self.0.wake();
        }
    }
}
