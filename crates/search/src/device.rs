//! Searches that are made elsewhere, many at a time: on a GPU.
//!
//! Whoever plays many games side by side hands the searches of all of them to a
//! [`SearchDevice`] and waits for reports. A report is the one that the player itself would
//! give: the same bits.

use std::sync::Arc;
use std::time::Instant;

use tesuji_core::{Code, Rng, Seed};
use thiserror::Error;

use crate::config::SearchConfig;
use crate::report::Report;
use crate::sight::Sight;
use crate::simulator::{Plan, Simulator};

/// A search for a device.
pub struct DeviceSearch {
    /// What the player sees.
    pub sight: Box<dyn Sight>,
    /// How it searches.
    pub config: Arc<SearchConfig>,
    /// The samples that it is given for this move.
    pub samples: u64,
    /// The samples that its earlier moves of the game left: the `carried` of its last report.
    pub carried: u64,
    /// The address of the search.
    pub seed: Seed,
}

/// A search as whoever asked for it knows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SearchId(pub u64);

/// What a device is doing, for people to watch.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeviceStatus {
    /// The name of the device.
    pub name: String,
    /// The searches that were handed to it and are not over.
    pub searches: usize,
    /// The samples made since it was opened.
    pub samples: u64,
    /// The bytes of its memory in use.
    pub bytes: u64,
    /// The bytes of memory that it has.
    pub all_bytes: u64,
}

/// A device cannot make a search, or has stopped.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DeviceError {
    /// It does not know the game or the search.
    #[error("{0}")]
    Unsupported(String),
    /// There is no such device here.
    #[error("{0}")]
    Missing(String),
    /// It failed while it worked: the searches that it had are lost, and can be asked for again.
    #[error("{0}")]
    Failed(String),
}

/// Makes the searches of many games at once.
pub trait SearchDevice {
    /// Whether it can make such searches: a position of the game, a player, samples a move.
    fn accepts(&self, sight: &dyn Sight, config: &SearchConfig, samples: u64) -> Result<(), DeviceError>;

    /// How many searches are worth handing to it at once: more would wait.
    fn capacity(&self) -> usize;

    /// Takes a search. Searches that find no room wait until others are over.
    fn begin(&mut self, id: SearchId, search: DeviceSearch) -> Result<(), DeviceError>;

    /// Waits until at least one search is over, or until the given time, and returns the
    /// reports. Nothing if there is no search.
    fn wait(&mut self, until: Option<Instant>) -> Result<Vec<(SearchId, Report)>, DeviceError>;

    /// Lets a search go: no report will come.
    fn forget(&mut self, id: SearchId);

    /// What it is doing.
    fn status(&self) -> DeviceStatus;
}

/// One playout from a position: Black's reward, and the codes that were played, in order and
/// each once. For tests of kernels, which must give the same.
#[doc(hidden)]
pub fn sampled(sight: &dyn Sight, rng: &mut Rng) -> (f64, Vec<Code>) {
    let mut simulator = Simulator::new(Plan::bare(), None);
    simulator.marks.clear(sight.n_codes());
    sight.kernel().0.playout(&mut simulator, sight, rng)
}
