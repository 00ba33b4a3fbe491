//! What every network does, whatever computes it.

use tesuji_core::NetworkForm;
use thiserror::Error;

/// Values positions and their moves, many at a time.
///
/// The answer for a position depends on the position alone, never on the others in its batch nor on
/// the size of the batch, to the bit; evaluators that cannot promise that say so in
/// [`is_exact`](Evaluator::is_exact).
pub trait Evaluator: Send + Sync {
    /// The form of the positions that it values.
    fn form(&self) -> &NetworkForm;

    /// Values positions. `planes` has one after the other, each as
    /// [`Game::write_planes`](tesuji_core::Game::write_planes) writes it.
    fn evaluate(&self, planes: &[f32], evaluations: &mut Evaluations) -> Result<(), NetError>;

    /// Whether it predicts the values of moves too.
    fn has_move_values(&self) -> bool {
        false
    }

    /// Whether equal positions have equal answers to the bit, whatever batch they are in.
    fn is_exact(&self) -> bool {
        true
    }
}

/// What a network says of a batch of positions. Its memory is used again.
#[derive(Clone, Default, Debug)]
pub struct Evaluations {
    /// The logits of all moves, position by position. They need not be normalised.
    pub logits: Vec<f32>,
    /// The expected reward of the side to move, from 0 to 1, of each position.
    pub values: Vec<f32>,
    /// The expected reward of the side to move after each move, from 0 to 1, in the order of the
    /// logits; empty if the network does not predict it.
    pub move_values: Vec<f32>,
    /// What an evaluator computes with.
    pub scratch: Vec<f32>,
}

/// A network cannot be read, or failed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct NetError(pub String);
