//! Analysis with real searches: the documented format, and an end at once.

use std::time::{Duration, Instant};

use tesuji::catalog::GameSpec;

use crate::Engine;

/// A move in a report of `lz-analyze`, read by the documented form.
struct Info {
    mv: String,
    visits: u64,
    winrate: u64,
    lcb: u64,
    order: usize,
    line: Vec<String>,
}

fn read(line: &str) -> Vec<Info> {
    let mut infos = Vec::new();
    for part in line.split("info ").filter(|part| !part.is_empty()) {
        let (numbers, line) = part.split_once(" pv ").expect("every move has a line");
        let words: Vec<&str> = numbers.split(' ').collect();
        let value = |key: &str| {
            let place = words.iter().position(|word| *word == key).unwrap_or_else(|| panic!("{key}: {part}"));
            words[place + 1]
        };
        let number = |key: &str| value(key).parse::<u64>().unwrap();
        infos.push(Info {
            mv: value("move").to_owned(),
            visits: number("visits"),
            winrate: number("winrate"),
            lcb: number("lcb"),
            order: number("order") as usize,
            line: line.split_whitespace().map(str::to_owned).collect(),
        });
        assert!(number("prior") <= 10_000);
    }
    infos
}

#[test]
fn reports_come_in_time_and_can_be_read() {
    let spec: GameSpec = "go:9".parse().unwrap();
    for player in ["rave", "uct+trees(2)", "sh+rave@3000000"] {
        let mut engine = Engine::start(&["--game", "go:9", "--player", player, "--threads", "2"]);
        engine.told("play b e5");
        engine.write("7 lz-analyze w 10\n");
        assert_eq!(engine.line(), "=7");
        for _ in 0..3 {
            let infos = read(&engine.line());
            assert!(!infos.is_empty());
            for (order, info) in infos.iter().enumerate() {
                assert_eq!(info.order, order);
                assert!(info.visits > 0 && info.lcb <= info.winrate && info.winrate <= 10_000);
                // The line can be played, and begins with the move.
                assert_eq!(info.line[0], info.mv);
                let mut game = spec.start().unwrap();
                game.play("e5").unwrap();
                info.line.iter().for_each(|mv| drop(game.play(mv).unwrap()));
            }
        }
        engine.write("name\n");
        while !engine.line().is_empty() {}
        assert_eq!(engine.answer(), ["= tesuji"]);
    }
}

/// The best of a few attempts: other processes may take the processor away.
fn best_of_five(mut attempt: impl FnMut() -> Duration) -> Duration {
    (0..5).map(|_| attempt()).min().unwrap()
}

/// Fails if none of a few attempts takes less than this time: other processes may take the processor
/// away, but not always.
fn assert_within(limit: Duration, mut attempt: impl FnMut() -> Duration) {
    let times: Vec<Duration> = (0..5).map(|_| attempt()).take_while(|time| *time >= limit).collect();
    assert!(times.len() < 5, "{times:?}, and never {limit:?}");
}

#[test]
fn an_analysis_ends_at_once() {
    for (game, player) in
        [("go:9", "rave"), ("go:19", "rave"), ("go:19", "sh+rave@10000000"), ("hex:11", "uct")]
    {
        let mut engine = Engine::start(&["--game", game, "--player", player]);
        let took = best_of_five(|| {
            engine.write("lz-analyze b 5\n");
            assert_eq!(engine.line(), "=");
            std::thread::sleep(Duration::from_millis(200));
            let sent = Instant::now();
            engine.write("\n");
            while !engine.line().is_empty() {}
            sent.elapsed()
        });
        assert!(took < Duration::from_millis(50), "{game}, {player}: {took:?}");
    }
}

#[test]
fn a_move_can_be_interrupted() {
    let mut engine = Engine::start(&["--game", "go:9", "--player", "rave@5m"]);
    let took = best_of_five(|| {
        engine.write("genmove b\n");
        std::thread::sleep(Duration::from_millis(100));
        let sent = Instant::now();
        engine.write("# interrupt\n");
        let answer = engine.answer();
        let took = sent.elapsed();
        assert!(answer[0].starts_with("= "), "{answer:?}");
        engine.told("undo");
        took
    });
    assert!(took < Duration::from_millis(50), "{took:?}");
}

#[test]
fn who_ponders_is_there_at_once() {
    let mut engine = Engine::start(&["--game", "go:9", "--player", "rave+reuse@200", "--ponder"]);
    let pause = || std::thread::sleep(Duration::from_millis(100));
    let first = engine.told("genmove b");
    pause();
    let free = if first.eq_ignore_ascii_case("c3") { "d3" } else { "c3" };
    for command in [&format!("play w {free}"), "genmove b", "name"] {
        let text = engine.told(command);
        assert!(text != "resign", "{command}");
        pause();
    }
}

/// A clock is kept, whether the controller tells the time or not.
#[test]
fn clocks_are_kept() {
    for commands in
        [&["time_settings 1 0 0"][..], &["time_settings 0 2 10"], &["kgs-time_settings byoyomi 0 1 3"]]
    {
        // Five moves of each side: one second for all, a fifth of a second for each, or one for each.
        let most = if commands[0].starts_with("kgs") { 10.0 } else { 2.0 };
        assert_within(Duration::from_secs_f64(most + 1.0), || {
            let mut engine = Engine::start(&["--game", "go:9", "--threads", "1"]);
            commands.iter().for_each(|command| drop(engine.told(command)));
            let begun = Instant::now();
            for ply in 0..10 {
                let side = ["b", "w"][ply % 2];
                engine.told(&format!("genmove {side}"));
            }
            begun.elapsed()
        });
    }
    let mut engine = Engine::start(&["--game", "go:9", "--threads", "1"]);
    assert_within(Duration::from_millis(600), || {
        engine.told("clear_board");
        engine.told("time_settings 600 0 0");
        engine.told("time_left b 1 0");
        let begun = Instant::now();
        engine.told("genmove b");
        begun.elapsed()
    });
}
