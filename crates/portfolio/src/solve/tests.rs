//! The solver against one that others wrote, and against games solved by hand.

use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem};
use proptest::prelude::*;
use tesuji_core::Seed;

use super::tableau::End;
use super::*;

/// The value by an independent solver: the greatest v that some mixture of Black's
/// attains against every column.
fn oracle(matrix: &Matrix) -> f64 {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let value = problem.add_var(1.0, (0.0, 1.0));
    let black: Vec<_> = (0..matrix.rows()).map(|_| problem.add_var(0.0, (0.0, f64::INFINITY))).collect();
    for column in 0..matrix.columns() {
        let mut reward = LinearExpr::empty();
        reward.add(value, -1.0);
        black.iter().enumerate().for_each(|(row, &weight)| reward.add(weight, matrix.at(row, column)));
        problem.add_constraint(reward, ComparisonOp::Ge, 0.0);
    }
    let mut sum = LinearExpr::empty();
    black.iter().for_each(|&weight| sum.add(weight, 1.0));
    problem.add_constraint(sum, ComparisonOp::Eq, 1.0);
    let outcome = problem.solve().expect("every matrix game has a value");
    outcome.into_solution().expect("no limit was set").objective()
}

/// All that an equilibrium promises.
fn checked(matrix: &Matrix) -> Equilibrium {
    let found = solve(matrix);
    let shape = format!("{} x {}", matrix.rows(), matrix.columns());
    assert_eq!((found.black.len(), found.white.len()), (matrix.rows(), matrix.columns()));
    for weights in [&found.black, &found.white] {
        assert!(weights.iter().all(|&weight| weight >= 0.0), "{shape}");
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{shape}");
    }
    assert!((0.0..=1e-9).contains(&found.gap), "{shape}: {}", found.gap);
    assert_eq!(found.gap, matrix.gap(&found.black, &found.white).max(0.0), "{shape}");
    assert!((-1e-9..=1.0 + 1e-9).contains(&found.value), "{shape}: {}", found.value);
    found
}

/// The same, and the value is the oracle's.
fn compared(matrix: &Matrix) {
    let (found, expected) = (checked(matrix).value, oracle(matrix));
    let shape = format!("{} x {}", matrix.rows(), matrix.columns());
    assert!((found - expected).abs() < 1e-7, "{shape}: {found}, and the oracle says {expected}");
}

fn real(rows: usize, columns: usize, seed: u64) -> Matrix {
    let mut rng = Seed::new(seed).child("real").rng();
    Matrix::from_function(rows, columns, |_, _| rng.unit()).unwrap()
}

fn binary(rows: usize, columns: usize, density: f64, seed: u64) -> Matrix {
    let mut rng = Seed::new(seed).child("binary").rng();
    Matrix::from_function(rows, columns, |_, _| f64::from(u8::from(rng.chance(density)))).unwrap()
}

const DENSITIES: [f64; 6] = [0.02, 0.1, 0.5, 0.7, 0.9, 0.99];

#[test]
fn small_random_games_have_the_oracles_value() {
    for seed in 0..20 {
        for (rows, columns) in [(2, 2), (2, 7), (3, 3), (7, 2), (5, 9), (12, 12), (20, 11), (1, 30), (30, 30)]
        {
            compared(&real(rows, columns, seed));
            DENSITIES.iter().for_each(|&density| compared(&binary(rows, columns, density, seed)));
        }
    }
}

#[test]
fn larger_random_games_have_the_oracles_value() {
    for (rows, columns) in [(60, 60), (40, 120), (150, 30), (100, 100)] {
        compared(&real(rows, columns, 1));
        DENSITIES.iter().for_each(|&density| compared(&binary(rows, columns, density, 1)));
    }
}

#[test]
fn a_game_of_the_papers_size_has_the_oracles_value() {
    compared(&binary(400, 400, 0.5, 1));
}

#[test]
fn games_of_the_papers_size_are_certified() {
    for density in DENSITIES {
        checked(&binary(400, 400, density, 2));
    }
    checked(&real(400, 400, 2));
    checked(&real(300, 500, 2));
}

#[test]
fn games_solved_by_hand() {
    let rock_paper_scissors = [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]];
    let found = checked(&Matrix::from_rows(&rock_paper_scissors).unwrap());
    assert!((found.value - 0.5).abs() < 1e-12);
    assert!(found.black.iter().chain(&found.white).all(|weight| (weight - 1.0 / 3.0).abs() < 1e-12));

    for size in [1, 2, 5, 64] {
        let identity = Matrix::from_function(size, size, |i, j| f64::from(u8::from(i == j))).unwrap();
        let found = checked(&identity);
        assert!((found.value - 1.0 / size as f64).abs() < 1e-12);
        assert!(found.black.iter().all(|weight| (weight - 1.0 / size as f64).abs() < 1e-12));
    }

    for reward in [0.0, 0.25, 1.0] {
        for (rows, columns) in [(1, 1), (1, 5), (5, 1), (9, 9), (3, 40)] {
            let equal = Matrix::new(rows, columns, vec![reward; rows * columns]).unwrap();
            assert!((checked(&equal).value - reward).abs() < 1e-12);
        }
    }

    // One choice for Black: White takes the least. One for White: Black the most.
    let row = [0.4, 0.3, 0.9];
    assert!((checked(&Matrix::new(1, 3, row.to_vec()).unwrap()).value - 0.3).abs() < 1e-12);
    assert!((checked(&Matrix::new(3, 1, row.to_vec()).unwrap()).value - 0.9).abs() < 1e-12);

    // A saddle point in the middle: the least of its row, the most of its column.
    let saddle = Matrix::from_rows(&[[0.1, 0.2, 0.9], [0.8, 0.5, 0.6], [1.0, 0.4, 0.0]]).unwrap();
    let found = checked(&saddle);
    assert_eq!((found.value, &found.black, &found.white), (0.5, &vec![0.0, 1.0, 0.0], &vec![0.0, 1.0, 0.0]));
}

#[test]
fn dominated_and_duplicate_choices_change_no_value() {
    let core = real(8, 6, 3);
    let value = checked(&core).value;
    // Rows a little worse than those of the core, and columns a little better for Black.
    let wider = Matrix::from_function(16, 12, |i, j| {
        let entry = core.at(i % 8, j % 6);
        let worse = if i >= 8 { 0.9 * entry } else { entry };
        if j >= 6 { worse + 0.1 * (1.0 - worse) } else { worse }
    });
    assert!((checked(&wider.unwrap()).value - value).abs() < 1e-9);
    let doubled = Matrix::from_function(24, 18, |i, j| core.at(i % 8, j % 6)).unwrap();
    assert!((checked(&doubled).value - value).abs() < 1e-9);
    // Blocks of equal rows and columns of a 0/1 matrix: every ratio test ties.
    let coins = binary(10, 10, 0.5, 3);
    let blocks = Matrix::from_function(100, 100, |i, j| coins.at(i / 10, j / 10)).unwrap();
    assert!((checked(&blocks).value - checked(&coins).value).abs() < 1e-9);
}

#[test]
fn badly_scaled_games_are_certified() {
    for seed in 0..10 {
        let mut rng = Seed::new(seed).child("scaled").rng();
        let tiny = Matrix::from_function(30, 30, |_, _| 1e-7 * rng.unit()).unwrap();
        checked(&tiny);
        let close = Matrix::from_function(30, 30, |i, j| 0.5 + 1e-9 * ((i * j) % 7) as f64).unwrap();
        checked(&close);
        let mixed = Matrix::from_function(40, 30, |i, _| rng.unit() / (1_u64 << (i % 40)) as f64).unwrap();
        checked(&mixed);
        // Nearly singular: rank two and a little noise.
        let flat = Matrix::from_function(40, 40, |i, j| {
            0.4 + 0.01 * ((i % 5) * (j % 3)) as f64 + 1e-10 * rng.unit()
        });
        checked(&flat.unwrap());
    }
}

#[test]
fn colours_may_be_exchanged() {
    for seed in 0..20 {
        let matrix = binary(17, 23, 0.4, seed);
        let (black, white) = (solve(&matrix), solve(&matrix.seen_from_white()));
        assert!((black.value + white.value - 1.0).abs() < 1e-9);
    }
}

/// Bland's rule alone finds the same values: it is seldom needed, and must be right.
#[test]
fn the_careful_rule_ends_at_the_same_value() {
    for seed in 0..20 {
        for matrix in [binary(15, 12, 0.5, seed), real(12, 15, seed), binary(20, 20, 0.1, seed)] {
            let mut tableau = Tableau::new(&matrix);
            assert_eq!(tableau.maximise(100_000, 0, &mut || ControlFlow::Continue(())), End::Optimal);
            assert_eq!(tableau.repair(1000, &mut || ControlFlow::Continue(())), End::Optimal);
            // A tableau built anew at this basis has nothing left to do.
            for tableau in [tableau.rebuilt(&matrix), tableau] {
                let (black, white) = tableau.solution();
                let found = Equilibrium::certified(&matrix, black, white).unwrap();
                assert!(found.gap < 1e-9);
                assert!((found.value - solve(&matrix).value).abs() < 1e-9);
            }
        }
    }
}

/// Published results depend on these bits.
#[test]
fn equilibria_are_stable() {
    let found = solve(&real(4, 3, 1));
    assert_eq!(solve(&real(4, 3, 1)), found);
    assert_eq!(
        format!("{:?} {:?}", found.black, found.white),
        "[0.6203407255354315, 0.0, 0.37965927446456843, 0.0] [0.3610845872433678, 0.6389154127566322, 0.0]"
    );
}

proptest! {
    #[test]
    fn any_small_game_has_the_oracles_value(
        (rows, columns, levels, seed) in (1_usize..9, 1_usize..9, 1_u32..5, any::<u64>())
    ) {
        // Few levels make many ties.
        let mut rng = Seed::new(seed).rng();
        let entry = |_, _| f64::from(rng.below(levels + 1)) / f64::from(levels);
        compared(&Matrix::from_function(rows, columns, entry).unwrap());
    }
}

#[test]
fn whoever_watches_may_break_off() {
    let mut rng = Seed::new(1).rng();
    let matrix = Matrix::from_function(20, 20, |_, _| f64::from(rng.below(2))).unwrap();
    let mut pivots = Vec::new();
    let watched = solve_watched(&matrix, &mut |pivot| {
        pivots.push(pivot);
        ControlFlow::Continue(())
    });
    assert_eq!(watched, Some(solve(&matrix)));
    assert!(pivots.len() > 5 && pivots.iter().copied().eq(0..pivots.len() as u64), "{pivots:?}");
    let stop = |pivot| if pivot < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    assert_eq!(solve_watched(&matrix, &mut { stop }), None);
}
