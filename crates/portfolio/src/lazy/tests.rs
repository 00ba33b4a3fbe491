//! The lazy algorithms on matrices whose equilibria are known.

use proptest::prelude::*;
use tesuji_core::{Rng, Seed};

use super::*;
use crate::{Matrix, solve};

/// Rows and columns that differ moderately: wins with probability
/// logistic(a_i − b_j), a and b near normal with standard deviation 0.6.
fn moderate(size: usize, seed: u64) -> Matrix {
    let mut rng = Seed::new(seed).rng();
    // The sum of twelve uniform numbers, less six, is nearly normal.
    let normal = |rng: &mut Rng| (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
    let black: Vec<f64> = (0..size).map(|_| 0.6 * normal(&mut rng)).collect();
    let white: Vec<f64> = (0..size).map(|_| 0.6 * normal(&mut rng)).collect();
    let entry = |i: usize, j: usize| {
        let chance = 1.0 / (1.0 + libm::exp(white[j] - black[i]));
        f64::from(u8::from(rng.chance(chance)))
    };
    Matrix::from_function(size, size, entry).unwrap()
}

fn coins(rows: usize, columns: usize, seed: u64) -> Matrix {
    let mut rng = Seed::new(seed).rng();
    Matrix::from_function(rows, columns, |_, _| f64::from(rng.below(2))).unwrap()
}

/// Runs to the end, and gives the mixtures' gap and the games it took.
fn finished(matrix: &Matrix, config: DoubleOracleConfig) -> (f64, u64) {
    let mut played = Played::new(matrix);
    let mut oracle = DoubleOracle::new(matrix.rows(), matrix.columns(), config);
    let mut steps = 0;
    while oracle.step(&mut played).unwrap() == Progress::Going {
        let portfolio = oracle.portfolio();
        assert!((portfolio.black.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!((portfolio.white.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let gap = matrix.gap(&portfolio.black, &portfolio.white);
        assert!(gap <= played.gap_bound(&portfolio) + 1e-12);
        steps += 1;
        assert!(steps < 10_000);
    }
    let portfolio = oracle.portfolio();
    let gap = matrix.gap(&portfolio.black, &portfolio.white);
    // What it knows without the matrix is all there is to know.
    assert!((played.gap_bound(&portfolio) - gap).abs() < 2e-6 + 2e-9);
    (gap, played.games())
}

#[test]
fn a_quarter_of_the_games_is_enough() {
    let matrix = moderate(400, 1);
    let mut played = Played::new(&matrix);
    let mut oracle = DoubleOracle::new(400, 400, DoubleOracleConfig::default());
    let mut exploitability = 1.0;
    while exploitability > 0.05 {
        oracle.step(&mut played).unwrap();
        let portfolio = oracle.portfolio();
        exploitability = matrix.exploitability(&portfolio.black, &portfolio.white);
    }
    assert!(played.games() <= 40_000, "{}", played.games());
}

#[test]
fn a_finished_run_is_an_equilibrium() {
    for seed in 0..3 {
        let (gap, games) = finished(&moderate(80, seed), DoubleOracleConfig::default());
        assert!(gap <= 2e-6 + 1e-9, "{gap}");
        assert!(games <= 6400);
        assert!(finished(&coins(30, 50, seed), DoubleOracleConfig::default()).0 <= 2e-6 + 1e-9);
    }
}

#[test]
fn certainty_can_be_had_from_the_beginning() {
    let config =
        DoubleOracleConfig { confidence: f64::INFINITY, screening: 0, ..DoubleOracleConfig::default() };
    assert!(finished(&moderate(60, 1), config).0 <= 2e-6 + 1e-9);
}

#[test]
fn equal_seeds_play_equal_games() {
    let matrix = moderate(60, 2);
    let run = || {
        let mut played = Played::new(&matrix);
        let mut oracle = DoubleOracle::new(60, 60, DoubleOracleConfig::default());
        for _ in 0..5 {
            oracle.step(&mut played).unwrap();
        }
        (oracle.portfolio(), played.games())
    };
    assert_eq!(run(), run());
}

#[test]
fn grigoriadis_and_khachiyan_keep_their_promise() {
    let matrix = coins(40, 60, 1);
    let value = solve(&matrix).value;
    let config = GrigoriadisKhachiyanConfig { precision: 0.1, seed: Seed::new(1) };
    let mut run = GrigoriadisKhachiyan::new(40, 60, config);
    // 4 · ln(100) / 0.2² = 460.5.
    assert_eq!(run.steps_left(), 461);
    let mut played = Played::new(&matrix);
    while run.step(&mut played).unwrap() == Progress::Going {}
    assert_eq!(run.steps_left(), 0);
    assert_eq!(run.step(&mut played), Ok(Progress::Finished));
    let portfolio = run.portfolio();
    let most = matrix.against_rows(&portfolio.white).into_iter().fold(0.0, f64::max);
    let least = matrix.against_columns(&portfolio.black).into_iter().fold(1.0, f64::min);
    assert!(most <= value + 0.1 && least >= value - 0.1, "{least} {value} {most}");
}

#[test]
fn exp3_approaches_an_equilibrium() {
    let matrix = Matrix::from_rows(&[[1.0, 0.0], [0.0, 0.5]]).unwrap();
    let mut played = Played::new(&matrix);
    let mut run = Exp3::new(2, 2, Exp3Config { batch: 10, seed: Seed::new(1) });
    for _ in 0..5000 {
        run.step(&mut played).unwrap();
    }
    assert_eq!((run.drawn(), played.games()), (50_000, 4));
    let portfolio = run.portfolio();
    let exploitability = matrix.exploitability(&portfolio.black, &portfolio.white);
    assert!(exploitability < 0.05, "{exploitability}");
}

proptest! {
    #[test]
    fn any_small_game_is_solved(
        (rows, columns, seed, screening, first) in (1_usize..12, 1_usize..12, any::<u64>(), 0_usize..4, 0_usize..5)
    ) {
        let config = DoubleOracleConfig { screening, first, ..DoubleOracleConfig::default() };
        let (gap, games) = finished(&coins(rows, columns, seed), config);
        prop_assert!(gap <= 2e-6 + 1e-9);
        prop_assert!(games <= (rows * columns) as u64);
    }
}

#[test]
fn learning_ends() {
    let coins = |seed: u64| {
        let mut rng = Seed::new(seed).rng();
        Matrix::from_function(6, 6, |_, _| f64::from(u8::from(rng.chance(0.5)))).unwrap()
    };
    let exp3 = || Exp3::new(6, 6, Exp3Config { batch: 8, seed: Seed::new(1) });
    // Never enough: all games are played, and the equilibrium is exact.
    let matrix = coins(1);
    let portfolio = learn(exp3(), &mut Played::new(&matrix), |_, _| false).unwrap();
    assert!(matrix.gap(&portfolio.black, &portfolio.white) < 1e-9);
    // Enough at once.
    let mut played = Played::new(&matrix);
    learn(exp3(), &mut played, |_, _| true).unwrap();
    assert!(played.games() <= 8);
    // A source that runs out of time.
    struct Late<'a>(&'a Matrix);
    impl Entries for Late<'_> {
        type Error = std::convert::Infallible;

        fn size(&self) -> (usize, usize) {
            (self.0.rows(), self.0.columns())
        }

        fn play(&mut self, _: &[(usize, usize)], _: &mut Vec<f64>) -> Result<(), Self::Error> {
            Ok(())
        }
    }
    let mut late = Played::new(Late(&matrix));
    let portfolio = learn(exp3(), &mut late, |_, _| false).unwrap();
    assert_eq!((late.games(), portfolio.black.len()), (0, 6));
}
