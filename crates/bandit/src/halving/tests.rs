use proptest::prelude::*;
use tesuji_core::{Rewards, Seed, allocate};

use super::schedule::{Cut, Spread};
use super::*;

/// Runs a halving on arms whose samples all give exactly their value.
fn run(config: HalvingConfig, values: &[f64], scores: &[f64], budget: u64) -> (Halving, Arms, usize) {
    let mut halving = Halving::new(config).unwrap();
    halving.watch();
    let mut arms = Arms::new(values.len());
    for (arm, &score) in scores.iter().enumerate() {
        arms.set_score(arm, score, f64::INFINITY);
    }
    let decision = allocate(&mut halving, budget, &mut arms, &mut Seed::new(1).rng(), |batch, arms| {
        for pull in batch.pulls {
            arms.record(pull.arm, constant(pull.samples, values[pull.arm]));
        }
    });
    assert_eq!(decision.spent, if decision.stop.is_some() { 0 } else { budget });
    (halving, arms, decision.arm)
}

fn constant(count: u64, reward: f64) -> Rewards {
    Rewards { count, sum: reward * count as f64, squares: reward * reward * count as f64 }
}

fn shuss(weight: f64) -> HalvingConfig {
    HalvingConfig { weight: ScoreWeight::Constant(weight), ..HalvingConfig::default() }
}

#[test]
fn rounds_tell_who_was_cut_when() {
    let values = [0.1, 0.9, 0.5, 0.7, 0.3];
    let (halving, arms, best) = run(HalvingConfig::default(), &values, &[], 60);
    assert_eq!(best, 1);
    let kept: Vec<usize> = halving.rounds().iter().map(|round| round.kept).collect();
    assert_eq!(kept, [3, 2, 1]);
    let order: Vec<usize> = halving.rounds()[0].ranking.iter().map(|ranked| ranked.arm).collect();
    assert_eq!(order, [1, 3, 2, 4, 0]);
    assert_eq!(halving.rounds()[0].samples_each, 4);
    assert!(halving.rounds()[2].ranking.iter().all(|ranked| ranked.q == ranked.mean && ranked.bonus == 0.0));
    // 60 = 5·4 + 3·6 + 2·11
    assert_eq!((arms.count(0), arms.count(2), arms.count(1)), (4, 10, 21));
}

#[test]
fn the_score_counts_as_much_as_its_weight_says() {
    // Means 0.6 and 0.5 after 10 samples; scores 0 and 0.4: q = 0.6 against 0.5 + t'/10·0.4.
    let (values, scores) = ([0.6, 0.5], [0.0, 0.4]);
    let best = |weight| run(shuss(weight), &values, &scores, 20).2;
    assert_eq!([0.0, 2.0, 3.0, 100.0, f64::INFINITY].map(best), [0, 0, 1, 1, 1]);
}

#[test]
fn extremes_of_the_weight_break_ties_with_the_other() {
    let zero = |scores: &[f64]| run(shuss(0.0), &[0.5, 0.5, 0.5], scores, 60).2;
    assert_eq!(zero(&[0.0, 0.1, 0.0]), 1);
    assert_eq!(zero(&[0.0, 0.0, 0.1]), 2);
    let infinite = |values: &[f64]| run(shuss(f64::INFINITY), values, &[0.3, 0.3, 0.1], 60).2;
    assert_eq!(infinite(&[0.2, 0.4, 0.9]), 1);
    assert_eq!(infinite(&[0.4, 0.2, 0.9]), 0);
}

#[test]
fn without_samples_the_scores_decide() {
    for weight in [0.0, 5.0, f64::INFINITY] {
        let (_, _, best) = run(shuss(weight), &[0.5; 4], &[0.1, 0.2, 0.9, 0.3], 0);
        assert_eq!(best, 2);
    }
    // Eight arms and two samples: the first two rounds only cut, by score.
    let scores = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];
    let values = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.1];
    let (halving, _, best) = run(HalvingConfig::default(), &values, &scores, 2);
    assert_eq!((best, halving.rounds().len()), (6, 3));
}

#[test]
fn discounting_follows_its_recursion() {
    // Two arms would be one round; four arms are two: samples 6 each, then 12 each.
    let config = HalvingConfig { carry: 0.5, ..HalvingConfig::default() };
    let mut halving = Halving::new(config).unwrap();
    let (mut arms, mut rng) = (Arms::new(4), Seed::new(1).rng());
    halving.watch();
    halving.begin(4, 48);
    let rewards = [[1.0, 0.9, 0.1, 0.0], [0.1, 0.2, 0.0, 0.0]];
    for round in rewards {
        let batch = halving.next_batch(&arms, &mut rng).unwrap();
        for pull in batch.pulls {
            arms.record(pull.arm, constant(pull.samples, round[pull.arm]));
        }
    }
    assert_eq!(halving.next_batch(&arms, &mut rng), None);
    // Arm 0: (0.5·6·1.0 + 12·0.1) / (0.5·6 + 12) = 4.2/15; arm 1: (2.7 + 2.4)/15.
    let last = &halving.rounds()[1].ranking;
    assert_eq!([last[0].arm, last[1].arm], [1, 0]);
    assert!((last[0].mean - 5.1 / 15.0).abs() < 1e-12 && (last[1].mean - 4.2 / 15.0).abs() < 1e-12);
    assert_eq!(halving.recommend(&arms), 1);
}

#[test]
fn one_arm_is_not_sampled() {
    let (halving, _, best) = run(HalvingConfig::default(), &[0.5], &[], 100);
    assert_eq!((best, halving.stop()), (0, Some(Stop::OneArm)));
}

#[test]
fn pruning_leaves_out_the_worst_scores() {
    let scores: Vec<f64> = (0..80).map(|arm| f64::from(arm) / 80.0).collect();
    let config = HalvingConfig { entrants: Entrants::Pruned { worth: 100.0 }, ..HalvingConfig::default() };
    let (_, arms, best) = run(config, &[0.5; 80], &scores, 2048);
    let sampled: Vec<usize> = (0..80).filter(|&arm| arms.count(arm) > 0).collect();
    assert_eq!(sampled, [75, 76, 77, 78, 79]);
    assert_eq!(best, 79);
}

/// A network lets in the arms that its policy has in doubt, from 2 to 16, or as many as a third of the
/// samples.
#[test]
fn a_network_says_how_many_arms_enter() {
    let config =
        HalvingConfig { weight: ScoreWeight::Calibrated { negligible: 0.2 }, ..HalvingConfig::default() };
    let entrants = |budget, open_arms| config.entrants(80, budget, open_arms);
    assert_eq!([1, 7, 16, 17, 63, 300].map(|budget| entrants(budget, Some(80))), [1, 7, 16, 16, 21, 80]);
    assert_eq!([1, 2, 5, 30].map(|open| entrants(15, Some(open))), [5, 5, 5, 15]);
    assert_eq!([1, 2, 5, 30].map(|open| entrants(3, Some(open))), [2, 2, 3, 3]);
    assert_eq!(entrants(7, None), 80);
}

#[test]
fn gumbel_ranks_by_its_own_formula() {
    let config = HalvingConfig {
        weight: ScoreWeight::Gumbel { visit: 50.0, scale: 0.2 },
        entrants: Entrants::GumbelTop { m: 4, logits: 2.0, noise: true },
        ..HalvingConfig::default()
    };
    let values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
    let scores = [0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1];
    let (halving, arms, best) = run(config, &values, &scores, 64);
    assert_eq!((0..8).filter(|&arm| arms.count(arm) > 0).count(), 4);
    // In every round the order is that of g + logits + (50 + max N)·0.2·mean.
    let mut most = 0;
    for round in halving.rounds() {
        most += round.samples_each;
        let value = |ranked: &Ranked| {
            let noise_and_logit = halving.noise[ranked.arm] + 2.0 * scores[ranked.arm];
            noise_and_logit + (50 + most) as f64 * 0.2 * values[ranked.arm]
        };
        assert!(round.ranking.windows(2).all(|pair| value(&pair[0]) >= value(&pair[1])));
    }
    assert_eq!(best, halving.rounds().last().unwrap().ranking[0].arm);
}

#[test]
fn last_ties_are_broken_at_random() {
    let mut halving = Halving::new(HalvingConfig::default()).unwrap();
    let mut chosen = [0_u32; 4];
    for run in 0..400_u64 {
        let mut arms = Arms::new(4);
        let mut rng = Seed::new(run).rng();
        let decision = allocate(&mut halving, 40, &mut arms, &mut rng, |batch, arms| {
            for pull in batch.pulls {
                arms.record(pull.arm, constant(pull.samples, 0.5));
            }
        });
        chosen[decision.arm] += 1;
    }
    // Binomial(400, 1/4): mean 100, standard deviation 8.7; five of them.
    assert!(chosen.iter().all(|&times| (57..=143).contains(&times)), "{chosen:?}");
}

#[test]
fn a_round_that_is_not_over_has_a_best_arm() {
    let mut halving = Halving::new(HalvingConfig::default()).unwrap();
    let (mut arms, mut rng) = (Arms::new(3), Seed::new(1).rng());
    halving.begin(3, 30);
    assert_eq!(halving.recommend(&arms), 0);
    let batch = halving.next_batch(&arms, &mut rng).unwrap();
    assert_eq!(batch.pulls.len(), 3);
    arms.record(2, constant(5, 0.4));
    arms.record(1, constant(5, 0.3));
    assert_eq!(halving.recommend(&arms), 2);
}

#[test]
fn impossible_configurations_are_refused() {
    let refused = |text: &str| text.parse::<crate::PolicySpec>().unwrap_err().to_string();
    assert_eq!(
        refused("sh(lambda=0.7,keep=[5,2])"),
        "'sh(lambda=0.7,keep=[5,2])' is impossible: the cuts are given by lambda or by keep, not by both"
    );
    assert_eq!(
        refused("shuss(t=much)"),
        "'much' is not a value of shuss's option t: it is calibrated or adaptive or a number from 0 to inf"
    );
    assert_eq!(
        refused("shuss(uniforming=on)"),
        "'shuss(uniforming=on)' is impossible: uniforming needs rounds of known sizes, and t=calibrated decides them \
         on the way"
    );
    assert_eq!(
        refused("shuss(t=5,negligible=0.1)"),
        "'shuss(t=5,negligible=0.1)' is impossible: negligible belongs to t=calibrated"
    );
    assert_eq!(
        refused("shuss(t=5,sigma=0.2)"),
        "'shuss(t=5,sigma=0.2)' is impossible: delta and sigma belong to t=adaptive"
    );
    assert!(refused("sh(keep=[2,5])").contains("below the one before it"));
    assert!(refused("sh(lambda=1)").contains("a number above 0 and below 1"));
    assert!(refused("shuss(t=1,keep=[4],prune=9)").contains("needs lambda"));
}

#[test]
fn specs_are_canonical() {
    for text in [
        "sh",
        "sh(lambda=0.7)",
        "sh(lambda=[0.3,0.5,0.7],w=0.9,uniforming=on)",
        "sh(keep=[10,5,2])",
        "shuss(t=0)",
        "shuss(t=inf,prune=100)",
        "shuss(t=adaptive,delta=0.5,sigma=0.05,score=amaf)",
        "gumbel(m=8,scale=0.1,logits=20)",
    ] {
        let spec: crate::PolicySpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), text);
        assert!(!spec.is_anytime());
    }
    assert_eq!("SH( lambda = 0.50, W=1.0 )".parse::<crate::PolicySpec>().unwrap().to_string(), "sh");
}

proptest! {
    /// Whatever the parameters, the budget is spent, and a used allocator is as good as a new one.
    #[test]
    fn budgets_are_spent_exactly(
        n in 2_usize..1000, budget in 0_u64..20_000, lambda in 0.05_f64..0.95, carry in 0.0_f64..=1.0,
        uniforming: bool, least in 0_u64..2, weight in 0.0_f64..100.0, seed: u64,
        calibrated: bool, ranks_all: bool, scored: bool,
    ) {
        let weight = match calibrated {
            true => ScoreWeight::Calibrated { negligible: 0.2 },
            false => ScoreWeight::Constant(weight),
        };
        let ranks = if ranks_all { Ranks::All } else { Ranks::Left };
        let uniforming = uniforming && !calibrated;
        let config = HalvingConfig {
            cut: Cut::Lambda(vec![lambda]),
            spread: if uniforming { Spread::Uniforming } else { Spread::Even },
            least,
            carry,
            weight,
            entrants: Entrants::All,
            ranks,
        };
        let mut used = Halving::new(config.clone()).unwrap();
        used.begin(7, 50);
        let mut rng = Seed::new(seed).rng();
        let mut fresh = Halving::new(config).unwrap();
        let mut decisions = Vec::new();
        for halving in [&mut used, &mut fresh] {
            let mut arms = Arms::new(n);
            let scores = |arms: &mut Arms| {
                let mut scores = Seed::new(seed).child("scores").rng();
                (0..n).filter(|_| scored).for_each(|arm| arms.set_score(arm, scores.unit(), 3.0));
            };
            scores(&mut arms);
            let mut rewards = Seed::new(seed).child("rewards").rng();
            let decision = allocate(halving, budget, &mut arms, &mut rng.clone(), |batch, arms| {
                for pull in batch.pulls {
                    assert!(pull.samples > 0);
                    arms.record(pull.arm, constant(pull.samples, rewards.unit()));
                }
            });
            // At the end of the last round the choice is the one that its cut will make.
            halving.begin(n, budget);
            let (mut again, mut rng, mut choice) = (Arms::new(n), rng.clone(), None);
            scores(&mut again);
            let mut rewards = Seed::new(seed).child("rewards").rng();
            while let Some(batch) = halving.next_batch(&again, &mut rng) {
                for pull in batch.pulls {
                    again.record(pull.arm, constant(pull.samples, rewards.unit()));
                }
                choice = Some(halving.recommend(&again));
            }
            prop_assert!(choice.is_none_or(|choice| choice == decision.arm));
            prop_assert_eq!(decision.spent, budget);
            prop_assert!(decision.arm < n);
            decisions.push((decision.arm, arms));
        }
        prop_assert_eq!(&decisions[0], &decisions[1]);
        rng.bits();
    }
}
