//! The tree: positions, and the statistics of their moves.
//!
//! A position is a [`Node`] of a few bytes from its first visit on. Its moves
//! get their statistics at the second, when one of them has to be chosen: most
//! positions of a tree are never visited twice, and cost no more than their
//! node and their place in the [`Index`].
//!
//! The moves of all positions lie one after the other in columns, one for each
//! kind of number, so that choosing among the moves of a position reads short
//! stretches of memory from front to back. Columns that a search does not need
//! stay empty ([`Keeps`]). Cleared, a tree keeps its memory: the next search of
//! the same size allocates nothing.

mod index;
mod root;
mod subtree;
#[cfg(test)]
mod tests;

use std::ops::Range;

use tesuji_core::{Code, Game, MoveId, Outcome, PackedMove};

use crate::report::Memory;
use index::Index;

/// A position in the tree.
pub(crate) type NodeId = u32;

/// No node.
pub(crate) const NONE: NodeId = u32::MAX;

/// What becomes of a position that several sequences of moves lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Transpositions {
    /// It is one node, found by its hash.
    Shared,
    /// It is a node for each of the sequences.
    Apart,
}

/// Which statistics a search needs beside visits and rewards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Keeps {
    /// AMAF statistics of each move (RAVE).
    pub(crate) move_amaf: bool,
    /// AMAF statistics of each code, in every node (GRAVE).
    pub(crate) code_amaf: bool,
    /// A prior of each move (PUCT).
    pub(crate) priors: bool,
    /// Squares of the rewards (variances).
    pub(crate) squares: bool,
    /// The mean of each move and the root of its share of visits (UCB): what a
    /// bound is made of, computed when a move is visited, not whenever it is looked at.
    pub(crate) bounds: bool,
}

impl Keeps {
    /// Everything.
    const ALL: Keeps = Keeps { move_amaf: true, code_amaf: true, priors: true, squares: true, bounds: true };

    /// Whether the codes of moves are needed.
    pub(crate) fn amaf(self) -> bool {
        self.move_amaf || self.code_amaf
    }
}

/// What is known of a position as such.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// Visited once; its moves are not listed yet.
    New,
    /// Its moves are listed.
    Open,
    /// The game is over there, or its outcome is proved.
    Known(Outcome),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Where its moves begin in the columns.
    first: u32,
    /// How many moves it has.
    n_moves: u16,
    /// How many of them have visits, where a policy visits each in order first.
    pub(crate) tried: u16,
    /// The simulations that went on from here: the sum of its moves' visits.
    pub(crate) visits: u32,
    /// The last simulation that came through, to notice repeated positions.
    pub(crate) stamp: u32,
    /// Its place among the AMAF tables, where there are some.
    table: u32,
    pub(crate) state: State,
    /// What a network says that it is worth to the side to move; ½ without one.
    pub(crate) value: f32,
}

impl Node {
    const NEW: Node = Node {
        first: 0,
        n_moves: 0,
        tried: 0,
        visits: 0,
        stamp: 0,
        table: NONE,
        state: State::New,
        value: 0.5,
    };

    /// Its moves in the columns.
    #[inline]
    pub(crate) fn edges(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.n_moves as usize
    }
}

/// Positions and their moves.
pub(crate) struct Tree {
    keeps: Keeps,
    /// The most nodes there may be.
    limit: usize,
    n_codes: usize,
    /// The number of the simulation at hand. It is the tree's and not the
    /// simulator's: threads take turns with a tree, each with a simulator of its own.
    stamp: u32,
    nodes: Vec<Node>,
    /// Finds positions that are reached in several ways; nothing where they are kept apart.
    index: Option<Index>,
    pub(crate) columns: Columns,
    /// The moves of the first node that may be chosen, in their order; empty for all.
    root_moves: Vec<MoveId>,
    /// AMAF tables of nodes, one after the other: samples and Black's rewards by code.
    pub(crate) table_counts: Vec<u32>,
    pub(crate) table_sums: Vec<f32>,
}

/// What is known of moves, each column in the same order. Sums are rewards of
/// the side that makes the move. Whole numbers up to 2²⁴ are exact in them.
pub(crate) struct Columns {
    pub(crate) moves: Vec<MoveId>,
    pub(crate) visits: Vec<u32>,
    pub(crate) sums: Vec<f32>,
    pub(crate) children: Vec<NodeId>,
    pub(crate) codes: Vec<Code>,
    pub(crate) amaf_counts: Vec<u32>,
    pub(crate) amaf_sums: Vec<f32>,
    pub(crate) priors: Vec<f32>,
    pub(crate) squares: Vec<f32>,
    /// sum/visits and 1/√visits.
    pub(crate) means: Vec<f32>,
    pub(crate) roots: Vec<f32>,
}

impl Columns {
    fn new() -> Columns {
        Columns {
            moves: Vec::new(),
            visits: Vec::new(),
            sums: Vec::new(),
            children: Vec::new(),
            codes: Vec::new(),
            amaf_counts: Vec::new(),
            amaf_sums: Vec::new(),
            priors: Vec::new(),
            squares: Vec::new(),
            means: Vec::new(),
            roots: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.moves.clear();
        self.fill(Keeps::ALL, 0);
        self.codes.clear();
    }

    /// Gives the numbers of all moves their beginnings, as far as they have none.
    fn fill(&mut self, keeps: Keeps, n: usize) {
        self.visits.resize(n, 0);
        self.sums.resize(n, 0.0);
        self.children.resize(n, NONE);
        if keeps.move_amaf {
            self.amaf_counts.resize(n, 0);
            self.amaf_sums.resize(n, 0.0);
        }
        if keeps.priors {
            self.priors.resize(n, 0.0);
        }
        if keeps.squares {
            self.squares.resize(n, 0.0);
        }
        if keeps.bounds {
            self.means.resize(n, 0.0);
            self.roots.resize(n, 0.0);
        }
    }

    /// Keeps those of the moves from `first` on that are allowed, which are in the same order. They
    /// are listed, and have no numbers yet.
    fn keep_listed(&mut self, first: usize, allowed: &[MoveId]) {
        let has_codes = !self.codes.is_empty();
        let mut end = first;
        for at in first..self.moves.len() {
            if allowed.get(end - first) == Some(&self.moves[at]) {
                self.moves[end] = self.moves[at];
                if has_codes {
                    self.codes[end] = self.codes[at];
                }
                end += 1;
            }
        }
        self.moves.truncate(end);
        self.codes.truncate(end); // empty if nobody needs them
    }

    /// Adds samples to a move, and whether they are its first.
    #[inline]
    fn add(&mut self, keeps: Keeps, edge: usize, count: u32, sum: f32, squares: f32) -> bool {
        let is_first = self.visits[edge] == 0;
        self.visits[edge] += count;
        self.sums[edge] += sum;
        if keeps.squares {
            self.squares[edge] += squares;
        }
        if keeps.bounds {
            let visits = self.visits[edge] as f32;
            self.means[edge] = self.sums[edge] / visits;
            self.roots[edge] = 1.0 / visits.sqrt();
        }
        is_first
    }

    /// Bytes a move takes.
    fn bytes_per_move(keeps: Keeps) -> usize {
        let part = |kept: bool, bytes: usize| if kept { bytes } else { 0 };
        size_of::<MoveId>()
            + 12
            + part(keeps.amaf(), size_of::<Code>())
            + part(keeps.move_amaf, 8)
            + part(keeps.priors, 4)
            + part(keeps.squares, 4)
            + part(keeps.bounds, 8)
    }
}

impl Tree {
    pub(crate) fn new(keeps: Keeps, transpositions: Transpositions) -> Tree {
        Tree {
            keeps,
            limit: 0,
            n_codes: 0,
            stamp: 0,
            nodes: Vec::new(),
            index: (transpositions == Transpositions::Shared).then(Index::default),
            columns: Columns::new(),
            root_moves: Vec::new(),
            table_counts: Vec::new(),
            table_sums: Vec::new(),
        }
    }

    /// Forgets everything, for a tree of at most so many nodes.
    pub(crate) fn clear(&mut self, limit: usize, n_codes: usize) {
        self.limit = limit;
        self.n_codes = n_codes;
        self.nodes.clear();
        self.columns.clear();
        self.root_moves.clear();
        self.table_counts.clear();
        self.table_sums.clear();
        if let Some(index) = &mut self.index {
            index.clear();
        }
    }

    /// Another limit on nodes for the same tree.
    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    pub(crate) fn keeps(&self) -> Keeps {
        self.keeps
    }

    #[inline]
    pub(crate) fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node as usize]
    }

    #[inline]
    pub(crate) fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    /// Another simulation begins; its nodes get this stamp.
    #[inline]
    pub(crate) fn next_stamp(&mut self) -> u32 {
        self.stamp = self.stamp.wrapping_add(1);
        self.stamp
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether no node may be added, and none opened.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.nodes.len() >= self.limit
    }

    /// The node of a position in a tree that finds positions by their hashes.
    pub(crate) fn find(&self, hash: u64) -> Option<NodeId> {
        self.index.as_ref()?.get(hash)
    }

    /// The node of a position, and whether it is new; nothing where it would
    /// be new and the tree is full.
    pub(crate) fn find_or_add(&mut self, hash: u64) -> Option<(NodeId, bool)> {
        let full = self.is_full();
        let next = self.nodes.len() as NodeId;
        match &mut self.index {
            None if full => return None,
            None => {}
            Some(index) if full => return index.get(hash).map(|node| (node, false)),
            Some(index) => {
                let node = index.get_or_insert(hash, next);
                if node != next {
                    return Some((node, false));
                }
            }
        }
        self.nodes.push(Node::NEW);
        Some((next, true))
    }

    /// Lists the moves of a new node whose position is at hand. Its state is
    /// [`State::Open`] afterwards, or [`State::Known`] where the game is over.
    pub(crate) fn open<G: Game>(&mut self, node: NodeId, position: &G) {
        debug_assert_eq!(self.node(node).state, State::New);
        if let Some(outcome) = position.outcome() {
            self.node_mut(node).state = State::Known(outcome);
            return;
        }
        let columns = &mut self.columns;
        let first = columns.moves.len();
        if self.keeps.amaf() {
            position.for_each_search_move(|mv| {
                columns.moves.push(mv.pack());
                columns.codes.push(position.code(mv));
            });
        } else {
            position.for_each_search_move(|mv| columns.moves.push(mv.pack()));
        }
        if node == 0 && !self.root_moves.is_empty() {
            columns.keep_listed(first, &self.root_moves);
        }
        let end = columns.moves.len();
        columns.fill(self.keeps, end);
        if self.keeps.priors {
            // Until somebody knows better.
            columns.priors[first..].fill(1.0 / (end - first) as f32);
        }
        let table = if self.keeps.code_amaf { self.add_table() } else { NONE };
        let n_moves = u16::try_from(end - first).expect("no position has 65,536 moves");
        let first = u32::try_from(first).expect("4,294,967,296 moves do not fit into memory");
        *self.node_mut(node) = Node { first, n_moves, state: State::Open, table, ..*self.node(node) };
    }

    /// Adds samples to a move of a node.
    #[inline]
    pub(crate) fn record(&mut self, node: NodeId, edge: usize, count: u32, sum: f32, squares: f32) {
        let is_first = self.columns.add(self.keeps, edge, count, sum, squares);
        let node = self.node_mut(node);
        node.visits += count;
        node.tried += u16::from(is_first);
    }

    fn add_table(&mut self) -> u32 {
        let begin = self.table_counts.len();
        self.table_counts.resize(begin + self.n_codes, 0);
        self.table_sums.resize(begin + self.n_codes, 0.0);
        (begin / self.n_codes) as u32
    }

    /// The AMAF table of an open node.
    #[inline]
    pub(crate) fn table(&self, node: NodeId) -> Range<usize> {
        let begin = self.node(node).table as usize * self.n_codes;
        begin..begin + self.n_codes
    }

    /// How many nodes there are.
    #[inline]
    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// What the tree takes.
    pub(crate) fn memory(&self) -> Memory {
        let (nodes, edges) = (self.nodes.len(), self.columns.moves.len());
        let index = self.index.as_ref().map_or(0, Index::bytes);
        let tables = self.table_counts.len() * 8;
        let bytes = nodes * size_of::<Node>() + edges * Columns::bytes_per_move(self.keeps) + index + tables;
        Memory { nodes, edges, bytes }
    }
}
