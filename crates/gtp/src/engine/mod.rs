//! The answering half.
//!
//! [`serve`] reads commands and answers each of them once, in order, until it is told to
//! quit or nothing more comes. Which commands there are is in `docs/gtp_extensions.md`;
//! what they mean for a game is the [`Host`]'s matter. The host stays on the calling
//! thread; another one reads, so that a new line can interrupt a host that thinks.
//!
//! | what goes on | what interrupts it |
//! |---|---|
//! | a move is chosen | the line `# interrupt`, which GoGui sends |
//! | an analysis, or thinking while the other side does | any line, and the end of the input |

mod analysis;
mod arguments;
mod clock;
mod gfx;
mod gogui;
mod gomill;
mod host;
mod input;
mod parameters;
mod report;
mod session;
mod standard;
mod table;
mod thinking;
mod tournament;
mod vertices;

use std::io::{self, ErrorKind, Read, Write};

use arguments::Arguments;
pub use host::{Failure, Handicap, Host, Parameter, ParameterKind, Position, Status, Thinking, Watcher};
pub use input::LONGEST_LINE;
use input::{Input, Line, Listening};
use session::{Refusal, Reply, Session, Settings};
pub use tesuji_core::{Candidate, Purpose, Standing};

use crate::protocol::Request;

/// Why there is nothing more to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The controller said `quit`.
    Quit,
    /// Nothing more comes in.
    InputClosed,
    /// Nobody reads the answers any more.
    OutputClosed,
}

/// Answers for a host until the end, see [`Engine::serve`].
pub fn serve(
    host: &mut dyn Host,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
    errors: &mut dyn Write,
) -> io::Result<End> {
    Engine::new(host).serve(input, output, errors)
}

/// A host, and what the protocol remembers about the conversation.
pub struct Engine<'h> {
    host: &'h mut dyn Host,
    settings: Settings,
}

impl<'h> Engine<'h> {
    /// An engine at the beginning of a conversation.
    pub fn new(host: &'h mut dyn Host) -> Engine<'h> {
        Engine { host, settings: Settings::default() }
    }

    /// Answers every command of the input once, in order, and flushes each answer. While
    /// nothing is asked, the host may ponder. Graphics that were not asked for go to
    /// `errors`, and whether that can be written to does not matter.
    ///
    /// A controller that goes away is an [`End`] like others. An error is one of writing
    /// answers, other than that, or of starting the thread that reads. The thread ends with
    /// the input, which may be later than this returns.
    pub fn serve(
        &mut self,
        input: impl Read + Send + 'static,
        output: &mut dyn Write,
        errors: &mut dyn Write,
    ) -> io::Result<End> {
        let input = Input::start(input)?;
        loop {
            if !input.is_waiting() && self.host.wants_to_ponder() {
                input.while_listening(Listening::ForAnything, |interrupt| self.host.ponder(interrupt));
            }
            let Some(line) = input.next() else { return Ok(End::InputClosed) };
            match self.answer_line(&line, &input, output, errors) {
                Ok(Next::Another) => {}
                Ok(Next::Quit) => return Ok(End::Quit),
                Err(error) if is_closed(&error) => return Ok(End::OutputClosed),
                Err(error) => return Err(error),
            }
        }
    }

    /// The whole answer to one line, `None` where it holds no command. Nothing can
    /// interrupt it, so an analysis ends with its first report.
    ///
    /// What would go to standard error is dropped.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        let mut output = Vec::new();
        let line = Line::Whole(line.to_owned());
        // Writing to memory does not fail.
        let _ = self.answer_line(&line, &Input::absent(), &mut output, &mut io::sink());
        (!output.is_empty()).then(|| String::from_utf8_lossy(&output).into_owned())
    }

    fn answer_line(
        &mut self,
        line: &Line,
        input: &Input,
        output: &mut dyn Write,
        errors: &mut dyn Write,
    ) -> io::Result<Next> {
        let (Line::Whole(text) | Line::TooLong(text)) = line;
        let Some(Request { id, name, arguments }) = Request::parse(text) else { return Ok(Next::Another) };
        let (host, settings) = (&mut *self.host, &mut self.settings);
        let mut session = Session { host, settings, input, output, errors, id };
        let result = if matches!(line, Line::TooLong(_)) {
            Err(Failure::new(format!("syntax error: the line has more than {LONGEST_LINE} bytes")).into())
        } else {
            if name.starts_with(gogui::RULES) {
                session.settings.talks_to_gogui = true;
            }
            table::perform(&mut session, &name, &mut Arguments::new(&arguments))
        };
        let next = if matches!(result, Ok(Reply::Last(_))) { Next::Quit } else { Next::Another };
        match result {
            Ok(Reply::Text(text) | Reply::Last(text)) => session.respond(Ok(text))?,
            Ok(Reply::Streamed) => {
                session.output.write_all(b"\n")?;
                session.output.flush()?;
            }
            Err(Refusal::Failed(failure)) => session.respond(Err(failure.to_string()))?,
            Err(Refusal::Mute(error)) => return Err(error),
        }
        Ok(next)
    }
}

/// What comes after an answer.
enum Next {
    Another,
    Quit,
}

/// Whether an error only says that nobody reads any more.
fn is_closed(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted)
}
