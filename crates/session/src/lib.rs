//! A game in progress and a player at it.

pub mod analysis;
mod standing;

pub use standing::standing;
