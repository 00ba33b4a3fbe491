//! A million lines, good, spoilt and random, through the whole loop.

use std::io::{self, Cursor};

use tesuji_core::{Rng, Seed};
use tesuji_engine::End;
use tesuji_gtp::protocol::{Request, ResponseReader};

use crate::{commands, engine};

const N_LINES: usize = 1_000_000;
/// The number of lines that go through one loop, so that the answers fit into memory.
const N_AT_ONCE: usize = 50_000;

/// Words that commands are made of, and some that they are not.
const WORDS: &[&str] = &[
    "b",
    "w",
    "black",
    "White",
    "q",
    "a1",
    "B2",
    "c3",
    "j1",
    "I1",
    "a1-b2",
    "pass",
    "resign",
    "swap",
    "swap-pieces",
    "0",
    "1",
    "2",
    "3",
    "9 1",
    "100",
    "-1",
    "0.5",
    "1e30",
    "nan",
    "99999999999",
    "true",
    "false",
    "on",
    "off",
    "interval",
    "minmoves",
    "maxmoves",
    "ownership",
    "rootInfo",
    "pvVisits",
    "avoid",
    "alive",
    "dead",
    "seki",
    "dame",
    "none",
    "absolute",
    "canadian",
    "byoyomi",
    "columns",
    "live-gfx",
    "gogui",
    "auto",
    "ponder",
    "seed",
    "resign",
    "game",
    "hex:2",
    "go:2",
    "domineering:2",
    "genmove",
    "/",
    "not-there.sgf",
    "é",
    "#",
    "=",
    "?",
    "\u{fffd}",
];

fn pick<'a>(rng: &mut Rng, words: &[&'a str]) -> &'a str {
    words[rng.below(words.len() as u32) as usize]
}

/// A line without its end.
fn line(rng: &mut Rng, commands: &[&str]) -> Vec<u8> {
    let mut line = Vec::new();
    let kind = rng.below(20);
    if kind == 0 {
        let length = rng.below(40);
        line.extend((0..length).map(|_| rng.below(256) as u8));
    } else if kind == 1 {
        line.extend(pick(rng, &["", " ", "# interrupt", "# a comment", "17", "\t", "\r"]).bytes());
    } else {
        if rng.below(2) == 0 {
            line.extend(format!("{} ", rng.below(u32::MAX)).bytes());
        }
        line.extend(pick(rng, commands).bytes());
        for _ in 0..rng.below(5) {
            line.push(b' ');
            line.extend(pick(rng, WORDS).bytes());
        }
    }
    if kind > 14 {
        for _ in 0..=rng.below(3) {
            let place = rng.below(line.len() as u32 + 1) as usize;
            match rng.below(3) {
                0 => line.insert(place, rng.below(256) as u8),
                1 if place < line.len() => line[place] = rng.below(256) as u8,
                _ => line.truncate(place),
            }
        }
    }
    line.retain(|&byte| byte != b'\n');
    line
}

#[test]
fn a_million_lines() {
    // A player without samples on a tiny board: the lines count here, not the moves.
    let mut engine = engine("hex:2(swap=on)", "random");
    let listed = commands();
    let commands: Vec<&str> = listed.iter().map(String::as_str).collect();
    let mut rng = Seed::new(20).rng();
    let mut n_answers = [0, 0];
    for _ in 0..N_LINES / N_AT_ONCE {
        let (mut input, mut wanted) = (Vec::new(), Vec::new());
        while wanted.len() < N_AT_ONCE {
            let line = line(&mut rng, &commands);
            let request = Request::parse(&String::from_utf8_lossy(&line));
            // It would end the loop.
            if request.as_ref().is_some_and(|request| request.name == "quit") {
                continue;
            }
            wanted.push(request.map(|request| request.id));
            input.extend(line);
            input.push(b'\n');
        }
        let mut output = Vec::new();
        let end = engine.serve(Cursor::new(input), &mut output, &mut io::sink());
        assert_eq!(end.unwrap(), End::InputClosed);

        // The reader moves what it has not read yet, so it is given a little at a time.
        let (mut reader, mut pieces) = (ResponseReader::default(), output.chunks(1 << 9));
        for id in wanted.into_iter().flatten() {
            let response = loop {
                if let Some(response) = reader.next_response().unwrap() {
                    break response;
                }
                reader.push(pieces.next().expect("an answer is missing"));
            };
            assert_eq!(response.id, id);
            n_answers[usize::from(response.result.is_ok())] += 1;
        }
        assert!(pieces.next().is_none() && reader.next_response() == Ok(None));
    }
    // Both kinds are worth something only if there are many of them.
    assert!(n_answers.iter().all(|&count| count > N_LINES / 5), "{n_answers:?}");
}
