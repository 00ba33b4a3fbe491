//! The schedule of a halving: how many arms in each round, how many samples
//! each. A pure function of the number of arms, the budget, the cuts and the
//! spread of the budget over the rounds.
//!
//! ```text
//! n_{r+1} = ceil(λ n_r), or floor(λ n_r) where the ceiling would keep every arm
//! R       = rounds until one arm is left
//! t_r     = floor( T_r ω_r / (Σ_{s≥r} ω_s) / n_r ),  T_{r+1} = T_r − t_r n_r
//! ```
//!
//! (Fabiano, Cazenave 2021, Algorithm 1 and Note 2.) What the floors leave over
//! after the last round, fewer samples than it has arms, goes one each to the
//! best arms of that round, so that the whole budget is spent.

/// The number of arms that each round keeps.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Cut {
    /// The share kept, λ, of each round in turn; the last for all that follow.
    /// Each is above 0 and below 1, and there is at least one.
    Lambda(Vec<f64>),
    /// The numbers kept. Numbers that are not below the number of arms are skipped,
    /// so that one list serves any number of arms. After the last, one arm is kept.
    Keep(Vec<usize>),
}

/// How the budget is spread over the rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Spread {
    /// The same for each round: ω_r = 1.
    #[default]
    Even,
    /// So that the product of a round's arms and the samples each has by then
    /// is constant: ω_0 = 1, ω_r = 1 − n_r/n_{r−1}. The paper's "uniforming".
    Uniforming,
}

/// A round of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScheduledRound {
    /// n_r: arms that take part.
    pub(crate) arms: usize,
    /// t_r: samples for each.
    pub(crate) samples: u64,
    /// The number of arms, the best ones, that get one sample more.
    pub(crate) extra: usize,
}

impl ScheduledRound {
    /// All samples of the round.
    #[cfg(test)]
    pub(crate) fn total(&self) -> u64 {
        self.arms as u64 * self.samples + self.extra as u64
    }
}

/// The numbers of arms at the beginning of each round and at the end:
/// n_0 > n_1 > … > n_R = 1.
pub(crate) fn sizes(n_arms: usize, cut: &Cut) -> Vec<usize> {
    debug_assert!(n_arms > 0, "a halving needs an arm");
    let mut sizes = vec![n_arms];
    match cut {
        Cut::Lambda(lambdas) => {
            let mut lambdas = lambdas.iter().copied();
            let mut lambda = 0.5;
            let mut n = n_arms;
            while n > 1 {
                lambda = lambdas.next().unwrap_or(lambda);
                n = kept(n, lambda);
                sizes.push(n);
            }
        }
        Cut::Keep(keep) => {
            for &n in keep.iter().chain([&1]) {
                if n >= 1 && sizes.last().is_some_and(|&before| n < before) {
                    sizes.push(n);
                }
            }
        }
    }
    sizes
}

/// The arms that are kept of `n`, of which there are at least 2.
fn kept(n: usize, lambda: f64) -> usize {
    // 0.1 · 30 is a hair above 3 in doubles, and means 3.
    const HAIR: f64 = 1e-9;
    let share = lambda * n as f64;
    let up = (share - HAIR).ceil() as usize;
    let kept = if up < n { up } else { (share + HAIR).floor() as usize };
    // λ a hair below 1 must cut an arm too.
    kept.clamp(1, n - 1)
}

/// The rounds that spend a budget over these sizes. Their totals sum to the
/// budget, unless there is no round because there is only one arm.
///
/// `least` is the least number of samples an arm gets in a round, as long as
/// the budget lasts: 0 is the papers' floor, which samples nothing in the first
/// rounds if the budget is small compared with the number of arms; 1 samples arms
/// until the budget is spent.
pub(crate) fn schedule(sizes: &[usize], budget: u64, spread: Spread, least: u64) -> Vec<ScheduledRound> {
    let Some((_, starts)) = sizes.split_last() else { return Vec::new() };
    let omega = |round: usize| match (spread, round) {
        (Spread::Even, _) | (_, 0) => 1.0,
        (Spread::Uniforming, _) => 1.0 - sizes[round] as f64 / sizes[round - 1] as f64,
    };
    let n_rounds = starts.len();
    let mut left = budget;
    let mut rounds = Vec::with_capacity(n_rounds);
    for (round, &arms) in starts.iter().enumerate() {
        let n = arms as u64;
        let (samples, extra) = match spread {
            Spread::Even => share(left, n_rounds - round, arms, least),
            Spread::Uniforming => {
                let rest: f64 = (round..n_rounds).map(omega).sum();
                // A quotient that is whole but for rounding means that number.
                let share = left as f64 * omega(round) / rest / arms as f64;
                let floor = ((share * (1.0 + 1e-12)).floor() as u64).min(left / n);
                affordable(floor.max(least), left, arms, round + 1 == n_rounds)
            }
        };
        left -= samples * n + extra as u64;
        rounds.push(ScheduledRound { arms, samples, extra });
    }
    rounds
}

/// The samples of each arm of a round, and the number of arms that get one more, if the samples
/// that are left are shared evenly by the rounds that are left.
pub(crate) fn share(left: u64, rounds_left: usize, arms: usize, least: u64) -> (u64, usize) {
    let floor = left / (rounds_left as u64 * arms as u64);
    affordable(floor.max(least), left, arms, rounds_left == 1)
}

/// `samples` for each arm, or what the samples that are left allow: all of them in the last
/// round.
fn affordable(samples: u64, left: u64, arms: usize, is_last: bool) -> (u64, usize) {
    let n = arms as u64;
    match is_last || samples.saturating_mul(n) > left {
        true => (left / n, (left % n) as usize),
        false => (samples, 0),
    }
}

/// The number of arms that prior pruning keeps: n log_{1/λ} n = λT/t̃ solved for n
/// and rounded up, as the paper rounds arms. `worth` is t̃, the number of samples
/// that the prior scores are worth.
pub(crate) fn pruned(n_arms: usize, budget: u64, lambda: f64, worth: f64) -> usize {
    let target = lambda * budget as f64 / worth;
    let cost = |n: f64| n * libm::log(n) / libm::log(1.0 / lambda);
    let (mut low, mut high) = (1.0, n_arms as f64);
    if cost(high) <= target {
        return n_arms;
    }
    // The cost grows with n; sixty halvings leave no bit of a double in doubt.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if cost(middle) < target { low = middle } else { high = middle }
    }
    (high.ceil() as usize).clamp(1, n_arms)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lambda(share: f64) -> Cut {
        Cut::Lambda(vec![share])
    }

    #[test]
    fn small_examples() {
        assert_eq!(sizes(20, &lambda(0.5)), [20, 10, 5, 3, 2, 1]);
        assert_eq!(sizes(20, &Cut::Lambda(vec![0.3, 0.5])), [20, 6, 3, 2, 1]);
        assert_eq!(sizes(20, &Cut::Keep(vec![30, 8, 4])), [20, 8, 4, 1]);
        let rounds = schedule(&sizes(4, &lambda(0.5)), 101, Spread::Even, 0);
        let round = |arms, samples, extra| ScheduledRound { arms, samples, extra };
        assert_eq!(rounds, [round(4, 12, 0), round(2, 26, 1)]);
        // n log₂ n = 0.5 · 2048 / 100 = 10.24 at n = 4.66.
        assert_eq!(pruned(80, 2048, 0.5, 100.0), 5);
    }

    #[test]
    fn arms_are_rounded_up_unless_all_would_stay() {
        assert_eq!(sizes(20, &lambda(0.7)), [20, 14, 10, 7, 5, 4, 3, 2, 1]);
        assert_eq!(sizes(5, &lambda(0.9)), [5, 4, 3, 2, 1]);
        assert_eq!(sizes(30, &lambda(0.1)), [30, 3, 1]);
        assert_eq!(sizes(1, &lambda(0.5)), [1]);
        assert_eq!(sizes(2, &lambda(0.01)), [2, 1]);
        assert_eq!(sizes(4, &lambda(1.0 - f64::EPSILON)), [4, 3, 2, 1]);
        assert_eq!(sizes(10, &Cut::Keep(vec![])), [10, 1]);
        assert_eq!(sizes(10, &Cut::Keep(vec![5, 7, 2])), [10, 5, 2, 1]);
    }

    #[test]
    fn the_papers_schedule() {
        let rounds = |n, budget, share: f64, spread| -> Vec<(usize, u64, usize)> {
            let rounds = schedule(&sizes(n, &lambda(share)), budget, spread, 0);
            rounds.iter().map(|round| (round.arms, round.samples, round.extra)).collect()
        };
        // 2048 = 20·20 + 1648; 1648/4 = 412 = 10·41 + 2; and so on.
        assert_eq!(
            rounds(20, 2048, 0.5, Spread::Even),
            [(20, 20, 0), (10, 41, 0), (5, 82, 0), (3, 138, 0), (2, 207, 0)]
        );
        // Weights 1, 1/2, 1/2: 800 = 8·50 + 4·50 + 2·100, and 8·50 = 4·100 = 2·200.
        assert_eq!(rounds(8, 800, 0.5, Spread::Uniforming), [(8, 50, 0), (4, 50, 0), (2, 100, 0)]);
        // 81 arms and 64 samples: nothing until eleven arms are left.
        let few: Vec<_> =
            rounds(81, 64, 0.5, Spread::Even).into_iter().filter(|r| r.1 + r.2 as u64 > 0).collect();
        assert_eq!(few, [(11, 1, 0), (6, 2, 0), (3, 6, 0), (2, 11, 1)]);
    }

    #[test]
    fn at_least_one_sample_while_the_budget_lasts() {
        let rounds = schedule(&sizes(81, &lambda(0.5)), 64, Spread::Even, 1);
        assert_eq!(rounds[0], ScheduledRound { arms: 81, samples: 0, extra: 64 });
        assert!(rounds[1..].iter().all(|round| round.total() == 0));
        let rounds = schedule(&sizes(8, &lambda(0.5)), 13, Spread::Even, 1);
        let totals: Vec<u64> = rounds.iter().map(ScheduledRound::total).collect();
        assert_eq!(totals, [8, 4, 1]);
    }

    #[test]
    fn pruning_solves_its_equation() {
        assert_eq!(pruned(80, 2048, 0.5, 1e9), 2);
        assert_eq!(pruned(80, 2048, 0.5, 1e-3), 80);
        assert_eq!(pruned(1, 2048, 0.5, 100.0), 1);
        // n log₂ n = 24 at n = 8 exactly.
        assert_eq!(pruned(80, 48, 0.5, 1.0), 8);
    }

    proptest! {
        #[test]
        fn every_schedule_spends_its_budget(
            n in 2_usize..1000, budget in 0_u64..100_000, share in 0.01_f64..0.99,
            uniforming: bool, least in 0_u64..3,
        ) {
            let sizes = sizes(n, &lambda(share));
            prop_assert!(sizes.windows(2).all(|pair| pair[0] > pair[1]));
            prop_assert_eq!(sizes.last(), Some(&1));
            let spread = if uniforming { Spread::Uniforming } else { Spread::Even };
            let rounds = schedule(&sizes, budget, spread, least);
            prop_assert_eq!(rounds.iter().map(ScheduledRound::total).sum::<u64>(), budget);
            prop_assert!(rounds.iter().all(|round| round.extra < round.arms));
        }

        #[test]
        fn uniforming_levels_the_products(n in 2_usize..300, share in 0.2_f64..0.9) {
            // With a large budget the floors do not matter.
            let sizes = sizes(n, &lambda(share));
            let rounds = schedule(&sizes, 1_000_000_000, Spread::Uniforming, 0);
            let mut each = 0;
            let products: Vec<f64> = rounds.iter().map(|round| {
                each += round.samples;
                round.arms as f64 * each as f64
            }).collect();
            for product in &products {
                prop_assert!((product / products[0] - 1.0).abs() < 1e-3, "{:?}", products);
            }
        }
    }
}
