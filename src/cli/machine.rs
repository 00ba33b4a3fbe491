//! Where and when something was measured.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use tesuji::core::isa;
use tesuji_report::numbers;

/// What a report says of its origin.
#[derive(Serialize)]
pub(super) struct Origin {
    pub(super) date: String,
    pub(super) version: &'static str,
    pub(super) commit: String,
    pub(super) processor: String,
    pub(super) cores: usize,
    pub(super) instructions: &'static str,
}

impl Origin {
    pub(super) fn here_and_now() -> Origin {
        Origin {
            date: today(),
            version: env!("CARGO_PKG_VERSION"),
            commit: commit().unwrap_or_else(|| "unknown".to_owned()),
            processor: processor().unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            instructions: isa::chosen(),
        }
    }

    /// All of it in a line.
    pub(super) fn line(&self) -> String {
        let Origin { date, version, commit, processor, cores, instructions } = self;
        format!(
            "tesuji {version} (commit {commit}), {date}, {processor}, {cores} cores, instructions: {instructions}"
        )
    }
}

/// The commit of the checkout this program was built in, while that is there;
/// with a plus sign where files differ from it.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").args(["-C", env!("CARGO_MANIFEST_DIR")]).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changed =
        git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|files| !files.is_empty());
    Some(if changed { commit + "+" } else { commit })
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
