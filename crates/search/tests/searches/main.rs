//! Whole searches, through the public interface. One binary, so that every
//! game and search is compiled once.

mod budgets;
mod common;
mod dummy;
mod events;
mod network;
mod reference;
mod reproducible;
mod reuse;
mod solved;
mod solver;
mod steering;
mod sure;
