//! A search whose root is a node like any other: UCT, RAVE, GRAVE, PUCT and the
//! value of information at every level.
//!
//! With several trees each has a stream of random numbers of its own and its
//! share of the budget, and the visits of their roots are added up: the same
//! bits on any number of threads.

mod focus;
mod grower;

use std::sync::Arc;
use std::time::Duration;

use tesuji_bandit::{Checks, Confidence, Until};
use tesuji_core::{Arms, MoveId, Outcome, Rewards, Seed, Side};
use tesuji_net::Evaluator;

use crate::Sight;
use crate::config::{Choice, LeafConfig, SearchConfig, TreeConfig};
use crate::kernel::KernelSlot;
use crate::leaf::Prior;
use crate::limits::{Budget, Clock, Limits, MOST_SAMPLES};
use crate::line::{Lines, line};
use crate::network::{NetworkLeaf, join_all};
use crate::player::Player;
use crate::policy::View;
use crate::report::{Amaf, ArmReport, Event, Memory, PROGRESS_STEPS, Report, SearchStop, Watch, variance};
use crate::root_moves::{LastSearch, Root};
use crate::simulator::{Plan, Simulator};
use crate::solver::known;
use crate::tree::{State, Tree};
use grower::Grower;

/// How a search is cut into parts, after each of which those who watch are told.
#[derive(Clone, Copy)]
enum Pace {
    /// Into so many, of samples or of time.
    Steps(u64),
    /// Into parts of so much time.
    Every(Duration),
}

pub(crate) struct TreeSearch {
    config: SearchConfig,
    plan: Plan,
    growers: Vec<Grower>,
    arms: Arms,
    confidence: Confidence,
    /// The network for the game at hand.
    evaluator: Option<Arc<dyn Evaluator>>,
    /// What was searched before, if trees are kept.
    kept: Option<Kept>,
    /// The last search, for those who focus on one of its moves.
    last: Option<LastSearch>,
}

/// How a search ended: its budget, why it did not spend it, and the difference between values
/// that it ignores.
struct Ending {
    budget: u64,
    stop: Option<SearchStop>,
    within: Option<f64>,
}

/// A search whose trees are kept.
struct Kept {
    /// The position that was searched.
    position: Box<dyn Sight>,
    /// The arm chosen there.
    chosen: usize,
    /// Whether some of its moves got more samples than the policy gave them.
    is_focused: bool,
}

impl TreeSearch {
    pub(crate) fn new(config: &SearchConfig) -> TreeSearch {
        TreeSearch {
            config: config.clone(),
            plan: Plan::new(config),
            growers: Vec::new(),
            arms: Arms::default(),
            confidence: Confidence::default(),
            evaluator: None,
            kept: None,
            last: None,
        }
    }

    /// Gets the trees ready. A root that takes its priors from the leaf is opened by its
    /// first sample or at the end of the search, the others at once.
    fn begin(&mut self, position: &dyn Sight, root: &Root, seed: Seed) {
        self.last = None;
        let moves = &root.moves[..];
        let options = self.config.options;
        while self.growers.len() < options.trees as usize {
            let tree = || Tree::new(self.plan.keeps(), options.transpositions());
            self.growers.push(Grower {
                tree: tree(),
                spare: tree(),
                simulator: Simulator::new(self.plan.clone(), Prior::new(&self.config)),
                kernel: KernelSlot::default(),
                rng: seed.rng(),
                share: 0,
                target: 0,
                spent: 0,
                spent_before: 0,
            });
        }
        let limit = (options.nodes / options.trees).max(1) as usize;
        let kept = self.kept.take();
        let leaf_priors = self.config.takes_leaf_priors();
        let evaluator = self.evaluator(position);
        for (index, grower) in self.growers.iter_mut().enumerate() {
            grower.simulator.begin(position, moves);
            grower.kernel.begin(position);
            let network = &mut grower.simulator.network;
            *network = match (network.take(), &evaluator) {
                (Some(network), Some(evaluator)) if Arc::ptr_eq(&network.evaluator, evaluator) => {
                    Some(network)
                }
                (_, Some(evaluator)) => NetworkLeaf::new(&self.config, Arc::clone(evaluator)).map(Box::new),
                (_, None) => None,
            };
            grower.rng = seed.child("tree").child(index as u64).rng();
            (grower.share, grower.target, grower.spent, grower.spent_before) = (0, 0, 0, 0);
            if let (LeafConfig::Prior { playouts, .. }, Some(prior)) =
                (&self.config.leaf, &mut grower.simulator.prior)
            {
                // The last leaf of the search before may have had fewer.
                prior.playouts = *playouts;
            }
            if !grower.keep(kept.as_ref(), position, root, limit) {
                grower.tree.clear(limit, position.n_codes());
                grower.tree.find_or_add(position.hash());
            }
            grower.tree.restrict_root(root);
            if !leaf_priors {
                grower.open(position);
            }
        }
    }

    /// The network for positions like this one; `None` if leaves are playouts.
    ///
    /// # Panics
    /// If the network is for another game, which [`check_network`](crate::PlayerConfig::check_network)
    /// says.
    fn evaluator(&mut self, position: &dyn Sight) -> Option<Arc<dyn Evaluator>> {
        let source = self.config.network()?;
        let form = position.network_form().unwrap_or_else(|| panic!("networks cannot see this game"));
        if self.evaluator.as_ref().is_none_or(|evaluator| *evaluator.form() != form) {
            self.evaluator = Some(source.for_form(&form).unwrap_or_else(|error| panic!("{error}")));
        }
        self.evaluator.clone()
    }

    /// What is expected after a move, by the tree that looked at it most.
    fn line(&self, position: &dyn Sight, arm: usize) -> Vec<(String, u64)> {
        let edge = |grower: &Grower| grower.tree.node(0).edges().start + arm;
        let visits = |grower: &&Grower| grower.tree.columns.visits[edge(grower)];
        let Some(Grower { tree, .. }) = self.open_growers().max_by_key(visits) else { return Vec::new() };
        let edge = tree.node(0).edges().start + arm;
        line(tree, tree.columns.children[edge], &*position.after(tree.columns.moves[edge]))
    }

    /// The trees whose roots have their moves. The others have had nothing to do yet.
    fn open_growers(&self) -> impl Iterator<Item = &Grower> {
        self.growers.iter().filter(|grower| !grower.is_new())
    }

    /// Adds up what the trees know of so many moves.
    fn add_up(&mut self, n_moves: usize) {
        self.arms.clear(n_moves);
        // A root that is not open has no edges.
        for Grower { tree, .. } in &self.growers {
            for (arm, edge) in tree.node(0).edges().enumerate() {
                let (count, sum) = (u64::from(tree.columns.visits[edge]), f64::from(tree.columns.sums[edge]));
                // Rewards of 0 and 1 are their own squares.
                let squares = tree.columns.squares.get(edge).map_or(sum, |&squares| f64::from(squares));
                self.arms.record(arm, Rewards { count, sum, squares });
            }
        }
    }

    /// The move to be played: the most visits, the best mean where the policy does not visit
    /// the best most, or what the options say; a proved win before, a proved loss after all.
    fn choose(&self, side: Side) -> usize {
        if let Some(arm) = self.growers[0].simulator.forced {
            return self.choose_after_focus(arm, side);
        }
        let arms = &self.arms;
        let usual = match self.config.tree {
            TreeConfig::Voi { .. } => Choice::Mean,
            _ => Choice::Visits,
        };
        let choice = self.config.options.choice.unwrap_or(usual);
        let values = if choice == Choice::Value { self.values(side) } else { Vec::new() };
        arms.best_by(|arm| {
            let value = match (choice, arms.count(arm)) {
                (Choice::Mean | Choice::Value, 0) => -1.0,
                (Choice::Mean, _) => arms.mean(arm),
                (Choice::Value, _) => values.get(arm).copied().map_or(0.0, f64::from),
                (Choice::Visits, count) => count as f64 + self.tie_break(arm),
            };
            match self.proof(arm).filter(|_| self.config.options.solver) {
                Some(outcome) if outcome == Outcome::Win(side) => f64::INFINITY,
                Some(outcome) if outcome == Outcome::Win(!side) => value - 1e12,
                _ => value,
            }
        })
    }

    /// What ranks moves with equally many visits, below 1: with a network the mean, then the prior. A
    /// budget of a few evaluations has many ties. Without a network the first move is as good as any.
    fn tie_break(&self, arm: usize) -> f64 {
        if self.evaluator.is_none() {
            return 0.0;
        }
        let mean = if self.arms.count(arm) > 0 { self.arms.mean(arm) } else { 0.0 };
        let tree = &self.growers[0].tree;
        let prior = tree.columns.priors.get(tree.node(0).edges().start + arm);
        0.5 * mean + 1e-6 * prior.map_or(0.0, |&prior| f64::from(prior))
    }

    /// What is known of the position after a move, by any of the trees.
    fn proof(&self, arm: usize) -> Option<Outcome> {
        self.open_growers().find_map(|grower| known(&grower.tree, grower.tree.node(0).edges().start + arm))
    }

    fn proved(&self) -> Option<Outcome> {
        self.growers.iter().find_map(|grower| match grower.tree.node(0).state {
            State::Known(outcome) => Some(outcome),
            _ => None,
        })
    }

    fn all_proved(&self) -> bool {
        self.growers.iter().all(|grower| matches!(grower.tree.node(0).state, State::Known(_)))
    }

    /// Every tree spends what it has of its share up to its target.
    fn grow(&mut self, position: &dyn Sight, cost: u64, threads: usize, clock: &Clock<'_>) {
        let n_trees = self.growers.len();
        let threads = threads.clamp(1, n_trees);
        // Under a limit of time, trees that have to wait for a thread get as much as the first.
        let turn = |index: usize| match n_trees.div_ceil(threads) - index / threads {
            1 => *clock,
            turns => clock.part(1.0 / turns as f64),
        };
        let waiting = self.growers.iter_mut().enumerate();
        if threads == 1 {
            waiting.for_each(|(index, grower)| grower.grow(position, cost, &turn(index)));
            return;
        }
        let waiting = std::sync::Mutex::new(waiting);
        std::thread::scope(|scope| {
            let work = || {
                loop {
                    let next = waiting.lock().expect("no thread panics while it takes a tree").next();
                    let Some((index, grower)) = next else { break };
                    grower.grow(position, cost, &turn(index));
                }
            };
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            join_all(threads);
        });
    }

    /// Lists the moves of the roots that had nothing to do. If the time was up before the first
    /// sample, one root is valued all the same: its priors choose the move.
    fn open_roots(&mut self, position: &dyn Sight, cost: u64, clock: &Clock<'_>) {
        let first = &mut self.growers[0];
        if first.is_new() && first.spent < first.share && !clock.is_cancelled() {
            first.value_root(position, cost, clock);
        }
        self.growers.iter_mut().for_each(|grower| grower.open(position));
    }

    /// How sure the choice is; `None` if nothing is known of it.
    fn sureness(&mut self, side: Side, within: f64) -> Option<f64> {
        let chosen = self.choose(side);
        let mut confidence = std::mem::take(&mut self.confidence);
        let known = |arm: usize| self.known_reward(arm, side);
        let has_grounds = self.arms.count(chosen) > 0 || self.arms.len() == 1 || known(chosen).is_some();
        let sure = has_grounds.then(|| confidence.of_known(&self.arms, chosen, within, known));
        self.confidence = confidence;
        sure
    }

    /// How sure the choice is, if that is enough.
    fn is_sure(&mut self, side: Side, until: Until) -> Option<f64> {
        self.add_up(self.arms.len());
        let chosen = self.choose(side);
        let mut confidence = std::mem::take(&mut self.confidence);
        let sure = confidence.reached(&self.arms, chosen, until, |arm| self.known_reward(arm, side));
        self.confidence = confidence;
        sure
    }

    /// The side's reward after a move that is proved.
    fn known_reward(&self, arm: usize, side: Side) -> Option<f64> {
        let proof = self.proof(arm).filter(|_| self.config.options.solver);
        proof.map(|outcome| outcome.reward(side))
    }

    fn report(&mut self, moves: &[MoveId], side: Side, ending: Ending) -> Report {
        let Ending { budget, stop, within } = ending;
        let confidence = within.and_then(|within| self.sureness(side, within));
        let mut memory = Memory::default();
        self.growers.iter().for_each(|grower| memory += grower.tree.memory());
        let (values, priors) = (self.values(side), self.priors());
        let arm = |(index, &mv): (usize, &MoveId)| {
            let visits = self.arms.count(index);
            ArmReport {
                mv,
                visits,
                mean: (visits > 0).then(|| self.arms.mean(index)),
                variance: variance(&self.arms, index),
                amaf: self.amaf(index, side),
                score: priors.get(index).map(|&prior| libm::log(prior)).filter(|score| score.is_finite()),
                q: values.get(index).copied().filter(|value| value.is_finite()).map(f64::from),
                proof: self.proof(index),
                policy: None,
            }
        };
        Report {
            chosen: Some(self.choose(side)),
            arms: moves.iter().enumerate().map(arm).collect(),
            rounds: Vec::new(),
            budget,
            spent: self.growers.iter().map(|grower| grower.spent).sum(),
            carried: 0,
            stop,
            confidence,
            memory,
            focused: Vec::new(),
        }
    }

    /// The policy's values at the root; nothing where there are several.
    fn values(&self, side: Side) -> Vec<f32> {
        let [Grower { tree, .. }] = &self.growers[..] else { return Vec::new() };
        let mut values = vec![0.0; tree.node(0).edges().len()];
        self.plan.policy.fill(&View::of(tree, 0, 0, side), &mut values);
        values
    }

    /// The probabilities of the moves by a network, as the roots that it has valued use them; nothing
    /// if the policy takes none.
    fn priors(&self) -> Vec<f64> {
        if self.evaluator.is_none() || !self.config.takes_leaf_priors() {
            return Vec::new();
        }
        let is_valued = |grower: &&Grower| grower.spent > 0 || grower.tree.node(0).visits > 0;
        let valued: Vec<&Grower> = self.open_growers().filter(is_valued).collect();
        let mean = |arm: usize| {
            let prior = |Grower { tree, .. }: &&Grower| {
                f64::from(tree.columns.priors[tree.node(0).edges().start + arm])
            };
            valued.iter().map(prior).sum::<f64>() / valued.len() as f64
        };
        let n_moves = if valued.is_empty() { 0 } else { self.arms.len() };
        (0..n_moves).map(mean).collect()
    }

    /// AMAF statistics of a move at the root, where they are kept.
    fn amaf(&self, arm: usize, side: Side) -> Option<Amaf> {
        let keeps = self.plan.keeps();
        if !keeps.amaf() {
            return None;
        }
        let (mut count, mut sum) = (0, 0.0);
        for Grower { tree, .. } in &self.growers {
            let edge = tree.node(0).edges().start + arm;
            if keeps.move_amaf {
                count += u64::from(tree.columns.amaf_counts[edge]);
                sum += f64::from(tree.columns.amaf_sums[edge]);
            } else {
                let entry = tree.table(0).start + tree.columns.codes[edge] as usize;
                let (samples, blacks) =
                    (u64::from(tree.table_counts[entry]), f64::from(tree.table_sums[entry]));
                count += samples;
                sum += if side == Side::Black { blacks } else { samples as f64 - blacks };
            }
        }
        Some(Amaf { count, mean: if count == 0 { 0.0 } else { sum / count as f64 } })
    }
}

impl Player for TreeSearch {
    fn search(
        &mut self,
        position: &dyn Sight,
        limits: &Limits<'_>,
        seed: Seed,
        mut watch: Option<&mut dyn Watch>,
    ) -> Report {
        let root = limits.moves.of(position);
        let (Ok(single), false) = (root.single(limits.focus), root.moves.is_empty()) else {
            return Report::nothing();
        };
        let moves = &root.moves[..];
        let side = position.to_move();
        let clock = Clock::start(limits).for_evaluations(self.config.network().is_some());
        let cost = self.config.leaf.cost();
        let mut stop = (moves.len() == 1 && single.is_none()).then_some(SearchStop::OneMove);
        if !self.continues(position, &root, limits) {
            self.begin(position, &root, seed);
        }
        self.force(single, position, &root);
        self.arms.clear(moves.len());
        // What is kept from earlier searches counts: sums are exact up to so many samples.
        let kept = self.growers.iter().map(|grower| u64::from(grower.tree.node(0).visits)).max();
        let room = MOST_SAMPLES - kept.unwrap_or(0).min(MOST_SAMPLES);
        let budget = match limits.budget {
            Budget::Samples(samples) => samples.min(room),
            Budget::Time(_) => room,
        };
        let n_trees = self.growers.len() as u64;
        // Without anybody who watches, all at once.
        let pace = match (&watch, limits.every) {
            (None, _) => Pace::Steps(1),
            (Some(_), None) => Pace::Steps(PROGRESS_STEPS),
            (Some(_), Some(time)) => Pace::Every(time),
        };
        let until = limits.until.or(self.config.options.until);
        // The decision is looked at after numbers of samples that every tree can reach exactly, so
        // that nothing else, such as a watcher, has a say in it.
        let mut checks = until.map(|_| Checks::new(moves.len(), cost * n_trees));
        let mut step = 0;
        while stop.is_none() {
            step += 1;
            // A part of the samples, or of the time.
            let (target, slice) = match pace {
                Pace::Every(time) => (budget, clock.within(time)),
                Pace::Steps(steps) if limits.is_timed() => {
                    (budget, clock.part(1.0 / (steps - step + 1) as f64))
                }
                Pace::Steps(steps) => {
                    ((u128::from(budget) * u128::from(step) / u128::from(steps)) as u64, clock)
                }
            };
            let look = checks.map(|checks| checks.next()).filter(|&look| look <= target && look < budget);
            let target = look.unwrap_or(target);
            let part =
                |whole: u64, index: usize| whole / n_trees + u64::from((index as u64) < whole % n_trees);
            for (index, grower) in self.growers.iter_mut().enumerate() {
                let before = grower.spent_before;
                (grower.share, grower.target) = (before + part(budget, index), before + part(target, index));
            }
            self.grow(position, cost, limits.threads, &slice);
            let mut sure = None;
            if let (Some(until), Some(checks), Some(look)) = (until, &mut checks, look)
                && self.growers.iter().all(Grower::has_paused)
                && !self.all_proved()
            {
                checks.is_due(look);
                sure = self.is_sure(side, until).map(|confidence| SearchStop::Sure { confidence });
                if sure.is_none() && !clock.is_over(0) {
                    // The part of the search that was cut short for the look goes on.
                    step -= 1;
                    continue;
                }
            }
            if let Some(watch) = &mut watch {
                self.add_up(moves.len());
                let spent = self.growers.iter().map(|grower| grower.spent).sum();
                let best = self.choose(side);
                let budget = budget + self.spent_before();
                let after = |arm: usize| self.line(position, arm);
                let (arms, priors, lines) = (&self.arms, &self.priors()[..], Lines(&after));
                watch.see(Event::Progress { spent, budget, arms, priors, best, lines });
            }
            let is_last = match pace {
                Pace::Steps(steps) => step == steps,
                Pace::Every(_) => self.growers.iter().all(|grower| grower.has_ended()),
            };
            stop = match self.proved().filter(|_| self.config.options.solver) {
                // Every tree goes on until it has its own proof, as it does where
                // nobody watches and there is one step only.
                Some(outcome) if is_last || self.all_proved() => Some(SearchStop::Proved(outcome)),
                _ if sure.is_some() => sure,
                _ if clock.is_cancelled() => Some(SearchStop::Cancelled),
                _ if clock.is_over(0) => Some(SearchStop::Time),
                _ => None,
            };
            if is_last {
                break;
            }
        }
        self.open_roots(position, cost, &clock);
        self.add_up(moves.len());
        let within = limits.ignored_difference(until);
        let report = self.report(moves, side, Ending { budget, stop, within });
        self.keep(position, single, limits, report)
    }

    fn forget(&mut self) {
        self.kept = None;
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tesuji_testkit::tree_game::TreeGame;

    use super::*;
    use crate::config::{Options, Root};

    #[test]
    fn every_tree_gets_its_share_of_the_time() {
        let config = SearchConfig {
            root: Root::Tree,
            tree: TreeConfig::Uct { c: 0.4 },
            leaf: LeafConfig::Playout,
            options: Options { trees: 4, ..Options::default() },
        };
        // A machine that stalls for half of the time leaves none for the trees that wait: it does
        // so once or twice, not always.
        for threads in [1, 3] {
            let mut search = TreeSearch::new(&config);
            let has_shared = (0..20).any(|_| {
                let limits = Limits::time(Duration::from_millis(60)).on(threads);
                let report = search.search(&TreeGame::new("((W B) (B W))"), &limits, Seed::new(1), None);
                assert_eq!(report.stop, Some(SearchStop::Time));
                search.growers.iter().all(|grower| grower.spent > 0)
            });
            assert!(has_shared, "some trees got no time on {threads} threads");
        }
    }
}
