use tesuji_core::{Game, PackedMove, Seed};
use tesuji_testkit::tree_game::TreeGame;

use super::*;

const ALL: Keeps = Keeps::ALL;

/// Positions whose hashes are what a test says they are.
fn tree(transpositions: bool, limit: usize) -> Tree {
    let mut tree =
        Tree::new(ALL, if transpositions { Transpositions::Shared } else { Transpositions::Apart });
    tree.clear(limit, 6);
    tree
}

#[test]
fn positions_are_found_again_where_they_share() {
    for shares in [true, false] {
        let mut tree = tree(shares, 3);
        assert_eq!(tree.find_or_add(7), Some((0, true)));
        assert_eq!(tree.find_or_add(8), Some((1, true)));
        assert_eq!(tree.find_or_add(7), Some(if shares { (0, false) } else { (2, true) }));
        tree.find_or_add(9);
        assert!(tree.is_full());
        assert_eq!(tree.find_or_add(10), None);
        // Full, it still knows what it has.
        assert_eq!(tree.find_or_add(8), shares.then_some((1, false)));
    }
}

/// A tree with moves everywhere and a number of its own in every place.
fn numbered(transpositions: bool) -> Tree {
    let mut tree = tree(transpositions, 100);
    let game = TreeGame::new("((W B) (B (W B W)) (= W))");
    let mut positions = vec![game];
    // Breadth first, all of it.
    let mut at = 0;
    while let Some(position) = positions.get(at).cloned() {
        let (node, _) = tree.find_or_add(position.hash()).unwrap();
        tree.open(node, &position);
        for edge in tree.node(node).edges() {
            let mut child = position.clone();
            child.play_unchecked(u16::unpack(tree.columns.moves[edge]));
            tree.columns.children[edge] = positions.len() as NodeId;
            positions.push(child);
        }
        at += 1;
    }
    let mut rng = Seed::new(1).rng();
    for edge in 0..tree.columns.moves.len() {
        let columns = &mut tree.columns;
        columns.visits[edge] = rng.below(1000);
        columns.amaf_counts[edge] = rng.below(1000);
        for column in [&mut columns.sums, &mut columns.amaf_sums, &mut columns.priors, &mut columns.squares] {
            column[edge] = rng.below(1000) as f32;
        }
    }
    for entry in 0..tree.table_counts.len() {
        tree.table_counts[entry] = rng.below(1000);
        tree.table_sums[entry] = rng.below(1000) as f32;
    }
    tree.nodes.iter_mut().for_each(|node| (node.visits, node.stamp) = (rng.below(1000), 5));
    tree
}

/// Everything that can be reached from a node, as text, whatever the places.
fn described(tree: &Tree, at: NodeId) -> String {
    let node = tree.node(at);
    let mut text = format!("[{} {:?}", node.visits, node.state);
    for edge in node.edges() {
        let columns = &tree.columns;
        text += &format!(
            " {}/{}: {} {} {} {} {} {} ",
            columns.moves[edge].0,
            columns.codes[edge],
            columns.visits[edge],
            columns.sums[edge],
            columns.amaf_counts[edge],
            columns.amaf_sums[edge],
            columns.priors[edge],
            columns.squares[edge],
        );
        if columns.children[edge] != NONE {
            text += &described(tree, columns.children[edge]);
        }
    }
    if node.table != NONE {
        let table = tree.table(at);
        text += &format!(" {:?} {:?}", &tree.table_counts[table.clone()], &tree.table_sums[table]);
    }
    text + "]"
}

#[test]
fn a_part_of_a_tree_is_copied_whole() {
    for shares in [true, false] {
        let whole = numbered(shares);
        for node in 0..whole.n_nodes() as NodeId {
            let mut part = tree(shares, 100);
            whole.copy_subtree(node, &mut part);
            assert_eq!(described(&part, 0), described(&whole, node));
            assert!(part.nodes.iter().all(|node| node.stamp == 0), "no simulation has been there");
            assert_eq!(part.columns.moves.len(), part.columns.visits.len());
        }
    }
}

#[test]
fn copied_positions_are_found_again() {
    let whole = numbered(true);
    let mut game = TreeGame::new("((W B) (B (W B W)) (= W))");
    game.play_unchecked(1);
    let mut part = tree(true, 100);
    whole.copy_subtree(2, &mut part);
    let n_nodes = part.n_nodes();
    assert_eq!(part.find_or_add(game.hash()), Some((0, false)));
    game.play_unchecked(1);
    assert!(matches!(part.find_or_add(game.hash()), Some((_, false))));
    assert_eq!(part.n_nodes(), n_nodes);
}

#[test]
fn a_copy_keeps_to_its_limit() {
    let whole = numbered(true);
    for limit in 1..whole.n_nodes() {
        let mut part = tree(true, limit);
        whole.copy_subtree(0, &mut part);
        assert_eq!(part.n_nodes(), limit);
        let is_inside = |&child: &NodeId| child == NONE || (child as usize) < limit;
        assert!(part.columns.children.iter().all(is_inside));
    }
}

#[test]
fn a_cleared_tree_is_as_new() {
    let mut used = numbered(true);
    used.clear(100, 6);
    let mut fresh = tree(true, 100);
    let game = TreeGame::new("(W B =)");
    for tree in [&mut used, &mut fresh] {
        let (node, _) = tree.find_or_add(game.hash()).unwrap();
        tree.open(node, &game);
    }
    assert_eq!(described(&used, 0), described(&fresh, 0));
    assert_eq!(used.memory(), fresh.memory());
}

/// What docs/performance.md says of memory: whoever changes these sizes changes
/// the page too.
#[test]
fn positions_and_moves_take_few_bytes() {
    assert_eq!(size_of::<Node>(), 28);
    let none = Keeps::default();
    let uct = Keeps { bounds: true, ..none };
    let rave = Keeps { move_amaf: true, ..none };
    let grave = Keeps { code_amaf: true, ..none };
    assert_eq!([uct, rave, grave].map(Columns::bytes_per_move), [24, 26, 18]);
    let (priors, squares) = (Keeps { priors: true, ..none }, Keeps { squares: true, ..none });
    assert_eq!([priors, squares, ALL].map(Columns::bytes_per_move), [20, 20, 42]);
}
