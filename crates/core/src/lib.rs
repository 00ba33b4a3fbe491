//! The vocabulary of tesuji: what a game, a side, an outcome and a random
//! number are. Everything else is written in these words; this crate knows no
//! game, no search and no file.
//!
//! | word | meaning |
//! |---|---|
//! | [`Game`] | a position with its rules: moves, outcome, hash, codes, playout, text |
//! | [`MoveId`], [`PackedMove`] | a move as a number, and a game's own moves, which have one |
//! | [`Side`], [`Outcome`], [`Draws`] | a colour, a result, what an even score means |
//! | [`Phantom`], [`Referee`], [`View`], [`Guess`] | a game in which the enemy is not seen: who knows all, who knows what, what may be |
//! | [`Playout`], [`Record`], [`Code`] | a random game to the end and the moves it saw |
//! | [`Seed`], [`Rng`], [`Pool`] | the address of a random stream, the stream, bits kept back from it |
//! | [`Arms`], [`Rewards`], [`Score`] | what is known of the arms, samples, and scores from elsewhere |
//! | [`Allocator`], [`Batch`], [`Decision`] | a way to spend samples on arms, and what comes of it |
//! | [`Encoded`] | a position as plain words, for programs on a device |
//! | [`spec`] | names with parameters, as text |
//! | [`Symmetry`] | the eight symmetries of the square |
//! | [`TimeControl`], [`TimeLeft`], [`Timekeeper`] | how much time a game has, what is left, and who keeps count |
//! | [`isa`] | machine instructions chosen at run time |
//! | [`perft_file`] | counts of move sequences, as text |
//! | [`zobrist`] | keys for incremental hashes |

mod allocator;
mod arms;
pub mod drawing;
mod encoded;
mod game;
pub mod isa;
mod move_id;
mod network;
mod outcome;
pub mod perft_file;
mod phantom;
mod playout;
mod rng;
mod seed;
mod side;
pub mod spec;
mod suggestion;
mod symmetry;
mod text;
mod time_control;
pub mod zobrist;

pub use allocator::{Allocator, Batch, Calibration, Decision, Pull, Ranked, Round, Stop, allocate};
pub use arms::{Arms, NetworkView, Rewards, Score};
pub use encoded::Encoded;
pub use game::{
    Game, IllegalMove, ParseMoveError, ParsePositionError, PerftProgress, parse_legal_move, perft,
    perft_watched, playout_by_move_lists,
};
pub use move_id::{MoveId, PackedMove};
pub use network::NetworkForm;
pub use outcome::{Draws, Outcome};
pub use phantom::{Announced, Answer, Call, CallOf, Guess, Phantom, Referee, View};
pub use playout::{Code, Playout, Record, Silent};
pub use rng::{Pool, Rng};
pub use seed::{ParseSeedError, Seed, Step, mix};
pub use side::Side;
pub use suggestion::{nearest_names, suggestion};
pub use symmetry::Symmetry;
pub use text::{file_problem, grouped, in_shell, parse_time, shortened, time_text};
pub use time_control::{ParseTimeControlError, TimeControl, TimeLeft, Timekeeper};
