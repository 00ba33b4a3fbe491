//! Experiments: what is measured, written in a file, and what was found, kept
//! as it comes in.
//!
//! An [`Experiment`] is read from TOML: panels of a figure, each with arms,
//! policies and budgets, and where there are some, the published numbers to
//! compare with. [`Experiment::run`] measures the cells that a [`Ledger`] does
//! not hold yet, so that a run that was killed goes on where it stopped.

mod experiment;
mod file;
mod ledger;
mod published;
mod run;
pub mod statistics;

pub use experiment::{Entry, Experiment, ExperimentError, Panel, Shape};
pub use ledger::{Ledger, LedgerError};
pub use published::Published;
pub use run::{Measured, MeasuredPanel, Results, RunError, Settings};
