//! Playouts that fill the board and look once.
//!
//! A random game that goes on to the full board gives the side to move the
//! larger half of the k empty cells, a uniformly random subset of ⌈k/2⌉ of them,
//! and it has the same winner as the game stopped at the decision, because a
//! connection stays one. So a coin for each cell, a few corrections until the
//! number is right, and one flood say who wins.
//!
//! Corrections keep the subset uniform: a uniform subset of c cells less one of
//! its cells at random is a uniform subset of c - 1, likewise with one more.
//!
//! Given the subset, all orders in which each side plays its cells are equally
//! likely; a record gets one of them, drawn after the outcome. A record that does
//! not ask for an order gets the sets as they are.

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Code, Outcome, Playout, Record, Rng, Seed, Side};

use super::Hex;
use super::connection::joins_top_and_bottom;

/// At least as many as one side's cells of the largest board, 181, and a power
/// of two, so that a masked index needs no check.
const CELLS: usize = 256;

/// The kernel of [`Game::playout`](tesuji_core::Game::playout).
pub(super) struct FillAndLook<'a, R, const WORDS: usize, const ROWS: usize> {
    pub(super) start: &'a Hex<WORDS, ROWS>,
    pub(super) rng: &'a mut Rng,
    pub(super) record: &'a mut R,
}

impl<R: Record, const WORDS: usize, const ROWS: usize> Kernel for FillAndLook<'_, R, WORDS, ROWS> {
    type Output = Playout;

    #[inline(always)]
    fn run<I: Isa>(self) -> Playout {
        let FillAndLook { start, rng, record } = self;
        if let Some(winner) = start.winner {
            return Playout { outcome: Outcome::Win(winner), plies: 0 };
        }
        if start.may_swap() && rng.below(start.n_empty() + 1) == 0 {
            let mut swapped = start.clone();
            swapped.take_over();
            swapped.pass_the_turn();
            let [.., swap] = start.first_codes();
            record.push(swap);
            let playout = fill_and_look::<I, _, WORDS, ROWS>(&swapped, rng, record);
            return Playout { plies: playout.plies + 1, ..playout };
        }
        fill_and_look::<I, _, WORDS, ROWS>(start, rng, record)
    }
}

#[inline(always)]
fn fill_and_look<I: Isa, R: Record, const WORDS: usize, const ROWS: usize>(
    start: &Hex<WORDS, ROWS>,
    rng: &mut Rng,
    record: &mut R,
) -> Playout {
    let plies = start.n_empty();
    let mine = random_subset::<I, WORDS>(&start.empty, plies.div_ceil(2), rng);
    let theirs: [u64; WORDS] = std::array::from_fn(|word| start.empty[word] & !mine[word]);
    let [black, _] = start.stones;
    let new = if start.to_move == Side::Black { mine } else { theirs };
    let all_black = std::array::from_fn(|word| black[word] | new[word]);
    let black_wins = joins_top_and_bottom::<WORDS, ROWS>(&all_black, start.size());
    // The order of play has a stream of its own, so that recording leaves the
    // generator where silence does.
    let order = rng.bits();
    if R::KEEPS && !R::ORDERED {
        record_sets(start, &mine, &theirs, record);
    } else if R::KEEPS {
        record_in_random_order(start, &mine, &theirs, Seed::new(order).rng(), record);
    }
    Playout { outcome: Outcome::Win(if black_wins { Side::Black } else { Side::White }), plies }
}

/// A subset of this many of the cells, each such subset equally likely.
#[inline(always)]
fn random_subset<I: Isa, const WORDS: usize>(
    cells: &[u64; WORDS],
    wanted: u32,
    rng: &mut Rng,
) -> [u64; WORDS] {
    let coins = cells.map(|word| if WORDS <= 3 || word != 0 { rng.bits() & word } else { 0 });
    corrected::<I, WORDS>(coins, cells, wanted, rng)
}

/// This subset of the cells with cells at random added or left out until there are
/// as many as are wanted. Where all subsets of the same number were equally likely,
/// they still are.
#[inline(always)]
pub(super) fn corrected<I: Isa, const WORDS: usize>(
    mut subset: [u64; WORDS],
    cells: &[u64; WORDS],
    wanted: u32,
    rng: &mut Rng,
) -> [u64; WORDS] {
    let chosen: u32 = subset.iter().map(|word| word.count_ones()).sum();
    // The cells that may change hands: the chosen ones where too many are.
    let complement = if chosen > wanted { 0 } else { !0 };
    let mut pool: [u64; WORDS] = std::array::from_fn(|word| cells[word] & (subset[word] ^ complement));
    let mut left: u32 = pool.iter().map(|word| word.count_ones()).sum();
    for _ in 0..chosen.abs_diff(wanted) {
        let (at, bit) = select::<I, WORDS>(&pool, rng.below(left));
        subset[at] ^= bit;
        pool[at] ^= bit;
        left -= 1;
    }
    subset
}

/// The cell with `rank` cells before it: its word, and its bit there.
#[inline(always)]
pub(super) fn select<I: Isa, const WORDS: usize>(cells: &[u64; WORDS], rank: u32) -> (usize, u64) {
    let (mut at, mut before, mut through) = (0, 0, 0);
    for word in 1..WORDS {
        through += cells[word - 1].count_ones();
        if rank >= through {
            (at, before) = (word, through);
        }
    }
    (at, 1 << I::select(cells[at], rank - before))
}

/// The two sides' new cells as codes, in no order of play.
#[inline(always)]
fn record_sets<R: Record, const WORDS: usize, const ROWS: usize>(
    start: &Hex<WORDS, ROWS>,
    mine: &[u64; WORDS],
    theirs: &[u64; WORDS],
    record: &mut R,
) {
    let first = start.first_codes();
    for (cells, side) in [(mine, start.to_move), (theirs, start.to_move.other())] {
        for (word, &cells) in cells.iter().enumerate() {
            let first = first[side.index()] + (word * ROWS * start.size()) as Code;
            record.push_set(first, packed::<WORDS, ROWS>(cells, start.size()));
        }
    }
}

/// The two sides' new cells as codes, each side's in random order, in turns.
#[inline(always)]
fn record_in_random_order<R: Record, const WORDS: usize, const ROWS: usize>(
    start: &Hex<WORDS, ROWS>,
    mine: &[u64; WORDS],
    theirs: &[u64; WORDS],
    mut rng: Rng,
    record: &mut R,
) {
    let first = start.first_codes();
    let (mut mine, n) = codes::<WORDS, ROWS>(mine, start.size(), first[start.to_move.index()]);
    let (mut theirs, m) = codes::<WORDS, ROWS>(theirs, start.size(), first[start.to_move.other().index()]);
    let mut order = [0; 2 * CELLS];
    let (sixes, _) = order.as_chunks_mut::<6>();
    // Six plies a draw. What is left of each side's codes is in front.
    let (mut my_left, mut their_left) = (n as u32, m as u32);
    for six in &mut sixes[..m / 3] {
        let [a, b, c, d, e, f] =
            rng.below_each([my_left, their_left, my_left - 1, their_left - 1, my_left - 2, their_left - 2]);
        six[0] = take(&mut mine, my_left, a);
        six[1] = take(&mut theirs, their_left, b);
        six[2] = take(&mut mine, my_left - 1, c);
        six[3] = take(&mut theirs, their_left - 1, d);
        six[4] = take(&mut mine, my_left - 2, e);
        six[5] = take(&mut theirs, their_left - 2, f);
        my_left -= 3;
        their_left -= 3;
    }
    record.push_all(&order[..m / 3 * 6]);
    while my_left > 0 {
        record.push(take(&mut mine, my_left, rng.below(my_left)));
        my_left -= 1;
        if their_left > 0 {
            record.push(take(&mut theirs, their_left, rng.below(their_left)));
            their_left -= 1;
        }
    }
}

/// Removes the code at `rank`, of so many that are left; the last of them takes
/// its place.
#[inline(always)]
fn take(codes: &mut [Code; CELLS], left: u32, rank: u32) -> Code {
    let at = rank as usize % CELLS;
    let code = codes[at];
    codes[at] = codes[(left - 1) as usize % CELLS];
    code
}

/// The codes of these cells, and how many there are.
#[inline(always)]
fn codes<const WORDS: usize, const ROWS: usize>(
    cells: &[u64; WORDS],
    size: usize,
    first: Code,
) -> ([Code; CELLS], usize) {
    let mut codes = [0; CELLS];
    let mut n = 0;
    for (word, &cells) in cells.iter().enumerate() {
        let mut rest = packed::<WORDS, ROWS>(cells, size);
        let first = first + (word * ROWS * size) as Code;
        let count = rest.count_ones() as usize;
        for code in &mut codes[n..n + count] {
            *code = first + rest.trailing_zeros() as Code;
            rest &= rest - 1;
        }
        n += count;
    }
    (codes, n)
}

/// A word's cells without the free bits between rows: numbered as codes are.
#[inline(always)]
fn packed<const WORDS: usize, const ROWS: usize>(cells: u64, size: usize) -> u64 {
    let row = |lane: usize| cells >> (lane * Hex::<WORDS, ROWS>::LANE) & ((1 << size) - 1);
    (0..ROWS).fold(0, |packed, lane| packed | row(lane) << (lane * size))
}
