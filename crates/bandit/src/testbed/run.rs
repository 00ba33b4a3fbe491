//! One run of the testbed: values, an order of the arms, their streams, and every
//! policy on them in turn.
//!
//! The loop of [`allocate`](tesuji_core::allocate) stands here once more because a
//! policy is judged at several budgets in one run: the allocator is asked for its
//! recommendation in the middle of a batch.
//!
//! The places of the arms are shuffled, so that a policy which breaks ties by index
//! gains nothing; values, scores and rewards belong to the arm, not to the place.

use tesuji_core::{Allocator, Arms, Pull, Rewards, Rng, Score, Seed};

use super::address;
use super::scores::{ScoreModel, Scores};
use super::stream::{Streams, Threshold};
use super::tally::{ChunkCell, Outcome};
use super::until::Stopping;
use super::values::ArmValues;
use crate::confidence::Until;

/// A policy in the testbed.
pub(super) struct Contender<'a> {
    /// Makes an allocator: each worker has its own.
    pub(super) make: Box<dyn Fn() -> Box<dyn Allocator> + Sync + 'a>,
    /// Whether one run shows its outcome at every smaller budget too.
    pub(super) anytime: bool,
    /// Whether the most sampled arm and the best mean are judged too.
    pub(super) most_sampled_too: bool,
}

/// What a run needs, used again for every run of a worker.
pub(super) struct Workbench<'a> {
    seed: Seed,
    arm_values: &'a ArmValues,
    /// In ascending order, each once.
    budgets: &'a [u64],
    contenders: &'a [Contender<'a>],
    allocators: Vec<Box<dyn Allocator>>,
    /// By arm.
    values: Vec<f64>,
    /// The same, as the streams want them.
    thresholds: Vec<Threshold>,
    /// Which arm is at which place.
    order: Vec<u32>,
    table: Table,
    /// A policy's outcomes, by budget.
    outcomes: Vec<Outcome>,
    /// The first policy's regrets, by budget.
    yardstick: Vec<f64>,
    /// For runs that end when they are sure.
    stopping: Option<Stopping>,
}

/// The arms in their shuffled places. Indices here are places.
pub(super) struct Table {
    /// The best value less that of the arm.
    pub(super) gaps: Vec<f64>,
    streams: Streams,
    pub(super) scores: Option<Scores>,
    pub(super) arms: Arms,
    /// The wins of a batch, pull by pull.
    wins: Vec<u64>,
    /// A batch that is split.
    pulls: Vec<Pull>,
}

impl<'a> Workbench<'a> {
    pub(super) fn new(
        seed: Seed,
        arm_values: &'a ArmValues,
        budgets: &'a [u64],
        contenders: &'a [Contender<'a>],
        scores: Option<ScoreModel>,
        until: Option<Until>,
    ) -> Workbench<'a> {
        debug_assert!(budgets.is_sorted_by(|a, b| a < b));
        Workbench {
            seed,
            arm_values,
            budgets,
            contenders,
            allocators: contenders.iter().map(|contender| (contender.make)()).collect(),
            values: Vec::new(),
            thresholds: Vec::new(),
            order: Vec::new(),
            table: Table {
                gaps: Vec::new(),
                streams: Streams::default(),
                scores: scores.map(Scores::new),
                arms: Arms::default(),
                wins: Vec::new(),
                pulls: Vec::new(),
            },
            outcomes: vec![Outcome::default(); budgets.len()],
            yardstick: vec![0.0; budgets.len()],
            stopping: until.map(Stopping::new),
        }
    }

    /// Does a run with every policy and budget, and adds the outcomes to the cells, which
    /// lie policy by policy, budget by budget.
    pub(super) fn run(&mut self, number: u64, cells: &mut [ChunkCell]) {
        let run = self.seed.child(number);
        self.prepare(run);
        let rng = run.child(address::POLICY).rng();
        let allocators = self.allocators.iter_mut().zip(self.contenders);
        let rows = cells.chunks_exact_mut(self.budgets.len());
        for (index, ((allocator, contender), row)) in allocators.zip(rows).enumerate() {
            let judge = Judge { most_sampled_too: contender.most_sampled_too };
            if let Some(stopping) = &mut self.stopping {
                for (&budget, outcome) in self.budgets.iter().zip(&mut self.outcomes) {
                    *outcome = self.table.run_until(&mut **allocator, budget, rng.clone(), judge, stopping);
                }
            } else
            // Scores that sharpen do so after whole batches, and a batch that a budget cuts is
            // another than the whole one.
            if contender.anytime && !self.table.has_online_scores() {
                self.table.curve(&mut **allocator, self.budgets, rng.clone(), judge, &mut self.outcomes);
            } else {
                for (budget, outcome) in self.budgets.chunks(1).zip(self.outcomes.chunks_mut(1)) {
                    self.table.curve(&mut **allocator, budget, rng.clone(), judge, outcome);
                }
            }
            for ((cell, outcome), yardstick) in
                row.iter_mut().zip(&mut self.outcomes).zip(&mut self.yardstick)
            {
                if index == 0 {
                    *yardstick = outcome.regret;
                } else {
                    outcome.difference = Some(outcome.regret - *yardstick);
                }
                cell.add(outcome);
            }
        }
    }

    /// Values, order, streams and scores.
    fn prepare(&mut self, run: Seed) {
        let n_arms = self.arm_values.n_arms();
        if !self.arm_values.are_fixed() || self.values.is_empty() {
            self.arm_values.draw(&mut run.child(address::VALUES).rng(), &mut self.values);
            self.thresholds.clear();
            self.thresholds.extend(self.values.iter().copied().map(Threshold::new));
        }
        let values = &self.values[..];
        self.order.clear();
        self.order.extend(0..n_arms as u32);
        run.child(address::ORDER).rng().shuffle(&mut self.order);

        let best = values.iter().copied().fold(0.0, f64::max);
        let Table { gaps, streams, scores, .. } = &mut self.table;
        gaps.clear();
        gaps.extend(self.order.iter().map(|&arm| best - values[arm as usize]));
        streams.begin(run, self.order.iter().map(|&arm| (arm, self.thresholds[arm as usize])));
        if let Some(scores) = scores {
            scores.begin(run, values, &self.order);
        }
    }
}

/// What is asked of a policy at a budget.
#[derive(Clone, Copy)]
pub(super) struct Judge {
    most_sampled_too: bool,
}

impl Judge {
    pub(super) fn outcome(self, allocator: &dyn Allocator, arms: &Arms, gaps: &[f64]) -> Outcome {
        let regret = gaps[allocator.recommend(arms)];
        Outcome {
            regret,
            wrong: f64::from(regret != 0.0),
            // Summed by place, not as the samples came: the bits do not depend on
            // how they were grouped.
            cumulative: gaps.iter().enumerate().map(|(place, gap)| gap * arms.count(place) as f64).sum(),
            spent: arms.total() as f64,
            others: self.most_sampled_too.then(|| [gaps[arms.most_sampled()], gaps[arms.best_mean()]]),
            difference: None,
            right: None,
        }
    }
}

impl Table {
    /// Runs an allocator to the last of the budgets, and judges it at each. A
    /// batch that goes on beyond a budget is cut there, in the order of its pulls; the
    /// scores are brought up to date after whole batches only, so that a budget on the
    /// way changes nothing of what follows.
    fn curve(
        &mut self,
        allocator: &mut dyn Allocator,
        budgets: &[u64],
        mut rng: Rng,
        judge: Judge,
        outcomes: &mut [Outcome],
    ) {
        self.rewind();
        allocator.begin(self.gaps.len(), budgets[budgets.len() - 1]);
        let mut reached = 0;
        while let Some(batch) = allocator.next_batch(&self.arms, &mut rng) {
            let (round, room) = (batch.round, budgets[reached] - self.arms.total());
            let fitting = match *batch.pulls {
                [pull] if pull.samples <= room => {
                    self.sample(round, pull);
                    1
                }
                _ => self.sample_fitting(round, batch.pulls, room),
            };
            if fitting < batch.pulls.len() {
                // The batch is the allocator's, which is asked for its choice on the way.
                self.pulls.clear();
                self.pulls.extend_from_slice(&batch.pulls[fitting..]);
                let (budgets, outcomes) = (&budgets[reached..], &mut outcomes[reached..]);
                reached += self.sample_beyond(round, allocator, budgets, judge, outcomes);
            }
            if let Some(scores) = &mut self.scores {
                scores.fill(&mut self.arms);
            }
            if self.arms.total() == budgets[reached] && reached + 1 < budgets.len() {
                outcomes[reached] = judge.outcome(allocator, &self.arms, &self.gaps);
                reached += 1;
            }
        }
        // The last budget, and those before it if the policy stopped early: what it knows
        // now is all it would know at any later one.
        let end = judge.outcome(allocator, &self.arms, &self.gaps);
        outcomes[reached..].fill(end);
    }

    fn has_online_scores(&self) -> bool {
        self.scores.as_ref().is_some_and(Scores::are_online)
    }

    /// Starts the run again.
    pub(super) fn rewind(&mut self) {
        self.arms.clear(self.gaps.len());
        self.streams.rewind();
        if let Some(scores) = &mut self.scores {
            scores.rewind();
            scores.fill(&mut self.arms);
        }
    }

    #[inline(always)]
    pub(super) fn sample(&mut self, round: u32, pull: Pull) {
        let wins = self.streams.wins(pull.arm, round, pull.samples);
        self.arms.record(pull.arm, Rewards::wins(pull.samples, wins));
    }

    /// Takes the samples of the first pulls, as many as there is room for, and returns
    /// the number of these pulls.
    #[inline(never)]
    fn sample_fitting(&mut self, round: u32, pulls: &[Pull], mut room: u64) -> usize {
        let fitting = pulls.iter().position(|pull| match room.checked_sub(pull.samples) {
            Some(left) => {
                room = left;
                false
            }
            None => true,
        });
        let fitting = fitting.unwrap_or(pulls.len());
        if self.wins.len() < fitting {
            self.wins.resize(fitting, 0);
        }
        let (pulls, wins) = (&pulls[..fitting], &mut self.wins[..fitting]);
        self.streams.wins_of_each(round, pulls, wins);
        for (pull, &wins) in pulls.iter().zip(&*wins) {
            self.arms.record(pull.arm, Rewards::wins(pull.samples, wins));
        }
        fitting
    }

    /// Takes the samples of `pulls`, more than the first of the budgets allows, and judges
    /// at every budget that is passed. Returns the number of these budgets: one that the
    /// last sample reaches is not passed.
    #[inline(never)]
    fn sample_beyond(
        &mut self,
        round: u32,
        allocator: &dyn Allocator,
        budgets: &[u64],
        judge: Judge,
        outcomes: &mut [Outcome],
    ) -> usize {
        let mut passed = 0;
        for index in 0..self.pulls.len() {
            let mut pull = self.pulls[index];
            loop {
                let room = budgets[passed] - self.arms.total();
                if pull.samples <= room {
                    break;
                }
                if room > 0 {
                    self.sample(round, Pull { samples: room, ..pull });
                    pull.samples -= room;
                }
                outcomes[passed] = judge.outcome(allocator, &self.arms, &self.gaps);
                passed += 1;
                assert!(passed < budgets.len(), "an allocator gives no batch beyond its budget");
            }
            self.sample(round, pull);
        }
        passed
    }
}
