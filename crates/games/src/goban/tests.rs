//! Tests of what the Go family shares.

use std::convert::Infallible;
use std::ops::ControlFlow;

use tesuji_core::isa::{self, Isa, Kernel};
use tesuji_core::{Rng, Seed, Side, Symmetry};

use super::board::{Board, Effect};
use super::stones::{alive, all_alive, any_alive, flood};
use super::{Folded, Plain, PointSet, UpTo7, UpTo10, UpTo13, UpTo19};

/// What `UpTo10` is on machines without vectors.
type PlainUpTo10 = Folded<Plain>;

/// Some points of a board, as coordinates.
fn random_points(size: usize, rng: &mut Rng) -> Vec<(usize, usize)> {
    let density = rng.unit();
    let points = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    points.filter(|_| rng.chance(density)).collect()
}

fn set<S: PointSet>(points: &[(usize, usize)]) -> S {
    points.iter().fold(S::none(), |set, &(x, y)| set.or(S::single(S::index(x, y))))
}

fn points_of<S: PointSet>(set: S) -> Vec<(usize, usize)> {
    let mut points = Vec::new();
    set.for_each(|index| points.push(S::column_and_row(index)));
    points.sort_by_key(|&(x, y)| (y, x));
    points
}

struct Select<S>(S, u32);

impl<S: PointSet> Kernel for Select<S> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self) -> usize {
        let (point, index) = self.0.select_point::<I>(self.1);
        assert!(point == S::single(index) && index == self.0.select::<I>(self.1));
        index
    }
}

/// Every operation of a kind of sets against sets of coordinates.
fn sets_are_sets<S: PointSet>(size: usize) {
    let mut rng = Seed::new(1).child(size as u64).rng();
    let beside = |points: &[(usize, usize)], steps: [(i32, i32); 4]| {
        let step = |x: usize, by: i32| usize::try_from(x as i32 + by).ok().filter(|&x| x < size);
        let mut found: Vec<_> = points
            .iter()
            .flat_map(|&(x, y)| steps.map(|(dx, dy)| Some((step(x, dx)?, step(y, dy)?))))
            .flatten()
            .collect();
        found.sort_by_key(|&(x, y)| (y, x));
        found.dedup();
        found
    };
    let orthogonal = [(0, -1), (-1, 0), (1, 0), (0, 1)];
    let diagonal = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
    let Board { points: board, edge, .. } = Board::<S>::new(size);
    for _ in 0..50 {
        let (a, b) = (random_points(size, &mut rng), random_points(size, &mut rng));
        let (s, t): (S, S) = (set(&a), set(&b));
        let kept = |keep: &dyn Fn(&(usize, usize)) -> bool| {
            a.iter().copied().filter(|p| keep(p)).collect::<Vec<_>>()
        };
        assert_eq!(points_of(s), a);
        assert_eq!(points_of(s.and(t)), kept(&|p| b.contains(p)));
        assert_eq!(points_of(s.without(t)), kept(&|p| !b.contains(p)));
        assert_eq!(s.or(t).count() as usize, a.len() + b.len() - kept(&|p| b.contains(p)).len());
        assert_eq!(s.is_disjoint(t), a.iter().all(|p| !b.contains(p)));
        assert_eq!(s.is_subset(t), a.iter().all(|p| b.contains(p)));
        assert_eq!(s.is_none(), a.is_empty());
        assert_eq!(points_of(s.spread().and(board)), beside(&a, orthogonal));
        for &(x, y) in &a {
            let index = S::index(x, y);
            assert!(s.contains(index) && S::column_and_row(index) == (x, y));
            assert_eq!(points_of(S::neighbours(index).and(board)), beside(&[(x, y)], orthogonal));
            assert_eq!(points_of(S::diagonals(index).and(board)), beside(&[(x, y)], diagonal));
        }
        let mut in_rows = Vec::new();
        let ControlFlow::Continue(()) = s.try_for_each_in_rows::<Infallible>(|x, y| {
            in_rows.push((x, y));
            ControlFlow::Continue(())
        });
        assert_eq!(in_rows, a);
        let beside_two = s.spread_twice();
        board.for_each(|index| {
            assert_eq!(beside_two.contains(index), S::neighbours(index).and(s).count() >= 2);
            let (x, y) = S::column_and_row(index);
            assert_eq!(S::dense(index, size), y * size + x);
        });
        let spoilt = s.spoilt_eyes(edge);
        board.for_each(|index| {
            let stones = S::diagonals(index).and(s).count();
            assert_eq!(spoilt.contains(index), stones >= if edge.contains(index) { 1 } else { 2 });
        });
        let mut in_order = Vec::new();
        s.for_each(|index| in_order.push(index));
        for (rank, &index) in in_order.iter().enumerate() {
            assert_eq!(isa::dispatch(Select(s, rank as u32)), index);
            assert_eq!(isa::dispatch_portable(Select(s, rank as u32)), index);
        }
        if let Some(&first) = in_order.first() {
            assert_eq!(s.first(), first);
        }
    }
}

#[test]
fn all_kinds_of_sets_are_sets() {
    (2..=7).for_each(sets_are_sets::<UpTo7>);
    (8..=10).for_each(sets_are_sets::<UpTo10>);
    (8..=10).for_each(sets_are_sets::<PlainUpTo10>);
    (11..=13).for_each(sets_are_sets::<UpTo13>);
    (14..=19).for_each(sets_are_sets::<UpTo19>);
}

#[test]
fn floods_find_what_is_connected() {
    let stones: UpTo7 = set(&[(0, 0), (1, 0), (1, 1), (3, 3), (6, 6)]);
    let empty: UpTo7 = set(&[(2, 1), (5, 5)]);
    assert_eq!(points_of(flood(set(&[(0, 0)]), stones)), [(0, 0), (1, 0), (1, 1)]);
    assert_eq!(points_of(alive(stones, empty)), [(0, 0), (1, 0), (1, 1)]);
    assert!(any_alive(set(&[(3, 3), (0, 0)]), stones, empty));
    assert!(!any_alive(set(&[(3, 3), (6, 6)]), stones, empty));
    assert!(all_alive(set(&[(0, 0)]), stones, empty));
    assert!(!all_alive(set(&[(0, 0), (3, 3)]), stones, empty));
    assert!(all_alive(UpTo7::none(), stones, empty));
}

fn board(text: &str) -> Board<UpTo7> {
    let size = text.split('/').count();
    Board::new(size).parse(text, 0).unwrap().0
}

#[test]
fn a_stone_lives_takes_or_dies() {
    let at =
        |board: &Board<UpTo7>, name: &str| board.effect(board.index(board.named(name).unwrap()).unwrap());
    let corner = board("4/4/w3/1w2 b");
    assert_eq!(at(&corner, "a1"), Effect::Suicide);
    assert_eq!(at(&corner, "d4"), Effect::Lives);
    let taking = board("4/b3/wb2/1w2 b");
    assert_eq!(at(&taking, "a1"), Effect::Captures(set(&[(0, 1)])));
    let joining = board("4/4/bw2/1b1w b");
    assert_eq!(at(&joining, "a1"), Effect::Lives);
    // Two chains at once, of two stones and of one.
    let both = board("1b2/bwb1/bw2/1b1w b");
    assert_eq!(at(&both, "c2"), Effect::Captures(set(&[(1, 1), (1, 2)])));
}

#[test]
fn eyes_are_eyes() {
    let is_eye = |text: &str, name: &str| {
        let board = board(text);
        board.is_own_eye(board.index(board.named(name).unwrap()).unwrap())
    };
    // Inside: one enemy on a diagonal is allowed, two are not.
    assert!(is_eye("5/2b2/1b1b1/2b2/5 b", "c3"));
    assert!(is_eye("5/1wb2/1b1b1/2b2/5 b", "c3"));
    assert!(!is_eye("5/1wbw1/1b1b1/2b2/5 b", "c3"));
    // On the edge and in the corner: none is.
    assert!(is_eye("5/5/b4/1b3/b4 b", "a2"));
    assert!(!is_eye("5/5/bw3/1b3/b4 b", "a2"));
    assert!(is_eye("5/5/5/b4/1b3 b", "a1"));
    assert!(!is_eye("5/5/5/bw3/1b3 b", "a1"));
    // Not the enemy's, and not with an open side.
    assert!(!is_eye("5/2b2/1b1b1/2b2/5 w", "c3"));
    assert!(!is_eye("5/2b2/1b3/2b2/5 b", "c3"));
}

/// The sets of effects and eyes against the answers for one point at a time, on
/// boards of random stones, less those without liberties.
#[test]
fn effects_of_all_points_are_those_of_each() {
    fn agree<S: PointSet>(size: usize) {
        let mut rng = Seed::new(2).child(size as u64).rng();
        let start = Board::<S>::new(size);
        for _ in 0..100 {
            let black: S = set(&random_points(size, &mut rng));
            let white = set::<S>(&random_points(size, &mut rng)).without(black);
            let white = alive(white, start.points.without(black).without(white));
            let black = alive(black, start.points.without(black).without(white));
            for side in Side::BOTH {
                let board = start.with_stones([black, white], side);
                let (effects, eyes) = (board.effects(), board.own_eyes());
                assert!(effects.captures.or(effects.breathing).or(eyes).is_subset(board.empty()));
                board.empty().for_each(|index| {
                    let effect = board.effect(index);
                    let captures = matches!(effect, Effect::Captures(_));
                    assert_eq!(effects.captures.contains(index), captures);
                    let lives = effects.captures.or(effects.breathing).contains(index);
                    assert_eq!(lives, effect != Effect::Suicide);
                    assert_eq!(eyes.contains(index), board.is_own_eye(index));
                });
            }
        }
    }
    (2..=7).for_each(agree::<UpTo7>);
    agree::<UpTo10>(9);
    agree::<PlainUpTo10>(10);
    agree::<UpTo13>(13);
    agree::<UpTo19>(19);
}

#[test]
fn boards_turn_and_keep_their_hash() {
    let start = board("1b3/2w2/5/b3w/5 w");
    for symmetry in Symmetry::ALL {
        let image = start.transformed(symmetry);
        assert_eq!(image.hash(), image.recomputed_hash());
        assert_eq!(image.transformed(symmetry.inverse()), start);
        assert_eq!(image.stones(Side::White).count(), 2);
    }
}
