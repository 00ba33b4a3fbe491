//! Handicaps, scores and game records: the specification's commands for tournaments and
//! for regression tests.

use std::fs::File;
use std::io::{self, ErrorKind, Read};

use tesuji_core::{Side, file_problem, shortened};
use tesuji_session::SessionError;

use crate::arguments::{Arguments, syntax_error, whole_number};
use crate::exchange::{Exchange, Failure, Refusal, Reply, in_words_of_the_specification};
use crate::table::Command;

/// The longest game record that is read, in bytes.
const LONGEST_RECORD: u64 = 4 << 20;

pub(crate) const COMMANDS: &[Command] = &[
    Command::new("fixed_handicap", |exchange, arguments| {
        let stones = arguments.whole_number("a number of stones")?;
        let points = exchange.session.place_handicap(stones).map_err(invalid_handicap)?;
        Reply::text(exchange.vertices().written_all(&points))
    }),
    Command::new("place_free_handicap", |exchange, arguments| {
        let stones = arguments.whole_number("a number of stones")?;
        let points = exchange.session.place_free_handicap(stones).map_err(invalid_handicap)?;
        Reply::text(exchange.vertices().written_all(&points))
    }),
    Command::new("set_free_handicap", set_free_handicap),
    Command::new("final_score", |exchange, _| {
        let score = exchange.session.final_score();
        Reply::text(score.map_err(|error| in_words_of_the_specification(&["cannot score"], &error))?)
    }),
    Command::new("final_status_list", final_status_list),
    Command::new("loadsgf", loadsgf),
];

/// A failure to place handicap stones, in the words of the specification.
fn invalid_handicap(error: SessionError) -> Failure {
    let phrases = ["invalid handicap", "invalid number of stones", "board not empty", "bad vertex list"];
    in_words_of_the_specification(&phrases, &error)
}

fn set_free_handicap(exchange: &mut Exchange<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let vertices = exchange.vertices();
    let points = arguments.rest().iter().map(|word| vertices.read(word));
    let points = points.collect::<Result<Vec<String>, Failure>>()?;
    if points.is_empty() {
        return Err(syntax_error("the points are missing").into());
    }
    exchange.session.set_handicap(&points).map_err(invalid_handicap)?;
    Reply::empty()
}

fn final_status_list(exchange: &mut Exchange<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let word = arguments.word("a status")?;
    if !["alive", "dead", "seki", "white_territory", "black_territory", "dame"].contains(&word) {
        let word = shortened(word);
        return Err(syntax_error(format!(
            "a status is alive, dead, seki, white_territory, black_territory or dame, not '{word}'"
        ))
        .into());
    }
    let status = exchange.session.status()?;
    let chains = match word {
        "alive" => status.alive,
        "dead" => status.dead,
        "white_territory" => status.territory[Side::White.index()].clone(),
        "black_territory" => status.territory[Side::Black.index()].clone(),
        "dame" => status.dame,
        // Playouts do not recognise seki.
        _ => Vec::new(),
    };
    let vertices = exchange.vertices();
    let cell_name = |&cell: &usize| exchange.session.cell_name(cell);
    let line = |chain: &Vec<usize>| vertices.written_all(chain.iter().map(cell_name));
    Reply::text(chains.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// The name of a file may contain blanks, so the number of the move is the last of several
/// words.
fn loadsgf(exchange: &mut Exchange<'_>, arguments: &mut Arguments<'_>) -> Result<Reply, Refusal> {
    let words = arguments.rest();
    let (name, before) = match words {
        [] => return Err(syntax_error("a file is missing").into()),
        [name @ .., last] if !name.is_empty() => match whole_number(last) {
            Some(number) => (name, Some(number)),
            None => (words, None),
        },
        _ => (words, None),
    };
    let cannot_load =
        |error: &dyn std::fmt::Display| in_words_of_the_specification(&["cannot load file"], error);
    let sgf = read_record(&name.join(" ")).map_err(|failure| cannot_load(&failure))?;
    exchange.session.load(&sgf, before).map_err(|error| cannot_load(&error))?;
    Reply::text(exchange.session.position().to_move().to_string().to_lowercase())
}

/// The text of a file. Only plain files are opened: a pipe would block, and a device may
/// not end.
fn read_record(name: &str) -> Result<String, Failure> {
    let in_words = |error: io::Error| match error.kind() {
        ErrorKind::NotFound => Failure::new(format!("there is no file '{}'", shortened(name))),
        _ => Failure::new(format!("'{}': {}", shortened(name), file_problem(&error))),
    };
    let too_long =
        || Failure::new(format!("'{}' has more than {} MiB", shortened(name), LONGEST_RECORD >> 20));
    let metadata = std::fs::metadata(name).map_err(in_words)?;
    if !metadata.is_file() {
        return Err(Failure::new(format!("'{}' is not a file", shortened(name))));
    }
    if metadata.len() > LONGEST_RECORD {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    // The file may have grown since.
    let file = File::open(name).map_err(in_words)?;
    file.take(LONGEST_RECORD + 1).read_to_end(&mut bytes).map_err(in_words)?;
    if bytes.len() as u64 > LONGEST_RECORD {
        return Err(too_long());
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
