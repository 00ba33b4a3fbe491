//! Arms whose leaves a network values: one batch for all of them, and scores from the root.
//!
//! Each arm has a tree and a random stream of its own, so its simulations depend on no other arm's.
//! All arms of a batch go down to a leaf, the network is asked about all leaves at once, and each
//! simulation goes back up with its own answer: no virtual loss is needed, and neither the size of
//! the batch nor the number of threads changes a bit.

use std::time::Instant;

use tesuji_core::{NetworkView, Pull, Seed};
use tesuji_net::{Evaluations, Evaluator};

use super::{Arm, ArmSearch, RootList, Worker};
use crate::Sight;
use crate::config::{ScoreSource, TreeConfig};
use crate::kernel::{Proved, Task};
use crate::limits::Clock;
use crate::network::{Answer, NetworkLeaf, ask, join_all, sane, sane_logit};

/// The worlds that agree with a view of a phantom game whose logits are averaged, at most.
const MOST_WORLDS: u64 = 8;

/// How far behind the one before it an arm is that was not valued: far enough to break a tie, and no more.
const BEHIND: f64 = 1e-9;

/// What a thread asks a network with.
#[derive(Default)]
pub(super) struct NetworkBatch {
    planes: Vec<f32>,
    /// Who waits, by their places among the arms of the thread.
    members: Vec<usize>,
    evaluations: Evaluations,
    /// The most arms of a batch, if there is a clock.
    timely: usize,
}

/// A batch under a clock takes this part of the time that is left at most, as far as the one before tells.
const MOST_TIME: u32 = 16;

/// An arm, and the samples that it is still to get.
struct Turn<'a> {
    arm: &'a mut Arm,
    left: u64,
}

impl ArmSearch {
    /// Gets the network ready for positions like this one.
    ///
    /// # Panics
    /// If the network is for another game, which [`check_network`] says.
    ///
    /// [`check_network`]: crate::PlayerConfig::check_network
    pub(super) fn begin_network(&mut self, position: &dyn Sight) {
        let Some(source) = self.config.network() else { return };
        let form = position.network_form().unwrap_or_else(|| panic!("networks cannot see this game"));
        let is_ready = |evaluator: &dyn Evaluator| *evaluator.form() == form;
        let evaluator = match self.evaluator.take().filter(|evaluator| is_ready(&**evaluator)) {
            Some(evaluator) => evaluator,
            None => {
                self.workers.iter_mut().for_each(|worker| worker.simulator.network = None);
                source.for_form(&form).unwrap_or_else(|error| panic!("{error}"))
            }
        };
        for worker in &mut self.workers {
            worker.batch.timely = 1;
            let simulator = &mut worker.simulator;
            match &mut simulator.network {
                // A search that its network has failed leaves this as it was.
                Some(network) => network.defers = false,
                none => *none = NetworkLeaf::new(&self.config, evaluator.clone()).map(Box::new),
            }
        }
        self.evaluator = Some(evaluator);
    }

    /// Whether the samples of a batch share evaluations. Trees that are halved ask about one position
    /// at a time.
    pub(super) fn shares_evaluations(&self) -> bool {
        let is_halved = matches!(self.config.tree, TreeConfig::Shot | TreeConfig::HybridMcts { .. });
        self.evaluator.is_some() && !is_halved
    }

    /// Takes the samples of [`pulls`](ArmSearch::pulls), the evaluations of different arms together.
    pub(super) fn sample_by_network(&mut self, threads: usize, clock: &Clock<'_>) {
        let mut samples = vec![0; self.roots.len()];
        self.pulls.iter().for_each(|pull| samples[pull.arm] += pull.samples);
        let turns = self.roots.iter_mut().zip(samples).filter(|(_, samples)| *samples > 0);
        let mut turns: Vec<Turn<'_>> = turns.map(|(arm, left)| Turn { arm, left }).collect();
        let threads = threads.clamp(1, turns.len().max(1));
        let most = self.batch.max(1);
        if threads == 1 {
            return self.workers[0].take_all(&mut turns, most, clock);
        }
        let share = turns.len().div_ceil(threads);
        std::thread::scope(|scope| {
            let shares = self.workers.iter_mut().zip(turns.chunks_mut(share));
            let threads: Vec<_> = shares
                .map(|(worker, turns)| scope.spawn(move || worker.take_all(turns, most, clock)))
                .collect();
            join_all(threads);
        });
    }

    /// Asks the network about the root, and makes what it says the scores of the moves. Returns how
    /// many evaluations that took beside samples of the arms.
    pub(super) fn fill_network_scores(
        &mut self,
        position: &dyn Sight,
        root: &RootList,
        samples: u64,
        seed: Seed,
        clock: &Clock<'_>,
        threads: usize,
    ) -> u64 {
        self.is_unvalued = vec![false; self.arms.len()];
        let Some(evaluator) = self.evaluator.clone() else { return 0 };
        let form = evaluator.form();
        // What is hidden may be anywhere: several worlds, each as likely as the others.
        let worlds = if position.hides_pieces() { (samples / 8).clamp(1, MOST_WORLDS) } else { 1 };
        let mut rng = seed.child("network").rng();
        let mut planes = vec![0.0; form.size() * worlds as usize];
        for world in planes.chunks_mut(form.size()) {
            position.write_guessed_planes(world, &mut rng);
        }
        let mut evaluations = Evaluations::default();
        ask(&*evaluator, &planes, &mut evaluations);
        let numbers: Vec<usize> = root.moves.iter().map(|&mv| position.logit(mv)).collect();
        let (mut logits, mut values) = (vec![0.0; numbers.len()], vec![0.0; numbers.len()]);
        let (mut value, share) = (0.0, 1.0 / worlds as f64);
        for world in 0..worlds as usize {
            let answer = Answer::of(&evaluations, form, world);
            value += share * answer.value;
            for (arm, log) in log_softmax(&numbers, answer.logits).into_iter().enumerate() {
                logits[arm] += share * log;
                let predicted = answer.move_values.get(numbers[arm]);
                values[arm] += share * predicted.map_or(answer.value, |&value| sane(value));
            }
        }
        // The means over several worlds are logarithms of no distribution, so they are normalised again.
        let total: f64 = logits.iter().map(|&log| libm::exp(log)).sum();
        let entropy: f64 = logits.iter().map(|&log| libm::exp(log) / total * (libm::log(total) - log)).sum();
        self.arms.set_network(NetworkView { value, open_arms: libm::exp(entropy) });
        match self.scores {
            ScoreSource::MoveValues => self.set_scores(&values),
            ScoreSource::Values if samples > worlds => {
                self.value_children(&logits, samples - worlds, clock, threads);
            }
            _ => self.set_scores(&logits),
        }
        worlds
    }

    /// Makes these numbers the scores of the arms.
    fn set_scores(&mut self, scores: &[f64]) {
        for (arm, &score) in scores.iter().enumerate() {
            self.arms.set_score(arm, score, f64::INFINITY);
        }
    }

    /// Takes one sample of each arm, or of the best by logits that half of the budget can pay for,
    /// and makes what came of it the scores. The others come after the worst of these, in the order of
    /// their logits. A budget that can pay for only one arm leaves the logits as scores.
    fn value_children(&mut self, logits: &[f64], samples: u64, clock: &Clock<'_>, threads: usize) {
        let mut order: Vec<usize> = (0..logits.len()).collect();
        order.sort_by(|&a, &b| logits[b].total_cmp(&logits[a]).then(a.cmp(&b)));
        let n_valued = order.len().min(usize::try_from(samples / 2).unwrap_or(usize::MAX));
        if n_valued < 2 {
            return self.set_scores(logits);
        }
        let before: Vec<_> = order.iter().map(|&arm| (self.arms.count(arm), self.arms.sum(arm))).collect();
        self.pulls.clear();
        self.pulls.extend(order[..n_valued].iter().map(|&arm| Pull { arm, samples: 1 }));
        self.sample(threads, clock);
        let found = |arm: usize, (count, sum): (u64, f64)| {
            (self.arms.count(arm) > count).then(|| self.arms.sum(arm) - sum)
        };
        // The time may have been up before all were valued.
        let found: Vec<Option<f64>> =
            order.iter().zip(before).map(|(&arm, before)| found(arm, before)).collect();
        if found.iter().flatten().count() < 2 {
            return self.set_scores(logits);
        }
        let worst = found.iter().flatten().copied().fold(1.0, f64::min);
        let mut behind = (1..).map(|rank| worst - f64::from(rank) * BEHIND);
        for (&arm, found) in order.iter().zip(found) {
            self.is_unvalued[arm] = found.is_none();
            if let Some(score) = found.or_else(|| behind.next()) {
                self.arms.set_score(arm, score, f64::INFINITY);
            }
        }
    }
}

/// The logarithms of the probabilities of these moves, by the logits of all.
fn log_softmax(numbers: &[usize], logits: &[f32]) -> Vec<f64> {
    let logit = |&number: &usize| f64::from(sane_logit(logits[number]));
    let top = numbers.iter().map(logit).fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = numbers.iter().map(|number| libm::exp(logit(number) - top)).sum();
    let log_total = top + libm::log(total);
    numbers.iter().map(|number| logit(number) - log_total).collect()
}

impl Worker {
    /// Takes the samples of some arms, of at most `most` arms at the same time. Under a clock the first batch
    /// has one arm, and batches grow as far as time allows, since none can be cut off.
    fn take_all(&mut self, mut turns: &mut [Turn<'_>], most: usize, clock: &Clock<'_>) {
        if clock.left().is_none() {
            for turns in turns.chunks_mut(most) {
                self.take_turns(turns, clock);
            }
            return;
        }
        while !turns.is_empty() {
            let size = self.batch.timely.min(most).min(turns.len());
            let (now, later) = turns.split_at_mut(size);
            let begin = Instant::now();
            let n_batches = self.take_turns(now, clock);
            let (took, left) = (begin.elapsed(), clock.left().unwrap_or_default());
            // Twice the time of a batch of this size.
            let twice = 2 * took / n_batches.max(1);
            match twice * MOST_TIME <= left {
                true if size == self.batch.timely => self.batch.timely *= 2,
                true => {}
                false => self.batch.timely = (size / 2).max(1),
            }
            turns = later;
        }
    }

    /// Takes the samples of some arms, all at the same time. Returns how often the network was asked.
    fn take_turns(&mut self, turns: &mut [Turn<'_>], clock: &Clock<'_>) -> u32 {
        let mut n_batches = 0;
        if let Some(network) = &mut self.simulator.network {
            network.defers = true;
        }
        loop {
            self.batch.planes.clear();
            self.batch.members.clear();
            for (place, turn) in turns.iter_mut().enumerate() {
                if self.go_down(turn, clock) {
                    self.batch.planes.extend_from_slice(&turn.arm.leaf.planes);
                    self.batch.members.push(place);
                }
            }
            if self.batch.members.is_empty() {
                break;
            }
            let Worker { simulator, batch: NetworkBatch { planes, members, evaluations, .. }, .. } = self;
            let network = simulator.network.as_ref().expect("take_turns is for networks");
            let evaluator = network.evaluator.clone();
            ask(&*evaluator, planes, evaluations);
            n_batches += 1;
            for (at, &place) in members.iter().enumerate() {
                let Arm { tree, leaf, rewards, .. } = &mut *turns[place].arm;
                rewards.add(simulator.finish(tree, leaf, Answer::of(evaluations, evaluator.form(), at)));
            }
        }
        if let Some(network) = &mut self.simulator.network {
            network.defers = false;
        }
        n_batches
    }

    /// Makes simulations of an arm until one waits for the network. Returns whether one does: if not,
    /// the arm has all its samples, or the time is up.
    fn go_down(&mut self, turn: &mut Turn<'_>, clock: &Clock<'_>) -> bool {
        let Worker { simulator, kernel, .. } = self;
        let Arm { tree, position: Some(position), rng, code, rewards, leaf } = &mut *turn.arm else {
            return false;
        };
        while turn.left > 0 {
            simulator.prefix.clear();
            simulator.prefix.push(*code);
            let task = Task { simulator: &mut *simulator, tree, root: 0, rng, clock };
            let sample = kernel.get().simulate(task, &**position, 1, Proved::Counts);
            if sample.count == 0 {
                turn.left = 0;
                return false;
            }
            turn.left -= 1;
            let network = simulator.network.as_mut().expect("go_down is for networks");
            if network.leaf.waits {
                std::mem::swap(leaf, &mut network.leaf);
                network.leaf.waits = false;
                return true;
            }
            rewards.add(sample.sum);
        }
        false
    }
}
