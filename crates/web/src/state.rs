//! What requests share.

use std::path::PathBuf;
use std::sync::Arc;

use tesuji_arena::Experiment;
use tokio::sync::Semaphore;

use crate::bounds::Bounds;
use crate::error::Refusal;
use crate::games::Tables;
use crate::guard::Hosts;
use crate::stream::Stop;
use crate::threads::Threads;

/// What a server is made with.
#[derive(Debug)]
pub struct Settings {
    /// What it allows.
    pub bounds: Bounds,
    /// Where stores and experiments are looked for.
    pub folder: PathBuf,
    /// Experiments that are there without a file in the folder.
    pub experiments: Vec<Experiment>,
    /// By which names it may be asked for.
    pub hosts: Hosts,
}

/// One thread, the current folder, this machine only.
impl Default for Settings {
    fn default() -> Settings {
        Settings {
            bounds: Bounds::of(1),
            folder: PathBuf::from("."),
            experiments: Vec::new(),
            hosts: Hosts::default(),
        }
    }
}

/// What requests share. Clones are the same.
#[derive(Clone, Debug)]
pub struct State(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    settings: Settings,
    tables: Tables,
    threads: Threads,
    /// Turns at reading stores, which are files and take time.
    readers: Semaphore,
    watchers: Arc<Semaphore>,
    /// Set when the server ends.
    ends: Stop,
}

/// Stores that are read at the same time.
const READERS: usize = 4;

impl State {
    /// A server without any games yet.
    pub fn new(settings: Settings) -> State {
        let Bounds { searches, threads, games, idle_seconds, watchers, .. } = settings.bounds;
        State(Arc::new(Shared {
            tables: Tables::new(games, idle_seconds),
            threads: Threads::new(searches, threads),
            readers: Semaphore::new(READERS),
            watchers: Arc::new(Semaphore::new(watchers)),
            ends: Stop::default(),
            settings,
        }))
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn bounds(&self) -> &Bounds {
        &self.0.settings.bounds
    }

    pub(crate) fn hosts(&self) -> &Hosts {
        &self.0.settings.hosts
    }

    pub(crate) fn tables(&self) -> &Tables {
        &self.0.tables
    }

    pub(crate) fn threads(&self) -> &Threads {
        &self.0.threads
    }

    /// Does what takes a while, such as reading files, in turn with others that do.
    pub(crate) async fn reading<T: Send + 'static>(
        &self,
        read: impl FnOnce(&State) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let state = self.clone();
        let _turn = self.0.readers.acquire().await.map_err(|_| Refusal::broken())?;
        tokio::task::spawn_blocking(move || read(&state)).await.map_err(|_| Refusal::broken())?
    }

    /// Set when the server ends.
    pub(crate) fn ends(&self) -> &Stop {
        &self.0.ends
    }

    /// Stops everything that goes on.
    pub(crate) fn end(&self) {
        self.0.ends.set();
        self.0.tables.stop_all();
    }

    pub(crate) fn watchers(&self) -> &Arc<Semaphore> {
        &self.0.watchers
    }
}
