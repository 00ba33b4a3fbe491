//! A progress bar on a terminal, and nothing elsewhere.

use std::io::{self, Write};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar with a few words and the time that is left. It is hidden if standard error is not a
/// terminal.
pub(super) struct Bar(ProgressBar);

impl Bar {
    pub(super) fn new(total: u64) -> Result<Bar> {
        let bar = ProgressBar::new(total);
        bar.set_style(ProgressStyle::with_template("{bar:40} {percent:>3} % {eta:>4} {msg}")?);
        Ok(Bar(bar))
    }

    /// A bar that shows the number of games.
    pub(super) fn for_games() -> Result<Bar> {
        let bar = ProgressBar::new(0);
        bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} games {msg}")?);
        Ok(Bar(bar))
    }

    /// Writes a line that stays above the bar, or on standard error if there is no bar.
    pub(super) fn above(&self, line: &str) {
        if self.0.is_hidden() {
            let _ = writeln!(io::stderr(), "{line}");
        } else {
            self.0.println(line);
        }
    }

    /// Says what is being done.
    pub(super) fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }

    /// Sets how much there is to do.
    pub(super) fn total(&self, total: u64) {
        self.0.set_length(total);
    }

    /// Sets how much of the total is done.
    pub(super) fn set(&self, done: u64) {
        self.0.set_position(done);
    }

    /// Adds to what is done.
    pub(super) fn add(&self, more: u64) {
        self.0.inc(more);
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
