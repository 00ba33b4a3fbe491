//! Playing what a store does not hold yet, on several threads.
//!
//! Workers play; one thread, the caller's, writes. A worker takes its next game from
//! the campaign when it has sent off the last, so that a thread that is slow, or a
//! game that is long, holds nobody up.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::campaign::{Campaign, CampaignSettings, News, Progress, RunError, Summary};
use crate::matches::{Cell, MatchExperiment};
use crate::record::Game;
use crate::schedule::Shard;
use crate::statistics::Sprt;
use crate::store::{Kind, Store, StoreError};
use crate::worker::{Ending, Landed, Worker};

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

/// How often the one that writes looks whether it is interrupted.
const GLANCE: Duration = Duration::from_millis(100);

/// What the threads here play.
type Own<'a> = Campaign<&'a MatchExperiment, &'a mut Store>;

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
        let alone = MatchExperiment { cells: vec![cell.clone()], ..self.clone() };
        match Worker::new(&alone).play(0, index, &AtomicBool::new(false)).ending {
            Ending::Played(played) => Some(played.0),
            Ending::Void(_) | Ending::Cancelled => None,
        }
    }

    /// Plays every game that the store does not hold.
    pub fn run(&self, settings: &mut RunSettings<'_>, store: &mut Store) -> Result<Summary, RunError> {
        let hands = settings.threads.max(1);
        let campaign = Campaign::open(
            self,
            store,
            CampaignSettings {
                shard: settings.shard,
                wanted: settings.wanted.clone(),
                sprt: settings.sprt,
                most_voids: settings.most_voids,
                hands,
            },
        )?;
        (settings.progress)(&campaign.progress(News::Begin));
        let hand = Hand {
            campaign: &campaign,
            turn: Mutex::new(()),
            news: Condvar::new(),
            cancel: AtomicBool::new(false),
            deadline: settings.deadline,
            genmove: settings.genmove,
            build: &settings.build.clone(),
        };
        let mut is_interrupted = false;
        let (sender, receiver) = channel::<Landed>();
        let done: Result<(), RunError> = std::thread::scope(|scope| {
            for _ in 0..hands {
                let (sender, hand) = (sender.clone(), &hand);
                scope.spawn(move || hand.work(&sender));
            }
            drop(sender);
            let mut kept = Ok(());
            loop {
                match receiver.recv_timeout(GLANCE) {
                    // After an error, the games in flight are let go.
                    Ok(landed) if kept.is_ok() => {
                        kept = campaign.take(&landed);
                        let is_kept = !matches!(kept, Err(RunError::Store(_)));
                        if let (true, Some(news)) = (is_kept, campaign.news(&landed)) {
                            (settings.progress)(&campaign.progress(news));
                        }
                    }
                    Ok(_) => {}
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                is_interrupted |= settings.interrupt.load(Ordering::Relaxed);
                if kept.is_err() || is_interrupted || campaign.is_decided() {
                    hand.let_go();
                }
                hand.tell();
            }
            kept
        });
        done?;
        Ok(Summary { is_interrupted, ..campaign.summary() })
    }
}

/// What the threads that play share.
struct Hand<'a> {
    campaign: &'a Own<'a>,
    /// Held while a thread looks whether there is a game for it, so that none misses the news.
    turn: Mutex<()>,
    /// Told when a game was kept.
    news: Condvar,
    cancel: AtomicBool,
    deadline: Option<Instant>,
    genmove: Option<Duration>,
    build: &'a str,
}

impl Hand<'_> {
    /// Plays until there is nothing more to play.
    fn work(&self, sender: &Sender<Landed>) {
        let _alarm = Alarm(self);
        let mut worker =
            Worker::new(self.campaign.experiment()).of_build(self.build).with_patience(self.genmove);
        while let Some((cell, index)) = self.next() {
            if sender.send(worker.play(cell, index, &self.cancel)).is_err() {
                break;
            }
        }
    }

    /// The next game. Where there is none while others are being played, it waits: they may
    /// come to nothing, and are played again then.
    fn next(&self) -> Option<(usize, u64)> {
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if is_late || self.cancel.load(Ordering::Relaxed) {
                return None;
            }
            match self.campaign.next() {
                None if self.campaign.is_playing() => {
                    turn = self.news.wait(turn).unwrap_or_else(PoisonError::into_inner);
                }
                game => return game,
            }
        }
    }

    /// Ends it: games in flight are let go.
    fn let_go(&self) {
        self.campaign.stop();
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Tells those that wait to look again.
    fn tell(&self) {
        drop(self.turn.lock());
        self.news.notify_all();
    }
}

/// Ends the whole run when a worker panics: others would wait for its game for ever.
struct Alarm<'a, 'b>(&'a Hand<'b>);

impl Drop for Alarm<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.let_go();
            self.0.tell();
        }
    }
}
