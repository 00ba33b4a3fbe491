use tesuji_core::{Game, Outcome, Seed, Side, Silent};
use tesuji_testkit::playthrough;

use super::{Knight, Knightthrough};
use crate::race::reference::SlowRace;
use crate::race::tests::{
    after, agrees_with_reference, at, codes_are_dense, conforms, moves, perft_agrees,
    plays_the_same_everywhere,
};

#[test]
fn counts_of_move_sequences() {
    perft_agrees::<Knight>(include_str!("knightthrough.perft"), SlowRace::knightthrough);
}

#[test]
fn agrees_with_slow_rules() {
    agrees_with_reference::<Knight>(SlowRace::knightthrough);
}

#[test]
fn keeps_the_contract() {
    conforms::<Knight>();
}

#[test]
fn same_playouts_on_every_processor() {
    plays_the_same_everywhere::<Knight>();
}

#[test]
fn codes_leave_few_gaps() {
    codes_are_dense::<Knight>();
}

#[test]
fn golden_playthrough() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/knightthrough/playthrough.txt");
    playthrough::check(&Knightthrough::default(), 200, file);
}

#[test]
fn knights_jump_forward_in_four_ways() {
    let game = at::<Knight>("7b/8/8/8/3w4/8/8/8 w");
    assert_eq!(moves(&game), "d4-b5 d4-c6 d4-e6 d4-f5");
    let game = at::<Knight>("8/8/8/3b4/8/8/8/7w b");
    assert_eq!(moves(&game), "d5-b4 d5-c3 d5-e3 d5-f4");
}

#[test]
fn they_land_on_empty_squares_and_enemies_but_not_on_their_own() {
    let game = at::<Knight>("8/8/2b1w3/1w3b2/3w4/8/8/8 w");
    let of_d4: Vec<String> =
        moves(&game).split(' ').filter(|mv| mv.starts_with("d4")).map(String::from).collect();
    assert_eq!(of_d4, ["d4xc6", "d4xf5"]);
    // They jump: what stands between does not matter.
    assert_eq!(moves(&at::<Knight>("5/5/5/1bbb1/2w2 w")), "c1-a2 c1-b3 c1-d3 c1-e2");
}

#[test]
fn knights_stay_on_the_board() {
    let edges = at::<Knight>("7b/8/8/8/ww4ww/8/8/8 w");
    assert_eq!(moves(&edges), "a4-b6 a4-c5 b4-a6 b4-c6 b4-d5 g4-e5 g4-f6 g4-h6 h4-f5 h4-g6");
    // One row short there is no jump by two rows, whatever the board's height.
    assert_eq!(moves(&at::<Knight>("4b/2w2/5/5/5/5 w")), "c5-a6 c5xe6");
    assert_eq!(moves(&at::<Knight>("5/5/5/5/2b2/w4 b")), "c2-e1 c2xa1");
    assert_eq!(moves(&at::<Knight>("7b/3w4/8/8/8/8/8/8 w")), "d7-b8 d7-f8");
}

#[test]
fn the_first_on_the_far_row_wins() {
    let game = at::<Knight>("8/8/w7/8/8/7b/8/8 w");
    assert_eq!(after(game, "a6-b8").outcome(), Some(Outcome::Win(Side::White)));
    let game = after(at::<Knight>("8/8/w7/8/8/7b/8/8 b"), "h3-g1");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::Black)));
    assert_eq!(game.to_move(), Side::White);
}

#[test]
fn stuck_knights_lose() {
    // One row short, in the middle of three columns: every jump leaves the board.
    let game = at::<Knight>("3/1w1/b2/3/3 w");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::Black)));
    let game = at::<Knight>("3/3/w2/1b1/3 b");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)));
    let playout = game.playout(&mut Seed::new(1).rng(), &mut Silent);
    assert_eq!((playout.outcome, playout.plies), (Outcome::Win(Side::White), 0));
}

#[test]
fn sizes() {
    for (width, height) in [(1, 8), (9, 8), (8, 4), (8, 9), (0, 0)] {
        let error = Knightthrough::new(width, height).unwrap_err().to_string();
        let asked = format!("Knightthrough is not played on a board of {width} by {height}");
        assert_eq!(error, format!("{asked}: the width goes from 2 to 8, the height from 5 to 8"));
    }
    for width in 2..=8 {
        for height in 5..=8 {
            assert_eq!(Knightthrough::new(width, height).unwrap().outcome(), None);
        }
    }
}
