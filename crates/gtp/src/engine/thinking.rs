//! Moves chosen, and who listens while they are.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_core::{Round, Side};

use super::arguments::Arguments;
use super::input::Listening;
use super::report::Form;
use super::session::{Refusal, Reply, Session};
use super::table::Command;
use super::vertices::Vertices;
use super::{Purpose, Standing, Thinking, Watcher, gfx};
use crate::Answer;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("genmove", |session, arguments| choose(session, arguments, Purpose::Play)),
    Command::new("reg_genmove", |session, arguments| choose(session, arguments, Purpose::Regression)),
    Command::new("kgs-genmove_cleanup", |session, arguments| choose(session, arguments, Purpose::CleanUp)),
];

fn choose(
    session: &mut Session<'_>,
    arguments: &mut Arguments<'_>,
    purpose: Purpose,
) -> Result<Reply, Refusal> {
    let side = arguments.side()?;
    let vertices = session.vertices();
    let live_graphics = session.settings.live_graphics;
    let Session { host, input, output, errors, .. } = session;
    let answer = input.while_listening(Listening::ForInterrupts, |interrupt| {
        let out = Out { output: &mut **output, errors: &mut **errors };
        let mut observer = Observer::new(out, vertices, live_graphics, interrupt);
        host.choose(side, Thinking { purpose, every: None }, &mut observer, interrupt)
    });
    Reply::text(written(&answer?, vertices))
}

/// An answer for the wire.
pub(super) fn written(answer: &Answer, vertices: Vertices) -> String {
    match answer {
        Answer::Move(mv) => vertices.written(mv),
        Answer::Pass | Answer::Resign => answer.to_string(),
    }
}

/// What turns Black's point of view into that of a side: 1 for Black, -1 for White.
pub(super) fn sign(side: Side) -> f64 {
    match side {
        Side::Black => 1.0,
        Side::White => -1.0,
    }
}

/// The two ways out.
pub(super) struct Out<'o> {
    pub(super) output: &'o mut dyn Write,
    pub(super) errors: &'o mut dyn Write,
}

/// Tells the controller what the host thinks, as far as it wants to know.
pub(super) struct Observer<'o> {
    out: Out<'o>,
    vertices: Vertices,
    live_graphics: bool,
    interrupt: &'o AtomicBool,
    /// How reports are written, where some are wanted.
    reports: Option<Reports>,
    /// Why the controller cannot be told any more.
    error: Option<io::Error>,
}

/// What becomes of reports.
pub(super) struct Reports {
    /// How they look.
    pub(super) form: Form,
    /// What stands before the first, where it has not been written yet.
    pub(super) head: Option<String>,
    /// When they are written.
    pub(super) when: When,
    /// The last that has been held back.
    pub(super) latest: Option<String>,
}

/// When reports are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum When {
    /// As they come.
    AtOnce,
    /// As they come, and the first is enough: nobody is there to interrupt.
    Once,
    /// Only the last, when all is over.
    AtTheEnd,
}

impl<'o> Observer<'o> {
    pub(super) fn new(
        out: Out<'o>,
        vertices: Vertices,
        live_graphics: bool,
        interrupt: &'o AtomicBool,
    ) -> Observer<'o> {
        Observer { out, vertices, live_graphics, interrupt, reports: None, error: None }
    }

    /// Writes reports too.
    pub(super) fn with_reports(self, reports: Reports) -> Observer<'o> {
        Observer { reports: Some(reports), ..self }
    }

    /// Writes what has been held back. Gives back the head, where it is still unwritten,
    /// or why nothing could be written.
    pub(super) fn finish(mut self) -> io::Result<Option<String>> {
        let latest = self.reports.as_mut().and_then(|reports| reports.latest.take());
        if let Some(line) = latest {
            self.write(&line);
        }
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.reports.and_then(|reports| reports.head)),
        }
    }

    fn write(&mut self, line: &str) {
        if self.error.is_some() {
            return;
        }
        let head = self.reports.as_mut().and_then(|reports| reports.head.take()).unwrap_or_default();
        let output = &mut self.out.output;
        if let Err(error) = writeln!(output, "{head}{line}").and_then(|()| output.flush()) {
            self.error = Some(error);
            // Nobody will see the rest.
            self.interrupt.store(true, Ordering::SeqCst);
        }
    }
}

impl Watcher for Observer<'_> {
    fn round(&mut self, index: usize, round: &Round, moves: &[String]) {
        if self.live_graphics {
            let text = gfx::round(index, round, moves, self.vertices);
            // Who does not look at pictures gets the moves nevertheless.
            let _ = write!(self.out.errors, "gogui-gfx:\n{text}\n\n");
            let _ = self.out.errors.flush();
        }
    }

    fn standing(&mut self, standing: &Standing) {
        let Some(reports) = &mut self.reports else { return };
        let Some(line) = reports.form.line(standing, self.vertices) else { return };
        match reports.when {
            When::AtTheEnd => reports.latest = Some(line),
            When::AtOnce => self.write(&line),
            When::Once => {
                self.write(&line);
                self.interrupt.store(true, Ordering::SeqCst);
            }
        }
    }
}
