//! The settings of a run: one struct from the command line to the schedule.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::schedule::Shard;
use crate::statistics::Sprt;

/// Which games of an experiment are played, and how.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// The number of games that are played at once. A campaign that others play estimates the
    /// time that is left with it, and how far games may run ahead of a test.
    pub threads: usize,
    /// The part of the games that is played here.
    pub shard: Shard,
    /// The indices of the games of each cell that are wanted. Default: the first games, as many
    /// as the experiment says.
    pub wanted: Option<BTreeSet<u64>>,
    /// The number of games of each cell that are wanted: the first ones. Default: as many as the
    /// experiment says.
    pub quotas: Option<Vec<u64>>,
    /// No game begins after this moment, and games in progress are paused. Games with a clock, an
    /// engine or a player that reuses its trees cannot be paused and are played to their end.
    pub deadline: Option<Instant>,
    /// Stops an experiment of one cell as soon as this test is decided.
    pub sprt: Option<Sprt>,
    /// The longest that an engine without a clock may think about a move.
    pub engine_timeout: Option<Duration>,
    /// The number of consecutive void games of a cell after which the run stops with an error.
    pub most_voids: u32,
    /// Whether what searches said of the moves is stored, to train networks with.
    pub records_policies: bool,
    /// The version and the commit of the program, for the record.
    pub build: String,
}

impl RunSettings {
    /// Plays all games on this number of threads, without a limit of time. The run stops after
    /// two consecutive void games of a cell.
    pub fn on_threads(threads: usize) -> RunSettings {
        RunSettings {
            threads,
            shard: Shard::WHOLE,
            wanted: None,
            quotas: None,
            deadline: None,
            sprt: None,
            engine_timeout: None,
            most_voids: 2,
            records_policies: false,
            build: String::new(),
        }
    }
}

impl Default for RunSettings {
    /// Plays all games on one thread.
    fn default() -> RunSettings {
        RunSettings::on_threads(1)
    }
}
