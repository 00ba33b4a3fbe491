//! A game in progress and a player at it.

mod standing;

pub use standing::standing;
