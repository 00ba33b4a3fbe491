//! An evaluation allocates nothing once its memory is warm.

mod common;

use common::Net;
use std::sync::Arc;
use tesuji_core::Seed;
use tesuji_net::{Evaluations, Evaluator, Network, Remembering, Shared};
use tesuji_testkit::allocations::{CountingAllocator, count};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn warm_evaluations_allocate_nothing() {
    let mut rng = Seed::new(1).rng();
    let nets = [
        Net::residual(&mut rng, (10, 9, 9), 2, 32),
        Net::dense(&mut rng, (2, 9, 9), 2, 64, 82),
        Net::mixed(&mut rng),
    ];
    for net in nets {
        let network = Network::from_bytes(&net.file(), "test").unwrap();
        let planes = vec![0.5; 40 * network.form().size()];
        let mut evaluations = Evaluations::default();
        let mut evaluate = |evaluator: &dyn Evaluator| {
            for n in [40, 1, 7, 40] {
                evaluator.evaluate(&planes[..n * evaluator.form().size()], &mut evaluations).unwrap();
            }
        };
        evaluate(&network);
        assert_eq!(count(|| evaluate(&network)).0, 0);
        let shared = Arc::new(Shared::new(Arc::new(network), 64));
        evaluate(&*shared);
        assert_eq!(count(|| evaluate(&*shared)).0, 0);
        let remembering = Remembering::new(shared);
        evaluate(&remembering);
        assert_eq!(count(|| evaluate(&remembering)).0, 0);
    }
}
