//! Playouts in which no side ever connects its edges, because it may not: who has no other
//! move left loses.
//!
//! A cell that would connect a side stays so as long as it is empty, since that side's stones
//! only become more. So each side keeps the set of cells not yet found forbidden, and a
//! forbidden cell is looked at once a playout. Chains are sets with a root (union–find); the two
//! edges of a side are chains too.

use tesuji_core::isa::{Isa, Kernel};
use tesuji_core::{Code, Outcome, Playout, Record, Rng, Side};

use super::Hex;
use super::playout::select;

/// Cells of the largest board, 361, and the two edges; a power of two, so that a masked index
/// needs no check.
const PLACES: usize = 512;

/// The chains of one side.
struct Chains {
    parents: [u16; PLACES],
    size: usize,
    side: Side,
}

impl Chains {
    /// One edge of the side, and the other.
    const EDGES: [usize; 2] = [PLACES - 2, PLACES - 1];

    fn new(size: usize, side: Side) -> Chains {
        Chains { parents: std::array::from_fn(|place| place as u16), size, side }
    }

    #[inline(always)]
    fn root(&mut self, mut place: usize) -> usize {
        loop {
            let parent = usize::from(self.parents[place % PLACES]);
            if parent == place {
                return place;
            }
            // Halves the way of later calls.
            let next = self.parents[parent % PLACES];
            self.parents[place % PLACES] = next;
            place = usize::from(next);
        }
    }

    /// The roots of what a stone on a cell would join: own stones next to it, and edges.
    #[inline(always)]
    fn roots_around(
        &mut self,
        x: usize,
        y: usize,
        is_own: impl Fn(usize, usize) -> bool,
    ) -> ([usize; 8], usize) {
        let size = self.size;
        let (mut roots, mut n) = ([0; 8], 0);
        let mut add = |root: usize| {
            roots[n % 8] = root;
            n += 1;
        };
        let along = if self.side == Side::Black { y } else { x };
        for (edge, row) in Chains::EDGES.into_iter().zip([0, size - 1]) {
            if along == row {
                add(self.root(edge));
            }
        }
        let (left, right, up, down) = (x > 0, x + 1 < size, y > 0, y + 1 < size);
        let around = [
            (left, x.wrapping_sub(1), y),
            (right, x + 1, y),
            (up, x, y.wrapping_sub(1)),
            (down, x, y + 1),
            (right && up, x + 1, y.wrapping_sub(1)),
            (left && down, x.wrapping_sub(1), y + 1),
        ];
        for (is_there, x, y) in around {
            if is_there && is_own(x, y) {
                add(self.root(y * size + x));
            }
        }
        (roots, n)
    }

    /// Joins a new stone to its neighbours, unless that would connect the edges; returns
    /// whether the stone may be there.
    #[inline(always)]
    fn join(&mut self, x: usize, y: usize, is_own: impl Fn(usize, usize) -> bool) -> bool {
        let (roots, n) = self.roots_around(x, y, is_own);
        let roots = &roots[..n];
        let edges = Chains::EDGES.map(|edge| self.root(edge));
        if edges.iter().all(|edge| roots.contains(edge)) {
            return false;
        }
        let place = y * self.size + x;
        for &root in roots {
            self.parents[root % PLACES] = place as u16;
        }
        true
    }
}

/// The kernel of such a playout. Nobody has won yet, and nobody may swap.
pub(super) struct Unconnected<'a, R, const WORDS: usize, const ROWS: usize> {
    pub(super) start: &'a Hex<WORDS, ROWS>,
    pub(super) rng: &'a mut Rng,
    pub(super) record: &'a mut R,
}

impl<R: Record, const WORDS: usize, const ROWS: usize> Kernel for Unconnected<'_, R, WORDS, ROWS> {
    type Output = Playout;

    #[inline(always)]
    fn run<I: Isa>(self) -> Playout {
        let Unconnected { start, rng, record } = self;
        let size = start.size();
        let mut chains = Side::BOTH.map(|side| Chains::new(size, side));
        let has = |cells: &[u64; WORDS], x: usize, y: usize| {
            let (word, bit) = Hex::<WORDS, ROWS>::place(x, y);
            cells[word] >> bit & 1 == 1
        };
        for side in Side::BOTH {
            // Stones joined so far: each joins those before it.
            let mut joined = [0; WORDS];
            for word in 0..WORDS {
                let mut rest = start.stones[side.index()][word];
                while rest != 0 {
                    let (x, y) = Hex::<WORDS, ROWS>::cell(word, rest.trailing_zeros() as usize);
                    chains[side.index()].join(x, y, |x, y| has(&joined, x, y));
                    joined[word] |= rest & rest.wrapping_neg();
                    rest &= rest - 1;
                }
            }
        }
        let mut stones = start.stones;
        let mut candidates = [start.empty; 2];
        let first_codes = start.first_codes();
        let (mut side, mut plies) = (start.to_move, 0);
        loop {
            let own = side.index();
            let left: u32 = candidates[own].iter().map(|word| word.count_ones()).sum();
            if left == 0 {
                return Playout { outcome: Outcome::Win(!side), plies };
            }
            let (word, bit) = select::<I, WORDS>(&candidates[own], rng.below(left));
            let (x, y) = Hex::<WORDS, ROWS>::cell(word, bit.trailing_zeros() as usize);
            candidates[own][word] &= !bit;
            if !chains[own].join(x, y, |x, y| has(&stones[own], x, y)) {
                continue;
            }
            stones[own][word] |= bit;
            candidates[(!side).index()][word] &= !bit;
            record.push(first_codes[own] + (y * size + x) as Code);
            plies += 1;
            side = !side;
        }
    }
}
