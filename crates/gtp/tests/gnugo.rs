//! A real engine: GNU Go 3.8, Debian's package `gnugo`.

use std::path::{Path, PathBuf};

use tesuji_core::Side;
use tesuji_gtp::{Answer, Controller, EngineCommand, EngineError, Timeouts};

/// GNU Go, from the usual places; Debian keeps games outside of most people's path.
fn gnu_go() -> Controller {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&paths).chain([PathBuf::from("/usr/games")]);
    let program = folders.find_map(|folder| Some(folder.join("gnugo")).filter(|path| Path::is_file(path)));
    let program = program.expect("GNU Go is missing: install Debian's package 'gnugo'");
    let command = EngineCommand {
        program: program.to_str().expect("a path that is text").to_owned(),
        arguments: "--mode gtp --level 1 --chinese-rules".split(' ').map(str::to_owned).collect(),
    };
    Controller::start(&command, Timeouts::default()).expect("GNU Go starts")
}

#[test]
fn gnu_go_plays_a_game() {
    let mut engine = gnu_go();
    assert_eq!((engine.name(), engine.version()), ("GNU Go", "3.8"));
    assert_eq!(engine.send("protocol_version").as_deref(), Ok("2"));
    engine.new_game(9, Some(7.5)).unwrap();
    assert_eq!(engine.send("get_komi").as_deref(), Ok("7.5"));
    assert_eq!(engine.knows("final_score"), Ok(true));
    assert_eq!(engine.knows("make_coffee"), Ok(false));

    engine.play(Side::Black, "E5").unwrap();
    let refused = engine.play(Side::White, "e5").unwrap_err();
    assert_eq!(refused.kind(), "refused");
    assert_eq!(refused.to_string(), "GNU Go refused 'play w e5': illegal move");
    let unknown = engine.send("make_coffee black").unwrap_err();
    assert_eq!(unknown.to_string(), "GNU Go refused 'make_coffee black': unknown command");

    let mut stones = 1;
    for side in [Side::White, Side::Black, Side::White, Side::Black] {
        let Answer::Move(mv) = engine.genmove(side).unwrap() else { panic!("too early to pass") };
        // A column without I and a row: the point is taken now.
        let (column, row) = mv.split_at(1);
        assert!("ABCDEFGHJ".contains(column) && (1..=9).contains(&row.parse().unwrap()), "{mv}");
        assert!(matches!(engine.play(!side, &mv), Err(EngineError::Refused { .. })));
        stones += 1;
    }
    let listed = ["black", "white"].map(|colour| engine.send(&format!("list_stones {colour}")).unwrap());
    assert_eq!(listed.map(|points| points.split_whitespace().count()).iter().sum::<usize>(), stones);

    // An answer of several lines, the first of them empty.
    let board = engine.send("showboard").unwrap();
    assert!(board.starts_with("\n   A B C D E F G H J"), "{board}");
    assert_eq!(board.lines().count(), 12);

    engine.play(Side::White, "pass").unwrap();
    engine.play(Side::Black, "PASS").unwrap();
    let score = engine.send_within("final_score", Timeouts::default().genmove).unwrap();
    assert!(score.starts_with(['B', 'W']) && score[1..].starts_with('+'), "{score}");
    engine.quit();
}

#[test]
fn gnu_go_plays_itself_to_the_end() {
    let mut engine = gnu_go();
    engine.new_game(5, Some(0.5)).unwrap();
    let (mut side, mut passes, mut moves) = (Side::Black, 0, 0);
    while passes < 2 && moves < 200 {
        match engine.genmove(side).unwrap() {
            Answer::Move(_) => passes = 0,
            Answer::Pass => passes += 1,
            Answer::Resign => break,
        }
        side = !side;
        moves += 1;
    }
    assert!(moves < 200, "the game does not end");
    engine.quit();
}
