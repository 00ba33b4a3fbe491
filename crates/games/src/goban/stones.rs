//! Chains and liberties, bit-parallel.
//!
//! Nothing is kept from move to move: a chain is alive if a flood from the
//! liberties reaches it, and most questions are answered by the first step of
//! the flood, because most stones touch an empty point. A position is two sets
//! and costs nothing to copy.

use super::PointSet;

/// All of `within` that is connected to `seeds`, which lie in it.
#[inline(always)]
pub(crate) fn flood<S: PointSet>(seeds: S, within: S) -> S {
    let mut reached = seeds;
    loop {
        let more = reached.spread().and(within);
        if more.is_subset(reached) {
            return reached;
        }
        reached = reached.or(more);
    }
}

/// Whether any of the stones `asked` for, some of `stones`, has a liberty in
/// `empty`.
#[inline(always)]
pub(crate) fn any_alive<S: PointSet>(asked: S, stones: S, empty: S) -> bool {
    flood_reaches(stones, empty, |reached| !asked.is_disjoint(reached))
}

/// Whether all the stones `asked` for, some of `stones`, have a liberty in
/// `empty`.
#[inline(always)]
pub(crate) fn all_alive<S: PointSet>(asked: S, stones: S, empty: S) -> bool {
    flood_reaches(stones, empty, |reached| asked.is_subset(reached))
}

/// Whether a flood of `stones` from their liberties in `empty` comes so far; it
/// goes no farther.
#[inline(always)]
fn flood_reaches<S: PointSet>(stones: S, empty: S, enough: impl Fn(S) -> bool) -> bool {
    let mut reached = empty.spread().and(stones);
    while !enough(reached) {
        let more = reached.spread().and(stones);
        if more.is_subset(reached) {
            return false;
        }
        reached = reached.or(more);
    }
    true
}

/// The stones of `stones` that belong to a chain with a liberty in `empty`.
#[inline(always)]
pub(crate) fn alive<S: PointSet>(stones: S, empty: S) -> S {
    flood(empty.spread().and(stones), stones)
}

/// The liberties of the chains of `stones` that have one only, and those chains.
#[inline(always)]
pub(crate) fn in_atari<S: PointSet>(stones: S, empty: S) -> (S, S) {
    // A stone with two liberties of its own settles its chain, which leaves few.
    let settled = flood(empty.spread_twice().and(stones), stones);
    let mut rest = stones.without(settled);
    let (mut liberties, mut chains) = (S::none(), S::none());
    while !rest.is_none() {
        let chain = flood(S::single(rest.first()), stones);
        let beside = chain.spread().and(empty);
        if beside.count() == 1 {
            liberties = liberties.or(beside);
            chains = chains.or(chain);
        }
        rest = rest.without(chain);
    }
    (liberties, chains)
}

/// The stones of the chains of `stones` that have exactly one liberty in `empty`, and of those
/// that have exactly two.
#[inline(always)]
pub(crate) fn chains_of_one_or_two<S: PointSet>(stones: S, empty: S) -> [S; 2] {
    let [mut one, mut two] = [S::none(); 2];
    let mut rest = stones;
    while !rest.is_none() {
        let chain = flood(S::single(rest.first()), stones);
        match chain.spread().and(empty).count() {
            1 => one = one.or(chain),
            2 => two = two.or(chain),
            _ => {}
        }
        rest = rest.without(chain);
    }
    [one, two]
}

/// Black's area less White's: stones, and empty points that reach one side only.
#[inline(always)]
pub(crate) fn area_difference<S: PointSet>(black: S, white: S, empty: S) -> i32 {
    let from_black = flood(black.spread().and(empty), empty);
    let from_white = flood(white.spread().and(empty), empty);
    let black = black.count() + from_black.without(from_white).count();
    let white = white.count() + from_white.without(from_black).count();
    black as i32 - white as i32
}
