//! Networks: positions in batches in, logits of the moves and values out.
//!
//! An [`Evaluator`] knows no search and no game, only a [`NetworkForm`](tesuji_core::NetworkForm).

mod evaluator;
mod shipped;
mod source;
mod stub;

pub use evaluator::{Evaluations, Evaluator, NetError};
pub use source::{NetworkFile, NetworkSource};
pub use stub::Network;
