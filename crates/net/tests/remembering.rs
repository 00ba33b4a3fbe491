//! Remembered answers are those of the evaluator, to the bit.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::Net;
use tesuji_core::{NetworkForm, Seed};
use tesuji_net::{Evaluations, Evaluator, NetError, Network, Remembering, RememberingCounts};

/// Counts the positions that a network is asked about; fails if the first number of one is 9.
struct Counting {
    network: Network,
    asked: AtomicUsize,
}

impl Evaluator for Counting {
    fn form(&self) -> &NetworkForm {
        self.network.form()
    }

    fn evaluate(&self, planes: &[f32], evaluations: &mut Evaluations) -> Result<(), NetError> {
        let size = self.form().size();
        self.asked.fetch_add(planes.len() / size, Ordering::Relaxed);
        if planes.chunks(size).any(|planes| planes[0] == 9.0) {
            return Err(NetError("no answer".to_owned()));
        }
        self.network.evaluate(planes, evaluations)
    }

    fn has_move_values(&self) -> bool {
        self.network.has_move_values()
    }
}

fn counting(net: &Net) -> Arc<Counting> {
    let network = Network::from_bytes(&net.file(), "test").unwrap();
    Arc::new(Counting { network, asked: AtomicUsize::new(0) })
}

#[test]
fn remembered_answers_have_the_same_bits() {
    let mut rng = Seed::new(1).rng();
    // The second one predicts no values of moves.
    let nets = [
        Net::residual(&mut rng, (3, 5, 5), 1, 16),
        Net::dense(&mut rng, (2, 5, 5), 1, 32, 26),
        Net::mixed(&mut rng),
    ];
    for net in nets {
        let counting = counting(&net);
        let remembering = Remembering::new(counting.clone());
        let size = counting.form().size();
        let positions: Vec<Vec<f32>> =
            (0..30).map(|_| (0..size).map(|_| f32::from(rng.chance(0.5))).collect()).collect();
        let (mut expected, mut found) = (Evaluations::default(), Evaluations::default());
        for turn in 0..200 {
            let n = [1, 2, 7][turn % 3];
            let planes: Vec<f32> = (0..n).flat_map(|_| positions[rng.below(30) as usize].clone()).collect();
            counting.network.evaluate(&planes, &mut expected).unwrap();
            remembering.evaluate(&planes, &mut found).unwrap();
            assert_eq!(found.values, expected.values);
            assert_eq!(found.logits, expected.logits);
            assert_eq!(found.move_values, expected.move_values);
        }
        let RememberingCounts { asked, remembered } = remembering.counts();
        assert_eq!(asked, 67 + 2 * 67 + 7 * 66);
        // A position that occurs twice in the batch that it is new in is evaluated twice.
        let evaluated = counting.asked.load(Ordering::Relaxed) as u64;
        assert_eq!(evaluated, asked - remembered);
        assert!((30..36).contains(&evaluated), "{evaluated}");
    }
}

#[test]
fn forgotten_answers_are_evaluated_again() {
    let mut rng = Seed::new(1).rng();
    let counting = counting(&Net::residual(&mut rng, (3, 5, 5), 1, 16));
    let remembering = Remembering::new(counting.clone());
    let planes = vec![0.5; counting.form().size()];
    let mut evaluations = Evaluations::default();
    remembering.forget();
    for expected in [1, 1, 2] {
        remembering.evaluate(&planes, &mut evaluations).unwrap();
        assert_eq!(counting.asked.load(Ordering::Relaxed), expected);
        if expected == 1 && remembering.counts().remembered == 1 {
            remembering.forget();
        }
    }
}

#[test]
fn failures_are_not_remembered() {
    let mut rng = Seed::new(1).rng();
    let counting = counting(&Net::residual(&mut rng, (3, 5, 5), 1, 16));
    let remembering = Remembering::new(counting.clone());
    let size = counting.form().size();
    let mut planes = vec![0.5; 2 * size];
    let mut evaluations = Evaluations::default();
    planes[size] = 9.0;
    for _ in 0..2 {
        let error = remembering.evaluate(&planes, &mut evaluations).unwrap_err();
        assert_eq!(error, NetError("no answer".to_owned()));
    }
    remembering.evaluate(&planes[..size], &mut evaluations).unwrap();
    assert_eq!(evaluations.values.len(), 1);
    assert_eq!(counting.asked.load(Ordering::Relaxed), 5);
    let error = remembering.evaluate(&planes[1..], &mut evaluations).unwrap_err();
    assert!(error.to_string().contains("are not positions of"), "{error}");
}

#[test]
fn positions_that_differ_in_one_number_have_their_own_answers() {
    let mut rng = Seed::new(1).rng();
    let counting = counting(&Net::residual(&mut rng, (3, 5, 5), 1, 16));
    let remembering = Remembering::new(counting.clone());
    let size = counting.form().size();
    let mut evaluations = Evaluations::default();
    for at in 0..size {
        let mut planes = vec![0.0; size];
        planes[at] = 1.0;
        remembering.evaluate(&planes, &mut evaluations).unwrap();
    }
    assert_eq!(remembering.counts().remembered, 0);
}
