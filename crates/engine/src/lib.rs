//! A GTP engine: answers the Go Text Protocol with a [`Session`].
//!
//! [`Engine::serve`] reads commands and answers each of them once, in order, until it is told
//! to quit or the input ends. `docs/gtp_extensions.md` lists the commands. The session stays
//! on the calling thread; another thread reads, so that a new line can interrupt a search.
//!
//! | what goes on | what interrupts it |
//! |---|---|
//! | a move is chosen | the line `# interrupt`, which GoGui sends |
//! | an analysis, or thinking while the other side does | any line, and the end of the input |
//!
//! ```
//! use tesuji_engine::Engine;
//! use tesuji_session::{Session, Settings};
//!
//! let game = "hex:3".parse()?;
//! let settings = Settings { player: "uct@50".parse()?, ..Settings::usual(&game, 1) };
//! let mut engine = Engine::new(Session::new(game, settings)?);
//! assert_eq!(engine.answer("play b b2"), Some("= \n\n".to_owned()));
//! assert_eq!(engine.answer("7 play w b2").unwrap().split(':').next(), Some("?7 illegal move"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod arguments;
mod clock;
mod exchange;
mod gfx;
mod gogui;
mod gomill;
mod input;
mod parameters;
mod report;
mod standard;
mod steering;
mod table;
mod thinking;
mod tournament;
mod vertices;

use std::io::{self, ErrorKind, Read, Write};

use cpu_time::ProcessTime;
use tesuji_gtp::protocol::Request;
use tesuji_gtp::{LONGEST_LINE, Line};
use tesuji_session::Session;

use arguments::{Arguments, syntax_error};
use exchange::{Exchange, ProtocolSettings, Refusal, Reply};
use input::{Input, Listening};

/// Why an engine has stopped answering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The controller said `quit`.
    Quit,
    /// The input has ended.
    InputClosed,
    /// Nobody reads the answers any more.
    OutputClosed,
}

/// A session that answers the protocol, and what it remembers about the controller.
pub struct Engine {
    session: Session,
    protocol: ProtocolSettings,
    /// When the engine was made, on the clock of the CPU time.
    started: ProcessTime,
}

impl Engine {
    /// An engine at the beginning of a conversation, which plays the game of `session`.
    pub fn new(session: Session) -> Engine {
        Engine { session, protocol: ProtocolSettings::default(), started: ProcessTime::now() }
    }

    /// Answers every command of the input once, in order, and flushes each answer. While
    /// nothing is asked, the player may ponder. Graphics that were not asked for go to
    /// `errors`; failures to write them are ignored.
    ///
    /// A controller that goes away is an [`End`] like others. An error is any other failure to
    /// write answers, or to start the thread that reads. The thread ends with the input, which
    /// may be later than this returns.
    pub fn serve(
        &mut self,
        input: impl Read + Send + 'static,
        output: &mut dyn Write,
        errors: &mut dyn Write,
    ) -> io::Result<End> {
        let input = Input::start(input)?;
        loop {
            if !input.is_waiting() && self.session.wants_to_ponder() {
                input.while_listening(Listening::ForAnything, |interrupt| self.session.ponder(interrupt));
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

    /// The whole answer to one line; `None` if the line holds no command. Nothing can
    /// interrupt it, so an analysis ends with its first report.
    ///
    /// Graphics that would go to standard error are dropped.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        let mut output = Vec::new();
        let line = Line::Whole(line.as_bytes().to_vec());
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
        let Some(request) = Request::parse(&String::from_utf8_lossy(line.bytes())) else {
            return Ok(Next::Another);
        };
        let Request { id, name, arguments } = request;
        let Engine { session, protocol, started } = self;
        let mut exchange = Exchange { session, protocol, started: *started, input, output, errors, id };
        let result = match line {
            Line::TooLong(_) => {
                Err(syntax_error(format!("the line has more than {LONGEST_LINE} bytes")).into())
            }
            Line::Whole(_) => {
                exchange.protocol.talks_to_gogui |= name.starts_with(gogui::RULES);
                table::perform(&mut exchange, &name, &mut Arguments::new(&arguments))
            }
        };
        let next = if matches!(result, Ok(Reply::Last)) { Next::Quit } else { Next::Another };
        match result {
            Ok(Reply::Text(text)) => exchange.respond(Ok(text))?,
            Ok(Reply::Last) => exchange.respond(Ok(String::new()))?,
            Ok(Reply::Streamed) => {
                exchange.output.write_all(b"\n")?;
                exchange.output.flush()?;
            }
            Err(Refusal::Failed(failure)) => exchange.respond(Err(failure.to_string()))?,
            Err(Refusal::Unwritten(error)) => return Err(error),
        }
        Ok(next)
    }
}

/// What follows an answer.
enum Next {
    Another,
    Quit,
}

/// Whether an error means that nobody reads any more.
fn is_closed(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted)
}
