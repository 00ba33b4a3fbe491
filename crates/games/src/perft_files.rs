//! The games' perft files, for whoever counts again: each in the format of
//! [`tesuji_core::perft_file`], each count checked by the game's tests.

/// Breakthrough's counts.
pub const BREAKTHROUGH: &str = include_str!("breakthrough/breakthrough.perft");
/// Domineering's counts.
pub const DOMINEERING: &str = include_str!("domineering/domineering.perft");
/// Hex's counts.
pub const HEX: &str = include_str!("hex/hex.perft");
/// Knightthrough's counts.
pub const KNIGHTTHROUGH: &str = include_str!("knightthrough/knightthrough.perft");
