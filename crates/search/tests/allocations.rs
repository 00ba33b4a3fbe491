//! Simulations allocate nothing once the memory is there: another search of the
//! same position allocates for its report, and not for its budget.

use tesuji_core::{Game, Seed};
use tesuji_games::goban::UpTo7;
use tesuji_games::{Breakthrough, Go, GoRules};
use tesuji_search::{
    AmafMoves, Count, LeafConfig, Limits, Options, PlayerConfig, PriorPolicy, PriorSource, Root,
    SearchConfig, TreeConfig,
};
use tesuji_testkit::allocations::{CountingAllocator, count};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const RAVE: TreeConfig = TreeConfig::Rave { bias: 1e-7, amaf: AmafMoves::After };
const UCT: TreeConfig = TreeConfig::Uct { c: 0.4 };

fn allocates_for_its_report_only<G: Game>(name: &str, config: &SearchConfig, game: &G) {
    let mut player = PlayerConfig::Search(Box::new(config.clone())).player();
    let mut allocations = |budget, seed| {
        let limits = Limits::samples(budget);
        count(|| player.search(game, &limits, Seed::new(seed), None)).0
    };
    // The first of two equal searches finds the memory that the second uses.
    let [few, many] = [1000, 4000].map(|budget| {
        allocations(budget, 1);
        allocations(budget, 1)
    });
    // The moves, the arms, the values, and the rounds of a halving.
    assert!(few <= 30 && many <= 30, "{name}: {few} allocations for 1,000 samples, {many} for 4,000");
    assert!(many.abs_diff(few) <= 2, "{name}: {few} allocations for 1,000 samples, {many} for 4,000");
}

#[test]
fn simulations_allocate_nothing() {
    let prior = |policy: PriorPolicy| LeafConfig::Prior { policy, playouts: 16, count: Count::Simulations };
    let sh = || prior(PriorPolicy::Allocator("sh".parse().unwrap()));
    let uniform = || prior(PriorPolicy::Allocator("uniform".parse().unwrap()));
    let puct = |prior| TreeConfig::Puct { c: Some(1.0), prior, temperature: Some(0.25) };
    let grave = TreeConfig::Grave { reference: 50, bias: 1e-7, amaf: AmafMoves::After };
    let hybrid = TreeConfig::HybridMcts { cutoff: 10, c: 0.4 };
    let searches = [
        ("uct", "", UCT, LeafConfig::Playout),
        ("rave", "", RAVE, LeafConfig::Playout),
        ("grave", "", grave, LeafConfig::Playout),
        ("puct(uniform)", "", puct(PriorSource::Uniform), LeafConfig::Playout),
        ("puct(amaf)", "", puct(PriorSource::Amaf), LeafConfig::Playout),
        ("puct(leaf)", "", puct(PriorSource::Leaf), sh()),
        ("uct+prior(sh)", "", UCT, sh()),
        ("uct+prior(uniform)", "", UCT, uniform()),
        ("uct+prior(literal)", "", UCT, prior(PriorPolicy::Literal)),
        ("sh+rave", "sh", RAVE, LeafConfig::Playout),
        ("ucb+uct", "ucb(c=0.4)", UCT, LeafConfig::Playout),
        ("shot", "", TreeConfig::Shot, LeafConfig::Playout),
        ("h-mcts", "", hybrid, LeafConfig::Playout),
    ];
    let go = Go::<UpTo7>::new(GoRules { size: 5, ..GoRules::default() }).unwrap();
    for (name, root, tree, leaf) in searches {
        let root = if root.is_empty() { Root::Tree } else { Root::Policy(root.parse().unwrap()) };
        let config = SearchConfig { root, tree, leaf, options: Options::default() };
        allocates_for_its_report_only(name, &config, &go);
        allocates_for_its_report_only(name, &config, &Breakthrough::new(5, 5).unwrap());
    }
}
