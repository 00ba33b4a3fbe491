use tesuji_core::{Draws, Game, Outcome, Seed, Side};
use tesuji_testkit::conformance::Suite;
use tesuji_testkit::{perft_file, playthrough, reference};

use super::{Go, GoMove, GoRules, Superko};
use crate::goban::reference::{Kind, SlowGo};
use crate::goban::{Folded, Plain, PointSet, UpTo7, UpTo10, UpTo13, UpTo19};
use crate::misere;

fn rules(size: usize, superko: Superko) -> GoRules {
    GoRules { size, superko, ..GoRules::default() }
}

fn go<S: PointSet>(size: usize) -> Go<S> {
    Go::new(rules(size, Superko::Positional)).unwrap()
}

fn slow(size: usize, superko: Superko) -> SlowGo {
    SlowGo::new(Kind::Go { komi: 7.5, superko, draws: Draws::Black }, size)
}

#[test]
fn perft_agrees_with_the_file_and_the_reference() {
    perft_file::check(include_str!("go.perft"), 600_000, |size| {
        let size = size.parse().unwrap();
        (go::<UpTo10>(size), slow(size, Superko::Positional))
    });
}

#[test]
fn rules_agree_with_the_reference() {
    fn agree<S: PointSet>(size: usize, superko: Superko, games: u64, longest: u32) {
        let fast = Go::<S>::new(rules(size, superko)).unwrap();
        reference::agrees_along_random_games(&fast, &slow(size, superko), games, longest);
    }
    for superko in [Superko::Positional, Superko::Situational, Superko::Off] {
        agree::<UpTo7>(2, superko, 60, 60);
        agree::<UpTo7>(3, superko, 30, 100);
        agree::<UpTo7>(5, superko, 4, 150);
    }
    agree::<UpTo10>(9, Superko::Positional, 2, 120);
    agree::<UpTo13>(12, Superko::Off, 1, 100);
    agree::<UpTo19>(19, Superko::Off, 1, 60);
}

#[test]
fn the_contract_is_kept() {
    let positional = Suite { games: 3, longest: 120, ..Suite::default() };
    positional.positions(&go::<UpTo7>(3));
    positional.positions(&go::<UpTo7>(5));
    positional.garbage(&go::<UpTo7>(5));
    Suite { games: 1, longest: 80, ..Suite::default() }.positions(&go::<UpTo10>(9));
    // Playouts know simple ko only, so the rules that replay them do too.
    fn playouts<S: PointSet>(size: usize, playouts: u64, draws: u64) {
        let game = Go::<S>::new(rules(size, Superko::Off)).unwrap();
        let cap = Some(3 * (size * size) as u32);
        let suite = Suite { playouts, draws, playout_cap: cap, ..Suite::default() };
        suite.playouts(&game);
        suite.uniformity(&game);
    }
    playouts::<UpTo7>(2, 30, 6000);
    playouts::<UpTo7>(5, 60, 8000);
    playouts::<UpTo7>(7, 30, 5000);
    playouts::<UpTo10>(9, 20, 5000);
    let misere = misere(Go::<UpTo7>::new(rules(4, Superko::Off)).unwrap());
    Suite { games: 3, longest: 80, draws: 3000, playout_cap: Some(48), ..Suite::default() }.run(&misere);
    let large = Suite { playouts: 3, playout_cap: Some(3 * 361), ..Suite::default() };
    large.playouts(&Go::<UpTo13>::new(rules(11, Superko::Off)).unwrap());
    large.playouts(&Go::<UpTo19>::new(rules(19, Superko::Off)).unwrap());
}

/// Simulated positions late in a game, where eyes, barred points and immune
/// chains abound: the first move of a playout is uniform over the search moves.
#[test]
fn late_positions_are_uniform_too() {
    let suite = Suite { draws: 4000, playout_cap: Some(243), ..Suite::default() };
    let game = Go::<UpTo10>::new(rules(9, Superko::Off)).unwrap();
    for index in 0..6 {
        let mut rng = Seed::new(6).child(index).rng();
        let mut position = game.clone();
        for _ in 0..50 + 8 * index {
            let Some(&mv) = rng.choose(&position.search_moves()) else { break };
            position.play_unchecked(mv);
        }
        suite.first_moves_are_uniform(&position, &mut rng);
        suite.like_the_plain_loop(&position, &mut rng);
    }
}

#[test]
fn all_instruction_sets_play_the_same() {
    fn same<S: PointSet>(size: usize) {
        let game = go::<S>(size);
        for index in 0..20 {
            let mut rng = Seed::new(5).child(index).rng();
            let (mut codes, mut portable_codes) = (Vec::new(), Vec::new());
            let portable = game.playout_portable(&mut rng.clone(), &mut portable_codes);
            assert_eq!(game.playout(&mut rng, &mut codes), portable);
            assert_eq!(codes, portable_codes);
        }
    }
    same::<UpTo7>(5);
    same::<UpTo10>(9);
    same::<UpTo13>(13);
    same::<UpTo19>(19);
}

#[test]
fn all_machines_play_the_same() {
    let (here, elsewhere) = (go::<UpTo10>(9), go::<Folded<Plain>>(9));
    for index in 0..20 {
        let mut rng = Seed::new(6).child(index).rng();
        let (mut codes, mut other_codes) = (Vec::new(), Vec::new());
        let other = elsewhere.playout(&mut rng.clone(), &mut other_codes);
        assert_eq!(here.playout(&mut rng, &mut codes), other);
        assert_eq!(codes, other_codes);
    }
}

#[test]
fn the_golden_playthrough_is_unchanged() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/go/playthrough.txt");
    playthrough::check(&go::<UpTo7>(4), 60, file);
}

fn play<S: PointSet>(game: &mut Go<S>, names: &str) {
    for name in names.split_whitespace() {
        game.play(game.parse_move(name).unwrap()).unwrap();
    }
}

#[test]
fn ko_forbids_taking_back_at_once() {
    for superko in [Superko::Positional, Superko::Situational, Superko::Off] {
        let start = Go::<UpTo7>::new(rules(5, superko)).unwrap();
        let mut game = start.parse_position("5/5/1bw2/b1bw1/1bw2 w - 0").unwrap();
        play(&mut game, "b2");
        assert_eq!(game.position_text().unwrap(), "5/5/1bw2/bw1w1/1bw2 b c2 0");
        let error = game.parse_move("c2").unwrap_err().to_string();
        assert_eq!(error, "'c2' is not a legal move here: ko forbids it");
        play(&mut game, "e5 d5 c2");
        let read = start.parse_position("5/5/1bw2/bw1w1/1bw2 b c2 0").unwrap();
        assert!(read.parse_move("c2").is_err());
    }
}

#[test]
fn superko_forbids_longer_repetitions() {
    // On the 2x2 board White takes two stones, then one, and would lose all three:
    // that would bring back the board after the first move.
    for superko in [Superko::Positional, Superko::Situational, Superko::Off] {
        let mut game = Go::<UpTo7>::new(rules(2, superko)).unwrap();
        play(&mut game, "a1 b2 b1 a2 a1 b1");
        assert_eq!(game.position_text().unwrap(), "ww/1w b - 0");
        match superko {
            Superko::Off => play(&mut game, "a1"),
            _ => assert_eq!(
                game.parse_move("a1").unwrap_err().to_string(),
                "'a1' is not a legal move here: superko forbids it: that board has been there before"
            ),
        }
    }
}

/// However a game's boards are divided between its past and its own, copies are
/// equal to it, forbid the same moves, and do not change one another.
#[test]
fn copies_share_the_past_and_nothing_else() {
    let start = Go::<UpTo7>::new(rules(2, Superko::Positional)).unwrap();
    let mut alone = start.clone();
    play(&mut alone, "a1 b2 b1 a2 a1 b1");
    // The original moves on while copies hold its past, and they move on too.
    let mut game = start.clone();
    play(&mut game, "a1 b2");
    let mut copy = game.clone();
    play(&mut game, "b1");
    play(&mut copy, "a2");
    let mut last = copy.clone();
    assert!(copy != game && last == copy);
    last.clone_from(&game);
    assert!(last == game);
    for position in [&mut game, &mut last] {
        play(position, "a2 a1 b1");
        assert!(*position == alone && position.clone() == alone);
        assert!(position.parse_move("a1").is_err() && position.clone().parse_move("a1").is_err());
    }
    assert_eq!(copy.position_text().unwrap(), "bw/b1 w - 0");
}

#[test]
fn the_area_and_the_komi_decide() {
    let game = |komi_in_halves, draws| {
        let rules = GoRules { size: 4, komi_in_halves, draws, ..GoRules::default() };
        // Black has 9 points and White 6; the corner a1 is nobody's.
        let mut game = Go::<UpTo7>::new(rules).unwrap().parse_position("1bb1/bbbb/bwww/1w1w b - 0").unwrap();
        play(&mut game, "pass pass");
        assert_eq!(game.area_difference(), 3);
        assert_eq!(game.margin(), Some(3.0 - f64::from(komi_in_halves) / 2.0));
        assert_eq!(misere(game.clone()).margin(), None);
        game.outcome().unwrap()
    };
    assert_eq!(game(5, Draws::Black), Outcome::Win(Side::Black));
    assert_eq!(game(7, Draws::Black), Outcome::Win(Side::White));
    assert_eq!(game(6, Draws::Black), Outcome::Win(Side::Black));
    assert_eq!(game(6, Draws::Half), Outcome::Draw);
    let neutral = go::<UpTo7>(3).parse_position("bbb/3/www b - 2").unwrap();
    assert_eq!(neutral.area_difference(), 0);
    assert_eq!(go::<UpTo7>(3).parse_position("3/3/3 b - 2").unwrap().area_difference(), 0);
}

#[test]
fn a_pass_is_searched_only_when_nothing_else_is_left() {
    let game = go::<UpTo7>(3).parse_position("1b1/bbb/1b1 b - 0").unwrap();
    let names = |moves: Vec<_>| moves.iter().map(|&mv| game.move_text(mv)).collect::<Vec<_>>();
    assert_eq!(names(game.moves()), ["a1", "c1", "a3", "c3", "pass"]);
    assert_eq!(names(game.search_moves()), ["pass"]);
}

#[test]
fn bad_texts_are_refused_in_a_sentence() {
    let error = |text: &str| go::<UpTo7>(3).parse_position(text).unwrap_err().to_string();
    let refused = |text: &str, reason: &str| {
        assert_eq!(error(text), format!("'{text}' is not a position of this game: {reason}"))
    };
    refused("1bw/1bb/3 w - 0", "White has a chain without liberties");
    refused("3/3/3 b a1 0", "there is no ko at the point given");
    refused("3/3/3 b z9 0", "the ko field is a point or -");
    refused("3/3/3 b - 3", "the last field is the number of passes, 0, 1 or 2");
    refused("3/3/3 b -", "after the side to move come 2 more fields, not 1");
    assert!(Go::<UpTo19>::new(rules(20, Superko::Off)).is_err());
    assert!(Go::<UpTo7>::new(rules(8, Superko::Off)).is_err());
    let game = go::<UpTo7>(3);
    assert!(game.parse_move("pass").is_ok() && game.parse_move("PASS").is_ok());
    let refused = |text: &str| game.parse_move(text).unwrap_err().to_string();
    assert_eq!(refused("d1"), "'d1' is not a legal move here: the board has columns a to c and rows 1 to 3");
    assert!(refused("first").starts_with("'first' is not a legal move here: 10 moves are legal"));
    let large = go::<UpTo10>(9).parse_move("i5").unwrap_err().to_string();
    assert!(large.ends_with("the board has columns a to j without i and rows 1 to 9"), "{large}");
}

/// A side may be given the move, as if the other had let its turn go: stones and past stay, ko
/// is over, and a game that ended by passes goes on.
#[test]
fn a_side_may_be_given_the_move() {
    let mut game = go::<UpTo7>(3);
    let play = |game: &mut Go<UpTo7>, name: &str| game.play(game.parse_move(name).unwrap()).unwrap();
    for name in ["a1", "b2", "pass", "pass"] {
        play(&mut game, name);
    }
    assert!(game.outcome().is_some());
    for side in Side::BOTH {
        let mut given = game.with_to_move(side).unwrap();
        assert_eq!((given.to_move(), given.outcome()), (side, None));
        assert_eq!(given.hash(), given.recomputed_hash());
        assert_eq!(given.area_difference(), game.area_difference());
        play(&mut given, "c3");
        // The board of the beginning is still known: nothing brings it back.
        assert_eq!(given.piece_at(2, 2), Some(side));
    }
    // White takes a ko; given the move, Black may not take back at once if that repeats a board.
    let mut ko = go::<UpTo7>(4);
    for name in ["b1", "c1", "a2", "d2", "b3", "c3", "c2", "b2"] {
        play(&mut ko, name);
    }
    assert!(ko.parse_move("c2").is_err(), "ko");
    let again = ko.with_to_move(Side::White).unwrap().with_to_move(Side::Black).unwrap();
    let error = again.parse_move("c2").unwrap_err().to_string();
    assert!(error.contains("superko"), "{error}");
}

/// The planes of a position on 3x3, and the numbers of moves: they are part of the encoding.
#[test]
fn encoding() {
    let game = go::<UpTo7>(3).parse_position("b1w/bw1/1bw w - 0").unwrap_or_else(|error| panic!("{error}"));
    let form = game.network_form().unwrap();
    assert_eq!((form.encoding.as_str(), form.planes, form.n_logits), ("go/1", 10, 10));
    let planes = tesuji_testkit::networks::written(&game, &form);
    let row = |cells: [u8; 9]| cells.map(f32::from);
    let expected = [
        // White's stones and Black's, from the bottom.
        row([0, 0, 1, 0, 1, 0, 0, 0, 1]),
        row([0, 1, 0, 1, 0, 0, 1, 0, 0]),
        // c1 has only c2; b2 and c3 have b3 and c2.
        row([0, 0, 1, 0, 0, 0, 0, 0, 0]),
        row([0, 0, 0, 0, 1, 0, 0, 0, 1]),
        // b1 has only a1; a2 and a3 have a1 and b3.
        row([0, 1, 0, 0, 0, 0, 0, 0, 0]),
        row([0, 0, 0, 1, 0, 0, 1, 0, 0]),
        // White may play a1, where it takes b1.
        row([0; 9]),
        row([1; 9]),
        [7.5 / 16.0; 9],
        row([0; 9]),
    ];
    assert_eq!(planes, expected.concat());
    let logit = |text: &str| game.logit(game.parse_move(text).unwrap());
    assert_eq!([logit("a1"), logit("c2"), logit("b3"), logit("pass")], [0, 5, 7, 9]);
    // An even score is Black's win: a komi of 6 is worth no more than 5.5.
    let rules = GoRules { size: 3, komi_in_halves: 12, ..GoRules::default() };
    let mut even = Go::<UpTo7>::new(rules).unwrap();
    assert_eq!(tesuji_testkit::networks::written(&even, &form)[72], -5.5 / 16.0);
    even.play_unchecked(GoMove::Pass);
    assert_eq!(tesuji_testkit::networks::written(&even, &form)[72..][..10].last(), Some(&1.0));
}
