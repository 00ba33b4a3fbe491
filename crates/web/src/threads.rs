//! Turns at the processor.
//!
//! So many searches run at the same time; the others wait in the order in which they came. A
//! search that finds the others idle uses their threads too: what it finds does not depend on
//! how many it has.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Turns to be had.
#[derive(Debug)]
pub(crate) struct Threads {
    turns: Arc<Semaphore>,
    running: Arc<AtomicUsize>,
    threads: usize,
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    /// How many threads it has.
    pub(crate) threads: usize,
    running: Arc<AtomicUsize>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.running.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Threads {
    pub(crate) fn new(searches: usize, threads: usize) -> Threads {
        Threads { turns: Arc::new(Semaphore::new(searches)), running: Arc::default(), threads }
    }

    /// Waits for a turn.
    pub(crate) async fn turn(&self) -> Turn {
        let permit = Arc::clone(&self.turns).acquire_owned().await.expect("it is never closed");
        let others = self.running.fetch_add(1, Ordering::Relaxed);
        let threads = self.threads.saturating_sub(others).max(1);
        Turn { threads, running: Arc::clone(&self.running), _permit: permit }
    }
}
