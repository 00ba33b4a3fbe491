//! The slots of searches in a device's memory: what makes them different, and where their parts are.

use tesuji_core::Encoded;
use tesuji_search::{DeviceError, DeviceSearch, LookAhead};

use crate::program::{MOST_MOVES, Program};

/// Bytes of a unit of the pool of moves (`UNIT` of the kernels).
const UNIT: usize = 16;
/// The sums that the device tells of each move, a word each.
pub(crate) const SUMS_OF_MOVE: usize = 5;
/// Outcomes in a word, if the device tells them one by one.
pub(crate) const OUTCOMES_OF_WORD: usize = 16;

/// What makes slots different: the program, and how much room they have.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Shape {
    pub(crate) program: Program,
    /// The samples that a slot has room for.
    samples: u64,
    /// Whether samples are made ahead of the policy.
    looks_ahead: bool,
    /// How many times the usual room for moves a slot has: 1, or more for searches that found it
    /// too small.
    room: u32,
}

impl Shape {
    /// The shape of a search whose root is encoded so.
    pub(crate) fn of(encoded: &Encoded, search: &DeviceSearch) -> Result<Shape, DeviceError> {
        // A slot has room for simulations, whatever the budget counts.
        let simulations = search.samples.div_ceil(search.config.leaf.cost());
        let given = simulations.max(256);
        let samples = given * (simulations + search.carried).div_ceil(given).max(1).next_power_of_two();
        let program = Program::of(encoded, &search.config, samples)?;
        Ok(Shape { program, samples, looks_ahead: LookAhead::serves(&search.config), room: 1 })
    }

    pub(crate) fn looks_ahead(&self) -> bool {
        self.looks_ahead
    }

    /// The most samples that are made of a search with this number of moves.
    pub(crate) fn most_samples(&self, n_moves: u64) -> u64 {
        if self.looks_ahead { LookAhead::most_samples(self.samples, n_moves) } else { self.samples }
    }

    /// The words that the device tells of each move: sums, and outcomes if samples are made ahead.
    pub(crate) fn told_words(&self) -> usize {
        SUMS_OF_MOVE + if self.looks_ahead { LookAhead::MOST_SAMPLES as usize / OUTCOMES_OF_WORD } else { 0 }
    }

    /// This shape with more room for moves; `None` if there cannot be more.
    pub(crate) fn roomier(&self) -> Option<Shape> {
        (self.room < 9).then(|| Shape { room: self.room * 3, ..self.clone() })
    }
}

/// Where the parts of a slot are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) most_moves: usize,
    pub(crate) most_words: usize,
    pub(crate) most_nodes: usize,
    pub(crate) index_size: usize,
    pub(crate) most_units: usize,
    pub(crate) arms: usize,
    pub(crate) amaf: usize,
    pub(crate) nodes: usize,
    pub(crate) keys: usize,
    pub(crate) ids: usize,
    pub(crate) edges: usize,
    pub(crate) bytes: usize,
}

impl Layout {
    /// A layout for what the program said of itself.
    pub(crate) fn new(shape: &Shape, told: &[u32], n_words: usize) -> Layout {
        let [most_moves, _, _, arm, node, id, units, _] =
            [0, 1, 2, 3, 4, 5, 6, 7].map(|at| told[at] as usize);
        debug_assert!(most_moves as u64 <= MOST_MOVES);
        let samples = shape.most_samples(most_moves as u64) as usize;
        // Go's words grow with the game.
        let most_words = (n_words + 2048).next_multiple_of(4);
        let most_nodes = samples + most_moves + 2;
        // At most two thirds are used.
        let index_size = (most_nodes + most_nodes / 2).next_power_of_two();
        // About a third of all positions are visited twice and have their moves listed; few have
        // as many as there can be.
        let opened = (samples / 4 + 64) * shape.room as usize;
        let most_units = opened.min(samples + 64) * units;
        let mut layout =
            Layout { most_moves, most_words, most_nodes, index_size, most_units, ..Layout::default() };
        let mut at = 0;
        let mut place = |bytes: usize| {
            let here = at;
            at += bytes.next_multiple_of(256);
            here
        };
        place(most_words * 4);
        layout.arms = place(most_moves * arm);
        layout.amaf = place(most_moves * (8 + 2 + 2));
        layout.nodes = place(most_nodes * node);
        layout.keys = place(index_size * 8);
        layout.ids = place(index_size * id);
        layout.edges = place(most_units * UNIT);
        layout.bytes = at;
        layout
    }
}
