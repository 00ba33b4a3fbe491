//! The samples of a batch, on one thread or several.

use std::sync::Mutex;

use tesuji_core::{Pull, Rewards};

use super::{Arm, ArmSearch, Worker};
use crate::config::TreeConfig;
use crate::kernel::{Proved, Task};
use crate::limits::Clock;
use crate::network::join_all;
use crate::shot::of_side;

/// A batch of fewer samples is not worth the start of a thread.
const WORTH_THREADS: u64 = 128;

impl ArmSearch {
    /// Takes the samples of [`pulls`](ArmSearch::pulls) and records them, in their order.
    pub(super) fn sample(&mut self, threads: usize, clock: &Clock<'_>) {
        if self.config.options.one_table {
            self.sample_in_one_table(clock);
            return self.record();
        }
        let total: u64 = self.pulls.iter().map(|pull| pull.samples).sum();
        // What memory there is left is shared out anew: arms that are out want none.
        let room = self.room(self.pulls.len());
        let is_flat = self.config.tree == TreeConfig::Flat;
        for pull in &self.pulls {
            let tree = &mut self.roots[pull.arm].tree;
            let n_nodes = tree.n_nodes();
            tree.set_limit(if is_flat { 0 } else { (n_nodes + room).max(1) });
            self.n_nodes -= n_nodes;
        }
        if self.shares_evaluations() {
            self.sample_by_network(threads, clock);
            return self.record();
        }
        let threads = threads.min(self.pulls.len());
        if threads < 2 || total < WORTH_THREADS {
            for pull in &self.pulls {
                self.workers[0].take(&mut self.roots[pull.arm], pull.samples, clock);
            }
        } else {
            self.sample_in_parallel(threads, clock);
        }
        self.record();
    }

    /// Records what the batch at hand gave.
    fn record(&mut self) {
        let side = self.root_side();
        for &Pull { arm, .. } in &self.pulls {
            self.n_nodes += self.roots[arm].tree.n_nodes();
            let rewards = std::mem::take(&mut self.roots[arm].rewards);
            self.arms.record(arm, of_side(rewards, side));
        }
        for worker in &mut self.workers {
            self.amaf.take(&mut worker.simulator.root_amaf);
        }
    }

    /// The side to move at the root.
    fn root_side(&self) -> tesuji_core::Side {
        self.workers[0].simulator.root_side()
    }

    /// One arm after the other, since each finds what those before it learnt.
    fn sample_in_one_table(&mut self, clock: &Clock<'_>) {
        for pull in &self.pulls {
            let arm = &mut self.roots[pull.arm];
            std::mem::swap(&mut self.shared, &mut arm.tree);
            self.workers[0].take_in_table(arm, pull.samples, clock);
            std::mem::swap(&mut self.shared, &mut arm.tree);
        }
    }

    fn sample_in_parallel(&mut self, threads: usize, clock: &Clock<'_>) {
        let mut samples = vec![0; self.roots.len()];
        self.pulls.iter().for_each(|pull| samples[pull.arm] = pull.samples);
        let waiting = self.roots.iter_mut().zip(samples).filter(|(_, samples)| *samples > 0);
        // Who has time takes the next arm: what an arm gives depends on no other.
        let waiting = Mutex::new(waiting);
        std::thread::scope(|scope| {
            let work = |worker: &mut Worker| {
                loop {
                    let next = waiting.lock().expect("no thread panics while it takes an arm").next();
                    let Some((arm, samples)) = next else { break };
                    worker.take(arm, samples, clock);
                }
            };
            let workers = self.workers[..threads].iter_mut();
            let threads: Vec<_> = workers.map(|worker| scope.spawn(move || work(worker))).collect();
            join_all(threads);
        });
    }

    /// Finds out how fast samples are: a few of every arm, twice as many each
    /// time, until a twentieth of the time has passed. Evaluations by a network are slow, so it begins
    /// with the arm of the best score, and goes on with twice as many of the best each time.
    pub(super) fn pilot(&mut self, threads: usize, clock: &Clock<'_>) {
        let pilot = clock.part(0.05);
        let mut order: Vec<usize> = (0..self.roots.len()).collect();
        let mut n_arms = order.len();
        if self.scores.is_network() && self.arms.is_scored() {
            order.sort_by(|&a, &b| self.arms.score(b).total_cmp(&self.arms.score(a)).then(a.cmp(&b)));
            n_arms = 1;
        }
        let mut each = 1;
        while !pilot.is_over(0) {
            self.pulls.clear();
            self.pulls.extend(order[..n_arms].iter().map(|&arm| Pull { arm, samples: each }));
            self.sample(threads, &pilot);
            if n_arms < order.len() {
                n_arms = (2 * n_arms).min(order.len());
            } else {
                each *= 2;
            }
        }
    }
}

impl Worker {
    /// Takes samples of an arm.
    fn take(&mut self, arm: &mut Arm, samples: u64, clock: &Clock<'_>) {
        let Worker { simulator, kernel, halving_cutoff, .. } = self;
        let Some(position) = arm.position.as_deref() else { return };
        simulator.prefix.clear();
        simulator.prefix.push(arm.code);
        let task = Task { simulator, tree: &mut arm.tree, root: 0, rng: &mut arm.rng, clock };
        arm.rewards = match *halving_cutoff {
            Some(cutoff) => kernel.get().halve(task, position, samples, cutoff),
            None => kernel.get().simulate(task, position, samples, Proved::Counts),
        };
    }

    /// Takes samples of an arm in a tree in which its position may have any place, or none yet.
    fn take_in_table(&mut self, arm: &mut Arm, mut samples: u64, clock: &Clock<'_>) {
        let Worker { simulator, kernel, .. } = self;
        let Arm { tree, position, rng, rewards, .. } = arm;
        let Some(position) = position.as_deref() else { return };
        simulator.prefix.clear();
        simulator.prefix.push(arm.code);
        *rewards = Rewards::default();
        while samples > 0 && !clock.is_over(rewards.count) {
            let found = tree.find_or_add(position.hash());
            let root = found.map_or(0, |(node, _)| node);
            let task = Task { simulator, tree, root, rng, clock };
            match found {
                Some((_, false)) => {
                    let more = kernel.get().simulate(task, position, samples, Proved::Counts);
                    rewards.count += more.count;
                    rewards.sum += more.sum;
                    rewards.squares += more.squares;
                    return;
                }
                // The first sample of a position is a playout.
                new => {
                    rewards.add(kernel.get().value(task, new.map(|(node, _)| node), position));
                    samples -= 1;
                }
            }
        }
    }
}
