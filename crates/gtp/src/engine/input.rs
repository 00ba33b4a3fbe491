//! Commands as they come in, and who is interrupted by them.
//!
//! A thread of its own reads, so that a line is seen while the host thinks. It does two
//! things: it queues lines, and it sets a flag that the host looks at. Both happen under
//! one lock, and so does the choice of what the flag listens to. A line can therefore not
//! slip through between the last look at the queue and the first of the host's thoughts:
//! whoever begins to listen sees at once what is waiting already.
//!
//! Memory is bounded. Of a line that is too long only the beginning is kept, and while too
//! much is waiting, nothing more is read. The thread is not joined: it may be in the
//! middle of a read that never ends.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{io, thread};

/// The most bytes of a line; what goes on beyond is skipped.
pub const LONGEST_LINE: usize = 1 << 20;
/// How much of a line that is too long is kept: enough for its id and name.
const BEGINNING: usize = 1 << 10;
/// How much may wait in the queue before reading stops.
const FULL: usize = 16 << 20;
/// What a line weighs in the queue besides its text.
const BURDEN: usize = 64;
/// Between looks at an input that does not let us wait.
const PAUSE: Duration = Duration::from_millis(5);
/// The most bytes of one read.
const PIECE: usize = 64 << 10;

/// A line without its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Line {
    /// All of it.
    Whole(String),
    /// The beginning of one that is too long.
    TooLong(String),
}

impl Line {
    fn new(bytes: &[u8], is_too_long: bool) -> Line {
        if is_too_long {
            let beginning = &bytes[..bytes.len().min(BEGINNING)];
            return Line::TooLong(String::from_utf8_lossy(beginning).into_owned());
        }
        Line::Whole(String::from_utf8_lossy(bytes).into_owned())
    }

    fn text(&self) -> &str {
        match self {
            Line::Whole(text) | Line::TooLong(text) => text,
        }
    }

    /// Whether this is the comment by which GoGui interrupts.
    fn is_interrupt(&self) -> bool {
        let word = |text: &str| text.chars().filter(|letter| !letter.is_ascii_control()).collect::<String>();
        self.text().trim_start().starts_with('#') && word(self.text()).trim() == "# interrupt"
    }

    fn weight(&self) -> usize {
        self.text().len() + BURDEN
    }
}

/// What sets the flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Listening {
    /// Nothing does: nobody is thinking.
    Off,
    /// Only the line `# interrupt` does: a move is being chosen, and the lines behind the
    /// command are for later.
    ForInterrupts,
    /// Whatever comes does, the end of the input too: somebody thinks until he is asked.
    ForAnything,
}

/// Where commands come from.
pub(super) struct Input {
    shared: Arc<Shared>,
    /// Nothing ever comes, not even an end.
    is_absent: bool,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// A line has come, or the end.
    arrived: Condvar,
    /// There is room in the queue again, or nobody wants more.
    has_room: Condvar,
    interrupt: AtomicBool,
}

#[derive(Debug)]
struct State {
    lines: VecDeque<Line>,
    weight: usize,
    /// How many of the lines are `# interrupt`; counted, since the queue may be long.
    n_interrupts: usize,
    listening: Listening,
    /// Nothing more will come.
    is_over: bool,
    /// Nobody wants more.
    is_dropped: bool,
}

impl Shared {
    fn new() -> Arc<Shared> {
        let state = State {
            lines: VecDeque::new(),
            weight: 0,
            n_interrupts: 0,
            listening: Listening::Off,
            is_over: false,
            is_dropped: false,
        };
        Arc::new(Shared {
            state: Mutex::new(state),
            arrived: Condvar::new(),
            has_room: Condvar::new(),
            interrupt: AtomicBool::new(false),
        })
    }

    /// The state is whole between any two statements, so a panic elsewhere does not matter.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues lines, and says whether anybody wants more.
    fn push(&self, lines: Vec<Line>, is_over: bool) -> bool {
        let mut state = self.state();
        while state.weight > FULL && !state.is_dropped {
            state = self.has_room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.weight += lines.iter().map(Line::weight).sum::<usize>();
        state.n_interrupts += lines.iter().filter(|line| line.is_interrupt()).count();
        state.lines.extend(lines);
        state.is_over |= is_over;
        self.look(&state);
        self.arrived.notify_all();
        !state.is_dropped
    }

    /// Whether anybody wants more.
    fn is_wanted(&self) -> bool {
        !self.state().is_dropped
    }

    /// Sets the flag where what is waiting does so. An `# interrupt` is meant for all that
    /// was asked before it, so it does not matter what else is waiting.
    fn look(&self, state: &State) {
        let is_met = match state.listening {
            Listening::Off => false,
            Listening::ForInterrupts => state.n_interrupts > 0,
            Listening::ForAnything => !state.lines.is_empty() || state.is_over,
        };
        if is_met {
            self.interrupt.store(true, Ordering::SeqCst);
        }
    }
}

impl Input {
    /// Begins to read.
    pub(super) fn start(reader: impl Read + Send + 'static) -> io::Result<Input> {
        let shared = Shared::new();
        let for_thread = Arc::clone(&shared);
        thread::Builder::new().name("gtp input".to_owned()).spawn(move || read(reader, &for_thread))?;
        Ok(Input { shared, is_absent: false })
    }

    /// No input at all: nobody interrupts.
    pub(super) fn absent() -> Input {
        Input { shared: Shared::new(), is_absent: true }
    }

    /// Whether there is none.
    pub(super) fn is_absent(&self) -> bool {
        self.is_absent
    }

    /// The next line, `None` at the end. Waits for it.
    pub(super) fn next(&self) -> Option<Line> {
        let mut state = self.await_any();
        let line = state.lines.pop_front()?;
        state.weight -= line.weight();
        state.n_interrupts -= usize::from(line.is_interrupt());
        if state.weight <= FULL {
            self.shared.has_room.notify_all();
        }
        Some(line)
    }

    /// Whether a line or the end is there.
    pub(super) fn is_waiting(&self) -> bool {
        let state = self.shared.state();
        !state.lines.is_empty() || state.is_over || self.is_absent
    }

    /// Waits until it is.
    pub(super) fn wait(&self) {
        drop(self.await_any());
    }

    fn await_any(&self) -> MutexGuard<'_, State> {
        let mut state = self.shared.state();
        while state.lines.is_empty() && !state.is_over && !self.is_absent {
            state = self.shared.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    /// Lets somebody think who looks at the flag, and sets the flag when he is to stop.
    pub(super) fn while_listening<T>(&self, to: Listening, think: impl FnOnce(&AtomicBool) -> T) -> T {
        self.listen(to);
        let result = think(&self.shared.interrupt);
        self.listen(Listening::Off);
        result
    }

    fn listen(&self, to: Listening) {
        let mut state = self.shared.state();
        state.listening = to;
        self.shared.interrupt.store(false, Ordering::SeqCst);
        self.shared.look(&state);
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.shared.state().is_dropped = true;
        self.shared.has_room.notify_all();
    }
}

/// Reads to the end. An error is one too: what cannot be read will not be answered.
fn read(mut reader: impl Read, shared: &Shared) {
    let mut cutter = Cutter::default();
    let mut piece = vec![0; PIECE];
    loop {
        match reader.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => {
                if !shared.push(cutter.cut(&piece[..length]), false) {
                    return;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Somebody who shares the pipe wants no read to wait. Ours may.
            Err(error) if error.kind() == ErrorKind::WouldBlock && shared.is_wanted() => thread::sleep(PAUSE),
            Err(_) => break,
        }
    }
    shared.push(cutter.finish(), true);
}

/// Cuts bytes, which come in pieces of any size, into lines.
#[derive(Default)]
struct Cutter {
    /// The line that is not whole yet.
    line: Vec<u8>,
    is_too_long: bool,
}

impl Cutter {
    /// Takes a piece, and gives the lines that it ends.
    fn cut(&mut self, mut piece: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        while let Some(end) = piece.iter().position(|&byte| byte == b'\n') {
            self.grow(&piece[..end]);
            lines.push(self.end_line());
            piece = &piece[end + 1..];
        }
        self.grow(piece);
        lines
    }

    /// The last line, where it has no end.
    fn finish(&mut self) -> Vec<Line> {
        if self.line.is_empty() { Vec::new() } else { vec![self.end_line()] }
    }

    fn grow(&mut self, bytes: &[u8]) {
        let room = LONGEST_LINE - self.line.len();
        self.is_too_long |= bytes.len() > room;
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn end_line(&mut self) -> Line {
        let line = Line::new(&self.line, self.is_too_long);
        self.line.clear();
        self.is_too_long = false;
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Line {
        Line::Whole(text.to_owned())
    }

    fn input(bytes: &'static [u8]) -> Input {
        let input = Input::start(bytes).unwrap();
        // So that a test sees all of it at once.
        while !input.shared.state().is_over {
            thread::yield_now();
        }
        input
    }

    fn is_set(input: &Input, to: Listening) -> bool {
        input.while_listening(to, |flag| flag.load(Ordering::SeqCst))
    }

    #[test]
    fn bytes_become_lines_however_they_are_cut() {
        let bytes = b"name\r\n\n\xff\xfe\0quit\nlast";
        let wanted = ["name\r", "", "\u{fffd}\u{fffd}\0quit", "last"].map(whole);
        for size in 1..=bytes.len() {
            let mut cutter = Cutter::default();
            let mut lines: Vec<Line> = bytes.chunks(size).flat_map(|piece| cutter.cut(piece)).collect();
            lines.extend(cutter.finish());
            assert_eq!(lines, wanted, "in pieces of {size}");
        }
    }

    #[test]
    fn of_a_line_that_is_too_long_the_beginning_is_kept() {
        let mut cutter = Cutter::default();
        let piece = [b'x'; 1000];
        let n_pieces = LONGEST_LINE / piece.len() + 1;
        assert!((0..10 * n_pieces).all(|_| cutter.cut(&piece).is_empty()));
        assert_eq!(cutter.line.len(), LONGEST_LINE);
        assert_eq!(cutter.cut(b"\nname\n"), [Line::TooLong("x".repeat(BEGINNING)), whole("name")]);
        let mut exact = vec![b'x'; LONGEST_LINE];
        exact.push(b'\n');
        assert!(matches!(&cutter.cut(&exact)[..], [Line::Whole(text)] if text.len() == LONGEST_LINE));
    }

    #[test]
    fn what_is_waiting_already_interrupts() {
        for (bytes, by_interrupts, by_anything) in [
            (&b""[..], false, true),
            (b"\n", false, true),
            (b"# a comment\n", false, true),
            (b"genmove b\n", false, true),
            (b"# interrupt\n", true, true),
            (b"play w a1\n # interrupt\r\n", true, true),
            (b"# interrupted\n", false, true),
        ] {
            let input = input(bytes);
            let name = String::from_utf8_lossy(bytes);
            assert!(!is_set(&input, Listening::Off), "{name}");
            assert_eq!(is_set(&input, Listening::ForInterrupts), by_interrupts, "{name}");
            assert_eq!(is_set(&input, Listening::ForAnything), by_anything, "{name}");
        }
    }

    #[test]
    fn an_interrupt_that_has_been_read_is_over() {
        let input = input(b"# interrupt\ngenmove b\nquit\n");
        assert_eq!(input.next(), Some(whole("# interrupt")));
        assert_eq!(input.next(), Some(whole("genmove b")));
        assert!(!is_set(&input, Listening::ForInterrupts));
        assert_eq!(input.next(), Some(whole("quit")));
        assert_eq!((input.next(), input.next()), (None, None));
    }

    #[test]
    fn a_full_queue_stops_the_reader_and_loses_nothing() {
        let lines = 40;
        let line = [vec![b'x'; LONGEST_LINE - 1], vec![b'\n']].concat();
        let input = Input::start(io::Cursor::new(line.repeat(lines))).unwrap();
        thread::sleep(Duration::from_millis(100));
        assert!(input.shared.state().weight < FULL + PIECE + LONGEST_LINE + BURDEN);
        assert_eq!(std::iter::from_fn(|| input.next()).count(), lines);
    }

    /// Has nothing at every other read, and nothing at all at the end.
    struct Hesitant(Vec<&'static [u8]>);

    impl Read for Hesitant {
        fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
            match self.0.pop() {
                None => Ok(0),
                Some(b"") => Err(ErrorKind::WouldBlock.into()),
                Some(mut bytes) => bytes.read(piece),
            }
        }
    }

    #[test]
    fn an_input_that_does_not_wait_is_waited_for() {
        let input = Input::start(Hesitant(vec![b"me\n", b"", b"na", b""])).unwrap();
        assert_eq!((input.next(), input.next()), (Some(whole("name")), None));
    }

    #[test]
    fn without_input_nothing_is_waited_for() {
        let input = Input::absent();
        input.wait();
        assert!(!is_set(&input, Listening::ForAnything));
        assert_eq!(input.next(), None);
    }
}
