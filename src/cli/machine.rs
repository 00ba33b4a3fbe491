//! Where and when something was measured.

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use tesuji::core::isa;
use tesuji::{BUILD, Build};
use tesuji_report::numbers;

/// What a report says of its origin.
#[derive(Serialize)]
pub(super) struct Origin {
    pub(super) date: String,
    pub(super) version: &'static str,
    pub(super) commit: &'static str,
    /// The digest of the sources.
    pub(super) sources: &'static str,
    pub(super) processor: String,
    pub(super) cores: usize,
    pub(super) instructions: &'static str,
}

impl Origin {
    pub(super) fn here_and_now() -> Origin {
        Origin {
            date: today(),
            version: BUILD.version,
            commit: BUILD.commit,
            sources: BUILD.sources,
            processor: processor().unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            instructions: isa::chosen(),
        }
    }

    /// All of it in a line.
    pub(super) fn line(&self) -> String {
        let Origin { date, version, commit, sources, processor, cores, instructions } = self;
        format!(
            "tesuji {version} (commit {commit}, sources {sources}), {date}, {processor}, {cores} cores, instructions: {instructions}"
        )
    }
}

/// What `tesuji --version` prints behind the name.
pub(super) fn long_version() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    let Build { version, commit, sources, target, features, .. } = BUILD;
    TEXT.get_or_init(|| {
        format!(
            "{version}\ncommit:       {commit}\nsources:      {sources}\ntarget:       {target}\n\
             compiled for: {features}\nkernels use:  {}",
            isa::chosen()
        )
    })
}

fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Today's date (UTC), year-month-day.
fn today() -> String {
    numbers::date(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()))
}
