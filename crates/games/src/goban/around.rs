//! The neighbours of a point in one number, for [`Chains`](super::chains::Chains).

use super::chains::LIBERTY;

/// What is on the four points next to a point: a bit for each neighbour with a
/// stone of side 0 (above, right, left, below), the same for side 1, and the
/// number of neighbours that are not empty, those off the board included, in
/// units of `LIBERTY`. The stones of each side are counted too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Around(pub(super) u32);

impl Around {
    /// One neighbour that is not empty.
    pub(super) const FILLED: u32 = LIBERTY as u32;
    /// Set where the four neighbours are not empty.
    pub(super) const FULL: u32 = 4 * Self::FILLED;
    /// One stone of a side.
    pub(super) const STONE: [u32; 2] = [1 << 12, 1 << 16];
    /// Set on edges and in corners.
    pub(super) const EDGE: u32 = 1 << 8;
    /// Set by [`Chains::mark`](super::chains::Chains::mark).
    pub(super) const MARK: u32 = 1 << 31;
    /// Set off the board.
    pub(super) const BORDER: u32 = 1 << 9;

    /// The bits that stand for the neighbours with lower indices.
    pub(super) const EARLIER: u32 = 4 | 8;

    /// The bits of a side's stones.
    #[inline(always)]
    pub(super) const fn stones<const SIDE: usize>(self) -> u32 {
        self.0 >> (4 * SIDE) & 15
    }

    /// Whether none of the neighbours is empty.
    #[inline(always)]
    pub(crate) fn is_full(self) -> bool {
        self.0 & Self::FULL != 0
    }

    /// The number of empty neighbours, in units of `LIBERTY`.
    #[inline(always)]
    pub(super) fn liberties(self) -> i64 {
        4 * LIBERTY - i64::from(self.0 & (7 * Self::FILLED))
    }

    /// Whether there are two stones of this side or more.
    #[inline(always)]
    pub(crate) fn has_two_stones<const SIDE: usize>(self) -> bool {
        self.0 & (6 * Self::STONE[SIDE]) != 0
    }

    /// Whether there is a stone of this side.
    #[inline(always)]
    pub(crate) fn has_stones<const SIDE: usize>(self) -> bool {
        self.0 & (15 << (4 * SIDE)) != 0
    }

    /// Whether the point is on the board's edge.
    #[inline(always)]
    pub(crate) fn is_edge(self) -> bool {
        self.0 & Self::EDGE != 0
    }

    /// Whether the point is marked.
    #[inline(always)]
    pub(crate) fn is_marked(self) -> bool {
        (self.0 as i32) < 0
    }
}
