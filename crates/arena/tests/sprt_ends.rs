//! The sequential test ends for every truth, and errs as rarely as it promises. The example
//! `sprt_ends` plays more of the same matches.

#[path = "../examples/sprt_ends/simulation.rs"]
mod simulation;

use simulation::{PAIRINGS, Pairing, Truth, expected};
use tesuji_arena::statistics::{Hypothesis, Sprt, Tally};
use tesuji_core::Seed;

const DRAWS: [f64; 5] = [0.0, 0.3, 0.6, 0.95, 1.0];

fn sprt(text: &str) -> Sprt {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// `Truth::play` panics if a match has more than `most_results`.
#[test]
fn every_match_ends() {
    let mut rng = Seed::new(1).child("ends").rng();
    for text in [
        "elo0=-30 elo1=30",
        "elo0=0 elo1=50",
        "elo0=-50 elo1=0 alpha=0.01 beta=0.1",
        "elo0=-1500 elo1=-500",
        "elo0=-2000 elo1=2000",
        "elo0=0 elo1=2000",
    ] {
        let test = sprt(text);
        let middle = (expected(test.elo0) + expected(test.elo1)) / 2.0;
        for score in [0.0, 0.001, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999, 1.0, middle] {
            for draws in DRAWS {
                for pairing in PAIRINGS {
                    let truth = Truth { score, draws, pairing };
                    let (decision, _) = truth.play(&test, &mut rng);
                    let is_certain = score == 0.0 || score == 1.0;
                    // A certain result is certainly judged right.
                    let right = if score == 0.0 { Hypothesis::Null } else { Hypothesis::Alternative };
                    assert!(!is_certain || decision == right, "{text}, {truth:?}: {decision}");
                }
            }
        }
    }
}

/// Nor can results that are chosen to keep the ratio near 0 go on for ever.
#[test]
fn no_sequence_goes_on() {
    for text in ["elo0=-100 elo1=100", "elo0=0 elo1=150", "elo0=300 elo1=800 alpha=0.01 beta=0.2"] {
        for in_pairs in [false, true] {
            let (test, mut tally) = (sprt(text), Tally::default());
            let with = |tally: &Tally, kind: usize| {
                let mut next = *tally;
                if in_pairs {
                    next.by_side[0].add(if kind > 2 { 1.0 } else { 0.5 * kind.min(2) as f64 });
                    next.by_side[1].add(0.5 * kind.saturating_sub(2) as f64);
                    next.add_pair(0.5 * kind as f64);
                } else {
                    next.by_side[0].add(0.5 * kind as f64);
                }
                next
            };
            let mut n = 0;
            while test.decide(&tally).is_none() {
                let kinds = (0..if in_pairs { 5 } else { 3 }).map(|kind| with(&tally, kind));
                let nearest = kinds.min_by(|a, b| test.llr(a).abs().total_cmp(&test.llr(b).abs()));
                (tally, n) = (nearest.unwrap(), n + 1);
                assert!(n <= test.most_results(), "{text}: {tally:?}");
            }
            assert_eq!(test.decide(&tally), Some(Hypothesis::Between), "{text}: {tally:?}");
        }
    }
}

/// A hypothesis that holds exactly is rejected, for the other one or for neither, at most as often
/// as promised, with five standard errors.
#[test]
fn errors_are_at_most_as_frequent_as_promised() {
    const MATCHES: usize = 250;
    let mut rng = Seed::new(1).child("errors").rng();
    for text in [
        "elo0=-150 elo1=150 alpha=0.05 beta=0.1",
        "elo0=0 elo1=200",
        "elo0=-1500 elo1=-500",
        "elo0=-2000 elo1=2000",
    ] {
        let test = sprt(text);
        for (elo, right, promised) in
            [(test.elo0, Hypothesis::Null, test.alpha), (test.elo1, Hypothesis::Alternative, test.beta)]
        {
            for pairing in PAIRINGS {
                for draws in DRAWS {
                    let truth = Truth { score: expected(elo), draws, pairing };
                    let is_wrong = |_: &usize| truth.play(&test, &mut rng).0 != right;
                    let share = (0..MATCHES).filter(is_wrong).count() as f64 / MATCHES as f64;
                    let slack = 5.0 * (promised * (1.0 - promised) / MATCHES as f64).sqrt();
                    assert!(share < promised + slack, "{text}, {truth:?}: {share}");
                }
            }
        }
    }
}

/// With many short steps the promise is not only kept but met: the test is no longer than needed.
#[test]
fn errors_are_as_frequent_as_promised() {
    const MATCHES: usize = 1000;
    let test = sprt("elo0=0 elo1=40 alpha=0.05 beta=0.1");
    let mut rng = Seed::new(1).child("sprt").rng();
    for (elo, right, promised) in [(0.0, Hypothesis::Null, 0.05), (40.0, Hypothesis::Alternative, 0.1)] {
        let truth = Truth { score: expected(elo), draws: 0.1, pairing: Pairing::Independent };
        let errors = (0..MATCHES).filter(|_| truth.play(&test, &mut rng).0 != right).count();
        let share = errors as f64 / MATCHES as f64;
        // Five standard errors. Wald's bounds promise a little more than they cost, since the last
        // pair oversteps them.
        let close = 5.0 * (promised * (1.0 - promised) / MATCHES as f64).sqrt();
        assert!((share - promised).abs() < close, "{errors} of {MATCHES} with {elo} Elo");
    }
}
