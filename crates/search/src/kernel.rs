//! Simulations: down the tree, a leaf, and back. All that plays moves once a simulation is
//! here, compiled for every game; it is called once a batch.
//!
//! As in the baseline programs of the papers: a simulation goes down by the
//! tree's policy until it comes to a position that is not in the tree, adds it,
//! values it, and adds the reward to every move on its way. A position's moves
//! have statistics from its second visit on.

use std::any::TypeId;

use tesuji_core::{Code, Game, PackedMove, Rewards, Rng, Seed, Side, Silent, allocate};

use crate::Sight;
use crate::leaf::Prior;
use crate::limits::Clock;
use crate::marks::{MOST_DEPTH, Marker};
use crate::network::NetworkLeaf;
use crate::shot::Halver;
use crate::simulator::{Simulator, Step};
use crate::tree::{NONE, NodeId, State, Tree};

/// Where samples are taken, and with what.
pub(crate) struct Task<'a> {
    pub(crate) simulator: &'a mut Simulator,
    pub(crate) tree: &'a mut Tree,
    /// The node where simulations begin, the first one of most trees.
    pub(crate) root: NodeId,
    pub(crate) rng: &'a mut Rng,
    pub(crate) clock: &'a Clock<'a>,
}

/// Whether samples are taken of a position whose outcome has been proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proved {
    /// As of any other.
    Counts,
    /// No more: the proof ends the batch.
    Ends,
}

/// Makes simulations of one kind of game. Positions that it is handed are of that kind.
pub(crate) trait Kernel: Send {
    /// Takes up to `samples` samples from the task's node, whose position is `from`; an empty
    /// tree gets it as its first node. Returns Black's rewards.
    fn simulate(&mut self, task: Task<'_>, from: &dyn Sight, samples: u64, proved: Proved) -> Rewards;

    /// Spends a budget on the first node of a tree by halving at every level (SHOT); with
    /// less than `cutoff` for each move of a node, UCT takes over. Returns Black's rewards.
    fn halve(&mut self, task: Task<'_>, from: &dyn Sight, budget: u64, cutoff: u64) -> Rewards;

    /// Values a position as a leaf to which only the prefix leads; it is `node` in the
    /// tree if that is some. Returns Black's reward.
    fn value(&mut self, task: Task<'_>, node: Option<NodeId>, from: &dyn Sight) -> f64;

    /// Plays one playout. Returns Black's reward and the codes that were played.
    fn playout(&self, simulator: &mut Simulator, from: &dyn Sight, rng: &mut Rng) -> (f64, Vec<Code>);

    /// Lists the moves of a new node whose position is `from`.
    fn open(&self, tree: &mut Tree, node: NodeId, from: &dyn Sight);
}

/// What a [`Sight`] makes for searches of its game.
pub struct KernelBox(pub(crate) Box<dyn Kernel>);

/// A place for the kernel of the game at hand, kept from search to search.
#[derive(Default)]
pub(crate) struct KernelSlot(Option<(TypeId, Box<dyn Kernel>)>);

impl KernelSlot {
    /// Gets the kernel ready for positions like this one.
    pub(crate) fn begin(&mut self, sight: &dyn Sight) {
        let kind = sight.as_any().type_id();
        if self.0.as_ref().is_none_or(|(known, _)| *known != kind) {
            self.0 = Some((kind, sight.kernel().0));
        }
    }

    /// Returns the kernel.
    pub(crate) fn get(&mut self) -> &mut dyn Kernel {
        &mut *self.0.as_mut().expect("a search begins its kernels first").1
    }
}

/// The kernel of a game, with the positions that it writes on.
pub(crate) struct GameKernel<G> {
    /// The position a simulation has come to.
    position: Option<G>,
    /// A position one move further.
    child: Option<G>,
    halver: Halver<G>,
}

impl<G> Default for GameKernel<G> {
    fn default() -> GameKernel<G> {
        GameKernel { position: None, child: None, halver: Halver::default() }
    }
}

/// The position with its type.
fn typed<G: Game>(sight: &dyn Sight) -> &G {
    sight.as_any().downcast_ref().expect("a kernel is shown positions of its game")
}

impl<G: Game> Kernel for GameKernel<G> {
    fn simulate(&mut self, task: Task<'_>, from: &dyn Sight, samples: u64, proved: Proved) -> Rewards {
        let (Task { simulator, tree, root, rng, clock }, from) = (task, typed::<G>(from));
        let mut rewards = Rewards::default();
        while rewards.count < samples && !clock.is_over(rewards.count) {
            if proved == Proved::Ends
                && let State::Known(_) = tree.node(root).state
            {
                break;
            }
            rewards.add(self.simulation(simulator, tree, root, from, rng));
        }
        rewards
    }

    fn halve(&mut self, task: Task<'_>, from: &dyn Sight, budget: u64, cutoff: u64) -> Rewards {
        let mut halver = std::mem::take(&mut self.halver);
        let rewards = halver.spend(self, task, typed::<G>(from), budget, cutoff);
        self.halver = halver;
        rewards
    }

    fn value(&mut self, task: Task<'_>, node: Option<NodeId>, from: &dyn Sight) -> f64 {
        self.leaf_value(task.simulator, task.tree, node, typed::<G>(from), task.rng)
    }

    fn playout(&self, simulator: &mut Simulator, from: &dyn Sight, rng: &mut Rng) -> (f64, Vec<Code>) {
        simulator.marks.begin();
        let playout = typed::<G>(from).playout(rng, &mut Marker(&mut simulator.marks));
        simulator.marks.list();
        (playout.outcome.reward(Side::Black), simulator.marks.listed().to_vec())
    }

    fn open(&self, tree: &mut Tree, node: NodeId, from: &dyn Sight) {
        tree.open(node, typed::<G>(from));
    }
}

impl<G: Game> GameKernel<G> {
    /// Simulates once from a node whose position is `from`, in a tree that has
    /// it; in an empty tree the position is added and valued. Returns Black's reward.
    pub(crate) fn simulation(
        &mut self,
        simulator: &mut Simulator,
        tree: &mut Tree,
        root: NodeId,
        from: &G,
        rng: &mut Rng,
    ) -> f64 {
        simulator.path.clear();
        let mut position = match self.position.take() {
            Some(mut position) => {
                position.clone_from(from);
                position
            }
            None => from.clone(),
        };
        let value = self.descend(simulator, tree, root, &mut position, rng);
        self.position = Some(position);
        if simulator.network.as_ref().is_some_and(|network| network.leaf.waits) {
            return value;
        }
        simulator.back_up(tree, value);
        value
    }

    /// Goes down until a reward is found, Black's.
    fn descend(
        &mut self,
        simulator: &mut Simulator,
        tree: &mut Tree,
        root: NodeId,
        position: &mut G,
        rng: &mut Rng,
    ) -> f64 {
        if tree.is_empty() {
            let added = tree.find_or_add(position.hash()).map(|(node, _)| node);
            return self.evaluate(simulator, tree, added, position, rng);
        }
        let needs_codes = simulator.needs_codes();
        let has_tables = tree.keeps().code_amaf;
        let stamp = tree.next_stamp();
        let (mut node, mut reference) = (root, root);
        loop {
            let is_new = tree.node(node).state == State::New;
            let is_deep = simulator.prefix.len() + simulator.path.len() + 2 >= MOST_DEPTH as usize;
            if is_deep || (is_new && tree.is_full()) {
                return self.evaluate(simulator, tree, None, position, rng);
            }
            if is_new {
                tree.open(node, position);
            }
            if let State::Known(outcome) = tree.node(node).state {
                return simulator.end(tree, outcome);
            }
            tree.node_mut(node).stamp = stamp;
            if has_tables && (tree.node(node).visits > simulator.plan.policy.reference()) {
                reference = node;
            }
            let side = position.to_move();
            let edge = tree.node(node).edges().start + simulator.select(tree, node, reference, side);
            let mv = G::Move::unpack(tree.columns.moves[edge]);
            let code = if needs_codes { position.code(mv) } else { 0 };
            simulator.path.push(Step { node, edge, side, code });
            position.play_unchecked(mv);
            let mut child = tree.columns.children[edge];
            if child == NONE {
                match tree.find_or_add(position.hash()) {
                    None => return self.evaluate(simulator, tree, None, position, rng),
                    Some((added, true)) => {
                        tree.columns.children[edge] = added;
                        return self.evaluate(simulator, tree, Some(added), position, rng);
                    }
                    Some((known, false)) => {
                        tree.columns.children[edge] = known;
                        child = known;
                    }
                }
            }
            // Round in a circle: play on at random from here.
            if tree.node(child).stamp == stamp {
                return self.evaluate(simulator, tree, None, position, rng);
            }
            node = child;
        }
    }

    /// Values a position as a leaf to which only the prefix leads. Returns Black's reward.
    pub(crate) fn leaf_value(
        &mut self,
        simulator: &mut Simulator,
        tree: &mut Tree,
        node: Option<NodeId>,
        position: &G,
        rng: &mut Rng,
    ) -> f64 {
        simulator.path.clear();
        self.evaluate(simulator, tree, node, position, rng)
    }

    /// Values the position the simulation has come to. Returns Black's reward.
    fn evaluate(
        &mut self,
        simulator: &mut Simulator,
        tree: &mut Tree,
        node: Option<NodeId>,
        position: &G,
        rng: &mut Rng,
    ) -> f64 {
        // The network and the prior are taken out for as long as they use the rest.
        if let Some(mut network) = simulator.network.take() {
            let value = self.evaluate_by_network(&mut network, simulator, tree, node, position, rng);
            simulator.network = Some(network);
            return value;
        }
        if let Some(mut prior) = simulator.prior.take() {
            let value = self.evaluate_by_playouts(&mut prior, simulator, tree, node, position, rng);
            simulator.prior = Some(prior);
            return value;
        }
        let playout = playout(simulator, tree, position, None, rng);
        if let (0, Some(node)) = (playout.plies, node) {
            tree.node_mut(node).state = State::Known(playout.outcome);
        }
        playout.outcome.reward(Side::Black)
    }

    /// Values a position at the end of the simulator's path by a network, and by a playout if one is
    /// mixed in. Returns Black's reward, or anything if the leaf waits for its answer.
    fn evaluate_by_network(
        &mut self,
        network: &mut NetworkLeaf,
        simulator: &mut Simulator,
        tree: &mut Tree,
        node: Option<NodeId>,
        position: &G,
        rng: &mut Rng,
    ) -> f64 {
        let size = network.evaluator.form().size();
        let leaf = &mut network.leaf;
        leaf.planes.resize(size, 0.0);
        let over = match position.outcome() {
            None => position.write_guessed_planes(&mut leaf.planes, rng),
            over => over,
        };
        if let Some(outcome) = over {
            if let Some(node) = node {
                tree.node_mut(node).state = State::Known(outcome);
            }
            return simulator.end(tree, outcome);
        }
        leaf.side = position.to_move();
        leaf.logits.clear();
        leaf.node = None;
        // Moves are listed at the first visit: their priors come now, and only now.
        if let Some(node) = node
            && network.gives_priors()
            && !tree.is_full()
        {
            if tree.node(node).state == State::New {
                tree.open(node, position);
            }
            let leaf = &mut network.leaf;
            let moves = &tree.columns.moves[tree.node(node).edges()];
            leaf.logits.extend(moves.iter().map(|&mv| position.logit(G::Move::unpack(mv)) as u32));
            leaf.node = Some(node);
        }
        network.leaf.playout = match network.mix > 0.0 {
            true => Some(playout(simulator, tree, position, None, rng).outcome.reward(Side::Black)),
            // Without a playout there are no AMAF samples.
            false => None,
        };
        if network.defers {
            network.leaf.waits = true;
            std::mem::swap(&mut network.leaf.path, &mut simulator.path);
            return 0.0;
        }
        network.answer_now(tree)
    }

    /// Values a position at the end of the simulator's path by several playouts, spread
    /// over its moves (Liu, Tsuruoka 2015). Returns Black's reward.
    fn evaluate_by_playouts(
        &mut self,
        prior: &mut Prior,
        simulator: &mut Simulator,
        tree: &mut Tree,
        node: Option<NodeId>,
        position: &G,
        rng: &mut Rng,
    ) -> f64 {
        if let Some(outcome) = position.outcome() {
            if let Some(node) = node {
                tree.node_mut(node).state = State::Known(outcome);
            }
            return simulator.end(tree, outcome);
        }
        prior.moves.clear();
        position.for_each_search_move(|mv| prior.moves.push(mv.pack()));
        if simulator.is_at_root() && !tree.root_moves().is_empty() {
            prior.moves.retain(|mv| tree.root_moves().contains(mv));
        }
        prior.arms.clear(prior.moves.len());
        let side = position.to_move();
        // The allocator's own choices get a stream of their own, for the
        // rewards are drawn between them.
        let mut choices = Seed::new(rng.bits()).rng();
        let Prior { allocator, playouts, arms, moves, .. } = prior;
        let child = self.child.get_or_insert_with(|| position.clone());
        let mut blacks = 0.0;
        let mut sample = |arm: usize, samples: u64, arms: &mut tesuji_core::Arms| {
            let mut rewards = Rewards::default();
            let mv = G::Move::unpack(moves[arm]);
            for _ in 0..samples {
                child.clone_from(position);
                let code = position.code(mv);
                child.play_unchecked(mv);
                let outcome = playout(simulator, tree, child, Some(code), rng).outcome;
                rewards.add(outcome.reward(side));
                blacks += outcome.reward(Side::Black);
            }
            arms.record(arm, rewards);
        };
        if moves.len() == 1 {
            sample(0, *playouts, arms);
        } else {
            let _ = allocate(&mut **allocator, *playouts, arms, &mut choices, |batch, arms| {
                batch.pulls.iter().for_each(|pull| sample(pull.arm, pull.samples, arms));
            });
        }
        let value = if arms.total() == 0 { 0.5 } else { blacks / arms.total() as f64 };
        if let Some(node) = node
            && prior.temperature.is_some()
            && !tree.is_full()
        {
            tree.open(node, position);
            prior.fill_priors(tree, node);
        }
        value
    }
}

/// Plays one playout from a position at the end of the path, or one move further, and
/// counts its AMAF samples.
fn playout<G: Game>(
    simulator: &mut Simulator,
    tree: &mut Tree,
    position: &G,
    last: Option<Code>,
    rng: &mut Rng,
) -> tesuji_core::Playout {
    if !simulator.needs_codes() {
        return position.playout(rng, &mut Silent);
    }
    simulator.mark_path(last);
    let playout = position.playout(rng, &mut Marker(&mut simulator.marks));
    simulator.count_amaf(tree, last, playout.outcome.reward(Side::Black));
    playout
}
