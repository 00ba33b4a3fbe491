//! The commands of the controller, and which of them interrupt a search.
//!
//! A thread of its own reads, so that a line is noticed while the player thinks. It does two
//! things: it queues lines, and it sets a flag that the search checks. Both happen under
//! one lock, and so does the choice of what sets the flag. So no line is missed between the
//! last look at the queue and the beginning of a search: starting to listen checks the lines
//! that are already waiting.
//!
//! Memory is bounded. Only the beginning of a line that is too long is kept, and while too
//! much is waiting, nothing more is read. The thread is not joined: it may be in the
//! middle of a read that never ends.

use std::collections::VecDeque;
use std::io::{BufReader, ErrorKind, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{io, thread};

use tesuji_gtp::{Line, Lines};

/// How many bytes may wait in the queue before reading stops.
const FULL: usize = 16 << 20;
/// What a line weighs in the queue in addition to its bytes.
const BURDEN: usize = 64;
/// The pause between reads of an input that never blocks.
const PAUSE: Duration = Duration::from_millis(5);
/// The most bytes of one read.
const PIECE: usize = 64 << 10;

/// Whether this line is the comment by which GoGui interrupts.
fn is_interrupt(line: &Line) -> bool {
    let bytes = line.bytes().trim_ascii_start();
    bytes.starts_with(b"#") && {
        let visible: Vec<u8> = bytes.iter().copied().filter(|byte| !byte.is_ascii_control()).collect();
        visible.trim_ascii() == b"# interrupt"
    }
}

fn weight(line: &Line) -> usize {
    line.bytes().len() + BURDEN
}

/// What sets the flag that interrupts a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Listening {
    /// Nothing: no search runs.
    Off,
    /// Only the line `# interrupt`: a move is being chosen, and other lines wait.
    ForInterrupts,
    /// Every line and the end of the input: the search has no end of its own.
    ForAnything,
}

/// The lines of the controller, read by a thread of their own.
pub(crate) struct Input {
    shared: Arc<Shared>,
    /// There is no controller: no line and no end ever comes.
    is_absent: bool,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// A line or the end of the input has come.
    arrived: Condvar,
    /// There is room in the queue again, or nobody wants lines any more.
    has_room: Condvar,
    interrupt: AtomicBool,
}

#[derive(Debug)]
struct State {
    lines: VecDeque<Line>,
    weight: usize,
    /// The number of waiting lines that are `# interrupt`; counted, since the queue may be long.
    n_interrupts: usize,
    listening: Listening,
    /// The input has ended.
    is_over: bool,
    /// Nobody wants lines any more.
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

    /// Queues a line once there is room. Returns whether anybody still wants lines.
    fn push(&self, line: Line) -> bool {
        let mut state = self.state();
        while state.weight > FULL && !state.is_dropped {
            state = self.has_room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.weight += weight(&line);
        state.n_interrupts += usize::from(is_interrupt(&line));
        state.lines.push_back(line);
        self.announce(&state);
        !state.is_dropped
    }

    /// Notes that no more lines will come.
    fn end(&self) {
        let mut state = self.state();
        state.is_over = true;
        self.announce(&state);
    }

    fn announce(&self, state: &State) {
        self.look(state);
        self.arrived.notify_all();
    }

    /// Whether anybody still wants lines.
    fn is_wanted(&self) -> bool {
        !self.state().is_dropped
    }

    /// Sets the flag if a waiting line sets it. An `# interrupt` is meant for all commands
    /// before it, so it does not matter what else is waiting.
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
    /// Starts the thread that reads.
    pub(crate) fn start(reader: impl Read + Send + 'static) -> io::Result<Input> {
        let shared = Shared::new();
        let for_thread = Arc::clone(&shared);
        thread::Builder::new().name("gtp input".to_owned()).spawn(move || read(reader, &for_thread))?;
        Ok(Input { shared, is_absent: false })
    }

    /// An input without a controller: nothing interrupts.
    pub(crate) fn absent() -> Input {
        Input { shared: Shared::new(), is_absent: true }
    }

    /// Whether there is no controller.
    pub(crate) fn is_absent(&self) -> bool {
        self.is_absent
    }

    /// Waits for the next line; `None` at the end of the input.
    pub(crate) fn next(&self) -> Option<Line> {
        let mut state = self.await_any();
        let line = state.lines.pop_front()?;
        state.weight -= weight(&line);
        state.n_interrupts -= usize::from(is_interrupt(&line));
        if state.weight <= FULL {
            self.shared.has_room.notify_all();
        }
        Some(line)
    }

    /// Whether a line or the end of the input has come.
    pub(crate) fn is_waiting(&self) -> bool {
        let state = self.shared.state();
        !state.lines.is_empty() || state.is_over || self.is_absent
    }

    /// Waits for a line or the end of the input, without taking it.
    pub(crate) fn wait(&self) {
        drop(self.await_any());
    }

    fn await_any(&self) -> MutexGuard<'_, State> {
        let mut state = self.shared.state();
        while state.lines.is_empty() && !state.is_over && !self.is_absent {
            state = self.shared.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    /// Runs a search that checks the flag, and sets the flag when the search is to stop.
    pub(crate) fn while_listening<T>(&self, to: Listening, search: impl FnOnce(&AtomicBool) -> T) -> T {
        self.listen(to);
        let result = search(&self.shared.interrupt);
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

/// Reads to the end. An error ends the input too: what cannot be read is not answered.
fn read(reader: impl Read, shared: &Shared) {
    for line in Lines::new(BufReader::with_capacity(PIECE, reader)) {
        match line {
            Ok(line) => {
                if !shared.push(line) {
                    return;
                }
            }
            // Another program that shares the pipe has made it non-blocking.
            Err(error) if error.kind() == ErrorKind::WouldBlock && shared.is_wanted() => thread::sleep(PAUSE),
            Err(_) => break,
        }
    }
    shared.end();
}

#[cfg(test)]
mod tests {
    use tesuji_gtp::LONGEST_LINE;

    use super::*;

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
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
