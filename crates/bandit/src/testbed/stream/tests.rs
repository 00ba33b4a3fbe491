//! Tests of streams: exact against numbers worked out one by one, and statistical.

use super::*;

use proptest::prelude::*;
use tesuji_testkit::statistics::{goodness_p_value, uniformity_p_value};

fn streams(run: u64, value: f64) -> Streams {
    let mut streams = Streams::default();
    streams.begin(Seed::new(1).child(run), (0..4).map(|arm| (arm, Threshold::new(value))));
    streams
}

fn one_by_one(run: u64, arm: usize, round: u32, value: f64, samples: usize) -> Vec<u64> {
    let mut streams = streams(run, value);
    (0..samples).map(|_| streams.wins(arm, round, 1)).collect()
}

/// The number of a trial, all 70 bits of it, worked out digit by digit as the head of
/// this module says.
fn number(run: u64, arm: u32, round: u32, place: u64) -> u128 {
    let mut streams = streams(run, 0.0);
    let (key, stream) = (streams.key, &mut streams.streams[arm as usize]);
    stream.enter(key, round);
    (0..10).fold(0, |number, digit: u64| {
        let index = (place / 8).wrapping_add(digit << 60);
        let counter = stream.counter.wrapping_add(index.wrapping_mul(INCREMENT));
        let word = if digit == 0 { word(counter) } else { mix(counter) };
        number << 7 | u128::from(word >> (8 * (place % 8)) & 127)
    })
}

#[test]
fn trials_compare_their_numbers_with_the_value() {
    // Values that end within the first, the second and a later digit, and those
    // that equal a trial's number up to its fourth digit, where ties are certain.
    let tie = |place| (number(5, 2, 3, place) >> 42) as f64 / (1_u64 << 28) as f64;
    let values = [0.0, 1.0, 0.5, 0.25, 3.0 / 128.0, 1.0 / 3.0, 0.4, 1e-3, 1e-15, 0.999_999];
    for value in values.into_iter().chain((0..24).map(tie)) {
        // A product with a power of two is exact.
        let threshold = if value == 1.0 { 1 << 70 } else { u128::from((value * 2_f64.powi(64)) as u64) << 6 };
        let expected: Vec<u64> =
            (0..200).map(|place| u64::from(number(5, 2, 3, place) < threshold)).collect();
        assert_eq!(one_by_one(5, 2, 3, value, 200), expected, "{value}");
    }
}

proptest! {
    #[test]
    fn any_grouping_gives_the_same_trials(
        run in 0..1000_u64,
        value in 0.0..=1.0_f64,
        pulls in prop::collection::vec(1..70_u64, 1..12),
    ) {
        let single = one_by_one(run, 1, 7, value, pulls.iter().sum::<u64>() as usize);
        let (mut streams, mut place) = (streams(run, value), 0);
        for samples in pulls {
            let end = place + samples as usize;
            prop_assert_eq!(streams.wins(1, 7, samples), single[place..end].iter().sum::<u64>());
            // Other arms do not disturb.
            streams.wins(2, 7, samples);
            place = end;
        }
    }

    #[test]
    fn a_batch_is_its_pulls_one_by_one(
        run in 0..1000_u64,
        value in 0.0..=1.0_f64,
        samples in prop::collection::vec((1..40_u64, 1..600_u64, 1..4_u64), 1..4),
    ) {
        let (mut together, mut apart) = (streams(run, value), streams(run, value));
        for (round, (a, b, c)) in samples.into_iter().enumerate() {
            // Two batches of a round: the second goes on within words.
            for _ in 0..2 {
                let pulls = [(2, a), (0, b), (3, c)].map(|(arm, samples)| Pull { arm, samples });
                let mut wins = [0; 3];
                together.wins_of_each(round as u32, &pulls, &mut wins);
                prop_assert_eq!(wins, pulls.map(|pull| apart.wins(pull.arm, round as u32, pull.samples)));
            }
        }
    }

    #[test]
    fn wins_are_monotone_in_the_value_and_in_time(
        run in 0..1000_u64, a in 0.0..=1.0_f64, b in 0.0..=1.0_f64, near in any::<bool>(), samples in 1..300_u64,
    ) {
        let (low, high) = if near { (a, (a + 1e-4).min(1.0)) } else { (a.min(b), a.max(b)) };
        let trials = [low, high].map(|value| one_by_one(run, 0, 2, value, samples as usize));
        prop_assert!(trials[0].iter().zip(&trials[1]).all(|(low, high)| low <= high));
        let wins = |value, samples| streams(run, value).wins(0, 2, samples);
        prop_assert!(wins(low, samples) <= wins(high, samples));
        let more = wins(low, samples + 1) - wins(low, samples);
        prop_assert!(more <= 1);
    }
}

#[test]
fn large_pulls_are_counted_in_blocks() {
    for samples in [BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 10_001] {
        let single: u64 = one_by_one(3, 0, 0, 0.1, samples as usize).iter().sum();
        assert_eq!(streams(3, 0.1).wins(0, 0, samples), single);
        assert_eq!(streams(3, 0.0).wins(0, 0, samples), 0);
        assert_eq!(streams(3, 1.0).wins(0, 0, samples), samples);
    }
}

#[test]
fn a_new_round_is_a_new_stream_and_rewinding_starts_anew() {
    let mut streams = streams(1, 0.5);
    let mut take = |round| -> Vec<u64> { (0..64).map(|_| streams.wins(0, round, 1)).collect() };
    let (first, second) = (take(0), take(1));
    assert_ne!(first, second);
    // Going back to a round starts it again.
    assert_eq!(take(0), first);
    streams.rewind();
    assert_eq!(streams.wins(0, 0, 64), first.iter().sum::<u64>());
}

/// Published results depend on these values: they never change.
#[test]
fn streams_are_stable() {
    let wins = |value| {
        let mut streams = streams(0, value);
        [(0, 0, 20), (0, 0, 20), (0, 1, 100), (3, 0, 1000), (3, 70_000, 1000)]
            .map(|(arm, round, samples)| streams.wins(arm, round, samples))
    };
    assert_eq!(wins(0.5), GOLDEN[0]);
    assert_eq!(wins(0.4), GOLDEN[1]);
}

const GOLDEN: [[u64; 5]; 2] = [[10, 13, 40, 529, 485], [6, 8, 34, 422, 379]];

#[test]
fn counts_follow_the_binomial_law() {
    for (value, samples) in [(0.5, 8), (0.4, 20), (0.1, 13), (0.93, 30)] {
        let draws = 40_000;
        let mut counts = vec![0_u64; samples + 1];
        for run in 0..draws / 40 {
            let mut streams = streams(run, value);
            for round in 0..10 {
                for arm in 0..4 {
                    counts[streams.wins(arm, round, samples as u64) as usize] += 1;
                }
            }
        }
        // Numbers of wins that are expected fewer than ten times are put together.
        let mut cells = vec![(0, 0.0)];
        let mut law = (1.0 - value).powi(samples as i32);
        for (wins, count) in counts.into_iter().enumerate() {
            let cell = cells.last_mut().unwrap();
            *cell = (cell.0 + count, cell.1 + law * draws as f64);
            if cell.1 >= 10.0 {
                cells.push((0, 0.0));
            }
            law *= (samples - wins) as f64 / (wins + 1) as f64 * value / (1.0 - value);
        }
        let rest = cells.pop().unwrap();
        let last = cells.last_mut().unwrap();
        *last = (last.0 + rest.0, last.1 + rest.1);
        // One test in a thousand fails where all is well; the seed is fixed.
        let p_value = goodness_p_value(&cells);
        assert!(p_value > 1e-3, "{value}: {p_value} of {cells:?}");
    }
}

#[test]
fn digits_are_independent() {
    // The first and the second digit of 100,000 numbers, and the first digits of
    // neighbours, each cut to its four highest bits.
    let mut tables = [[0_u64; 256]; 3];
    for run in 0..1000 {
        for place in 0..100 {
            let [here, next, word] = [0, 1, 8].map(|step| number(run, 1, 2, place + step));
            let [first, second] = [63, 56].map(|shift| (here >> shift & 127) as usize / 8);
            tables[0][first * 16 + second] += 1;
            tables[1][first * 16 + (next >> 63) as usize / 8] += 1;
            tables[2][first * 16 + (word >> 63) as usize / 8] += 1;
        }
    }
    for table in tables {
        assert!(uniformity_p_value(&table) > 1e-3, "{table:?}");
    }
}

#[test]
fn neighbours_are_independent() {
    // Two trials of value 1/2 each: the four pairs of outcomes are equally likely.
    // The second differs in the place, the round, the arm or the run only.
    let trial = |run, arm: usize, round, place: usize| one_by_one(run, arm, round, 0.5, place + 1)[place];
    let mut tables = [[0_u64; 4]; 5];
    for run in 0..10_000 {
        let first = trial(run, 0, 0, 0);
        let others = [
            trial(run, 0, 0, 1),
            trial(run, 0, 0, 8),
            trial(run, 0, 1, 0),
            trial(run, 1, 0, 0),
            trial(run + 1, 0, 0, 0),
        ];
        for (table, other) in tables.iter_mut().zip(others) {
            table[(2 * first + other) as usize] += 1;
        }
    }
    for table in tables {
        assert!(uniformity_p_value(&table) > 1e-3, "{table:?}");
    }
}
