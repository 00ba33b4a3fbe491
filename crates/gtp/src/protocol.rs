//! The text of the protocol: commands, answers, and where an answer ends.
//!
//! A command is a line, `[id] name [arguments]`. An answer is `=[id] text` or
//! `?[id] text`, perhaps of several lines, and ends with an empty line (sections
//! 2.5 to 2.8 of the specification). Control characters are ignored in both, and a
//! tab is a blank (section 3.1). `#` begins a comment in commands only: an answer may
//! contain the sign, for instance on a board.

use std::fmt;

use tesuji_core::shortened;
use thiserror::Error;

/// The most bytes of one answer. A longer one is an error.
pub const LONGEST_ANSWER: usize = 1 << 20;

/// A command with its arguments.
///
/// ```
/// use tesuji_gtp::protocol::Request;
/// let request = Request::parse("7 play b\tE5 # in the middle").unwrap();
/// assert_eq!((request.id, request.name.as_str()), (Some(7), "play"));
/// assert_eq!(request.arguments, ["b", "E5"]);
/// assert_eq!(request.to_string(), "7 play b E5");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The number that the answer repeats.
    pub id: Option<u32>,
    /// The name of the command.
    pub name: String,
    /// The words after the name.
    pub arguments: Vec<String>,
}

impl Request {
    /// Reads a line, without its comment; `None` if it holds no command. A line
    /// break within it counts as a blank, so that one text is never two commands.
    pub fn parse(line: &str) -> Option<Request> {
        let lines = line.lines().map(|line| line.split('#').next().unwrap_or_default());
        let text: String = lines.flat_map(|line| [line, " "]).collect();
        let text: String = text.chars().filter_map(clean).collect();
        let mut words = text.split_ascii_whitespace().peekable();
        let id = words.peek().and_then(|word| number(word));
        if id.is_some() {
            words.next();
        }
        let name = words.next()?.to_owned();
        Some(Request { id, name, arguments: words.map(str::to_owned).collect() })
    }
}

/// Writes the command without the end of the line.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id} ")?;
        }
        f.write_str(&self.name)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}

/// An answer: the text of a success or of a failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Response {
    /// The number of the command, if it had one.
    pub id: Option<u32>,
    /// The text after `=` (success) or `?` (failure), without blanks at its end.
    pub result: Result<String, String>,
}

/// Writes the whole answer, with the empty line at its end. An empty line of the text
/// would end the answer early, so it is written as a blank.
impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (head, text) = match &self.result {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        write!(f, "{head}")?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        for (number, line) in text.trim_end().split('\n').enumerate() {
            let line: String = line.chars().filter_map(clean).collect();
            let gap = if number == 0 || line.is_empty() { " " } else { "" };
            writeln!(f, "{gap}{line}")?;
        }
        f.write_str("\n")
    }
}

/// Why a text is no answer.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{problem}: '{excerpt}'")]
pub struct Malformed {
    /// What is wrong, in words.
    pub problem: &'static str,
    /// The beginning of the text, in printable characters.
    pub excerpt: String,
}

impl Malformed {
    fn new(problem: &'static str, bytes: &[u8]) -> Malformed {
        Malformed { problem, excerpt: shortened(String::from_utf8_lossy(bytes).trim_end()) }
    }
}

/// Cuts a stream of bytes, which comes in pieces of any size, into answers.
///
/// ```
/// use tesuji_gtp::protocol::ResponseReader;
/// let mut reader = ResponseReader::default();
/// reader.push(b"=1 GNU");
/// assert_eq!(reader.next_response(), Ok(None));
/// reader.push(b" Go\r\n\r\n=2");
/// let response = reader.next_response()?.unwrap();
/// assert_eq!((response.id, response.result), (Some(1), Ok("GNU Go".to_owned())));
/// # Ok::<(), tesuji_gtp::protocol::Malformed>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ResponseReader {
    /// The bytes that have not been returned yet, beginning with the first line of an answer.
    buffer: Vec<u8>,
    /// The index of the beginning of the line that has no end yet.
    line: usize,
    /// The index up to which that line has been searched for its end.
    searched: usize,
}

impl ResponseReader {
    /// Adds the next piece of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next answer; `None` if it has no end yet. Blank lines before it are skipped; any
    /// other line that begins no answer is an error, and is dropped.
    pub fn next_response(&mut self) -> Result<Option<Response>, Malformed> {
        while let Some(length) = self.buffer[self.searched..].iter().position(|&byte| byte == b'\n') {
            let end = self.searched + length;
            let line = cleaned(&self.buffer[self.line..end]);
            let is_first = self.line == 0;
            (self.line, self.searched) = (end + 1, end + 1);
            if is_first && line.iter().all(|&byte| byte == b' ') {
                self.take();
            } else if is_first && !matches!(line[0], b'=' | b'?') {
                return Err(Malformed::new("it begins with neither = nor ?", &self.take()));
            } else if line.is_empty() {
                return parse(&self.take()).map(Some);
            }
        }
        self.searched = self.buffer.len();
        if self.buffer.len() > LONGEST_ANSWER {
            self.line = self.searched;
            return Err(Malformed::new("it does not end", &self.take()));
        }
        Ok(None)
    }

    /// Removes the whole lines.
    fn take(&mut self) -> Vec<u8> {
        let rest = self.buffer.split_off(self.line);
        (self.line, self.searched) = (0, 0);
        std::mem::replace(&mut self.buffer, rest)
    }
}

/// Reads one answer, which begins with `=` or `?`.
fn parse(bytes: &[u8]) -> Result<Response, Malformed> {
    let text = String::from_utf8(cleaned(bytes))
        .map_err(|error| Malformed::new("it is not UTF-8", error.as_bytes()))?;
    let wrong_id = || Malformed::new("its id is no number", bytes);
    let (head, rest) = text.split_at(1);
    let digits = rest.len() - rest.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let (id, rest) = rest.split_at(digits);
    if !(rest.is_empty() || rest.starts_with([' ', '\n'])) {
        return Err(wrong_id());
    }
    let id = if id.is_empty() { None } else { Some(number(id).ok_or_else(wrong_id)?) };
    let text = rest.trim_start_matches(' ').trim_end().to_owned();
    Ok(Response { id, result: if head == "=" { Ok(text) } else { Err(text) } })
}

/// The answer of an engine to `genmove`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// A move, as the engine writes it: `E5`.
    Move(String),
    /// It passes.
    Pass,
    /// It resigns.
    Resign,
}

impl Answer {
    /// Reads the answer to `genmove`; `None` if it is empty or has several lines.
    ///
    /// ```
    /// use tesuji_gtp::Answer;
    /// assert_eq!(Answer::parse("PASS"), Some(Answer::Pass));
    /// assert_eq!(Answer::parse(" e5 "), Some(Answer::Move("e5".to_owned())));
    /// assert_eq!(Answer::parse(""), None);
    /// ```
    pub fn parse(text: &str) -> Option<Answer> {
        let text = text.trim();
        if text.is_empty() || text.contains('\n') {
            None
        } else if text.eq_ignore_ascii_case("pass") {
            Some(Answer::Pass)
        } else if text.eq_ignore_ascii_case("resign") {
            Some(Answer::Resign)
        } else {
            Some(Answer::Move(text.to_owned()))
        }
    }
}

/// Writes the answer as an engine does.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Answer::Move(text) => text,
            Answer::Pass => "pass",
            Answer::Resign => "resign",
        })
    }
}

/// An id; unlike `parse`, it accepts no sign.
fn number(word: &str) -> Option<u32> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?
}

/// A character as the protocol reads it; `None` for a control character.
fn clean(character: char) -> Option<char> {
    match character {
        '\t' => Some(' '),
        '\n' => Some('\n'),
        other => (!other.is_ascii_control()).then_some(other),
    }
}

/// Bytes, which need not be text yet, without control characters and with blanks for tabs.
fn cleaned(bytes: &[u8]) -> Vec<u8> {
    let clean = |&byte: &u8| if byte.is_ascii() { clean(byte.into()).map(|_| byte) } else { Some(byte) };
    bytes.iter().filter_map(clean).map(|byte| if byte == b'\t' { b' ' } else { byte }).collect()
}

#[cfg(test)]
mod tests;
