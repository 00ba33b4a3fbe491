//! What interrupts a search, with real threads and pipes.

use std::io::{self, BufRead, BufReader, Cursor, PipeReader, PipeWriter, Write};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tesuji_engine::{End, Engine};
use tesuji_gtp::LONGEST_LINE;

use crate::engine;

/// More than anything here may take, on a busy machine too.
const LONG: Duration = Duration::from_secs(60);
/// Long enough to be told apart from at once.
const A_WHILE: Duration = Duration::from_millis(300);
/// How soon an interrupt is to be obeyed.
const SOON: Duration = Duration::from_millis(50);

/// An engine on a thread of its own, and the controller's ends of its pipes.
struct Running {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    errors: Shared,
    thread: JoinHandle<io::Result<End>>,
}

/// What has been written to standard error.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Running {
    fn start(mut engine: Engine) -> Running {
        let (engine_input, input) = io::pipe().unwrap();
        let (output, mut engine_output) = io::pipe().unwrap();
        let errors = Shared::default();
        let mut engine_errors = errors.clone();
        let thread =
            thread::spawn(move || engine.serve(engine_input, &mut engine_output, &mut engine_errors));
        Running { input: Some(input), output: BufReader::new(output), errors, thread }
    }

    fn write(&mut self, text: &str) {
        self.input.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// The lines up to the next empty one.
    fn answer(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.line() {
                line if line.is_empty() => return lines,
                line => lines.push(line),
            }
        }
    }

    fn close(mut self) -> End {
        self.input = None;
        self.thread.join().unwrap().unwrap()
    }
}

/// Whether something is done soon in one of several tries: a busy machine may be late, but
/// not always.
fn assert_soon(what: &str, mut once: impl FnMut() -> Duration) {
    let best = (0..10).map(|_| once()).find(|time| *time < SOON);
    assert!(best.is_some(), "{what} was never done in {SOON:?}");
}

/// An engine whose analysis has no end of its own.
fn tireless() -> Engine {
    engine("hex:5", "uct")
}

/// An engine whose search ends at once.
fn quick() -> Engine {
    engine("hex:3", "sh+uct@90")
}

/// An engine that thinks so long about a move.
fn patient(patience: Duration) -> Engine {
    engine("hex:5", &format!("uct@{}ms", patience.as_millis()))
}

/// Whether these lines are the answer to `genmove`.
fn is_move(lines: &[String]) -> bool {
    matches!(lines, [line] if line.len() == 4 && line.starts_with("= "))
}

#[test]
fn any_line_ends_an_analysis() {
    for next in ["name\n", "\n", "# a comment\n", "# interrupt\n"] {
        let mut engine = Running::start(tireless());
        assert_soon(next, || {
            engine.write("3 lz-analyze b 1 maxmoves 1\n");
            assert_eq!(engine.line(), "=3");
            assert!((0..3).all(|_| engine.line().starts_with("info move ")));
            let begun = Instant::now();
            engine.write(next);
            assert!(engine.answer().iter().all(|line| line.starts_with("info move ")));
            let time = begun.elapsed();
            if next == "name\n" {
                assert_eq!(engine.answer(), ["= tesuji"]);
            }
            time
        });
        assert_eq!(engine.close(), End::InputClosed);
    }
}

#[test]
fn the_end_of_the_input_ends_an_analysis() {
    assert_soon("the end", || {
        let mut engine = Running::start(tireless());
        engine.write("kata-analyze 1\n");
        assert_eq!(engine.line(), "=");
        engine.line();
        let begun = Instant::now();
        assert_eq!(engine.close(), End::InputClosed);
        begun.elapsed()
    });
}

#[test]
fn a_line_that_comes_with_the_command_ends_the_analysis() {
    let mut engine = Running::start(tireless());
    let begun = Instant::now();
    engine.write(&"lz-analyze 100000\n".repeat(200));
    engine.write("name\n");
    for _ in 0..200 {
        assert_eq!(engine.answer()[0], "=");
    }
    assert_eq!(engine.answer(), ["= tesuji"]);
    assert!(begun.elapsed() < LONG);
    engine.close();
}

#[test]
fn the_interval_holds_for_input_that_waits_already() {
    // A search with a budget may be over before the next line is read: its last state is told too.
    for (player, most_reports) in [("uct", 1), ("rave", 1), ("sh+uct@5000", 2), ("shot@5000", 2)] {
        let mut engine = Running::start(engine("hex:5", player));
        engine.write("lz-analyze b 1000\nlz-analyze b 1000\nname\n");
        for _ in 0..2 {
            let answer = engine.answer();
            assert_eq!(answer[0], "=", "{player}");
            let reports = answer.len() - 1;
            assert!(reports <= most_reports, "{player}: {reports} reports");
        }
        assert_eq!(engine.answer(), ["= tesuji"]);
        engine.close();
    }
}

#[test]
fn the_interval_holds_while_rounds_end() {
    // All rounds end long before the first interval does.
    let mut engine = Running::start(engine("hex:5", "sh+uct@500"));
    engine.write("lz-analyze b 10000\n");
    assert_eq!(engine.line(), "=");
    thread::sleep(A_WHILE);
    engine.write("name\n");
    // The first state, and the last.
    assert!(engine.answer().len() <= 2);
    assert_eq!(engine.answer(), ["= tesuji"]);
    engine.close();

    let mut engine = Running::start(tireless());
    let begun = Instant::now();
    engine.write("lz-analyze b 10 maxmoves 1\n");
    assert_eq!(engine.line(), "=");
    (0..4).for_each(|_| drop(engine.line()));
    assert!(begun.elapsed() >= Duration::from_millis(400), "{:?}", begun.elapsed());
    engine.close();
}

#[test]
fn a_state_is_reported_once() {
    for player in ["sh+uct@500", "rave@500", "shot@500"] {
        for interval in [0, 1, 10_000] {
            let mut engine = Running::start(engine("hex:5", player));
            engine.write(&format!("lz-genmove_analyze b {interval}\n"));
            let mut lines = engine.answer();
            assert!(lines.last().is_some_and(|line| line.starts_with("play ")), "{player}");
            let n_lines = lines.len();
            lines.dedup();
            assert_eq!(lines.len(), n_lines, "{player}, interval {interval}");
            engine.close();
        }
    }
}

#[test]
fn an_analysis_that_is_over_waits_in_silence() {
    let mut engine = Running::start(quick());
    engine.write("kata-analyze 1 maxmoves 1 rootInfo true\n");
    assert_eq!(engine.line(), "=");
    while !engine.line().contains(" rootInfo visits 90 ") {}
    let begun = Instant::now();
    let mut input = engine.input.take().unwrap();
    let later = thread::spawn(move || {
        thread::sleep(A_WHILE);
        input.write_all(b"\nquit\n").unwrap();
        input
    });
    // The end of the last round is the end of the search, and is reported once.
    assert_eq!(engine.answer(), [""; 0]);
    assert!(begun.elapsed() >= A_WHILE);
    assert_eq!(engine.answer(), ["="]);
    engine.input = Some(later.join().unwrap());
    assert_eq!(engine.close(), End::Quit);
}

#[test]
fn an_interval_of_nothing_is_one_report_at_the_end() {
    let mut engine = Running::start(quick());
    engine.write("kata-analyze 0 maxmoves 1 rootInfo true\n");
    assert_eq!(engine.line(), "=");
    // The last of several, with all samples.
    assert!(engine.line().contains(" rootInfo visits 90 "));
    engine.write("\n");
    assert_eq!(engine.answer(), [""; 0]);
    engine.close();

    let mut engine = Running::start(tireless());
    // A busy machine may leave no time for a sample, but not always.
    let n_reports = (0..10).map(|_| {
        engine.write("lz-analyze 0 maxmoves 1\n");
        assert_eq!(engine.line(), "=");
        thread::sleep(A_WHILE);
        engine.write("\n");
        engine.answer().len()
    });
    assert_eq!(n_reports.into_iter().find(|n_reports| *n_reports > 0), Some(1));
    engine.close();
}

#[test]
fn gogui_interrupts_a_choice() {
    for command in ["genmove b", "reg_genmove b", "kgs-genmove_cleanup b", "lz-genmove_analyze b 10"] {
        let mut engine = Running::start(patient(LONG));
        assert_soon(command, || {
            engine.write(&format!("clear_board\n{command}\n"));
            assert_eq!(engine.answer(), ["="]);
            thread::sleep(Duration::from_millis(20));
            let begun = Instant::now();
            engine.write("# interrupt\n");
            assert!(engine.answer()[0].starts_with('='));
            begun.elapsed()
        });
        engine.close();
    }
}

#[test]
fn an_interrupt_right_behind_the_command_is_not_missed() {
    let mut engine = Running::start(patient(LONG));
    for _ in 0..100 {
        engine.write("clear_board\ngenmove b\n# interrupt\n");
        assert_eq!(engine.answer(), ["="]);
        assert!(is_move(&engine.answer()));
    }
    engine.close();
}

#[test]
fn other_lines_do_not_interrupt_a_choice() {
    let mut engine = Running::start(patient(A_WHILE));
    let begun = Instant::now();
    engine.write("genmove b\n# a comment\n\nname\n");
    assert!(is_move(&engine.answer()));
    assert!(begun.elapsed() >= A_WHILE);
    assert_eq!(engine.answer(), ["= tesuji"]);
    engine.close();
}

#[test]
fn an_interrupt_while_nothing_runs_means_nothing() {
    let mut engine = Running::start(patient(A_WHILE));
    engine.write("# interrupt\nname\n");
    engine.answer();
    let begun = Instant::now();
    engine.write("genmove b\n");
    assert!(is_move(&engine.answer()));
    assert!(begun.elapsed() >= A_WHILE);
    engine.close();
}

#[test]
fn the_end_of_the_input_does_not_interrupt_a_choice() {
    let (mut engine, mut output) = (patient(A_WHILE), Vec::new());
    let begun = Instant::now();
    let end = engine.serve(&b"genmove b\n8 genmove w"[..], &mut output, &mut io::sink());
    assert_eq!(end.unwrap(), End::InputClosed);
    assert!(begun.elapsed() >= 2 * A_WHILE);
    let output = String::from_utf8(output).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    assert!(
        matches!(lines[..], [first, "", second, ""] if first.starts_with("= ") && second.starts_with("=8 "))
    );
}

/// The samples of the last search that it had not to make itself.
fn inherited_samples(engine: &mut Running) -> u64 {
    engine.write("gomill-explain_last_move\n");
    let answer = engine.answer().join(" ");
    // "…; 5000 in all, 50 of them new, in 0.01 s".
    let number = |text: &str| text.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
    let (all, rest) = answer.split_once(" in all, ").unwrap_or_else(|| panic!("{answer}"));
    number(all) - number(rest.split_once(" of them new").unwrap().0)
}

#[test]
fn pondering_ends_with_the_next_line_and_is_of_use() {
    let mut engine = Running::start(engine("hex:5", "uct+reuse@50"));
    let mut inherited_after = |switch: &str| {
        engine.write(&format!("clear_board\ntesuji-param ponder {switch}\ngenmove b\n"));
        (0..3).for_each(|_| drop(engine.answer()));
        assert_soon("an answer", || {
            thread::sleep(Duration::from_millis(20));
            let begun = Instant::now();
            engine.write("name\n");
            assert_eq!(engine.answer(), ["= tesuji"]);
            begun.elapsed()
        });
        engine.write("genmove w\n");
        engine.answer();
        inherited_samples(&mut engine)
    };
    let without = inherited_after("off");
    assert!(without <= 50, "{without}");
    // A busy machine may leave no time to ponder, but not always.
    let most = (0..10).map(|_| inherited_after("on")).find(|inherited| *inherited > 100);
    assert!(most.is_some(), "pondering was never of use");
    assert_eq!(engine.close(), End::InputClosed);
}

#[test]
fn a_controller_that_goes_away_is_an_end() {
    // It is not there when an answer comes.
    let engine = Running::start(quick());
    drop(engine.output);
    engine.input.unwrap().write_all(b"name\nname\n").unwrap();
    assert_eq!(engine.thread.join().unwrap().unwrap(), End::OutputClosed);

    // It goes in the middle of an analysis, and still writes nothing.
    let mut engine = Running::start(tireless());
    engine.write("lz-analyze 1\n");
    assert_eq!(engine.line(), "=");
    drop(engine.output);
    assert_eq!(engine.thread.join().unwrap().unwrap(), End::OutputClosed);
}

#[test]
fn after_quit_nothing_is_answered() {
    let mut output = Vec::new();
    let end = quick().serve(&b"1 quit\n2 name\n"[..], &mut output, &mut io::sink());
    assert_eq!((end.unwrap(), &output[..]), (End::Quit, &b"=1 \n\n"[..]));
}

#[test]
fn control_characters_and_endless_lines() {
    let mut input = b"1 na\x00\x07me\r\n\xff\xfe\n\t2\tprotocol_version\t\n3 play b ".to_vec();
    input.extend(std::iter::repeat_n(b'x', 3 * LONGEST_LINE));
    input.extend(b"\n# ");
    input.extend(std::iter::repeat_n(b'x', 3 * LONGEST_LINE));
    input.extend(b"\n4 name");
    let mut output = Vec::new();
    quick().serve(Cursor::new(input), &mut output, &mut io::sink()).unwrap();
    let wanted = "=1 tesuji\n\n? unknown command\n\n=2 2\n\n\
                  ?3 syntax error: the line has more than 1048576 bytes\n\n=4 tesuji\n\n";
    assert_eq!(String::from_utf8(output).unwrap(), wanted);
}

#[test]
fn rounds_are_drawn_while_they_end() {
    let mut engine = Running::start(engine("hex:2", "sh+uct@40"));
    engine.write("genmove b\n");
    engine.answer();
    assert!(engine.errors.0.lock().unwrap().is_empty());
    engine.write("undo\ntesuji-param live-gfx on\ngenmove b\n");
    (0..3).for_each(|_| drop(engine.answer()));
    let drawn = String::from_utf8(engine.errors.0.lock().unwrap().clone()).unwrap();
    let wanted = "\
gogui-gfx:
COLOR #2ea043 A2
COLOR #7bc96f A1
COLOR #d8d8d8 B1 B2
LABEL A2 1 A1 2
TEXT round 1: 2 of 4 go on, 5 samples each

gogui-gfx:
COLOR #2ea043 A2
COLOR #d8d8d8 A1
LABEL A2 1
TEXT round 2: 1 of 2 go on, 10 samples each

";
    assert_eq!(drawn, wanted);
    engine.close();
}
