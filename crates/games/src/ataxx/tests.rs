use tesuji_core::isa::{dispatch, dispatch_portable};
use tesuji_core::{Draws, Game, Outcome, Seed, Side, Silent};
use tesuji_testkit::conformance::Suite;
use tesuji_testkit::{perft_file, playthrough, reference};

use super::playout::Uniform;
use super::reference::Slow;
use super::*;
use crate::misere;

fn rules(size: usize) -> AtaxxRules {
    AtaxxRules { size, ..AtaxxRules::default() }
}

fn board(size: usize) -> Ataxx {
    Ataxx::new(rules(size)).unwrap()
}

fn read(text: &str) -> Ataxx {
    let size = text.split('/').count();
    board(size).parse_position(text).unwrap()
}

fn played(mut game: Ataxx, moves: &str) -> Ataxx {
    for text in moves.split_whitespace() {
        game.play(game.parse_move(text).unwrap()).unwrap();
    }
    game
}

fn texts(game: &Ataxx) -> Vec<String> {
    game.moves().iter().map(|&mv| game.move_text(mv)).collect()
}

/// A perft line's size is the board's, or the board's and the cap, as in `3(cap=6)`.
#[test]
fn move_counts() {
    perft_file::check(include_str!("ataxx.perft"), 200_000, |size| {
        let (size, cap) = size.trim_end_matches(')').split_once("(cap=").unwrap_or((size, "500"));
        let (size, ply_cap) = (size.parse().unwrap(), cap.parse().unwrap());
        let fast = Ataxx::new(AtaxxRules { ply_cap, ..rules(size) }).unwrap();
        (fast, Slow::new(size, Draws::Black, ply_cap))
    });
}

#[test]
fn agrees_with_the_reference() {
    for (size, games) in [(8, 2), (7, 2), (6, 4), (5, 10), (4, 40), (3, 60)] {
        for draws in [Draws::Black, Draws::Half] {
            let fast = Ataxx::new(AtaxxRules { draws, ply_cap: 200, ..rules(size) }).unwrap();
            reference::agrees_along_random_games(&fast, &Slow::new(size, draws, 200), games, 201);
        }
    }
}

#[test]
fn keeps_the_contract() {
    let suite = Suite { games: 3, longest: 120, playouts: 40, draws: 3_000, ..Suite::default() };
    suite.run(&Ataxx::default());
    for size in [3, 4, 5] {
        let start = Ataxx::new(AtaxxRules { draws: Draws::Half, ply_cap: 60, ..rules(size) }).unwrap();
        Suite { games: 10, ..suite.clone() }.run(&start);
    }
    suite.run(&misere(board(5)));
    // Few empty cells, few stones of one side, and passes.
    for text in [
        "wwwwwww1/wwwwwww1/wwwwwwww/bbbbbbbb/bbbbbbbb/bwwwwwww/bwwwwwww/1wwwwww1 w 90",
        "wwwwwwww/wwwwwwww/wwwwwwww/wwwwwwww/wwwwwwww/wwwww3/wwwww3/wwwww2b w 90",
        "b7/8/8/3wwwww/8/8/8/8 b 91",
        "b4/wwwww/wwwww/wwwww/ww3 b 51",
        "bww2/www2/www2/www2/www2 b 51",
    ] {
        let start = read(text);
        suite.playouts(&start);
        suite.uniformity(&start);
    }
}

#[test]
fn playthrough_is_as_recorded() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/ataxx/playthrough.txt");
    let start = Ataxx::new(AtaxxRules { ply_cap: 60, ..rules(6) }).unwrap();
    playthrough::check(&start, 60, file);
}

#[test]
fn white_begins_on_a1_and_the_corner_opposite() {
    let game = Ataxx::default();
    assert_eq!(game.position_text().as_deref(), Some("b6w/8/8/8/8/8/8/w6b w 0"));
    assert_eq!(game.to_move(), Side::White);
    assert_eq!(game.n_moves(), 16);
}

#[test]
fn a_clone_is_one_move_whatever_its_source() {
    // b1 can be cloned to from a1 and from c1, and is one move.
    let game = read("b2b/4/4/w1w1 w 2");
    assert_eq!(texts(&game).iter().filter(|text| *text == "b1").count(), 1);
    let next = played(game, "b1");
    assert_eq!(next.position_text().as_deref(), Some("b2b/4/4/www1 b 3"));
}

#[test]
fn a_jump_goes_two_away_in_any_direction_and_leaves_its_cell() {
    let game = read("5/5/2w2/b4/bbb2 w 4");
    let jumps: Vec<String> = texts(&game).into_iter().filter(|text| text.contains('-')).collect();
    let ends = ["d1", "e1", "e2", "a3", "e3", "a4", "e4", "a5", "b5", "c5", "d5", "e5"];
    assert_eq!(jumps, ends.map(|end| format!("c3-{end}")));
    let next = played(game, "c3-e5");
    assert_eq!(next.position_text().as_deref(), Some("4w/5/5/b4/bbb2 b 5"));
}

#[test]
fn enemies_beside_the_new_stone_flip_after_clones_and_jumps() {
    let game = read("bbb2/b1b2/bbb2/5/w1w1b w 8");
    let next = played(game.clone(), "b2");
    assert_eq!(next.position_text().as_deref(), Some("bbb2/b1b2/www2/1w3/w1w1b b 9"));
    // A jump flips next to the cell it goes to, not beside the one it leaves.
    let next = played(read("bbb2/b1b2/bbb2/5/ww2b w 8"), "b1-d3");
    assert_eq!(next.position_text().as_deref(), Some("bbb2/b1w2/bbww1/5/w3b b 9"));
}

#[test]
fn a_side_without_a_move_passes_and_only_then() {
    let game = read("b4/wwwww/wwwww/wwwww/ww3 b 51");
    assert!(!texts(&game).contains(&"pass".to_owned()));
    // Black's corner is walled in two deep.
    let game = read("bww2/www2/www2/www2/www2 b 51");
    assert_eq!(texts(&game), ["pass"]);
    assert_eq!(game.outcome(), None);
    assert_eq!(game.parse_move("PASS"), Ok(AtaxxMove::Pass));
    let next = played(game.clone(), "pass");
    assert_eq!(next.position_text().as_deref(), Some("bww2/www2/www2/www2/www2 w 52"));
    assert_ne!(next.hash(), game.hash());
    assert!(!next.is_legal(AtaxxMove::Pass));
    let passed = game.playout(&mut Seed::new(1).rng(), &mut Silent);
    assert!(passed.plies > 1);
}

#[test]
fn the_game_ends_when_the_board_is_full_and_most_stones_win() {
    let game = played(read("wwww/wbbb/wbbb/b1bb w 20"), "b1");
    assert_eq!(game.position_text().as_deref(), Some("wwww/wbbb/wwwb/wwwb b 21"));
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)));
    assert!(game.margin().unwrap() < 0.0);
    assert!(game.moves().is_empty());
    assert_eq!(misere(game).outcome(), Some(Outcome::Win(Side::Black)));
}

#[test]
fn the_game_ends_when_a_side_has_no_stones() {
    let game = played(read("3w/3w/1b2/w3 w 6"), "a2");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)));
    assert!(game.moves().is_empty());
    assert_eq!(game.playout(&mut Seed::new(1).rng(), &mut Silent).plies, 0);
}

#[test]
fn the_game_ends_at_the_cap() {
    // So large that nobody can lose all stones in three plies.
    let start = Ataxx::new(AtaxxRules { ply_cap: 3, ..rules(8) }).unwrap();
    let game = played(start.clone(), "b2 a7 a1-c1");
    assert_eq!(game.plies(), 3);
    assert!(game.outcome().is_some() && game.moves().is_empty());
    let mut rng = Seed::new(1).rng();
    assert!((0..50).all(|_| start.playout(&mut rng, &mut Silent).plies == 3));
    let none = Ataxx::new(AtaxxRules { ply_cap: 0, ..rules(4) }).unwrap();
    assert_eq!(none.outcome(), Some(Outcome::Win(Side::Black)));
}

#[test]
fn an_even_count_is_as_the_rules_say() {
    let text = "wwww/wwww/bbbb/bbbb w 30";
    for (draws, outcome) in [(Draws::Black, Outcome::Win(Side::Black)), (Draws::Half, Outcome::Draw)] {
        let game = Ataxx::new(AtaxxRules { draws, ..rules(4) }).unwrap().parse_position(text).unwrap();
        assert_eq!(game.outcome(), Some(outcome));
        let playout = game.playout(&mut Seed::new(1).rng(), &mut Silent);
        assert_eq!((playout.outcome, playout.plies), (outcome, 0));
    }
}

#[test]
fn the_hash_leaves_out_the_ply_number() {
    let game = Ataxx::default();
    // Both sides jump away and back.
    let later = played(game.clone(), "a1-a3 a8-a6 a3-a1 a6-a8");
    assert_eq!(later.hash(), game.hash());
    assert_ne!(later, game);
}

#[test]
fn all_eight_symmetries_keep_the_rules() {
    let game = played(board(5), "b2 a5-a3");
    let images: Vec<String> = game
        .symmetries()
        .iter()
        .map(|&symmetry| game.transformed(symmetry).position_text().unwrap())
        .collect();
    assert_eq!(images.len(), 8);
    assert_eq!(images[0], "4w/5/b4/1b3/w3b w 2");
    assert_eq!(images[1], "w4/5/4b/3b1/b3w w 2");
}

#[test]
fn moves_are_read_in_either_case() {
    let game = Ataxx::default();
    assert_eq!(game.parse_move(" A1-C3 "), Ok(AtaxxMove::Jump { from: 0, to: 18 }));
    assert_eq!(game.parse_move("B1"), Ok(AtaxxMove::Clone { to: 1 }));
    for bad in ["", "-", "a1", "c3", "a1-b2", "a1-d1", "b1-c1", "a8-a6", "a1-", "pass", "i9"] {
        assert!(game.parse_move(bad).is_err(), "{bad}");
    }
    assert_eq!(
        game.parse_move("pass").unwrap_err().to_string(),
        "'pass' is not a legal move here: 16 moves are legal: b1, a2, b2, g7, h7, …"
    );
}

#[test]
fn moves_off_the_board_are_illegal() {
    let game = board(5);
    for cell in [5, 6, 7, 40, 63, 64, 255] {
        assert!(!game.is_legal(AtaxxMove::Clone { to: cell }));
        assert!(!game.is_legal(AtaxxMove::Jump { from: 0, to: cell }));
        assert!(!game.is_legal(AtaxxMove::Jump { from: cell, to: 2 }));
    }
}

#[test]
fn impossible_positions_are_refused_in_a_sentence() {
    let reason = |text| {
        let error = board(4).parse_position(text).unwrap_err().to_string();
        error.split_once("is not a position of this game: ").unwrap().1.to_owned()
    };
    assert_eq!(reason("b2w/4/4/w2b w x"), "the ply number goes from 0 to 500, and is not 'x'");
    assert_eq!(reason("b2w/4/4/w2b w +0"), "the ply number goes from 0 to 500, and is not '+0'");
    assert_eq!(reason("b2w/4/4/w2b w 502"), "the ply number goes from 0 to 500, and is not '502'");
    assert_eq!(reason("b2w/4/4/w2b b 0"), "at ply 0 White is to move, not Black");
    assert_eq!(reason("b2w/4/4/w2b w 1"), "at ply 1 Black is to move, not White");
    assert_eq!(reason("b2w/4/w3/w2b w 0"), "at ply 0 there are 4 stones, not 5");
    assert_eq!(reason("b2w/ww2/w3/w2b b 1"), "at ply 1 there are 4 to 5 stones, not 7");
    assert_eq!(reason("b2w/4/4/w3 w 2"), "at ply 2 there are 4 to 6 stones, not 3");
    assert_eq!(reason("w2w/4/4/w2w w 2"), "Black has just moved and so has at least one stone");
    assert_eq!(reason("b2b/4/4/b2b w 0"), "at ply 0 both sides have stones, and White has none");
    assert_eq!(reason("b2w/4/4/w2b w"), "after the side to move come 1 more fields, not 0");
    assert_eq!(reason("b2w/4/w2b w 0"), "it has 3 rows; this board has 4 rows");
}

#[test]
fn positions_are_read_as_written() {
    let game = played(Ataxx::default(), "b2 b7 h8-f6");
    let text = "b7/1b6/5w2/8/8/8/1w6/w6b b 3";
    assert_eq!(game.position_text().as_deref(), Some(text));
    assert_eq!(Ataxx::default().parse_position(text), Ok(game));
}

#[test]
fn sizes_go_from_three_to_eight() {
    assert_eq!(Ataxx::default(), board(8));
    assert_eq!(board(5).rules(), AtaxxRules { size: 5, ..AtaxxRules::default() });
    for size in [0, 1, 2, 9, usize::MAX] {
        assert!(Ataxx::new(rules(size)).is_err());
    }
    assert_eq!(
        Ataxx::new(rules(9)).unwrap_err().to_string(),
        "Ataxx is not played on a board of size 9: sizes go from 3 to 8"
    );
}

#[test]
fn all_instruction_sets_play_the_same() {
    let starts = [board(8), board(5), played(board(8), "b2"), read("bww2/www2/www2/www2/www2 b 51")];
    for (index, game) in starts.iter().enumerate() {
        for round in 0..20 {
            let seed = Seed::new(9).child(index as u64).child(round);
            let (mut a, mut b) = (seed.rng(), seed.rng());
            let (mut codes_a, mut codes_b) = (Vec::new(), Vec::new());
            let fast = dispatch(Uniform { game, rng: &mut a, record: &mut codes_a });
            let portable = dispatch_portable(Uniform { game, rng: &mut b, record: &mut codes_b });
            assert_eq!((fast, codes_a, a), (portable, codes_b, b));
        }
    }
}
