//! Boards from 8 to 10: two words, the second folded.
//!
//! With the board folded, the rows on both sides of the fold have the same place
//! in their words, and a step across it is an exchange of the words: as one vector
//! a spread is ten instructions. Where a playout is compiled for a later
//! processor, the compiler takes its better instructions (`ptest`, three operands)
//! for the same code.
//!
//! Machines without such vectors fold the board too: the order of the points
//! decides which one a random number picks.

use tesuji_core::isa::Isa;

use super::pair::{Best, Pair};
use super::points::{DIAGONAL, Layout, ORTHOGONAL, PointSet};

/// Point sets for boards from 8 to 10: two words of five rows of 11 bits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Folded<P>(P);

/// Point sets for boards from 8 to 10, with the best vectors of this machine.
pub type UpTo10 = Folded<Best>;

const LAYOUT: Layout = Layout { stride: 11, rows_per_word: 5, folded: true };

/// What is asked of a point, in one line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Place {
    single: [u64; 2],
    neighbours: [u64; 2],
    diagonals: [u64; 2],
}

static PLACES: [Place; 128] = {
    let singles: [[u64; 2]; 128] = LAYOUT.table([(0, 0); 4]);
    let neighbours: [[u64; 2]; 128] = LAYOUT.table(ORTHOGONAL);
    let diagonals: [[u64; 2]; 128] = LAYOUT.table(DIAGONAL);
    let mut places = [Place { single: [0; 2], neighbours: [0; 2], diagonals: [0; 2] }; 128];
    let mut index = 0;
    while index < 128 {
        places[index] =
            Place { single: singles[index], neighbours: neighbours[index], diagonals: diagonals[index] };
        index += 1;
    }
    places
};

/// For every size, the number of the point with each index, row by row.
static DENSE: [[u8; 128]; 16] = {
    let mut table = [[0; 128]; 16];
    let mut size = 2;
    while size <= 10 {
        let mut point = 0;
        while point < size * size {
            table[size][LAYOUT.index(point % size, point / size)] = point as u8;
            point += 1;
        }
        size += 1;
    }
    table
};

/// The row at the fold: the last of both words.
const FOLD: [u64; 2] = [0x7ff << 44; 2];

/// The points beyond the fold of those next to it.
#[inline(always)]
fn across<P: Pair>(pair: P) -> P {
    pair.exchanged().and(P::new(FOLD))
}

impl<P: Pair> PointSet for Folded<P> {
    const LARGEST: usize = 10;
    const WORDS: usize = 2;
    const ROWS: usize = LAYOUT.rows_per_word;
    const STRIDE: usize = LAYOUT.stride;

    #[inline(always)]
    fn index(x: usize, y: usize) -> usize {
        LAYOUT.index(x, y)
    }

    #[inline(always)]
    fn column_and_row(index: usize) -> (usize, usize) {
        LAYOUT.column_and_row(index)
    }

    #[inline(always)]
    fn dense(index: usize, size: usize) -> usize {
        DENSE[size % 16][index % 128].into()
    }

    #[inline(always)]
    fn none() -> Self {
        Folded(P::new([0; 2]))
    }

    #[inline(always)]
    fn single(index: usize) -> Self {
        Folded(P::new(PLACES[index % 128].single))
    }

    #[inline(always)]
    fn word(self, number: usize) -> u64 {
        self.0.words()[number]
    }

    #[inline(always)]
    fn word_in_order(self, number: usize) -> u64 {
        let word = self.word(number);
        if number == 0 {
            return word;
        }
        let row = |row: usize| word >> (LAYOUT.stride * row) & ((1 << LAYOUT.stride) - 1);
        (0..LAYOUT.rows_per_word).fold(0, |unfolded, place| unfolded << LAYOUT.stride | row(place))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Folded(self.0.and(other.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Folded(self.0.or(other.0))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Folded(self.0.without(other.0))
    }

    #[inline(always)]
    fn is_disjoint(self, other: Self) -> bool {
        self.0.and(other.0).is_zero()
    }

    #[inline(always)]
    fn is_subset(self, other: Self) -> bool {
        self.0.without(other.0).is_zero()
    }

    #[inline(always)]
    fn spread(self) -> Self {
        let sideways = self.0.up::<1>().or(self.0.down::<1>());
        let vertical = self.0.up::<11>().or(self.0.down::<11>());
        Folded(sideways.or(vertical).or(across(self.0)))
    }

    #[inline(always)]
    fn spread_twice(self) -> Self {
        let [a, b] = [self.0.up::<1>(), self.0.down::<1>()];
        let [c, d] = [self.0.up::<11>(), self.0.down::<11>().or(across(self.0))];
        Folded(a.and(b).or(c.and(d)).or(a.or(b).and(c.or(d))))
    }

    #[inline(always)]
    fn spoilt_eyes(self, edge: Self) -> Self {
        let sides = [self.0.up::<1>(), self.0.down::<1>()];
        let [a, b] = sides.map(|side| side.up::<11>());
        let [c, d] = sides.map(|side| side.down::<11>().or(across(side)));
        let (ab, cd) = (a.or(b), c.or(d));
        Folded(a.and(b).or(c.and(d)).or(ab.and(cd)).or(ab.or(cd).and(edge.0)))
    }

    #[inline(always)]
    fn neighbours(index: usize) -> Self {
        Folded(P::new(PLACES[index % 128].neighbours))
    }

    #[inline(always)]
    fn diagonals(index: usize) -> Self {
        Folded(P::new(PLACES[index % 128].diagonals))
    }

    #[inline(always)]
    fn count(self) -> u32 {
        let [low, high] = self.0.words();
        low.count_ones() + high.count_ones()
    }

    #[inline(always)]
    fn select<I: Isa>(self, rank: u32) -> usize {
        let [low, high] = self.0.words();
        let in_low = low.count_ones();
        let is_high = rank >= in_low;
        let (word, rank) = if is_high { (high, rank - in_low) } else { (low, rank) };
        I::select(word, rank) as usize | usize::from(is_high) << 6
    }
}
