//! Where and when something was measured.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use tesuji::core::isa;

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
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / 86_400)
}

/// The date of a day counted from 1 January 1970. Years are taken to begin in
/// March, so that the leap day is a year's last (Hinnant, "chrono-compatible
/// low-level date algorithms").
fn date(day: u64) -> String {
    let day = day + 719_468; // since 1 March of year 0
    let (era, day) = (day / 146_097, day % 146_097); // of 400 years
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153; // 0 is March
    let (day, month_of_year) = (day - (153 * month + 2) / 5 + 1, (month + 2) % 12 + 1);
    let year = era * 400 + year + u64::from(month_of_year <= 2);
    format!("{year:04}-{month_of_year:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_have_dates() {
        let dates = [0, 58, 59, 365, 11_016, 11_017, 20_772].map(date);
        let known = [
            "1970-01-01",
            "1970-02-28",
            "1970-03-01",
            "1971-01-01",
            "2000-02-29",
            "2000-03-01",
            "2026-11-15",
        ];
        assert_eq!(dates, known);
    }
}
