//! Networks: positions in batches in, logits of the moves and values out.
//!
//! An [`Evaluator`] knows no search and no game, only a [`NetworkForm`](tesuji_core::NetworkForm).
//! A [`Network`] is an ONNX file, which a kernel for small networks computes; [`Shared`] lets several
//! threads fill the batches of one evaluator, and [`Remembering`] answers from memory if it can.

mod evaluator;
mod kernel;
mod network;
mod onnx;
mod protobuf;
mod remembering;
#[cfg(feature = "onnx-any")]
mod rten;
mod shared;
mod shipped;
mod source;
mod uniform;

pub use evaluator::{Evaluations, Evaluator, NetError};
pub use network::Network;
pub use remembering::{Remembering, RememberingCounts};
pub use shared::{Shared, SharedCounts};
pub use source::{NetworkFile, NetworkSource};
pub use uniform::Uniform;
