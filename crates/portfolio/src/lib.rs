//! Portfolios of random seeds: a randomised player with its seed fixed is a
//! deterministic one, and some seeds are better than others (Cazenave, Liu, Teytaud,
//! Teytaud, "Learning opening books in partially observable games: using random seeds
//! in Phantom Go", 2016). From the results of K Black seeds against K White seeds a
//! portfolio is learnt: a probability for each seed, drawn from anew for each game.
//!
//! Most of this is mathematics and knows no game; [`seeds`] plays them, through the
//! arena and its store. A [`Matrix`] holds what came of
//! the games, [`solve`] finds an equilibrium of it with a certificate:
//!
//! ```
//! use tesuji_portfolio::{Matrix, solve};
//!
//! // Rock, paper, scissors: Black's reward for each row against each column.
//! let matrix = Matrix::from_rows(&[
//!     [0.5, 0.0, 1.0],
//!     [1.0, 0.5, 0.0],
//!     [0.0, 1.0, 0.5],
//! ])?;
//! let equilibrium = solve(&matrix);
//! assert!((equilibrium.value - 0.5).abs() < 1e-12);
//! assert!(equilibrium.black.iter().all(|weight| (weight - 1.0 / 3.0).abs() < 1e-12));
//! // Neither side could gain more than this, roundoff of the check included.
//! assert!(equilibrium.gap < 1e-12);
//! # Ok::<(), tesuji_portfolio::MatrixError>(())
//! ```
//!
//! | item | question |
//! |---|---|
//! | [`Matrix`] | what came of the games? |
//! | [`solve`], [`Equilibrium`] | which mixtures leave the opponent nothing to gain? |
//! | [`Method`], [`Portfolio`] | which seeds shall be played, how often? |
//! | [`Evaluation`], [`Rates`] | how do they fare against seeds they were not made from? |
//! | [`lazy`] | what if most of the games are never played? |
//! | [`seeds`] | which games are those, and what was played of them? |

mod evaluate;
mod komi;
pub mod lazy;
mod matrix;
mod method;
pub mod seeds;
mod solve;

pub use evaluate::{Estimate, Evaluation, EvaluationError, Rates};
pub use komi::{KomiError, KomiMatches, KomiSearch};
pub use matrix::{Matrix, MatrixError};
pub use method::{Method, ParseMethodError, Portfolio};
pub use solve::{Equilibrium, solve, solve_watched};
