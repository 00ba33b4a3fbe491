use tesuji_core::{Game, MoveId, Seed};
use tesuji_testkit::tree_game::TreeGame;

use super::*;
use crate::config::{LeafConfig, Options, Root, TreeConfig};
use crate::kernel::GameKernel;
use crate::tree::Transpositions;

/// One simulation of a forced sequence whose first five moves are in the tree,
/// below a prefix of two moves: the samples of each code in each node.
///
/// The codes are 0 for Black's first move, 2 for White's; 1 and 3 for the moves
/// of the prefix, which come nowhere else.
fn samples(tree: TreeConfig) -> Vec<[u32; 4]> {
    let config =
        SearchConfig { root: Root::Tree, tree, leaf: LeafConfig::Playout, options: Options::default() };
    let plan = Plan::new(&config).with_root_amaf();
    // Two moves at the very end, so that there are four codes.
    let game = TreeGame::after_forced(6, "(W B)");
    let mut tree = Tree::new(plan.keeps(), Transpositions::Shared);
    tree.clear(100, Game::n_codes(&game));
    let mut simulator = Simulator::new(plan, None);
    let mut kernel = GameKernel::default();
    simulator.begin(&game, &[MoveId(0)]);
    let mut rng = Seed::new(1).rng();
    // Each adds a node, without a prefix; and then everything is forgotten but the nodes.
    for _ in 0..5 {
        kernel.simulation(&mut simulator, &mut tree, 0, &game, &mut rng);
    }
    tree.columns.amaf_counts.fill(0);
    tree.table_counts.fill(0);
    simulator.prefix.extend([1, 3]);
    kernel.simulation(&mut simulator, &mut tree, 0, &game, &mut rng);
    let keeps = tree.keeps();
    let counts = |node: NodeId| {
        let mut counts = [0; 4];
        if keeps.code_amaf {
            counts.copy_from_slice(&tree.table_counts[tree.table(node)]);
        } else {
            for edge in tree.node(node).edges() {
                counts[tree.columns.codes[edge] as usize] = tree.columns.amaf_counts[edge];
            }
        }
        counts
    };
    (0..5).map(counts).collect()
}

#[test]
fn a_node_counts_its_own_moves_once() {
    for amaf in [AmafMoves::After, AmafMoves::Whole] {
        // Black's node has Black's move only, White's White's.
        let rave = samples(TreeConfig::Rave { bias: 0.0, amaf });
        assert_eq!(rave[..4], [[1, 0, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 1, 0]]);
    }
}

#[test]
fn a_table_counts_the_moves_of_both_sides_once() {
    let grave = |amaf| samples(TreeConfig::Grave { reference: 0, bias: 0.0, amaf });
    for counts in &grave(AmafMoves::After)[..4] {
        assert_eq!((counts[0], counts[2], counts[3]), (1, 1, 0));
    }
    // Of the whole simulation: what led to the tree, too.
    for counts in &grave(AmafMoves::Whole)[..4] {
        assert_eq!(counts, &[1, 1, 1, 1]);
    }
}

/// A simulation that ends where the outcome is known counts like any other.
#[test]
fn known_ends_count() {
    let config = SearchConfig {
        root: Root::Tree,
        tree: TreeConfig::Rave { bias: 0.0, amaf: AmafMoves::After },
        leaf: LeafConfig::Playout,
        options: Options::default(),
    };
    let plan = Plan::new(&config).with_root_amaf();
    let game = TreeGame::new("((B))");
    let mut tree = Tree::new(plan.keeps(), Transpositions::Shared);
    tree.clear(100, Game::n_codes(&game));
    let mut simulator = Simulator::new(plan, None);
    let mut kernel = GameKernel::default();
    simulator.begin(&game, &[MoveId(0)]);
    let mut rng = Seed::new(1).rng();
    for _ in 0..10 {
        kernel.simulation(&mut simulator, &mut tree, 0, &game, &mut rng);
    }
    // The first only adds the root, the second opens it, the third its child.
    assert_eq!((tree.columns.visits[0], tree.columns.visits[1]), (9, 8));
    assert_eq!((tree.columns.amaf_counts[0], tree.columns.amaf_counts[1]), (9, 8));
    assert_eq!((tree.columns.amaf_sums[0], tree.columns.amaf_sums[1]), (9.0, 0.0));
    assert_eq!((simulator.root_amaf.counts[0], simulator.root_amaf.sums[0]), (10, 10.0));
}
