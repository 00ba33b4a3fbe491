//! Which moves a simulation played: all that AMAF statistics need to know.
//!
//! Every code has a mark that says when it was last played: in which simulation
//! and how far from the root. A node at depth d counts the moves whose marks say
//! "in this simulation, at depth d or later", each once however often it was
//! played. Moves of the playout count as later than all of the tree's.

use tesuji_core::{Code, Record};

/// Depths of the tree are below this.
pub(crate) const MOST_DEPTH: u32 = 1023;

/// A simulation's marks are from its base to here beyond it.
const STEP: u32 = MOST_DEPTH + 1;

/// A mark for every code there can be, so that looking one up needs no check.
/// A game uses the first few; the rest is never touched.
pub(crate) struct MarkTable(Box<[u32; 1 << Code::BITS]>);

impl MarkTable {
    #[inline(always)]
    pub(crate) fn at(&self, code: Code) -> u32 {
        self.0[code as usize]
    }
}

impl Default for MarkTable {
    fn default() -> MarkTable {
        // A vector of zeros is memory that the system gives without touching it.
        let zeros: Box<[u32]> = vec![0; 1 << Code::BITS].into();
        MarkTable(zeros.try_into().expect("it has the length of the array"))
    }
}

/// When each code was last played.
#[derive(Default)]
pub(crate) struct Marks {
    marks: MarkTable,
    n_codes: usize,
    base: u32,
    /// The codes of the playout, each once, where somebody asked for them.
    listed: Vec<Code>,
}

impl Marks {
    /// Forgets everything, for codes below `n_codes`.
    pub(crate) fn clear(&mut self, n_codes: usize) {
        let used = self.n_codes.max(n_codes);
        self.marks.0[..used].fill(0);
        (self.n_codes, self.base) = (n_codes, 0);
    }

    /// Another simulation begins: nothing is marked.
    pub(crate) fn begin(&mut self) {
        self.base = match self.base.checked_add(2 * STEP) {
            Some(_) => self.base + STEP,
            None => {
                self.marks.0[..self.n_codes].fill(0);
                STEP
            }
        };
    }

    /// A move of the tree.
    #[inline]
    pub(crate) fn mark(&mut self, code: Code, depth: u32) {
        debug_assert!(depth < MOST_DEPTH);
        self.marks.0[code as usize] = self.base + depth;
    }

    /// Whether the code was played at this depth, and not later.
    #[inline]
    pub(crate) fn is_last(&self, code: Code, depth: u32) -> bool {
        self.marks.at(code) == self.base + depth
    }

    /// All marks, and the least one that means "played at this depth or later".
    #[inline]
    pub(crate) fn since(&self, depth: u32) -> (&MarkTable, u32) {
        (&self.marks, self.base + depth)
    }

    /// Lists the codes of the playout, each once.
    pub(crate) fn list(&mut self) {
        let marks = self.marks.0[..self.n_codes].iter().zip(0..);
        let last = self.base + MOST_DEPTH;
        self.listed.clear();
        self.listed.extend(marks.filter(|(mark, _)| **mark == last).map(|(_, code): (_, Code)| code));
    }

    /// The codes of the playout, as they were last listed.
    pub(crate) fn listed(&self) -> &[Code] {
        &self.listed
    }
}

/// Marks the moves of a playout.
pub(crate) struct Marker<'a>(pub(crate) &'a mut Marks);

impl Record for Marker<'_> {
    const KEEPS: bool = true;
    const ORDERED: bool = false;

    #[inline(always)]
    fn push(&mut self, code: Code) {
        self.0.marks.0[code as usize] = self.0.base + MOST_DEPTH;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes that a node at this depth counts.
    fn since(marks: &Marks, depth: u32) -> Vec<usize> {
        let (all, least) = marks.since(depth);
        (0..marks.n_codes).filter(|&code| all.at(code as Code) >= least).collect()
    }

    #[test]
    fn a_node_counts_what_comes_after_it() {
        let mut marks = Marks::default();
        marks.clear(6);
        marks.begin();
        for (depth, code) in (0..).zip([3, 1, 3]) {
            marks.mark(code, depth);
        }
        Marker(&mut marks).push_all(&[4, 1, 4]);
        assert_eq!(since(&marks, 0), [1, 3, 4]);
        assert_eq!(since(&marks, 2), [1, 3, 4]);
        assert_eq!(since(&marks, 3), [1, 4]);
        // Each once: 3 for the last time at depth 2, 1 and 4 in the playout.
        marks.list();
        assert_eq!(marks.listed(), [1, 4]);
        assert!(marks.is_last(3, 2) && !marks.is_last(3, 0) && !marks.is_last(1, 1));
        marks.begin();
        marks.list();
        assert!(since(&marks, 0).is_empty() && marks.listed().is_empty());
        Marker(&mut marks).push(5);
        assert_eq!(since(&marks, MOST_DEPTH - 1), [5]);
    }

    #[test]
    fn old_simulations_never_come_back() {
        let mut marks = Marks::default();
        marks.clear(2);
        // More simulations than there are bases: it begins anew in between.
        for simulation in 0..(u32::MAX / STEP + 10) {
            marks.begin();
            assert!(since_is_empty(&marks), "simulation {simulation}");
            if simulation % 1000 < 2 {
                marks.mark(0, MOST_DEPTH - 1);
                Marker(&mut marks).push(1);
            }
        }
    }

    fn since_is_empty(marks: &Marks) -> bool {
        let (all, least) = marks.since(0);
        (0..marks.n_codes).all(|code| all.at(code as Code) < least)
    }
}
