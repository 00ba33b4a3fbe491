//! The result of a playout: an outcome, a length, and the codes of its moves.

use crate::Outcome;

/// An AMAF code: a small number that "the same move" has in all positions of a
/// game. The two sides have different codes. See [`Game::code`](crate::Game::code).
pub type Code = u16;

/// The end of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout {
    /// The result at the end.
    pub outcome: Outcome,
    /// The number of moves played, passes included.
    pub plies: u32,
}

/// A record of the codes of a playout's moves. It is a type parameter, so that a
/// playout with [`Silent`] pays nothing.
pub trait Record {
    /// Whether the record keeps anything. If not, a kernel may take a shorter way.
    const KEEPS: bool;

    /// Whether the order of the codes matters. If not, a kernel may push them in
    /// any order, and each code once or several times.
    const ORDERED: bool = true;

    /// Records the code of the next move.
    fn push(&mut self, code: Code);

    /// Records the codes of several moves, in order. Kernels that collect their
    /// codes and push them at the end have less bookkeeping.
    #[inline(always)]
    fn push_all(&mut self, codes: &[Code]) {
        codes.iter().for_each(|&code| self.push(code));
    }

    /// Records the code `first + i` for every set bit `i` of `bits`: for kernels
    /// that have the moves of an unordered record as sets. All of them are codes
    /// of the game. A record that consists of words can add them at once.
    #[inline(always)]
    fn push_set(&mut self, first: Code, bits: u64) {
        let mut rest = bits;
        while rest != 0 {
            self.push(first + rest.trailing_zeros() as Code);
            rest &= rest - 1;
        }
    }
}

/// A record that keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Record for Silent {
    const KEEPS: bool = false;

    #[inline(always)]
    fn push(&mut self, _: Code) {}

    #[inline(always)]
    fn push_all(&mut self, _: &[Code]) {}

    #[inline(always)]
    fn push_set(&mut self, _: Code, _: u64) {}
}

/// Keeps every code, in order: for tests. Searches have cheaper records, and every
/// type of record is another copy of every kernel.
impl Record for Vec<Code> {
    const KEEPS: bool = true;

    #[inline(always)]
    fn push(&mut self, code: Code) {
        Vec::push(self, code);
    }

    #[inline(always)]
    fn push_all(&mut self, codes: &[Code]) {
        self.extend_from_slice(codes);
    }
}
