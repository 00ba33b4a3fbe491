use tesuji_core::{Game, Outcome, Seed, Side, isa};
use tesuji_testkit::conformance::Suite;
use tesuji_testkit::{perft_file, playthrough, reference};

use super::NoGo;
use crate::Misere;
use crate::goban::reference::{Kind, SlowGo};
use crate::goban::{PointSet, UpTo7, UpTo10, UpTo13, UpTo19};

fn slow(size: usize) -> SlowGo {
    SlowGo::new(Kind::NoGo, size)
}

#[test]
fn perft_agrees_with_the_file_and_the_reference() {
    perft_file::check(include_str!("nogo.perft"), 200_000, |size| {
        let size = size.parse().unwrap();
        (NoGo::<UpTo10>::new(size).unwrap(), slow(size))
    });
}

#[test]
fn rules_agree_with_the_reference() {
    fn agree<S: PointSet>(size: usize, games: u64) {
        reference::agrees_along_random_games(&NoGo::<S>::new(size).unwrap(), &slow(size), games, 400);
    }
    (2..=7).for_each(|size| agree::<UpTo7>(size, 20));
    agree::<UpTo10>(9, 8);
    agree::<UpTo13>(13, 1);
    agree::<UpTo19>(19, 1);
}

#[test]
fn the_contract_is_kept() {
    let suite = Suite { games: 3, playouts: 30, draws: 6000, ..Suite::default() };
    suite.run(&NoGo::<UpTo7>::new(2).unwrap());
    suite.run(&NoGo::<UpTo7>::new(5).unwrap());
    suite.run(&NoGo::<UpTo10>::new(9).unwrap());
    suite.run(&Misere(NoGo::<UpTo7>::new(4).unwrap()));
    let brief = Suite { games: 1, playouts: 4, draws: 3000, ..Suite::default() };
    brief.run(&NoGo::<UpTo13>::new(11).unwrap());
    brief.playouts(&NoGo::<UpTo19>::new(19).unwrap());
}

#[test]
fn all_instruction_sets_play_the_same() {
    fn same<S: PointSet>(size: usize) {
        let game = NoGo::<S>::new(size).unwrap();
        for index in 0..20 {
            let mut rng = Seed::new(5).child(index).rng();
            let (mut codes, mut portable_codes) = (Vec::new(), Vec::new());
            let portable = isa::dispatch_portable(game.kernel(&mut rng.clone(), &mut portable_codes));
            assert_eq!(game.playout(&mut rng, &mut codes), portable);
            assert_eq!(codes, portable_codes);
        }
    }
    same::<UpTo7>(7);
    same::<UpTo10>(9);
    same::<UpTo19>(19);
}

#[test]
fn the_golden_playthrough_is_unchanged() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/nogo/playthrough.txt");
    playthrough::check(&NoGo::<UpTo7>::new(4).unwrap(), 100, file);
}

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
    assert_eq!(Misere(stuck).outcome(), Some(Outcome::Win(Side::White)));
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
