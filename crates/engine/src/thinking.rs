//! Choosing a move, and what the controller sees of a search meanwhile.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_search::{Event, RootMoves, Standing};
use tesuji_session::{Choice, Purpose, Study, Thinking};

use crate::arguments::Arguments;
use crate::exchange::{Exchange, Refusal, Reply};
use crate::gfx;
use crate::input::Listening;
use crate::report::Form;
use crate::table::Command;
use crate::vertices::Vertices;

pub(crate) const COMMANDS: &[Command] = &[
    Command::new("genmove", |exchange, arguments| choose(exchange, arguments, Purpose::Play)),
    Command::new("reg_genmove", |exchange, arguments| choose(exchange, arguments, Purpose::Regression)),
    Command::new("kgs-genmove_cleanup", |exchange, arguments| choose(exchange, arguments, Purpose::CleanUp)),
];

fn choose(
    exchange: &mut Exchange<'_>,
    arguments: &mut Arguments<'_>,
    purpose: Purpose,
) -> Result<Reply, Refusal> {
    let side = arguments.side()?;
    let vertices = exchange.vertices();
    let input = exchange.input;
    let choice = input.while_listening(Listening::ForInterrupts, |interrupt| {
        let (session, mut observer) = exchange.observed(interrupt, None);
        let thinking =
            Thinking { purpose, every: None, moves: RootMoves::All, study: Study::Once, cancel: interrupt };
        session.choose(side, &thinking, &mut |event, moves| observer.see(event, moves))
    });
    Reply::text(written(&choice?, vertices))
}

/// A choice as it is written to the controller.
pub(crate) fn written(choice: &Choice, vertices: Vertices) -> String {
    match choice {
        Choice::Move(mv) => vertices.written(mv),
        Choice::Resign => "resign".to_owned(),
    }
}

/// Writes what a search reports: graphics of its rounds to standard error, and reports of its
/// moves to the controller.
pub(crate) struct Observer<'o> {
    output: &'o mut dyn Write,
    errors: &'o mut dyn Write,
    vertices: Vertices,
    draws_rounds: bool,
    /// Ends the search.
    interrupt: &'o AtomicBool,
    reports: Option<Reports>,
    /// The error that stopped the writing of reports.
    error: Option<io::Error>,
}

/// How reports of moves look and when they are written.
pub(crate) struct Reports {
    /// How a report looks.
    form: Form,
    /// The first line of the answer, if it is still to be written before the first report.
    head: Option<String>,
    /// When reports are written.
    when: When,
    /// The latest report, if it is held back.
    latest: Option<String>,
    /// The last report that was written.
    written: Option<WrittenReport>,
}

/// A report that was written.
struct WrittenReport {
    line: String,
    at: Instant,
}

/// When reports are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// At most one in this time; those between are held back.
    Every(Duration),
    /// Only the first, which ends the search: there is no controller to interrupt it.
    Once,
    /// Only the last, after the search.
    AtTheEnd,
}

impl Reports {
    /// Reports of an answer whose first line is `head`, if it is still to be written.
    pub(crate) fn new(form: Form, when: When, head: Option<String>) -> Reports {
        Reports { form, head, when, latest: None, written: None }
    }

    /// Whether a report may be written now.
    fn is_due(&self, interval: Duration) -> bool {
        self.written.as_ref().is_none_or(|written| written.at.elapsed() >= interval)
    }

    /// Whether this is what the last report said: the end of a halving's last round is the end
    /// of the search too.
    fn is_written(&self, line: &str) -> bool {
        self.written.as_ref().is_some_and(|written| written.line == line)
    }
}

impl<'e> Exchange<'e> {
    /// The session, and an observer of its next search.
    pub(crate) fn observed<'o>(
        &'o mut self,
        interrupt: &'o AtomicBool,
        reports: Option<Reports>,
    ) -> (&'o mut tesuji_session::Session, Observer<'o>) {
        let vertices = self.vertices();
        let Exchange { session, output, errors, protocol, .. } = self;
        let observer = Observer {
            output: &mut **output,
            errors: &mut **errors,
            vertices,
            draws_rounds: protocol.live_graphics,
            interrupt,
            reports,
            error: None,
        };
        (session, observer)
    }
}

impl Observer<'_> {
    /// Writes the report that has been held back, if any. Returns the head of the answer if
    /// it is still unwritten, or the error that stopped the writing.
    pub(crate) fn finish(mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.reports.as_mut().and_then(|reports| reports.latest.take()) {
            self.write(line);
        }
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.reports.and_then(|reports| reports.head)),
        }
    }

    /// Like [`finish`](Observer::finish), if another command has ended the analysis: it wants
    /// no more reports, unless there was none yet.
    pub(crate) fn finish_interrupted(mut self) -> io::Result<Option<String>> {
        if let Some(reports) = &mut self.reports
            && reports.written.is_some()
        {
            reports.latest = None;
        }
        self.finish()
    }

    fn write(&mut self, line: String) {
        let Some(reports) = self.reports.as_mut().filter(|_| self.error.is_none()) else { return };
        let head = reports.head.take().unwrap_or_default();
        let output = &mut self.output;
        if let Err(error) = writeln!(output, "{head}{line}").and_then(|()| output.flush()) {
            self.error = Some(error);
            // Nobody will see the rest.
            self.interrupt.store(true, Ordering::SeqCst);
        }
        reports.latest = None;
        reports.written = Some(WrittenReport { line, at: Instant::now() });
    }

    /// Reports an event of the search whose arms are `moves`.
    pub(crate) fn see(&mut self, event: Event<'_>, moves: &[String]) {
        if let (Event::Round { index, round }, true) = (event, self.draws_rounds) {
            let text = gfx::round(index, round, moves, self.vertices);
            // A failure to draw is no reason to answer nothing.
            let _ = write!(self.errors, "gogui-gfx:\n{text}\n\n");
            let _ = self.errors.flush();
        }
        let Some(reports) = &mut self.reports else { return };
        let Some(standing) = Standing::at(event, moves) else { return };
        let Some(line) = reports.form.line(&standing, self.vertices) else { return };
        match reports.when {
            When::Every(_) if reports.is_written(&line) => reports.latest = None,
            When::Every(interval) if reports.is_due(interval) => self.write(line),
            When::Every(_) | When::AtTheEnd => reports.latest = Some(line),
            When::Once => {
                self.write(line);
                self.reports = None;
                self.interrupt.store(true, Ordering::SeqCst);
            }
        }
    }
}
