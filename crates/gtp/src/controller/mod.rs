//! The controller of an external engine: one command at a time, each with a deadline.
//!
//! Every command has an id and its answer must repeat it, so that an engine that
//! answers once too often is detected at once. An error after which the engine cannot
//! be used (a crash, silence, nonsense) ends the process and is remembered.

mod process;
mod time;

use std::collections::BTreeSet;
use std::io;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_core::{Side, file_problem, shortened};

use crate::protocol::{Answer, Request, Response, ResponseReader};
use crate::{EngineCommand, EngineError};
use process::{Event, Process};

/// How long an engine that closed a pipe may take to end by itself. Its own exit status
/// is then reported, and not that of being killed.
const LAST_BREATH: Duration = Duration::from_millis(500);
/// How often a wait that can be cancelled checks for it.
const GLANCE: Duration = Duration::from_millis(50);
/// How long an engine may take to answer `quit`, and then to end.
const FAREWELL: Duration = Duration::from_secs(1);

/// How long an engine may take to answer before it counts as hung.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// For the first answer, before which some engines load much. Default: 30 seconds.
    pub start: Duration,
    /// For a command that does not search. Default: 10 seconds.
    pub command: Duration,
    /// For a move. Default: 300 seconds.
    pub genmove: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            start: Duration::from_secs(30),
            command: Duration::from_secs(10),
            genmove: Duration::from_secs(300),
        }
    }
}

/// A running external engine.
///
/// Dropping it kills the process, and on Unix its whole process group;
/// [`quit`](Controller::quit) asks the engine to end first. If our own process is
/// killed, the engine finds its input closed, which ends every engine that does not
/// hang. An interrupt from the terminal does not reach the engine, since it is in
/// another process group.
#[derive(Debug)]
pub struct Controller {
    process: Process,
    reader: ResponseReader,
    timeouts: Timeouts,
    name: String,
    version: String,
    /// The id of the latest command.
    id: u32,
    /// The commands that the engine knows, once it was asked; `Some(None)` if it does not say.
    commands: Option<Option<BTreeSet<String>>>,
    /// Whether byo-yomi was described as periods of one move each, since the engine knows no
    /// other.
    counts_moves: bool,
    /// Whether the engine has closed its input.
    is_deaf: bool,
    /// The error that ended the process.
    fate: Option<EngineError>,
}

impl Controller {
    /// Starts the program and asks for its name and version. An engine that does not know
    /// its name is called after its program.
    pub fn start(command: &EngineCommand, timeouts: Timeouts) -> Result<Controller, EngineError> {
        let program = command.short_name();
        let process = Process::start(command).map_err(|error| EngineError::NotStarted {
            engine: program.to_owned(),
            reason: match error.kind() {
                io::ErrorKind::NotFound => "there is no such program".to_owned(),
                _ => file_problem(&error),
            },
        })?;
        let mut controller = Controller {
            process,
            reader: ResponseReader::default(),
            timeouts,
            name: program.to_owned(),
            version: String::new(),
            id: 0,
            commands: None,
            counts_moves: false,
            is_deaf: false,
            fate: None,
        };
        if let Some(name) = unless_refused(controller.send_within("name", timeouts.start))?
            && !name.trim().is_empty()
        {
            controller.name = shortened(name.trim());
        }
        if let Some(version) = unless_refused(controller.send("version"))? {
            controller.version = shortened(version.trim());
        }
        Ok(controller)
    }

    /// The name that the engine reports, such as `GNU Go`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version that the engine reports, such as `3.8`; empty if it reports none.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The process id of the engine.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Sends one command, `name arguments`, and returns the text of the answer, which must
    /// come within the timeout for commands.
    pub fn send(&mut self, line: &str) -> Result<String, EngineError> {
        self.send_within(line, self.timeouts.command)
    }

    /// Sends one command, `name arguments`, and returns the text of the answer, which must
    /// come within `limit`.
    pub fn send_within(&mut self, line: &str, limit: Duration) -> Result<String, EngineError> {
        self.ask(line, limit, None)
    }

    fn ask(
        &mut self,
        line: &str,
        limit: Duration,
        cancel: Option<&AtomicBool>,
    ) -> Result<String, EngineError> {
        if let Some(fate) = &self.fate {
            return Err(fate.clone());
        }
        let refused = |engine: &str, command: &str, reason: &str| EngineError::Refused {
            engine: engine.to_owned(),
            command: command.to_owned(),
            reason: reason.to_owned(),
        };
        let Some(mut request) = Request::parse(line) else {
            return Err(refused(&self.name, line, "there is no command in it"));
        };
        request.id = None;
        let command = request.to_string();
        self.id = self.id.wrapping_add(1);
        request.id = Some(self.id);
        self.process.write(format!("{request}\n").into_bytes());
        let response = self.response(&command, limit, cancel)?;
        if response.id != Some(self.id) {
            let given = response.id.map_or("no id".to_owned(), |id| format!("id {id}"));
            let problem = format!("it has {given} where {} is due", self.id);
            return Err(self.garbage(&command, problem, shortened(response.to_string().trim_end())));
        }
        response.result.map_err(|reason| refused(&self.name, &command, &reason))
    }

    /// Whether the engine knows a command. The engine is asked once for the list of its
    /// commands or, if it has no list, for each command.
    pub fn knows(&mut self, command: &str) -> Result<bool, EngineError> {
        if self.commands.is_none() {
            let list = unless_refused(self.send("list_commands"))?;
            let words = |list: String| list.split_whitespace().map(str::to_owned).collect();
            self.commands = Some(list.map(words));
        }
        if let Some(Some(commands)) = &self.commands {
            return Ok(commands.contains(command));
        }
        let known = unless_refused(self.send(&format!("known_command {command}")))?;
        Ok(known.is_some_and(|known| known.trim() == "true"))
    }

    /// Begins a game on an empty board: `boardsize`, `clear_board`, and `komi` if it is
    /// given. An engine that does not know `komi` may refuse it.
    pub fn new_game(&mut self, size: usize, komi: Option<f64>) -> Result<(), EngineError> {
        self.send(&format!("boardsize {size}"))?;
        self.send("clear_board")?;
        if let Some(komi) = komi
            && let Err(error) = self.send(&format!("komi {komi}"))
        {
            // An engine that knows komi and refuses this one would play another game.
            if !matches!(error, EngineError::Refused { .. }) || self.knows("komi")? {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Sends a move, which may be `pass`. The engine refuses a move that it thinks illegal.
    pub fn play(&mut self, side: Side, mv: &str) -> Result<(), EngineError> {
        self.send(&format!("play {} {mv}", side.letter())).map(drop)
    }

    /// Asks the engine to move, within the timeout for moves.
    pub fn genmove(&mut self, side: Side) -> Result<Answer, EngineError> {
        self.genmove_unless(side, None)
    }

    /// Asks the engine to move, within the timeout for moves. Soon after another thread has set
    /// `cancel`, the process is ended.
    pub fn genmove_unless(&mut self, side: Side, cancel: Option<&AtomicBool>) -> Result<Answer, EngineError> {
        self.genmove_within(side, self.timeouts.genmove, cancel)
    }

    /// Asks the engine to move within `limit`. Soon after another thread has set `cancel`, the
    /// process is ended.
    pub fn genmove_within(
        &mut self,
        side: Side,
        limit: Duration,
        cancel: Option<&AtomicBool>,
    ) -> Result<Answer, EngineError> {
        let command = format!("genmove {}", side.letter());
        let text = self.ask(&command, limit, cancel)?;
        Answer::parse(&text)
            .ok_or_else(|| self.garbage(&command, "it is not one move".to_owned(), shortened(&text)))
    }

    /// The score of the position as the engine writes it: `B+3.5`, `W+0.5`, `0`. `None` if it
    /// does not know the command or refuses it.
    pub fn final_score(&mut self) -> Result<Option<String>, EngineError> {
        if !self.knows("final_score")? {
            return Ok(None);
        }
        let score = unless_refused(self.send("final_score"))?;
        Ok(score.map(|score| shortened(score.trim())))
    }

    /// Whether the process has ended, so that every command fails.
    pub fn has_ended(&self) -> bool {
        self.fate.is_some()
    }

    /// The last 8 kB or so of the standard error of the engine.
    pub fn stderr(&self) -> String {
        self.process.errors()
    }

    /// Asks the engine to end, waits up to two seconds, and kills what is left.
    pub fn quit(mut self) {
        // Whatever it answers, this is the last command.
        let _ = self.send_within("quit", FAREWELL);
        self.process.close_input();
        self.process.ended_within(FAREWELL);
    }

    /// The next answer, whatever its id.
    fn response(
        &mut self,
        command: &str,
        limit: Duration,
        cancel: Option<&AtomicBool>,
    ) -> Result<Response, EngineError> {
        let begun = Instant::now();
        let mut allowed = if self.is_deaf { limit.min(LAST_BREATH) } else { limit };
        loop {
            match self.reader.next_response() {
                Ok(Some(response)) => return Ok(response),
                Ok(None) => {}
                Err(wrong) => return Err(self.garbage(command, wrong.problem.to_owned(), wrong.excerpt)),
            }
            // An engine that floods us with blank lines uses up its time too.
            let left = allowed.saturating_sub(begun.elapsed());
            let patience = if cancel.is_some() { left.min(GLANCE) } else { left };
            let event = if left.is_zero() { None } else { self.process.event(patience) };
            match event {
                _ if cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) => {
                    self.process.kill();
                    let (engine, command) = (self.name.clone(), command.to_owned());
                    return Err(self.remember(EngineError::Cancelled { engine, command }));
                }
                None if left > patience => {}
                Some(Event::Output(bytes)) => self.reader.push(&bytes),
                Some(Event::OutputClosed) => return Err(self.crashed(command, "it closed its output")),
                Some(Event::InputClosed) => {
                    // Earlier output may still arrive, and may explain more.
                    self.is_deaf = true;
                    allowed = allowed.min(begun.elapsed() + LAST_BREATH);
                }
                None if self.is_deaf => return Err(self.crashed(command, "it closed its input")),
                None => return Err(self.hung(command, limit)),
            }
        }
    }

    /// The error of an engine that has closed a pipe, most often by ending.
    fn crashed(&mut self, command: &str, otherwise: &str) -> EngineError {
        let status = self.process.ended_within(LAST_BREATH);
        self.process.kill();
        let errors = self.process.last_errors(LAST_BREATH);
        let last_line = errors.lines().rev().find(|line| !line.trim().is_empty());
        self.remember(EngineError::Crashed {
            engine: self.name.clone(),
            command: command.to_owned(),
            ending: status.map_or(otherwise.to_owned(), in_words),
            last_line: last_line.unwrap_or_default().to_owned(),
        })
    }

    fn hung(&mut self, command: &str, limit: Duration) -> EngineError {
        self.process.kill();
        self.remember(EngineError::Hung { engine: self.name.clone(), command: command.to_owned(), limit })
    }

    fn garbage(&mut self, command: &str, problem: String, excerpt: String) -> EngineError {
        self.process.kill();
        let (engine, command) = (self.name.clone(), command.to_owned());
        self.remember(EngineError::Garbage { engine, command, problem, excerpt })
    }

    fn remember(&mut self, error: EngineError) -> EngineError {
        self.fate = Some(error.clone());
        error
    }
}

/// The answer of the engine; `None` if it refused the command.
fn unless_refused(result: Result<String, EngineError>) -> Result<Option<String>, EngineError> {
    match result {
        Ok(text) => Ok(Some(text)),
        Err(EngineError::Refused { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// How a process ended, as the end of a sentence.
fn in_words(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("it ended with exit code {code}"),
        // Only signals leave no exit code.
        None => format!("it was ended from outside ({status})"),
    }
}
