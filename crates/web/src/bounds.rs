//! What the service allows.

use std::time::Duration;

use serde::Serialize;

/// What the service allows. Whoever asks for more is told what there is.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Bounds {
    /// Searches at the same time; others wait for their turn.
    pub searches: usize,
    /// Samples of a search.
    pub samples: u64,
    /// Seconds of a search.
    pub seconds: f64,
    /// Games at the same time.
    pub games: usize,
    /// A game that nobody touches for so many seconds is forgotten.
    pub idle_seconds: u64,
    /// Moves and attempts of a game.
    pub moves: usize,
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// Arms of a bandit.
    pub bandit_arms: usize,
    /// Budgets of one order of bandit runs.
    pub bandit_budgets: usize,
    /// Policies of one order.
    pub bandit_policies: usize,
    /// Samples of one order, of all its runs together.
    pub bandit_samples: u64,
    /// Threads that searches share.
    pub threads: usize,
    /// Bytes of search trees that a game keeps between its moves; what is larger is forgotten.
    #[serde(skip)]
    pub kept_bytes: usize,
    /// Bytes of search trees that a game keeps for more samples of a move; what is larger is
    /// searched again.
    #[serde(skip)]
    pub study_bytes: usize,
    /// Those who watch stores at the same time.
    #[serde(skip)]
    pub watchers: usize,
    /// Connections at the same time.
    #[serde(skip)]
    pub connections: usize,
    /// A connection through which nothing goes for so long is closed: somebody else may want its
    /// place.
    #[serde(skip)]
    pub silence: Duration,
}

impl Bounds {
    /// What suits a machine with so many cores.
    pub fn of(threads: usize) -> Bounds {
        Bounds {
            // Two at least: a long search must not keep everybody else from playing.
            searches: threads.max(2),
            samples: 1_000_000,
            seconds: 60.0,
            games: 256,
            idle_seconds: 3600,
            moves: 2000,
            body_bytes: 64 * 1024,
            bandit_arms: 1000,
            bandit_budgets: 16,
            bandit_policies: 12,
            bandit_samples: 4_000_000_000,
            threads,
            kept_bytes: 4 << 20,
            study_bytes: 16 << 20,
            watchers: 32,
            connections: 1024,
            // Longer than an answer may take.
            silence: Duration::from_secs(75),
        }
    }

    /// The longest search.
    pub(crate) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}
