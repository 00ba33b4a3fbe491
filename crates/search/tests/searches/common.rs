//! The searches that the tests go through, by name.

use std::marker::PhantomData;

use tesuji_bandit::Bound;
use tesuji_core::{Game, Seed};
use tesuji_search::{
    AmafMoves, Choice, Count, LeafConfig, Limits, Options, Player, PlayerConfig, PriorPolicy, PriorSource,
    Report, Root, SearchConfig, TreeConfig, Watch,
};

pub(crate) const UCT: TreeConfig = TreeConfig::Uct { c: 0.4 };
pub(crate) const RAVE: TreeConfig = TreeConfig::Rave { bias: 1e-7, amaf: AmafMoves::After };
pub(crate) const GRAVE: TreeConfig = TreeConfig::Grave { reference: 50, bias: 1e-7, amaf: AmafMoves::After };
pub(crate) const HYBRID: TreeConfig = TreeConfig::HybridMcts { cutoff: 10, c: 0.4 };

pub(crate) const fn puct(prior: PriorSource) -> TreeConfig {
    TreeConfig::Puct { c: Some(1.0), prior, temperature: Some(0.25) }
}

/// A search whose root is a policy, or the tree where the policy's text is empty.
pub(crate) fn search(root: &str, tree: TreeConfig) -> SearchConfig {
    let root = match root {
        "" => Root::Tree,
        policy => Root::Policy(policy.parse().unwrap()),
    };
    SearchConfig { root, tree, leaf: LeafConfig::Playout, options: Options::default() }
}

/// Several playouts for a new position.
pub(crate) fn prior(policy: &str, playouts: u64) -> LeafConfig {
    let policy = match policy {
        "literal" => PriorPolicy::Literal,
        policy => PriorPolicy::Allocator(policy.parse().unwrap()),
    };
    LeafConfig::Prior { policy, playouts, count: Count::Simulations }
}

/// The same, the budget counting playouts.
pub(crate) fn counted(policy: &str, playouts: u64) -> LeafConfig {
    match prior(policy, playouts) {
        LeafConfig::Prior { policy, playouts, .. } => {
            LeafConfig::Prior { policy, playouts, count: Count::Playouts }
        }
        leaf => leaf,
    }
}

pub(crate) fn with_leaf(config: SearchConfig, leaf: LeafConfig) -> SearchConfig {
    SearchConfig { leaf, ..config }
}

pub(crate) fn with_options(config: SearchConfig, change: impl Fn(&mut Options)) -> SearchConfig {
    let mut config = config;
    change(&mut config.options);
    config
}

/// All kinds of search that look deeper than a move.
pub(crate) fn deep() -> Vec<(&'static str, SearchConfig)> {
    let solver = |options: &mut Options| options.solver = true;
    vec![
        ("uct", search("", UCT)),
        ("rave", search("", RAVE)),
        ("grave", search("", GRAVE)),
        ("puct(uniform)", search("", puct(PriorSource::Uniform))),
        ("puct(amaf)", search("", puct(PriorSource::Amaf))),
        ("puct(leaf)", with_leaf(search("", puct(PriorSource::Leaf)), prior("sh", 16))),
        ("voi-tree", search("", TreeConfig::Voi { bound: Bound::Midpoint })),
        ("sh+uct", search("sh", UCT)),
        ("shuss+rave", search("shuss(t=64)", RAVE)),
        ("gumbel+puct", search("gumbel", puct(PriorSource::Uniform))),
        ("anytime-sh+uct", search("anytime-sh", UCT)),
        ("ect+uct", search("ect", UCT)),
        ("voi+uct", search("voi", UCT)),
        ("half-greedy+uct", search("half-greedy", UCT)),
        ("ucb-sqrt+uct", search("ucb-sqrt", UCT)),
        ("shot", search("", TreeConfig::Shot)),
        ("h-mcts", search("", HYBRID)),
        ("uct+prior(sh)", with_leaf(search("", UCT), prior("sh", 16))),
        ("uct+prior(uniform)", with_leaf(search("", UCT), prior("uniform", 16))),
        ("uct+prior(literal)", with_leaf(search("", UCT), prior("literal", 16))),
        ("rave+prior", with_leaf(search("", RAVE), prior("sh", 16))),
        ("uct+solver", with_options(search("", UCT), solver)),
        ("sh+uct+solver", with_options(search("sh", UCT), solver)),
        ("uct, two trees", with_options(search("", UCT), |options| options.trees = 2)),
        ("uct, no transpositions", with_options(search("", UCT), |options| options.transpositions = false)),
        ("uct, reuse", with_options(search("", UCT), |options| options.reuse = true)),
    ]
}

/// Those, more of the same, and those that look one move ahead.
pub(crate) fn all() -> Vec<(&'static str, SearchConfig)> {
    let mut all = deep();
    all.extend([
        ("flat(uniform)", search("uniform", TreeConfig::Flat)),
        ("flat(sh)", search("sh", TreeConfig::Flat)),
        ("flat(shuss)", search("shuss(t=64)", TreeConfig::Flat)),
        ("flat(ucb)", search("ucb(c=0.4)", TreeConfig::Flat)),
        ("flat(successive-rejects)", search("successive-rejects", TreeConfig::Flat)),
        ("voi-tree(bct)", search("", TreeConfig::Voi { bound: Bound::Bernstein })),
        ("voi-tree(vct)", search("", TreeConfig::Voi { bound: Bound::Hoeffding })),
        ("rave(whole)", search("", TreeConfig::Rave { bias: 1e-7, amaf: AmafMoves::Whole })),
        (
            "sh+grave(whole)",
            search("sh", TreeConfig::Grave { reference: 20, bias: 1e-7, amaf: AmafMoves::Whole }),
        ),
        ("sh+uct, one table", with_options(search("sh", UCT), |options| options.one_table = true)),
        (
            "shuss+rave, one table",
            with_options(search("shuss(t=64)", RAVE), |options| options.one_table = true),
        ),
        ("rave by value", with_options(search("", RAVE), |options| options.choice = Some(Choice::Value))),
        ("uct by mean", with_options(search("", UCT), |options| options.choice = Some(Choice::Mean))),
        ("shuss+grave", search("shuss(t=64)", GRAVE)),
        ("shuss+shot", search("shuss(t=64)", TreeConfig::Shot)),
        ("shuss+rave+prior", with_leaf(search("shuss(t=64)", RAVE), prior("sh", 16))),
        ("rave, three trees", with_options(search("", RAVE), |options| options.trees = 3)),
        ("shot+prior", with_leaf(search("", TreeConfig::Shot), prior("uniform", 8))),
        ("ucb+uct+solver", with_options(search("ucb(c=0.4)", UCT), |options| options.solver = true)),
        ("shot+solver", with_options(search("", TreeConfig::Shot), |options| options.solver = true)),
        ("h-mcts+solver", with_options(search("", HYBRID), |options| options.solver = true)),
    ]);
    all
}

/// A player that reports moves of the game's own type.
pub(crate) struct TypedPlayer<G> {
    player: Box<dyn Player>,
    game: PhantomData<G>,
}

impl<G: Game> TypedPlayer<G> {
    pub(crate) fn search(
        &mut self,
        position: &G,
        limits: &Limits<'_>,
        seed: Seed,
        watch: Option<&mut dyn Watch>,
    ) -> Report<G::Move> {
        self.player.search(position, limits, seed, watch).typed()
    }

    pub(crate) fn forget(&mut self) {
        self.player.forget();
    }
}

/// The player of a search.
pub(crate) fn player<G: Game>(config: &SearchConfig) -> TypedPlayer<G> {
    player_of(&PlayerConfig::Search(Box::new(config.clone())))
}

/// A player of any kind.
pub(crate) fn player_of<G: Game>(config: &PlayerConfig) -> TypedPlayer<G> {
    TypedPlayer { player: config.player(), game: PhantomData }
}
