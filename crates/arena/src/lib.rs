//! Experiments: what is measured, who plays whom, and the store of all results.
//!
//! An [`Experiment`] has matches, perhaps as a tournament, or bandits, or it tunes a player. A
//! [`MatchExperiment`] has a grid of cells, each of which is two [`Contestant`]s on one game; it comes
//! from a TOML file, from a [`Match`], from a [`TournamentBuilder`], or from a
//! [`MatchExperimentBuilder`]. A [`BanditExperiment`] has the panels of a figure. Both may have
//! published numbers to compare with. A [`Tuning`](tuning::Tuning) has a player with holes.
//!
//! [`MatchExperiment::run`] plays, and [`BanditExperiment::run`] measures, what a [`Store`] lacks,
//! so a run that was killed goes on where it stopped. Both use a [`Campaign`] or a
//! [`BanditCampaign`], which gives out work and stores the results; so can programs that let other
//! processes do the work.
//!
//! A game is a function of its [`record::Address`]: the experiment, the cell, the index. It does
//! not depend on threads, shards and earlier runs, but on a clock if the experiment has one.
//!
//! ```
//! use tesuji_arena::{Match, RunSettings, Store};
//! let experiment = Match::new("hex:3".parse()?, "uct@50".parse()?, "random".parse()?).experiment()?;
//! let mut store = Store::in_memory()?;
//! let summary = experiment.run(&RunSettings::on_threads(2), &mut store)?;
//! assert_eq!((summary.played, summary.missing), (100, 0));
//! assert!(experiment.played(&store)?[0].tally.total().wins > 50);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod bandits;
mod campaign;
mod clock;
mod definition;
mod experiment;
mod fleet;
mod in_progress;
mod matches;
mod minds;
mod part;
mod paused;
mod policies;
mod progress;
mod published;
pub mod ratings;
pub mod record;
mod referee;
mod run;
mod schedule;
mod scores;
mod seeds;
mod settings;
pub mod statistics;
mod store;
mod tournament;
pub mod tuning;
mod values;
mod worker;

pub use analysis::{AnalysisError, AnalysisSource, GameAnalysis, MoveAnalysis, MoveNumbers, RecordedMove};
pub use bandits::{
    BanditCampaign, BanditEntry, BanditExperiment, BanditResults, MeasureError, MeasureSettings,
    MeasureSummary, MeasuredCell, MeasuredPanel, Panel, PanelShape,
};
pub use campaign::{Campaign, Chunk, RunError};
pub use clock::ALLOWANCE;
pub use definition::{Definition, ExperimentError};
pub use experiment::Experiment;
pub use fleet::FleetStatus;
pub use matches::{
    BuildError, Cell, CellFilter, CellName, CellPattern, Grid, GridEntry, Match, MatchExperiment,
    MatchExperimentBuilder, Openings, Pairing, PatternError, PlayerColumn, Players, QuickVersion, Rules,
    RulesError, Seeds, opening_lines,
};
pub use minds::Minds;
pub use part::{ExperimentPart, ExperimentSize, PartError};
pub use paused::{PausedGame, PausedGameError};
pub use policies::read_policies;
pub use progress::{PlannedRound, Progress, RunEvent, SprtDecision, Summary};
pub use published::{Published, PublishedRate};
pub use schedule::{CellProgress, Completion, GameSlot, Shard, ShardError};
pub use scores::{Disagreement, score_text};
pub use seeds::{SeedGame, SeedPair};
pub use settings::RunSettings;
pub use store::{
    CellTotals, ExperimentKind, FoundGame, GamePoints, Insertion, KnownGame, MergeSummary, Store, StoreError,
    StoredCell, StoredExperiment, StoredRegrets,
};
pub use tesuji_session::{MoveShare, SearchedMove};
pub use tournament::{
    PlannedGames, ScheduleWords, Sure, Tournament, TournamentBuilder, TournamentError, TournamentFormat,
    TournamentPair, TournamentPlayer,
};
pub use worker::{Ending, FinishedGame, PlayedGame, Worker};

// Who takes part is a session's matter, and every experiment is about it.
pub use tesuji_session::{
    Book, BookError, BookSeed, CannotPlay, Contestant, ContestantError, Learnt, MissingBook, Portfolio,
    Trial, stream,
};
