//! What kernels are started with, as the bytes that `slots.cuh` expects.

use tesuji_search::{DeviceSearch, LeafPlan, LeafSpread, Root, ScoreSource, SearchConfig, TreeConfig};

/// `Start` of the kernels.
pub(crate) fn start_bytes(
    search: &DeviceSearch,
    slot: u32,
    base: u64,
    words: usize,
    n_words: usize,
) -> Vec<u8> {
    let SearchConfig { root, tree, .. } = &*search.config;
    let is_tree = *root == Root::Tree;
    let seed = search.seed.child(if is_tree { "tree" } else { "arm" }).words();
    let (c, bias) = match *tree {
        TreeConfig::Uct { c } => (c, 0.0),
        TreeConfig::Rave { bias, .. } => (0.0, bias),
        _ => (0.0, 0.0),
    };
    let amaf = !is_tree
        && (matches!(tree, TreeConfig::Rave { .. }) || search.config.score_source() == ScoreSource::Amaf);
    let leaf = LeafPlan::of(&search.config, search.samples);
    let mut bytes = Vec::with_capacity(72);
    let long = [seed[0], seed[1], base, c.to_bits(), u64::from(amaf)];
    bytes.extend(long.into_iter().flat_map(u64::to_le_bytes));
    let short = [slot, u32::from(is_tree), words as u32, n_words as u32];
    bytes.extend(short.into_iter().flat_map(u32::to_le_bytes));
    bytes.extend((bias as f32).to_le_bytes());
    let leaf = leaf.map_or([0; 3], |leaf| [spread_number(leaf.spread), leaf.playouts, leaf.last_playouts]);
    bytes.extend(leaf.into_iter().flat_map(u32::to_le_bytes));
    bytes
}

/// The number of a spread in `leaf.cuh`.
fn spread_number(spread: LeafSpread) -> u32 {
    match spread {
        LeafSpread::Halving => 0,
        LeafSpread::Even => 1,
        LeafSpread::PrintedHalving => 2,
    }
}

/// `Params` of the kernels.
#[derive(Clone, Copy, Default)]
pub(crate) struct Params {
    pub(crate) searches: u64,
    pub(crate) jobs: u64,
    pub(crate) next_job: u64,
    pub(crate) root_logs: u64,
    pub(crate) slice: u64,
    pub(crate) told: u64,
    pub(crate) starts: u64,
    pub(crate) start_words: u64,
    pub(crate) n_jobs: u32,
    pub(crate) most_nodes: u32,
    pub(crate) index_size: u32,
    pub(crate) most_units: u32,
    pub(crate) words_offset: u32,
    pub(crate) arms_offset: u32,
    pub(crate) amaf_offset: u32,
    pub(crate) nodes_offset: u32,
    pub(crate) keys_offset: u32,
    pub(crate) ids_offset: u32,
    pub(crate) edges_offset: u32,
    pub(crate) told_words: u32,
    /// The threads of a warp that take jobs.
    pub(crate) lanes: u32,
}

impl Params {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let words = [
            self.searches,
            self.jobs,
            self.next_job,
            self.root_logs,
            self.slice,
            self.told,
            self.starts,
            self.start_words,
        ];
        let halves = [
            self.n_jobs,
            self.most_nodes,
            self.index_size,
            self.most_units,
            self.words_offset,
            self.arms_offset,
            self.amaf_offset,
            self.nodes_offset,
            self.keys_offset,
            self.ids_offset,
            self.edges_offset,
            self.told_words,
            self.lanes,
            0,
        ];
        let words = words.into_iter().flat_map(u64::to_le_bytes);
        words.chain(halves.into_iter().flat_map(u32::to_le_bytes)).collect()
    }
}
