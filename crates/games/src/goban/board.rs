//! A Go board with stones on it and a side to move: what the rules of Go,
//! Atarigo and NoGo are written on.

use std::ops::ControlFlow;

use tesuji_core::{Code, MoveId, PackedMove, ParsePositionError, Side, Symmetry, zobrist};

use super::PointSet;
use super::stones::{alive, any_alive, in_atari};
use crate::grid::{Columns, Grid, RowOne, mark};

/// A point of the board, by column and row from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Vertex {
    /// The column, from the left.
    pub x: u8,
    /// The row, from the bottom.
    pub y: u8,
}

impl PackedMove for Vertex {
    #[inline]
    fn pack(self) -> MoveId {
        MoveId::of_bytes(self.x, self.y)
    }

    #[inline]
    fn unpack(id: MoveId) -> Vertex {
        let (x, y) = id.bytes();
        Vertex { x, y }
    }
}

/// What a stone on an empty point would do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect<S> {
    /// It would have no liberty and take none away for good.
    Suicide,
    /// It would live.
    Lives,
    /// It would take these enemy stones.
    Captures(S),
}

/// What stones of the side to move on the empty points would do, as sets. Points
/// in neither are suicide.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Effects<S> {
    /// Where a stone would take something.
    pub(crate) captures: S,
    /// Where a stone would have a liberty even if nothing was taken.
    pub(crate) breathing: S,
}

/// Stones and the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Board<S> {
    pub(crate) size: u8,
    pub(crate) to_move: Side,
    /// The points of the board.
    pub(crate) points: S,
    /// The points on its edge, corners included.
    pub(crate) edge: S,
    stones: [S; 2],
    stones_hash: u64,
}

impl<S: PointSet> Board<S> {
    /// An empty board, Black to move.
    pub(crate) fn new(size: usize) -> Self {
        assert!((1..=S::LARGEST).contains(&size), "the board does not fit its sets");
        let (mut points, mut edge) = (S::none(), S::none());
        for y in 0..size {
            for x in 0..size {
                let point = S::single(S::index(x, y));
                points = points.or(point);
                if x == 0 || y == 0 || x + 1 == size || y + 1 == size {
                    edge = edge.or(point);
                }
            }
        }
        let stones = [S::none(); 2];
        Board { size: size as u8, to_move: Side::Black, points, edge, stones, stones_hash: 0 }
    }

    /// A side's stones.
    #[inline(always)]
    pub(crate) fn stones(&self, side: Side) -> S {
        self.stones[side.index()]
    }

    /// The empty points.
    #[inline(always)]
    pub(crate) fn empty(&self) -> S {
        self.points.without(self.stones[0]).without(self.stones[1])
    }

    /// The hash of the stones alone.
    #[inline(always)]
    pub(crate) fn stones_hash(&self) -> u64 {
        self.stones_hash
    }

    /// The hash of the stones and the side to move.
    #[inline(always)]
    pub(crate) fn hash(&self) -> u64 {
        self.stones_hash ^ zobrist::turn(self.to_move)
    }

    /// What [`hash`](Self::hash) should be.
    pub(crate) fn recomputed_hash(&self) -> u64 {
        let mut hash = zobrist::turn(self.to_move);
        for side in Side::BOTH {
            self.stones(side).for_each(|index| hash ^= self.key(side, index));
        }
        hash
    }

    fn key(&self, side: Side, index: usize) -> u64 {
        zobrist::stone(side, self.dense(index))
    }

    /// A point's number, row by row from the bottom left.
    #[inline(always)]
    pub(crate) fn dense(&self, index: usize) -> usize {
        S::dense(index, usize::from(self.size))
    }

    /// The index of a vertex, if it is on this board.
    #[inline]
    pub(crate) fn index(&self, vertex: Vertex) -> Option<usize> {
        let on_board = vertex.x < self.size && vertex.y < self.size;
        on_board.then(|| S::index(vertex.x as usize, vertex.y as usize))
    }

    /// The vertex with this index.
    #[inline]
    pub(crate) fn vertex(index: usize) -> Vertex {
        let (x, y) = S::column_and_row(index);
        Vertex { x: x as u8, y: y as u8 }
    }

    /// Calls `visit` with these points as vertices, row by row from the bottom left,
    /// until it breaks.
    #[inline(always)]
    pub(crate) fn try_for_each_vertex<B>(
        points: S,
        mut visit: impl FnMut(Vertex) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        points.try_for_each_in_rows(|x, y| visit(Vertex { x: x as u8, y: y as u8 }))
    }

    /// The AMAF code of a side's pass, beyond those of stones.
    #[inline(always)]
    pub(crate) fn pass_code(&self, side: Side) -> Code {
        (self.n_stone_codes() + side.index()) as Code
    }

    /// A board of this size with these stones and this side to move.
    pub(crate) fn with_stones(&self, stones: [S; 2], to_move: Side) -> Self {
        let mut board = Board { to_move, stones, ..*self };
        board.stones_hash = board.recomputed_hash() ^ zobrist::turn(to_move);
        board
    }

    /// A board of this size with these stones and this side to move, but without its
    /// hash: for playouts, which do not need it.
    #[inline(always)]
    pub(crate) fn with_stones_unhashed(&self, stones: [S; 2], to_move: Side) -> Self {
        Board { to_move, stones, stones_hash: 0, ..*self }
    }

    /// Whether this may be a point that simple ko forbids: empty, and a stone of
    /// the side to move there would take exactly one stone, which could be the last
    /// move, for it has no friend and no other liberty.
    pub(crate) fn is_ko(&self, index: usize) -> bool {
        if !self.empty().contains(index) {
            return false;
        }
        let Effect::Captures(dead) = self.effect(index) else { return false };
        let friends_or_empty = self.empty().or(self.stones(self.to_move));
        dead.count() == 1
            && S::neighbours(index).is_disjoint(friends_or_empty)
            && S::neighbours(dead.first()).and(self.empty()) == S::single(index)
            && S::neighbours(dead.first()).is_disjoint(self.stones(!self.to_move))
    }

    /// What stones of the side to move would do, for all empty points at once.
    #[inline]
    pub(crate) fn effects(&self) -> Effects<S> {
        let (mine, theirs, empty) = (self.stones(self.to_move), self.stones(!self.to_move), self.empty());
        let (captures, _) = in_atari(theirs, empty);
        let mut breathing = empty;
        let open = empty.and(empty.spread());
        if open != empty {
            // A stone without an empty point next to it lives on a friend's other liberty.
            let (_, weak) = in_atari(mine, empty);
            breathing = open.or(mine.without(weak).spread().and(empty));
        }
        Effects { captures, breathing }
    }

    /// The eyes of the side to move, which playouts and searches never fill: empty
    /// points whose neighbours are all own or off the board, and of whose diagonal
    /// neighbours at most one is an enemy's, none on the edge.
    #[inline]
    pub(crate) fn own_eyes(&self) -> S {
        let (theirs, empty) = (self.stones(!self.to_move), self.empty());
        let surrounded = empty.without(empty.or(theirs).spread());
        match surrounded.is_none() {
            true => surrounded,
            false => surrounded.without(theirs.spoilt_eyes(self.edge)),
        }
    }

    /// The number of [`stone_code`](Self::stone_code)s.
    #[inline]
    pub(crate) fn n_stone_codes(&self) -> usize {
        2 * self.size as usize * self.size as usize
    }

    /// The AMAF code of a side's stone on a vertex.
    #[inline(always)]
    pub(crate) fn vertex_code(&self, side: Side, vertex: Vertex) -> Code {
        let (size, x, y) = (usize::from(self.size), usize::from(vertex.x), usize::from(vertex.y));
        (side.index() * size * size + y * size + x) as Code
    }

    /// The AMAF code of a side's stone on a point.
    #[inline(always)]
    pub(crate) fn stone_code(&self, side: Side, index: usize) -> Code {
        (side.index() * self.size as usize * self.size as usize + self.dense(index)) as Code
    }

    /// What a stone of the side to move on this empty point would do.
    #[inline]
    pub(crate) fn effect(&self, index: usize) -> Effect<S> {
        let (mine, theirs) = (self.stones(self.to_move), self.stones(!self.to_move));
        let neighbours = S::neighbours(index);
        let rest = self.empty().without(S::single(index));
        let enemies = neighbours.and(theirs);
        if !enemies.is_none() && !enemies.is_subset(rest.spread()) {
            let dead = theirs.without(alive(theirs, rest));
            if !dead.is_none() {
                return Effect::Captures(dead);
            }
        }
        if !neighbours.is_disjoint(rest) || any_alive(neighbours.and(mine), mine, rest) {
            Effect::Lives
        } else {
            Effect::Suicide
        }
    }

    /// Whether [`own_eyes`](Self::own_eyes) should have this empty point.
    #[cfg(test)]
    pub(crate) fn is_own_eye(&self, index: usize) -> bool {
        let theirs = self.stones(!self.to_move);
        let neighbours = S::neighbours(index);
        if !neighbours.is_disjoint(theirs) || !neighbours.is_disjoint(self.empty()) {
            return false;
        }
        let enemies = S::diagonals(index).and(theirs).count();
        enemies == 0 || (enemies == 1 && !self.edge.contains(index))
    }

    /// Puts a stone of the side to move on an empty point, takes the `dead` off,
    /// and passes the turn to the other side.
    #[inline]
    pub(crate) fn put(&mut self, index: usize, dead: S) {
        let side = self.to_move;
        self.stones[side.index()] = self.stones(side).or(S::single(index));
        self.stones_hash ^= self.key(side, index);
        if !dead.is_none() {
            self.stones[(!side).index()] = self.stones(!side).without(dead);
            dead.for_each(|index| self.stones_hash ^= self.key(!side, index));
        }
        self.to_move = !side;
    }

    /// Whether a side has a chain without liberties.
    pub(crate) fn has_dead(&self, side: Side) -> bool {
        !self.stones(side).is_subset(alive(self.stones(side), self.empty()))
    }

    /// Refuses a position in which one of these sides has a chain without liberties.
    pub(crate) fn check_alive(&self, text: &str, sides: &[Side]) -> Result<(), ParsePositionError> {
        match sides.iter().find(|&&side| self.has_dead(side)) {
            Some(side) => Err(ParsePositionError::new(text, format!("{side} has a chain without liberties"))),
            None => Ok(()),
        }
    }

    /// Whose stone there is at a vertex of the board.
    pub(crate) fn at(&self, x: usize, y: usize) -> Option<Side> {
        let index = S::index(x, y);
        Side::BOTH.into_iter().find(|&side| self.stones(side).contains(index))
    }

    /// The board's names: Go's columns skip the letter i.
    pub(crate) fn grid(&self) -> Grid {
        let size = self.size as usize;
        Grid { width: size, height: size, columns: Columns::SkipI, row_one: RowOne::Bottom }
    }

    /// The name of a vertex.
    pub(crate) fn name(&self, vertex: Vertex) -> String {
        self.grid().name((vertex.x as usize, vertex.y as usize))
    }

    /// The vertex with this name.
    pub(crate) fn named(&self, name: &str) -> Option<Vertex> {
        self.grid().cell(name).map(|(x, y)| Vertex { x: x as u8, y: y as u8 })
    }

    /// The rows and the side to move.
    pub(crate) fn text(&self) -> String {
        format!("{} {}", self.grid().rows_text(|x, y| self.at(x, y)), self.to_move.letter())
    }

    /// Reads the text of a board of this size; returns the further fields too.
    pub(crate) fn parse<'a>(
        &self,
        text: &'a str,
        n_fields: usize,
    ) -> Result<(Self, Vec<&'a str>), ParsePositionError> {
        let mut board = Self::new(self.size as usize);
        let (to_move, rest) = self.grid().parse(text, n_fields, |x, y, side| {
            let index = S::index(x, y);
            board.stones[side.index()] = board.stones(side).or(S::single(index));
            board.stones_hash ^= board.key(side, index);
        })?;
        board.to_move = to_move;
        Ok((board, rest))
    }

    /// The board drawn for a terminal.
    pub(crate) fn drawing(&self) -> String {
        self.grid().drawing(0, |x, y| mark(self.at(x, y)))
    }

    /// The board seen through a symmetry.
    pub(crate) fn transformed(&self, symmetry: Symmetry) -> Self {
        self.with_stones(self.stones.map(|set| self.transformed_set(set, symmetry)), self.to_move)
    }

    /// A set of points seen through a symmetry.
    pub(crate) fn transformed_set(&self, set: S, symmetry: Symmetry) -> S {
        let mut image = S::none();
        set.for_each(|index| {
            let vertex = self.transformed_vertex(Self::vertex(index), symmetry);
            image = image.or(S::single(S::index(vertex.x as usize, vertex.y as usize)));
        });
        image
    }

    /// A vertex seen through a symmetry.
    pub(crate) fn transformed_vertex(&self, vertex: Vertex, symmetry: Symmetry) -> Vertex {
        let size = self.size as usize;
        let (x, y) = symmetry.apply((vertex.x as usize, vertex.y as usize), size, size);
        Vertex { x: x as u8, y: y as u8 }
    }
}
