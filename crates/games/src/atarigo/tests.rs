use tesuji_core::{Game, Outcome, Seed, Side, isa};

use super::Atarigo;
use crate::goban::shared_tests::stone_game_tests;
use crate::goban::{UpTo7, UpTo19};
use crate::misere;

stone_game_tests!(Atarigo, "atarigo");

#[test]
fn the_first_capture_wins_and_suicide_is_illegal() {
    let start = Atarigo::<UpTo7>::new(3).unwrap();
    let game = start.parse_position("3/wb1/1w1 b").unwrap();
    let error = game.parse_move("a1").unwrap_err().to_string();
    assert_eq!(error, "'a1' is not a legal move here: it is suicide, which is illegal");
    let mut game = start.parse_position("3/1b1/wb1 b").unwrap();
    game.play(game.parse_move("a2").unwrap()).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::Black)));
    assert_eq!(game.position_text().unwrap(), "3/bb1/wb1 w");
    assert_eq!(
        game.parse_move("c3").unwrap_err().to_string(),
        "'c3' is not a legal move here: the game is over"
    );
    assert_eq!(game.playout(&mut Seed::new(1).rng(), &mut tesuji_core::Silent).plies, 0);
    assert_eq!(misere(game).outcome(), Some(Outcome::Win(Side::White)));
    // A capture by a stone that would have no liberty itself.
    let mut game = start.parse_position("1bw/bw1/w2 w").unwrap();
    game.play(game.parse_move("a3").unwrap()).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)));
}

#[test]
fn a_side_without_a_move_loses() {
    let stuck = Atarigo::<UpTo7>::new(3).unwrap().parse_position("1b1/bbb/1b1 w").unwrap();
    assert_eq!(stuck.outcome(), Some(Outcome::Win(Side::Black)));
}

#[test]
fn bad_boards_are_refused() {
    let error = Atarigo::<UpTo7>::new(1).unwrap_err().to_string();
    assert_eq!(error, "Atarigo is not played on a board of size 1: sizes go from 2 to 19");
    assert!(Atarigo::<UpTo19>::new(20).is_err());
    // The side that just moved cannot have stones without liberties by itself.
    let error = Atarigo::<UpTo7>::new(3).unwrap().parse_position("1bw/1bb/3 b").unwrap_err().to_string();
    assert_eq!(error, "'1bw/1bb/3 b' is not a position of this game: White has a chain without liberties");
}
