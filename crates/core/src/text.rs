//! Quoting foreign text in error sentences, and durations as text.

use std::io::{self, ErrorKind};
use std::time::Duration;

/// Returns a count with commas: 6,182,818.
///
/// ```
/// assert_eq!(tesuji_core::grouped(1_234_567), "1,234,567");
/// ```
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns the text as an error sentence can quote it: one line of at most 60
/// characters, without control characters.
///
/// ```
/// assert_eq!(tesuji_core::shortened("a1\nb2"), "a1 b2");
/// assert_eq!(tesuji_core::shortened("a1\u{202e}b2"), "a1 b2");
/// assert_eq!(tesuji_core::shortened(&"x".repeat(1000)).chars().count(), 61);
/// ```
pub fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    // Besides control characters, those that turn the direction of the text after them.
    let turns =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let clean = |c: char| if c.is_control() || turns(c) { ' ' } else { c };
    let mut short: String = text.chars().map(clean).take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        short.push('…');
    }
    short
}

/// Returns the word as a shell reads it: in single quotes if the shell could misread it.
///
/// ```
/// assert_eq!(tesuji_core::in_shell("go:9"), "go:9");
/// assert_eq!(tesuji_core::in_shell("hybrid-shuss(t=0)@100"), "'hybrid-shuss(t=0)@100'");
/// assert_eq!(tesuji_core::in_shell("gtp(\"it's\")"), r#"'gtp("it'\''s")'"#);
/// assert_eq!(tesuji_core::in_shell(""), "''");
/// ```
pub fn in_shell(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_./:@=+,-%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Returns the end of a sentence that says why a file cannot be read or written.
///
/// ```
/// let missing = std::fs::read("no/such/file").unwrap_err();
/// assert_eq!(tesuji_core::file_problem(&missing), "it does not exist");
/// ```
pub fn file_problem(error: &io::Error) -> String {
    let problem = match error.kind() {
        ErrorKind::NotFound => "it does not exist",
        ErrorKind::PermissionDenied => "permission is denied",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::NotADirectory => "a part of its path is not a folder",
        ErrorKind::AlreadyExists => "a file of that name is in the way",
        ErrorKind::InvalidData => "it is not text in UTF-8",
        ErrorKind::StorageFull => "the disk is full",
        ErrorKind::ReadOnlyFilesystem => "the disk may only be read",
        ErrorKind::InvalidFilename => "its name is not allowed",
        _ => {
            // The number of the error helps nobody.
            let text = error.to_string();
            return text.split(" (os error ").next().unwrap_or(&text).to_owned();
        }
    };
    problem.to_owned()
}

/// The units of time, those whose names end in another's first.
const UNITS: [(&str, f64); 4] = [("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9)];

/// The longest time that [`parse_time`] reads.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads a duration such as `500ms`, `1.5s`, `2m` or `1h`, up to a day. `None` if the
/// text is not such a duration.
///
/// ```
/// use std::time::Duration;
/// assert_eq!(tesuji_core::parse_time("1.5 s"), Some(Duration::from_millis(1500)));
/// assert_eq!(tesuji_core::parse_time("25h"), None);
/// ```
pub fn parse_time(text: &str) -> Option<Duration> {
    let word = text.trim().to_lowercase();
    let split = |&(unit, nanoseconds): &(&str, f64)| Some((word.strip_suffix(unit)?.trim_end(), nanoseconds));
    let (number, unit) = UNITS.iter().find_map(split)?;
    let plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f64 = number.parse().ok().filter(|_| plain)?;
    // A day is less than 2⁴⁷ nanoseconds: doubles give the nearest one exactly.
    let nanoseconds = (number * unit).round();
    (nanoseconds <= DAY.as_nanos() as f64).then(|| Duration::from_nanos(nanoseconds as u64))
}

/// Writes a duration as [`parse_time`] reads it: in minutes if it is a whole number of
/// minutes, else in seconds if it is at least one second, else in milliseconds.
///
/// ```
/// use std::time::Duration;
/// assert_eq!(tesuji_core::time_text(Duration::from_millis(1500)), "1.5s");
/// assert_eq!(tesuji_core::time_text(Duration::from_secs(3600)), "60m");
/// ```
pub fn time_text(time: Duration) -> String {
    let (whole, part, digits, unit) = match (time.as_secs(), time.subsec_nanos()) {
        (0, 0) => (0, 0, 0, "s"),
        (0, nanoseconds) => (u64::from(nanoseconds / 1_000_000), nanoseconds % 1_000_000, 6, "ms"),
        (seconds, 0) if seconds % 60 == 0 => (seconds / 60, 0, 0, "m"),
        (seconds, nanoseconds) => (seconds, nanoseconds, 9, "s"),
    };
    let fraction = if part == 0 { String::new() } else { format!(".{part:0digits$}") };
    format!("{whole}{}{unit}", fraction.trim_end_matches('0'))
}
