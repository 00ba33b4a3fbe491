//! How often the sequential test errs, and how long it takes, for many truths. The argument is the
//! number of matches for each truth:
//!
//! ```text
//! cargo run --release -p tesuji-arena --example sprt_ends -- 20000
//! ```
//!
//! A row is a test, a pairing and a share of draws. Its columns are the frequencies of errors with
//! the difference `elo0` and with `elo1`, those of them that say "neither", and the mean and the
//! largest number of results for either; then the mean and the largest number for a score halfway
//! between, and the number that no match exceeds. Rows with an error more than five standard
//! errors above the promise end in "too often"; the exit code is then 1.

#![allow(clippy::print_stdout)]

#[path = "sprt_ends/simulation.rs"]
mod simulation;

use std::process::ExitCode;

use simulation::{PAIRINGS, Truth, expected};
use tesuji_arena::statistics::{Hypothesis, Sprt};
use tesuji_core::{Rng, Seed};

/// Narrow tests are long, so they get a smaller share of the matches: one in this number.
const TESTS: [(&str, usize); 13] = [
    ("elo0=-10 elo1=10", 10),
    ("elo0=0 elo1=10", 40),
    ("elo0=0 elo1=50", 2),
    ("elo0=-50 elo1=50 alpha=0.01 beta=0.1", 2),
    ("elo0=0 elo1=200", 1),
    ("elo0=-200 elo1=200", 1),
    ("elo0=0 elo1=600", 1),
    ("elo0=400 elo1=600", 2),
    ("elo0=-1500 elo1=-500", 1),
    ("elo0=500 elo1=1500", 1),
    ("elo0=-2000 elo1=2000", 1),
    ("elo0=0 elo1=2000", 1),
    ("elo0=1500 elo1=2000", 40),
];

/// The matches of one truth.
#[derive(Default)]
struct Matches {
    wrong: f64,
    neither: f64,
    mean: f64,
    longest: u64,
}

fn play(test: &Sprt, truth: &Truth, right: Option<Hypothesis>, matches: usize, rng: &mut Rng) -> Matches {
    let mut found = Matches::default();
    let one = 1.0 / matches as f64;
    for _ in 0..matches {
        let (decision, n) = truth.play(test, rng);
        found.wrong += if right.is_some_and(|right| right != decision) { one } else { 0.0 };
        found.neither += if decision == Hypothesis::Between { one } else { 0.0 };
        found.mean += n as f64 * one;
        found.longest = found.longest.max(n);
    }
    found
}

fn main() -> ExitCode {
    let matches = std::env::args().nth(1).map_or(Ok(2000), |text| text.parse::<usize>());
    let Ok(matches) = matches else {
        println!("the argument is the number of matches for each truth");
        return ExitCode::from(2);
    };
    println!(
        "test\tpairing\tdraws\terror0\tneither0\tmean0\tlongest0\terror1\tneither1\tmean1\tlongest1\tmiddle mean\tmiddle longest\tmost"
    );
    let mut exit = ExitCode::SUCCESS;
    for (text, fewer) in TESTS {
        let Ok(test) = text.parse::<Sprt>() else { unreachable!("the tests above are tests") };
        let mut rng = Seed::new(1).child(text).rng();
        let matches = (matches / fewer).max(1);
        let (null, alternative) = (expected(test.elo0), expected(test.elo1));
        for pairing in PAIRINGS {
            for draws in [0.0, 0.3, 0.6, 0.95, 1.0] {
                let truth = |score: f64| Truth { score, draws, pairing };
                let zero = play(&test, &truth(null), Some(Hypothesis::Null), matches, &mut rng);
                let one = play(&test, &truth(alternative), Some(Hypothesis::Alternative), matches, &mut rng);
                let middle = play(&test, &truth((null + alternative) / 2.0), None, matches, &mut rng);
                let is_above = |found: &Matches, promised: f64| {
                    found.wrong > promised + 5.0 * (promised * (1.0 - promised) / matches as f64).sqrt()
                };
                print!("{text}\t{pairing:?}\t{draws}");
                for found in [&zero, &one] {
                    let Matches { wrong, neither, mean, longest } = found;
                    print!("\t{wrong:.4}\t{neither:.4}\t{mean:.1}\t{longest}");
                }
                print!("\t{:.1}\t{}\t{}", middle.mean, middle.longest, test.most_results());
                if is_above(&zero, test.alpha) || is_above(&one, test.beta) {
                    print!("\ttoo often");
                    exit = ExitCode::FAILURE;
                }
                println!();
            }
        }
    }
    exit
}
