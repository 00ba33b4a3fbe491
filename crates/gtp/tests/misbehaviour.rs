//! Engines that misbehave, each in its own way: small scripts in `engines/`. Each
//! leads to the right error, soon, and leaves no process behind.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use tesuji_core::Side;
use tesuji_gtp::{Answer, Controller, EngineCommand, EngineError, Timeouts};

/// Ample where an answer is expected: the machine may be busy.
const AMPLE: Timeouts = Timeouts {
    start: Duration::from_secs(20),
    command: Duration::from_secs(20),
    genmove: Duration::from_secs(20),
};
/// Little where none will come.
const LITTLE: Duration = Duration::from_millis(300);

/// A script, and how to find out whether its processes are gone.
struct Script {
    command: EngineCommand,
    process_file: PathBuf,
}

impl Script {
    fn new(name: &str) -> Script {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines").join(name);
        let script = script.with_extension("sh");
        assert!(script.is_file(), "{} is missing", script.display());
        // Tests may share a script and run side by side.
        let test = thread::current().name().unwrap_or("test").replace(':', "-");
        let process_file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{name}.pid"));
        let _ = fs::remove_file(&process_file);
        let arguments = [&script, &process_file].map(|path| path.to_str().unwrap().to_owned());
        let command = EngineCommand { program: "sh".to_owned(), arguments: arguments.to_vec() };
        Script { command, process_file }
    }

    fn start(&self, timeouts: Timeouts) -> Result<Controller, EngineError> {
        Controller::start(&self.command, timeouts)
    }

    fn process(&self) -> u32 {
        fs::read_to_string(&self.process_file).unwrap().trim().parse().unwrap()
    }

    /// Fails where the script or a child of its is still there.
    fn assert_gone(&self) {
        let leader = self.process();
        let begun = Instant::now();
        while group_lives(leader) {
            assert!(begun.elapsed() < Duration::from_secs(5), "{} was left behind", self.command);
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Whether a process of the group is there that has not ended. Who has ended and is
/// not buried yet, is its parent's business.
fn group_lives(leader: u32) -> bool {
    let lives = |group: Option<&str>, state: Option<&str>| {
        group == Some(leader.to_string().as_str()) && state.is_some_and(|state| !state.starts_with('Z'))
    };
    if let Ok(folder) = fs::read_dir("/proc") {
        // Number, name in brackets, state, parent, group. A process may end while we look.
        let stats = folder.flatten().filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
        return stats.filter_map(|stat| Some(stat.rsplit_once(')')?.1.to_owned())).any(|rest| {
            let words: Vec<&str> = rest.split_whitespace().collect();
            lives(words.get(2).copied(), words.first().copied())
        });
    }
    let output = Command::new("ps").args(["-A", "-o", "pgid=,stat="]).output().expect("ps is there");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().any(|line| {
        let mut words = line.split_whitespace();
        lives(words.next(), words.next())
    })
}

/// Starts a script that starts well, has it move until that fails, and gives the error.
fn failure(name: &str, genmove: Duration) -> EngineError {
    let script = Script::new(name);
    let mut engine = script.start(Timeouts { genmove, ..AMPLE }).unwrap();
    assert_eq!((engine.name(), engine.version()), (name, "1.0"));
    engine.new_game(9, Some(7.5)).unwrap();
    let error = (0..3).find_map(|_| engine.genmove(Side::Black).err()).expect("a failure");
    // It is gone though the controller lives, which says the same again.
    if error.kind() != "refused" {
        script.assert_gone();
        assert_eq!(engine.send("name"), Err(error.clone()));
    }
    drop(engine);
    script.assert_gone();
    error
}

#[track_caller]
fn assert_failure(name: &str, genmove: Duration, kind: &str, sentence: &str) {
    let error = failure(name, genmove);
    assert_eq!((error.kind(), error.to_string().as_str()), (kind, sentence));
}

#[test]
fn a_good_engine_plays_and_quits() {
    let script = Script::new("plays-passes");
    let mut engine = script.start(AMPLE).unwrap();
    assert_eq!(engine.process_id(), script.process());
    engine.new_game(5, None).unwrap();
    engine.play(Side::Black, "C3").unwrap();
    assert_eq!(engine.genmove(Side::White), Ok(Answer::Pass));
    assert_eq!(engine.knows("genmove"), Ok(true));
    assert_eq!(engine.knows("final_score"), Ok(false));
    assert!(matches!(engine.send(" # nothing"), Err(EngineError::Refused { .. })));
    assert!(group_lives(script.process()));
    engine.quit();
    script.assert_gone();
}

#[test]
fn moves_are_given_as_they_come() {
    let answer = |name: &str| {
        let script = Script::new(name);
        script.start(AMPLE).unwrap().genmove(Side::Black)
    };
    assert_eq!(answer("illegal"), Ok(Answer::Move("A1".to_owned())));
    assert_eq!(answer("resigns"), Ok(Answer::Resign));
}

#[test]
fn a_missing_program_is_not_started() {
    for program in ["no-such-engine-anywhere", "/no/such/engine", env!("CARGO_MANIFEST_DIR")] {
        let command = EngineCommand { program: program.to_owned(), arguments: vec![] };
        let error = Controller::start(&command, AMPLE).unwrap_err();
        assert_eq!(error.kind(), "not started");
        let sentence = format!("{} cannot be started: ", command.short_name());
        assert!(error.to_string().starts_with(&sentence), "{error}");
    }
}

#[test]
fn a_crash_at_the_start() {
    let script = Script::new("crashes-at-start");
    let error = script.start(AMPLE).unwrap_err();
    assert_eq!(error.kind(), "crashed");
    assert_eq!(
        error.to_string(),
        "sh did not answer 'name': it ended with exit code 3; its last words: 'cannot open the weights'"
    );
    script.assert_gone();
}

#[test]
fn a_crash_in_the_game() {
    let error = failure("crashes-at-third-genmove", AMPLE.genmove);
    assert_eq!(error.kind(), "crashed");
    let text = error.to_string();
    assert!(
        text.contains("did not answer 'genmove b': it was ended from outside (signal: 11 (SIGSEGV)"),
        "{text}"
    );
    assert!(text.ends_with("its last words: 'the third is too much'"), "{text}");
}

#[test]
fn a_crash_in_an_answer() {
    let sentence = "crashes-in-answer did not answer 'genmove b': it ended with exit code 0";
    assert_failure("crashes-in-answer", AMPLE.genmove, "crashed", sentence);
}

#[test]
fn closed_pipes_are_crashes() {
    let sentence =
        "closes-output did not answer 'genmove b': it closed its output; its last words: 'closing'";
    assert_failure("closes-output", AMPLE.genmove, "crashed", sentence);
}

#[test]
fn closed_input_is_a_crash() {
    // A program that is started just then, by another test, holds the pipe open for an
    // instant. What is written at that instant is lost, and the engine counts as hung.
    let mut errors = (0..5).map(|_| failure("closes-input", Duration::from_secs(1)));
    let error = errors.find(|error| error.kind() != "hung").expect("an error that is not hung");
    assert_eq!(error.kind(), "crashed");
    assert_eq!(error.to_string(), "closes-input did not answer 'genmove b': it closed its input");
}

#[test]
fn silence_is_ended() {
    for name in ["hangs-at-genmove", "ignores-terminate", "endless-blanks"] {
        let sentence = format!("{name} gave no answer to 'genmove b' within 0.3 s");
        assert_failure(name, LITTLE, "hung", &sentence);
    }
}

#[test]
fn silence_at_the_start_is_ended() {
    let script = Script::new("hangs-at-start");
    // On a busy machine the script may be ended before it has written its number.
    let mut errors = (0..5).map(|_| script.start(Timeouts { start: LITTLE, ..AMPLE }).unwrap_err());
    let has_begun = || fs::read_to_string(&script.process_file).is_ok_and(|number| number.ends_with('\n'));
    let error = errors.find(|_| has_begun()).expect("a script that begins");
    assert_eq!(error.kind(), "hung");
    assert_eq!(error.to_string(), "sh gave no answer to 'name' within 0.3 s");
    script.assert_gone();
}

#[test]
fn an_engine_that_reads_nothing_does_not_block_us() {
    let script = Script::new("reads-nothing");
    let mut engine = script.start(AMPLE).unwrap();
    assert_eq!(engine.genmove(Side::Black), Ok(Answer::Move("E5".to_owned())));
    let long = format!("loadsgf {}", "x".repeat(1 << 20));
    let error = engine.send_within(&long, LITTLE).unwrap_err();
    assert_eq!(error.kind(), "hung");
    assert!(error.to_string().len() < 200);
    script.assert_gone();
}

#[test]
fn garbage_is_garbage() {
    let cases = [
        ("garbage", "it begins with neither = nor ?: 'I play E5'"),
        ("no-text", "it is not UTF-8: '=6 \u{fffd}\u{fffd}'"),
        ("empty-move", "it is not one move: ''"),
        ("wrong-id", "it has id 7 where 6 is due: '=7 E5'"),
        ("no-id", "it has no id where 6 is due: '= E5'"),
        ("answers-twice", "it has id 6 where 7 is due: '=6 E5'"),
    ];
    for (name, problem) in cases {
        let sentence = format!("{name} answered 'genmove b' with a line that is not GTP: {problem}");
        assert_failure(name, AMPLE.genmove, "garbage", &sentence);
    }
}

#[test]
fn a_greeting_is_garbage() {
    let script = Script::new("greets");
    let error = script.start(AMPLE).unwrap_err();
    assert_eq!(error.kind(), "garbage");
    assert!(error.to_string().ends_with("neither = nor ?: 'Welcome to the engine!'"), "{error}");
    script.assert_gone();
}

#[test]
fn an_endless_answer_is_garbage() {
    let error = failure("endless-line", AMPLE.genmove);
    assert_eq!(error.kind(), "garbage");
    assert!(error.to_string().contains("it does not end: '=6 0000"), "{error}");
    assert!(error.to_string().len() < 200);
}

#[test]
fn refusals_are_told_and_survived() {
    let script = Script::new("refuses-everything");
    let mut engine = script.start(AMPLE).unwrap();
    assert_eq!((engine.name(), engine.version()), ("sh", ""));
    let error = engine.new_game(9, None).unwrap_err();
    assert_eq!(error.kind(), "refused");
    assert_eq!(error.to_string(), "sh refused 'boardsize 9': not today");
    let error = engine.genmove(Side::White).unwrap_err();
    assert_eq!(error.to_string(), "sh refused 'genmove w': not today");
    assert_eq!(engine.knows("genmove"), Ok(false));
    engine.quit();
    script.assert_gone();
}

#[test]
fn komi_may_be_unknown_but_not_refused() {
    let script = Script::new("no-komi");
    script.start(AMPLE).unwrap().new_game(11, Some(7.5)).unwrap();
    script.assert_gone();
    let script = Script::new("komi-below-ten");
    let mut engine = script.start(AMPLE).unwrap();
    engine.new_game(9, Some(7.5)).unwrap();
    assert_eq!(engine.knows("play"), Ok(false));
    let error = engine.new_game(9, Some(10.5)).unwrap_err();
    assert_eq!(error.to_string(), "sh refused 'komi 10.5': komi is too much");
}

#[test]
fn much_on_standard_error_is_read_and_forgotten() {
    let script = Script::new("talks-to-stderr");
    let mut engine = script.start(AMPLE).unwrap();
    for _ in 0..2 {
        assert_eq!(engine.genmove(Side::Black), Ok(Answer::Move("E5".to_owned())));
    }
    // The answer may overtake the last of it.
    let begun = Instant::now();
    while !engine.stderr().ends_with("that was all\n") {
        assert!(begun.elapsed() < Duration::from_secs(5));
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(engine.stderr().len(), 8 << 10);
    drop(engine);
    script.assert_gone();
}

#[test]
fn carriage_returns_and_control_characters_mean_nothing() {
    let script = Script::new("carriage-returns");
    let mut engine = script.start(AMPLE).unwrap();
    assert_eq!(engine.name(), "carriage-returns");
    engine.new_game(9, Some(0.5)).unwrap();
    assert_eq!(engine.genmove(Side::Black), Ok(Answer::Move("E5".to_owned())));
    assert_eq!(engine.knows("quit"), Ok(true));
}

#[test]
fn one_that_stays_after_quit_is_killed() {
    let script = Script::new("ignores-quit");
    let engine = script.start(AMPLE).unwrap();
    assert_eq!(engine.name(), "name");
    engine.quit();
    script.assert_gone();
}

#[test]
fn children_of_an_engine_end_with_it() {
    for quits in [false, true] {
        let script = Script::new("has-child");
        let engine = script.start(AMPLE).unwrap();
        assert!(group_lives(script.process()));
        if quits {
            engine.quit()
        } else {
            drop(engine)
        }
        script.assert_gone();
    }
}
