//! Searches whose leaves a network values.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tesuji_core::{Game, NetworkForm, Rng, Seed};
use tesuji_games::{HexRules, SmallHex};
use tesuji_net::{Evaluations, Evaluator, NetError, NetworkSource};
use tesuji_search::{
    Event, LeafConfig, Limits, Player, PlayerConfig, PriorSource, Report, SearchConfig, SearchStop, Standing,
    TreeConfig, catch_network_failure,
};

use crate::common::{HYBRID, RAVE, UCT, puct, search, with_leaf, with_options};

const GUMBEL: TreeConfig = TreeConfig::Gumbel { visit: 50.0, scale: 1.0 };

/// Answers at random, but always the same to the same position.
struct Oracle {
    form: NetworkForm,
    /// How many positions it was asked about, and the largest batch.
    asked: AtomicUsize,
    largest: AtomicUsize,
    /// It fails when it is asked about more positions than this.
    most: AtomicUsize,
    /// The time that a position takes it, at least.
    pause: Duration,
}

impl Oracle {
    fn of(game: &impl Game) -> Arc<Oracle> {
        let form = game.network_form().unwrap();
        let most = AtomicUsize::new(usize::MAX);
        let (asked, largest) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Arc::new(Oracle { form, asked, largest, most, pause: Duration::ZERO })
    }

    /// One that takes so long for each position.
    fn slow(game: &impl Game, pause: Duration) -> Arc<Oracle> {
        let oracle = Arc::into_inner(Oracle::of(game)).unwrap();
        Arc::new(Oracle { pause, ..oracle })
    }
}

impl Evaluator for Oracle {
    fn form(&self) -> &NetworkForm {
        &self.form
    }

    fn evaluate(&self, planes: &[f32], evaluations: &mut Evaluations) -> Result<(), NetError> {
        let n = planes.len() / self.form.size();
        assert_eq!(planes.len(), n * self.form.size());
        if self.asked.fetch_add(n, Ordering::Relaxed) + n > self.most.load(Ordering::Relaxed) {
            return Err(NetError("the network 'oracle' failed: it is tired".to_owned()));
        }
        self.largest.fetch_max(n, Ordering::Relaxed);
        std::thread::sleep(self.pause * n as u32);
        let Evaluations { logits, values, move_values, .. } = evaluations;
        logits.clear();
        values.clear();
        move_values.clear();
        for position in planes.chunks(self.form.size()) {
            let bits = position
                .iter()
                .fold(7_u64, |bits, &value| tesuji_core::mix(bits ^ u64::from(value.to_bits())));
            let mut rng: Rng = Seed::new(bits).rng();
            values.push(rng.unit() as f32);
            logits.extend((0..self.form.n_logits).map(|_| 3.0 * rng.unit() as f32));
            move_values.extend((0..self.form.n_logits).map(|_| rng.unit() as f32));
        }
        Ok(())
    }

    fn has_move_values(&self) -> bool {
        true
    }
}

fn hex(size: usize) -> SmallHex {
    SmallHex::new(HexRules { size, ..HexRules::default() }).unwrap()
}

/// Several trees need playouts, without which they would all be alike.
fn with_network(config: SearchConfig, oracle: &Arc<Oracle>, mix: f64) -> SearchConfig {
    let mix = if config.options.trees > 1 { mix.max(0.5) } else { mix };
    let source = NetworkSource::Given { name: "oracle".to_owned(), evaluator: oracle.clone() };
    with_leaf(config, LeafConfig::Net { source, mix })
}

/// All kinds of search with a network.
fn searches() -> Vec<(&'static str, SearchConfig)> {
    let (leaf, auto) = (puct(PriorSource::Leaf), puct(PriorSource::Auto));
    vec![
        ("puct", search("", auto)),
        ("puct(uniform)", search("", puct(PriorSource::Uniform))),
        ("uct", search("", UCT)),
        ("gumbel-tree", search("", GUMBEL)),
        ("gumbel+gumbel-tree", search("gumbel(noise=off)", GUMBEL)),
        ("gumbel with noise", search("gumbel", GUMBEL)),
        ("shuss(logits)", search("shuss(score=logits)", leaf)),
        ("shuss(t=1)", search("shuss(t=1)", leaf)),
        ("shuss(value)", search("shuss(score=value)", leaf)),
        ("shuss(q)", search("shuss(score=q)", leaf)),
        ("sh", search("sh", leaf)),
        ("sh+uct", search("sh", UCT)),
        ("ucb", search("ucb(c=0.4)", leaf)),
        ("flat(sh)", search("sh", TreeConfig::Flat)),
        ("shot", search("", TreeConfig::Shot)),
        ("h-mcts", search("", HYBRID)),
        ("puct, reuse", with_options(search("", auto), |options| options.reuse = true)),
        ("sh, solver", with_options(search("sh", leaf), |options| options.solver = true)),
        ("puct, two trees", with_options(search("", auto), |options| options.trees = 2)),
        ("sh, one table", with_options(search("sh", UCT), |options| options.one_table = true)),
    ]
}

fn run(config: &SearchConfig, limits: &Limits<'_>) -> Report {
    let config = PlayerConfig::Search(Box::new(config.clone()));
    config.player().search(&hex(5), limits, Seed::new(3), None)
}

#[test]
fn a_network_that_fails_is_an_error_and_no_panic() {
    for (name, config) in searches() {
        for (threads, most) in [(1, 0), (1, 60), (3, 60)] {
            let oracle = Oracle::of(&hex(5));
            let config = PlayerConfig::Search(Box::new(with_network(config.clone(), &oracle, 0.0)));
            let limits = Limits { batch: 4, ..Limits::samples(2000).on(threads) };
            let search = |player: &mut dyn Player| player.search(&hex(5), &limits, Seed::new(3), None);
            let mut player = config.player();
            oracle.most.store(most, Ordering::Relaxed);
            let failure = catch_network_failure(|| search(&mut *player)).unwrap_err();
            assert_eq!(failure.to_string(), "the network 'oracle' failed: it is tired", "{name}, {threads}");
            // The player can go on.
            oracle.most.store(usize::MAX, Ordering::Relaxed);
            player.forget();
            assert_eq!(search(&mut *player), search(&mut *config.player()), "{name}, {threads}");
        }
    }
}

#[test]
fn batches_and_threads_change_nothing() {
    for (name, config) in searches() {
        for mix in [0.0, 0.5] {
            let oracle = Oracle::of(&hex(5));
            let config = with_network(config.clone(), &oracle, mix);
            let plain = run(&config, &Limits { batch: 1, ..Limits::samples(150) });
            for (batch, threads) in [(2, 1), (7, 1), (256, 1), (3, 2), (256, 4)] {
                let other = run(&config, &Limits { batch, ..Limits::samples(150).on(threads) });
                assert_eq!(plain, other, "{name}, mix {mix}, batches of {batch}, {threads} threads");
            }
        }
    }
}

/// A watched search is cut into slices, in which some trees have nothing to do.
#[test]
fn watching_a_few_samples_changes_nothing() {
    let with_trees = |tree, n| with_options(search("", tree), |options| options.trees = n);
    let mut searches = searches();
    searches.extend([
        ("puct, five trees", with_trees(puct(PriorSource::Auto), 5)),
        ("gumbel-tree, three trees", with_trees(GUMBEL, 3)),
    ]);
    let oracle = Oracle::of(&hex(5));
    for (name, config) in searches {
        let config = PlayerConfig::Search(Box::new(with_network(config, &oracle, 0.0)));
        for budget in (1..=60).chain([130]) {
            let limits = Limits::samples(budget);
            let often = Limits { every: Some(Duration::from_micros(100)), ..limits };
            let watched = |limits: &Limits<'_>| {
                config.player().search(&hex(5), limits, Seed::new(3), Some(&mut |_: Event<'_>| {}))
            };
            let alone = config.player().search(&hex(5), &limits, Seed::new(3), None);
            assert_eq!(watched(&limits), alone, "{name}, {budget} samples");
            assert_eq!(watched(&often), alone, "{name}, {budget} samples, told by the clock");
        }
    }
}

#[test]
fn without_time_one_root_is_valued() {
    let oracle = Oracle::of(&hex(5));
    let tree = puct(PriorSource::Auto);
    let puct = || with_network(search("", tree), &oracle, 0.0);
    let values = |report: &Report| report.arms.iter().map(|arm| arm.q).collect::<Vec<_>>();
    let report = run(&puct(), &Limits::time(Duration::ZERO));
    assert_eq!((report.stop, report.spent), (Some(SearchStop::Time), 1));
    assert_eq!(values(&report), values(&run(&puct(), &Limits::samples(1))));
    let five = with_options(search("", tree), |options| options.trees = 5);
    let five = with_network(five, &oracle, 0.0);
    assert_eq!(run(&five, &Limits::time(Duration::ZERO)).spent, 1);
}

/// A batch cannot be cut off, so there are none that take all the time that is left.
#[test]
fn time_ends_batches() {
    let oracle = Oracle::slow(&hex(5), Duration::from_millis(4));
    let best = order(&at_the_start(&oracle).logits);
    for (name, config) in searches() {
        oracle.asked.store(0, Ordering::Relaxed);
        let report = run(&with_network(config, &oracle, 0.0), &Limits::time(Duration::from_millis(32)));
        // Eight evaluations, and one that began before the time was up.
        let asked = oracle.asked.load(Ordering::Relaxed);
        assert!(asked <= 9, "{name} asked about {asked} positions");
        assert_eq!(report.stop, Some(SearchStop::Time), "{name}");
        if name == "gumbel+gumbel-tree" {
            // The speed is measured with the best moves.
            let sampled = best.iter().take_while(|&&arm| report.arms[arm].visits > 0).count();
            assert_eq!(report.arms.iter().filter(|arm| arm.visits > 0).count(), sampled);
        }
    }
}

/// Moves without a value are ranked behind the moves with one, by scores that no report shows.
#[test]
fn moves_that_were_not_valued_have_no_score() {
    let oracle = Oracle::of(&hex(5));
    let config = with_network(search("shuss(score=value)", puct(PriorSource::Leaf)), &oracle, 0.0);
    for samples in [2, 3, 9, 20, 51, 100] {
        let report = run(&config, &Limits::samples(samples));
        let scored = report.arms.iter().filter(|arm| arm.score.is_some()).count();
        // Half of the budget values moves; if it can pay for one only, logits are the scores.
        let n_valued = match ((samples - 1) / 2).min(25) {
            ..2 => 25,
            n_valued => n_valued as usize,
        };
        assert_eq!(scored, n_valued, "{samples} samples");
    }
}

#[test]
fn evaluations_are_the_budget() {
    for (name, config) in searches() {
        for samples in [1, 2, 3, 8, 40, 150] {
            let oracle = Oracle::of(&hex(5));
            let config = with_network(config.clone(), &oracle, 0.0);
            let report = run(&config, &Limits::samples(samples));
            assert!(report.mv().is_some(), "{name} chooses a move");
            assert!(report.spent <= samples, "{name} spent {} of {samples}", report.spent);
            if report.stop.is_none() {
                assert_eq!(report.spent, samples, "{name}");
            }
            // Positions in which the game is over are not asked about.
            let asked = oracle.asked.load(Ordering::Relaxed) as u64;
            assert!(asked <= report.spent, "{name} asked about {asked} positions with {samples} samples");
            assert!(asked + 30 >= report.spent || samples > 40, "{name}: {asked} of {samples}");
        }
    }
}

#[test]
fn the_arms_of_a_round_share_a_batch() {
    let oracle = Oracle::of(&hex(5));
    run(&with_network(search("sh", puct(PriorSource::Leaf)), &oracle, 0.0), &Limits::samples(200));
    assert_eq!(oracle.largest.load(Ordering::Relaxed), 25);
}

/// What the oracle says of the start.
fn at_the_start(oracle: &Oracle) -> Evaluations {
    let game = hex(5);
    let mut planes = vec![0.0; oracle.form.size()];
    game.write_planes(&mut planes);
    let mut evaluations = Evaluations::default();
    oracle.evaluate(&planes, &mut evaluations).unwrap();
    evaluations
}

/// The places of the greatest values, in their order.
fn order(values: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    order
}

#[test]
fn with_one_evaluation_the_best_logit_is_played() {
    let oracle = Oracle::of(&hex(5));
    let evaluations = at_the_start(&oracle);
    let tree = |root: &str| if root.is_empty() { PriorSource::Auto } else { PriorSource::Leaf };
    for root in
        ["", "gumbel(noise=off)", "shuss(score=logits)", "shuss(t=1)", "shuss(score=q)", "shuss(score=value)"]
    {
        let config = with_network(search(root, puct(tree(root))), &oracle, 0.0);
        let values = if root.contains("=q") { &evaluations.move_values } else { &evaluations.logits };
        let report = run(&config, &Limits::samples(1));
        assert_eq!(report.chosen, Some(order(values)[0]), "'{root}'");
    }
}

/// A root that values the moves one by one can pay for few of them: the others follow by their logits.
#[test]
fn the_best_logits_are_valued_first() {
    let oracle = Oracle::of(&hex(5));
    let best = order(&at_the_start(&oracle).logits);
    let config = with_network(search("shuss(score=value)", puct(PriorSource::Leaf)), &oracle, 0.0);
    for samples in 2..17 {
        let report = run(&config, &Limits::samples(samples as u64));
        let chosen = report.chosen.unwrap();
        assert!(best[..samples - 1].contains(&chosen), "{samples}: {chosen} of {best:?}");
        for (arm, of) in report.arms.iter().enumerate().filter(|(_, arm)| arm.visits > 0) {
            assert!(best[..samples - 1].contains(&arm), "{samples}: {} samples of {arm}", of.visits);
        }
    }
}

/// If samples are few, as many moves enter as the policy has in doubt: exp of its entropy, rounded up.
#[test]
fn a_calibrated_halving_begins_with_the_moves_in_doubt() {
    let oracle = Oracle::of(&hex(5));
    let logits = at_the_start(&oracle).logits;
    let total: f64 = logits.iter().map(|&logit| f64::from(logit).exp()).sum();
    let shares = logits.iter().map(|&logit| f64::from(logit).exp() / total);
    let in_doubt = shares.map(|share| -share * share.ln()).sum::<f64>().exp().ceil() as usize;
    assert!((10..25).contains(&in_doubt), "{in_doubt}");
    for root in ["shuss(score=logits)", "shuss(score=q)"] {
        let config = with_network(search(root, puct(PriorSource::Leaf)), &oracle, 0.0);
        let entrants = |samples| run(&config, &Limits::samples(samples)).rounds[0].ranking.len();
        // One evaluation is the root's own.
        assert_eq!([5, 17, 61, 200].map(entrants), [4, in_doubt.min(16), 20, 25], "{root}");
    }
    let config = with_network(search("shuss(t=1)", puct(PriorSource::Leaf)), &oracle, 0.0);
    assert_eq!(run(&config, &Limits::samples(200)).rounds[0].ranking.len(), 25);
}

/// Of moves with equally many visits the one with the best mean is played.
#[test]
fn ties_of_visits_go_to_the_best_mean() {
    let oracle = Oracle::of(&hex(5));
    let config = with_network(search("", puct(PriorSource::Auto)), &oracle, 0.0);
    let mut n_ties = 0;
    for samples in 2..40 {
        let report = run(&config, &Limits::samples(samples));
        let chosen = &report.arms[report.chosen.unwrap()];
        for arm in report.arms.iter().filter(|arm| arm.visits >= chosen.visits) {
            assert!((arm.visits, arm.mean) <= (chosen.visits, chosen.mean), "{samples} samples");
            n_ties += 1;
        }
    }
    // 38 searches, and some ties.
    assert!(n_ties > 45, "{n_ties}");
}

/// Means over one and over two of a network's values do not compare.
#[test]
fn moves_do_not_come_back_by_a_networks_values() {
    let oracle = Oracle::of(&hex(5));
    let comebacks = |root: &str| {
        let config = with_network(search(root, puct(PriorSource::Leaf)), &oracle, 0.0);
        let report = run(&config, &Limits::samples(200));
        report.rounds.iter().map(|round| round.comebacks).sum::<usize>()
    };
    assert_eq!(comebacks("shuss(score=logits)"), 0);
    assert!(comebacks("shuss(score=logits,ranks=all)") > 0);
}

/// The oracle says of each position what it is worth, from 0 to 1: the variance of a move's samples
/// is that of numbers spread over the whole range, 1/12, not that of wins and losses, about 1/4.
#[test]
fn the_variance_of_a_move_is_that_of_its_samples() {
    let oracle = Oracle::of(&hex(5));
    // All samples of a move are equal if nobody looks further.
    for (name, config) in searches().into_iter().filter(|(name, _)| !name.starts_with("flat")) {
        let report = run(&with_network(config, &oracle, 0.0), &Limits::samples(800));
        let sampled: Vec<_> = report.arms.iter().filter(|arm| arm.visits > 50).collect();
        for arm in &sampled {
            let (variance, error) = (arm.variance.unwrap(), arm.standard_error().unwrap());
            // A game that is over is worth 0 or 1, and the policy prefers some of the leaves.
            assert!((0.02..0.14).contains(&variance), "{name}: {variance} of {} samples", arm.visits);
            assert!((error * error * arm.visits as f64 - variance).abs() < 1e-9, "{name}");
        }
        assert!(!sampled.is_empty(), "{name}");
    }
}

#[test]
fn the_priors_of_the_root_are_told() {
    let oracle = Oracle::of(&hex(5));
    let puct = TreeConfig::Puct { c: None, prior: PriorSource::Auto, temperature: None };
    let with_trees = |tree| with_options(search("", tree), |options| options.trees = 3);
    let searches = [
        search("gumbel(noise=off)", puct),
        search("shuss(score=logits)", puct),
        search("", puct),
        with_trees(puct),
        search("", GUMBEL),
    ];
    let moves: Vec<String> = hex(5).search_moves().into_iter().map(|mv| hex(5).move_text(mv)).collect();
    let mut known: Option<Vec<f64>> = None;
    for config in searches {
        let mut told = Vec::new();
        let mut watch = |event: Event<'_>| {
            if let Some(standing) = Standing::at(event, &moves) {
                told = standing.candidates;
            }
        };
        let player = PlayerConfig::Search(Box::new(with_network(config, &oracle, 0.0)));
        let report = player.player().search(&hex(5), &Limits::samples(100), Seed::new(3), Some(&mut watch));
        let scores: Vec<f64> = report.arms.iter().map(|arm| arm.score.unwrap()).collect();
        assert!((scores.iter().map(|score| score.exp()).sum::<f64>() - 1.0).abs() < 1e-5);
        for candidate in &told {
            let arm = moves.iter().position(|mv| *mv == candidate.mv).unwrap();
            assert!((candidate.prior - scores[arm].exp()).abs() < 1e-6, "{player:?}");
        }
        assert_eq!(told.len(), 25);
        let known = known.get_or_insert_with(|| scores.clone());
        assert!(known.iter().zip(&scores).all(|(a, b)| (a - b).abs() < 1e-4), "{player:?}");
    }
}

#[test]
fn the_improved_policy_of_gumbel_is_the_published_formula() {
    let oracle = Oracle::of(&hex(4));
    let config = with_network(search("gumbel(noise=off,m=4)", GUMBEL), &oracle, 0.0);
    let config = PlayerConfig::Search(Box::new(config));
    let report = config.player().search(&hex(4), &Limits::samples(33), Seed::new(3), None);
    let mut planes = vec![0.0; oracle.form.size()];
    hex(4).write_planes(&mut planes);
    let mut evaluations = Evaluations::default();
    oracle.evaluate(&planes, &mut evaluations).unwrap();
    let logits: Vec<f64> = evaluations.logits.iter().map(|&logit| f64::from(logit)).collect();
    let total: f64 = logits.iter().map(|logit| logit.exp()).sum();
    let prior: Vec<f64> = logits.iter().map(|logit| logit.exp() / total).collect();
    // Equations 33 and 11 with c_visit = 50, c_scale = 1.
    let visited = || (0..16).filter(|&arm| report.arms[arm].visits > 0);
    let mean = |arm: usize| report.arms[arm].mean.unwrap();
    let weight: f64 = visited().map(|arm| prior[arm]).sum();
    let weighted: f64 = visited().map(|arm| prior[arm] * mean(arm)).sum::<f64>() / weight;
    let samples: f64 = visited().map(|arm| report.arms[arm].visits as f64).sum();
    let mixed = (f64::from(evaluations.values[0]) + samples * weighted) / (1.0 + samples);
    let most = visited().map(|arm| report.arms[arm].visits).max().unwrap() as f64;
    let exponent = |arm: usize| {
        let value = if report.arms[arm].visits > 0 { mean(arm) } else { mixed };
        logits[arm] + (50.0 + most) * value
    };
    let total: f64 = (0..16).map(|arm| exponent(arm).exp()).sum();
    for arm in 0..16 {
        let policy = report.arms[arm].policy.unwrap();
        assert!((policy - exponent(arm).exp() / total).abs() < 1e-6, "arm {arm}: {policy}");
    }
    assert_eq!(visited().count(), 4);
    assert_eq!(report.spent, 33);
}

#[test]
fn a_number_out_of_range_is_named() {
    let oracle = Oracle::of(&hex(5));
    let sentence = |tree| with_network(search("", tree), &oracle, 0.0).check().unwrap_err();
    let visit = sentence(TreeConfig::Gumbel { visit: 2e6, scale: 1.0 });
    assert_eq!(visit, "visit is a number from 0 to 1,000,000");
    let scale = sentence(TreeConfig::Gumbel { visit: 50.0, scale: f64::NAN });
    assert_eq!(scale, "scale is a number from 0 to 1,000,000");
}

#[test]
fn a_network_for_another_game_is_refused() {
    let oracle = Oracle::of(&hex(5));
    let config = PlayerConfig::Search(Box::new(with_network(search("", RAVE), &oracle, 0.0)));
    let reason = config.check_network(hex(6).network_form().as_ref()).unwrap_err();
    assert_eq!(reason, "oracle is a network for hex/1 on 5x5 boards, not for hex/1 on 6x6 boards");
    assert_eq!(config.check_network(hex(5).network_form().as_ref()), Ok(()));
    assert!(config.check_network(None).is_err());
}
