//! Rewards with common random numbers: one stream of trials for every arm and
//! round of a run.
//!
//! A trial wins where `u < p`, with a fair number `u` of its own whose address is
//! (run, arm, round, place in the stream) and nothing else. So two policies, two
//! budgets or two settings that sample the same arm in the same round see the same
//! luck, and the wins are monotone in the value of the arm and in the number of
//! trials: what Fabiano and Cazenave did with seeded binomials to compare
//! settings (Sequential Halving Using Scores, 2021).
//!
//! For speed a random word serves eight trials. Each of its bytes holds seven bits, the
//! first digit of `u` to the base 128, and one subtraction compares all eight with
//! the first digit of `p`. Only where a trial's digit equals that of `p`, once in
//! 128 trials, is the next digit looked at, in another word. Against slicing 64
//! trials by their bits, one word for each bit, this takes fewer words (a quarter
//! fewer for Sequential Halving with 2048 samples of 20 arms, whose first
//! rounds are short) and a branch that is easy to foresee.
//!
//! The words are those of SplitMix64 (Steele, Lea, Flood 2014) with a start for
//! each stream and an increment for each run, 127 bits in all: any word can be had
//! without those before it.

use tesuji_core::{Seed, mix};

/// Trials in a word.
const LANES: u64 = 8;
/// The lowest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const HIGHS: u64 = 0x8080_8080_8080_8080;
/// Bits of a digit.
const DIGIT: u32 = 7;
/// 2⁶⁴ times the fractional part of √3, made odd: spreads arms and rounds before
/// they are mixed.
const SQUARE_ROOT_OF_3: u64 = 0xbb67_ae85_84ca_a73b;

/// A probability as digits to the base 128: a fair number is below them with that
/// probability. It is rounded down to a multiple of 2⁻⁶⁴, which is exact from
/// 2⁻¹¹ up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Threshold {
    /// The first digit, in every byte. For certainty it is 128, above all digits.
    first: u64,
    /// The digits after it, from the highest bit on.
    rest: u64,
}

impl Threshold {
    /// The threshold of a probability in [0, 1].
    #[inline]
    pub fn new(probability: f64) -> Threshold {
        debug_assert!((0.0..=1.0).contains(&probability), "{probability} is not a probability");
        if probability >= 1.0 {
            return Threshold { first: HIGHS, rest: 0 };
        }
        let bits = (probability * 18_446_744_073_709_551_616.0) as u64;
        Threshold { first: (bits >> (u64::BITS - DIGIT)) * ONES, rest: bits << DIGIT }
    }
}

/// The random words of one run: those of every arm and round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct RunWords {
    key: u64,
    /// The increment of SplitMix64: odd, and with many changes between
    /// neighbouring bits, so that words differ in many places before they are mixed.
    gamma: u64,
}

impl RunWords {
    /// The words of the run with this address.
    fn new(run: Seed) -> RunWords {
        let mut rng = run.child("streams").rng();
        let (key, gamma) = (rng.bits(), rng.bits() | 1);
        // The rule, and the number 24, are those of the paper.
        let changes = (gamma ^ (gamma >> 1)).count_ones();
        RunWords { key, gamma: if changes < 24 { gamma ^ 0xaaaa_aaaa_aaaa_aaaa } else { gamma } }
    }

    /// Where the stream of an arm and a round starts: no two streams of a run
    /// start at the same place.
    #[inline]
    fn start(self, arm: u32, round: u32) -> u64 {
        let address = u64::from(arm) << 32 | u64::from(round);
        mix(self.key.wrapping_add(address.wrapping_mul(SQUARE_ROOT_OF_3)))
    }

    /// How many of the trials from the word at `counter` on lose, at least one and at most
    /// [`BLOCK`]; and the last of the words compared, of which not all trials need be
    /// among them.
    ///
    /// Words are looked at in groups of [`GROUP`], without a jump within the group: where
    /// the processor has registers of four words, a group costs little more than a word.
    #[inline(always)]
    fn losses(self, mut counter: u64, threshold: Threshold, samples: u64) -> (u64, u64) {
        let steps: [u64; GROUP] = std::array::from_fn(|word| self.gamma.wrapping_mul(word as u64));
        let mut counts = [0_u64; GROUP];
        let mut compared = [0_u64; GROUP];
        let mut left = samples;
        loop {
            let mut changed = 0;
            for word in 0..GROUP {
                compared[word] = compare(mix(counter.wrapping_add(steps[word])), threshold.first);
                // The bit changes with one more subtracted only where digits are equal, or
                // the win is certain.
                changed |= compared[word] ^ compared[word].wrapping_sub(ONES);
            }
            if changed & HIGHS != 0 {
                self.settle_group(counter, threshold.rest, &mut compared);
            }
            if left <= GROUP as u64 * LANES {
                break;
            }
            for word in 0..GROUP {
                counts[word] += (compared[word] & HIGHS) >> 7;
            }
            counter = counter.wrapping_add(self.gamma.wrapping_mul(GROUP as u64));
            left -= GROUP as u64 * LANES;
        }
        let wanted = &WANTED[left as usize];
        let mut sums = 0;
        for word in 0..GROUP {
            counts[word] += (compared[word] & wanted[word]) >> 7;
            sums += (counts[word] & EVEN) + (counts[word] >> 8 & EVEN);
        }
        // Four lanes of 16 bits each, and their sum in the highest.
        (sums.wrapping_mul(0x0001_0001_0001_0001) >> 48, compared[(left as usize - 1) / LANES as usize])
    }

    /// Settles the ties of a group of words.
    #[cold]
    #[inline(never)]
    fn settle_group(self, mut counter: u64, rest: u64, compared: &mut [u64; GROUP]) {
        for word in compared {
            if ties(*word) != 0 {
                *word = self.settle(counter, rest, *word);
            }
            counter = counter.wrapping_add(self.gamma);
        }
    }

    /// The same for any number of trials.
    #[cold]
    #[inline(never)]
    fn losses_of_many(self, mut counter: u64, threshold: Threshold, mut samples: u64) -> (u64, u64) {
        let mut sum = 0;
        while samples > BLOCK {
            sum += self.losses(counter, threshold, BLOCK).0;
            counter = counter.wrapping_add((BLOCK / LANES).wrapping_mul(self.gamma));
            samples -= BLOCK;
        }
        let (losses, compared) = self.losses(counter, threshold, samples);
        (sum + losses, compared)
    }

    /// Looks at the digits after the first where that one ties, once in 128 trials: clears
    /// the highest bits of the bytes whose numbers are below.
    fn settle(self, counter: u64, mut rest: u64, mut compared: u64) -> u64 {
        let (mut undecided, mut counter) = (ties(compared), counter);
        // A number that is equal to the last digit is not below.
        while undecided != 0 && rest != 0 {
            // 2⁶⁰ words on: no stream is so long, and after nine digits nothing is left.
            counter = counter.wrapping_add(self.gamma << 60);
            let next = compare(mix(counter), (rest >> (u64::BITS - DIGIT)) * ONES);
            compared &= next | !undecided;
            undecided &= ties(next);
            rest <<= DIGIT;
        }
        compared
    }
}

/// Compares a digit in every byte of `word` with those of a threshold: the highest
/// bit of a byte is left where the digit is not below the threshold's.
#[inline(always)]
fn compare(word: u64, threshold: u64) -> u64 {
    // With the highest bit set, no byte borrows from its neighbour.
    (word | HIGHS) - threshold
}

/// Where the digits that were compared are equal, as highest bits of bytes.
#[inline(always)]
fn ties(compared: u64) -> u64 {
    // Such a byte is 128, and the bit goes with one more subtracted. A byte is 0 only
    // where the threshold is above all digits, and then it has no such bit.
    compared & !compared.wrapping_sub(ONES) & HIGHS
}

/// The trials of one arm in one run, handed out in order.
#[derive(Clone, Debug)]
struct Stream {
    /// The next word of the stream.
    counter: u64,
    threshold: Threshold,
    /// The word before it, compared: the highest bits of its bytes are losses.
    compared: u64,
    /// How many trials of that word were handed out; 0 where all were.
    lane: u64,
    /// The round the stream is in, or [`NO_ROUND`].
    round: u64,
    /// The arm's own number, which is not its place in this run.
    arm: u32,
}

/// No round has started yet.
const NO_ROUND: u64 = u64::MAX;

impl Stream {
    /// The losses among the next trials, at least one.
    #[inline(always)]
    fn losses(&mut self, words: RunWords, round: u32, samples: u64) -> u64 {
        if self.round != u64::from(round) {
            self.round = u64::from(round);
            (self.counter, self.lane) = (words.start(self.arm, round), 0);
        }
        if self.lane == 0 { self.whole_words(words, samples) } else { self.finish_word_first(words, samples) }
    }

    /// Whether the next trial is lost, where its word is at hand.
    #[inline(always)]
    fn next_at_hand(&mut self, round: u32) -> Option<u64> {
        if self.round != u64::from(round) || self.lane == 0 {
            return None;
        }
        let loss = self.compared >> (8 * self.lane + 7) & 1;
        self.lane = (self.lane + 1) % LANES;
        Some(loss)
    }

    /// The losses among trials that start within a word.
    #[inline(never)]
    fn finish_word_first(&mut self, words: RunWords, samples: u64) -> u64 {
        let here = samples.min(LANES - self.lane);
        let losses = byte_sum(self.compared >> (8 * self.lane + 7) & ONES & first(here));
        self.lane = (self.lane + here) % LANES;
        if here == samples { losses } else { losses + self.whole_words(words, samples - here) }
    }

    /// The losses among trials that start with a word.
    #[inline(always)]
    fn whole_words(&mut self, words: RunWords, samples: u64) -> u64 {
        let (losses, compared) = if samples <= BLOCK {
            words.losses(self.counter, self.threshold, samples)
        } else {
            words.losses_of_many(self.counter, self.threshold, samples)
        };
        self.counter = self.counter.wrapping_add(samples.div_ceil(LANES).wrapping_mul(words.gamma));
        (self.compared, self.lane) = (compared, samples % LANES);
        losses
    }
}

/// How many trials can be counted in the bytes of a group.
const BLOCK: u64 = 255 * LANES * GROUP as u64;

/// Words that are looked at together.
const GROUP: usize = 4;

/// The highest bits of the bytes of a group's first so many trials.
const WANTED: [[u64; GROUP]; GROUP * LANES as usize + 1] = {
    let mut wanted = [[0; GROUP]; GROUP * LANES as usize + 1];
    let mut trials = 1;
    while trials < wanted.len() {
        wanted[trials] = wanted[trials - 1];
        wanted[trials][(trials - 1) / 8] |= 0x80 << (8 * ((trials - 1) % 8));
        trials += 1;
    }
    wanted
};

/// Every other byte.
const EVEN: u64 = 0x00ff_00ff_00ff_00ff;

/// The lowest bytes, from 1 to 8 of them.
#[inline]
fn first(bytes: u64) -> u64 {
    u64::MAX >> (64 - 8 * bytes)
}

/// The sum of the bytes of a word.
#[inline]
fn byte_sum(bytes: u64) -> u64 {
    // Neighbours are added first: the sum of eight bytes needs more than one.
    ((bytes & EVEN) + (bytes >> 8 & EVEN)).wrapping_mul(0x0001_0001_0001_0001) >> 48
}

/// The streams of all arms of a run.
///
/// ```
/// use tesuji_bandit::testbed::{Streams, Threshold};
/// use tesuji_core::Seed;
/// let (better, worse) = (Threshold::new(0.6), Threshold::new(0.3));
/// let mut streams = Streams::default();
/// streams.begin(Seed::new(1), [(0, better), (1, worse)]);
/// let wins = streams.wins(0, 0, 1000);
/// // The same arm with a lower value, in the same run and round: no win is gained.
/// streams.begin(Seed::new(1), [(0, worse)]);
/// assert!(streams.wins(0, 0, 1000) < wins);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Streams {
    words: RunWords,
    streams: Vec<Stream>,
}

impl Streams {
    /// The run of this address. `arms` says for each place which arm is there
    /// and what its value is: the trials are the arm's, wherever it is.
    pub fn begin(&mut self, run: Seed, arms: impl IntoIterator<Item = (u32, Threshold)>) {
        self.words = RunWords::new(run);
        self.streams.clear();
        self.streams.extend(arms.into_iter().map(|(arm, threshold)| Stream {
            counter: 0,
            threshold,
            compared: 0,
            lane: 0,
            round: NO_ROUND,
            arm,
        }));
    }

    /// Starts all streams of the run again.
    pub fn rewind(&mut self) {
        for stream in &mut self.streams {
            stream.round = NO_ROUND;
        }
    }

    /// The number of wins among the next `samples` trials of the arm at this
    /// place. Calls with the same round continue the arm's stream, one by one or many
    /// together alike; another round number starts that round's stream.
    #[inline(always)]
    pub fn wins(&mut self, place: usize, round: u32, samples: u64) -> u64 {
        if samples == 1
            && let Some(loss) = self.streams[place].next_at_hand(round)
        {
            return 1 - loss;
        }
        self.wins_slowly(place, round, samples)
    }

    #[inline(never)]
    fn wins_slowly(&mut self, place: usize, round: u32, samples: u64) -> u64 {
        self.wins_of_many(place, round, samples)
    }

    /// The same, for callers that mostly ask for more than one.
    #[inline(always)]
    pub(super) fn wins_of_many(&mut self, place: usize, round: u32, samples: u64) -> u64 {
        samples - self.streams[place].losses(self.words, round, samples)
    }
}

#[cfg(test)]
mod tests {
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
        let words = RunWords::new(Seed::new(1).child(run));
        (0..10).fold(0, |number, digit: u64| {
            let index = (place / 8).wrapping_add(digit << 60);
            let counter = words.start(arm, round).wrapping_add(index.wrapping_mul(words.gamma));
            number << 7 | u128::from(mix(counter) >> (8 * (place % 8)) & 127)
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
            let threshold =
                if value == 1.0 { 1 << 70 } else { u128::from((value * 2_f64.powi(64)) as u64) << 6 };
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

    const GOLDEN: [[u64; 5]; 2] = [[14, 10, 54, 516, 511], [12, 10, 44, 429, 401]];

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
}
