use tesuji_core::isa::{dispatch, dispatch_portable};
use tesuji_core::{Game, Outcome, Seed, Side, perft};
use tesuji_testkit::conformance::Suite;
use tesuji_testkit::{perft_file, playthrough, reference};

use super::playout::Uniform;
use super::reference::Slow;
use super::*;
use crate::misere;

fn board(width: usize, height: usize) -> Domineering {
    Domineering::new(width, height).unwrap()
}

fn read(width: usize, height: usize, text: &str) -> Domineering {
    board(width, height).parse_position(text).unwrap()
}

fn played(mut game: Domineering, moves: &str) -> Domineering {
    for text in moves.split_whitespace() {
        game.play(game.parse_move(text).unwrap()).unwrap();
    }
    game
}

fn texts(game: &Domineering) -> Vec<String> {
    game.moves().iter().map(|&mv| game.move_text(mv)).collect()
}

#[test]
fn move_counts() {
    perft_file::check(include_str!("domineering.perft"), 200_000, |size| {
        let (width, height) = size.split_once('x').unwrap();
        let (width, height) = (width.parse().unwrap(), height.parse().unwrap());
        (board(width, height), Slow::new(width, height))
    });
}

#[test]
fn agrees_with_the_reference() {
    for (width, height) in [(8, 8), (2, 2), (8, 2), (2, 8), (5, 7), (7, 5), (3, 3)] {
        let slow = Slow::new(width, height);
        reference::agrees_along_random_games(&board(width, height), &slow, 20, 64);
    }
}

#[test]
fn keeps_the_contract() {
    let suite = Suite { draws: 5_000, ..Suite::default() };
    suite.run(&Domineering::default());
    for (width, height) in [(2, 2), (3, 4), (8, 3), (5, 8), (7, 7)] {
        suite.run(&board(width, height));
    }
    suite.run(&misere(Domineering::default()));
    suite.run(&misere(board(4, 4)));
}

#[test]
fn playthrough_is_as_recorded() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/domineering/playthrough.txt");
    playthrough::check(&Domineering::default(), 64, file);
}

#[test]
fn white_begins_and_lays_vertical_dominoes_black_horizontal_ones() {
    let game = board(2, 3);
    assert_eq!(game.to_move(), Side::White);
    assert_eq!(texts(&game), ["a1-a2", "b1-b2", "a2-a3", "b2-b3"]);
    let game = played(game, "a1-a2");
    assert_eq!(game.to_move(), Side::Black);
    assert_eq!(texts(&game), ["a3-b3"]);
}

#[test]
fn horizontal_dominoes_do_not_go_round_the_edge() {
    // h1 and a2 are neighbours in the word, not on the board.
    let game = played(board(8, 2), "d1-d2 a1-b1 h1-h2");
    assert_eq!(texts(&game), ["e1-f1", "f1-g1", "a2-b2", "b2-c2", "e2-f2", "f2-g2"]);
}

#[test]
fn whoever_cannot_move_loses() {
    let game = played(board(2, 2), "a1-a2");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)));
    assert_eq!(game.to_move(), Side::Black);
    assert!(game.moves().is_empty());
    assert_eq!(misere(game).outcome(), Some(Outcome::Win(Side::Black)));
    // White has no move while Black still has one.
    let game = played(board(3, 2), "a1-a2 b1-c1");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::Black)));
}

#[test]
fn a_domino_must_lie_on_empty_cells() {
    let mut game = played(board(3, 3), "b1-b2");
    let before = game.clone();
    for first in [0, 1, 2, 8, 9, 18, 23, 63] {
        assert!(game.play(Domino { first }).is_err(), "{first}");
    }
    assert_eq!(game, before);
    assert_eq!(texts(&game), ["a3-b3", "b3-c3"]);
}

#[test]
fn the_hash_looks_at_covered_cells_not_at_who_covered_them() {
    let two_vertical = read(4, 4, "bb2/bb2/2ww/2ww w");
    let two_horizontal = read(4, 4, "ww2/ww2/2bb/2bb w");
    assert_eq!(two_vertical.hash(), two_horizontal.hash());
    assert_ne!(two_vertical, two_horizontal);
    assert_eq!(texts(&two_vertical), texts(&two_horizontal));
    // The side to move counts.
    let game = board(4, 4);
    assert_ne!(played(game.clone(), "a1-a2").hash(), game.hash());
}

#[test]
fn symmetries_are_those_of_the_rectangle() {
    let game = played(board(3, 4), "a1-a2 b4-c4");
    let through = |symmetry| game.transformed(symmetry).position_text().unwrap();
    assert_eq!(through(Symmetry::IDENTITY), "1bb/3/w2/w2 w");
    assert_eq!(through(Symmetry::FLIP_X), "bb1/3/2w/2w w");
    assert_eq!(through(Symmetry::FLIP_Y), "w2/w2/3/1bb w");
    assert_eq!(through(Symmetry::HALF_TURN), "2w/2w/3/bb1 w");
    let mv = game.parse_move("b2-b3").unwrap();
    let image = game.transformed_move(mv, Symmetry::FLIP_Y);
    assert_eq!(game.transformed(Symmetry::FLIP_Y).move_text(image), "b2-b3");
}

#[test]
fn moves_are_read_in_either_order_and_case() {
    let game = board(4, 4);
    let mv = game.parse_move("d2-d3").unwrap();
    assert_eq!(game.parse_move(" D3-d2 "), Ok(mv));
    for bad in ["", "d2", "d2d3", "d2-d4", "a1-b1", "d4-d5", "d2-d3-d4", "d2-", "-"] {
        assert!(game.parse_move(bad).is_err(), "{bad}");
    }
    assert_eq!(
        game.parse_move("a1-b1").unwrap_err().to_string(),
        "'a1-b1' is not a legal move here: 12 moves are legal: a1-a2, b1-b2, c1-c2, d1-d2, a2-a3, …"
    );
    let over = played(board(2, 2), "a1-a2");
    assert_eq!(
        over.parse_move("a1-b1").unwrap_err().to_string(),
        "'a1-b1' is not a legal move here: the game is over"
    );
}

#[test]
fn drawings_show_dominoes() {
    let game = played(board(4, 4), "a1-a2 b1-c1 a3-a4 c2-d2");
    let drawing = "   a b c d\n 4 ∩ · · · 4\n 3 ∪ · · · 3\n 2 ∩ · ⊂ ⊃ 2\n 1 ∪ ⊂ ⊃ · 1\n   a b c d\n";
    assert_eq!(game.drawing(), drawing);
}

#[test]
fn impossible_positions_are_refused_in_a_sentence() {
    let reason = |text| {
        let error = board(4, 4).parse_position(text).unwrap_err().to_string();
        error.split_once("is not a position of this game: ").unwrap().1.to_owned()
    };
    let odd_column = "White's cells in a column do not make vertical dominoes";
    let odd_row = "Black's cells in a row do not make horizontal dominoes";
    assert_eq!(reason("w3/4/4/4 b"), odd_column);
    assert_eq!(reason("w3/w3/w3/4 b"), odd_column);
    // Side by side, but not one above the other; and with a gap between.
    assert_eq!(reason("ww2/4/4/4 b"), odd_column);
    assert_eq!(reason("w3/4/w3/4 b"), odd_column);
    assert_eq!(reason("b3/b3/4/4 w"), odd_row);
    // Neighbours in the word that are not neighbours on the board.
    assert_eq!(
        board(8, 2).parse_position("b7/7b w").unwrap_err().to_string(),
        format!("'b7/7b w' is not a position of this game: {odd_row}")
    );
    let even = "with White to move, White has laid as many dominoes as Black, not 1 against 0";
    assert_eq!(reason("w3/w3/4/4 w"), even);
    let ahead = "with Black to move, White has laid one domino more than Black, not 0 against 0";
    assert_eq!(reason("4/4/4/4 b"), ahead);
    assert_eq!(reason("4/4/4 w"), "it has 3 rows; this board has 4 rows");
    assert_eq!(reason("4/4/4/4 w 1"), "after the side to move come 0 more fields, not 1");
}

#[test]
fn positions_are_read_as_written() {
    let game = played(Domineering::default(), "d4-d5 d3-e3 d6-d7");
    let text = "8/3w4/3w4/3w4/3w4/3bb3/8/8 b";
    assert_eq!(game.position_text().as_deref(), Some(text));
    assert_eq!(Domineering::default().parse_position(text), Ok(game));
}

#[test]
fn sizes_go_from_two_to_eight() {
    assert_eq!(Domineering::default(), board(8, 8));
    assert_eq!((board(3, 5).width(), board(3, 5).height()), (3, 5));
    for (width, height) in [(1, 2), (2, 1), (0, 0), (9, 8), (8, 9), (usize::MAX, 8)] {
        assert!(Domineering::new(width, height).is_err());
    }
    assert_eq!(
        Domineering::new(9, 8).unwrap_err().to_string(),
        "Domineering is not played on a board of 9 by 8: the width goes from 2 to 8, the height from 2 to 8"
    );
}

/// The winners of small boards with perfect play, White (vertical) to begin:
/// values known since Berlekamp, Conway and Guy, and Breuker et al. 2000.
#[test]
fn solved_boards() {
    fn mover_wins(game: &Domineering) -> bool {
        game.moves().into_iter().any(|mv| {
            let mut next = game.clone();
            next.play_unchecked(mv);
            !mover_wins(&next)
        })
    }
    for (width, height, first_wins) in [(2, 2, true), (3, 3, true), (4, 4, true), (2, 4, true), (4, 2, false)]
    {
        assert_eq!(mover_wins(&board(width, height)), first_wins, "{width}x{height}");
    }
}

#[test]
fn all_instruction_sets_play_the_same() {
    for (index, game) in [board(8, 8), board(5, 6), played(board(8, 8), "a1-a2")].iter().enumerate() {
        for round in 0..50 {
            let seed = Seed::new(9).child(index as u64).child(round);
            let (mut a, mut b) = (seed.rng(), seed.rng());
            let (mut codes_a, mut codes_b) = (Vec::new(), Vec::new());
            let fast = dispatch(Uniform { game, rng: &mut a, record: &mut codes_a });
            let portable = dispatch_portable(Uniform { game, rng: &mut b, record: &mut codes_b });
            assert_eq!((fast, codes_a, a), (portable, codes_b, b));
        }
    }
}

#[test]
fn perft_of_a_finished_game_is_zero() {
    assert_eq!(perft(&played(board(2, 2), "a1-a2"), 1), 0);
}

/// Black sees the board as White would see it lying on its side.
#[test]
fn networks_see_both_sides_alike() {
    let mut game = Domineering::new(5, 3).unwrap();
    let mut image = Domineering { to_move: Side::Black, ..Domineering::new(3, 5).unwrap() };
    let form = game.network_form().unwrap();
    assert_eq!((form.width, form.height, form.n_logits), (5, 5, 25));
    let mut rng = Seed::new(7).child("sides").rng();
    loop {
        let planes = tesuji_testkit::networks::written(&game, &form);
        assert_eq!(planes, tesuji_testkit::networks::written(&image, &form), "{}", game.drawing());
        let Some(&mv) = rng.choose(&game.moves()) else { break };
        let (x, y) = cell(mv.first.into());
        let other = Domino { first: bit((y, x)).trailing_zeros() as u8 };
        assert_eq!(game.logit(mv), image.logit(other));
        game.play_unchecked(mv);
        image.play_unchecked(other);
    }
}
