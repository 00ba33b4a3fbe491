//! An evaluator that remembers its last answers.
//!
//! A search meets many positions that the searches before it saw below the moves that were played since,
//! its own and those of an opponent with the same network. An answer depends on its position alone, so a
//! remembered one has the same bits: only the time changes, never a move.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tesuji_core::NetworkForm;

use crate::{Evaluations, Evaluator, NetError};

/// The most memory that remembered answers take, in bytes.
const MOST_BYTES: usize = 64 << 20;

/// An evaluator that answers from memory if it can. A new position takes the place of an old one.
pub struct Remembering {
    inner: Arc<dyn Evaluator>,
    /// The number of numbers in an answer: a value, logits, and values of moves if there are any.
    length: usize,
    memory: Mutex<Memory>,
}

/// How often a [`Remembering`] evaluator was asked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RememberingCounts {
    /// Positions that were asked about.
    pub asked: u64,
    /// Positions among them whose answers were remembered.
    pub remembered: u64,
}

/// The digest of a position's planes, 128 bits of it: no two positions that anybody meets share one.
type Key = [u64; 2];

/// A table in which a position has one place.
#[derive(Default)]
struct Memory {
    /// The positions whose answers are in the places; zeros for none.
    keys: Vec<Key>,
    /// Answers: a value, logits, and values of moves if the network predicts them.
    answers: Vec<f32>,
    /// Memory for the positions of a batch that are not remembered.
    spare: Vec<Unknown>,
    counts: RememberingCounts,
}

/// The positions of a batch that are not remembered.
#[derive(Default)]
struct Unknown {
    /// Their keys, and their places in the batch.
    members: Vec<(Key, usize)>,
    planes: Vec<f32>,
    evaluations: Evaluations,
}

impl Remembering {
    /// Remembers the answers of an evaluator, which must be [exact](Evaluator::is_exact), in at most 64 MB.
    pub fn new(inner: Arc<dyn Evaluator>) -> Remembering {
        debug_assert!(inner.is_exact(), "answers that depend on their batch must not be remembered");
        let n_logits = inner.form().n_logits;
        let length = 1 + if inner.has_move_values() { 2 * n_logits } else { n_logits };
        Remembering { inner, length, memory: Mutex::default() }
    }

    /// How often it was asked, and how often it remembered the answer.
    pub fn counts(&self) -> RememberingCounts {
        self.lock().counts
    }

    /// Forgets all answers: the next search takes the time of one that knows nothing.
    pub fn forget(&self) {
        self.lock().keys.fill([0, 0]);
    }

    fn lock(&self) -> MutexGuard<'_, Memory> {
        // A key is written after its answer, so a panic leaves answers behind that are whole.
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    /// Takes the memory for answers of `length` numbers, if it was not taken before.
    fn open(&mut self, length: usize) {
        if self.keys.is_empty() {
            let entry = size_of::<Key>() + length * size_of::<f32>();
            // A power of two, so that the low bits of a key are its place.
            let n_places = 1 << (MOST_BYTES / entry).max(1).ilog2();
            // Zeros from the system take no memory until they are overwritten.
            self.keys = vec![[0, 0]; n_places];
            self.answers = vec![0.0; n_places * length];
        }
    }

    fn place(&self, key: Key) -> usize {
        key[0] as usize & (self.keys.len() - 1)
    }

    /// The answer for a position, if it is remembered.
    fn recall(&mut self, key: Key, length: usize) -> Option<&[f32]> {
        self.counts.asked += 1;
        let place = self.place(key);
        (self.keys[place] == key).then(|| {
            self.counts.remembered += 1;
            &self.answers[place * length..][..length]
        })
    }

    /// Writes the answer for a position over the one in its place.
    fn remember(&mut self, key: Key, answer: Answer<'_>) {
        let place = self.place(key);
        let length = 1 + answer.logits.len() + answer.move_values.len();
        let slot = &mut self.answers[place * length..][..length];
        slot[0] = answer.value;
        slot[1..=answer.logits.len()].copy_from_slice(answer.logits);
        slot[1 + answer.logits.len()..].copy_from_slice(answer.move_values);
        self.keys[place] = key;
    }
}

/// What a network says of a position.
#[derive(Clone, Copy)]
struct Answer<'a> {
    value: f32,
    logits: &'a [f32],
    move_values: &'a [f32],
}

impl<'a> Answer<'a> {
    /// The answer for one position of a batch.
    fn of(evaluations: &'a Evaluations, at: usize, n_logits: usize) -> Answer<'a> {
        let moves = at * n_logits..(at + 1) * n_logits;
        Answer {
            value: evaluations.values[at],
            logits: &evaluations.logits[moves.clone()],
            move_values: evaluations.move_values.get(moves).unwrap_or(&[]),
        }
    }

    /// An answer from memory.
    fn from_memory(numbers: &'a [f32], n_logits: usize) -> Answer<'a> {
        let (logits, move_values) = numbers[1..].split_at(n_logits);
        Answer { value: numbers[0], logits, move_values }
    }

    /// Writes the answer into its place of a batch.
    fn write(self, evaluations: &mut Evaluations, at: usize) {
        let moves = at * self.logits.len()..(at + 1) * self.logits.len();
        evaluations.values[at] = self.value;
        evaluations.logits[moves.clone()].copy_from_slice(self.logits);
        if !self.move_values.is_empty() {
            evaluations.move_values[moves].copy_from_slice(self.move_values);
        }
    }
}

/// The key of a position: two digests with different multipliers.
fn key(planes: &[f32]) -> Key {
    let mut key = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344];
    for pair in planes.chunks(2) {
        let word = pair.iter().fold(0, |word: u64, number| word << 32 | u64::from(number.to_bits()));
        for (half, multiplier) in key.iter_mut().zip([0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93_u64]) {
            *half = (*half ^ word).wrapping_mul(multiplier);
            *half ^= *half >> 29;
        }
    }
    key
}

impl Evaluator for Remembering {
    fn form(&self) -> &NetworkForm {
        self.inner.form()
    }

    fn evaluate(&self, planes: &[f32], evaluations: &mut Evaluations) -> Result<(), NetError> {
        let NetworkForm { n_logits, .. } = *self.form();
        let size = self.form().size().max(1);
        if !planes.len().is_multiple_of(size) {
            return Err(NetError(format!("{} numbers are not positions of {size} each", planes.len())));
        }
        let n = planes.len() / size;
        evaluations.values.resize(n, 0.0);
        evaluations.logits.resize(n * n_logits, 0.0);
        evaluations.move_values.resize(if self.has_move_values() { n * n_logits } else { 0 }, 0.0);
        let mut memory = self.lock();
        memory.open(self.length);
        let mut unknown = memory.spare.pop().unwrap_or_default();
        unknown.members.clear();
        unknown.planes.clear();
        for (at, planes) in planes.chunks_exact(size).enumerate() {
            let key = key(planes);
            match memory.recall(key, self.length) {
                Some(numbers) => Answer::from_memory(numbers, n_logits).write(evaluations, at),
                None => {
                    unknown.members.push((key, at));
                    unknown.planes.extend_from_slice(planes);
                }
            }
        }
        drop(memory);
        if !unknown.members.is_empty() {
            self.inner.evaluate(&unknown.planes, &mut unknown.evaluations)?;
        }
        let mut memory = self.lock();
        for (place, &(key, at)) in unknown.members.iter().enumerate() {
            let answer = Answer::of(&unknown.evaluations, place, n_logits);
            answer.write(evaluations, at);
            memory.remember(key, answer);
        }
        memory.spare.push(unknown);
        Ok(())
    }

    fn has_move_values(&self) -> bool {
        self.inner.has_move_values()
    }
}

impl fmt::Debug for Remembering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remembering").field("counts", &self.counts()).finish_non_exhaustive()
    }
}
