//! Whatever comes in, the engine answers each command once, and goes on.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use tesuji::core::{Rng, Seed};
use tesuji_gtp::protocol::{Request, ResponseReader};

const WORDS: &[&str] = &[
    "b",
    "w",
    "black",
    "a1",
    "B2",
    "c3",
    "pass",
    "swap",
    "i1",
    "t19",
    "0",
    "1",
    "3",
    "5",
    "-1",
    "1e9",
    "nan",
    "true",
    "interval",
    "ownership",
    "minmoves",
    "player",
    "rave@20",
    "random",
    "game",
    "hex:3",
    "go:3",
    "domineering:3",
    "phantom-go:3",
    "budget",
    "10",
    "clock",
    "alive",
    "dead",
    "canadian",
    "byoyomi",
    "é",
    "#",
];

fn line(rng: &mut Rng, commands: &[&str]) -> Vec<u8> {
    let mut line = Vec::new();
    if rng.below(2) == 0 {
        line.extend(format!("{} ", rng.below(u32::MAX)).bytes());
    }
    line.extend(rng.choose(commands).unwrap().bytes());
    for _ in 0..rng.below(5) {
        line.push(b' ');
        line.extend(rng.choose(WORDS).unwrap().bytes());
    }
    if rng.below(10) == 0 {
        let place = rng.below(line.len() as u32) as usize;
        line[place] = rng.below(256) as u8;
    }
    line.retain(|&byte| byte != b'\n');
    line
}

#[test]
fn many_random_commands_are_answered() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["gtp", "--game", "go:3", "--player", "rave@20", "--seed", "1", "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let commands = "play genmove reg_genmove undo gg-undo clear_board boardsize komi showboard final_score \
                    final_status_list fixed_handicap set_free_handicap time_settings time_left loadsgf \
                    kgs-time_settings kgs-genmove_cleanup gogui-rules_board gogui-rules_legal_moves \
                    gogui-play_sequence gomill-explain_last_move gomill-describe_engine tesuji-rounds \
                    tesuji-gfx_rounds tesuji-ownership tesuji-param kata-set-param kata-get-params name \
                    lz-genmove_analyze lz-analyze kata-analyze nonsense";
    let commands: Vec<&str> = commands.split_whitespace().collect();
    let mut rng = Seed::new(3).rng();
    let lines: Vec<Vec<u8>> = (0..4000).map(|_| line(&mut rng, &commands)).collect();
    // What would make it think for long is none of this test's matter.
    let is_quick = |line: &&Vec<u8>| {
        let text = String::from_utf8_lossy(line);
        !["threads", "player", "budget"].iter().any(|word| text.contains(word)) || text.contains("rave@20")
    };
    let lines: Vec<Vec<u8>> = lines.iter().filter(is_quick).cloned().collect();
    let wanted: Vec<Option<u32>> = lines
        .iter()
        .filter_map(|line| Request::parse(&String::from_utf8_lossy(line)))
        .map(|request| request.id)
        .collect();
    let writing = std::thread::spawn(move || {
        lines.iter().for_each(|line| input.write_all(&[&line[..], b"\n"].concat()).unwrap());
    });
    let mut answers = Vec::new();
    output.read_to_end(&mut answers).unwrap();
    writing.join().unwrap();
    assert!(child.wait().unwrap().success());
    let mut reader = ResponseReader::default();
    reader.push(&answers);
    let mut given = Vec::new();
    while let Some(response) = reader.next_response().unwrap() {
        given.push(response.id);
    }
    assert_eq!(given, wanted);
}
