//! Ctrl-C, and being told to end: games in flight are let go, engines ended, and what was
//! found is printed. A second time, the program ends at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

/// What shells expect of a program that was interrupted.
pub(super) const EXIT_CODE: u8 = 130;

static FLAG: AtomicBool = AtomicBool::new(false);
static IS_HANDLED: OnceLock<()> = OnceLock::new();

/// Set once somebody has interrupted the program. From the first call on, interrupts are
/// caught.
pub(super) fn flag() -> Result<&'static AtomicBool> {
    if IS_HANDLED.set(()).is_ok() {
        let caught = || {
            if FLAG.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(EXIT_CODE));
            }
        };
        ctrlc::set_handler(caught).context("interrupts cannot be caught")?;
    }
    Ok(&FLAG)
}

/// The program was interrupted, and has told what it knew.
#[derive(Debug)]
pub(super) struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted: the same command goes on from here, if its games are kept in a store")
    }
}

impl std::error::Error for Interrupted {}

/// The program was interrupted while it answered others, and has told them what it knew.
#[derive(Debug)]
pub(super) struct CutShort;

impl std::fmt::Display for CutShort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted: what was asked so far is answered with what was known")
    }
}

impl std::error::Error for CutShort {}
