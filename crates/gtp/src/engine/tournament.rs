//! Handicaps, scores and game records: the specification's subsets for tournaments and
//! for regression tests.

use std::fs::File;
use std::io::{self, ErrorKind, Read};

use tesuji_core::shortened;

use super::arguments::{Arguments, syntax_error, whole_number};
use super::session::{Refusal, Reply, Session, in_the_words_of};
use super::table::Command;
use super::{Failure, Handicap, Status};

/// The longest game record that is read, in bytes.
const LONGEST_RECORD: u64 = 4 << 20;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("fixed_handicap", |session, arguments| place(session, arguments, Handicap::Fixed)),
    Command::new("place_free_handicap", |session, arguments| place(session, arguments, Handicap::Free)),
    Command::new("set_free_handicap", set_free_handicap),
    Command::new("final_score", final_score),
    Command::new("final_status_list", final_status_list),
    Command::new("loadsgf", loadsgf),
];

/// The specification's words on handicaps; the first where the host has none.
const HANDICAP: &[&str] =
    &["invalid handicap", "invalid number of stones", "board not empty", "bad vertex list"];

fn place(session: &mut Session<'_>, arguments: &mut Arguments<'_>, kind: Handicap) -> Result<Reply, Refusal> {
    let stones = arguments.whole_number("a number of stones")?;
    let points = session.host.place_handicap(stones, kind);
    let points = points.map_err(|failure| in_the_words_of(HANDICAP, &failure))?;
    Reply::text(session.vertices().written_all(&points))
}

fn set_free_handicap(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let vertices = session.vertices();
    let points: Result<Vec<String>, Failure> =
        arguments.rest().iter().map(|word| vertices.read(word)).collect();
    let points = points?;
    if points.is_empty() {
        return Err(syntax_error("the points are missing").into());
    }
    session.host.set_handicap(&points).map_err(|failure| in_the_words_of(HANDICAP, &failure))?;
    Reply::empty()
}

fn final_score(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let score = session.host.final_score();
    Reply::text(score.map_err(|failure| in_the_words_of(&["cannot score"], &failure))?)
}

fn final_status_list(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let status = match arguments.word("a status")? {
        "alive" => Status::Alive,
        "dead" => Status::Dead,
        "seki" => Status::Seki,
        "white_territory" => Status::WhiteTerritory,
        "black_territory" => Status::BlackTerritory,
        "dame" => Status::Dame,
        word => {
            let word = shortened(word);
            let problem = format!(
                "a status is alive, dead, seki, white_territory, black_territory or dame, not '{word}'"
            );
            return Err(syntax_error(problem).into());
        }
    };
    let chains = session.host.final_status(status)?;
    let vertices = session.vertices();
    let lines: Vec<String> = chains.iter().map(|chain| vertices.written_all(chain)).collect();
    Reply::text(lines.join("\n"))
}

/// A file's name may have blanks in it, so the move's number is the last of several words.
fn loadsgf(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let words = arguments.rest();
    let (name, before) = match words {
        [] => return Err(syntax_error("a file is missing").into()),
        [name @ .., last] if !name.is_empty() => match whole_number(last) {
            Some(number) => (name, Some(number)),
            None => (words, None),
        },
        _ => (words, None),
    };
    let cannot_load = |problem: String| Failure::new(format!("cannot load file: {problem}"));
    let sgf = read_record(&name.join(" ")).map_err(cannot_load)?;
    let side = session.host.load(&sgf, before);
    let side = side.map_err(|failure| in_the_words_of(&["cannot load file"], &failure))?;
    Reply::text(side.to_string().to_lowercase())
}

/// A file's text, or what is wrong with it. What is no plain file is not opened: a pipe
/// would be waited for, a device would not end.
fn read_record(name: &str) -> Result<String, String> {
    let in_words = |error: io::Error| match error.kind() {
        ErrorKind::NotFound => format!("there is no file '{}'", shortened(name)),
        _ => format!("'{}': {error}", shortened(name)),
    };
    let too_long = || format!("'{}' has more than {} MiB", shortened(name), LONGEST_RECORD >> 20);
    let metadata = std::fs::metadata(name).map_err(in_words)?;
    if !metadata.is_file() {
        return Err(format!("'{}' is not a file", shortened(name)));
    }
    if metadata.len() > LONGEST_RECORD {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    // It may have grown since.
    let file = File::open(name).map_err(in_words)?;
    file.take(LONGEST_RECORD + 1).read_to_end(&mut bytes).map_err(in_words)?;
    if bytes.len() as u64 > LONGEST_RECORD {
        return Err(too_long());
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
