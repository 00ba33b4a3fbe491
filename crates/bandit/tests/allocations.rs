//! A policy that has run once allocates nothing in a second run of that size.

mod examples;

use tesuji_core::{Allocator, Arms, Rewards, Rng, Seed};
use tesuji_testkit::allocations::{CountingAllocator, count};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn run(allocator: &mut dyn Allocator, arms: &mut Arms, budget: u64, rng: &mut Rng, coins: &mut Rng) {
    let n_arms = arms.len();
    arms.clear(n_arms);
    allocator.begin(n_arms, budget);
    while let Some(batch) = allocator.next_batch(arms, rng) {
        for pull in batch.pulls {
            let wins = (0..pull.samples).filter(|_| coins.chance(0.5)).count() as u64;
            arms.record(pull.arm, Rewards::wins(pull.samples, wins));
        }
    }
    allocator.recommend(arms);
}

#[test]
fn second_runs_allocate_nothing() {
    for spec in examples::specs() {
        for (n_arms, budget) in [(1, 10), (7, 300), (50, 40), (50, 600)] {
            let mut allocator = spec.allocator();
            let mut arms = Arms::new(n_arms);
            let (mut rng, mut coins) = (Seed::new(1).rng(), Seed::new(2).rng());
            run(&mut *allocator, &mut arms, budget, &mut rng, &mut coins);
            let (allocations, ()) = count(|| {
                for _ in 0..3 {
                    run(&mut *allocator, &mut arms, budget, &mut rng, &mut coins);
                }
            });
            assert_eq!(allocations, 0, "{spec} with {n_arms} arms and {budget} samples");
        }
    }
}
