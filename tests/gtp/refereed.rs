//! Whole games through `gogui-rules_*`, as GoGui referees them, beside our own rules.

use tesuji::catalog::{GameSpec, MoveNames, Shape};
use tesuji::core::{Outcome, Rng, Seed, Side};
use tesuji_search::Board;

use crate::Engine;

/// A move as GoGui writes it, and as the game does.
fn written(mv: &str, spec: &GameSpec) -> String {
    let mv = match spec.info().names {
        MoveNames::Domino => mv.split('-').next().unwrap(),
        _ => mv,
    };
    // GoGui's columns leave the letter I out in every game.
    let skips = spec.info().shape == Shape::Goban || spec.info().names != MoveNames::Cell;
    let letter = |letter: char| match letter {
        // Boards on which pieces move are too small for it.
        'i'..='y' if !skips => (letter as u8 + 1) as char,
        other => other,
    };
    match mv {
        "pass" => mv.to_owned(),
        cells => cells.chars().map(letter).collect::<String>().to_uppercase(),
    }
}

fn board(game: &dyn Board, spec: &GameSpec) -> String {
    let (width, height) = spec.board();
    let sign = |x, y| match game.piece_at(x, y) {
        None => ".",
        Some(Side::Black) => "X",
        Some(Side::White) => "O",
    };
    let row = |y: usize| (0..width).map(|x| sign(x, y)).collect::<Vec<_>>().join(" ");
    (0..height).rev().map(row).collect::<Vec<_>>().join("\n")
}

/// Plays a whole game, half of the moves at random and half by the engine.
fn referee(game: &str, id: &str, rng: &mut Rng) {
    let spec: GameSpec = game.parse().unwrap();
    let mut engine = Engine::start(&["--game", game, "--player", "rave@20", "--seed", "1", "--threads", "1"]);
    let mut reference = spec.start().unwrap();
    assert_eq!(engine.told("gogui-rules_game_id"), id);
    let (width, height) = spec.board();
    let size = if width == height { width.to_string() } else { format!("{width} {height}") };
    assert_eq!(engine.told("gogui-rules_board_size"), size);
    let mut plies = 0;
    loop {
        assert_eq!(engine.told("gogui-rules_board"), board(&*reference, &spec), "{game}, ply {plies}");
        let listed = engine.told("gogui-rules_legal_moves");
        let legal = reference.legal_texts();
        let wanted: Vec<String> = legal.iter().map(|mv| written(mv, &spec)).collect();
        assert_eq!(listed.split_whitespace().collect::<Vec<_>>(), wanted, "{game}, ply {plies}");
        if wanted.is_empty() {
            break;
        }
        let side = reference.to_move();
        let colour = side.to_string().to_lowercase();
        assert_eq!(engine.told("gogui-rules_side_to_move"), colour);
        assert_eq!(engine.told("gogui-rules_final_result"), "");
        let played = if plies % 2 == 0 {
            let mv = rng.choose(&wanted).unwrap().clone();
            assert_eq!(engine.told(&format!("play {colour} {mv}")), "");
            mv
        } else {
            engine.told(&format!("genmove {colour}"))
        };
        if played == "resign" {
            return;
        }
        let place = wanted.iter().position(|mv| *mv == played);
        reference.play(&legal[place.unwrap_or_else(|| panic!("{game}: {played} is not legal"))]).unwrap();
        plies += 1;
        assert!(plies < 2000);
    }
    let result = engine.told("gogui-rules_final_result");
    let winner = match reference.outcome() {
        Some(Outcome::Win(side)) => format!("{side} wins"),
        _ => "It is a draw".to_owned(),
    };
    assert!(result.starts_with(&winner), "{game}: {result}, {winner}");
    assert_eq!(engine.told(&format!("gg-undo {plies}")), "");
    assert_eq!(engine.told("gogui-rules_board"), board(&*spec.start().unwrap(), &spec));
}

#[test]
fn gogui_can_referee_every_game() {
    let mut rng = Seed::new(7).rng();
    for (game, id) in [
        ("hex:5", "Hex"),
        ("hex:11", "Hex"),
        ("nogo:5", "Nogo"),
        ("nogo:9", "Nogo"),
        ("domineering:5", "Domineering"),
        ("domineering:6x8", "Domineering"),
        ("atarigo:7", "Atarigo"),
        ("go:5", "Go"),
        ("ataxx:5", "Ataxx"),
        ("breakthrough:5x6", "Breakthrough"),
        ("knightthrough:6", "Knightthrough"),
        ("nohex:5", "Nohex"),
        ("misere(go:3)", "Miserego"),
    ] {
        referee(game, id, &mut rng);
    }
}
