//! What every policy keeps, whatever its arms, its budget and the rewards.

mod examples;

use examples::specs;
use proptest::prelude::*;
use tesuji_bandit::PolicySpec;
use tesuji_core::{Allocator, Arms, Pull, Rewards, Rng, Seed, Stop};

/// What arms give.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// 0 or 1, more often 1 for later arms.
    Coins,
    /// Anything between, more for later arms.
    Fractions,
    /// Always the same.
    Always(f64),
}

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Coins),
        Just(Kind::Fractions),
        Just(Kind::Always(0.0)),
        Just(Kind::Always(0.3)),
        Just(Kind::Always(1.0)),
    ]
}

impl Kind {
    fn reward(self, arm: usize, n_arms: usize, rng: &mut Rng) -> f64 {
        let mean = (arm + 1) as f64 / (n_arms + 1) as f64;
        match self {
            Kind::Coins => f64::from(rng.chance(mean)),
            Kind::Fractions => rng.unit() * mean,
            Kind::Always(reward) => reward,
        }
    }

    fn rewards(self, pull: Pull, n_arms: usize, rng: &mut Rng) -> Rewards {
        let mut rewards = Rewards::default();
        for _ in 0..pull.samples {
            rewards.add(self.reward(pull.arm, n_arms, rng));
        }
        rewards
    }
}

/// A run from beginning to end.
#[derive(Clone, Debug)]
struct Run {
    n_arms: usize,
    budget: u64,
    kind: Kind,
    /// Samples from before the run, for some of the arms.
    warm: bool,
    seed: u64,
}

#[derive(Clone, PartialEq, Debug)]
struct Result {
    arms: Arms,
    recommended: usize,
    stop: Option<Stop>,
    batches: u64,
}

impl Run {
    fn start(&self) -> Arms {
        let mut arms = Arms::new(self.n_arms);
        let mut rng = Seed::new(self.seed).child("warm").rng();
        if self.warm {
            for arm in 0..self.n_arms {
                let samples = u64::from(rng.below(4));
                arms.record(arm, self.kind.rewards(Pull { arm, samples }, self.n_arms, &mut rng));
            }
        }
        arms
    }

    /// Runs, and checks every batch.
    fn with(&self, allocator: &mut dyn Allocator, name: &str) -> Result {
        let mut arms = self.start();
        let mut rng = Seed::new(self.seed).child("policy").rng();
        let mut coins = Seed::new(self.seed).child("rewards").rng();
        let mut left = self.budget;
        let mut batches = 0;
        let mut seen = vec![0; self.n_arms];
        allocator.begin(self.n_arms, self.budget);
        assert!(allocator.recommend(&arms) < self.n_arms, "{name}: {self:?}");
        while let Some(batch) = allocator.next_batch(&arms, &mut rng) {
            batches += 1;
            assert!(!batch.pulls.is_empty(), "{name}: {self:?}");
            for &pull in batch.pulls {
                assert!(
                    pull.samples >= 1 && pull.samples <= left,
                    "{name}: {pull:?} with {left} left, {self:?}"
                );
                assert_ne!(seen[pull.arm], batches, "{name}: arm {} twice in a batch, {self:?}", pull.arm);
                seen[pull.arm] = batches;
                left -= pull.samples;
                arms.record(pull.arm, self.kind.rewards(pull, self.n_arms, &mut coins));
            }
            assert!(allocator.stop().is_none(), "{name}: stopped and goes on, {self:?}");
            if batches % 64 == 1 {
                assert!(allocator.recommend(&arms) < self.n_arms, "{name}: {self:?}");
            }
        }
        assert!(allocator.next_batch(&arms, &mut rng).is_none(), "{name}: begins again by itself, {self:?}");
        let stop = allocator.stop();
        assert_eq!(left == 0, stop.is_none(), "{name}: {left} left and {stop:?}, {self:?}");
        let recommended = allocator.recommend(&arms);
        assert!(recommended < self.n_arms, "{name}: {self:?}");
        Result { arms, recommended, stop, batches }
    }
}

fn check(run: &Run, other: &Run) {
    for spec in specs() {
        let name = spec.to_string();
        let mut allocator = spec.allocator();
        let first = run.with(&mut *allocator, &name);
        // Used again after a run of another size it is as new, and another one of the
        // same name does the same.
        other.with(&mut *allocator, &name);
        assert_eq!(run.with(&mut *allocator, &name), first, "{name} used again: {run:?} after {other:?}");
    }
}

/// Runs up to 200 arms and 5000 samples, but not so long that the test would be.
fn runs() -> impl Strategy<Value = Run> {
    let arms = prop_oneof![1..6_usize, 1..40_usize, 1..=200_usize];
    let size = (arms, 0.0..=1.0_f64).prop_map(|(n_arms, share)| {
        let most = 5000.min(150_000 / n_arms) as f64;
        // Small budgets are where a policy may stumble.
        (n_arms, (share * share * most) as u64)
    });
    (size, kinds(), any::<bool>(), any::<u64>()).prop_map(|((n_arms, budget), kind, warm, seed)| Run {
        n_arms,
        budget,
        kind,
        warm,
        seed,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn policies_spend_their_budget_and_say_where(run in runs(), other in runs()) {
        check(&run, &other);
    }
}

#[test]
fn small_budgets_and_single_arms_are_no_trouble() {
    for n_arms in [1, 2, 3, 7] {
        for budget in 0..=n_arms as u64 + 3 {
            for kind in [Kind::Coins, Kind::Fractions, Kind::Always(0.0), Kind::Always(1.0)] {
                for warm in [false, true] {
                    let run = Run { n_arms, budget, kind, warm, seed: 5 };
                    check(&run, &Run { n_arms: 4, budget: 30, ..run.clone() });
                }
            }
        }
    }
}

#[test]
fn a_thousand_arms_are_no_trouble() {
    for (budget, kind) in [(900, Kind::Coins), (3000, Kind::Fractions)] {
        for spec in specs() {
            let run = Run { n_arms: 1000, budget, kind, warm: false, seed: 3 };
            run.with(&mut *spec.allocator(), &spec.to_string());
        }
    }
}

/// One run of a policy that does not look at its budget gives all smaller ones:
/// its samples are the first of the greater run's, in the order of the batches.
#[test]
fn anytime_policies_do_not_look_at_their_budget() {
    fn samples(spec: &PolicySpec, n_arms: usize, budget: u64) -> (Vec<usize>, bool) {
        let (mut arms, mut rng) = (Arms::new(n_arms), Seed::new(7).rng());
        let streams = |arm: usize| Seed::new(8).child(arm as u64).rng();
        let mut coins: Vec<Rng> = (0..n_arms).map(streams).collect();
        let mut allocator = spec.allocator();
        let mut order = Vec::new();
        allocator.begin(n_arms, budget);
        while let Some(batch) = allocator.next_batch(&arms, &mut rng) {
            for &pull in batch.pulls {
                order.extend((0..pull.samples).map(|_| pull.arm));
                arms.record(pull.arm, Kind::Coins.rewards(pull, n_arms, &mut coins[pull.arm]));
            }
        }
        (order, allocator.stop().is_some())
    }
    for spec in specs().iter().filter(|spec| spec.is_anytime()) {
        for n_arms in [2, 9] {
            let (long, _) = samples(spec, n_arms, 600);
            for budget in [0, 1, 5, 9, 10, 50, 299] {
                let (short, stopped) = samples(spec, n_arms, budget);
                assert_eq!(short[..], long[..short.len()], "{spec}, {n_arms} arms, {budget} samples");
                assert!(stopped || short.len() as u64 == budget, "{spec}, {n_arms} arms, {budget} samples");
            }
        }
    }
}

#[test]
fn specs_are_printed_as_short_as_they_can_be() {
    for (text, printed) in [
        ("UCB( c = 0.30 )", "ucb(c=0.3)"),
        ("ucb(recommend=mean,c=1)", "ucb(c=1)"),
        ("ect(form=perfect,stop=0)", "ect(form=perfect)"),
        ("bct(form=blinkered,stop=0.000001)", "bct(stop=1e-6,form=blinkered)"),
        ("ocba(first=5,step=2)", "ocba(step=2)"),
        ("lil-ucb(stop=off)", "lil-ucb"),
    ] {
        assert_eq!(text.parse::<PolicySpec>().map(|spec| spec.to_string()).as_deref(), Ok(printed));
    }
    let refusal = |text: &str| text.parse::<PolicySpec>().unwrap_err().to_string();
    assert_eq!(refusal("ucb"), "ucb needs c, how much is explored: a number of at least 0, as in ucb(c=…)");
    assert_eq!(
        refusal("vct(form=best)"),
        "'best' is not a value of vct's option form: it is limit or perfect or blinkered"
    );
    for text in
        ["ugapeb", "ucb-e", "ocba(step=0)", "ocba(first=1.5)", "half-greedy(greed=2)", "lil-ucb(delta=1)"]
    {
        assert!(text.parse::<PolicySpec>().is_err(), "{text}");
    }
}

/// On an easy bandit no policy is clearly worse than equal samples for all.
#[test]
fn policies_find_the_best_of_easy_arms() {
    const REPETITIONS: u64 = 400;
    let means: Vec<f64> = (0..10).map(|arm| if arm == 6 { 0.8 } else { 0.4 }).collect();
    let errors = |spec: &PolicySpec| {
        let mut allocator = spec.allocator();
        let wrong = |repetition: &u64| {
            let seed = Seed::new(11).child(*repetition);
            let (mut arms, mut rng) = (Arms::new(means.len()), seed.child("policy").rng());
            let mut coins = seed.child("rewards").rng();
            tesuji_core::allocate(&mut *allocator, 200, &mut arms, &mut rng, |batch, arms| {
                for pull in batch.pulls {
                    let wins = (0..pull.samples).filter(|_| coins.chance(means[pull.arm])).count() as u64;
                    arms.record(pull.arm, Rewards::wins(pull.samples, wins));
                }
            })
            .arm != 6
        };
        (0..REPETITIONS).filter(wrong).count() as f64
    };
    let uniform = errors(&"uniform".parse().expect("the yardstick exists"));
    for text in GOOD_AT_EASY_ARMS {
        let spec: PolicySpec = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let errors = errors(&spec);
        // Two binomial counts: the difference of equally good policies has a variance
        // of at most their sum, give or take one, and five standard deviations are
        // allowed.
        let tolerance = 5.0 * (uniform + errors + 1.0).sqrt();
        assert!(errors <= uniform + tolerance, "{spec}: {errors} errors, uniform {uniform}");
    }
}

/// Each policy with parameters that suit 10 arms and 200 samples.
const GOOD_AT_EASY_ARMS: &[&str] = &[
    "anytime-sh",
    "ucb(c=0.5)",
    "ucb1",
    "vct",
    "ect",
    "bct",
    "vct(form=blinkered)",
    "ect(form=blinkered)",
    "bct(form=blinkered)",
    "half-greedy",
    "ucb-sqrt",
    "voi",
    "successive-rejects",
    "ucb-e(a=2)",
    "ugapeb(a=2)",
    "ttts",
    "ocba",
    "lil-ucb",
    "cr-c",
    "cr-a",
    "cr-c(equal=off)",
    "cr-a(equal=off)",
    "eb-tc",
    "eb-tc(beta=ids)",
    "sh-ada-var",
];

/// With more arms than samples and many good arms, a few random arms are enough: brackets beat
/// one sample each.
#[test]
fn brackets_find_a_good_arm_among_more_arms_than_samples() {
    const REPETITIONS: u64 = 300;
    // One arm in ten is good. Of the 14 arms of three brackets one is with probability 1 - 0.9^14
    // = 0.77. One sample for each of 200 leaves 18 good and 54 bad arms that won, so the good ones
    // are chosen a quarter of the time.
    let value = |arm: usize| if arm % 10 == 7 { 0.9 } else { 0.3 };
    let errors = |text: &str| {
        let mut allocator = text.parse::<PolicySpec>().unwrap().allocator();
        let wrong = |repetition: &u64| {
            let seed = Seed::new(12).child(*repetition);
            let (mut arms, mut rng) = (Arms::new(400), seed.child("policy").rng());
            let mut coins = seed.child("rewards").rng();
            let decision = tesuji_core::allocate(&mut *allocator, 200, &mut arms, &mut rng, |batch, arms| {
                for pull in batch.pulls {
                    let wins = (0..pull.samples).filter(|_| coins.chance(value(pull.arm))).count() as u64;
                    arms.record(pull.arm, Rewards::wins(pull.samples, wins));
                }
            });
            value(decision.arm) < 0.5
        };
        (0..REPETITIONS).filter(wrong).count() as f64
    };
    let (brackets, uniform) = (errors("bracketing-sh"), errors("uniform"));
    // Two binomial counts of 300 have variances of at most 75 each: five standard deviations of
    // the difference are 61.
    assert!(brackets + 61.0 < uniform, "brackets: {brackets} errors, uniform: {uniform}");
}

/// Scores that sharpen do so after whole batches: a budget on the way must not change that.
#[test]
fn curves_with_online_scores_are_those_of_separate_runs() {
    use tesuji_bandit::testbed::{Laboratory, ScoreModel};
    let rows = |budgets: &[u64]| {
        let laboratory = Laboratory {
            arms: "A:12".parse().unwrap(),
            budgets: budgets.to_vec(),
            policies: ["ucb(c=0.3)", "anytime-sh", "ocba(step=7)"].map(|text| text.parse().unwrap()).into(),
            runs: 100,
            seed: Seed::new(1),
            scores: Some(ScoreModel { noise: 0.05, rate: Some(0.3), ..ScoreModel::default() }),
            until: None,
            threads: 1,
        };
        laboratory.run(&|_| {}, &std::sync::atomic::AtomicBool::new(false)).unwrap()
    };
    let (together, alone) = (rows(&[5, 50, 300]), rows(&[50]));
    for (index, row) in alone.iter().enumerate() {
        assert_eq!(&together[3 * index + 1], row);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The same bits on any number of threads, and every budget spent, whatever the halving.
    #[test]
    fn laboratories_do_not_depend_on_their_threads(
        n in 1_usize..1000, budget in 1_u64..4000, lambda in 0.05_f64..0.95, w in 0.0_f64..=1.0, seed: u64,
    ) {
        use tesuji_bandit::testbed::Laboratory;
        let policies = [format!("sh(lambda={lambda},w={w})"), format!("sh(lambda={lambda},uniforming=on)")];
        let rows = |threads: usize| {
            let laboratory = Laboratory {
                arms: format!("N:{n}").parse().unwrap(),
                budgets: vec![budget, budget / 2 + 1],
                policies: policies.iter().map(|policy| policy.parse().unwrap()).collect(),
                // More than two chunks, and not a whole number of them.
                runs: 230,
                seed: Seed::new(seed),
                scores: None,
                until: None,
                threads,
            };
            laboratory.run(&|_| {}, &std::sync::atomic::AtomicBool::new(false)).unwrap()
        };
        let alone = rows(1);
        prop_assert_eq!(&alone, &rows(2));
        prop_assert_eq!(&alone, &rows(8));
        let spent = |row: &tesuji_bandit::testbed::Row| if n == 1 { 0.0 } else { row.budget as f64 };
        prop_assert!(alone.iter().all(|row| row.spent == spent(row)));
    }
}

/// Calibrated SHUSS, which is told nothing, is not far from the best of several constants, which
/// is another one for each noise. With 1,500 runs the standard error of a regret is about 2.5 %
/// (its deviation is about its mean), that of a ratio 3.6 %: the limits are five of them above
/// what 10,000 runs gave, at most 1.2, and 1.1 with useless scores.
#[test]
fn calibrated_scores_follow_the_best_constant() {
    use tesuji_bandit::testbed::{Laboratory, ScoreModel};

    let regrets = |noise: f64, slope: f64| -> Vec<f64> {
        let policies = ["shuss", "shuss(t=0)", "shuss(t=24)", "shuss(t=94)", "shuss(t=750)"];
        let laboratory = Laboratory {
            arms: "N:80".parse().unwrap(),
            budgets: vec![2048],
            policies: policies.iter().map(|policy| policy.parse().unwrap()).collect(),
            runs: 1500,
            seed: Seed::new(3),
            scores: Some(ScoreModel { noise, slope, ..ScoreModel::default() }),
            until: None,
            threads: 2,
        };
        let rows = laboratory.run(&|_| {}, &std::sync::atomic::AtomicBool::new(false)).unwrap();
        rows.iter().map(|row| row.regret).collect()
    };
    for noise in [0.02, 0.1, 0.4] {
        let regrets = regrets(noise, 1.0);
        let best = regrets[1..].iter().copied().fold(f64::INFINITY, f64::min);
        assert!(regrets[0] < (1.2 + 5.0 * 0.036) * best, "{noise}: {regrets:?}");
    }
    let useless = regrets(0.1, 0.0);
    assert!(useless[0] < (1.1 + 5.0 * 0.036) * useless[1], "{useless:?}");
}
