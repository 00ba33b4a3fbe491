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

/// When each code was last played.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    marks: Vec<u32>,
    base: u32,
    /// The codes of the playout, each once, where somebody needs the list.
    listed: Vec<Code>,
}

impl Marks {
    /// Forgets everything, for codes below `n_codes`.
    pub(crate) fn clear(&mut self, n_codes: usize) {
        self.marks.clear();
        self.marks.resize(n_codes, 0);
        self.base = 0;
    }

    /// Another simulation begins: nothing is marked.
    pub(crate) fn begin(&mut self) {
        self.base = match self.base.checked_add(2 * STEP) {
            Some(_) => self.base + STEP,
            None => {
                self.marks.fill(0);
                STEP
            }
        };
        self.listed.clear();
    }

    /// A move of the tree.
    #[inline]
    pub(crate) fn mark(&mut self, code: Code, depth: u32) {
        debug_assert!(depth < MOST_DEPTH);
        self.marks[code as usize] = self.base + depth;
    }

    /// Whether the code was played at this depth, and not later.
    #[inline]
    pub(crate) fn is_last(&self, code: Code, depth: u32) -> bool {
        self.marks[code as usize] == self.base + depth
    }

    /// All marks, and the least one that means "played at this depth or later".
    #[inline]
    pub(crate) fn since(&self, depth: u32) -> (&[u32], u32) {
        (&self.marks, self.base + depth)
    }

    /// The codes of the playout, where it was recorded with [`Lister`].
    pub(crate) fn listed(&self) -> &[Code] {
        &self.listed
    }
}

/// Marks the moves of a playout.
pub(crate) struct Marker<'a>(pub(crate) &'a mut Marks);

impl Record for Marker<'_> {
    const KEEPS: bool = true;

    #[inline(always)]
    fn push(&mut self, code: Code) {
        self.0.marks[code as usize] = self.0.base + MOST_DEPTH;
    }
}

/// Marks the moves of a playout and lists them.
pub(crate) struct Lister<'a>(pub(crate) &'a mut Marks);

impl Record for Lister<'_> {
    const KEEPS: bool = true;

    #[inline(always)]
    fn push(&mut self, code: Code) {
        let mark = &mut self.0.marks[code as usize];
        if *mark != self.0.base + MOST_DEPTH {
            *mark = self.0.base + MOST_DEPTH;
            self.0.listed.push(code);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes that a node at this depth counts.
    fn since(marks: &Marks, depth: u32) -> Vec<usize> {
        let (all, least) = marks.since(depth);
        (0..all.len()).filter(|&code| all[code] >= least).collect()
    }

    #[test]
    fn a_node_counts_what_comes_after_it() {
        let mut marks = Marks::default();
        marks.clear(6);
        marks.begin();
        for (depth, code) in (0..).zip([3, 1, 3]) {
            marks.mark(code, depth);
        }
        Lister(&mut marks).push_all(&[4, 1, 4]);
        assert_eq!(since(&marks, 0), [1, 3, 4]);
        assert_eq!(since(&marks, 2), [1, 3, 4]);
        assert_eq!(since(&marks, 3), [1, 4]);
        // Each once: 3 for the last time at depth 2, 1 and 4 in the playout.
        assert_eq!(marks.listed(), [4, 1]);
        assert!(marks.is_last(3, 2) && !marks.is_last(3, 0) && !marks.is_last(1, 1));
        marks.begin();
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
        all.iter().all(|&mark| mark < least)
    }
}
