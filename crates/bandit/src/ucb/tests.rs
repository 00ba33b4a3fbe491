//! Traces by hand, and the formulas as the papers print them.

use tesuji_core::{Rewards, Seed};

use super::*;

/// The arms sampled one after the other, with rewards that are given: those of
/// each arm in order, the last one for ever.
fn trace(config: UcbConfig, rewards: &[&[f64]], budget: u64) -> (Vec<usize>, Arms, Option<Stop>) {
    let mut policy = Ucb::new(config).unwrap();
    let (mut arms, mut rng) = (Arms::new(rewards.len()), Seed::new(1).rng());
    policy.begin(rewards.len(), budget);
    let mut sampled = Vec::new();
    while let Some(batch) = policy.next_batch(&arms, &mut rng) {
        for pull in batch.pulls {
            for _ in 0..pull.samples {
                sampled.push(pull.arm);
                let given = rewards[pull.arm];
                let mut one = Rewards::default();
                one.add(given[(arms.count(pull.arm) as usize).min(given.len() - 1)]);
                arms.record(pull.arm, one);
            }
        }
    }
    (sampled, arms, policy.stop())
}

fn config(bonus: Bonus) -> UcbConfig {
    UcbConfig { bonus, recommend: Recommendation::BestMean, until: Until::Spent }
}

#[test]
fn ucb1_by_hand() {
    // Arm 0 always pays 1, arm 1 always 0. ln 2 = 0.693, ln 3 = 1.099, ln 4 = 1.386,
    // ln 5 = 1.609, ln 6 = 1.792.
    // N = 2: 1 + sqrt(1.386) = 2.18 against 1.18: arm 0.
    // N = 3: 1 + sqrt(2.197/2) = 2.05 against sqrt(2.197) = 1.48: arm 0.
    // N = 4: 1 + sqrt(2.773/3) = 1.96 against 1.67: arm 0.
    // N = 5: 1 + sqrt(3.219/4) = 1.897 against 1.794: arm 0.
    // N = 6: 1 + sqrt(3.584/5) = 1.847 against 1.893: arm 1.
    // N = 7: 1 + sqrt(3.892/5) = 1.882 against sqrt(3.892/2) = 1.395: arm 0.
    let (sampled, ..) = trace(config(Bonus::Ucb1), &[&[1.0], &[0.0]], 8);
    assert_eq!(sampled, [0, 1, 0, 0, 0, 0, 1, 0]);
}

#[test]
fn ucb_by_hand() {
    // c = 1/2 and fractional rewards: 0.5, 0.75 and 0.25 at first.
    // N = 3: all bonuses are 0.524: arm 1, which then gives 0: mean 0.375.
    // N = 4: bonus 0.589, for arm 1 0.416: 1.089, 0.791, 0.839: arm 0, again 0.5.
    // N = 5: bonus 0.634, for two samples 0.449: 0.949, 0.824, 0.884: arm 0, again 0.5.
    // N = 6: 0.669, 0.473 and 0.386 for three: 0.886, 0.848, 0.919: arm 2.
    let rewards: [&[f64]; 3] = [&[0.5], &[0.75, 0.0], &[0.25]];
    let (sampled, ..) = trace(config(Bonus::Ucb { c: 0.5 }), &rewards, 7);
    assert_eq!(sampled, [0, 1, 2, 1, 0, 0, 2]);
}

#[test]
fn ties_go_to_the_first() {
    for n_arms in 1..20 {
        let rewards = vec![&[0.5][..]; n_arms];
        let (sampled, ..) = trace(config(Bonus::UcbE { a: 2.0 }), &rewards, 3 * n_arms as u64);
        let in_order: Vec<usize> = (0..3 * n_arms).map(|i| i % n_arms).collect();
        assert_eq!(sampled, in_order);
    }
}

#[test]
fn bonuses_are_those_of_the_papers() {
    let (total, count) = (1000_u64, 37_u64);
    let (big, n) = (total as f64, count as f64);
    for (bonus, expected) in [
        (Bonus::Ucb { c: 0.7 }, 0.7 * (big.ln() / n).sqrt()),
        (Bonus::Ucb1, (2.0 * big.ln() / n).sqrt()),
        (Bonus::UcbSqrt { c: 2.0 }, (2.0 * big.sqrt() / n).sqrt()),
        (Bonus::UcbE { a: 3.0 }, (3.0 / n).sqrt()),
        (Bonus::LilUcb { delta: 0.01 }, 1.5 * (0.5 * (n.ln() / 0.01).ln() / n).sqrt()),
    ] {
        let value = bonus.total_factor(total) * bonus.arm_factor(count);
        assert!((value - expected).abs() < 1e-14, "{bonus:?}: {value}, not {expected}");
        for count in 1..100 {
            assert!(bonus.arm_factor(count) > bonus.arm_factor(count + 1), "{bonus:?} at {count}");
        }
    }
}

#[test]
fn the_columns_hold_what_the_arms_hold() {
    // Against the plain formula on the arms, with samples from before the run.
    let mut coins = Seed::new(2).rng();
    for n_arms in [2, 3, 4, 5, 8, 21] {
        let mut arms = Arms::new(n_arms);
        arms.record(1, Rewards::wins(5, 3));
        let bonus = Bonus::Ucb { c: 0.4 };
        let mut policy = Ucb::new(config(bonus)).unwrap();
        let mut rng = Seed::new(1).rng();
        policy.begin(n_arms, 500);
        assert_eq!(policy.next_batch(&arms, &mut rng).unwrap().pulls.len(), n_arms - 1);
        for arm in (0..n_arms).filter(|&arm| arm != 1) {
            arms.record(arm, Rewards::wins(1, u64::from(coins.chance(0.5))));
        }
        while let Some(batch) = policy.next_batch(&arms, &mut rng) {
            let value =
                |arm| arms.mean(arm) + bonus.total_factor(arms.total()) * bonus.arm_factor(arms.count(arm));
            let arm = batch.pulls[0].arm;
            assert_eq!(arm, arms.best_by(value));
            arms.record(arm, Rewards::wins(1, u64::from(coins.chance(0.5))));
        }
        assert_eq!(arms.total(), 505);
    }
}

#[test]
fn the_recommendation_is_as_asked() {
    let mut arms = Arms::new(2);
    arms.record(0, Rewards::wins(1, 1));
    arms.record(1, Rewards::wins(9, 6));
    let recommend = |recommend| {
        Ucb::new(UcbConfig { bonus: Bonus::Ucb1, recommend, until: Until::Spent }).unwrap().recommend(&arms)
    };
    assert_eq!(recommend(Recommendation::BestMean), 0);
    assert_eq!(recommend(Recommendation::MostSampled), 1);
}

#[test]
fn lil_ucb_stops_when_an_arm_outweighs_the_other() {
    let until = |until| UcbConfig {
        bonus: Bonus::LilUcb { delta: 0.01 },
        recommend: Recommendation::MostSampled,
        until,
    };
    let rewards: [&[f64]; 2] = [&[1.0], &[0.0]];
    let (_, arms, stop) = trace(until(Until::Certain), &rewards, 10_000);
    assert_eq!(stop, Some(Stop::Certain));
    // Two arms: λ = 6. The last sample made the difference.
    let (leader, other) = (arms.count(0), arms.count(1));
    assert!(leader > 6 * other && leader - 1 < 1 + 6 * other, "{leader} and {other}");
    assert_eq!(trace(until(Until::Spent), &rewards, 1000).2, None);
    assert_eq!(trace(until(Until::Certain), &[&[1.0]], 9).2, Some(Stop::OneArm));
    assert_eq!(trace(until(Until::Certain), &[&[1.0]], 0).2, None);
}

#[test]
fn impossible_constants_are_refused() {
    for bonus in [
        Bonus::Ucb { c: -0.1 },
        Bonus::Ucb { c: f64::NAN },
        Bonus::UcbSqrt { c: f64::INFINITY },
        Bonus::UcbE { a: -1.0 },
        Bonus::LilUcb { delta: 0.0 },
        Bonus::LilUcb { delta: 1.0 },
    ] {
        assert!(Ucb::new(config(bonus)).is_err(), "{bonus:?}");
    }
    let refusal = Ucb::new(config(Bonus::Ucb { c: -1.0 })).unwrap_err();
    assert_eq!(refusal, "c is -1, and has to be a number of at least 0");
}
