//! The games' perft files, for other programs that count. They have the format of
//! [`tesuji_core::perft_file`], and the games' tests check every count.

/// The perft file of Atarigo.
pub const ATARIGO: &str = include_str!("atarigo/atarigo.perft");
/// The perft file of Ataxx.
pub const ATAXX: &str = include_str!("ataxx/ataxx.perft");
/// The perft file of Breakthrough.
pub const BREAKTHROUGH: &str = include_str!("breakthrough/breakthrough.perft");
/// The perft file of Domineering.
pub const DOMINEERING: &str = include_str!("domineering/domineering.perft");
/// The perft file of Go.
pub const GO: &str = include_str!("go/go.perft");
/// The perft file of Hex.
pub const HEX: &str = include_str!("hex/hex.perft");
/// The perft file of Knightthrough.
pub const KNIGHTTHROUGH: &str = include_str!("knightthrough/knightthrough.perft");
/// The perft file of NoGo.
pub const NOGO: &str = include_str!("nogo/nogo.perft");
