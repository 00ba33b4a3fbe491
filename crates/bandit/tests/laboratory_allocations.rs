//! A laboratory allocates for its first chunk of runs, and no more after that.

mod examples;

use std::sync::atomic::AtomicBool;

use tesuji_bandit::PolicySpec;
use tesuji_bandit::testbed::{Laboratory, ScoreModel};
use tesuji_core::Seed;
use tesuji_testkit::allocations::{CountingAllocator, count};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// With one thread the caller does all the work, so all of it is counted.
fn allocations(arms: &str, policy: &PolicySpec, scores: Option<ScoreModel>, runs: u64) -> u64 {
    let laboratory = Laboratory {
        arms: arms.parse().unwrap(),
        budgets: vec![50, 77, 200],
        policies: vec![policy.clone(), policy.clone()],
        runs,
        seed: Seed::new(1),
        scores,
        until: None,
        threads: 1,
    };
    let (allocations, rows) = count(|| laboratory.run(&|_| {}, &AtomicBool::new(false)));
    assert_eq!(rows.unwrap().len(), 6);
    allocations
}

#[test]
fn runs_allocate_nothing_once_warm() {
    let online = Some(ScoreModel { noise: 0.1, rate: Some(0.1), ..ScoreModel::default() });
    for policy in examples::specs() {
        let prior = Some(ScoreModel { noise: 0.1, rate: None, ..ScoreModel::default() });
        for (arms, scores) in [("1:9", None), ("N:9", online), ("N:9", prior)] {
            if policy.prunes() && scores != prior {
                continue;
            }
            // A hundred runs are a chunk: within the first, buffers grow.
            let [few, many] = [200, 800].map(|runs| allocations(arms, &policy, scores, runs));
            assert_eq!(few, many, "{policy} on {arms}");
        }
    }
}
