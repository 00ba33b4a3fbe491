//! Test tools for games and searches. A development dependency only.
//!
//! | module | question |
//! |---|---|
//! | [`conformance`] | does a game keep the contract of [`Game`](tesuji_core::Game)? |
//! | [`networks`] | do networks see what the contract of `Game` says? |
//! | [`views`] | does a phantom game keep the contract of [`Phantom`](tesuji_core::Phantom)? |
//! | [`mod@reference`] | do the fast rules agree with slow, obvious ones? |
//! | [`perft_file`] | do the move counts agree with a file? |
//! | [`playthrough`] | has any answer along one fixed game changed? |
//! | [`statistics`] | are these counts uniform? |
//! | [`allocations`] | does this code allocate? |
//! | [`solve`] | who wins if both sides play best? |
//! | [`tree_game`] | does a search find the known answer of a small game tree? |

pub mod allocations;
pub mod conformance;
pub mod networks;
pub mod perft_file;
pub mod playthrough;
pub mod reference;
pub mod solve;
pub mod statistics;
pub mod tree_game;
pub mod views;
