//! Threads that share an evaluator have the answers and the errors that are theirs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tesuji_core::NetworkForm;
use tesuji_net::{Evaluations, Evaluator, NetError, Shared, SharedCounts, Uniform};

/// Answers with the sum of a position; fails or panics if a batch has a position that says so.
struct Summing {
    form: NetworkForm,
    largest: AtomicUsize,
}

const ERROR: f32 = -1.0;
const PANIC: f32 = -2.0;
const SHORT: f32 = -3.0;

fn form() -> NetworkForm {
    NetworkForm { encoding: "test/1".to_owned(), planes: 1, height: 1, width: 2, n_logits: 3 }
}

impl Evaluator for Summing {
    fn form(&self) -> &NetworkForm {
        &self.form
    }

    fn evaluate(&self, planes: &[f32], evaluations: &mut Evaluations) -> Result<(), NetError> {
        self.largest.fetch_max(planes.len() / 2, Ordering::Relaxed);
        std::thread::yield_now();
        if planes.contains(&ERROR) {
            return Err(NetError("no answer".to_owned()));
        }
        assert!(!planes.contains(&PANIC), "a bad position");
        evaluations.values.clear();
        evaluations.logits.clear();
        evaluations.move_values.clear();
        for position in planes.chunks(2) {
            evaluations.values.push(position[0] + position[1]);
            evaluations.logits.extend([position[0], position[1], 7.0]);
            evaluations.move_values.extend([position[1], position[0], 8.0]);
        }
        if planes.contains(&SHORT) {
            evaluations.logits.pop();
        }
        Ok(())
    }

    fn has_move_values(&self) -> bool {
        true
    }
}

fn summing() -> Arc<Summing> {
    Arc::new(Summing { form: form(), largest: AtomicUsize::new(0) })
}

#[test]
fn every_thread_has_its_own_answers() {
    for (n_threads, most) in [(1, 4), (8, 1), (8, 3), (8, 64)] {
        let inner = summing();
        let shared = Shared::new(inner.clone(), most);
        std::thread::scope(|scope| {
            for thread in 0..n_threads {
                let shared = &shared;
                scope.spawn(move || {
                    let mut found = Evaluations::default();
                    for round in 0..200 {
                        let n = 1 + (thread + round) % 5;
                        let number = |i: usize| (thread * 100_000 + round * 10 + i) as f32;
                        let planes: Vec<f32> = (0..n).flat_map(|i| [number(i), 1.0]).collect();
                        shared.evaluate(&planes, &mut found).unwrap();
                        let values: Vec<f32> = (0..n).map(|i| number(i) + 1.0).collect();
                        let logits: Vec<f32> = (0..n).flat_map(|i| [number(i), 1.0, 7.0]).collect();
                        let of_moves: Vec<f32> = (0..n).flat_map(|i| [1.0, number(i), 8.0]).collect();
                        assert_eq!((found.values.clone(), found.logits.clone()), (values, logits));
                        assert_eq!(found.move_values, of_moves);
                    }
                });
            }
        });
        let counts = shared.counts();
        assert_eq!(counts.evaluations, n_threads as u64 * 600);
        assert!(counts.batches <= counts.evaluations);
        assert!(inner.largest.load(Ordering::Relaxed) <= most);
    }
}

#[test]
fn failures_reach_every_thread_and_end() {
    std::panic::set_hook(Box::new(|_| {}));
    let shared = Shared::new(summing(), 16);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let shared = &shared;
            scope.spawn(move || {
                let mut found = Evaluations::default();
                for round in 0..300 {
                    let first = match (thread + round) % 9 {
                        0 => ERROR,
                        1 => PANIC,
                        2 => SHORT,
                        _ => 1.0,
                    };
                    match shared.evaluate(&[first, 2.0], &mut found) {
                        Ok(()) => assert_eq!((first, found.values[0]), (1.0, 3.0)),
                        Err(NetError(text)) => assert!(
                            ["no answer", "the network failed: a bad position"].contains(&&text[..])
                                || text.starts_with("the network failed: it returned"),
                            "{text}"
                        ),
                    }
                }
            });
        }
    });
    let _ = std::panic::take_hook();
    let mut found = Evaluations::default();
    shared.evaluate(&[1.0, 2.0], &mut found).unwrap();
    assert_eq!(found.values, [3.0]);
    let error = shared.evaluate(&[1.0], &mut found).unwrap_err();
    assert_eq!(error.to_string(), "1 numbers are not positions of 2 each");
}

#[test]
fn one_thread_waits_for_nobody() {
    let shared = Shared::new(Arc::new(Uniform::new(form())), 4);
    let mut found = Evaluations::default();
    shared.evaluate(&[0.0; 20], &mut found).unwrap();
    assert_eq!(found.values, [0.5; 10]);
    assert_eq!(found.logits, [0.0; 30]);
    assert_eq!(shared.counts(), SharedCounts { evaluations: 10, batches: 3 });
    shared.evaluate(&[], &mut found).unwrap();
    assert!(found.values.is_empty());
}
