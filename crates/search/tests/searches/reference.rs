//! The tree searches once more, written as plainly as the papers print them, and
//! compared visit by visit; and their formulas, from what a report says.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use tesuji_bandit::ShotHalving;
use tesuji_core::{Arms, Code, Game, Rewards, Rng, Seed, Side, allocate};
use tesuji_games::{Breakthrough, Domineering};
use tesuji_search::{AmafMoves, ArmReport, Choice, Limits, PriorSource, Report, TreeConfig};
use tesuji_testkit::tree_game::TreeGame;

use crate::common::{RAVE, UCT, player, search, with_options};
use crate::solved::hex;

/// A position that was visited, its moves listed from the second visit on.
struct Node<M> {
    visits: u32,
    moves: Vec<Move<M>>,
    /// Samples and Black's rewards of each code.
    amaf: HashMap<Code, (u32, f64)>,
}

struct Move<M> {
    mv: M,
    code: Code,
    visits: u32,
    sum: f64,
}

struct Plain<G: Game> {
    tree: TreeConfig,
    nodes: HashMap<u64, Node<G::Move>>,
}

impl<G: Game> Plain<G> {
    fn open(&mut self, position: &G) {
        let node = self.nodes.entry(position.hash()).or_insert_with(|| Node {
            visits: 0,
            moves: Vec::new(),
            amaf: HashMap::new(),
        });
        if node.moves.is_empty() {
            let moves = position.search_moves().into_iter();
            node.moves = moves.map(|mv| Move { mv, code: position.code(mv), visits: 0, sum: 0.0 }).collect();
        }
    }

    fn value(&self, node: &Node<G::Move>, reference: &Node<G::Move>, side: Side, mv: &Move<G::Move>) -> f64 {
        let (n, total) = (f64::from(mv.visits), f64::from(node.visits));
        let mean = if mv.visits == 0 { 0.0 } else { mv.sum / n };
        match self.tree {
            TreeConfig::Uct { .. } if mv.visits == 0 => f64::INFINITY,
            TreeConfig::Uct { c } => mean + c * (total.ln() / n).sqrt(),
            TreeConfig::Rave { bias, .. } | TreeConfig::Grave { bias, .. } => {
                let (samples, blacks) = reference.amaf.get(&mv.code).copied().unwrap_or_default();
                if samples + mv.visits == 0 {
                    return f64::INFINITY;
                }
                // (1−β)·mean + β·AMAF over one denominator and in single precision,
                // so that moves of equal value are equal here where they are there.
                let (s, t, bias) = (samples as f32, mv.visits as f32, bias as f32);
                let won = if side == Side::Black { blacks as f32 } else { s - blacks as f32 };
                let factor = 1.0 + bias * s;
                f64::from((factor * mv.sum as f32 + won) / (s + factor * t))
            }
            TreeConfig::Puct { c, .. } => {
                // In single precision for the same reason.
                let sum: f64 = node.moves.iter().map(|mv| mv.sum).sum();
                let others = if node.visits == 0 { 0.5 } else { sum as f32 / total as f32 };
                let q = if mv.visits == 0 { others } else { mv.sum as f32 / n as f32 };
                let weight = c.unwrap() as f32 * (total.max(1.0) as f32).sqrt();
                f64::from(q + weight * (1.0 / node.moves.len() as f32) / (1.0 + n as f32))
            }
            _ => unreachable!("not written plainly"),
        }
    }

    fn simulate(&mut self, root: &G, rng: &mut Rng) {
        let (least, amaf) = match self.tree {
            TreeConfig::Grave { reference, amaf, .. } => (reference, amaf),
            TreeConfig::Rave { amaf, .. } => (0, amaf),
            _ => (0, AmafMoves::After),
        };
        // Where the same is computed in another order, roundings are no difference.
        let margin = if matches!(self.tree, TreeConfig::Uct { .. }) { 1e-7 } else { 0.0 };
        let is_grave = matches!(self.tree, TreeConfig::Grave { .. });
        let mut position = root.clone();
        let mut path: Vec<(u64, usize, Side)> = Vec::new();
        let mut played: Vec<Code> = Vec::new();
        let mut reference = root.hash();
        let outcome = loop {
            let hash = position.hash();
            if let Entry::Vacant(free) = self.nodes.entry(hash) {
                free.insert(Node { visits: 0, moves: Vec::new(), amaf: HashMap::new() });
                break position.playout(rng, &mut played).outcome;
            }
            if let Some(outcome) = position.outcome() {
                break outcome;
            }
            self.open(&position);
            let node = &self.nodes[&hash];
            if !is_grave || node.visits > least {
                reference = hash;
            }
            let side = position.to_move();
            let value = |arm: usize| self.value(node, &self.nodes[&reference], side, &node.moves[arm]);
            let best = (1..node.moves.len())
                .fold(0, |best, arm| if value(arm) > value(best) + margin { arm } else { best });
            let Move { mv, code, .. } = node.moves[best];
            path.push((hash, best, side));
            played.push(code);
            position.play_unchecked(mv);
        };
        for (depth, &(hash, arm, side)) in path.iter().enumerate() {
            let node = self.nodes.get_mut(&hash).unwrap();
            node.visits += 1;
            node.moves[arm].visits += 1;
            node.moves[arm].sum += outcome.reward(side);
            let from = match amaf {
                AmafMoves::After => depth,
                AmafMoves::Whole => 0,
                AmafMoves::Playout => path.len(),
            };
            let codes: BTreeSet<Code> = played[from..].iter().copied().collect();
            for code in codes {
                let (count, sum) = node.amaf.entry(code).or_default();
                *count += 1;
                *sum += outcome.reward(Side::Black);
            }
        }
    }
}

fn agrees<G: Game>(board: &str, root: &G, tree: TreeConfig, budget: u64) {
    let seed = Seed::new(11);
    let mut rng = seed.child("tree").child(0_u64).rng();
    let mut plain = Plain { tree, nodes: HashMap::new() };
    plain.open(root);
    (0..budget).for_each(|_| plain.simulate(root, &mut rng));
    let report = player(&search("", tree)).search(root, &Limits::samples(budget), seed, None);
    let node = &plain.nodes[&root.hash()];
    assert_eq!(report.memory.nodes, plain.nodes.len(), "{tree:?} in {board}");
    for (arm, mv) in report.arms.iter().zip(&node.moves) {
        assert_eq!(arm.visits, u64::from(mv.visits), "{tree:?} in {board}: {arm:?}");
        assert_eq!(arm.mean.unwrap_or(0.0), mv.sum / f64::from(mv.visits.max(1)), "{tree:?} in {board}");
        if let Some(amaf) = arm.amaf {
            let (count, blacks) = node.amaf.get(&mv.code).copied().unwrap_or_default();
            let won = if root.to_move() == Side::Black { blacks } else { f64::from(count) - blacks };
            assert_eq!(amaf.count, u64::from(count), "{tree:?} in {board}");
            assert_eq!(amaf.mean, won / f64::from(count.max(1)), "{tree:?} in {board}");
        }
    }
}

#[test]
fn trees_grow_as_printed() {
    let draws = TreeGame::new("((W B (= B)) ((B W) (W =) (B (W B))) ((= W) B ((B W) (W B) (B =))) =)");
    for amaf in [AmafMoves::After, AmafMoves::Whole, AmafMoves::Playout] {
        for tree in [
            UCT,
            TreeConfig::Uct { c: 1.1 },
            TreeConfig::Rave { bias: 1e-3, amaf },
            TreeConfig::Grave { reference: 15, bias: 1e-3, amaf },
            TreeConfig::Grave { reference: 0, bias: 1e-3, amaf },
            TreeConfig::Puct { c: Some(0.7), prior: PriorSource::Uniform, temperature: Some(1.0) },
        ] {
            for budget in [1, 2, 3, 5, 17, 100, 1500] {
                agrees("a tree with draws", &draws, tree, budget);
                agrees("the same, White first", &draws.clone().starting(Side::White), tree, budget);
                agrees("hex:3", &hex(3), tree, budget);
                agrees("domineering:4", &Domineering::new(4, 4).unwrap(), tree, budget);
                agrees("breakthrough:3x5", &Breakthrough::new(3, 5).unwrap(), tree, budget);
            }
        }
    }
}

/// The first choices of UCT with c = 0.4 among moves worth 0, 1 and ½, by hand:
/// each once, then 1 + 0.4·sqrt(ln 3) = 1.419 against 0.919; 1 stays ahead of
/// ½ + 0.4·sqrt(ln N) until N = 8: 1 + 0.4·sqrt(ln 8/6) = 1.235 against 1.077,
/// and at N = 14, 1 + 0.4·sqrt(ln 14/12) = 1.188 against 1.150; at N = 17,
/// 1 + 0.4·sqrt(ln 17/15) = 1.174 against 1.173; at N = 18, 1.169 against 1.180.
#[test]
fn uct_by_hand() {
    let visits = |budget| {
        let game = TreeGame::new("(W B =)");
        let report = player(&search("", UCT)).search(&game, &Limits::samples(budget), Seed::new(1), None);
        report.arms.iter().map(|arm| arm.visits).collect::<Vec<_>>()
    };
    assert_eq!(visits(1), [1, 0, 0]);
    assert_eq!(visits(2), [1, 1, 0]);
    assert_eq!(visits(3), [1, 1, 1]);
    assert_eq!(visits(4), [1, 2, 1]);
    assert_eq!(visits(18), [1, 16, 1]);
    assert_eq!(visits(19), [1, 16, 2]);
    assert_eq!(visits(20), [1, 17, 2]);
}

fn root_report(tree: TreeConfig) -> Report<u16> {
    let game = TreeGame::new("((B W W) (W B (B W)) ((W B) W) (W (B W) B))");
    player(&search("", tree)).search(&game, &Limits::samples(400), Seed::new(4), None)
}

/// A report's values are those of the policies, by their formulas.
#[test]
fn values_by_formula() {
    let close = |q: Option<f64>, expected: f64| {
        let q = q.unwrap();
        assert!((q - expected).abs() < 1e-5, "{q} is not {expected}");
    };
    for arm in &root_report(TreeConfig::Uct { c: 0.7 }).arms {
        close(arm.q, arm.mean.unwrap() + 0.7 * (400_f64.ln() / arm.visits as f64).sqrt());
    }
    for amaf in [AmafMoves::After, AmafMoves::Whole] {
        for arm in &root_report(TreeConfig::Rave { bias: 0.02, amaf }).arms {
            let (amaf, t) = (arm.amaf.unwrap(), arm.visits as f64);
            let s = amaf.count as f64;
            let beta = s / (s + t + 0.02 * s * t);
            close(arm.q, (1.0 - beta) * arm.mean.unwrap() + beta * amaf.mean);
        }
    }
    for arm in
        &root_report(TreeConfig::Puct { c: Some(1.3), prior: PriorSource::Uniform, temperature: Some(1.0) })
            .arms
    {
        close(arm.q, arm.mean.unwrap() + 1.3 * 0.25 * 20.0 / (1.0 + arm.visits as f64));
    }
}

/// Where every move's worth is certain, SHOT's root spends what its halving does.
#[test]
fn shot_at_the_root_is_its_halving() {
    let worth = [0.0, 1.0, 0.5, 0.0, 1.0, 0.5, 0.0];
    let game = TreeGame::new("(W (B B) = (W (W W)) ((B B) B) (= (= =)) W)");
    for tree in [TreeConfig::Shot, TreeConfig::HybridMcts { cutoff: 10, c: 0.4 }] {
        for budget in [1, 6, 7, 8, 20, 100, 999, 5000] {
            let report =
                player(&search("", tree)).search(&game, &Limits::samples(budget), Seed::new(1), None);
            let mut arms = Arms::new(7);
            let mut rng = Seed::new(1).rng();
            let decision =
                allocate(&mut ShotHalving::default(), budget, &mut arms, &mut rng, |batch, arms| {
                    for pull in batch.pulls {
                        let mut rewards = Rewards::default();
                        (0..pull.samples).for_each(|_| rewards.add(worth[pull.arm]));
                        arms.record(pull.arm, rewards);
                    }
                });
            let visits: Vec<u64> = report.arms.iter().map(|arm| arm.visits).collect();
            assert_eq!(visits, (0..7).map(|arm| arms.count(arm)).collect::<Vec<_>>(), "{budget}");
            assert_eq!(report.chosen, Some(decision.arm), "{budget}");
        }
    }
}

/// The root's AMAF statistics count the first move: where no move comes twice,
/// they are its own statistics.
#[test]
fn the_roots_amaf_counts_the_first_move() {
    let game = TreeGame::new("((B W =) (W B) (= B W))");
    for tree in [TreeConfig::Flat, UCT, TreeConfig::Shot, crate::common::RAVE, crate::common::GRAVE] {
        let config = search("shuss(t=16)", tree);
        let report = player(&config).search(&game, &Limits::samples(600), Seed::new(1), None);
        for arm in &report.arms {
            let amaf = arm.amaf.unwrap();
            assert_eq!((amaf.count, Some(amaf.mean)), (arm.visits, arm.mean), "{tree:?}");
            assert_eq!(arm.score, arm.mean, "{tree:?}");
        }
    }
}

/// A move that can come later counts there too, once a simulation.
#[test]
fn the_roots_amaf_counts_later_moves_once() {
    // After 0 and White's only move, Black has two moves in any case, and again.
    let after = "(((((B B) (B B)))) ((((W W) (W W)))))";
    let game = TreeGame::new(&format!("(({after}) W)"));
    let report = player(&search("shuss(t=16)", TreeConfig::Flat)).search(
        &game,
        &Limits::samples(400),
        Seed::new(1),
        None,
    );
    let [first, second] = &report.arms[..] else { panic!("two moves") };
    let amaf = first.amaf.unwrap();
    // It is played at the root or not at all, for the game ends after 1.
    assert_eq!(amaf.count, first.visits);
    // The second move comes later in some of the first's, at most once in each.
    let amaf = second.amaf.unwrap();
    assert!(amaf.count > second.visits && amaf.count < 400, "{report:?}");
}

/// Where no position is reached in two ways, it makes no difference whether the moves at the root
/// share a table; where one is, they learn from each other.
#[test]
fn one_table_shares_what_is_reached_in_two_ways() {
    let report = |game: &TreeGame, one_table: bool, threads: usize| {
        let config = with_options(search("sh", UCT), |options| options.one_table = one_table);
        let limits = Limits::samples(300).on(threads);
        let report = player(&config).search(game, &limits, Seed::new(3), None);
        (report.chosen, report.arms, report.rounds)
    };
    let game = TreeGame::new("((B W W) (W B (B W)) ((W B) W) (W (B W) B))");
    assert_eq!(report(&game, true, 1), report(&game, false, 1));
    assert_eq!(report(&game, true, 1), report(&game, true, 4));
    let means = |one_table: bool| {
        let config = with_options(search("sh", RAVE), |options| options.one_table = one_table);
        let report = player(&config).search(&hex(4), &Limits::samples(2000), Seed::new(3), None);
        assert_eq!(report.spent, 2000);
        report.arms.iter().map(|arm| arm.mean).collect::<Vec<_>>()
    };
    assert_ne!(means(true), means(false));
}

/// The most visited move, that with the best mean and that with the best value may be three, and
/// each is played if it is asked for.
#[test]
fn a_tree_plays_by_what_it_is_told() {
    let chosen = |choice: Option<Choice>| {
        let config = with_options(search("", TreeConfig::Uct { c: 1.5 }), |options| options.choice = choice);
        player(&config).search(&hex(4), &Limits::samples(90), Seed::new(8), None)
    };
    let best = |value: &dyn Fn(&ArmReport<_>) -> f64| {
        let report = chosen(None);
        let mut arms: Vec<(usize, f64)> = report.arms.iter().map(value).enumerate().collect();
        arms.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        arms[0].0
    };
    let by_visits = best(&|arm| arm.visits as f64);
    let by_mean = best(&|arm| arm.mean.unwrap_or(-1.0));
    let by_value = best(&|arm| arm.q.unwrap_or(-1.0));
    assert_eq!(chosen(None).chosen, Some(by_visits));
    assert_eq!(chosen(Some(Choice::Visits)).chosen, Some(by_visits));
    assert_eq!(chosen(Some(Choice::Mean)).chosen, Some(by_mean));
    assert_eq!(chosen(Some(Choice::Value)).chosen, Some(by_value));
    assert!(by_visits != by_value || by_visits != by_mean, "the test needs another seed");
}
