//! The chain kernel on boards of all sizes, against the rules and against the
//! bit-parallel kernel.

use std::ops::ControlFlow;

use tesuji_core::isa::{dispatch, dispatch_portable};
use tesuji_core::{Code, Game, Outcome, Playout, Record, Rng, Seed, Side, Silent};
use tesuji_testkit::conformance::Suite;
use tesuji_testkit::statistics::goodness_p_value;

use super::large::LargePlayout;
use super::playout::GoPlayout;
use super::{Go, GoMove, GoRules, Superko};
use crate::goban::{PointSet, UpTo7, UpTo10, UpTo13, UpTo19};

/// Go whose playouts are by the chain kernel, whatever its size.
#[derive(Clone)]
struct Chained<S: PointSet>(Go<S>);

impl<S: PointSet> Chained<S> {
    fn new(size: usize) -> Self {
        Chained(Go::new(GoRules { size, superko: Superko::Off, ..GoRules::default() }).unwrap())
    }

    fn kernel<'a, R: Record>(
        &'a self,
        rng: &'a mut Rng,
        record: &'a mut R,
    ) -> LargePlayout<'a, S, R, 20, 421> {
        let Go { board, ko, passes, .. } = &self.0;
        LargePlayout { board, ko: *ko, passes: *passes, rng, record }
    }

    /// Some plies into a random game of search moves.
    fn later(&self, plies: u64, rng: &mut Rng) -> Self {
        let mut position = self.clone();
        for _ in 0..plies {
            let Some(&mv) = rng.choose(&position.search_moves()) else { break };
            position.play_unchecked(mv);
        }
        position
    }
}

impl<S: PointSet> Game for Chained<S> {
    type Move = GoMove;

    fn to_move(&self) -> Side {
        self.0.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn try_for_each_move<B>(&self, visit: impl FnMut(GoMove) -> ControlFlow<B>) -> ControlFlow<B> {
        self.0.try_for_each_move(visit)
    }

    fn try_for_each_search_move<B>(&self, visit: impl FnMut(GoMove) -> ControlFlow<B>) -> ControlFlow<B> {
        self.0.try_for_each_search_move(visit)
    }

    fn play_unchecked(&mut self, mv: GoMove) {
        self.0.play_unchecked(mv);
    }

    fn hash(&self) -> u64 {
        self.0.hash()
    }

    fn n_codes(&self) -> usize {
        self.0.n_codes()
    }

    fn code(&self, mv: GoMove) -> Code {
        self.0.code(mv)
    }

    fn move_text(&self, mv: GoMove) -> String {
        self.0.move_text(mv)
    }

    fn position_text(&self) -> Option<String> {
        self.0.position_text()
    }

    fn drawing(&self) -> String {
        self.0.drawing()
    }

    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        let (difference, plies) = dispatch(self.kernel(rng, record));
        Playout { outcome: self.0.rules.decide(difference), plies }
    }
}

fn suite(size: usize, playouts: u64, draws: u64) -> Suite {
    Suite { playouts, draws, playout_cap: Some(3 * (size * size) as u32), ..Suite::default() }
}

#[test]
fn small_boards_keep_the_contract() {
    fn keeps<S: PointSet>(size: usize, playouts: u64, draws: u64) {
        suite(size, playouts, draws).playouts(&Chained::<S>::new(size));
        suite(size, playouts, draws).uniformity(&Chained::<S>::new(size));
    }
    keeps::<UpTo7>(2, 200, 6000);
    keeps::<UpTo7>(5, 200, 8000);
    keeps::<UpTo10>(9, 60, 5000);
    // Without superko and without a cap the plain loop can go on for ever here.
    suite(3, 300, 0).playouts(&Chained::<UpTo7>::new(3));
}

#[test]
fn large_boards_keep_the_contract() {
    fn keeps<S: PointSet>(size: usize) {
        let game = Go::<S>::new(GoRules { size, superko: Superko::Off, ..GoRules::default() }).unwrap();
        let suite = suite(size, 6, 5 * (size * size) as u64);
        suite.playouts(&game);
        for (index, plies) in [0, 150, 2 * (size * size) as u64 / 3].into_iter().enumerate() {
            let mut rng = Seed::new(7).child(size as u64).child(index as u64).rng();
            let position = Chained(game.clone()).later(plies, &mut rng).0;
            suite.first_moves_are_uniform(&position, &mut rng);
        }
    }
    keeps::<UpTo13>(11);
    keeps::<UpTo13>(13);
    keeps::<UpTo19>(14);
    keeps::<UpTo19>(19);
    let start = Go::<UpTo13>::new(GoRules { size: 11, superko: Superko::Off, ..GoRules::default() }).unwrap();
    let mut rng = Seed::new(8).rng();
    suite(11, 0, 5000).like_the_plain_loop(&start, &mut rng);
}

/// The area by the kernel is that of the rules, also where the cap cut the game
/// off and empty regions are large.
#[test]
fn the_area_is_that_of_the_rules() {
    fn agrees<S: PointSet>(size: usize, playouts: u64) -> u64 {
        let start = Chained::<S>::new(size);
        let mut n_capped = 0;
        for index in 0..playouts {
            let mut rng = Seed::new(9).child(index).rng();
            let mut position = start.later(index % 8, &mut rng);
            let mut codes = Vec::new();
            let (difference, plies) = dispatch(position.kernel(&mut rng, &mut codes));
            for &code in &codes {
                let mv = position.search_moves().into_iter().find(|&mv| position.code(mv) == code);
                position.play_unchecked(mv.expect("playouts play search moves"));
            }
            n_capped += u64::from(plies == 3 * (size * size) as u32);
            assert_eq!(difference, position.0.area_difference(), "{}", position.drawing());
        }
        n_capped
    }
    assert!(agrees::<UpTo7>(2, 500) > 5);
    agrees::<UpTo7>(3, 300);
    agrees::<UpTo7>(6, 100);
    agrees::<UpTo19>(15, 5);
}

/// A game that is over, and one that a single pass ends.
#[test]
fn passes_before_the_playout_count() {
    let start = Chained::<UpTo7>::new(3);
    let play = |text: &str| {
        let position = Chained(start.0.parse_position(text).unwrap());
        let mut codes = Vec::new();
        (dispatch(position.kernel(&mut Seed::new(1).rng(), &mut codes)), codes)
    };
    assert_eq!(play("bbb/3/www b - 2"), ((0, 0), vec![]));
    assert_eq!(play("3/3/b2 w - 2"), ((9, 0), vec![]));
    assert_eq!(play("1b1/bbb/1b1 w - 1"), ((9, 1), vec![19]));
    assert_eq!(play("1b1/bbb/1b1 b - 0"), ((9, 2), vec![18, 19]));
}

/// Ko at the start forbids the first move there, and only that.
#[test]
fn ko_is_kept_in_playouts() {
    let start = Chained::<UpTo7>::new(5);
    let text = "5/5/1bw2/bw1w1/1bw2 b c2 0";
    let position = Chained(start.0.parse_position(text).unwrap());
    suite(5, 0, 4000).first_moves_are_uniform(&position, &mut Seed::new(3).rng());
    suite(5, 0, 8000).like_the_plain_loop(&position, &mut Seed::new(4).rng());
}

#[test]
fn all_instruction_sets_play_the_same() {
    fn same<S: PointSet>(size: usize) {
        let game = Chained::<S>::new(size);
        for index in 0..30 {
            let mut rng = Seed::new(5).child(index).rng();
            let position = game.later(5 * index, &mut rng);
            let (mut codes, mut portable_codes, mut again) = (Vec::new(), Vec::new(), rng.clone());
            let played = dispatch(position.kernel(&mut rng, &mut codes));
            assert_eq!(dispatch_portable(position.kernel(&mut again, &mut portable_codes)), played);
            assert_eq!(codes, portable_codes);
            assert_eq!(rng, again);
        }
    }
    same::<UpTo7>(6);
    same::<UpTo10>(10);
    same::<UpTo13>(12);
    same::<UpTo19>(17);
}

/// Areas and lengths are distributed as those of the bit-parallel kernel, from the
/// empty board and from late positions.
#[test]
fn both_kernels_have_the_same_distribution() {
    fn alike<S: PointSet>(size: usize, plies: u64, n: usize) {
        let mut rng = Seed::new(11).child(size as u64).child(plies).rng();
        let position = Chained::<S>::new(size).later(plies, &mut rng);
        let Go { board, ko, passes, .. } = position.0;
        let by_bits: Vec<_> = (0..n)
            .map(|_| dispatch(GoPlayout { board, ko, passes, rng: &mut rng, record: &mut Silent }))
            .collect();
        let by_chains: Vec<_> = (0..n).map(|_| dispatch(position.kernel(&mut rng, &mut Silent))).collect();
        let areas = |sample: &[(i32, u32)]| sample.iter().map(|played| i64::from(played.0)).collect();
        let lengths = |sample: &[(i32, u32)]| sample.iter().map(|played| i64::from(played.1)).collect();
        for (one, other) in [(areas(&by_bits), areas(&by_chains)), (lengths(&by_bits), lengths(&by_chains))] {
            let p = two_sample_p_value(one, other);
            assert!(p > 1e-6, "p = {p:e} on {size}x{size} after {plies} plies");
        }
    }
    for plies in [0, 12, 20] {
        alike::<UpTo7>(5, plies, 20_000);
    }
    for plies in [0, 30, 60, 80] {
        alike::<UpTo10>(9, plies, 6000);
    }
    alike::<UpTo13>(13, 0, 1500);
    alike::<UpTo13>(13, 140, 1500);
}

/// The probability that two samples of equal size from one distribution would
/// look at least as different, in tenths of the first: see `like_the_plain_loop`
/// in the testkit for the arithmetic.
fn two_sample_p_value(mut one: Vec<i64>, other: Vec<i64>) -> f64 {
    one.sort_unstable();
    let mut edges: Vec<_> = (1..10).map(|tenth| one[tenth * one.len() / 10]).collect();
    edges.dedup();
    let mut table = vec![[0_u64; 2]; edges.len() + 1];
    for (column, sample) in [one, other].into_iter().enumerate() {
        for value in sample {
            table[edges.partition_point(|&edge| edge <= value)][column] += 1;
        }
    }
    table.retain(|[a, b]| a + b > 0);
    match table.len() {
        1 => 1.0,
        _ => goodness_p_value(&table.iter().map(|&[a, b]| (2 * a, (a + b) as f64)).collect::<Vec<_>>()),
    }
}
