use tesuji_bandit::Bound;

use super::*;
use crate::config::{LeafConfig, Options, PriorSource, Root};

fn of(tree: TreeConfig) -> Box<dyn TreePolicy> {
    policy(&SearchConfig { root: Root::Tree, tree, leaf: LeafConfig::Playout, options: Options::default() })
}

const EMPTY: View<'_> = View {
    value: 0.5,
    visits: 0,
    side: Side::Black,
    counts: &[],
    sums: &[],
    squares: &[],
    means: &[],
    roots: &[],
    codes: &[],
    amaf_counts: &[],
    amaf_sums: &[],
    priors: &[],
    table_counts: &[],
    table_sums: &[],
};

fn values(policy: &dyn TreePolicy, node: &View<'_>) -> Vec<f32> {
    let mut values = vec![f32::NAN; node.counts.len()];
    policy.fill(node, &mut values);
    values
}

fn close(left: &[f32], right: &[f32]) {
    assert_eq!(left.len(), right.len());
    for (a, b) in left.iter().zip(right) {
        assert!(a == b || (a - b).abs() < 1e-5, "{left:?} is not {right:?}");
    }
}

#[test]
fn ucb_by_hand() {
    // 3/4 + 0.5·sqrt(ln 5 / 4), 0 + 0.5·sqrt(ln 5 / 1), and a move without visits.
    let node =
        View { visits: 5, counts: &[4, 1, 0], means: &[0.75, 0.0, 0.0], roots: &[0.5, 1.0, 0.0], ..EMPTY };
    close(&values(&*of(TreeConfig::Uct { c: 0.5 }), &node), &[1.067_16, 0.634_32, f32::INFINITY]);
}

#[test]
fn rave_by_hand() {
    let tree = TreeConfig::Rave { bias: 0.05, amaf: AmafMoves::After };
    // s = 10, t = 4: β = 10/(10 + 4 + 2) = 5/8, 3/8·3/4 + 5/8·3/10; AMAF alone; the mean alone; neither.
    let node = View {
        visits: 6,
        counts: &[4, 0, 2, 0],
        sums: &[3.0, 0.0, 1.0, 0.0],
        amaf_counts: &[10, 5, 0, 0],
        amaf_sums: &[3.0, 4.0, 0.0, 0.0],
        ..EMPTY
    };
    close(&values(&*of(tree), &node), &[0.468_75, 0.8, 0.5, f32::INFINITY]);
}

#[test]
fn grave_reads_the_table_for_its_side() {
    let tree = TreeConfig::Grave { reference: 50, bias: 0.05, amaf: AmafMoves::After };
    // Black's rewards by code; the moves have the codes 3 and 1.
    let node = View {
        visits: 4,
        counts: &[4, 0],
        sums: &[3.0, 0.0],
        codes: &[3, 1],
        table_counts: &[9, 5, 9, 10],
        table_sums: &[9.0, 4.0, 9.0, 3.0],
        ..EMPTY
    };
    close(&values(&*of(tree), &node), &[0.468_75, 0.8]);
    // 3/8·3/4 + 5/8·7/10 and 1/5.
    let node = View { side: Side::White, ..node };
    close(&values(&*of(tree), &node), &[0.718_75, 0.2]);
}

#[test]
fn puct_by_hand() {
    let tree = TreeConfig::Puct { c: Some(2.0), prior: PriorSource::Leaf, temperature: Some(1.0) };
    // sqrt(9) = 3: 1/2 + 2·0.5·3/9, and the mean of all, 4/9, for a move without visits.
    let node =
        View { visits: 9, counts: &[8, 1, 0], sums: &[4.0, 0.0, 0.0], priors: &[0.5, 0.3, 0.2], ..EMPTY };
    close(&values(&*of(tree), &node), &[0.833_33, 0.9, 1.644_44]);
}

#[test]
fn priors_by_hand() {
    // exp(score/T): 2 : 1 : 4 at T = 1/2 for ln(2)/2, 0 and ln(2).
    let ln2 = std::f32::consts::LN_2;
    let mut scores = [ln2 / 2.0, 0.0, ln2];
    softmax(&mut scores, 0.5);
    close(&scores, &[2.0 / 7.0, 1.0 / 7.0, 4.0 / 7.0]);
    // AMAF means 1/4 and 3/4, and 1/2 for a move without: exp(1/4) to one another at T = 1.
    let amaf = of(TreeConfig::Puct { c: Some(1.0), prior: PriorSource::Amaf, temperature: Some(1.0) });
    let node = View { counts: &[0; 3], amaf_counts: &[4, 0, 8], amaf_sums: &[1.0, 0.0, 6.0], ..EMPTY };
    let mut priors = [0.0; 3];
    amaf.fill_priors(&node, &mut priors);
    close(&priors, &[0.254_28, 0.326_50, 0.419_23]);
    // Uniform priors look at nothing.
    let uniform = of(TreeConfig::Puct { c: Some(1.0), prior: PriorSource::Uniform, temperature: Some(1.0) });
    uniform.fill_priors(&View { counts: &[0; 3], ..EMPTY }, &mut priors);
    close(&priors, &[1.0 / 3.0; 3]);
}

#[test]
fn where_no_sample_is_worth_anything_the_best_is_taken() {
    for bound in [Bound::Hoeffding, Bound::Midpoint, Bound::Bernstein] {
        let policy = of(TreeConfig::Voi { bound });
        let squares: &[f32] = if bound == Bound::Bernstein { &[0.0, 3.0, 0.0] } else { &[] };
        let node = View { visits: 9, counts: &[3; 3], sums: &[0.0, 3.0, 0.0], squares, ..EMPTY };
        assert_eq!(first_greatest(&values(&*policy, &node)), 1, "{bound:?}");
    }
}
