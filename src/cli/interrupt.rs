//! Ctrl-C and the signal to terminate: games in progress are dropped, engines ended, and what was
//! found is printed. The second time, the program ends at once.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use tesuji::core::in_shell;

/// What shells expect of a program that was interrupted.
pub(super) const EXIT_CODE: u8 = 130;

static FLAG: AtomicBool = AtomicBool::new(false);
static IS_HANDLED: OnceLock<()> = OnceLock::new();

/// Set once somebody has interrupted the program. From the first call on, interrupts are
/// caught.
pub(super) fn flag() -> Result<&'static AtomicBool> {
    if IS_HANDLED.set(()).is_ok() {
        let caught = || {
            let is_second = FLAG.swap(true, Ordering::Relaxed);
            let words = match is_second {
                false => "Stopping; Ctrl-C again ends at once.",
                true => "Ended at once; what was stored before is kept.",
            };
            if is_second || io::stderr().is_terminal() {
                let _ = writeln!(io::stderr(), "{words}");
            }
            if is_second {
                std::process::exit(i32::from(EXIT_CODE));
            }
        };
        ctrlc::set_handler(caught).context("interrupts cannot be caught")?;
    }
    Ok(&FLAG)
}

/// Whether somebody has interrupted the program.
pub(super) fn is_set() -> bool {
    FLAG.load(Ordering::Relaxed)
}

/// Ends a verb that keeps nothing: with an error if the program was interrupted.
pub(super) fn ended() -> Result<()> {
    if is_set() { Err(Interrupted::printed().into()) } else { Ok(()) }
}

/// The program was interrupted, and has printed what it found. The text is one line that says
/// what is kept and how to go on.
#[derive(Debug)]
pub(super) struct Interrupted(String);

impl Interrupted {
    /// What was found is in a store: the same command goes on from there.
    pub(super) fn stored(store: &Path) -> Interrupted {
        let (store, command) = (store.display(), command());
        Interrupted(format!("everything so far is kept in {store}; to go on, run again: {command}"))
    }

    /// What was found is not kept: the games of a match without a store.
    pub(super) fn unstored() -> Interrupted {
        Interrupted(format!(
            "the games are not kept; to keep them and go on later: {} --store FILE",
            command()
        ))
    }

    /// What was found is printed, and nothing else is left of it.
    fn printed() -> Interrupted {
        Interrupted(format!(
            "only what is printed here was done, and it is not kept; to begin again: {}",
            command()
        ))
    }

    /// Queries of other programs were answered with what was known.
    pub(super) fn answered() -> Interrupted {
        Interrupted("every query so far is answered with what was known".to_owned())
    }
}

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "interrupted: {}", self.0)
    }
}

impl std::error::Error for Interrupted {}

/// The command as it was typed.
fn command() -> String {
    let words = std::env::args_os().skip(1).map(|word| format!(" {}", in_shell(&word.to_string_lossy())));
    format!("tesuji{}", words.collect::<String>())
}
