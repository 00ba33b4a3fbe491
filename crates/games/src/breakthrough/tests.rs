use tesuji_core::{Game, Outcome, Side};
use tesuji_testkit::playthrough;

use super::{Breakthrough, Pawn};
use crate::race::reference::SlowRace;
use crate::race::tests::{
    after, agrees_with_reference, at, codes_are_dense, conforms, moves, perft_agrees,
    plays_the_same_everywhere,
};

#[test]
fn counts_of_move_sequences() {
    perft_agrees::<Pawn>(include_str!("breakthrough.perft"), SlowRace::breakthrough);
}

#[test]
fn agrees_with_slow_rules() {
    agrees_with_reference::<Pawn>(SlowRace::breakthrough);
}

#[test]
fn keeps_the_contract() {
    conforms::<Pawn>();
}

#[test]
fn same_playouts_on_every_processor() {
    plays_the_same_everywhere::<Pawn>();
}

#[test]
fn codes_leave_few_gaps() {
    codes_are_dense::<Pawn>();
}

#[test]
fn golden_playthrough() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/breakthrough/playthrough.txt");
    playthrough::check(&Breakthrough::default(), 200, file);
}

#[test]
fn straight_onto_empty_only_and_diagonally_onto_enemies_too() {
    // An enemy ahead blocks; enemies on both diagonals can be taken.
    assert_eq!(moves(&at::<Pawn>("4/bbb1/1w2/4/4 w")), "b3xa4 b3xc4");
    // Empty squares ahead.
    assert_eq!(moves(&at::<Pawn>("3b/4/1w2/4/4 w")), "b3-a4 b3-b4 b3-c4");
    // Own pawns block everywhere.
    assert_eq!(moves(&at::<Pawn>("3b/4/www1/1w2/4 w")), "a3-a4 a3-b4 b3-a4 b3-b4 b3-c4 c3-b4 c3-c4 c3-d4");
    // Black goes down by the same rules.
    assert_eq!(moves(&at::<Pawn>("4/1b2/www1/4/4 b")), "b4xa3 b4xc3");
    assert_eq!(moves(&at::<Pawn>("4/1b2/4/w3/4 b")), "b4-a3 b4-b3 b4-c3");
}

#[test]
fn pawns_stay_on_the_board() {
    let edge = at::<Pawn>("7b/8/8/8/w6w/8/8/8 w");
    assert_eq!(moves(&edge), "a4-a5 a4-b5 h4-g5 h4-h5");
    let edge = at::<Pawn>("8/8/8/b6b/8/8/8/w7 b");
    assert_eq!(moves(&edge), "a5-a4 a5-b4 h5-g4 h5-h4");
    let narrow = at::<Pawn>("2/1b/ww/2/2 w");
    assert_eq!(moves(&narrow), "a3-a4 a3xb4 b3-a4");
}

#[test]
fn the_first_on_the_far_row_wins() {
    let game = at::<Pawn>("3/w2/2b/b2/3 w");
    assert_eq!(after(game, "a4-b5").outcome(), Some(Outcome::Win(Side::White)));
    let game = after(game, "a4-a5");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)));
    assert_eq!(game.to_move(), Side::Black);
    let game = after(at::<Pawn>("3/3/2w/b2/3 b"), "a2-b1");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::Black)));
    // Also by a capture there.
    let game = after(at::<Pawn>("bb1/w2/3/3/3 w"), "a4xb5");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)));
}

#[test]
fn whose_last_pawn_is_captured_loses() {
    let game = after(at::<Pawn>("3/3/1b1/w2/3 w"), "a2xb3");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)));
    let game = after(at::<Pawn>("3/3/1b1/w2/3 b"), "b3xa2");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::Black)));
}

#[test]
fn moves_are_read_in_either_case() {
    let game = Breakthrough::default();
    assert_eq!(game.parse_move(" A2-A3 "), game.parse_move("a2-a3"));
    let error = game.parse_move("a2xa3").unwrap_err().to_string();
    assert_eq!(
        error,
        "'a2xa3' is not a legal move here: 22 moves are legal: b2-a3, c2-b3, d2-c3, e2-d3, f2-e3, …"
    );
}

#[test]
fn sizes() {
    for (width, height) in [(1, 8), (9, 8), (8, 3), (8, 9), (0, 0)] {
        let error = Breakthrough::new(width, height).unwrap_err().to_string();
        let asked = format!("Breakthrough is not played on a board of {width} by {height}");
        assert_eq!(error, format!("{asked}: the width goes from 2 to 8, the height from 4 to 8"));
    }
    for width in 2..=8 {
        for height in 4..=8 {
            assert_eq!(Breakthrough::new(width, height).unwrap().outcome(), None);
        }
    }
}
