//! Portfolios of random seeds.
mod evaluate;
pub mod lazy;
mod matrix;
mod method;
mod solve;

pub use evaluate::{Estimate, Evaluation, EvaluationError, Rates};
pub use matrix::{Matrix, MatrixError};
pub use method::{Method, ParseMethodError, Portfolio};
pub use solve::{Equilibrium, solve};
