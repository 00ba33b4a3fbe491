//! Matches and experiments: what is measured, written in a file, and what was found,
//! kept as it comes in.
//!
//! An [`Experiment`] is read from TOML. One on bandits has panels of a figure, each
//! with arms, policies and budgets; one by matches has a grid of cells, each two
//! [`Contestant`]s on one game. Published numbers to compare with stand beside.
//! [`MatchExperiment::run`] plays, and [`BanditExperiment::run`] measures, what a
//! [`Store`] does not hold yet, so that a run that was killed goes on where it stopped. Both
//! are users of a [`Campaign`] or [`BanditCampaign`], which gives out what is left and keeps
//! what comes back; whoever lets other processes do the work is another.
//!
//! A game is a function of its [`record::Address`]: the experiment, the cell, the
//! index. Threads, shards and earlier runs have no part in it; a clock has, where the rules
//! of the experiment ask for one.

mod bandits;
mod campaign;
mod clock;
mod definition;
mod experiment;
mod matches;
mod published;
pub mod record;
mod referee;
mod run;
mod schedule;
mod scores;
mod seeds;
pub mod statistics;
mod store;
mod values;
mod worker;

pub use bandits::{
    BanditCampaign, BanditExperiment, BanditResults, Entry as BanditEntry, MeasureError, MeasureSettings,
    Measured, MeasuredPanel, Panel, Shape,
};
pub use campaign::{Campaign, CampaignSettings, Chunk, News, Progress, RunError, Summary};
pub use clock::ALLOWANCE;
pub use definition::{Definition, ExperimentError};
pub use experiment::Experiment;
pub use matches::{
    Cell, Entry, Grid, MatchExperiment, NoCells, Only, OpeningList, Openings, Pairing, Part, Pattern,
    PatternError, Quick, Rules, Versus, VersusError, in_shell,
};
pub use published::{Published, PublishedRate};
pub use run::RunSettings;
pub use schedule::{Shard, ShardError};
pub use scores::{Disagreement, score_text};
pub use seeds::SeedPair;
pub use store::{
    Insertion, Kind, Merged, Played, Store, StoreError, StoredCell, StoredExperiment, StoredRegrets,
};
pub use worker::{Ending, Landed, Worker};

// Who takes part is a session's matter, and every experiment is about it.
pub use tesuji_session::{
    Book, BookError, BookSeed, Contestant, ContestantError, Learnt, Portfolio, Trial, stream,
};
