//! Boards of Hex that agree with what one side knows.
//!
//! The hidden stones are put uniformly on the unknown cells, such that the enemy has
//! not won already: a draw that joins the enemy's edges is drawn again, up to
//! [`TRIES`] times. After that, stones are put one after another wherever they do not
//! join them, and those for which there is no room are left out.

use tesuji_core::isa::{self, Isa, Kernel};
use tesuji_core::{Game, Guess, Playout, Record, Rng, Side};

use super::super::connection::joins_top_and_bottom;
use super::super::playout::{corrected, select};
use super::HexView;
use crate::hex::{Hex, HexMove};

/// Draws of all hidden stones before some are left out.
const TRIES: u32 = 20;

/// The boards of Dark Hex that agree with a view, to draw from.
#[derive(Clone, Debug)]
pub struct HexGuess<const WORDS: usize, const ROWS: usize> {
    /// The side whose stones are hidden.
    enemy: Side,
    /// What is known; hidden stones are on its empty cells.
    known: Hex<WORDS, ROWS>,
    /// The number of hidden stones, at most the number of empty cells.
    n_hidden: u32,
}

impl<const WORDS: usize, const ROWS: usize> HexGuess<WORDS, ROWS> {
    pub(super) fn new(view: &HexView<WORDS, ROWS>, mv: Option<HexMove>) -> Self {
        let mut known = view.known.clone();
        if let Some(mv) = mv {
            known.play_unchecked(mv);
        }
        let n_hidden = view.n_hidden().min(known.n_empty());
        HexGuess { enemy: !view.side, known, n_hidden }
    }

    /// A board that agrees, with the hash of what is known.
    fn unhashed(&self, rng: &mut Rng) -> Hex<WORDS, ROWS> {
        let mut world = self.known.clone();
        if self.n_hidden > 0 {
            let hidden = isa::dispatch(Scatter { guess: self, rng });
            for (word, hidden) in hidden.into_iter().enumerate() {
                world.empty[word] &= !hidden;
                world.stones[self.enemy.index()][word] |= hidden;
            }
        }
        world
    }

    /// Whether the enemy would have won with hidden stones here.
    #[inline(always)]
    fn is_over(&self, hidden: &[u64; WORDS]) -> bool {
        let known = &self.known;
        match self.enemy {
            Side::Black => {
                let black = std::array::from_fn(|word| known.stones[0][word] | hidden[word]);
                joins_top_and_bottom::<WORDS, ROWS>(&black, known.size())
            }
            Side::White => {
                let others =
                    std::array::from_fn(|word| known.stones[0][word] | known.empty[word] & !hidden[word]);
                !joins_top_and_bottom::<WORDS, ROWS>(&others, known.size())
            }
        }
    }
}

impl<const WORDS: usize, const ROWS: usize> Guess for HexGuess<WORDS, ROWS> {
    type World = Hex<WORDS, ROWS>;

    fn world(&self, rng: &mut Rng) -> Hex<WORDS, ROWS> {
        let mut world = self.unhashed(rng);
        world.hash = world.recomputed_hash();
        world
    }

    #[inline]
    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        self.unhashed(rng).playout(rng, record)
    }
}

/// Puts the hidden stones somewhere.
struct Scatter<'a, const WORDS: usize, const ROWS: usize> {
    guess: &'a HexGuess<WORDS, ROWS>,
    rng: &'a mut Rng,
}

impl<const WORDS: usize, const ROWS: usize> Kernel for Scatter<'_, WORDS, ROWS> {
    type Output = [u64; WORDS];

    #[inline(always)]
    fn run<I: Isa>(self) -> [u64; WORDS] {
        let Scatter { guess, rng } = self;
        let all = guess.known.n_empty();
        // Fewer stones than a chain from edge to edge has are no chain.
        let may_be_over = guess.known.n_stones(guess.enemy) + guess.n_hidden >= guess.known.size() as u32;
        for _ in 0..TRIES {
            let hidden = subset::<I, WORDS>(&guess.known.empty, all, guess.n_hidden, rng);
            if !may_be_over || !guess.is_over(&hidden) {
                return hidden;
            }
        }
        let (mut hidden, mut left) = ([0; WORDS], guess.known.empty);
        let mut missing = guess.n_hidden;
        for n_left in (1..=all).rev() {
            if missing == 0 {
                break;
            }
            let (word, bit) = select::<I, WORDS>(&left, rng.below(n_left));
            left[word] ^= bit;
            hidden[word] |= bit;
            match guess.is_over(&hidden) {
                true => hidden[word] ^= bit,
                false => missing -= 1,
            }
        }
        hidden
    }
}

/// So many of the cells, each subset equally likely: a coin for each, as biased as
/// eighths allow, and then a few corrections.
#[inline(always)]
fn subset<I: Isa, const WORDS: usize>(
    cells: &[u64; WORDS],
    all: u32,
    wanted: u32,
    rng: &mut Rng,
) -> [u64; WORDS] {
    let eighths = (16 * wanted + all) / (2 * all);
    let coins = match eighths {
        0 => [0; WORDS],
        8 => *cells,
        _ => cells.map(|word| if word != 0 { biased_bits(eighths, rng) & word } else { 0 }),
    };
    corrected::<I, WORDS>(coins, cells, wanted, rng)
}

/// Bits that are each set with a probability of `eighths` eighths, from 1 to 7.
///
/// By the digits of that number in base 2 from the last: a random bit that is taken
/// together with what is there halves its chance, and one taken instead adds a half.
#[inline(always)]
fn biased_bits(eighths: u32, rng: &mut Rng) -> u64 {
    let last = eighths.trailing_zeros();
    (last + 1..3).fold(rng.bits(), |bits, digit| match eighths >> digit & 1 {
        0 => bits & rng.bits(),
        _ => bits | rng.bits(),
    })
}
