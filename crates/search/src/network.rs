//! Leaves that a network values.
//!
//! A simulation that comes to a new position either asks the network at once, or writes the
//! position down and waits ([`NetworkLeaf::defers`]): simulations of several trees then share a
//! batch, and each goes on with its own answer. An answer depends on its position alone, so the
//! batch changes nothing.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread::ScopedJoinHandle;

use tesuji_core::{NetworkForm, Side};
use tesuji_net::{Evaluations, Evaluator};
use thiserror::Error;

use crate::config::{LeafConfig, SearchConfig, TreeConfig};
use crate::policy::softmax;
use crate::simulator::{Simulator, Step, reward};
use crate::tree::{NodeId, Tree};

/// What values the leaves of a simulator.
pub(crate) struct NetworkLeaf {
    pub(crate) evaluator: Arc<dyn Evaluator>,
    /// The weight of a playout next to the network's value.
    pub(crate) mix: f64,
    /// The temperature of the tree's priors, if it takes them from the leaf.
    temperature: Option<f32>,
    /// Whether a simulation stops at its leaf and waits for its answer.
    pub(crate) defers: bool,
    /// The leaf at hand.
    pub(crate) leaf: Leaf,
    evaluations: Evaluations,
}

/// A position that waits for the network's answer.
pub(crate) struct Leaf {
    /// Whether there is one: simulations may end without the network.
    pub(crate) waits: bool,
    /// The position, as the network sees it.
    pub(crate) planes: Vec<f32>,
    /// Its node, if its moves are listed and want priors.
    pub(crate) node: Option<NodeId>,
    /// The number of each of its moves among the logits.
    pub(crate) logits: Vec<u32>,
    /// The side to move there.
    pub(crate) side: Side,
    /// Black's reward of a playout from there, if one is mixed in.
    pub(crate) playout: Option<f64>,
    /// The way from the root of the tree to it.
    pub(crate) path: Vec<Step>,
}

impl Default for Leaf {
    fn default() -> Leaf {
        Leaf {
            waits: false,
            planes: Vec::new(),
            node: None,
            logits: Vec::new(),
            side: Side::Black,
            playout: None,
            path: Vec::new(),
        }
    }
}

/// What a network says of one position.
#[derive(Clone, Copy)]
pub(crate) struct Answer<'a> {
    pub(crate) logits: &'a [f32],
    /// The reward of the side to move.
    pub(crate) value: f64,
    /// The rewards of the side to move after each move; empty if the network does not predict them.
    pub(crate) move_values: &'a [f32],
}

impl<'a> Answer<'a> {
    /// The answer to one position of a batch.
    pub(crate) fn of(evaluations: &'a Evaluations, form: &NetworkForm, at: usize) -> Answer<'a> {
        let n_logits = form.n_logits;
        let moves = at * n_logits..(at + 1) * n_logits;
        Answer {
            logits: &evaluations.logits[moves.clone()],
            value: sane(evaluations.values[at]),
            move_values: evaluations.move_values.get(moves).unwrap_or(&[]),
        }
    }
}

/// A reward from 0 to 1, whatever numbers the weights of a network lead to.
pub(crate) fn sane(value: f32) -> f64 {
    if value.is_nan() { 0.5 } else { f64::from(value.clamp(0.0, 1.0)) }
}

/// A logit that can be computed with.
pub(crate) fn sane_logit(logit: f32) -> f32 {
    if logit.is_nan() { 0.0 } else { logit.clamp(-1e4, 1e4) }
}

/// A network failed in a search: it could not be evaluated, or answered what is no value.
///
/// Inner loops of a search return no errors. A failure unwinds the search without a message, and
/// [`catch_network_failure`] catches it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct NetworkFailure(String);

impl NetworkFailure {
    /// The failure that a search was unwound with; any other panic comes back.
    pub fn of_panic(panic: Box<dyn Any + Send>) -> Result<NetworkFailure, Box<dyn Any + Send>> {
        panic.downcast::<NetworkFailure>().map(|failure| *failure)
    }
}

/// Runs a search, and returns an error if its network fails. The player must
/// [forget](crate::Player::forget) what it knows before its next search. Other panics go on.
pub fn catch_network_failure<T>(search: impl FnOnce() -> T) -> Result<T, NetworkFailure> {
    catch_unwind(AssertUnwindSafe(search))
        .map_err(|panic| NetworkFailure::of_panic(panic).unwrap_or_else(|panic| resume_unwind(panic)))
}

/// Waits for the threads of a search. If one was unwound, this thread is too, for the same reason:
/// the end of a scope would not say it.
pub(crate) fn join_all<'scope>(threads: impl IntoIterator<Item = ScopedJoinHandle<'scope, ()>>) {
    for thread in threads {
        thread.join().unwrap_or_else(|panic| resume_unwind(panic));
    }
}

/// Asks the network about positions in one batch.
///
/// # Panics
/// If the evaluator fails, with a [`NetworkFailure`].
pub(crate) fn ask(evaluator: &dyn Evaluator, planes: &[f32], evaluations: &mut Evaluations) {
    if let Err(error) = evaluator.evaluate(planes, evaluations) {
        resume_unwind(Box::new(NetworkFailure(error.to_string())));
    }
}

impl NetworkLeaf {
    /// The leaf that a configuration asks for, with an evaluator for the game at hand; `None` if
    /// leaves are playouts.
    pub(crate) fn new(config: &SearchConfig, evaluator: Arc<dyn Evaluator>) -> Option<NetworkLeaf> {
        let LeafConfig::Net { mix, .. } = config.leaf else { return None };
        let temperature = match config.tree {
            TreeConfig::Puct { temperature, .. } => config.temperature(temperature),
            _ => 1.0,
        };
        Some(NetworkLeaf {
            evaluator,
            mix,
            temperature: config.takes_leaf_priors().then_some(temperature as f32),
            defers: false,
            leaf: Leaf::default(),
            evaluations: Evaluations::default(),
        })
    }

    /// Whether the tree wants priors for the moves of new positions.
    pub(crate) fn gives_priors(&self) -> bool {
        self.temperature.is_some()
    }

    /// Asks about the leaf at hand alone. Returns Black's reward.
    pub(crate) fn answer_now(&mut self, tree: &mut Tree) -> f64 {
        let NetworkLeaf { evaluator, leaf, evaluations, .. } = self;
        leaf.waits = false;
        ask(&**evaluator, &leaf.planes, evaluations);
        self.finish(tree, &self.leaf, Answer::of(&self.evaluations, self.evaluator.form(), 0))
    }

    /// Gives a leaf its answer: priors for its moves, and its value. Returns Black's reward.
    pub(crate) fn finish(&self, tree: &mut Tree, leaf: &Leaf, answer: Answer<'_>) -> f64 {
        if let (Some(node), Some(temperature)) = (leaf.node, self.temperature) {
            let edges = tree.node(node).edges();
            let priors = &mut tree.columns.priors[edges];
            for (prior, &logit) in priors.iter_mut().zip(&leaf.logits) {
                *prior = sane_logit(answer.logits[logit as usize]);
            }
            softmax(priors, temperature);
            tree.node_mut(node).value = answer.value as f32;
        }
        let blacks = reward(answer.value, leaf.side);
        leaf.playout.map_or(blacks, |playout| (1.0 - self.mix) * blacks + self.mix * playout)
    }
}

impl Simulator {
    /// Goes on with a simulation whose leaf has waited. Returns Black's reward.
    pub(crate) fn finish(&mut self, tree: &mut Tree, leaf: &mut Leaf, answer: Answer<'_>) -> f64 {
        let network = self.network.as_deref().expect("a leaf waits for a network only");
        let value = network.finish(tree, leaf, answer);
        std::mem::swap(&mut self.path, &mut leaf.path);
        self.back_up(tree, value);
        std::mem::swap(&mut self.path, &mut leaf.path);
        leaf.waits = false;
        value
    }
}
