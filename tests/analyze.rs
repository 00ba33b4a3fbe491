//! `tesuji analyze` as other programs use it: the real binary, lines in and lines out.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tesuji::core::{Rng, Seed};

/// A running `tesuji analyze`, and the lines it writes.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<(Instant, Value)>,
}

/// No answer takes so long, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(120);

impl Engine {
    fn start(workers: &str) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(["analyze", "-j", workers])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, answers) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines() {
                let answer = serde_json::from_str(&line.unwrap()).expect("every line is JSON");
                if sender.send((Instant::now(), answer)).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Engine { child, input, answers }
    }

    fn ask(&mut self, query: &Value) {
        self.send(query.to_string().as_bytes());
    }

    fn send(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
    }

    /// The next line, and when it came.
    fn next(&self) -> (Instant, Value) {
        self.answers.recv_timeout(PATIENCE).expect("an answer comes")
    }

    /// The next line of this id that is not about a search that goes on.
    fn last_of(&self, id: &Value) -> (Instant, Value) {
        loop {
            let (at, answer) = self.next();
            if answer["id"] == *id && answer["isDuringSearch"] != true {
                return (at, answer);
            }
        }
    }

    /// What is still to come after the end of the input.
    fn finish(mut self) -> Vec<Value> {
        drop(self.input.take());
        let rest = self.answers.iter().map(|(_, answer)| answer).collect();
        let output = self.child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        rest
    }
}

/// All answers to these lines, in the order in which they came.
fn answers(workers: &str, lines: Vec<Vec<u8>>) -> Vec<Value> {
    let mut engine = Engine::start(workers);
    // The lines are more than a pipe holds, and so are the answers: both go on at once.
    let mut input = engine.input.take().unwrap();
    let writer = std::thread::spawn(move || {
        for line in lines {
            input.write_all(&line).unwrap();
            input.write_all(b"\n").unwrap();
        }
    });
    let answers = engine.finish();
    writer.join().unwrap();
    answers
}

/// Small queries of all kinds of players.
fn queries(n: u64) -> Vec<Value> {
    let games = ["hex:4", "domineering:4", "go:5", "noataxx:4"];
    let players = ["rave", "sh+uct", "hybrid-shuss(t=64)", "uct+solver", "shot", "uct+trees(2)", "random"];
    let query = |id: u64| {
        json!({
            "id": id,
            "game": games[id as usize % games.len()],
            "player": players[id as usize % players.len()],
            "budget": 50 + id,
            "seed": id / 3,
            "threads": 1 + id % 2,
        })
    };
    (0..n).map(query).collect()
}

fn lines(queries: &[Value]) -> Vec<Vec<u8>> {
    queries.iter().map(|query| query.to_string().into_bytes()).collect()
}

/// The answers by their ids, without their times.
fn by_id(answers: Vec<Value>) -> BTreeMap<u64, Value> {
    let n_answers = answers.len();
    let timeless = |mut answer: Value| {
        assert!(answer["seconds"].take().is_number(), "{answer}");
        (answer["id"].as_u64().unwrap(), answer)
    };
    let by_id: BTreeMap<u64, Value> = answers.into_iter().map(timeless).collect();
    assert_eq!(by_id.len(), n_answers, "an id is answered twice");
    by_id
}

#[test]
fn queries_are_answered_once_each_and_the_same_on_any_number_of_workers() {
    let queries = queries(200);
    let one = by_id(answers("1", lines(&queries)));
    let two = by_id(answers("2", lines(&queries)));
    assert_eq!(one.len(), 200);
    assert_eq!(one, two);
    for (id, answer) in &one {
        let query = &queries[*id as usize];
        assert_eq!(answer["game"], query["game"], "{answer}");
        assert_eq!(answer["isDuringSearch"], false);
        let report = &answer["report"];
        assert!(report["move"].is_string() && report["chosen"] == 0, "{answer}");
        assert_eq!(report["arms"][0]["move"], report["move"]);
        assert_eq!(report["arms"][0]["line"][0], report["move"]);
    }
}

#[test]
fn an_answer_is_what_a_search_by_hand_finds() {
    let query = json!({"id": 1, "game": "hex:5", "player": "hybrid-shuss(t=64)", "budget": 700, "seed": 3,
                       "moves": ["a1", "c3"]});
    let answer = answers("2", lines(&[query])).remove(0);
    let args = ["search", "hex:5", "--player", "hybrid-shuss(t=64)", "--budget", "700", "--seed", "3"];
    let search = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(args)
        .args(["--moves", "a1 c3", "--json"])
        .output()
        .unwrap();
    let search: Value = serde_json::from_slice(&search.stdout).unwrap();
    // Everything that a search says is in the answer, but for the moves without samples.
    for (field, value) in search.as_object().unwrap() {
        if field != "seconds" && field != "report" {
            assert_eq!(answer[field], *value, "{field}");
        }
    }
    for (field, value) in search["report"].as_object().unwrap() {
        if field != "arms" && field != "chosen" {
            assert_eq!(answer["report"][field], *value, "{field}");
        }
    }
    let arms = search["report"]["arms"].as_array().unwrap();
    for listed in answer["report"]["arms"].as_array().unwrap() {
        let arm = arms.iter().find(|arm| arm["move"] == listed["move"]).unwrap();
        for (field, value) in arm.as_object().unwrap() {
            assert_eq!(listed[field], *value, "{field} of {listed}");
        }
    }
}

/// The best of five attempts: other processes may take the processor away.
#[test]
fn a_search_is_terminated_at_once() {
    let mut engine = Engine::start("1");
    let attempt = |attempt: u64| {
        let id = json!(format!("long {attempt}"));
        engine.ask(&json!({"id": id, "game": "go:9", "budget": "1h", "reportDuringSearchEvery": 0.02}));
        while engine.next().1["isDuringSearch"] != true {}
        // One that waits is terminated before the one that runs.
        engine.ask(&json!({"id": "waits", "game": "go:9", "budget": "1h"}));
        engine.ask(&json!({"id": "a", "action": "terminate", "terminateId": "waits"}));
        let (_, never_begun) = engine.last_of(&json!("waits"));
        let report = &never_begun["report"];
        assert_eq!(report["stop"]["reason"], "cancelled");
        assert_eq!((&report["visits"], &report["move"]), (&json!(0), &json!(null)));
        assert_eq!(engine.last_of(&json!("a")).1["terminated"], 1);
        let asked = Instant::now();
        engine.ask(&json!({"id": "b", "action": "terminate", "terminateId": id}));
        let mut ends = Vec::new();
        while ends.len() < 2 {
            let (at, answer) = engine.next();
            if answer["isDuringSearch"] != true {
                ends.push((at, answer));
            }
        }
        let (at, answer) = ends.into_iter().find(|(_, answer)| answer["id"] == id).unwrap();
        let report = &answer["report"];
        assert_eq!(report["stop"]["reason"], "cancelled");
        assert!(report["visits"].as_u64().unwrap() > 0 && report["move"].is_string());
        at.saturating_duration_since(asked)
    };
    let took = (0..5).map(attempt).min().unwrap();
    assert!(took < Duration::from_millis(50), "it took {took:?}");
    engine.ask(&json!({"id": "c", "action": "terminate", "terminateId": "nobody"}));
    engine.ask(&json!({"id": "d", "action": "terminate_all"}));
    let rest = engine.finish();
    assert_eq!(rest.iter().map(|answer| &answer["terminated"]).collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn progress_comes_at_about_its_interval_and_ends() {
    let attempt = |player: &str| {
        let mut engine = Engine::start("1");
        engine.ask(&json!({"id": 1, "game": "go:9", "player": player, "budget": "1s",
                           "reportDuringSearchEvery": 0.1, "top": 2}));
        let mut lines: Vec<Value> = engine.finish();
        let last = lines.pop().unwrap();
        let reason = &last["report"]["stop"]["reason"];
        assert_eq!((&last["isDuringSearch"], reason), (&json!(false), &json!("time")));
        let mut visits = 0;
        for line in &lines {
            assert_eq!(line["isDuringSearch"], true);
            let report = &line["report"];
            assert!(report["visits"].as_u64().unwrap() > visits, "{line}");
            visits = report["visits"].as_u64().unwrap();
            assert_eq!(report["arms"].as_array().unwrap().len(), 2);
            assert_eq!(report["arms"][0]["move"], report["move"]);
        }
        let times: Vec<f64> = lines.iter().map(|line| line["seconds"].as_f64().unwrap()).collect();
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] > 0.09), "{times:?}");
        lines.len()
    };
    for player in ["rave", "ucb(c=0.4)+uct"] {
        // Ten intervals, of which a busy machine may miss some in every attempt.
        let most = (0..5).map(|_| attempt(player)).max().unwrap();
        assert!((7..=10).contains(&most), "{most} lines of {player}");
    }
}

#[test]
fn the_same_id_is_refused_until_it_is_answered() {
    let mut engine = Engine::start("1");
    let long = json!({"id": 7, "game": "go:9", "budget": "1h"});
    engine.ask(&long);
    engine.ask(&long);
    let (_, refused) = engine.next();
    assert_eq!((&refused["id"], &refused["field"]), (&json!(7), &json!("id")));
    engine.ask(&json!({"id": 8, "action": "terminate_all"}));
    let ends = [engine.next().1, engine.next().1];
    let ended = ends.iter().find(|answer| answer["id"] == 7).unwrap();
    assert_eq!(ended["report"]["stop"]["reason"], "cancelled");
    engine.ask(&json!({"id": 7, "game": "hex:3", "budget": 10}));
    assert_eq!(engine.next().1["report"]["visits"], 10);
    assert!(engine.finish().is_empty());
}

/// Ctrl-C, and being told to end: what is known is told, and the program ends although its
/// input does not.
#[test]
#[cfg(unix)]
fn an_interrupt_answers_everything_and_ends() {
    for signal in ["-INT", "-TERM"] {
        let mut engine = Engine::start("1");
        for id in 0..5 {
            engine.ask(&json!({"id": id, "game": "go:9", "budget": "1h", "reportDuringSearchEvery": 0.05}));
        }
        engine.ask(&json!({"id": "last", "action": "query_version"}));
        while engine.next().1["isDuringSearch"] != true {}
        let child = engine.child.id().to_string();
        assert!(Command::new("kill").args([signal, &child]).status().unwrap().success());
        let is_cancelled = |answer: &Value| answer["report"]["stop"]["reason"] == "cancelled";
        let ends = engine.answers.iter().filter(|(_, answer)| is_cancelled(answer)).count();
        assert_eq!(ends, 5, "{signal}");
        assert_eq!(engine.child.wait().unwrap().code(), Some(130), "{signal}");
    }
}

#[test]
fn a_closed_output_ends_it_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["analyze", "-j", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // Its input stays open: only what it cannot write tells it.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"{\"id\":1,\"game\":\"go:9\",\"budget\":\"1h\"}\n{\"id\":2}\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    drop(input);
}

/// A line made from a good one by changing, doubling or losing some of it.
fn mutated(rng: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    const PIECES: [&str; 24] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "null",
        "true",
        "-1",
        "1e999",
        "1.5",
        "\"id\"",
        "\"moves\"",
        "\"budget\"",
        "\"player\"",
        "\"a1\"",
        "\"terminate\"",
        "\\u0000",
        "\u{7f}",
        "é",
        " ",
        "99999999999999999999",
    ];
    let pick = |rng: &mut Rng, n: usize| rng.below(n as u32) as usize;
    let mut line = seeds[pick(rng, seeds.len())].clone();
    for _ in 0..pick(rng, 4) {
        let (at, end) = (pick(rng, line.len() + 1), pick(rng, line.len() + 1));
        let (at, end) = (at.min(end), at.max(end));
        match pick(rng, 5) {
            0 => drop(line.drain(at..end)),
            1 => drop(line.splice(at..at, PIECES[pick(rng, PIECES.len())].bytes())),
            2 => drop(line.splice(at..end.min(at + 3), PIECES[pick(rng, PIECES.len())].bytes())),
            3 if at < line.len() => line[at] = pick(rng, 256) as u8,
            _ => {
                let part = line[at..end].to_vec();
                drop(line.splice(end..end, part));
            }
        }
    }
    // Budgets that a change made large would keep the test waiting, and so would many threads.
    line.retain(|&byte| byte != b'\n');
    line
}

/// Whether a line could ask for a search that takes long.
fn is_slow(line: &[u8]) -> bool {
    let Ok(query) = serde_json::from_slice::<Value>(line) else { return false };
    let is_small = |field: &str, most: u64| query[field].as_u64().is_some_and(|number| number <= most);
    let asks = query.get("action").is_none() && query["game"].is_string();
    asks && !(is_small("budget", 100) && (query["threads"].is_null() || is_small("threads", 4)))
}

#[test]
fn ten_thousand_mutated_lines_get_one_answer_each() {
    let seeds: Vec<Vec<u8>> = [
        r#"{"id":1,"game":"hex:3","budget":9}"#,
        r#"{"id":"two","game":"domineering:3","moves":["a1-a2"],"player":"sh+uct","budget":20,"seed":3,"top":2}"#,
        r#"{"id":3,"game":"go:4","moves":"a1 b2","budget":7,"reportDuringSearchEvery":0.5}"#,
        r#"{"id":4,"game":"phantom-go:3","player":"flat(sh)","budget":12,"threads":2,"position":null}"#,
        r#"{"id":5,"action":"terminate","terminateId":1}"#,
        r#"{"id":6,"action":"terminate_all"}"#,
        r#"{"id":7,"action":"query_version"}"#,
    ]
    .map(|line| line.as_bytes().to_vec())
    .to_vec();
    let mut rng = Seed::new(1).child("mutated lines").rng();
    let mut lines = Vec::new();
    while lines.len() < 10_000 {
        let line = mutated(&mut rng, &seeds);
        let is_empty = std::str::from_utf8(&line).is_ok_and(|text| text.trim().is_empty());
        if !is_empty && !is_slow(&line) {
            lines.push(line);
        }
    }
    let answers = answers("2", lines);
    let finals = answers.iter().filter(|answer| answer["isDuringSearch"] != true);
    assert_eq!(finals.count(), 10_000);
    let errors = answers.iter().filter(|answer| answer.get("error").is_some()).count();
    // Mutation leaves some alone and breaks most.
    assert!((2_000..9_000).contains(&errors), "{errors} errors");
    let broke_down =
        |answer: &&Value| answer["error"].as_str().is_some_and(|error| error.contains("broke down"));
    assert_eq!(answers.iter().find(broke_down), None);
}
