//! How far along: a bar on a terminal, nothing elsewhere.

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar with a few words and the time that is left. Hidden by itself where
/// standard error is no terminal.
pub(super) struct Bar(ProgressBar);

impl Bar {
    pub(super) fn new(total: u64) -> Result<Bar> {
        let bar = ProgressBar::new(total);
        bar.set_style(ProgressStyle::with_template("{bar:40} {percent:>3} % {eta:>4} {msg}")?);
        Ok(Bar(bar))
    }

    /// What is being done.
    pub(super) fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }

    /// There is so much to do.
    pub(super) fn total(&self, total: u64) {
        self.0.set_length(total);
    }

    /// So much of the total is done.
    pub(super) fn set(&self, done: u64) {
        self.0.set_position(done);
    }

    /// So much more is done.
    pub(super) fn add(&self, more: u64) {
        self.0.inc(more);
    }

    /// Leaves nothing behind.
    pub(super) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
