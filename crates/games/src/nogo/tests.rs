use tesuji_core::{Game, Outcome, Seed, Side, isa, perft};

use super::NoGo;
use crate::goban::shared_tests::stone_game_tests;
use crate::goban::{UpTo7, UpTo19};
use crate::{Atarigo, Breakthrough, Domineering, Knightthrough, misere, without_wins};

stone_game_tests!(NoGo, "nogo");

#[test]
fn capture_and_suicide_are_illegal_and_no_move_loses() {
    let start = NoGo::<UpTo7>::new(3).unwrap();
    let game = start.parse_position("3/wb1/1w1 b").unwrap();
    let error = |name: &str| game.parse_move(name).unwrap_err().to_string();
    assert_eq!(error("a1"), "'a1' is not a legal move here: it is suicide, which NoGo forbids");
    assert_eq!(error("a2"), "'a2' is not a legal move here: there is a stone");
    let game = start.parse_position("3/1b1/wb1 b").unwrap();
    let error = game.parse_move("a2").unwrap_err().to_string();
    assert_eq!(error, "'a2' is not a legal move here: it captures, which NoGo forbids");
    let stuck = start.parse_position("1b1/bbb/1b1 w").unwrap();
    assert_eq!(stuck.outcome(), Some(Outcome::Win(Side::Black)));
    assert_eq!(misere(stuck).outcome(), Some(Outcome::Win(Side::White)));
}

#[test]
fn bad_boards_are_refused() {
    let error = NoGo::<UpTo7>::new(1).unwrap_err().to_string();
    assert_eq!(error, "NoGo is not played on a board of size 1: sizes go from 2 to 19");
    assert!(NoGo::<UpTo19>::new(20).is_err());
    assert!(NoGo::<UpTo7>::new(9).is_err());
    let error = NoGo::<UpTo7>::new(3).unwrap().parse_position("1bw/1bb/3 w").unwrap_err().to_string();
    assert_eq!(error, "'1bw/1bb/3 w' is not a position of this game: White has a chain without liberties");
}

/// NoGo is Atarigo in which nobody may win: one move list, move for move.
#[test]
fn it_is_atarigo_without_wins() {
    for size in 2..=4 {
        let atarigo = without_wins(Atarigo::<UpTo7>::new(size).unwrap());
        let nogo = NoGo::<UpTo7>::new(size).unwrap();
        for depth in 1..=5 {
            assert_eq!(perft(&atarigo, depth), perft(&nogo, depth), "size {size}, depth {depth}");
        }
    }
    let suite = Suite { games: 5, playouts: 20, ..Suite::default() };
    suite.run(&without_wins(Atarigo::<UpTo7>::new(5).unwrap()));
    suite.run(&without_wins(Breakthrough::new(4, 5).unwrap()));
    suite.run(&without_wins(Knightthrough::new(4, 5).unwrap()));
    suite.run(&without_wins(Domineering::new(4, 4).unwrap()));
}
