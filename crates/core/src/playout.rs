//! What a playout gives: an outcome, a length, and the codes of its moves.

use crate::Outcome;

/// An AMAF code: a dense number for "the same move" across positions, different
/// for the two sides. See [`Game::code`](crate::Game::code).
pub type Code = u16;

/// How a playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout {
    /// The result at the end.
    pub outcome: Outcome,
    /// The number of moves played, passes included.
    pub plies: u32,
}

/// Somewhere for a playout to leave the codes of its moves. Static, so that a
/// playout that records nothing pays nothing.
pub trait Record {
    /// Whether anything is kept: a kernel may take a shorter way if not.
    const KEEPS: bool;

    /// Whether the order of the codes matters. Where it does not, a kernel may
    /// give them in any order, and each code once or several times.
    const ORDERED: bool = true;

    /// Takes the next move's code.
    fn push(&mut self, code: Code);

    /// Takes the codes of several moves, in order: for kernels that keep their
    /// codes to themselves until the end, which spares them the bookkeeping.
    #[inline(always)]
    fn push_all(&mut self, codes: &[Code]) {
        codes.iter().for_each(|&code| self.push(code));
    }

    /// Takes the code `first + i` for every set bit i of a word: for kernels that
    /// have the moves of an unordered record as sets. All of them are codes of
    /// the game. A record that is itself made of words can take them at once.
    #[inline(always)]
    fn push_set(&mut self, first: Code, bits: u64) {
        let mut rest = bits;
        while rest != 0 {
            self.push(first + rest.trailing_zeros() as Code);
            rest &= rest - 1;
        }
    }
}

/// Keeps nothing.
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

/// Keeps every code, in order. Cleared and used again, it stops allocating once
/// it has seen its longest playout.
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
