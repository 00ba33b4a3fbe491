//! A search with an allocator at its root: every move is an arm with a tree and
//! a stream of random numbers of its own.
//!
//! The samples of a batch do not depend on one another, so its arms are searched
//! in parallel, and what they give is added up in the order of the batch: the
//! same bits on any number of threads.

mod ahead;
mod amaf_scores;
mod batch;
mod elsewhere;
mod focus;
mod network;
mod reuse;
mod run;
mod sure;

pub use ahead::LookAhead;
use amaf_scores::AmafScores;
pub(crate) use elsewhere::ArmsElsewhere;
use network::NetworkBatch;
pub(crate) use reuse::node_after;
use run::{ProgressNotes, Run};

use std::sync::Arc;
use std::time::Instant;

use tesuji_bandit::{Checks, Confidence, OnlineScores, PolicySpec};
use tesuji_core::{Allocator, Arms, MoveId, Outcome, Pull, Rewards, Rng, Seed, Side, Stop};
use tesuji_net::Evaluator;

use crate::Sight;
use crate::config::{LeafConfig, Root, ScoreSource, SearchConfig, TreeConfig};
use crate::kernel::{KernelSlot, Task};
use crate::leaf::Prior;
use crate::limits::{Budget, Clock, Limits, MOST_SAMPLES};
use crate::network::Leaf;
use crate::player::Player;
use crate::report::{Amaf, ArmReport, Report, SearchStop, Watch, variance};
use crate::root_moves::{LastSearch, Root as RootList};
use crate::simulator::{Plan, RootAmaf, Simulator};
use crate::tree::{State, Transpositions, Tree};

/// A move at the root.
struct Arm {
    tree: Tree,
    /// The position after the move.
    position: Option<Box<dyn Sight>>,
    rng: Rng,
    code: tesuji_core::Code,
    /// What the batch at hand gave, Black's.
    rewards: Rewards,
    /// The leaf for which it waits, if a network values leaves.
    leaf: Leaf,
}

impl Arm {
    /// The outcome after the move; `None` unless it is proved or the game is over.
    fn known(&self) -> Option<Outcome> {
        if self.tree.is_empty() {
            return None;
        }
        match self.tree.node(0).state {
            State::Known(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// What a thread works with.
struct Worker {
    simulator: Simulator,
    kernel: KernelSlot,
    /// SHOT and Hybrid MCTS halve below the root too: the samples for each move of a node
    /// below which UCT takes over, 0 for never.
    halving_cutoff: Option<u64>,
    batch: NetworkBatch,
}

pub(crate) struct ArmSearch {
    config: SearchConfig,
    policy: PolicySpec,
    allocator: Box<dyn Allocator>,
    scores: ScoreSource,
    plan: Plan,
    arms: Arms,
    roots: Vec<Arm>,
    /// The tree of all arms if they share one; their own are then empty.
    shared: Tree,
    workers: Vec<Worker>,
    amaf: RootAmaf,
    amaf_scores: AmafScores,
    pulls: Vec<Pull>,
    /// The samples of a batch that are to be taken after the next look at the decision.
    rest: Vec<Pull>,
    confidence: Confidence,
    /// The network for the game at hand, and the most positions that it is asked about at once.
    evaluator: Option<Arc<dyn Evaluator>>,
    batch: usize,
    /// The arms whose scores are made up, since no evaluation was left for them; empty if scores are not a
    /// network's.
    is_unvalued: Vec<bool>,
    /// The nodes of all trees.
    n_nodes: usize,
    /// Samples that earlier moves of the game left.
    carried: u64,
    /// The arm that was played, where its tree is kept.
    kept: Option<usize>,
    /// The last search, for those who focus on one of its moves.
    last: Option<LastSearch>,
    /// What that spent, and why it ended.
    done: Done,
}

impl ArmSearch {
    pub(crate) fn new(config: &SearchConfig) -> ArmSearch {
        let policy = match &config.root {
            Root::Policy(policy) => policy.clone(),
            Root::Tree => PolicySpec::shot(),
        };
        let scores = config.score_source();
        // Where the tree keeps AMAF statistics, those of the root come for little.
        let plan = Plan::new(config);
        let plan = match plan.keeps().amaf() || scores == ScoreSource::Amaf {
            true => plan.with_root_amaf(),
            false => plan,
        };
        // Always, whether anybody watches or not: a report's values come from the rounds.
        let mut allocator = policy.allocator();
        allocator.watch();
        ArmSearch {
            config: config.clone(),
            allocator,
            amaf_scores: AmafScores::new(online_scores(config, &policy)),
            policy,
            scores,
            shared: Tree::new(plan.keeps(), Transpositions::Shared),
            plan,
            arms: Arms::default(),
            roots: Vec::new(),
            workers: Vec::new(),
            amaf: RootAmaf::default(),
            pulls: Vec::new(),
            rest: Vec::new(),
            confidence: Confidence::default(),
            evaluator: None,
            batch: 1,
            is_unvalued: Vec::new(),
            n_nodes: 0,
            carried: 0,
            kept: None,
            last: None,
            done: Done::default(),
        }
    }

    fn worker(&self) -> Worker {
        let halving_cutoff = match self.config.tree {
            TreeConfig::Shot => Some(0),
            TreeConfig::HybridMcts { cutoff, .. } => Some(cutoff),
            _ => None,
        };
        let simulator = Simulator::new(self.plan.clone(), Prior::new(&self.config));
        Worker { simulator, kernel: KernelSlot::default(), halving_cutoff, batch: NetworkBatch::default() }
    }

    /// Gets everything ready for the moves of a position.
    fn begin(&mut self, position: &dyn Sight, root: &RootList, threads: usize, seed: Seed) {
        let moves = &root.moves[..];
        self.last = None;
        self.is_unvalued.clear();
        while self.workers.len() < threads.max(1) {
            let worker = self.worker();
            self.workers.push(worker);
        }
        for worker in &mut self.workers {
            worker.simulator.begin(position, moves);
            worker.kernel.begin(position);
        }
        self.begin_network(position);
        self.amaf.clear(self.workers[0].simulator.root_amaf.codes.iter().copied());
        self.arms.clear(moves.len());
        let reused = if self.config.options.reuse { self.subtrees(position, root) } else { Vec::new() };
        while self.roots.len() < moves.len() {
            let tree = Tree::new(self.plan.keeps(), self.config.options.transpositions());
            let rng = seed.rng();
            let (rewards, leaf) = (Rewards::default(), Leaf::default());
            self.roots.push(Arm { tree, position: None, rng, code: 0, rewards, leaf });
        }
        self.roots.truncate(moves.len());
        let limit = self.limit(moves.len());
        for (index, (arm, &mv)) in self.roots.iter_mut().zip(moves).enumerate() {
            position.play_into(mv, &mut arm.position);
            arm.code = position.code(mv);
            arm.rng = seed.child("arm").child(index as u64).rng();
            arm.rewards = Rewards::default();
            arm.tree.clear(limit, position.n_codes());
        }
        for (index, (tree, rewards)) in reused.into_iter().enumerate() {
            self.roots[index].tree = tree;
            self.arms.record(index, rewards);
        }
        self.n_nodes = self.roots.iter().map(|arm| arm.tree.n_nodes()).sum();
        if self.config.options.one_table {
            self.shared.clear(self.config.options.nodes as usize, position.n_codes());
        }
        self.amaf_scores.begin(&self.arms);
    }

    /// The nodes that each of so many arms may have at the beginning.
    fn limit(&self, n_arms: usize) -> usize {
        match self.config.tree {
            TreeConfig::Flat => 0,
            _ => (self.config.options.nodes as usize / n_arms).max(1),
        }
    }

    /// The nodes that may be added to each of so many arms.
    fn room(&self, n_arms: usize) -> usize {
        (self.config.options.nodes as usize).saturating_sub(self.n_nodes) / n_arms
    }

    /// Values the root as a leaf; what its playouts said of each move becomes its score.
    fn fill_prior_scores(&mut self, position: &dyn Sight, root: &RootList, clock: &Clock<'_>, seed: Seed) {
        let mut rng = seed.child("prior").rng();
        let mut nowhere = Tree::new(self.plan.keeps(), Transpositions::Apart);
        nowhere.clear(0, position.n_codes());
        nowhere.restrict_root(root);
        let Worker { simulator, kernel, .. } = &mut self.workers[0];
        simulator.prefix.clear();
        let task = Task { simulator, tree: &mut nowhere, root: 0, rng: &mut rng, clock };
        kernel.get().value(task, None, position);
        self.amaf.take(&mut simulator.root_amaf);
        let Some(prior) = &simulator.prior else { return };
        let mean = prior.mean();
        for arm in 0..self.arms.len() {
            // A move without playouts is worth what the others are on the whole.
            let count = prior.arms.count(arm);
            let score = if count == 0 { mean } else { prior.arms.mean(arm) };
            self.arms.set_score(arm, score, count as f64);
        }
    }

    fn is_proved(&self, side: Side) -> Option<Outcome> {
        if !self.config.options.solver {
            return None;
        }
        let outcomes = self.roots.iter().map(Arm::known);
        let mut best: Option<Outcome> = None;
        let mut all = true;
        for outcome in outcomes {
            match outcome {
                Some(outcome) if outcome == Outcome::Win(side) => return Some(outcome),
                Some(outcome) => {
                    if best.is_none_or(|best| outcome.reward(side) > best.reward(side)) {
                        best = Some(outcome);
                    }
                }
                None => all = false,
            }
        }
        best.filter(|_| all)
    }

    /// The arm to be played.
    fn choose(&self, side: Side) -> usize {
        let chosen = self.allocator.recommend(&self.arms);
        if !self.config.options.solver {
            return chosen;
        }
        let value = |arm: usize| self.roots[arm].known().map(|outcome| outcome.reward(side));
        let n_arms = self.roots.len();
        match value(chosen) {
            _ if (0..n_arms).any(|arm| value(arm) == Some(1.0)) => {
                (0..n_arms).find(|&arm| value(arm) == Some(1.0)).unwrap_or(chosen)
            }
            // A proved loss, or a draw: the best of the moves that are not lost.
            Some(known) if known < 1.0 => self.arms.best_by(|arm| match value(arm) {
                // A loss comes last; a draw is worth as much as an equal mean.
                Some(known) => {
                    if known == 0.0 {
                        -1.0
                    } else {
                        known
                    }
                }
                None if self.arms.count(arm) == 0 => -0.5,
                None => self.arms.mean(arm),
            }),
            _ => chosen,
        }
    }

    fn report(&mut self, moves: &[MoveId], side: Side, done: Done) -> Report {
        let chosen = self.choose(side);
        let confidence = done.within.and_then(|within| self.sureness(chosen, side, within));
        let rounds = self.allocator.rounds().to_vec();
        let policy = self.allocator.improved_policy(&self.arms).filter(|_| self.scores.is_network());
        let mut q: Vec<Option<f64>> = vec![None; moves.len()];
        for ranked in rounds.iter().flat_map(|round| &round.ranking) {
            q[ranked.arm] = Some(ranked.q);
        }
        let mut memory = self.shared.memory();
        self.roots.iter().for_each(|arm| memory += arm.tree.memory());
        let is_unvalued = |index: usize| self.is_unvalued.get(index).is_some_and(|&is| is);
        let arm = |(index, &mv): (usize, &MoveId)| {
            let visits = self.arms.count(index);
            let amaf = self.amaf.counts.get(index).map(|&count| Amaf {
                count: u64::from(count),
                mean: if count == 0 { 0.0 } else { self.amaf.sums[index] / f64::from(count) },
            });
            let mean = (visits > 0).then(|| self.arms.mean(index));
            ArmReport {
                mv,
                visits,
                mean,
                variance: variance(&self.arms, index),
                amaf,
                score: (self.scores != ScoreSource::None && !is_unvalued(index))
                    .then(|| self.arms.score(index)),
                q: q[index].or(if rounds.is_empty() { mean } else { None }),
                // There is no tree here if samples are made elsewhere.
                proof: self.roots.get(index).and_then(Arm::known),
                policy: policy.as_ref().map(|policy| policy[index]),
            }
        };
        Report {
            chosen: Some(chosen),
            arms: moves.iter().enumerate().map(arm).collect(),
            budget: done.budget,
            spent: done.spent,
            carried: self.carried,
            stop: done.stop,
            confidence,
            memory,
            rounds,
            focused: Vec::new(),
        }
    }
}

/// How the scores of AMAF are made. If a sample has several playouts, its own ones are not told
/// apart from others, and count.
fn online_scores(config: &SearchConfig, policy: &PolicySpec) -> OnlineScores {
    let wanted = policy.online_scores();
    OnlineScores { own: wanted.own || config.leaf != LeafConfig::Playout, ..wanted }
}

/// The reward of the side after a move whose outcome is known.
fn proved(roots: &[Arm], arm: usize, side: Side) -> Option<f64> {
    // There is no tree here if samples are made elsewhere.
    roots.get(arm).and_then(Arm::known).map(|outcome| outcome.reward(side))
}

/// How a search ended.
#[derive(Clone, Copy, Default)]
struct Done {
    budget: u64,
    spent: u64,
    stop: Option<SearchStop>,
    /// The difference between values that its confidence ignores; `None` if nobody asks for that.
    within: Option<f64>,
}

impl Player for ArmSearch {
    fn search(
        &mut self,
        position: &dyn Sight,
        limits: &Limits<'_>,
        seed: Seed,
        watch: Option<&mut dyn Watch>,
    ) -> Report {
        let root = limits.moves.of(position);
        let single = root.single(limits.focus);
        let (Ok(single), false) = (single, root.moves.is_empty()) else { return Report::nothing() };
        if let Some(arm) = single {
            return self.sample_one(position, root, arm, limits, seed, watch);
        }
        let moves = &root.moves[..];
        let side = position.to_move();
        let clock = Clock::start(limits).for_evaluations(self.config.network().is_some());
        self.batch = limits.batch;
        self.begin(position, &root, limits.threads, seed);
        let cost = self.config.leaf.cost();
        let given = match limits.budget {
            Budget::Samples(samples) => samples,
            Budget::Time(_) => 0,
        };
        let mut samples = given.saturating_add(self.carried).min(MOST_SAMPLES) / cost;
        let until = limits.until.or(self.config.options.until);
        let within = limits.ignored_difference(until);
        let mut done = Done { budget: samples * cost, spent: 0, stop: None, within };
        if moves.len() == 1 {
            self.carry(done.budget);
            self.allocator.begin(1, 0);
            done.stop = Some(SearchStop::OneMove);
            let report = self.report(moves, side, done);
            self.keep(position, root, done, &report);
            return report;
        }
        let mut run = Run {
            threads: limits.threads,
            clock,
            choices: seed.child("choices").rng(),
            side,
            cost,
            before: self.arms.total(),
            prior: 0,
            budget: done.budget,
            until,
            checks: Checks::new(moves.len(), 1),
            notes: ProgressNotes { rounds: 0, spent: 0, at: Instant::now(), every: limits.every },
            watch,
        };
        if self.scores == ScoreSource::Prior && (samples > 0 || limits.is_timed()) {
            self.fill_prior_scores(position, &root, &run.clock, seed);
            (samples, run.prior) = (samples.saturating_sub(1), 1);
        }
        if self.scores.is_network() && (samples > 0 || limits.is_timed()) {
            // Under a limit of time, how many there will be is not known.
            let expected = if limits.is_timed() { u64::MAX } else { samples };
            let (clock, threads) = (run.clock, run.threads);
            run.prior = self.fill_network_scores(position, &root, expected, seed, &clock, threads);
            samples = samples.saturating_sub(self.arms.total() - run.before + run.prior);
        }
        done.stop = if limits.is_timed() {
            self.allocate_in_time(&mut run)
        } else {
            self.allocate(samples, &mut run)
        };
        (done.budget, done.spent) = (run.budget, self.spent(&run));
        run.notes.spent = 0;
        self.tell(&mut run);
        let stopped = matches!(done.stop, Some(SearchStop::Allocator(Stop::NotWorthIt { .. })));
        // Time cannot be saved.
        let saves = stopped && !limits.is_timed();
        self.carry(if saves { done.budget.saturating_sub(done.spent) } else { 0 });
        let report = self.report(moves, side, done);
        self.keep(position, root, done, &report);
        report
    }

    fn forget(&mut self) {
        self.carried = 0;
        self.kept = None;
        self.last = None;
    }

    fn set_carried(&mut self, samples: u64) {
        self.carry(samples);
    }
}
