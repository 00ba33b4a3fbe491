//! What engines are told of their clocks.
#![cfg(unix)]

use std::path::Path;
use std::time::Duration;

use tesuji_core::{Side, TimeControl, TimeLeft};
use tesuji_gtp::{Controller, EngineCommand, Timeouts};

fn started(name: &str) -> Controller {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines").join(name);
    let arguments = vec![script.to_str().unwrap().to_owned()];
    let command = EngineCommand { program: "sh".to_owned(), arguments };
    Controller::start(&command, Timeouts::default()).unwrap()
}

/// What the script heard of this clock, and of what is left of it.
fn heard(script: &str, control: &str, milliseconds: u64, overtime: u32) -> String {
    let mut engine = started(script);
    let control: TimeControl = control.parse().unwrap();
    engine.set_time(control).unwrap();
    let left = TimeLeft { time: Duration::from_millis(milliseconds), overtime };
    engine.set_time_left(Side::White, left).unwrap();
    let said = engine.send("said").unwrap();
    engine.quit();
    said.trim().to_owned()
}

#[test]
fn clocks_are_told_in_whole_seconds() {
    let heard = |control, milliseconds, overtime| heard("keeps-time.sh", control, milliseconds, overtime);
    assert_eq!(heard("10m", 599_999, 0), "time_settings 600 0 0; time_left w 599 0;");
    assert_eq!(heard("5m+30s/25", 20_000, 7), "time_settings 300 30 25; time_left w 20 7;");
    // Some time is not none.
    assert_eq!(heard("500ms", 400, 0), "time_settings 1 0 0; time_left w 0 0;");
    assert_eq!(heard("unlimited", 400, 0), "time_settings 0 1 0; time_left w 0 0;");
}

#[test]
fn byoyomi_is_told_as_the_engine_can_hear_it() {
    assert_eq!(
        heard("keeps-byoyomi.sh", "5m+3x30s", 20_000, 2),
        "kgs-time_settings byoyomi 300 30 3; time_left w 20 2;"
    );
    assert_eq!(
        heard("keeps-byoyomi.sh", "5m+30s/25", 20_000, 2),
        "time_settings 300 30 25; time_left w 20 2;"
    );
    // Whoever does not know it has a period for each move, as many as there are.
    assert_eq!(heard("keeps-time.sh", "5m+3x30s", 20_000, 2), "time_settings 300 30 1; time_left w 20 1;");
    assert_eq!(heard("keeps-time.sh", "5m+3x30s", 20_000, 0), "time_settings 300 30 1; time_left w 20 0;");
}

#[test]
fn who_knows_no_clock_is_told_of_none() {
    let mut engine = started("plays-passes.sh");
    engine.set_time("10m".parse().unwrap()).unwrap();
    engine.set_time_left(Side::Black, TimeLeft::default()).unwrap();
    assert_eq!(engine.final_score(), Ok(None));
    assert!(!engine.has_ended());
    engine.quit();
}

#[test]
fn scores_are_told_as_written() {
    let mut engine = started("counts-for-white.sh");
    assert_eq!(engine.final_score(), Ok(Some("W+3.5".to_owned())));
    engine.quit();
    let mut engine = started("crashes-at-score.sh");
    assert_eq!(engine.final_score().unwrap_err().kind(), "crashed");
    assert!(engine.has_ended());
}
