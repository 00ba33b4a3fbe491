//! The games' perft files, for whoever counts again: each in the format of
//! [`tesuji_core::perft_file`], each count checked by the game's tests.

/// Atarigo's counts.
pub const ATARIGO: &str = include_str!("atarigo/atarigo.perft");
/// Ataxx's counts.
pub const ATAXX: &str = include_str!("ataxx/ataxx.perft");
/// Breakthrough's counts.
pub const BREAKTHROUGH: &str = include_str!("breakthrough/breakthrough.perft");
/// Domineering's counts.
pub const DOMINEERING: &str = include_str!("domineering/domineering.perft");
/// Go's counts.
pub const GO: &str = include_str!("go/go.perft");
/// Hex's counts.
pub const HEX: &str = include_str!("hex/hex.perft");
/// Knightthrough's counts.
pub const KNIGHTTHROUGH: &str = include_str!("knightthrough/knightthrough.perft");
/// NoGo's counts.
pub const NOGO: &str = include_str!("nogo/nogo.perft");
