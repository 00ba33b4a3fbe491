//! The process of an external engine: three threads that carry bytes, and an end that
//! is certain.
//!
//! Nothing here may wait without a limit. A read or a write on a pipe can block, so each
//! pipe has a thread of its own that does nothing else; the controller waits for
//! them with a deadline. Memory is bounded too: output passes through a short queue, and
//! only the tail of standard error is kept. The threads are not joined: they end with
//! their pipes, and a process that escaped may hold one open.
//!
//! On Unix an engine leads a process group, and the whole group is killed: an engine is
//! often a shell script, and its real program would survive the script.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::EngineCommand;

/// The most bytes in one piece of output.
const PIECE: usize = 8 << 10;
/// The length of the queue of pieces. While it is full, the engine has to wait.
const PIECES: usize = 16;
/// How many bytes of standard error are kept.
const TAIL: usize = 8 << 10;
/// How long we wait for the end of a killed process. The system needs microseconds,
/// unless the process is stuck in a device.
const BURIAL: Duration = Duration::from_secs(2);

/// What the engine does, in order.
#[derive(Debug)]
pub(super) enum Event {
    /// It wrote to standard output.
    Output(Vec<u8>),
    /// It closed its output.
    OutputClosed,
    /// It closed its input.
    InputClosed,
}

/// The process of an engine. Dropping it kills the process.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Whether the group has been killed. Its number may belong to another group since.
    is_over: bool,
    input: Option<Sender<Vec<u8>>>,
    events: Receiver<Event>,
    tail: Arc<Tail>,
}

impl Process {
    /// Starts the program, with three pipes.
    pub(super) fn start(command: &EngineCommand) -> io::Result<Process> {
        let mut builder = Command::new(&command.program);
        builder.args(&command.arguments);
        builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut builder, 0);
        let mut child = builder.spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());

        let (event_sender, events) = sync_channel(PIECES);
        let (input, lines) = channel();
        let tail = Arc::new(Tail::default());
        // Made before the threads: should one not start, the process is killed on the way out.
        let process = Process { child, is_over: false, input: Some(input), events, tail: Arc::clone(&tail) };
        if let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) {
            let sender = event_sender.clone();
            spawn("input", move || carry_input(stdin, &lines, &sender))?;
            spawn("output", move || carry_output(stdout, &event_sender))?;
            spawn("errors", move || tail.fill(stderr))?;
        }
        Ok(process)
    }

    /// The process id.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Queues bytes for the input of the engine, without waiting until it reads them.
    pub(super) fn write(&self, bytes: Vec<u8>) {
        // Where the thread has ended, it has told so by an event.
        let _ = self.input.as_ref().map(|input| input.send(bytes));
    }

    /// Closes the input of the engine.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// What the engine does next; `None` if it does nothing within the limit.
    pub(super) fn event(&self, limit: Duration) -> Option<Event> {
        match self.events.recv_timeout(limit) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            // The threads have ended and what they said of it has been taken already.
            Err(RecvTimeoutError::Disconnected) => Some(Event::OutputClosed),
        }
    }

    /// The exit status, if the process ends by itself within the limit.
    pub(super) fn ended_within(&mut self, limit: Duration) -> Option<ExitStatus> {
        let begun = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            // An error says that there is no such child: then there is no status either.
            if let Some(status) = self.child.try_wait().ok()? {
                return Some(status);
            }
            let left = limit.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return None;
            }
            thread::sleep(pause.min(left));
            pause = (2 * pause).min(Duration::from_millis(20));
        }
    }

    /// Kills the process and its group.
    pub(super) fn kill(&mut self) {
        if self.is_over {
            return;
        }
        self.is_over = true;
        #[cfg(unix)]
        kill_group(self.child.id());
        // Fails where it has ended already.
        let _ = self.child.kill();
        self.ended_within(BURIAL);
    }

    /// The tail of what it wrote to standard error.
    pub(super) fn errors(&self) -> String {
        self.tail.text()
    }

    /// The tail of the standard error of a process that has ended. Waits up to the limit until
    /// all of it has arrived.
    pub(super) fn last_errors(&self, limit: Duration) -> String {
        self.tail.wait(limit);
        self.tail.text()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills a process group. The standard library cannot, but every Unix has a shell that
/// can; the program `kill` is missing from small systems.
#[cfg(unix)]
fn kill_group(leader: u32) {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", r#"kill -s KILL -- "-$1""#, "sh", &leader.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Fails where nobody of the group is left.
    let _ = command.status();
}

fn spawn(what: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(format!("engine {what}")).spawn(work).map(drop)
}

fn carry_input(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>, events: &SyncSender<Event>) {
    while let Ok(line) = lines.recv() {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            let _ = events.send(Event::InputClosed);
            return;
        }
    }
}

fn carry_output(mut stdout: impl Read, events: &SyncSender<Event>) {
    while let Some(bytes) = read_piece(&mut stdout) {
        // Nobody listens any more, so nobody minds.
        if events.send(Event::Output(bytes)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::OutputClosed);
}

/// The next bytes; `None` at the end of the stream.
fn read_piece(source: &mut impl Read) -> Option<Vec<u8>> {
    let mut bytes = vec![0; PIECE];
    loop {
        match source.read(&mut bytes) {
            Ok(0) => return None,
            Ok(length) => {
                bytes.truncate(length);
                return Some(bytes);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

/// The last bytes of a stream that another thread reads.
#[derive(Debug, Default)]
struct Tail {
    state: Mutex<TailState>,
    closed: Condvar,
}

#[derive(Debug, Default)]
struct TailState {
    bytes: Vec<u8>,
    is_closed: bool,
}

impl Tail {
    fn lock(&self) -> MutexGuard<'_, TailState> {
        // Bytes are good whatever happened to a thread that held them.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fill(&self, mut source: impl Read) {
        while let Some(bytes) = read_piece(&mut source) {
            let mut state = self.lock();
            state.bytes.extend(bytes);
            let surplus = state.bytes.len().saturating_sub(TAIL);
            state.bytes.drain(..surplus);
        }
        self.lock().is_closed = true;
        self.closed.notify_all();
    }

    fn wait(&self, limit: Duration) {
        let state = self.lock();
        drop(self.closed.wait_timeout_while(state, limit, |state| !state.is_closed));
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.lock().bytes).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tail_is_kept() {
        let tail = Tail::default();
        tail.fill(&[&vec![b'a'; 100_000][..], &vec![b'b'; TAIL - 1]].concat()[..]);
        tail.wait(Duration::ZERO);
        assert_eq!(tail.text(), "a".to_owned() + &"b".repeat(TAIL - 1));
    }
}
