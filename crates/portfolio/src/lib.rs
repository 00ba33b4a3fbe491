//! Portfolios of random seeds.
mod matrix;
mod solve;

pub use matrix::{Matrix, MatrixError};
pub use solve::{Equilibrium, solve};
