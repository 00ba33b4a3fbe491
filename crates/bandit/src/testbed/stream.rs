//! Rewards with common random numbers: one stream of trials for every arm and
//! round of a run.
//!
//! A trial wins if `u < p`, with a fair number `u` of its own whose address is
//! (run, arm, round, place in the stream) and nothing else. So two policies, two
//! budgets or two settings that sample the same arm in the same round see the same
//! luck, and the wins are monotone in the value of the arm and in the number of
//! trials: what Fabiano and Cazenave did with seeded binomials to compare
//! settings (Sequential Halving Using Scores, 2021).
//!
//! For speed a random word serves eight trials. Each of its bytes holds seven bits, the
//! first digit of `u` to the base 128, and one subtraction compares all eight with
//! the first digit of `p`. Only where a trial's digit equals that of `p`, once in
//! 128 trials, is the next digit looked at, in another word. Slicing 64 trials by their
//! bits, with a word for each bit, takes more words (Sequential Halving with 2048
//! samples of 20 arms has many short pulls) and branches that are harder to foresee: it
//! was a third slower. Lanes of 10, 12 and 16 bits, with fewer ties, were not faster either.
//!
//! The words of a stream are the outputs of wyrand (Wang Yi, in wyhash), one multiplication
//! each, from a start of its own. Word `k` is a function of `start + k · increment`, so any
//! word can be had without those before it. Further digits are far from that sequence, at
//! counters that differ in their highest bits only, and wyrand is not made for that: its
//! words there depend on the first ones. They come from the stronger [`mix`], which is
//! slower and seldom needed.

use tesuji_core::{Pull, Seed, mix};

use super::address;

/// Trials in a word.
const LANES: u64 = 8;
/// The lowest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const HIGHS: u64 = 0x8080_8080_8080_8080;
/// Bits of a digit.
const DIGIT: u32 = 7;
/// The most trials of whole words whose losses can be summed in a byte.
const BLOCK: u64 = 248;

/// wyrand's increment.
const INCREMENT: u64 = 0x2d35_8dcc_aa6c_78a5;
/// wyrand's other constant.
const SECRET: u64 = 0x8bb8_4b93_962e_acc9;
/// 2⁶⁴ times the fractional part of √3, made odd: spreads arms and rounds before
/// they are mixed.
const SQUARE_ROOT_OF_3: u64 = 0xbb67_ae85_84ca_a73b;

/// The random word at a counter: both halves of a product, folded.
#[inline(always)]
fn word(counter: u64) -> u64 {
    let product = u128::from(counter) * u128::from(counter ^ SECRET);
    (product >> 64) as u64 ^ product as u64
}

/// A probability as digits to the base 128: a fair number is below them with that
/// probability. It is rounded down to a multiple of 2⁻⁶⁴, which is exact from
/// 2⁻¹¹ up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Threshold {
    /// The first digit, in every byte. For certainty it is 128, above all digits.
    first: u64,
    /// The digits after it, from the highest bit on.
    rest: u64,
}

impl Threshold {
    /// The threshold of a probability in [0, 1].
    #[inline]
    pub(super) fn new(probability: f64) -> Threshold {
        debug_assert!((0.0..=1.0).contains(&probability), "{probability} is not a probability");
        if probability >= 1.0 {
            return Threshold { first: HIGHS, rest: 0 };
        }
        let bits = (probability * 18_446_744_073_709_551_616.0) as u64;
        Threshold { first: (bits >> (u64::BITS - DIGIT)) * ONES, rest: bits << DIGIT }
    }

    /// Compares the eight numbers at a counter with the threshold: the highest bits of
    /// the bytes are left where a number is not below it, which is a loss.
    #[inline(always)]
    fn compare(self, counter: u64) -> u64 {
        let compared = compare_digit(word(counter), self.first);
        // The bit changes with one more subtracted only where digits are equal, or the
        // win is certain.
        if (compared ^ compared.wrapping_sub(ONES)) & HIGHS == 0 {
            return compared;
        }
        self.compare_further(counter, compared)
    }

    /// Looks at the digits after the first where that one ties.
    #[cold]
    #[inline(never)]
    fn compare_further(self, mut counter: u64, mut compared: u64) -> u64 {
        let (mut rest, mut undecided) = (self.rest, ties(compared));
        // A number that is equal to the last digit is not below.
        while undecided != 0 && rest != 0 {
            // 2⁶⁰ words on: no stream is so long, and after nine digits nothing is left.
            counter = counter.wrapping_add(INCREMENT << 60);
            let next = compare_digit(mix(counter), (rest >> (u64::BITS - DIGIT)) * ONES);
            compared &= next | !undecided;
            undecided &= ties(next);
            rest <<= DIGIT;
        }
        compared
    }
}

/// Compares the digit in every byte of `word` with those of a threshold: the highest
/// bit of a byte is left where the digit is not below the threshold's.
#[inline(always)]
fn compare_digit(word: u64, threshold: u64) -> u64 {
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

/// The sum of the bytes of a word, at most 255.
#[inline(always)]
fn byte_sum(bytes: u64) -> u64 {
    bytes.wrapping_mul(ONES) >> 56
}

/// The lowest bytes, from 1 to 8 of them.
#[inline(always)]
fn first(bytes: u64) -> u64 {
    u64::MAX >> (64 - 8 * bytes)
}

/// The trials of one arm in one run, handed out in order.
#[derive(Clone, Debug)]
struct Stream {
    threshold: Threshold,
    /// The next word.
    counter: u64,
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
    /// Goes to another round, unless it is there. No two streams of a run start at the same
    /// word; among the streams of a million runs of Sequential Halving, the chance that
    /// any two have words in common is below one in a thousand.
    #[inline(always)]
    fn enter(&mut self, key: u64, round: u32) {
        if self.round != u64::from(round) {
            self.round = u64::from(round);
            let address = u64::from(self.arm) << 32 | u64::from(round);
            self.counter = mix(key.wrapping_add(address.wrapping_mul(SQUARE_ROOT_OF_3)));
            self.lane = 0;
        }
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

    /// The losses among the next trials, at least one.
    #[inline(always)]
    fn losses(&mut self, samples: u64) -> u64 {
        if self.lane == 0 { self.losses_of_words(samples) } else { self.losses_from_lane(samples) }
    }

    /// The same where some trials are left of a word.
    #[inline(never)]
    fn losses_from_lane(&mut self, samples: u64) -> u64 {
        let here = samples.min(LANES - self.lane);
        let losses = byte_sum(self.compared >> (8 * self.lane + 7) & ONES & first(here));
        self.lane = (self.lane + here) % LANES;
        if here == samples { losses } else { losses + self.losses_of_words(samples - here) }
    }

    /// The same where the next trial is the first of a word.
    #[inline(always)]
    fn losses_of_words(&mut self, samples: u64) -> u64 {
        let (mut losses, mut left) = (0, samples);
        while left > BLOCK {
            losses += self.losses_of_block(BLOCK);
            left -= BLOCK;
        }
        losses + self.losses_of_block(left)
    }

    /// The same for at most [`BLOCK`] trials.
    #[inline(always)]
    fn losses_of_block(&mut self, samples: u64) -> u64 {
        let (mut counter, mut counts, mut compared) = (self.counter, 0, 0);
        for _ in 0..samples.div_ceil(LANES) {
            compared = self.threshold.compare(counter);
            counts += (compared & HIGHS) >> 7;
            counter = counter.wrapping_add(INCREMENT);
        }
        (self.counter, self.compared, self.lane) = (counter, compared, samples % LANES);
        // What the last word's other trials lost is taken off again.
        let handed_out = first((samples - 1) % LANES + 1);
        byte_sum(counts - ((compared & HIGHS & !handed_out) >> 7))
    }
}

/// The streams of all arms of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Streams {
    /// The run's, from which every stream's start comes.
    key: u64,
    streams: Vec<Stream>,
}

impl Streams {
    /// The run of this address. `arms` says for each place which arm is there
    /// and what its value is: the trials are the arm's, wherever it is.
    pub(super) fn begin(&mut self, run: Seed, arms: impl IntoIterator<Item = (u32, Threshold)>) {
        self.key = run.child(address::STREAMS).rng().bits();
        self.streams.clear();
        self.streams.extend(arms.into_iter().map(|(arm, threshold)| Stream {
            threshold,
            counter: 0,
            compared: 0,
            lane: 0,
            round: NO_ROUND,
            arm,
        }));
    }

    /// Starts all streams of the run again.
    pub(super) fn rewind(&mut self) {
        for stream in &mut self.streams {
            stream.round = NO_ROUND;
        }
    }

    /// The number of wins among the next `samples` trials, at least one, of the arm at
    /// this place. Calls with the same round continue the arm's stream, one by one or many
    /// together alike; another round number starts that round's stream.
    #[inline(always)]
    pub(super) fn wins(&mut self, place: usize, round: u32, samples: u64) -> u64 {
        if samples == 1
            && let Some(loss) = self.streams[place].next_at_hand(round)
        {
            return 1 - loss;
        }
        self.wins_slowly(place, round, samples)
    }

    #[inline(never)]
    fn wins_slowly(&mut self, place: usize, round: u32, samples: u64) -> u64 {
        let stream = &mut self.streams[place];
        stream.enter(self.key, round);
        samples - stream.losses(samples)
    }

    /// Writes the wins of each pull, whose arm is a place, as if
    /// [`wins`](Streams::wins) was called for one after the other.
    pub(super) fn wins_of_each(&mut self, round: u32, pulls: &[Pull], wins: &mut [u64]) {
        debug_assert_eq!(pulls.len(), wins.len());
        // Two loops: in each the work for one pull does not wait for that for another, and
        // there is little enough of it that the processor sees several pulls at once.
        for pull in pulls {
            self.streams[pull.arm].enter(self.key, round);
        }
        for (pull, wins) in pulls.iter().zip(wins) {
            *wins = pull.samples - self.streams[pull.arm].losses(pull.samples);
        }
    }
}

#[cfg(test)]
mod tests;
