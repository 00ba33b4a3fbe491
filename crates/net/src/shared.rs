//! One evaluator for several threads, whose positions it values together.
//!
//! There is no timer and no thread of its own. A thread queues its positions; if no evaluation is running,
//! it takes what is queued and evaluates it, while others queue up for the next batch. The busier the
//! evaluator is, the larger the batches become.

use crate::{Evaluations, Evaluator, NetError};
use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tesuji_core::NetworkForm;

/// An evaluator whose batches are filled by all threads that use it.
///
/// Answers are those of the evaluator inside, to the bit if it [is exact](Evaluator::is_exact). If it fails
/// or panics, every thread of the batch gets an error.
pub struct Shared {
    inner: Arc<dyn Evaluator>,
    most: usize,
    state: Mutex<State>,
    /// A batch was finished.
    finished: Condvar,
}

/// How often a [`Shared`] evaluator was used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SharedCounts {
    /// The number of positions that were valued.
    pub evaluations: u64,
    /// The number of batches in which they were valued.
    pub batches: u64,
}

#[derive(Default)]
struct State {
    /// Batches that wait, the oldest first.
    queue: VecDeque<Batch>,
    /// Batches that were evaluated, until all their threads have their answers.
    finished: Vec<Batch>,
    /// Memory for batches.
    spare: Vec<Batch>,
    /// The number of the next batch.
    next: u64,
    is_running: bool,
    counts: SharedCounts,
}

struct Batch {
    number: u64,
    planes: Vec<f32>,
    n_positions: usize,
    /// The number of threads that wait for answers.
    n_waiting: usize,
    answers: Evaluations,
    result: Result<(), NetError>,
}

impl Shared {
    /// Shares an evaluator in batches of at most `most` positions, at least 1.
    pub fn new(inner: Arc<dyn Evaluator>, most: usize) -> Shared {
        Shared { inner, most: most.max(1), state: Mutex::default(), finished: Condvar::new() }
    }

    /// How often it was used.
    pub fn counts(&self) -> SharedCounts {
        self.lock().counts
    }

    /// The evaluator inside.
    pub fn inner(&self) -> &Arc<dyn Evaluator> {
        &self.inner
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that panics runs under the lock except allocation, so the state is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues up to `most` positions, waits for their answers and appends them.
    fn evaluate_part(&self, planes: &[f32], n: usize, evaluations: &mut Evaluations) -> Result<(), NetError> {
        let mut state = self.lock();
        let (number, first) = state.enqueue(planes, n, self.most);
        loop {
            if let Some(index) = state.finished.iter().position(|batch| batch.number == number) {
                return state.collect(index, first, n, self.inner.form().n_logits, evaluations);
            }
            if state.is_running {
                state = self.finished.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let Some(mut batch) = state.queue.pop_front() else {
                return Err(NetError("a batch of positions was lost".to_owned()));
            };
            state.is_running = true;
            drop(state);
            self.run(&mut batch);
            state = self.lock();
            state.is_running = false;
            state.counts.batches += 1;
            state.counts.evaluations += batch.n_positions as u64;
            state.finished.push(batch);
            self.finished.notify_all();
        }
    }

    /// Evaluates a batch. Never panics.
    fn run(&self, batch: &mut Batch) {
        let Batch { planes, answers, .. } = batch;
        let result = catch_unwind(AssertUnwindSafe(|| self.inner.evaluate(planes, answers)));
        batch.result = match result {
            Ok(result) => result.and_then(|()| self.check(batch)),
            Err(panic) => {
                let text = (panic.downcast_ref::<&str>().copied())
                    .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
                    .unwrap_or("it panicked");
                Err(NetError(format!("the network failed: {text}")))
            }
        };
    }

    /// Checks that an evaluator has answered for every position.
    fn check(&self, batch: &Batch) -> Result<(), NetError> {
        let n = batch.n_positions;
        let n_logits = self.inner.form().n_logits;
        let answers = &batch.answers;
        let n_move_values = if self.inner.has_move_values() { n * n_logits } else { 0 };
        let found = (answers.values.len(), answers.logits.len(), answers.move_values.len());
        if found == (n, n * n_logits, n_move_values) {
            return Ok(());
        }
        let (values, logits, move_values) = found;
        Err(NetError(format!(
            "the network failed: it returned {values} values, {logits} logits and {move_values} values of \
             moves for {n} positions"
        )))
    }
}

impl State {
    /// Adds positions to the last batch that waits, or to a new one. Returns the number of the batch and
    /// the index of the first position in it.
    fn enqueue(&mut self, planes: &[f32], n: usize, most: usize) -> (u64, usize) {
        if self.queue.back().is_none_or(|batch| batch.n_positions + n > most) {
            let mut batch = self.spare.pop().unwrap_or_else(|| Batch {
                number: 0,
                planes: Vec::new(),
                n_positions: 0,
                n_waiting: 0,
                answers: Evaluations::default(),
                result: Ok(()),
            });
            batch.number = self.next;
            batch.planes.clear();
            batch.n_positions = 0;
            batch.n_waiting = 0;
            batch.result = Ok(());
            self.next += 1;
            self.queue.push_back(batch);
        }
        let batch = self.queue.back_mut().expect("a batch is in the queue");
        let first = batch.n_positions;
        batch.planes.extend_from_slice(planes);
        batch.n_positions += n;
        batch.n_waiting += 1;
        (batch.number, first)
    }

    /// Appends the answers for `n` positions of a finished batch.
    fn collect(
        &mut self,
        index: usize,
        first: usize,
        n: usize,
        n_logits: usize,
        evaluations: &mut Evaluations,
    ) -> Result<(), NetError> {
        let batch = &mut self.finished[index];
        let result = batch.result.clone();
        if result.is_ok() {
            let answers = &batch.answers;
            let of_moves = first * n_logits..(first + n) * n_logits;
            evaluations.values.extend_from_slice(&answers.values[first..first + n]);
            evaluations.logits.extend_from_slice(&answers.logits[of_moves.clone()]);
            if !answers.move_values.is_empty() {
                evaluations.move_values.extend_from_slice(&answers.move_values[of_moves]);
            }
        }
        batch.n_waiting -= 1;
        if batch.n_waiting == 0 {
            let batch = self.finished.swap_remove(index);
            self.spare.push(batch);
        }
        result
    }
}

impl Evaluator for Shared {
    fn form(&self) -> &NetworkForm {
        self.inner.form()
    }

    fn evaluate(&self, planes: &[f32], evaluations: &mut Evaluations) -> Result<(), NetError> {
        let size = self.inner.form().size().max(1);
        if !planes.len().is_multiple_of(size) {
            return Err(NetError(format!("{} numbers are not positions of {size} each", planes.len())));
        }
        evaluations.logits.clear();
        evaluations.values.clear();
        evaluations.move_values.clear();
        for planes in planes.chunks(size * self.most) {
            self.evaluate_part(planes, planes.len() / size, evaluations)?;
        }
        Ok(())
    }

    fn has_move_values(&self) -> bool {
        self.inner.has_move_values()
    }

    fn is_exact(&self) -> bool {
        self.inner.is_exact()
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("most", &self.most)
            .field("counts", &self.counts())
            .finish_non_exhaustive()
    }
}
