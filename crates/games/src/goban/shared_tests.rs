//! The tests that Atarigo and NoGo share: what a game of stones without passes
//! has to agree with.

/// Makes the tests of a game: `$Game` its type and the name of its
/// [`Kind`](super::reference::Kind), `$name` its folder.
macro_rules! stone_game_tests {
    ($Game:ident, $name:literal) => {
        use tesuji_testkit::conformance::Suite;
        use tesuji_testkit::{perft_file, playthrough, reference};

        use $crate::goban::reference::{Kind, SlowGo};
        use $crate::goban::{PointSet, UpTo10, UpTo13};

        fn slow(size: usize) -> SlowGo {
            SlowGo::new(Kind::$Game, size)
        }

        #[test]
        fn perft_agrees_with_the_file_and_the_reference() {
            perft_file::check(include_str!(concat!($name, ".perft")), 600_000, |size| {
                let size = size.parse().unwrap();
                ($Game::<UpTo10>::new(size).unwrap(), slow(size))
            });
        }

        #[test]
        fn rules_agree_with_the_reference() {
            fn agree<S: PointSet>(size: usize, games: u64) {
                reference::agrees_along_random_games(
                    &$Game::<S>::new(size).unwrap(),
                    &slow(size),
                    games,
                    400,
                );
            }
            (2..=7).for_each(|size| agree::<UpTo7>(size, 20));
            agree::<UpTo10>(9, 8);
            agree::<UpTo13>(13, 1);
            agree::<UpTo19>(19, 1);
        }

        #[test]
        fn the_contract_is_kept() {
            let suite = Suite { games: 3, playouts: 30, draws: 6000, ..Suite::default() };
            suite.run(&$Game::<UpTo7>::new(2).unwrap());
            suite.run(&$Game::<UpTo7>::new(5).unwrap());
            suite.run(&$Game::<UpTo10>::new(9).unwrap());
            suite.run(&misere($Game::<UpTo7>::new(4).unwrap()));
            let brief = Suite { games: 1, playouts: 4, draws: 3000, ..Suite::default() };
            brief.run(&$Game::<UpTo13>::new(11).unwrap());
            brief.playouts(&$Game::<UpTo19>::new(19).unwrap());
        }

        #[test]
        fn all_instruction_sets_play_the_same() {
            fn same<S: PointSet>(size: usize) {
                let game = $Game::<S>::new(size).unwrap();
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
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/", $name, "/playthrough.txt");
            playthrough::check(&$Game::<UpTo7>::new(4).unwrap(), 100, file);
        }
    };
}

pub(crate) use stone_game_tests;
